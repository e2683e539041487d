/** Members of documents by their bytes, held against what the decoder gives. */
import * as bson from "bson";
import { describe, expect, it } from "vitest";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { member, members, withFields } from "./members.ts";

const document = {
  double: 0.5,
  text: "a reply",
  inner: { a: 1 },
  list: [1, "two"],
  binary: new bson.Binary(Uint8Array.of(1, 2, 3), 2),
  id: new bson.ObjectId("507f1f77bcf86cd799439011"),
  flag: true,
  date: new Date(5),
  none: null,
  pattern: new bson.BSONRegExp("^a", "im"),
  code: new bson.Code("x"),
  scoped: new bson.Code("y", { z: 1 }),
  symbol: new bson.BSONSymbol("s"),
  int32: 146,
  timestamp: new bson.Timestamp({ t: 1, i: 2 }),
  long: bson.Long.fromNumber(3),
  decimal: bson.Decimal128.fromString("1.5"),
  most: new bson.MaxKey(),
  least: new bson.MinKey(),
  ok: 1,
};

describe("members", () => {
  it("finds each, whatever stands before it", () => {
    const bytes = encode(document);
    expect([...members(bytes)].map(({ name }) => name)).toEqual(Object.keys(document));
    expect([...members(bytes)].at(-1)?.end).toBe(bytes.length - 1);
    expect(decode(member(bytes, "inner") as Uint8Array)).toEqual({ a: 1 });
    expect(decode(member(bytes, "absent", "list") as Uint8Array)).toEqual({ 0: 1, 1: "two" });
    expect(member(bytes, "absent")).toBeNull();
  });

  it("puts fields behind the others", () => {
    const bytes = withFields(encode(document), { writeConcernError: { code: 64 } });
    expect(bytes).toEqual(encode({ ...document, writeConcernError: { code: 64 } }));
    expect(withFields(encode({}), { a: 1 })).toEqual(encode({ a: 1 }));
  });
});
