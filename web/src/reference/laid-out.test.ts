/** Long lines of examples are broken at their brackets, and nothing else is changed. */
import { expect, test } from "vitest";
import { laidOut } from "./laid-out.ts";

test("a line that fits stays", () => {
  expect(laidOut("db.teas.find({ a: 1 })\n  b")).toBe("db.teas.find({ a: 1 })\n  b");
});

test("a long line is broken at its outer brackets first", () => {
  const line =
    'db.people.aggregate([{ $lookup: { from: "teas", localField: "tea", foreignField: "_id", as: "found, or not" } }])';
  expect(laidOut(line)).toBe(`db.people.aggregate([
  {
    $lookup: {
      from: "teas",
      localField: "tea",
      foreignField: "_id",
      as: "found, or not",
    },
  },
])`);
});

test("a line within another keeps its place, and a trailing comma", () => {
  const line = `  { $push: { notes: { $each: [${'"a long note", '.repeat(6)}"the last"], $slice: -3 } } },`;
  const out = laidOut(line);
  expect(out.split("\n")[0]).toBe("  {");
  expect(out.split("\n").at(-1)).toBe("  },");
});

test("a function's body gets no comma", () => {
  const line =
    "map({ run: function (first, second) { return first * second + first * second + first * second; }, x: 1 })";
  expect(laidOut(line)).not.toContain(";,");
});
