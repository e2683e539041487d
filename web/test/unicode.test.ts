/** Unicode's properties as ranges: which names are known, and what they hold. */
import { expect, test } from "vitest";
import { unicodeClass } from "../src/engine/unicode.ts";

function holds(name: string, character: string): boolean | undefined {
  const ranges = unicodeClass(name);
  if (ranges === undefined) return undefined;
  const point = character.codePointAt(0) ?? 0;
  for (let at = 0; at < ranges.length; at += 2) {
    if (point >= (ranges[at] ?? 0) && point <= (ranges[at + 1] ?? 0)) return true;
  }
  return false;
}

test("categories, scripts and binary properties are known", () => {
  expect([holds("Lu", "É"), holds("Lu", "é"), holds("L", "日")]).toEqual([true, false, true]);
  expect([holds("Greek", "γ"), holds("greek", "γ"), holds("Greek", "g")]).toEqual([true, true, false]);
  expect([holds("Old_Italic", "𐌀"), holds("old italic", "𐌀")]).toEqual([true, true]);
  expect(holds("Alphabetic", "a")).toBe(true);
  expect(holds("Cn", "\u{10ffff}")).toBe(true);
});

test("a name that is none is unknown, whatever it holds", () => {
  for (const name of ["Nonsense", "", "L}|.*{", "\\p{L}"]) expect(unicodeClass(name)).toBeUndefined();
});
