/** Commands and replies go through the driver's values with every byte, in drivers of both kinds. */
import * as BSON from "bson";
import { Binary, Code, DBRef, Decimal128, Double, Int32, Long, MinKey, ObjectId, Timestamp } from "bson";
import { expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { withDocuments } from "../../state/data/bytes.ts";
import { commandFor, documentOf, element, elementsOf, RAW, replyBytes, Unsendable, type Sequence } from "./lossless.ts";

const bson = BSON as unknown as Parameters<typeof commandFor>[0];
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const int = (name: string, value: number): Uint8Array => element(0x10, name, Uint8Array.of(value, 0, 0, 0));

/** Fields named by numbers against their order, and one that is there twice. */
const odd = documentOf([int("_id", 1), int("2", 2), int("1", 1), int("a", 1), int("a", 2)]);
const typed = encode({
  _id: new Int32(1),
  double: new Double(1),
  long: Long.fromNumber(1),
  decimal: Decimal128.fromString("1.10"),
  at: new Date(5),
  time: new Timestamp({ t: 1, i: 2 }),
  words: new BSON.BSONRegExp("a/b", "imx"),
  link: new DBRef("teas", new ObjectId(), "shop", { more: 1 }),
  bytes: new Binary(new Uint8Array([1, 2]), 128),
  code: new Code("f()", { a: new Int32(1) }),
  none: null,
  least: new MinKey(),
  list: [new Int32(1), [new Double(2)], {}],
});

class Kept implements Sequence {
  static last: Uint8Array[] = [];
  constructor(readonly field: string) {
    Kept.last = [];
  }
  push(_document: unknown, bytes: Uint8Array): number {
    return Kept.last.push(bytes);
  }
}

test("a driver with sequences sends documents as their bytes", () => {
  // No UTF-8, as dumps of older data hold it: no value of JavaScript has it.
  const spoilt = documentOf([element(0x02, "s", Uint8Array.of(2, 0, 0, 0, 0xff, 0))]);
  const bytes = withDocuments({ insert: "teas", ordered: false, $db: "shop" }, "documents", [odd, spoilt, typed]);
  const { command, envelope } = commandFor(bson, bytes, Kept);
  expect(command["documents"]).toBeInstanceOf(Kept);
  expect(Kept.last.map(hex)).toEqual([odd, spoilt, typed].map(hex));
  expect(Object.keys(command)).toEqual(["insert", "ordered", "documents"]);
  expect(envelope).toEqual({ $db: "shop" });
});

test("one without them sends the same bytes, or says that it cannot", () => {
  const bytes = withDocuments({ insert: "teas", $db: "shop" }, "documents", [odd, typed]);
  const { command } = commandFor(bson, bytes, null);
  expect((command["documents"] as unknown[]).map((one) => hex(BSON.serialize(one as BSON.Document)))).toEqual(
    [odd, typed].map(hex),
  );
  const spoilt = documentOf([element(0x02, "s", Uint8Array.of(2, 0, 0, 0, 0xff, 0))]);
  expect(() => commandFor(bson, withDocuments({ insert: "t", $db: "d" }, "documents", [spoilt]), null)).toThrow(
    Unsendable,
  );
});

test("keys and pipelines keep the order of their names", () => {
  const key = documentOf([int("b", 1), int("0", 1)]);
  const specification = documentOf([element(0x03, "key", key), ...elementsOf(encode({ name: "i" }), () => true)]);
  const bytes = withDocuments({ createIndexes: "teas", $db: "shop" }, "indexes", [specification]);
  const { command } = commandFor(bson, bytes, Kept);
  const again = BSON.serialize({ indexes: command["indexes"] });
  expect(hex(again)).toContain(hex(specification));
});

test("a reply of the driver's gives its bytes again", () => {
  const reply = withDocuments({ ok: 1, n: Long.fromNumber(3) }, "writeErrors", [odd, typed]);
  const given = BSON.deserialize(reply, RAW);
  expect(hex(replyBytes(given))).toBe(hex(reply));
  const cursor = documentOf([
    element(0x03, "cursor", withDocuments({ id: Long.fromNumber(7), ns: "shop.teas" }, "firstBatch", [odd])),
    ...elementsOf(encode({ ok: 1 }), () => true),
  ]);
  expect(hex(replyBytes(BSON.deserialize(cursor, RAW)))).toBe(hex(cursor));
  // A place whose driver knows nothing of bytes gives values.
  expect(decode(replyBytes({ ok: 1, cursor: { id: 0 } }))).toEqual({ ok: 1, cursor: { id: 0 } });
});
