/**
 * Values of other versions of js-bson: recognised by their tags, whosever classes they are, and read by the fields that
 * each version has.
 */
import * as bson from "bson";
import { expect, it, test } from "vitest";
import { recorded } from "../../test/recorded.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { CodecError } from "./error.ts";

const HEX = "507f1f77bcf86cd799439011";
const ID = bson.ByteUtils.fromHex(HEX);

type Fields = Readonly<Record<string, unknown>>;

/** An object as version 4 makes it: its tag is a constant of the prototype. */
function four(tag: string, fields: Fields): object {
  const prototype = {};
  Object.defineProperty(prototype, "_bsontype", { value: tag });
  return Object.assign(Object.create(prototype) as object, fields);
}
/** As version 1: the tag is a field like the others. */
function one(tag: string, fields: Fields): object {
  return Object.assign(Object.create({}) as object, { _bsontype: tag }, fields);
}
/** As versions 5 and 6: the tag is a getter of the class, beside the library's version. */
function six(tag: string, fields: Fields): object {
  class Value {
    get _bsontype(): string {
      return tag;
    }
    get [Symbol.for("@@mdb.bson.version")](): number {
      return 6;
    }
  }
  return Object.assign(new Value(), fields);
}
/** As version 7: beside that the tag under a symbol. */
function seven(tag: string, fields: Fields): object {
  const value = six(tag, fields);
  Object.defineProperty(Object.getPrototypeOf(value), Symbol.for("@@mdb.bson.type"), { value: tag });
  return value;
}

const dec = bson.Decimal128.fromString("1.50");
const bits = { low: 7, high: -9 };
const binary = { buffer: Uint8Array.of(1, 2, 3, 0, 0), position: 3, sub_type: 0 };
const reference = (id: object): Fields => ({ collection: "c", oid: id, db: "d", fields: { x: 1 } });

it.each<[string, object, unknown]>([
  ["ObjectId of 4", four("ObjectID", { id: ID }), new bson.ObjectId(HEX)],
  ["ObjectId of 1", one("ObjectID", { id: ID }), new bson.ObjectId(HEX)],
  ["ObjectId of 6", six("ObjectId", { id: ID }), new bson.ObjectId(HEX)],
  ["ObjectId of 7", seven("ObjectId", { id: ID }), new bson.ObjectId(HEX)],
  ["Long of 1", one("Long", { low_: 7, high_: -9 }), bson.Long.fromBits(7, -9)],
  ["Long of 4", four("Long", { ...bits, __isLong__: true }), bson.Long.fromBits(7, -9)],
  ["Long of 6", six("Long", bits), bson.Long.fromBits(7, -9)],
  ["Timestamp of 1", one("Timestamp", { low_: 7, high_: 9 }), new bson.Timestamp({ t: 9, i: 7 })],
  ["Timestamp of 4", four("Timestamp", { low: 7, high: 9 }), new bson.Timestamp({ t: 9, i: 7 })],
  ["Timestamp of 7", seven("Timestamp", { low: 7, high: 9 }), new bson.Timestamp({ t: 9, i: 7 })],
  ["Int32 of 4", four("Int32", { value: -5 }), new bson.Int32(-5)],
  ["Double of 6", six("Double", { value: 5 }), new bson.Double(5)],
  ["Decimal128 of 4", four("Decimal128", { bytes: dec.bytes }), dec],
  ["Binary of 4", four("Binary", binary), new bson.Binary(Uint8Array.of(1, 2, 3), 0)],
  ["Binary of 7", seven("Binary", binary), new bson.Binary(Uint8Array.of(1, 2, 3), 0)],
  ["UUID of 4.6", four("UUID", { id: new Uint8Array(16).fill(7) }), new bson.UUID(new Uint8Array(16).fill(7))],
  [
    "UUID of 6",
    six("Binary", { buffer: new Uint8Array(16).fill(7), position: 16, sub_type: 4 }),
    new bson.UUID(new Uint8Array(16).fill(7)),
  ],
  ["BSONRegExp of 4", four("BSONRegExp", { pattern: "a", options: "mi" }), new bson.BSONRegExp("a", "im")],
  ["Symbol of 4", four("Symbol", { value: "s" }), new bson.BSONSymbol("s")],
  ["BSONSymbol of 6", six("BSONSymbol", { value: "s" }), new bson.BSONSymbol("s")],
  ["MinKey of 4", four("MinKey", {}), new bson.MinKey()],
  ["MaxKey of 6", six("MaxKey", {}), new bson.MaxKey()],
  [
    "Code of 4, a function",
    four("Code", { code: () => 1, scope: { a: 1 } }),
    new bson.Code(
      String(() => 1),
      { a: 1 },
    ),
  ],
  ["Code of 6", six("Code", { code: "x", scope: null }), new bson.Code("x")],
  [
    "DBRef of 4",
    four("DBRef", reference(four("ObjectID", { id: ID }))),
    new bson.DBRef("c", new bson.ObjectId(HEX), "d", { x: 1 }),
  ],
  [
    "DBRef of 1",
    one("DBRef", { namespace: "c", oid: one("ObjectID", { id: ID }), db: "" }),
    new bson.DBRef("c", new bson.ObjectId(HEX), ""),
  ],
  [
    "DBRef of 7",
    seven("DBRef", reference(seven("ObjectId", { id: ID }))),
    new bson.DBRef("c", new bson.ObjectId(HEX), "d", { x: 1 }),
  ],
])("%s", (_, foreign, own) => {
  const bytes = encode({ v: foreign, deep: [{ $in: [foreign] }] });
  expect(bytes).toEqual(encode({ v: own, deep: [{ $in: [own] }] }));
  // The decoder gives values of this package's own classes.
  const { v } = decode(bytes, { numbers: "typed", bsonRegExp: true });
  expect((v as object).constructor).toBe((own as object).constructor);
});

test("data that only says to be of such a class is refused", () => {
  for (const tag of ["ObjectId", "MinKey", "Code", "Nothing"])
    expect(() => encode({ a: { _bsontype: tag, id: ID, code: "x" } })).toThrow(CodecError);
});

test("filters, updates and batches of the driver take them at any depth", async () => {
  const { client, last } = recorded();
  const c = client.db().collection("c");
  const id = (): object => four("ObjectID", { id: ID });
  const own = new bson.ObjectId(HEX);
  await c.find({ $or: [{ "a.b": { $in: [id()] } }, { _id: id() }] }).toArray();
  expect(last()["filter"]).toEqual({ $or: [{ "a.b": { $in: [own] } }, { _id: own }] });
  await c.bulkWrite([
    { updateOne: { filter: { _id: id() }, update: { $set: { "r.s": six("Long", { low: 1, high: 0 }) } } } },
  ]);
  expect(last()["updates"]).toEqual([{ q: { _id: own }, u: { $set: { "r.s": 1 } }, multi: false }]);
  expect((await c.insertOne({ _id: id(), d: four("Decimal128", { bytes: dec.bytes }) })).acknowledged).toBe(true);
  const [stored] = last()["documents"] as bson.Document[];
  expect([stored?.["_id"], String(stored?.["d"])]).toEqual([own, "1.50"]);
  await c.findOne(id() as never);
  expect(last()["filter"]).toEqual({ _id: own });
});
