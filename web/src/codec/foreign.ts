/**
 * Values of js-bson's classes, read by the fields of each version: a program may have several copies of js-bson.
 *
 * Invariants: a value is known by its tag and version, never by its class; a field that is not there, or has another
 * form than all known versions give it, is an error, and no other value is made of it.
 */
import { isBytes, isPlain } from "./brand.ts";
import { CodecError } from "./error.ts";

export interface Tagged {
  readonly _bsontype: string;
  readonly [field: string]: unknown;
}

/** Versions from 5 on tell their major number under this symbol. */
const VERSION = Symbol.for("@@mdb.bson.version");
/** The newest major version whose fields are known. */
const NEWEST = 7;

/** The type of a value; throws for data that only says to be of such a class, and for a version that is not known. */
export function tagOf(value: Tagged): string {
  const version = (value as { [VERSION]?: unknown })[VERSION];
  if (typeof version === "number" && version > NEWEST)
    throw new CodecError(`Unsupported BSON version, bson types must be from bson ${NEWEST}.x.x`, "BSONVersionError");
  // Data that only says so, such as JSON that somebody sent, is no value of a class.
  if (isPlain(value)) throw new CodecError(`Unrecognized or invalid _bsontype: ${value._bsontype}`);
  return value._bsontype;
}

function malformed(value: Tagged): never {
  throw new CodecError(`This ${value._bsontype} has not the fields of one`);
}

function bytesOf(value: Tagged, field: string, least: number): Uint8Array {
  const bytes = value[field];
  return typeof bytes === "object" && bytes !== null && isBytes(bytes) && bytes.length >= least
    ? bytes
    : malformed(value);
}

const HEX_ID = /^[0-9a-f]{24}$/i;

/** The 12 bytes of an ObjectId. Where there is no `Buffer`, version 1 keeps them as the characters of a text. */
export function objectIdBytes(value: Tagged): ArrayLike<number> {
  const { id } = value;
  if (typeof id === "object" && id !== null && isBytes(id) && id.length === 12) return id;
  if (typeof id === "string" && id.length === 12) return Array.from(id, (char) => char.charCodeAt(0));
  const { toHexString } = value as { toHexString?: () => unknown };
  const hex = typeof toHexString === "function" ? toHexString.call(value) : id;
  if (typeof hex !== "string" || !HEX_ID.test(hex)) return malformed(value);
  return Uint8Array.from({ length: 12 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

/** The number of an Int32 or a Double. */
export function numberIn(value: Tagged): number {
  const { value: number } = value;
  return typeof number === "number" ? number : malformed(value);
}

/** The two halves of a Long or a Timestamp. */
export function halvesOf(value: Tagged): readonly [low: number, high: number] {
  const low = value["low"] ?? value["low_"];
  const high = value["high"] ?? value["high_"];
  return typeof low === "number" && typeof high === "number" ? [low, high] : malformed(value);
}

export function decimalBytes(value: Tagged): Uint8Array {
  return bytesOf(value, "bytes", 16).subarray(0, 16);
}

/** The bytes of a Binary, or of a UUID of version 4, which was none. */
export function binaryBytes(value: Tagged): Uint8Array {
  if (value._bsontype === "UUID") return bytesOf(value, "id", 16);
  const { position } = value;
  return typeof position === "number" ? bytesOf(value, "buffer", position).subarray(0, position) : malformed(value);
}

export function subTypeOf(value: Tagged): number {
  if (value._bsontype === "UUID") return 4;
  const { sub_type: subType } = value;
  return typeof subType === "number" ? subType : malformed(value);
}

/** A text of a symbol, a pattern or a reference; version 1 of js-bson calls the collection of a reference otherwise. */
export function textIn(value: Tagged, ...fields: readonly string[]): string {
  for (const field of fields) {
    const text = value[field];
    if (typeof text === "string") return text;
  }
  return malformed(value);
}
