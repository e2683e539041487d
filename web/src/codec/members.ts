/**
 * A document's members by their bytes, for code that passes a document on and needs to know a little of it.
 *
 * Example: whether a reply of a megabyte is ok takes a few comparisons here, where decoding it makes all of its values.
 * Invariants: a member lies inside its document, and other bytes give `CodecError`; a
 * member's value is checked when it is decoded.
 */
import type { Document } from "bson";
import { encode } from "./encode.ts";
import { CodecError } from "./error.ts";
import * as type from "./types.ts";

/** Where a member's value lies. */
export interface Member {
  readonly kind: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const utf8 = new TextDecoder();
const LENGTH_BYTES = 4;
const OBJECT_ID_BYTES = 12;

/** Lengths of values that have always the same. */
const FIXED: Readonly<Record<number, number>> = {
  [type.DOUBLE]: 8,
  [type.UNDEFINED]: 0,
  [type.OBJECT_ID]: OBJECT_ID_BYTES,
  [type.BOOLEAN]: 1,
  [type.DATE]: 8,
  [type.NULL]: 0,
  [type.INT32]: 4,
  [type.TIMESTAMP]: 8,
  [type.INT64]: 8,
  [type.DECIMAL128]: 16,
  [type.MAX_KEY]: 0,
  [type.MIN_KEY]: 0,
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** The shortest length that a value of any other type may begin with. */
const SHORTEST: Readonly<Record<number, number>> = {
  [type.STRING]: 1,
  [type.DOCUMENT]: 5,
  [type.ARRAY]: 5,
  [type.BINARY]: 0,
  [type.DB_POINTER]: 1,
  [type.CODE]: 1,
  [type.SYMBOL]: 1,
  [type.CODE_WITH_SCOPE]: LENGTH_BYTES + LENGTH_BYTES + 1 + 5,
};

/** Where a text ends that begins at `start` and has a closing zero: behind that. */
function behindText(document: Uint8Array, start: number, last: number): number {
  const zero = document.indexOf(0, start);
  if (zero < 0 || zero >= last) throw new CodecError(`the bytes end inside a text at offset ${start}`);
  return zero + 1;
}

/** Where a value ends that begins at `start`. */
function valueEnd(document: Uint8Array, view: DataView, kind: number, start: number, last: number): number {
  const fixed = FIXED[kind];
  if (fixed !== undefined) return start + fixed;
  // Pattern and options.
  if (kind === type.REGULAR_EXPRESSION) return behindText(document, behindText(document, start, last), last);
  const shortest = SHORTEST[kind];
  if (shortest === undefined) throw new CodecError(`an unknown type before offset ${start}`);
  if (start + LENGTH_BYTES > last) throw new CodecError(`the bytes end inside a value at offset ${start}`);
  const length = view.getInt32(start, true);
  if (length < shortest) throw new CodecError(`a value's length is wrong at offset ${start}`);
  if (kind === type.DOCUMENT || kind === type.ARRAY || kind === type.CODE_WITH_SCOPE) return start + length;
  if (kind === type.BINARY) return start + LENGTH_BYTES + 1 + length;
  return start + LENGTH_BYTES + length + (kind === type.DB_POINTER ? OBJECT_ID_BYTES : 0);
}

/** Where each member of a document lies. */
export function* members(document: Uint8Array): Generator<Member> {
  const view = viewOf(document);
  const last = document.length - 1;
  if (last < LENGTH_BYTES || view.getInt32(0, true) !== document.length || document[last] !== 0)
    throw new CodecError("a document's length is wrong at offset 0");
  for (let at = LENGTH_BYTES; at < last; ) {
    const kind = document[at] as number;
    const start = behindText(document, at + 1, last);
    const end = valueEnd(document, view, kind, start, last);
    if (end > last) throw new CodecError(`a value runs over its document's end at offset ${start}`);
    yield { kind, name: utf8.decode(document.subarray(at + 1, start - 1)), start, end };
    at = end;
  }
}

/** The bytes of the first member of these names; null where there is none. */
export function member(document: Uint8Array, ...names: readonly string[]): Uint8Array | null {
  for (const { name, start, end } of members(document)) if (names.includes(name)) return document.subarray(start, end);
  return null;
}

/** The bytes of each item of an array inside a document, documents as a rule; none where there is no such field. */
export function elements(document: Uint8Array, name: string): readonly Uint8Array[] {
  for (const { kind, name: found, start, end } of members(document)) {
    if (found !== name || kind !== type.ARRAY) continue;
    const array = document.subarray(start, end);
    return [...members(array)].map((item) => array.subarray(item.start, item.end));
  }
  return [];
}

/** A flag of a document; `otherwise` where there is none. */
export function flagField(document: Uint8Array, name: string, otherwise = false): boolean {
  for (const { kind, name: found, start } of members(document))
    if (found === name && kind === type.BOOLEAN) return document[start] === 1;
  return otherwise;
}

/**
 * The value at a path of names, for example `rawField(reply, "cursor", "ns")`: a number, an int64 as a bigint, or a
 * text; undefined where there is none, or one of another type.
 */
export function rawField(document: Uint8Array, ...path: readonly string[]): number | bigint | string | undefined {
  const [wanted, ...inside] = path;
  for (const { kind, name, start, end } of members(document)) {
    if (name !== wanted) continue;
    if (inside.length === 0) return valueOf(document, kind, start);
    return kind === type.DOCUMENT ? rawField(document.subarray(start, end), ...inside) : undefined;
  }
  return undefined;
}

function valueOf(document: Uint8Array, kind: number, at: number): number | bigint | string | undefined {
  const view = viewOf(document);
  switch (kind) {
    case type.DOUBLE:
      return view.getFloat64(at, true);
    case type.INT32:
      return view.getInt32(at, true);
    case type.INT64:
      return view.getBigInt64(at, true);
    case type.STRING:
      return utf8.decode(document.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES - 1 + view.getInt32(at, true)));
    default:
      return undefined;
  }
}

/** A document with the fields of another behind its own. */
export function withFields(document: Uint8Array, fields: Document): Uint8Array {
  return extended(document, encode(fields).subarray(LENGTH_BYTES, -1));
}

/** A document with another one behind its fields, byte for byte: names that are numbers keep their places. */
export function withDocument(document: Uint8Array, name: string, inner: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${String.fromCharCode(type.DOCUMENT)}${name}\0`);
  return extended(document, head, inner);
}

/** A document with the bytes of more elements behind its own. */
function extended(document: Uint8Array, ...elements: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(elements.reduce((length, one) => length + one.length, document.length));
  whole.set(document);
  let at = document.length - 1;
  for (const one of elements) {
    whole.set(one, at);
    at += one.length;
  }
  viewOf(whole).setInt32(0, whole.length, true);
  return whole;
}

/** A command's name: that of its first field. */
export function nameOf(command: Uint8Array): string {
  for (const { name } of members(command)) return name;
  return "";
}
