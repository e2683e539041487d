/** `EJSON` of scripts beside js-bson's own. */
import { describe, expect, it } from "vitest";
import * as bson from "bson";
import { Long } from "./bson/numbers.ts";
import { parseEjson, stringifyEjson } from "./relaxed.ts";

describe("EJSON of scripts", () => {
  it("writes what js-bson writes", () => {
    const value = {
      n: 1,
      f: 1.5,
      nan: NaN,
      d: new Date(0),
      ms: new Date(1),
      early: new Date(-1),
      s: "x",
      list: [1, { a: null }],
    };
    expect(stringifyEjson(value)).toBe(bson.EJSON.stringify(value));
    expect(stringifyEjson(value, { relaxed: false })).toBe(bson.EJSON.stringify(value, { relaxed: false }));
    expect(stringifyEjson(value, null, 2)).toBe(bson.EJSON.stringify(value, undefined, 2));
    expect(stringifyEjson({ l: new Long(5) })).toBe(bson.EJSON.stringify({ l: bson.Long.fromNumber(5) }));
    expect(stringifyEjson({ l: new Long(5) }, undefined, undefined, { relaxed: false })).toBe(
      '{"l":{"$numberLong":"5"}}',
    );
  });

  it("reads longs as numbers unless asked not to", () => {
    expect(parseEjson('{"a":{"$numberLong":"5"}}')).toEqual({ a: 5 });
    expect(parseEjson('{"a":{"$numberLong":"5"}}', { relaxed: false })).toEqual({ a: new Long(5) });
  });

  it("reads what js-bson reads, deprecated ways too", () => {
    const id = '{"$oid":"507f1f77bcf86cd799439011"}';
    for (const text of [
      '{"a":{"$regex":"a","$options":"x"}}',
      '{"a":[{"$regex":"b"},{"$regex":{"$regularExpression":{"pattern":"b","options":"x"}}}]}',
      '{"a":{"$undefined":true}}',
      '{"a":{"$date":149}}',
      `{"a":{"$dbPointer":{"$ref":"c","$id":${id}}}}`,
    ])
      expect(stringifyEjson(parseEjson(text), { relaxed: false })).toBe(
        bson.EJSON.stringify(bson.EJSON.parse(text), { relaxed: false }),
      );
  });

  it.each([
    '{"a":{"$binary":"aGk=","$type":"00"}}',
    '{"a":{"$timestamp":{"t":1}}}',
    '{"a":{"$oid":"12"}}',
    '{"a":{"$regularExpression":{"pattern":1,"options":""}}}',
  ])("refuses %s as js-bson does, and makes no other value of it", (text) => {
    expect(() => bson.EJSON.parse(text)).toThrow();
    expect(() => parseEjson(text)).toThrow(expect.objectContaining({ name: "BSONError" }));
  });
});
