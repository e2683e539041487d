/** The fields of sampled documents, with their paths and types. */
import { expect, test } from "vitest";
import { fieldsOf } from "./fields.ts";

test("fields have their paths and every type seen, those of documents in arrays too", () => {
  const fields = fieldsOf([
    { _id: 1, name: "a", tags: ["x"], items: [{ sku: "k", n: 1 }, { sku: 2 }] },
    { _id: 2, name: null, where: { city: "b", at: new Date(0) } },
  ]);
  expect(Object.fromEntries(fields.map(({ path, types }) => [path, types.join(" ")]))).toEqual({
    _id: "Int32",
    name: "String Null",
    tags: "Array",
    items: "Array",
    "items.sku": "String Int32",
    "items.n": "Int32",
    where: "Object",
    "where.city": "String",
    "where.at": "Date",
  });
});

test("what lies deeper than a reader would name is left out", () => {
  const paths = fieldsOf([{ a: { b: { c: { d: { e: { f: 1 } } } } } }]).map(({ path }) => path);
  expect(paths.at(-1)).toBe("a.b.c.d.e");
});
