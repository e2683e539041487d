/**
 * Values of another realm are stored as those of this one: by their class as the language has it, not by whose class it
 * is. The yardstick is what js-bson writes.
 */
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createContext, runInContext, runInNewContext } from "node:vm";
import * as bson from "bson";
import { describe, expect, it, test } from "vitest";
import { objectHoldsFunction } from "../worker/holds-function.ts";
import { recorded } from "../../test/recorded.ts";
import { stringify } from "../shell/ejson.ts";
import { format } from "../shell/format.ts";
import { encode } from "./encode.ts";
import { CodecError } from "./error.ts";

const elsewhere = (source: string): unknown => runInNewContext(`(${source})`) as unknown;
/** What js-bson writes, told that `undefined` and functions are kept as the driver here keeps them. */
const theirs = (value: unknown): Uint8Array =>
  Uint8Array.from(bson.serialize({ value }, { ignoreUndefined: false, serializeFunctions: true }));
const ours = (value: unknown): Uint8Array => encode({ value }, { serializeFunctions: true });

/** js-bson once more, in a realm of its own. */
function secondCopy(): typeof bson {
  const path = fileURLToPath(new URL("../../node_modules/bson/lib/bson.cjs", import.meta.url));
  const module = { exports: {} };
  const context = createContext({ module, exports: module.exports, require: createRequire(import.meta.url), crypto });
  runInContext(readFileSync(path, "utf8"), context);
  return module.exports as typeof bson;
}

describe("a value of another realm is written as js-bson writes it", () => {
  const sources = [
    "new Date(5)",
    "new Date(-1)",
    "class Day extends Date {}, new Day(7)",
    "/a.c/im",
    "/ü/",
    "new Uint8Array([1, 2, 3])",
    "new Uint8Array([1, 2, 3, 4]).subarray(1, 3)",
    "class Bytes extends Uint8Array {}, new Bytes([1])",
    "new Map([['a', 1], ['b', new Map([['c', /d/]])]])",
    "new Map()",
    "{ a: { b: [new Date(1), [/x/], new Map([['d', new Date(2)]])] } }",
    "[1, 'two', null, undefined, true, 2.5, -0]",
    "Object.create(null, { a: { value: 1, enumerable: true } })",
    "new (class Point { constructor() { this.x = 1 } })()",
    "{ toBSON: () => new Date(5) }",
    "5n",
    "() => 1",
    "new String('ab')",
    "new Uint16Array([1, 2])",
    "new Float64Array([1.5])",
    "Object.assign(new Error('lost'), { code: 7 })",
    "Object.assign(new Set([1]), { a: 1 })",
    "(function () { return arguments })(1, 2)",
    "new Proxy({ a: 1 }, {})",
    "{ get a() { return 1 } }",
  ];
  it.each(sources)("%s", (source) => {
    const value = elsewhere(source.startsWith("class") ? `(() => { ${source.replace(", ", "; return ")} })()` : source);
    expect(ours(value)).toEqual(theirs(value));
  });

  it("and so is its text, by which the shell sends and shows values", () => {
    const own = { d: new Date(5), r: /a/i, u: Buffer.from([1]), m: new Map([["a", new Date(1)]]), o: [{ a: 1 }] };
    const other = elsewhere(
      "{ d: new Date(5), r: /a/i, u: new Uint8Array([1]), m: new Map([['a', new Date(1)]]), o: [{ a: 1 }] }",
    ) as object;
    expect(stringify(other)).toBe(stringify(own));
    expect(format({ ...other, u: 0, s: elsewhere("new Set([1])") })).toBe(format({ ...own, u: 0, s: new Set([1]) }));
  });
});

describe("what only calls itself a value of a class", () => {
  it.each([
    "{ [Symbol.toStringTag]: 'Date', a: 1 }",
    "{ [Symbol.toStringTag]: 'Map', a: 1 }",
    "{ [Symbol.toStringTag]: 'RegExp', a: 1 }",
    "{ [Symbol.toStringTag]: 'Uint8Array', a: 1 }",
  ])("%s is the document that it is", (source) => {
    expect(ours(elsewhere(source))).toEqual(ours({ a: 1 }));
    expect(stringify(elsewhere(source))).toBe('{"a":{"$numberInt":"1"}}');
  });

  it.each(["{ _bsontype: 'ObjectId', id: '507f1f77bcf86cd799439011' }", "{ _bsontype: 'MinKey' }"])(
    "%s is refused as data of this realm is",
    (source) => {
      for (const value of [elsewhere(source), Object.assign(Object.create(null) as object, elsewhere(source))]) {
        expect(() => ours(value)).toThrow("Unrecognized or invalid _bsontype");
        expect(() => stringify({ value })).toThrow("Unrecognized or invalid _bsontype");
      }
    },
  );
});

describe("values of a second copy of js-bson in a realm of its own", () => {
  const all = ({ ObjectId, Binary, UUID, ...of }: typeof bson): object => ({
    id: new ObjectId("507f1f77bcf86cd799439011"),
    binary: new Binary(Uint8Array.of(1, 2), 5),
    uuid: new UUID("00112233-4455-6677-8899-aabbccddeeff"),
    long: of.Long.fromString("-9223372036854775808"),
    int: new of.Int32(-5),
    double: new of.Double(5),
    decimal: of.Decimal128.fromString("1.50"),
    time: new of.Timestamp({ t: 4294967295, i: 7 }),
    code: new of.Code("f()", { a: new ObjectId("507f1f77bcf86cd799439011") }),
    reference: new of.DBRef("c", new ObjectId("507f1f77bcf86cd799439011"), "d"),
    pattern: new of.BSONRegExp("a", "mx"),
    symbol: new of.BSONSymbol("s"),
    ends: [new of.MinKey(), new of.MaxKey()],
  });

  it("are those of the first", () => {
    const copy = secondCopy();
    expect(copy.ObjectId).not.toBe(bson.ObjectId);
    expect(ours(all(copy))).toEqual(theirs(all(bson)));
    expect(stringify(all(copy))).toBe(stringify(all(bson)));
    expect(JSON.parse(stringify(all(bson)))).toEqual(
      JSON.parse(bson.EJSON.stringify(all(bson), undefined, undefined, { relaxed: false })),
    );
  });

  it("of a version that is not known are an error of js-bson's name", () => {
    const future = Object.assign(Object.create({ _bsontype: "ObjectId" }) as object, {
      [Symbol.for("@@mdb.bson.version")]: 8,
    });
    for (const write of [ours, stringify])
      expect(() => write({ a: future })).toThrow(
        expect.objectContaining({ name: "BSONVersionError", message: expect.stringMatching(/bson 7\.x\.x.*a\)$/) }),
      );
  });

  it("without the fields of their type are an error, and no other value", () => {
    const odd = (tag: string, fields: object): object =>
      Object.assign(
        Object.create({
          get _bsontype() {
            return tag;
          },
        }) as object,
        fields,
      );
    const hex = "507f1f77bcf86cd799439011";
    expect(ours(odd("ObjectID", { id: hex }))).toEqual(ours(new bson.ObjectId(hex)));
    const characters = String.fromCharCode(...bson.ByteUtils.fromHex(hex));
    expect(ours(odd("ObjectID", { id: characters }))).toEqual(ours(new bson.ObjectId(hex)));
    for (const value of [
      odd("ObjectId", {}),
      odd("ObjectId", { id: "abc" }),
      odd("Long", { low: 1 }),
      odd("Int32", { value: "x" }),
      odd("Decimal128", { bytes: new Uint8Array(3) }),
      odd("Binary", { buffer: new Uint8Array(3), position: 9, sub_type: 0 }),
      odd("DBRef", { oid: 1 }),
    ])
      expect(() => ours(value)).toThrow(CodecError);
  });
});

/** One of each of js-bson's types, and of the language's that it writes, made in any realm by any copy of it. */
const TABLE: Readonly<Record<string, string>> = {
  double: "1.5",
  negativeZero: "-0",
  integer: "5",
  beyondInt32: "2147483648",
  text: "'t\u00e9xt'",
  document: "{ a: { b: 1 } }",
  array: "[1, [2, { a: 3 }]]",
  nothing: "null",
  truth: "true",
  date: "new Date(-62135596800000)",
  pattern: "/^a.*b$/im",
  bigint: "9007199254740993n",
  bytes: "new Uint8Array([0, 255])",
  buffer: "Buffer.from('ab')",
  map: "new Map([['a', new Date(1)]])",
  code: "() => 1",
  Binary: "new bson.Binary(Uint8Array.of(1, 2), 128)",
  UUID: "new bson.UUID('00112233-4455-6677-8899-aabbccddeeff')",
  Vector: "bson.Binary.fromFloat32Array(new Float32Array([1.5]))",
  BSONRegExp: "new bson.BSONRegExp('a', 'ix')",
  BSONSymbol: "new bson.BSONSymbol('s')",
  Code: "new bson.Code('f()')",
  CodeWithScope: "new bson.Code('f()', { a: new Date(1) })",
  DBRef: "new bson.DBRef('c', new bson.ObjectId('507f1f77bcf86cd799439011'), 'd', { extra: /x/ })",
  Decimal128: "bson.Decimal128.fromString('-1.50E+10')",
  Double: "new bson.Double(5)",
  Int32: "new bson.Int32(-5)",
  Long: "bson.Long.fromString('-9223372036854775808')",
  LongUnsigned: "bson.Long.fromNumber(5, true)",
  MaxKey: "new bson.MaxKey()",
  MinKey: "new bson.MinKey()",
  ObjectId: "new bson.ObjectId('507f1f77bcf86cd799439011')",
  Timestamp: "new bson.Timestamp({ t: 4294967295, i: 4294967295 })",
};

describe("js-bson's table of types", () => {
  const copies = { "this copy": bson, "a second copy": secondCopy() };
  for (const [copy, classes] of Object.entries(copies)) {
    const realms = {
      "this realm": (source: string): unknown =>
        // The source is the table's.
        (new Function("bson", "Buffer", `return (${source})`) as (...given: unknown[]) => unknown)(classes, Buffer),
      "another realm": (source: string): unknown =>
        runInNewContext(`(${source})`, { bson: classes, Buffer }) as unknown,
    };
    for (const [realm, made] of Object.entries(realms))
      it.each(Object.entries(TABLE))(`of ${copy}, in ${realm}: %s`, (_, source) => {
        const value = made(source);
        expect(ours(value)).toEqual(theirs(made(source)));
        // In documents, in arrays and as the value of a Map alike.
        expect(ours({ in: [value], map: new Map([["m", value]]) })).toEqual(
          theirs({ in: [made(source)], map: new Map([["m", made(source)]]) }),
        );
      });
  }
});

describe("what would be stored as an empty document, and is in js-bson, is an error", () => {
  const sources: readonly (readonly [string, RegExp])[] = [
    ["new Set([1])", /^a Set \(an array of it, \[\.\.\.set\], can be\) cannot be stored \(at value\.a\)$/],
    ["Promise.resolve(1)", /a promise \(was an await forgotten\?\) cannot be stored/],
    ["new WeakMap()", /a WeakMap cannot/],
    ["new WeakSet()", /a WeakSet cannot/],
    ["new WeakRef({})", /a WeakRef cannot/],
    ["new ArrayBuffer(2)", /an ArrayBuffer .* cannot/],
    ["new SharedArrayBuffer(2)", /a SharedArrayBuffer .* cannot/],
    ["new DataView(new ArrayBuffer(2))", /a DataView .* cannot/],
    ["new Number(5)", /a Number object .* cannot/],
    ["new Boolean(false)", /a Boolean object .* cannot/],
    ["Object(5n)", /a BigInt object .* cannot/],
    ["Object(Symbol('x'))", /a Symbol object cannot/],
    ["(function* () {})()", /a generator cannot/],
    ["(async function* () {})()", /a generator cannot/],
  ];
  const here = (source: string): unknown => (new Function(`return (${source})`) as () => unknown)();
  it("classes of the web too, which keep nothing in fields", () => {
    expect(() => ours(new URL("http://tea.example"))).toThrow(/a URL \(its href can be\) cannot be stored/);
    expect(() => ours(new URLSearchParams("a=1"))).toThrow(/a URLSearchParams .* cannot/);
    expect(() => ours(new Blob(["a"]))).toThrow(/a Blob .* cannot/);
    expect(() => ours(new File(["a"], "a"))).toThrow(/a File .* cannot/);
  });
  it.each(sources)("%s", (source, message) => {
    for (const value of [here(source), elsewhere(source)]) {
      expect(Object.keys(bson.deserialize(theirs(value))["value"] as object)).toEqual([]);
      expect(() => ours({ a: value })).toThrow(message);
      expect(() => stringify({ value: { a: value } })).toThrow(message);
    }
  });
  it("but for an error, whose own fields are stored, and an object that says how it is stored", () => {
    const value = Object.assign(new Set([1]), { toBSON: () => [1] });
    expect(ours(value)).toEqual(ours([1]));
    expect(ours(new Error("lost"))).toEqual(ours({}));
    expect(ours({ [Symbol.toStringTag]: "Set" })).toEqual(ours({}));
  });
});

describe("what cannot be stored is an error that names its place", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  it.each<[unknown, string]>([
    [{ a: [{ b: Symbol("x") }] }, "a JavaScript symbol cannot be stored (at value.a.0.b)"],
    [{ a: new Map([["m", new Date(NaN)]]) }, "an invalid date cannot be stored (at value.a.m)"],
    [elsewhere("[0, { d: new Date(NaN) }]"), "an invalid date cannot be stored (at value.1.d)"],
    [{ a: { _bsontype: "Nothing" } }, "Unrecognized or invalid _bsontype: Nothing (at value.a)"],
    [circle, `or refers to itself (at value${".self".repeat(11)}…)`],
  ])("%j", (value, message) => {
    expect(() => ours(value)).toThrow(message);
    expect(() => stringify({ value })).toThrow(message);
  });

  it("and a value is no document", () => {
    for (const value of [new Date(5), /a/, Buffer.from([1]), elsewhere("new Date(5)")])
      expect(() => encode(value as bson.Document)).toThrow("a BSON document is an object");
  });
});

test("the driver takes them in documents, filters, orders, keys of indexes and searches for functions", async () => {
  const { client, last } = recorded();
  const c = client.db().collection("c");
  const { mtime } = statSync(import.meta.filename);
  await c.insertOne({ _id: 1, mtime, deep: elsewhere("[new Date(5)]") });
  expect(last()["documents"]).toEqual([{ _id: 1, mtime, deep: [new Date(5)] }]);
  await c
    .find(elsewhere("{ at: { $gt: new Date(5) } }") as object, {
      sort: elsewhere("new Map([['b', 1], ['a', -1]])") as never,
    })
    .toArray();
  expect(last()).toMatchObject({ filter: { at: { $gt: new Date(5) } }, sort: { b: 1, a: -1 } });
  await c.createIndex(elsewhere("new Map([['b', 1], ['a', -1]])") as never);
  expect(last()["indexes"]).toEqual([{ key: { b: 1, a: -1 }, name: "b_1_a_-1" }]);
  expect(objectHoldsFunction({ find: "c", filter: elsewhere("new Map([['$where', '1']])") as object })).toBe(true);
});
