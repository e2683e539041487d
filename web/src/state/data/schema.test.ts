/** Fields, shares, types and spreads of a handful of documents, by hand. */
import { Double, Int32 } from "bson";
import { expect, test } from "vitest";
import { schemaOf } from "./schema.ts";

const documents = [
  {
    _id: new Int32(1),
    kind: "tool",
    price: new Double(1),
    at: new Date(0),
    tags: ["a", "b"],
    details: { weight: new Int32(5) },
  },
  { _id: new Int32(2), kind: "plant", price: new Int32(9), at: new Date(1000), tags: [], details: { height: null } },
  { _id: new Int32(3), kind: "plant", price: "free", tags: [{ x: true }] },
];

test("fields in order, with how often they are there and of which types", () => {
  const { documents: count, fields } = schemaOf(documents);
  expect(count).toBe(3);
  expect(fields.map(({ path, depth, present, of }) => [path, depth, present, of])).toEqual([
    ["_id", 0, 3, 3],
    ["kind", 0, 3, 3],
    ["price", 0, 3, 3],
    ["at", 0, 2, 3],
    ["tags", 0, 3, 3],
    ["tags[]", 1, 3, 3],
    ["tags[].x", 2, 1, 1],
    ["details", 0, 2, 3],
    ["details.weight", 1, 1, 2],
    ["details.height", 1, 1, 2],
  ]);
  expect(fields[2]?.types).toEqual([
    { type: "Double", count: 1 },
    { type: "Int32", count: 1 },
    { type: "String", count: 1 },
  ]);
  expect(fields[5]?.types).toEqual([
    { type: "String", count: 2 },
    { type: "Object", count: 1 },
  ]);
});

test("how values lie", () => {
  const by = Object.fromEntries(schemaOf(documents).fields.map((field) => [field.path, field]));
  expect(by["price"]?.spread).toMatchObject({ kind: "numbers", from: 1, to: 9 });
  expect(by["at"]?.spread).toMatchObject({ kind: "dates", from: 0, to: 1000 });
  expect(by["tags"]?.spread).toEqual({ kind: "lengths", from: 0, to: 2 });
  expect(by["kind"]?.spread).toEqual({
    kind: "words",
    words: [
      ["plant", 2],
      ["tool", 1],
    ],
    different: 2,
  });
  expect(by["details.weight"]?.spread).toEqual({ kind: "numbers", from: 5, to: 5, bars: [1] });
  expect(by["price"]?.examples).toEqual(["1", "9", "free"]);
});

test("bars hold every value", () => {
  const spread = schemaOf(Array.from({ length: 100 }, (_, n) => ({ n }))).fields[0]?.spread;
  expect(spread?.kind === "numbers" ? spread.bars.reduce((sum, count) => sum + count, 0) : 0).toBe(100);
});

test("names that are data are not all described", () => {
  const wide = Array.from({ length: 400 }, (_, n) => ({ [`f${n}`]: n }));
  const { fields, omittedFields } = schemaOf(wide);
  expect(fields).toHaveLength(300);
  expect(omittedFields).toBe(100);
  expect(schemaOf([])).toEqual({ documents: 0, fields: [], omittedFields: 0 });
});
