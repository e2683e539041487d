/**
 * The list of past runs stays short, newest first, and survives anything that storage may hold.
 */
import { describe, expect, test } from "vitest";
import {
  addRun,
  keepRuns,
  keptCharacters,
  keptRuns,
  longestSource,
  parseRuns,
  readRuns,
  type PastRun,
} from "./history.ts";

const run = (source: string, at = 0): PastRun => ({ at, source, database: "test", outcome: "done", millis: 3 });

describe("past runs", () => {
  test("the newest is first, and the same once more moves to the front", () => {
    const runs = [run("a", 1), run("b", 2), run("a", 3)].reduce<readonly PastRun[]>(addRun, []);
    expect(runs.map((one) => [one.source, one.at])).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
    expect(addRun(runs, { ...run("a", 4), database: "cms" }).length).toBe(3);
  });

  test("the oldest are let go, by number and by length", () => {
    const many = Array.from({ length: keptRuns + 5 }, (_, n) => run(`s${n}`)).reduce<readonly PastRun[]>(addRun, []);
    expect(many.length).toBe(keptRuns);
    expect(many.at(-1)?.source).toBe("s5");
    const long = Array.from({ length: 20 }, (_, n) => run(String(n).padEnd(longestSource, "x"))).reduce<
      readonly PastRun[]
    >(addRun, []);
    expect(long.length).toBe(keptCharacters / longestSource);
    expect(addRun(many, run("x".repeat(longestSource + 1)))).toBe(many);
  });

  test("storage gives back what was kept, and nothing that is none", () => {
    let held = "";
    const place = { getItem: () => held, setItem: (_: string, value: string) => void (held = value) };
    keepRuns(place, [run("a")]);
    expect(readRuns(place)).toEqual([run("a")]);
    for (const stored of [
      null,
      "",
      "{",
      "{}",
      "3",
      '[null,{"at":1}]',
      '[{"at":1,"source":"x","database":"y","outcome":"odd"}]',
    ])
      expect(parseRuns(stored)).toEqual([]);
    const broken = {
      getItem: () => {
        throw new Error("blocked");
      },
      setItem: () => {
        throw new Error("full");
      },
    };
    expect(readRuns(broken)).toEqual([]);
    expect(() => keepRuns(broken, [])).not.toThrow();
  });
});
