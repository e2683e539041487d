/**
 * Every BSON type has its name, its wording and its place in a table.
 */
import {
  Binary,
  BSONRegExp,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from "bson";
import { describe, expect, test } from "vitest";
import { absent, cellOf, ColumnCounter, isTabular, layOut, maximalColumns } from "./table.ts";
import { numberOf, preview, typeOf, wordCell, wordLeaf, wordLine } from "./values.ts";
import { wordAs, wordValue } from "./wording.ts";

const id = new ObjectId("4c4b1476238d3b4dd5000001");
const date = new Date(Date.UTC(2010, 4, 1));

describe("types and their wording", () => {
  test.each([
    [new Double(1.5), "Double", "1.5"],
    [new Double(2), "Double", "2"],
    [new Double(-0), "Double", "-0"],
    [new Int32(7), "Int32", "7"],
    [Long.fromString("9007199254740993"), "Long", "Long('9007199254740993')"],
    [Decimal128.fromString("0.10"), "Decimal128", "Decimal128('0.10')"],
    ['a"b', "String", '"a\\"b"'],
    [true, "Boolean", "true"],
    [null, "Null", "null"],
    [undefined, "Undefined", "undefined"],
    [date, "Date", "ISODate('2010-05-01T00:00:00.000Z')"],
    [new Date(NaN), "Date", "Date(NaN)"],
    [id, "ObjectId", "ObjectId('4c4b1476238d3b4dd5000001')"],
    [new Timestamp({ t: 5, i: 2 }), "Timestamp", "Timestamp({ t: 5, i: 2 })"],
    [new BSONRegExp("^a", "i"), "Regex", "/^a/i"],
    [/b+/g, "Regex", "/b+/g"],
    [new UUID("8f3c6f0e-6e0d-4b7e-9df0-3f7b0a4f2c11"), "Binary", "UUID('8f3c6f0e-6e0d-4b7e-9df0-3f7b0a4f2c11')"],
    [new Binary(new Uint8Array([1, 2]), 0), "Binary", "Binary.createFromBase64('AQI=', 0)"],
    [new Code("x => x"), "Code", 'Code("x => x")'],
    [new DBRef("users", id), "DBRef", "DBRef(\"users\", ObjectId('4c4b1476238d3b4dd5000001'))"],
    [new MinKey(), "MinKey", "MinKey()"],
    [new MaxKey(), "MaxKey", "MaxKey()"],
  ])("%s is a %s", (value, type, worded) => {
    expect(typeOf(value)).toBe(type);
    expect(wordLeaf(value)).toBe(worded);
  });

  test("documents and arrays are nested, whatever they hold", () => {
    expect(typeOf({ a: 1 })).toBe("Object");
    expect(typeOf([])).toBe("Array");
  });

  test("numbers come out of every number type", () => {
    expect([new Int32(3), new Double(3), Long.fromNumber(3), Decimal128.fromString("3"), 3, 3n].map(numberOf)).toEqual([
      3, 3, 3, 3, 3, 3,
    ]);
    expect(numberOf("3")).toBeNull();
  });
});

describe("previews and text", () => {
  const nested = { _id: new Int32(1), name: "x", tags: ["a", "b"], "a b": { c: null } };

  test("a preview is one line and short", () => {
    expect(preview(nested)).toBe('{ _id: 1, name: "x", tags: [2], "a b": {…} }');
    expect(preview(nested, 14)).toBe("{ _id: 1, … }");
    expect(preview([])).toBe("[]");
    expect(wordLine(nested)).toBe('{ _id: 1, name: "x", tags: [ "a", "b" ], "a b": { c: null } }');
  });

  test("a wide value goes over lines", () => {
    expect(wordValue({ text: "x".repeat(80), n: new Int32(1) })).toBe(`{\n  text: "${"x".repeat(80)}",\n  n: 1\n}`);
    expect(wordValue(nested)).toBe(wordLine(nested));
  });

  test("Extended JSON keeps types in its canonical form", () => {
    expect(JSON.parse(wordAs("canonical", { n: new Int32(1) }))).toEqual({ n: { $numberInt: "1" } });
    expect(JSON.parse(wordAs("relaxed", { n: new Int32(1), d: date }))).toEqual({
      n: 1,
      d: { $date: "2010-05-01T00:00:00Z" },
    });
  });
});

describe("tables", () => {
  test("columns are the fields in order, with _id first", () => {
    const rows = [
      { a: "x", _id: id },
      { b: new Int32(1), a: null },
    ];
    const counter = new ColumnCounter();
    counter.add(rows.slice(0, 1));
    counter.add(rows, 1);
    const columns = counter.columns();
    expect(columns.map((column) => column.name)).toEqual(["_id", "a", "b"]);
    expect(columns[1]).toEqual({ name: "a", types: ["String", "Null"], present: 2 });
    expect(columns.map(({ name }) => cellOf(rows[1], name))).toEqual([absent, null, new Int32(1)]);
    expect(cellOf(5, "")).toBe(5);
  });

  test("there are never too many columns", () => {
    const wide = Object.fromEntries(Array.from({ length: maximalColumns + 3 }, (_, index) => [`f${index}`, index]));
    expect(layOut([wide])).toMatchObject({ columns: { length: maximalColumns }, omittedColumns: 3 });
  });

  test("cells need no type of their own", () => {
    expect([id, date, "x", Long.fromNumber(5)].map(wordCell)).toEqual([
      "4c4b1476238d3b4dd5000001",
      "2010-05-01T00:00:00.000Z",
      "x",
      "5",
    ]);
  });

  test("only documents make a table", () => {
    expect(isTabular([1, 2])).toBe(false);
    expect(isTabular([{}, 2])).toBe(true);
    expect(isTabular([])).toBe(false);
  });
});
