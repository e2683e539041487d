/**
 * The decoder with js-bson's classes, as pages and the npm package's users get values.
 *
 * Invariant: a module of its own, so that the worker, which passes bytes on and needs no such value, does not load
 * js-bson.
 */
import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Document,
} from "bson";
import { Decoder, type DecodeOptions, type TypeMakers } from "./decoder.ts";

export type { DecodeOptions, NumberMode } from "./decoder.ts";

/** js-bson's constructor takes a place to read at, which its types do not tell. */
const ObjectIdAt = ObjectId as unknown as new (bytes: Uint8Array, offset: number) => ObjectId;

const makers: TypeMakers = {
  int32: (value) => new Int32(value),
  double: (value) => new Double(value),
  objectId: (bytes, at) => new ObjectIdAt(bytes, at),
  long: (low, high) => Long.fromBits(low, high),
  decimal128: (bytes) => new Decimal128(bytes),
  binary(bytes, subType) {
    const made = new Binary(bytes, subType);
    return subType === Binary.SUBTYPE_UUID && bytes.length === 16 ? made.toUUID() : made;
  },
  timestamp: (t, i) => new Timestamp({ t, i }),
  regularExpression(pattern, options, asBson) {
    if (asBson || !/^[imsu]*$/.test(options)) return new BSONRegExp(pattern, options);
    try {
      return new RegExp(pattern, options);
    } catch {
      return new BSONRegExp(pattern, options);
    }
  },
  code: (code, scope) => (scope === null ? new Code(code) : new Code(code, scope)),
  symbol: (text, numbers) => (numbers === "typed" ? new BSONSymbol(text) : text),
  reference: (collection, id, database, fields) => new DBRef(collection, id as ObjectId, database, fields),
  minKey: () => new MinKey(),
  maxKey: () => new MaxKey(),
};

/** A decoder of one's own, whose documents look alike; `keeps`: of the same memory again and again. */
export const makeDecoder = (keeps = false): Decoder => new Decoder(makers, keeps);

const decoder = makeDecoder();

/** Decodes one document. */
export function decode(bytes: Uint8Array, options?: DecodeOptions): Document {
  return decoder.decode(bytes, options);
}
