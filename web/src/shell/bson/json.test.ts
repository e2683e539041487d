/** `JSON.stringify` of a script's BSON values beside js-bson's own classes, which mongosh uses. */
import * as bson from "bson";
import { describe, expect, it } from "vitest";
import { Binary, UUID } from "./binary.ts";
import { Decimal128 } from "./decimal128.ts";
import { Double, Int32, Long } from "./numbers.ts";
import { ObjectId } from "./object-id.ts";
import { BSONRegExp, BSONSymbol, Code, DBRef, MaxKey, MinKey, Timestamp } from "./special.ts";

const hex = "65f000000000000000000001";
const uuid = "f3376a18-cbd3-4f3e-913a-73177557fb9b";
const pairs: readonly (readonly [name: string, ours: unknown, theirs: unknown])[] = [
  ["Int32", new Int32(4), new bson.Int32(4)],
  ["Double", new Double(2.5), new bson.Double(2.5)],
  ["Long", new Long("9007199254740993"), bson.Long.fromString("9007199254740993")],
  ["a negative Long", new Long("-3"), bson.Long.fromString("-3")],
  ["Decimal128", new Decimal128("3.10"), bson.Decimal128.fromString("3.10")],
  ["Timestamp", new Timestamp(1, 2), new bson.Timestamp({ t: 1, i: 2 })],
  ["ObjectId", new ObjectId(hex), new bson.ObjectId(hex)],
  ["Binary", new Binary(new Uint8Array([81, 117])), new bson.Binary(new Uint8Array([81, 117]))],
  ["UUID", new UUID(uuid), new bson.UUID(uuid)],
  ["MinKey", new MinKey(), new bson.MinKey()],
  ["MaxKey", new MaxKey(), new bson.MaxKey()],
  ["DBRef", new DBRef("beds", 1, "garden", { x: 1 }), new bson.DBRef("beds", 1 as never, "garden", { x: 1 })],
  ["DBRef without a database", new DBRef("beds", 1), new bson.DBRef("beds", 1 as never)],
  ["Code", new Code("x"), new bson.Code("x")],
  ["Code with a scope", new Code("x", { a: 1 }), new bson.Code("x", { a: 1 })],
  ["BSONSymbol", new BSONSymbol("s"), new bson.BSONSymbol("s")],
  ["BSONRegExp", new BSONRegExp("a", "i"), new bson.BSONRegExp("a", "i")],
];

describe("JSON of a script's values", () => {
  it.each(pairs)("%s is what js-bson makes of it", (_name, ours, theirs) => {
    expect(JSON.stringify({ value: ours })).toBe(JSON.stringify({ value: theirs }));
  });
});
