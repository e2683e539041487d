/**
 * A typed text becomes a value of its type or is refused, and only a document stored as it is shown can be changed.
 */
import {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Document,
} from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import {
  deleteDocument,
  NotOfType,
  originOf,
  readAgain,
  setValue,
  textFor,
  updatePath,
  valueAt,
  valueFrom,
} from "./edit.ts";

describe("typed values", () => {
  const id = new ObjectId("4c4b1476238d3b4dd5000001");
  test.each([
    ["a text ", "String"],
    [new Int32(-5), "Int32"],
    [Long.fromString("9007199254740993"), "Long"],
    [new Double(1.5), "Double"],
    [new Double(-0), "Double"],
    [new Double(Infinity), "Double"],
    [Decimal128.fromString("0.10"), "Decimal128"],
    [false, "Boolean"],
    [new Date(Date.UTC(2010, 4, 1)), "Date"],
    [id, "ObjectId"],
    [null, "Null"],
    [{ a: new Int32(1), b: [new Double(0.5)] }, "Object"],
    [[new Int32(1), "x"], "Array"],
    [new BSONRegExp("a/b", "i"), "Regex"],
    [new Binary(new Uint8Array([1, 2]), 5), "Binary"],
    [new Timestamp({ t: 5, i: 2 }), "Timestamp"],
    [new MinKey(), "MinKey"],
    [new MaxKey(), "MaxKey"],
  ] as const)("%o survives being typed as %s", (value, type) => {
    expect(valueFrom(type, textFor(value), value)).toEqual(value);
  });

  test.each([
    ["Int32", "2147483648"],
    ["Int32", "1.5"],
    ["Int32", ""],
    ["Long", "9223372036854775808"],
    ["Double", "one"],
    ["Double", ""],
    ["Decimal128", "1,5"],
    ["Boolean", "yes"],
    ["Date", "soon"],
    ["ObjectId", "4c4b"],
    ["Object", "[1]"],
    ["Object", "{ a"],
    ["Array", "{}"],
    ["Regex", "abc"],
    ["Binary", "*"],
    ["Timestamp", "1"],
  ] as const)("%s refuses %o", (type, text) => {
    expect(() => valueFrom(type, text)).toThrow(NotOfType);
  });

  test("int32 reaches to both its ends", () => {
    expect(valueFrom("Int32", "-2147483648")).toEqual(new Int32(-2147483648));
    expect(valueFrom("Int32", "2147483647")).toEqual(new Int32(2147483647));
  });
});

describe("where a result came from", () => {
  const from = (command: object) =>
    originOf({ command: encode(command) }, [
      {
        summary: { name: "test", sizeOnDisk: 1, empty: false },
        collections: [
          { name: "v", type: "view", options: {}, count: 0, sizeBytes: 0, storageBytes: 0, capped: false, indexes: [] },
        ],
      },
    ]);

  test("a find of a collection, with fields left in or out", () => {
    expect(from({ find: "a", filter: {}, $db: "test" })).toEqual({
      database: "test",
      collection: "a",
      projection: null,
    });
    expect(from({ find: "a", projection: { a: 1, _id: true }, $db: "test" })).toMatchObject({
      projection: { a: new Int32(1), _id: true },
    });
  });

  test.each([
    ["an aggregation", { aggregate: "a", pipeline: [], cursor: {}, $db: "test" }],
    ["a view", { find: "v", $db: "test" }],
    ["the catalog", { find: "system.indexes", $db: "test" }],
    ["a computed field", { find: "a", projection: { b: "$a" }, $db: "test" }],
    ["a slice", { find: "a", projection: { b: { $slice: 1 } }, $db: "test" }],
    ["a positional projection", { find: "a", projection: { "b.$": 1 }, $db: "test" }],
    ["a renamed number", { find: "a", projection: { b: 5 }, $db: "test" }],
  ])("not %s", (_name, command) => {
    expect(from(command)).toBeNull();
  });
});

describe("paths", () => {
  test("are those an update reads as the reader does", () => {
    expect(updatePath(["a", "0", "b"])).toBe("a.0.b");
    for (const names of [[], ["_id"], ["_id", "a"], ["a.b"], ["$a"], ["a", ""]]) expect(updatePath(names)).toBeNull();
    expect(valueAt({ a: [{ b: 5 }] }, ["a", "0", "b"])).toBe(5);
    expect(valueAt({ a: 1 }, ["b", "c"])).toBeUndefined();
  });
});

describe("commands", () => {
  const origin = { database: "test", collection: "a", projection: { a: 1 } };
  const recording = (reply: object) => {
    const sent: Document[] = [];
    const commandBytes = async (bytes: Uint8Array) => (sent.push(decode(bytes)), encode(reply));
    return { sent, commandBytes, changeBytes: commandBytes };
  };

  test("set one field by _id, and say when there was nothing to set", async () => {
    const commander = recording({ ok: 1, n: 1 });
    expect(await setValue(commander, origin, { _id: 5, a: 1 }, "a", new Int32(2))).toBe(true);
    expect(commander.sent[0]).toEqual({
      update: "a",
      updates: [{ q: { _id: { $eq: 5 } }, u: { $set: { a: 2 } } }],
      $db: "test",
    });
    expect(await setValue(recording({ ok: 1, n: 0 }), origin, { _id: 5 }, "a", 1)).toBe(false);
  });

  test("delete one document, which comes back whole", async () => {
    expect(await deleteDocument(recording({ ok: 1, value: { _id: 5, a: 1, b: 2 } }), origin, { _id: 5 })).toMatchObject(
      { b: new Int32(2) },
    );
    expect(await deleteDocument(recording({ ok: 1, value: null }), origin, { _id: 5 })).toBeNull();
  });

  test("read a document again as it was shown", async () => {
    const commander = recording({ ok: 1, cursor: { firstBatch: [{ _id: 5, a: 2 }], id: 0n, ns: "test.a" } });
    expect(await readAgain(commander, origin, { _id: 5 })).toEqual({ _id: new Int32(5), a: new Int32(2) });
    expect(commander.sent[0]).toMatchObject({ projection: { a: 1 }, limit: 1 });
  });
});
