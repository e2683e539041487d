/** Single fields read from bytes: the same as a whole decoding gives, behind values of every type. */
import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from "bson";
import { expect, it } from "vitest";
import { encode } from "./encode.ts";
import { rawField } from "./members.ts";

const every = {
  double: new Double(1.5),
  text: "ns é\u{1f33f}",
  document: { ns: "inner", id: 1 },
  array: [1, { ns: "inner" }],
  binary: new Binary(new Uint8Array(7)),
  objectId: new ObjectId(),
  yes: true,
  date: new Date(0),
  nothing: null,
  pattern: new BSONRegExp("a.b", "i"),
  code: new Code("f()"),
  scoped: new Code("f()", { ns: "inner" }),
  symbol: new BSONSymbol("ns"),
  int32: new Int32(-7),
  timestamp: new Timestamp({ t: 1, i: 2 }),
  int64: Long.fromString("-9007199254740993"),
  decimal: Decimal128.fromString("1.5"),
  least: new MinKey(),
  most: new MaxKey(),
};

it("reads a field behind values of every type, at the top and inside", () => {
  const reply = encode({ ...every, cursor: { firstBatch: [every, every], ...every, id: 5n, ns: "shop.teas" }, ok: 1 });
  expect(rawField(reply, "ok")).toBe(1);
  expect(rawField(reply, "cursor", "ns")).toBe("shop.teas");
  expect(rawField(reply, "cursor", "id")).toBe(5n);
  expect(rawField(reply, "text")).toBe(every.text);
  expect(rawField(reply, "double")).toBe(1.5);
  expect(rawField(reply, "int32")).toBe(-7);
  expect(rawField(reply, "int64")).toBe(-9007199254740993n);
});

it("gives undefined for what is not there, and for a value of another type", () => {
  const reply = encode({ ...every, cursor: { ...every } });
  for (const path of [["ns"], ["cursor", "ns"], ["double", "ns"], ["array", "0"], ["nothing"], ["document"], ["oks"]])
    expect(rawField(reply, ...path), path.join(".")).toBeUndefined();
  expect(rawField(encode({}), "ok")).toBeUndefined();
});

it("reads a view into a larger buffer", () => {
  const bytes = encode({ n: 1, ok: 1, ns: "a" });
  const larger = new Uint8Array(bytes.length + 9).fill(0xff);
  larger.set(bytes, 5);
  expect(rawField(larger.subarray(5, 5 + bytes.length), "ns")).toBe("a");
});
