/**
 * The comparison of an author's output with the real one.
 */
import { describe, expect, test } from "vitest";
import { growth } from "../../test/growth.ts";
import { differenceOf } from "./expected.ts";

const marks = { same: " ", missing: "-", extra: "+" } as const;
const worded = (expected: string, real: string): string | null =>
  differenceOf(expected, real)
    ?.map(({ kind, text }) => marks[kind] + text)
    .join("\n") ?? null;

describe("outputs that agree", () => {
  test.each([
    ["the same", "a\nb", "a\nb"],
    ["nothing and nothing", "\n", ""],
    ["other ends of lines", "a \r\nb", "a\nb\n"],
    ["a part that changes", 'id: ObjectId("…"), n: 1', 'id: ObjectId("65f0"), n: 1'],
    ["several parts", "a … c … e", "a b c d e"],
    ["a part of nothing", "a…", "a"],
    ["lines that change", "first\n…\nlast", "first\n2\n3\nlast"],
    ["no lines at all there", "first\n  ...\nlast", "first\nlast"],
    ["lines at the end", "first\n…", "first\n2"],
  ])("%s", (_, expected, real) => expect(differenceOf(expected, real)).toBeNull());
});

describe("outputs that differ", () => {
  test("tell the lines that are missing and those that are there instead", () => {
    expect(worded("a\nb\nc", "a\nx\nc")).toBe(" a\n-b\n+x\n c");
    expect(worded("a", "")).toBe("-a");
    expect(worded("", "a")).toBe("+a");
  });
  test("a part must not overlap what stands around it", () => {
    expect(worded("ab…ba", "aba")).toBe("-ab…ba\n+aba");
  });
  test("lines that change are not counted", () => {
    expect(worded("a\n…\nc\nd", "a\n1\n2\nc")).toBe(" a\n 1\n 2\n c\n-d");
  });
});

test("outputs that are long take no longer for each line", () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");
  expect(differenceOf(lines(3000), lines(3000))).toBeNull();
  expect(differenceOf(`${lines(3000)}\nmore`, lines(3000))?.at(-1)).toEqual({ kind: "missing", text: "more" });
  const parts = (count: number): unknown => differenceOf(`${"a…".repeat(count)}b`, `${"a".repeat(count * 2)}c`);
  expect(growth(20_000, parts)).toBeLessThan(25);
});
