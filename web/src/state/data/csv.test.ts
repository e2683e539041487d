/** Columns get the types their header says or their texts have, and rows become documents or are refused. */
import { Decimal128, Double, Int32, Long, ObjectId } from "bson";
import { describe, expect, test } from "vitest";
import { CellError, cellValue, columnsOf, rowDocument, type ColumnType } from "./csv.ts";

test("a header says types as mongoimport reads them, else a sample shows them", () => {
  expect(
    columnsOf(
      ["n.int64()", "seen.on", "day", "yes", "id", "zip", "x.odd()"],
      [
        ["1", "", "2024-05-01", "true", "4c4b1476238d3b4dd5000001", "01234", "a"],
        ["2", "b", "2024-05-01T10:00:00Z", "FALSE", "4c4b1476238d3b4dd5000002", "99999", ""],
      ],
    ),
  ).toEqual([
    { name: "n", type: "int64" },
    { name: "seen.on", type: "auto" },
    { name: "day", type: "date" },
    { name: "yes", type: "boolean" },
    { name: "id", type: "objectId" },
    { name: "zip", type: "string" },
    { name: "x.odd()", type: "auto" },
  ]);
});

describe("values", () => {
  const value = (type: ColumnType, text: string): unknown => cellValue(text, { name: "c", type });
  test.each([
    ["auto", "5", new Int32(5)],
    ["auto", "5000000000", Long.fromNumber(5_000_000_000)],
    ["auto", "1.50", new Double(1.5)],
    ["auto", "1.2.3", "1.2.3"],
    ["string", "007", "007"],
    ["int64", "5", Long.fromInt(5)],
    ["double", "2", new Double(2)],
    ["decimal", "0.10", Decimal128.fromString("0.10")],
    ["boolean", "TRUE", true],
    ["date", "2024-05-01", new Date(Date.UTC(2024, 4, 1))],
    ["date", "2024-05-01 10:30", new Date(Date.UTC(2024, 4, 1, 10, 30))],
    ["date", "1714521600000", new Date(1_714_521_600_000)],
    ["objectId", "4c4b1476238d3b4dd5000001", new ObjectId("4c4b1476238d3b4dd5000001")],
  ] as const)("%s %s", (type, text, expected) => expect(value(type, text)).toEqual(expected));

  test.each([
    ["int32", "5000000000"],
    ["int32", "1.5"],
    ["int64", "x"],
    ["double", "one"],
    ["decimal", "1,5"],
    ["boolean", "maybe"],
    ["date", "tomorrow"],
    ["objectId", "4c"],
  ] as const)("%s refuses %s", (type, text) => {
    expect(() => value(type, text)).toThrow(CellError);
  });
});

describe("rows", () => {
  const columns = columnsOf(["_id", "at.bed", "at.row", "note"], []);

  test("dotted names nest, and empty cells are left out", () => {
    expect(rowDocument(["1", "3", "", "x, y"], columns)).toEqual({
      _id: new Int32(1),
      at: { bed: new Int32(3) },
      note: "x, y",
    });
    expect(rowDocument([""], columns)).toBeNull();
    expect(rowDocument(["1"], columns)).toEqual({ _id: new Int32(1) });
  });

  test("too many cells and names that clash are refused", () => {
    expect(() => rowDocument(["1", "2", "3", "4", "5"], columns)).toThrow("5 cells under 4 headings");
    expect(() => rowDocument(["1", "2"], columns.slice(0, 1))).toThrow(/^2 cells under 1 heading$/);
    expect(() => rowDocument(["1", "2"], columnsOf(["a", "a.b"], []))).toThrow("a is a value already");
  });
});
