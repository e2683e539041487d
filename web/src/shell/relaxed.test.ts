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
});
