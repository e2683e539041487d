/**
 * Canonical Extended JSON (v2) between the shell's values and text: the only language in which the sandbox
 * and its host speak.
 *
 * Invariants: numbers follow mongosh's rule (integral and within int32: int32; else double; bigint and Long:
 * int64). `undefined` becomes null and functions become Code, as mongosh sends them. A double that happens to
 * be integral keeps its type while it travels untouched through a script: see `DOUBLES`.
 */
import { hiddenIn, isBytes, isDate, isMap, isRegExp } from "../codec/brand.ts";
import { CodecError, inside } from "../codec/error.ts";
import type { Tagged } from "../codec/foreign.ts";
import { Binary, UUID, fromBase64 } from "./bson/binary.ts";
import { Decimal128 } from "./bson/decimal128.ts";
import { BSONError } from "./bson/error.ts";
import { asOwn } from "./bson/foreign.ts";
import { Double, Int32, Long } from "./bson/numbers.ts";
import { ObjectId } from "./bson/object-id.ts";
import { BSONRegExp, BSONSymbol, Code, DBPointer, DBRef, MaxKey, MinKey, Timestamp } from "./bson/special.ts";

/** On a document or array that came from the engine: its integral doubles, by their names or at their places. */
const DOUBLES = Symbol("doubles");
const MAX_DEPTH = 200;
/** `JSON.stringify` writes half a surrogate pair as an escape, which no UTF-8 can hold. */
const LONE_SURROGATE = /\\ud[89a-f][0-9a-f]{2}/g;

interface Marked {
  [DOUBLES]?: Record<string, unknown>;
}

export interface StringifyOptions {
  /** Every plain number is a double. */
  readonly numbersAsDouble?: boolean;
  /**
   * Integral doubles that came from the engine stay doubles: for showing a value, not for storing one. What cannot be
   * stored, a `Set` for one, is then an empty document.
   */
  readonly keepDoubles?: boolean;
}

const quotedKeys = new Map<string, string>();
function quoteKey(key: string): string {
  let quoted = quotedKeys.get(key);
  if (quoted === undefined) {
    quoted = JSON.stringify(key) + ":";
    if (quotedKeys.size > 5000) quotedKeys.clear();
    quotedKeys.set(key, quoted);
  }
  return quoted;
}

function doubleText(value: number): string {
  const text = Object.is(value, -0)
    ? "-0.0"
    : Number.isInteger(value) && Math.abs(value) < 1e21
      ? `${value}.0`
      : String(value);
  return `{"$numberDouble":"${text}"}`;
}

function numberText(value: number, options: StringifyOptions): string {
  if (!options.numbersAsDouble && (value | 0) === value && !Object.is(value, -0)) return `{"$numberInt":"${value}"}`;
  return doubleText(value);
}

function regularExpressionText(pattern: string, options: string): string {
  return `{"$regularExpression":{"pattern":${JSON.stringify(pattern)},"options":"${options}"}}`;
}

/**
 * The options MongoDB knows among a literal's flags, in its alphabetical order; `g`, `y` and `d` mean nothing to it.
 */
function regularExpressionOptions(flags: string): string {
  return [...flags]
    .filter((flag) => "imsu".includes(flag))
    .sort()
    .join("");
}

function binaryText(value: Binary): string {
  return `{"$binary":{"base64":"${value.base64()}","subType":"${value.sub_type.toString(16).padStart(2, "0")}"}}`;
}

/** An error of a value that cannot be stored. */
function unstorable(reason: string): CodecError {
  return new CodecError(reason, "TypeError");
}

function bsonText(value: Tagged, options: StringifyOptions, depth: number): string {
  if (value instanceof ObjectId) return `{"$oid":"${value.toHexString()}"}`;
  if (value instanceof Int32) return `{"$numberInt":"${value.value}"}`;
  if (value instanceof Double) return doubleText(value.value);
  if (value instanceof Long) return `{"$numberLong":"${value.toString()}"}`;
  if (value instanceof Decimal128) return `{"$numberDecimal":"${value.toString()}"}`;
  if (value instanceof Binary) return binaryText(value);
  if (value instanceof Timestamp) return `{"$timestamp":{"t":${value.t},"i":${value.i}}}`;
  if (value instanceof MinKey) return '{"$minKey":1}';
  if (value instanceof MaxKey) return '{"$maxKey":1}';
  if (value instanceof BSONSymbol) return `{"$symbol":${JSON.stringify(value.value)}}`;
  if (value instanceof BSONRegExp) return regularExpressionText(value.pattern, value.options);
  if (value instanceof Code) {
    const code = `"$code":${JSON.stringify(value.code)}`;
    return value.scope === null ? `{${code}}` : `{${code},"$scope":${text(value.scope, options, depth + 1)}}`;
  }
  if (value instanceof DBPointer)
    return `{"$dbPointer":${text({ $ref: value.ns, $id: value.id }, options, depth + 1)}}`;
  if (value instanceof DBRef) {
    const reference: Record<string, unknown> = { $ref: value.collection, $id: value.oid };
    if (value.db !== undefined) reference["$db"] = value.db;
    return text({ ...reference, ...value.fields }, options, depth + 1);
  }
  const own = asOwn(value);
  if (own === undefined) throw unstorable(`Unrecognized or invalid _bsontype: ${value._bsontype}`);
  return bsonText(own as Tagged, options, depth);
}

/** Errors in it tell their place. Here and for arrays without a function of its own: QuickJS's stack is short. */
function objectText(value: object, options: StringifyOptions, depth: number): string {
  const doubles = options.keepDoubles ? (value as Marked)[DOUBLES] : undefined;
  let out = "{";
  for (const [key, item] of isMap(value) ? value : Object.entries(value)) {
    if (typeof key !== "string") throw unstorable("a document's field names are strings");
    if (key.includes("\0")) throw unstorable(`BSON field names cannot contain null bytes: ${JSON.stringify(key)}`);
    if (out.length > 1) out += ",";
    out += quoteKey(key);
    try {
      out +=
        doubles !== undefined && doubles[key] === item && typeof item === "number"
          ? doubleText(item)
          : text(item, options, depth + 1);
    } catch (error) {
      throw inside(error, key);
    }
  }
  return out + "}";
}

function arrayText(value: readonly unknown[], options: StringifyOptions, depth: number): string {
  const doubles = options.keepDoubles ? ((value as Marked)[DOUBLES] as readonly unknown[] | undefined) : undefined;
  let out = "[";
  for (let index = 0; index < value.length; index++) {
    const item: unknown = value[index];
    if (index > 0) out += ",";
    try {
      out +=
        doubles !== undefined && doubles[index] === item && typeof item === "number"
          ? doubleText(item)
          : text(item, options, depth + 1);
    } catch (error) {
      throw inside(error, index);
    }
  }
  return out + "]";
}

/** The text of an object that is one value: a date, a pattern or bytes; null for any other. */
function instanceText(value: object): string | null {
  if (isDate(value)) {
    const millis = value.getTime();
    if (Number.isNaN(millis)) throw unstorable("an invalid date cannot be stored");
    return `{"$date":{"$numberLong":"${millis}"}}`;
  }
  if (isRegExp(value)) return regularExpressionText(value.source, regularExpressionOptions(value.flags));
  return isBytes(value) ? binaryText(new Binary(value)) : null;
}

function text(value: unknown, options: StringifyOptions, depth: number): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value).replace(LONE_SURROGATE, "\\ufffd");
    case "number":
      return numberText(value, options);
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return `{"$numberLong":"${new Long(value).toString()}"}`;
    case "function":
      if ("toBSON" in value && typeof value.toBSON === "function") return text(value.toBSON(), options, depth + 1);
      return `{"$code":${JSON.stringify(String(value))}}`;
    case "undefined":
      return "null";
    case "symbol":
      throw unstorable("a JavaScript symbol cannot be stored");
  }
  if (value === null) return "null";
  if (depth > MAX_DEPTH) throw new CodecError("the document is nested too deeply, or refers to itself", "RangeError");
  const holder = value as { _bsontype?: string; toBSON?: () => unknown };
  if (typeof holder.toBSON === "function") return text(holder.toBSON(), options, depth + 1);
  if (Array.isArray(value)) return arrayText(value, options, depth);
  if (typeof holder._bsontype === "string") return bsonText(value as Tagged, options, depth);
  const instance = instanceText(value as object);
  if (instance !== null) return instance;
  const hidden = options.keepDoubles === true ? undefined : hiddenIn(value as object);
  if (hidden !== undefined) throw unstorable(`${hidden} cannot be stored`);
  return objectText(value as object, options, depth);
}

/** A value as canonical Extended JSON text. */
export function stringify(value: unknown, options: StringifyOptions = {}): string {
  return text(value, options, 0);
}

type Json = { [key: string]: unknown };

const WRAPPERS: Readonly<Record<string, (value: Json) => unknown>> = {
  $oid: (value) => new ObjectId(value["$oid"]),
  $numberInt: (value) => Number(value["$numberInt"]),
  $numberDouble: (value) => Number(value["$numberDouble"]),
  $numberLong: (value) => new Long(String(value["$numberLong"])),
  $numberDecimal: (value) => new Decimal128(value["$numberDecimal"]),
  $date: (value) => {
    const date = value["$date"];
    if (typeof date === "object" && date !== null) return new Date(Number((date as Json)["$numberLong"]));
    return new Date(typeof date === "number" ? date : String(date));
  },
  $binary: (value) => {
    const { base64, subType } = value["$binary"] as { base64?: unknown; subType?: unknown };
    if (typeof base64 !== "string" || typeof subType !== "string")
      throw new BSONError(`Unexpected Binary Extended JSON format ${JSON.stringify(value)}`);
    const kind = Number.parseInt(subType, 16);
    const bytes = fromBase64(base64);
    const binary = new Binary(bytes, kind);
    return kind === 4 && bytes.length === 16 ? new UUID(binary) : binary;
  },
  $uuid: (value) => new UUID(value["$uuid"]),
  $timestamp: (value) => {
    const { t, i } = value["$timestamp"] as { t?: unknown; i?: unknown };
    if (typeof t !== "number" || typeof i !== "number")
      throw new BSONError(
        `Timestamp constructed from { t, i } must provide ${typeof t === "number" ? "i" : "t"} as a number`,
      );
    return new Timestamp({ t, i });
  },
  $minKey: () => new MinKey(),
  $maxKey: () => new MaxKey(),
  $undefined: () => undefined,
  $symbol: (value) => new BSONSymbol(value["$symbol"]),
  $code: (value) =>
    new Code(value["$code"], "$scope" in value ? (revive(value["$scope"]) as Record<string, unknown>) : null),
  $regularExpression: (value) => {
    const { pattern, options } = value["$regularExpression"] as { pattern?: unknown; options?: unknown };
    if (typeof pattern !== "string" || typeof options !== "string")
      throw new BSONError(`Unexpected BSONRegExp EJSON object form: ${JSON.stringify(value)}`);
    return regularExpression(pattern, options);
  },
  $dbPointer: (value) => {
    const { $ref, $id } = value["$dbPointer"] as { $ref: string; $id: unknown };
    return new DBRef($ref, revive($id));
  },
  $ref: (value) => {
    const { $ref, $id, $db, ...rest } = value;
    return new DBRef(
      String($ref),
      revive($id),
      $db === undefined ? undefined : String($db),
      revive(rest) as Record<string, unknown>,
    );
  },
};

/** A pattern that is JavaScript's where JavaScript can hold it. */
export function regularExpression(pattern: string, options: string): RegExp | BSONRegExp {
  if (/^[imsu]*$/.test(options)) {
    try {
      return new RegExp(pattern, options);
    } catch {
      return new BSONRegExp(pattern, options);
    }
  }
  return new BSONRegExp(pattern, options);
}

/**
 * Tells which numbers of a document or array are doubles although they are integral: the same names or places hold the
 * same numbers.
 */
export function markDoubles(holder: object, doubles: object): void {
  Object.defineProperty(holder, DOUBLES, { value: doubles, enumerable: false });
}

/** An object that has marks and nothing else. */
export function markedSample(): object {
  const sample = {};
  markDoubles(sample, {});
  return sample;
}

function markDouble(holder: object, key: string, value: number): void {
  const marked = holder as Marked;
  if (marked[DOUBLES] === undefined)
    markDoubles(holder, Array.isArray(holder) ? new Array(holder.length).fill(null) : {});
  Object.defineProperty(marked[DOUBLES], key, { value, writable: true, enumerable: true, configurable: true });
}

function reviveMember(holder: object, key: string, member: unknown): unknown {
  const revived = revive(member);
  if (typeof revived === "number" && Number.isInteger(revived) && (member as Json)["$numberDouble"] !== undefined) {
    markDouble(holder, key, revived);
  }
  return revived;
}

function revive(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === "object" && item !== null) value[index] = reviveMember(value, String(index), item);
    }
    return value;
  }
  const document = value as Json;
  let first = true;
  for (const key in document) {
    if (first && key.charCodeAt(0) === 36) {
      const wrapper = Object.hasOwn(WRAPPERS, key) ? WRAPPERS[key] : undefined;
      if (wrapper !== undefined && (key !== "$ref" || "$id" in document)) return wrapper(document);
    }
    first = false;
    const item = document[key];
    if (typeof item === "object" && item !== null) document[key] = reviveMember(document, key, item);
  }
  return document;
}

/**
 * Canonical (or relaxed) Extended JSON text as the shell's values; throws `SyntaxError` on text that is not JSON.
 * `first` may change each part of the text before it is read, as `JSON.parse` has it.
 */
export function parse(source: string, first?: (name: string, value: unknown) => unknown): unknown {
  return revive(JSON.parse(source, first));
}
