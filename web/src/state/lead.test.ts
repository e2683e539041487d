/** Which fields lead a row, and the summary of a folded document. */
import { Binary, Int32, ObjectId } from "bson";
import { describe, expect, test } from "vitest";
import { digitsOf, leadColumns, Leading, leadOf, leadParts, summaryOf } from "./lead.ts";

const films = [
  {
    _id: new ObjectId("64b000000000000000000001"),
    kind: "film",
    year: new Int32(1995),
    plot: "x".repeat(200),
    title: "Heat",
  },
  {
    _id: new ObjectId("64b000000000000000000002"),
    kind: "film",
    year: new Int32(1995),
    plot: "y".repeat(200),
    title: "Casino",
  },
  {
    _id: new ObjectId("64b000000000000000000003"),
    kind: "film",
    year: new Int32(1996),
    plot: "z".repeat(200),
    title: "Fargo",
  },
];

describe("a row leads with what tells documents apart", () => {
  test("a title before what is the same, what is long, and a generated _id", () => {
    const lead = leadOf(films);
    expect(lead).toEqual({ order: ["title", "year", "plot", "kind"], first: "title", shortId: true });
    expect(summaryOf(films[1], lead, 60)).toBe('{ title: "Casino", year: 1995, … }');
  });

  test("a _id that a person chose stays in front", () => {
    const lead = leadOf([
      { kind: "herb", name: "rue", _id: "rue" },
      { kind: "herb", name: "sage", _id: "sage" },
    ]);
    expect(lead).toEqual({ order: ["_id", "name", "kind"], first: "_id", shortId: false });
    expect(leadOf([{ _id: new Int32(1) }, { _id: new Int32(2) }]).shortId).toBe(false);
  });

  test("the same name in all documents does not lead", () => {
    expect(
      leadOf([
        { _id: new ObjectId(), name: "Ann", at: new Date(1) },
        { _id: new ObjectId(), name: "Ann", at: new Date(2) },
      ]),
    ).toMatchObject({ order: ["at", "name"], first: null });
  });

  test("a UUID is short, and other binary is not", () => {
    const uuid = (last: number): Binary => new Binary(new Uint8Array(16).fill(last), 4);
    expect(leadOf([{ _id: uuid(1) }, { _id: uuid(2) }]).shortId).toBe(true);
    expect(digitsOf(uuid(1))).toBe("01010101-0101-0101-0101-010101010101");
    expect(leadOf([{ _id: new Binary(new Uint8Array(3)) }, { _id: new Binary(new Uint8Array(4)) }]).shortId).toBe(
      false,
    );
  });

  test("one document keeps its order", () => {
    expect(leadOf([films[0]])).toEqual({ order: ["kind", "year", "plot", "title"], first: null, shortId: true });
  });

  test("fields of a later document, odd names and a stray _id are all there", () => {
    const lead = leadOf(films);
    const odd = { extra: new Int32(1), _id: "mine", title: "Up", ["__proto__"]: new Int32(3) };
    expect(leadParts(odd, lead).map(([name]) => name)).toEqual(["title", "extra", "_id", "__proto__"]);
    expect(
      leadParts(
        new Map<string, unknown>([
          ["b", 1],
          ["title", "M"],
        ]),
        lead,
      ),
    ).toEqual([
      ["title", "M"],
      ["b", 1],
    ]);
    expect(summaryOf({ _id: new ObjectId() }, lead)).toBe("{}");
  });

  test("no documents, and values that are none", () => {
    expect(leadOf([])).toEqual({ order: [], first: null, shortId: false });
    expect(leadOf([1, "a", [1], null])).toEqual({ order: [], first: null, shortId: false });
  });

  test("a long result is sampled from its whole length", () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({
      _id: new ObjectId(),
      group: at < 50_000 ? "a" : "b",
      n: at,
    }));
    expect(leadOf(rows).order).toEqual(["n", "group"]);
  });

  test("a table begins with it, before a generated _id only", () => {
    const columns = ["_id", "kind", "title"].map((name) => ({ name }));
    expect(leadColumns(columns, leadOf(films)).map(({ name }) => name)).toEqual(["title", "_id", "kind"]);
    expect(leadColumns(columns, { ...leadOf(films), shortId: false })).toBe(columns);
  });

  test("a result that grows keeps its words, another one has its own", () => {
    const rows = (from: number, count: number): unknown[] =>
      Array.from({ length: count }, (_, at) => ({ _id: from + at, same: "a" }));
    const first = rows(0, 20);
    const leading = new Leading();
    leading.become(first);
    const { lead } = leading;
    leading.become([...first, ...Array.from({ length: 100 }, (_, at) => ({ _id: new ObjectId(), title: `t${at}` }))]);
    expect(leading.lead).toBe(lead);
    leading.become([...first.slice(1), ...rows(20, 101)]);
    expect(leading.lead).toBe(lead);
    leading.become(films);
    expect(leading.lead.first).toBe("title");
  });
});
