/**
 * The shell's side of the sandbox's border: commands and replies cross it as values, and no text is made of either.
 *
 * The host reads a command where it is, and makes the reply as plain objects. Values that no plain object can be (an
 * ObjectId, a Long) come in a list beside it, and are put into the reply here. Invariant: the reply is the same as
 * `parse` of `ejson.ts` gives of the reply's text, but for documents that only look like Extended JSON, which stay
 * documents.
 */
import { Binary, UUID, toHexadecimal } from "./bson/binary.ts";
import { Decimal128 } from "./bson/decimal128.ts";
import { Double, Int32, Long } from "./bson/numbers.ts";
import { ObjectId } from "./bson/object-id.ts";
import { BSONSymbol, Code, DBRef, MaxKey, MinKey, Timestamp } from "./bson/special.ts";
import { SPECIAL } from "./border-kinds.ts";
import { markDoubles, markedSample, regularExpression } from "./ejson.ts";

type Fields = Record<string | number, unknown>;

/** One of each kind of object that the host can read, in its order (`worker/border/outward.ts`). */
export function borderSamples(): readonly unknown[] {
  return [
    new ObjectId("000000000000000000000000"),
    new Int32(0),
    new Double(0),
    new Long(0),
    new Decimal128("0"),
    new Binary(new Uint8Array(0)),
    new UUID("00000000-0000-0000-0000-000000000000"),
    new Timestamp(0, 0),
    new MinKey(),
    new MaxKey(),
    {},
    [],
    new Date(0),
    markedSample(),
  ];
}

/**
 * Makes the shell's values of BSON's parts: `TypeMakers` of the codec, but for decimals, which the codec has as bytes.
 */
export const shellMakers = {
  objectId: (bytes: Uint8Array, at: number): unknown => ObjectId.ofDigits(toHexadecimal(bytes.subarray(at, at + 12))),
  long: (low: number, high: number): unknown => Long.fromBits(low, high),
  binary: (bytes: Uint8Array, subType: number): unknown => {
    const binary = new Binary(bytes, subType);
    return subType === Binary.SUBTYPE_UUID && bytes.length === 16 ? new UUID(binary) : binary;
  },
  timestamp: (t: number, i: number): unknown => new Timestamp({ t, i }),
  regularExpression,
  code: (code: string, scope: Record<string, unknown> | null): unknown => new Code(code, scope),
  symbol: (text: string): unknown => new BSONSymbol(text),
  reference: (
    collection: string,
    id: unknown,
    database: string | undefined,
    fields: Record<string, unknown>,
  ): unknown => new DBRef(collection, id, database, fields),
  minKey: (): unknown => new MinKey(),
  maxKey: (): unknown => new MaxKey(),
};

/** A document that refers to another, as js-bson tells it. */
function asReference(document: Fields): unknown {
  const { $ref, $id, $db, ...fields } = document;
  if (typeof $ref !== "string" || $id === undefined || $id === null || ($db !== undefined && typeof $db !== "string"))
    return document;
  for (const name in fields) if (name.charCodeAt(0) === 36) return document;
  return shellMakers.reference($ref, $id, $db, fields);
}

function special(kind: number, held: unknown, first: unknown, second: unknown): unknown {
  switch (kind) {
    case SPECIAL.OBJECT_ID:
      return ObjectId.ofDigits(first as string);
    case SPECIAL.LONG:
      return shellMakers.long(first as number, second as number);
    case SPECIAL.TIMESTAMP:
      return shellMakers.timestamp((second as number) >>> 0, (first as number) >>> 0);
    case SPECIAL.DECIMAL128:
      return new Decimal128(first);
    case SPECIAL.BINARY:
      return shellMakers.binary(new Uint8Array(first as ArrayBuffer), second as number);
    case SPECIAL.REGULAR_EXPRESSION:
      return shellMakers.regularExpression(first as string, second as string);
    case SPECIAL.DB_POINTER:
      return shellMakers.reference(first as string, ObjectId.ofDigits(second as string), undefined, {});
    case SPECIAL.CODE:
      return shellMakers.code(first as string, null);
    case SPECIAL.SCOPED_CODE:
      return shellMakers.code(first as string, held as Record<string, unknown>);
    case SPECIAL.SYMBOL:
      return shellMakers.symbol(first as string);
    case SPECIAL.MIN_KEY:
      return shellMakers.minKey();
    case SPECIAL.MAX_KEY:
      return shellMakers.maxKey();
    default:
      return asReference(held as Fields);
  }
}

/** Each entry is a kind, the object that holds the value, its name there, and two things that it is made of. */
const ENTRY = 5;

/** A reply as the host made it, and the list of values to put in. */
export function finished(made: readonly [Fields, readonly unknown[]]): Fields {
  // Not taken apart by a pattern: that asks an iterator.
  const reply = made[0];
  const list = made[1];
  for (let at = 0; at < list.length; at += ENTRY) {
    const kind = list[at] as number;
    const holder = list[at + 1] as Fields;
    if (kind === SPECIAL.MARKS) markDoubles(holder, list[at + 3] as object);
    else {
      const name = list[at + 2] as string;
      holder[name] = special(kind, holder[name], list[at + 3], list[at + 4]);
    }
  }
  return reply;
}
