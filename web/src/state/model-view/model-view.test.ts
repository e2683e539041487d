/** Fields counted, ranges, kinds of cardinality, and which fields may be references, by hand. */
import { Binary, DBRef, Double, Int32, Long, ObjectId, UUID } from "bson";
import { describe, expect, test } from "vitest";
import { candidatesOf, isNamedAfter, keyOf, wordsOfName } from "./candidates.ts";
import { Census } from "./census.ts";
import { kindOf, rangeOf } from "./model.ts";

const counted = (...values: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

test("fields, their shares and types, and how long arrays are", () => {
  const census = new Census();
  census.take({ _id: new Int32(1), lines: [{ product: new Int32(1) }, { product: "x", count: new Int32(2) }] });
  census.take({ _id: new Int32(2), lines: [], at: null });
  census.take({ _id: "three", lines: [{ product: null }], deep: { inner: true } });
  const { documents, fields, omitted } = census.account();
  expect([documents, omitted]).toEqual([3, 0]);
  expect(fields.map(({ path, depth, present, of }) => [path, depth, present, of])).toEqual([
    ["_id", 0, 3, 3],
    ["lines", 0, 3, 3],
    ["lines[]", 1, 3, 3],
    ["lines[].product", 2, 3, 3],
    ["lines[].count", 2, 1, 3],
    ["at", 0, 1, 3],
    ["deep", 0, 1, 3],
    ["deep.inner", 1, 1, 1],
  ]);
  expect(fields[1]?.lengths).toEqual({ least: 0, median: 1, most: 2 });
  expect(fields[0]?.types).toEqual([
    { type: "Int32", count: 2 },
    { type: "String", count: 1 },
  ]);
  expect(fields[3]?.types.map(({ type }) => type)).toEqual(["Int32", "String", "Null"]);
});

test("names that are data are counted and not described", () => {
  const census = new Census();
  for (let n = 0; n < 400; n++) census.take({ [`f${n}`]: n });
  const { fields, omitted } = census.account();
  expect(fields).toHaveLength(300);
  expect(omitted).toBe(100);
  expect(new Census().account()).toEqual({ documents: 0, fields: [], omitted: 0 });
});

test("ranges by how often each number is there", () => {
  expect(rangeOf(new Map())).toBeNull();
  expect(rangeOf(counted(4))).toEqual({ least: 4, median: 4, most: 4 });
  expect(rangeOf(counted(0, 0, 3, 9))).toEqual({ least: 0, median: 1.5, most: 9 });
  expect(rangeOf(counted(9, 1, 2))).toEqual({ least: 1, median: 2, most: 9 });
});

test("cardinalities are called by the most there are", () => {
  const range = (most: number) => ({ least: 0, median: 1, most });
  expect(kindOf(range(1), range(1))).toBe("one-to-one");
  expect(kindOf(range(20), range(1))).toBe("one-to-few");
  expect(kindOf(range(21), range(1))).toBe("one-to-many");
  expect(kindOf(range(1001), range(1))).toBe("one-to-very-many");
  expect(kindOf(range(3), range(4))).toBe("few-to-many");
});

describe("candidates", () => {
  test("values are told apart as the engine does", () => {
    expect(keyOf(new Int32(5))).toBe(keyOf(new Double(5)));
    expect(keyOf(Long.fromNumber(5))).toBe("n5");
    expect(keyOf(new Double(-0))).toBe("n0");
    expect(keyOf(new Double(5.5))).toBeNull();
    expect(keyOf("5")).toBe("s5");
    expect(keyOf(new UUID("8f3c6f0e-6e0d-4b7e-9df0-3f7b0a4f2c11"))).toMatch(/^b4 143 60 /);
    expect(keyOf(new Binary(new Uint8Array([1, 2]), 0))).toBe("b0 1 2");
    for (const none of [null, true, new Date(0), "", {}, []]) expect(keyOf(none)).toBeNull();
  });

  test("scalars, nested fields, arrays and DBRefs, but no prices and no places", () => {
    const id = new ObjectId();
    const found = candidatesOf([
      {
        _id: id,
        price: new Double(1),
        by: { user: "ada" },
        tags: [new Int32(1), new Int32(1)],
        lines: [{ product: id }],
        ref: new DBRef("users", id),
        place: [[1, 2]],
        "a.b": 1,
      },
      { _id: new ObjectId(), price: new Double(1.5) },
    ]);
    expect(found.map(({ path, values, named }) => [path, values.size, named])).toEqual([
      ["_id", 2, null],
      ["by.user", 1, null],
      ["tags[]", 1, null],
      ["lines[].product", 1, null],
      ["ref", 1, "users"],
    ]);
  });

  test("names that speak for a reference", () => {
    expect(wordsOfName("mainCategory_ids")).toEqual(["main", "category", "id"]);
    expect(wordsOfName("addresses")).toEqual(["address"]);
    const named = (path: string, collection: string, own = "orders", key = "_id"): boolean =>
      isNamedAfter(path.split("."), { collection, key }, own);
    expect(named("customer", "customers")).toBe(true);
    expect(named("customerId", "customers")).toBe(true);
    expect(named("main_cat_id", "categories")).toBe(true);
    expect(named("lines.[].product", "products")).toBe(true);
    expect(named("product.id", "products")).toBe(true);
    expect(named("product_slug", "products", "orders", "slug")).toBe(true);
    expect(named("parent_id", "categories", "categories")).toBe(true);
    expect(named("ancestors.[]", "categories", "categories")).toBe(true);
    expect(named("_id", "movies", "movie_details")).toBe(true);
    expect(named("count", "customers")).toBe(false);
    expect(named("stock", "products", "products")).toBe(false);
    expect(named("_id", "products", "customers")).toBe(false);
  });
});
