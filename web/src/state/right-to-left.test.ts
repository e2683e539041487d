/** Words from right to left stand by themselves, and a line is the sum of its pieces. */
import { expect, it } from "vitest";
import { quotedPieces } from "./right-to-left.ts";
import { preview } from "./values.ts";

/** The texts that stand by themselves. */
const isolated = (text: string): readonly string[] => quotedPieces(text).filter((_, index) => index % 2 === 1);

it("keeps texts and names from right to left apart, in either wording", () => {
  const value = { _id: 2, a: [4], שם: "ערך", גיל: 42 };
  expect(isolated(preview(value))).toEqual(['"שם"', '"ערך"', '"גיל"']);
  expect(isolated(preview(["שלום", 12, "עולם", 34]))).toEqual(['"שלום"', '"עולם"']);
  expect(isolated("{\n  a: [ 'שלום', 12, 'it\\'s \"عالم\"' ],\n  'גיל': 42\n}")).toEqual([
    "'שלום'",
    "'it\\'s \"عالم\"'",
    "'גיל'",
  ]);
});

it("leaves every character where it is", () => {
  for (const text of ["", "plain 'text'", '{ a: "שלום', 'שלום "a\\"b" it\'s\n\'', '"שלום… }'])
    expect(quotedPieces(text).join("")).toBe(text);
});

it("takes a text that was cut as one, a mark inside a word as a letter, and has one piece of a usual text", () => {
  expect(isolated('[ "שלום… ]')).toEqual(['"שלום… ]']);
  expect(isolated("צה\"ל וג'ירפה")).toEqual([]);
  expect(quotedPieces('{ a: "b" }')).toEqual(['{ a: "b" }']);
});
