/** Columns get the types their header says or their texts have, and rows become documents or are refused. */
import { Binary, Decimal128, Double, Int32, Long, ObjectId } from "bson";
import { describe, expect, test } from "vitest";
import { CellError, cellValue, columnsOf, headerFault, rowDocument, type ColumnType, type CsvColumn } from "./csv.ts";

test("a header says types as mongoimport reads them, else a sample shows them", () => {
  expect(
    columnsOf(
      ["n.int64()", "seen.on", "day", "yes", "id", "zip", "x.y"],
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
    { name: "x.y", type: "auto" },
  ]);
});

test("a header's types have arguments, in which a backslash makes a sign like any other", () => {
  expect(
    columnsOf(
      [
        "d.date(2006-01-02)",
        "e.f.date_go(Jan 2, 2006)",
        "m.date_ms(dd/MM/yyyy)",
        "o.date_oracle(yyyy-mm-dd hh24:mi)",
        "b.binary(hex)",
        "p.date(\\(2006\\))",
        "q.date()",
        "a.auto()",
      ],
      [],
    ),
  ).toEqual([
    { name: "d", type: "date", layout: "2006-01-02" },
    { name: "e.f", type: "date", layout: "Jan 2, 2006" },
    { name: "m", type: "date", layout: "02/01/2006" },
    { name: "o", type: "date", layout: "2006-01-02 15:04" },
    { name: "b", type: "binary", encoding: "hex" },
    { name: "p", type: "date", layout: "(2006)" },
    { name: "q", type: "date" },
    { name: "a", type: "auto" },
  ]);
  // Without a type that is known a title is a name.
  expect(columnsOf(["x.odd()", "f(x)"], [])).toEqual([
    { name: "x.odd()", type: "auto" },
    { name: "f(x)", type: "auto" },
  ]);
  for (const title of ["n.int32(5)", "b.binary()", "b.binary(base16)", "n.integer()"])
    expect(() => columnsOf(["a.string()", title], [])).toThrow(/^invalid type/);
});

test.each([
  [["a", "a"], "fields cannot be identical: 'a' and 'a'"],
  [["a.b", "c", "a.b"], "fields cannot be identical: 'a.b' and 'a.b'"],
  [["a", "a.b"], "fields 'a' and 'a.b' are incompatible"],
  [["a.b.c", "a.b"], "fields 'a.b.c' and 'a.b' are incompatible"],
  [["$a"], '"$a" cannot be a field\'s name'],
  [["a..b"], '"a..b" cannot be a field\'s name'],
  [["a."], '"a." cannot be a field\'s name'],
  [["", ""], "fields cannot be identical: '' and ''"],
])("the header %j is refused", (header, message) => {
  expect(headerFault(columnsOf(header, []))?.message).toBe(message);
});

test("a column that is left out may have any name", () => {
  const [first, second] = columnsOf(["a", "a"], []) as [CsvColumn, CsvColumn];
  expect(headerFault([first, { ...second, type: "skip" }])).toBeNull();
  expect(headerFault(columnsOf(["", "a", "a1", "b.a", "b.c"], []))).toBeNull();
});

describe("values", () => {
  const value = (type: ColumnType, text: string): unknown => cellValue(text, { name: "c", type });
  test.each([
    ["auto", "5", new Int32(5)],
    ["auto", "5000000000", Long.fromNumber(5_000_000_000)],
    ["auto", "1.50", new Double(1.5)],
    ["auto", "1.2.3", "1.2.3"],
    ["auto", "9007199254740993", Long.fromString("9007199254740993")],
    ["auto", "1e400", "1e400"],
    ["auto", "-Infinity", new Double(-Infinity)],
    ["binary", "aGk=", new Binary(Uint8Array.of(104, 105), 0)],
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
    ["int64", "9223372036854775808"],
    ["double", "1e400"],
    ["binary", "a"],
    ["date", "2024-02-30"],
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

test("texts are bytes and dates in the way that their column says", () => {
  const hi = new Binary(Uint8Array.of(104, 105, 33), 0);
  const of = (text: string, more: Partial<CsvColumn>): unknown =>
    cellValue(text, { name: "c", type: "binary", ...more });
  expect(of("686921", { encoding: "hex" })).toEqual(hi);
  expect(of("NBUSC===", { encoding: "base32" })).toEqual(hi);
  expect(() => of("NBUSC", { encoding: "base32" })).toThrow('c: "NBUSC" is no binary(base32)');
  expect(of("5/4/2024", { type: "date", layout: "2/1/2006" })).toEqual(new Date(Date.UTC(2024, 3, 5)));
  expect(() => of("2024-05-04", { type: "date", layout: "2/1/2006" })).toThrow('"2024-05-04" is no date(2/1/2006)');
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

  test("names are fields whatever objects inherit, and keep their order", () => {
    const names = ["constructor.name", "__proto__.a", "b", "1", "0"];
    const row = rowDocument(["1", "2", "3", "4", "5"], columnsOf(names, [])) as ReadonlyMap<string, unknown>;
    expect([...row.keys()]).toEqual(["constructor", "__proto__", "b", "1", "0"]);
    expect(({} as { a?: number }).a).toBeUndefined();
    expect(rowDocument(["1", "2"], columnsOf(["", "a"], []))).toEqual({ "": new Int32(1), a: new Int32(2) });
  });

  test("too many cells and names that clash are refused", () => {
    expect(() => rowDocument(["1", "2", "3", "4", "5"], columns)).toThrow("5 cells under 4 headings");
    expect(() => rowDocument(["1", "2"], columnsOf(["a", "a.b"], []))).toThrow("fields 'a' and 'a.b' are incompatible");
    expect(() => rowDocument(["1", "2"], columnsOf(["a", "a"], []))).toThrow("identical");
  });
});
