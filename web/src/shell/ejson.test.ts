/** Extended JSON and the small BSON classes against js-bson's. */
import * as bson from "bson";
import { describe, expect, it } from "vitest";
import { Decimal128 } from "./bson/decimal128.ts";
import { Double, Int32, Long } from "./bson/numbers.ts";
import { ObjectId } from "./bson/object-id.ts";
import { parse, stringify } from "./ejson.ts";

const theirs = (value: unknown): string => bson.EJSON.stringify(value, undefined, undefined, { relaxed: false });

describe("stringify", () => {
  it("writes the canonical form that js-bson writes", () => {
    const value = {
      int: 5,
      double: 1.5,
      large: 1e300,
      negative: -7,
      nan: NaN,
      infinite: -Infinity,
      text: 'quote " and \u0001 and ü',
      yes: true,
      nothing: null,
      date: new Date(1700000000123),
      list: [1, [2, { a: [] }]],
      regex: /a"b/im,
    };
    expect(JSON.parse(stringify(value))).toEqual(JSON.parse(theirs(value)));
  });

  it("follows mongosh's rules for undefined, functions, bigint and minus zero", () => {
    expect(stringify({ a: undefined, b: [undefined] })).toBe('{"a":null,"b":[null]}');
    expect(stringify({ z: -0, n: 7n })).toBe('{"z":{"$numberDouble":"-0.0"},"n":{"$numberLong":"7"}}');
    expect(JSON.parse(stringify({ f: () => 1 }))).toEqual({ f: { $code: "() => 1" } });
    expect(stringify({ a: 1 }, { numbersAsDouble: true })).toBe('{"a":{"$numberDouble":"1.0"}}');
    expect(stringify({ a: new Int32(1), b: new Double(1) })).toBe(
      '{"a":{"$numberInt":"1"},"b":{"$numberDouble":"1.0"}}',
    );
  });

  it("keeps an integral double that came from the engine when a value is shown, and not when it is stored", () => {
    const text = '{"a":{"$numberDouble":"5.0"},"b":[{"$numberDouble":"6.0"},{"$numberInt":"6"}]}';
    expect(stringify(parse(text), { keepDoubles: true })).toBe(text);
    expect(stringify(parse(text))).toBe('{"a":{"$numberInt":"5"},"b":[{"$numberInt":"6"},{"$numberInt":"6"}]}');
    const changed = parse(text) as { a: number };
    changed.a = 7;
    expect(stringify(changed, { keepDoubles: true })).toContain('"a":{"$numberInt":"7"}');
  });

  it("refuses what BSON cannot hold", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(() => stringify(circular)).toThrow(/nested too deeply/);
    expect(() => stringify({ d: new Date(NaN) })).toThrow(/invalid date/);
    expect(() => stringify({ "a\0b": 1 })).toThrow(/null bytes/);
  });
});

describe("parse", () => {
  it("round-trips every type", () => {
    const every = {
      id: new bson.ObjectId("507f1f77bcf86cd799439011"),
      long: bson.Long.fromString("-9223372036854775808"),
      decimal: bson.Decimal128.fromString("1E+3"),
      binary: bson.Binary.createFromBase64("AQIDBA==", 128),
      uuid: new bson.UUID("0e1b2c3d-4e5f-4a6b-8c7d-0123456789ab"),
      timestamp: new bson.Timestamp({ t: 1, i: 2 }),
      min: new bson.MinKey(),
      max: new bson.MaxKey(),
      code: new bson.Code("f()"),
      scoped: new bson.Code("f()", { x: 1 }),
      symbol: new bson.BSONSymbol("s"),
      regex: new bson.BSONRegExp("a(?x)b", "x"),
      reference: new bson.DBRef("c", new bson.ObjectId("507f1f77bcf86cd799439011"), "d"),
      date: new Date(-1),
    };
    const text = theirs(every);
    expect(JSON.parse(stringify(parse(text)))).toEqual(JSON.parse(text));
  });
});

describe("Decimal128", () => {
  it("words numbers as js-bson does", () => {
    for (const text of [
      "0",
      "-0",
      "1.50",
      "0.001",
      "1E+3",
      "1e3",
      "-1.5e-10",
      "123456789012345678901234567890.1234",
      "0E-6176",
      "1E+6111",
      "Infinity",
      "-inf",
      "NaN",
      ".5",
      "00012",
    ]) {
      expect(new Decimal128(text).toString(), text).toBe(bson.Decimal128.fromString(text).toString());
    }
    for (const bad of ["", "1.2.3", "abc", "12345678901234567890123456789012345"]) {
      expect(() => new Decimal128(bad), bad).toThrow();
      expect(() => bson.Decimal128.fromString(bad), bad).toThrow();
    }
  });
});

describe("Long", () => {
  it("calculates as js-bson does", () => {
    const pairs = [
      ["5", "3"],
      ["-9223372036854775808", "7"],
      ["9223372036854775807", "2"],
    ] as const;
    for (const [left, right] of pairs) {
      const ours = [new Long(left), new Long(right)] as const;
      const others = [bson.Long.fromString(left), bson.Long.fromString(right)] as const;
      for (const operation of ["add", "subtract", "multiply", "divide", "modulo"] as const) {
        expect(ours[0][operation](ours[1]).toString(), operation).toBe(others[0][operation](others[1]).toString());
      }
      expect([ours[0].low, ours[0].high]).toEqual([others[0].low, others[0].high]);
    }
  });
});

describe("ObjectId", () => {
  it("ascends, carries its time and refuses what is none", () => {
    const before = Date.now();
    const [first, second] = [new ObjectId(), new ObjectId()];
    const after = Date.now();
    expect(first.toString() < second.toString()).toBe(true);
    const time = first.getTimestamp().getTime();
    expect([time >= before - 1000, time <= after]).toEqual([true, true]);
    expect(() => new ObjectId("xyz")).toThrow(/24 character hex/);
    expect(new ObjectId("507F1F77BCF86CD799439011").equals("507f1f77bcf86cd799439011")).toBe(true);
  });
});
