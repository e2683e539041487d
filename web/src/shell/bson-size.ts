/**
 * How many bytes a document takes as BSON, without making them: functions inside commands, which ask it too, cannot ask
 * the engine.
 *
 * Counted is the document's Extended JSON, so that `ejson.ts` alone decides each value's type; whole numbers that came
 * from the engine as doubles count as the doubles they are. Invariant: the count is the engine's own
 * (`tests/scripts/commands/bson-size.js`).
 */
import { isValue } from "../codec/brand.ts";
import { stringify } from "./ejson.ts";
import { MongoshInvalidInputError } from "./errors.ts";

type Json = Readonly<Record<string, unknown>>;

/** A length and a terminator: of a document, an array, a text. */
const FRAME = 5;
/** A type and a terminator: of a field's name. */
const NAME_FRAME = 2;
/** A length and a subtype. */
const BINARY_FRAME = 5;
/** The subtype of binary values that have their length once more before their bytes. */
const OLD_BINARY = "02";
const OBJECT_ID_BYTES = 12;

/** Bytes of a text in UTF-8; in Extended JSON no half of a surrogate pair stands alone. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) bytes += 2;
    else if (unit >= 0x80) bytes += 1; // Both halves of a pair together take four.
  }
  return bytes;
}

const textBytes = (text: unknown): number => FRAME + utf8Bytes(text as string);

/**
 * The bytes of a value that Extended JSON wraps in an object, by the object's first name: 8 for `{ $numberLong: "1" }`.
 */
const WRAPPED: Readonly<Record<string, (value: Json) => number>> = {
  $oid: () => OBJECT_ID_BYTES,
  $numberInt: () => 4,
  $numberDouble: () => 8,
  $numberLong: () => 8,
  $numberDecimal: () => 16,
  $date: () => 8,
  $timestamp: () => 8,
  $minKey: () => 0,
  $maxKey: () => 0,
  $symbol: ({ $symbol }) => textBytes($symbol),
  $binary: ({ $binary }) => {
    const { base64, subType } = $binary as { base64: string; subType: string };
    const filling = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
    return BINARY_FRAME + (subType === OLD_BINARY ? 4 : 0) + (base64.length / 4) * 3 - filling;
  },
  $regularExpression: ({ $regularExpression }) => {
    const { pattern, options } = $regularExpression as { pattern: string; options: string };
    return utf8Bytes(pattern) + 1 + options.length + 1;
  },
  $code: ({ $code, $scope }) => textBytes($code) + ($scope === undefined ? 0 : 4 + bytesOf($scope)),
  $dbPointer: ({ $dbPointer }) => textBytes(($dbPointer as { $ref: string }).$ref) + OBJECT_ID_BYTES,
};

function bytesOf(value: unknown): number {
  if (value === null) return 0;
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "boolean") return 1;
  const fields = Object.entries(value as Json);
  const [name] = fields[0] ?? [];
  const wrapped =
    name !== undefined && !Array.isArray(value) && Object.hasOwn(WRAPPED, name) ? WRAPPED[name] : undefined;
  if (wrapped !== undefined) return wrapped(value as Json);
  let bytes = FRAME;
  for (const [key, member] of fields) bytes += NAME_FRAME + utf8Bytes(key) + bytesOf(member);
  return bytes;
}

function documentBytes(document: object, numbersAsDouble: boolean): number {
  return bytesOf(JSON.parse(stringify(document, { numbersAsDouble, keepDoubles: true })));
}

/** Whether a value is stored as a document or an array. */
function isDocument(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("_bsontype" in value) && !isValue(value);
}

/** `bsonsize(document)`, which refuses as mongosh does. */
export function bsonsize(numbersAsDouble: boolean, value: unknown): number {
  if (value === undefined) throw new MongoshInvalidInputError("Missing required argument at position 0 (bsonsize)");
  if (!isDocument(value)) {
    const type =
      value === null
        ? "null"
        : typeof value === "object"
          ? ((value as { _bsontype?: string })._bsontype ?? value.constructor.name)
          : typeof value;
    throw new MongoshInvalidInputError(`Argument at position 0 must be of type object, got ${type} instead (bsonsize)`);
  }
  return documentBytes(value, numbersAsDouble);
}

/** `Object.bsonsize(document)`, which refuses as the legacy shell and a server's functions do. */
function objectBsonsize(numbersAsDouble: boolean, given: readonly unknown[]): number {
  if (given.length !== 1) throw new Error("bsonsize needs 1 argument");
  const [value] = given;
  if (value === null) return 0;
  if (!isDocument(value)) throw new Error("argument to bsonsize has to be an object");
  return documentBytes(value, numbersAsDouble);
}

/**
 * Puts `Object.bsonsize` into this realm; gives the function that takes it out again and restores the property before
 * it.
 */
export function installBsonsize(numbersAsDouble: () => boolean): () => void {
  const before = Object.getOwnPropertyDescriptor(Object, "bsonsize");
  Object.defineProperty(Object, "bsonsize", {
    value: (...given: readonly unknown[]) => objectBsonsize(numbersAsDouble(), given),
    writable: true,
    configurable: true,
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(Object, "bsonsize");
    else Object.defineProperty(Object, "bsonsize", before);
  };
}
