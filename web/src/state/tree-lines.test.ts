/**
 * Lines are found by their number, whatever is open, and an opened value stays open.
 */
import { describe, expect, test } from "vitest";
import { times } from "../../test/growth.ts";
import { TreeLines } from "./tree-lines.ts";

function keys(lines: TreeLines): string[] {
  return Array.from({ length: lines.count }, (_, number) => lines.lineAt(number)?.key ?? "?");
}

function toggle(lines: TreeLines, key: string, open: boolean): void {
  const line = lines.lineAt(lines.numberOf(key));
  if (line === undefined) throw new Error(`no line ${key}`);
  lines.toggle(line, open);
}

describe("tree lines", () => {
  const values = [{ a: 1, b: { c: [1, 2] } }, { d: 1 }, 5, {}];

  test("begin with the first value open", () => {
    const lines = new TreeLines();
    lines.become(values);
    expect(keys(lines)).toEqual(["0", "0.0", "0.1", "1", "2", "3"]);
    expect(lines.lineAt(2)).toMatchObject({ name: "b", open: false, depth: 1, path: ["b"], position: 2, siblings: 2 });
    expect(lines.lineAt(4)?.open).toBeNull();
    expect(lines.lineAt(5)?.open).toBeNull();
    expect(lines.lineAt(6)).toBeUndefined();
  });

  test("open and close at any depth; what is inside stays as it was", () => {
    const lines = new TreeLines();
    lines.become(values);
    toggle(lines, "0.1", true);
    toggle(lines, "0.1.0", true);
    toggle(lines, "1", true);
    expect(keys(lines)).toEqual(["0", "0.0", "0.1", "0.1.0", "0.1.0.0", "0.1.0.1", "1", "1.0", "2", "3"]);
    expect(lines.lineAt(5)?.path).toEqual(["b", "c", "1"]);
    toggle(lines, "0", false);
    expect(keys(lines)).toEqual(["0", "1", "1.0", "2", "3"]);
    expect(lines.numberOf("0.1.0")).toBe(-1);
    toggle(lines, "0", true);
    expect(lines.numberOf("0.1.0.1")).toBe(5);
    expect(lines.numberOf("1.0")).toBe(7);
    expect(lines.numberOf("9")).toBe(-1);
  });

  test("keep what is open when values come or one changes, and start over with other values", () => {
    const lines = new TreeLines();
    lines.become(values);
    toggle(lines, "1", true);
    lines.become([...values, 7]);
    expect(keys(lines)).toEqual(["0", "0.0", "0.1", "1", "1.0", "2", "3", "4"]);
    lines.become([values[0], { d: 1, e: 2 }, 5, {}, 7]);
    expect(keys(lines)).toEqual(["0", "0.0", "0.1", "1", "1.0", "1.1", "2", "3", "4"]);
    lines.become([]);
    expect(lines.count).toBe(0);
    lines.become([[1], 2]);
    expect(keys(lines)).toEqual(["0", "0.0", "1"]);
  });

  test("move with their value when one is taken out or put back", () => {
    const three = [{ a: 1 }, { b: 1 }, { c: 1 }];
    const lines = new TreeLines();
    lines.become(three);
    toggle(lines, "2", true);
    lines.become([three[0], three[2]]);
    expect(keys(lines)).toEqual(["0", "0.0", "1", "1.0"]);
    expect(lines.lineAt(3)?.name).toBe("c");
    lines.become(three);
    expect(keys(lines)).toEqual(["0", "0.0", "1", "2", "2.0"]);
    lines.become([three[1], three[2]]);
    expect(keys(lines)).toEqual(["0", "1", "1.0"]);
    lines.become([three[1]]);
    expect(keys(lines)).toEqual(["0"]);
  });

  test("cost nothing for a hundred thousand folded values", () => {
    const lines = new TreeLines();
    lines.become(Array.from({ length: 100_000 }, (_, n) => ({ n, m: n })));
    toggle(lines, "70000", true);
    expect(lines.count).toBe(100_004);
    expect(lines.lineAt(100_003)?.key).toBe("99999");
    expect(lines.lineAt(70_004)?.key).toBe("70000.1");
    const few = new TreeLines();
    few.become(Array.from({ length: 1000 }, (_, n) => ({ n, m: n })));
    // A line is found by halving: a hundred times as many cost it little.
    const all = (of: TreeLines, turns: number) => (): void => {
      for (let turn = 0; turn < turns; turn++) of.lineAt(Math.floor((turn * of.count) / turns));
    };
    expect(times(all(few, 20_000), all(lines, 20_000))).toBeLessThan(20);
  });
});
