/**
 * Our own BSON decoder: bytes to plain objects and the classes that its maker names, predicting each key from the
 * document before.
 *
 * Documents of one collection look alike, so the decoder remembers the fields of the documents at each place, in
 * order, and compares bytes with them instead of decoding a string. Invariants: every read is bounds-checked
 * and bad bytes give `CodecError`; no value shares memory with the input, which may be wasm memory; decoding calls
 * nobody's code, so that where it is can be kept in variables of the module, which are faster than fields.
 */
import type { Document } from "bson";
import { CodecError, MAX_DEPTH } from "./error.ts";
import { FIRST_CONFIDENCE, textAt, textOf, type Place } from "./texts.ts";
import * as type from "./types.ts";

/**
 * How numbers come out. `driver`: as the Node driver gives them (int64 within 2^53 is a number, else Long);
 * `shell`: int64 is always Long; `typed`: every number keeps its type (Int32, Double, Long).
 */
export type NumberMode = "driver" | "shell" | "typed";

/** Makes the values of types that are not JavaScript's. `decode.ts` has those of js-bson. */
export interface TypeMakers {
  /** Only with the numbers `typed`, as `double` too. */
  int32(value: number): unknown;
  double(value: number): unknown;
  objectId(bytes: Uint8Array, at: number): unknown;
  long(low: number, high: number): unknown;
  decimal128(bytes: Uint8Array): unknown;
  binary(bytes: Uint8Array, subType: number): unknown;
  timestamp(t: number, i: number): unknown;
  /** With `asBson` always a `BSONRegExp`, never JavaScript's own. */
  regularExpression(pattern: string, options: string, asBson: boolean): unknown;
  code(code: string, scope: Document | null): unknown;
  symbol(text: string, numbers: NumberMode): unknown;
  reference(collection: string, id: unknown, database: string | undefined, fields: Document): unknown;
  minKey(): unknown;
  maxKey(): unknown;
}

export interface DecodeOptions {
  readonly numbers?: NumberMode;
  /** Give every pattern as `BSONRegExp`. Default false: those that JavaScript knows are its own. */
  readonly bsonRegExp?: boolean | undefined;
  /**
   * Throw a `BSONError` for a string that is not UTF-8, as the Node driver does. Default false: U+FFFD stands for bytes
   * that are none. The `writeErrors` of a reply are never checked: they may quote what was refused.
   */
  readonly enableUtf8Validation?: boolean | undefined;
}

/** A field that documents at one place were seen to have, and the one that followed it. */
class Field implements Place {
  next: Field | null = null;
  child: Shape | null = null;
  readonly name: string;
  /**
   * The name's bytes with the closing zero, and the same four at a time, the last four overlapping: all, first and
   * last.
   */
  readonly encoded: Uint8Array;
  readonly words: Int32Array;
  readonly head: number;
  readonly tail: number;
  readonly length: number;
  readonly isPrototype: boolean;
  readonly isReference: boolean;
  confidence = FIRST_CONFIDENCE;

  constructor(name: string, encoded: Uint8Array) {
    this.name = name;
    this.encoded = encoded;
    this.length = encoded.length;
    this.isPrototype = name === "__proto__";
    this.isReference = name === "$ref";
    const count = (encoded.length + 3) >> 2;
    const source = new DataView(encoded.buffer, encoded.byteOffset, encoded.length);
    this.words = new Int32Array(encoded.length < 4 ? 0 : count);
    for (let index = 0; index < this.words.length; index++)
      this.words[index] = source.getInt32(Math.min(index * 4, encoded.length - 4), true);
    this.head = this.words[0] ?? 0;
    this.tail = this.words.at(-1) ?? 0;
  }
}

/** More fields than this at one place are data used as names: the place begins anew. */
const MOST_FIELDS = 128;
/** How many fields a document may leave out before the place is taken to have none of that name. */
const LOOK_AHEAD = 6;

/**
 * A constructor of plain objects for the documents at one place alone. JavaScript engines keep as many properties in an
 * object itself as the first objects of its constructor came to have. An object made by `{}` has room for four, and
 * grows outside itself with every few further ones.
 */
function constructorOfPlain(): new () => Document {
  // The name is shown by browsers' consoles before an object; the prototype makes it an object like any other.
  const { Object: Plain } = {
    Object: function (this: Document): void {
      // Never called without `new`: JavaScript engines only count these assignments, to make room for that many
      // properties.
      if (new.target === undefined)
        this["a"] =
          this["b"] =
          this["c"] =
          this["d"] =
          this["e"] =
          this["f"] =
          this["g"] =
          this["h"] =
          this["i"] =
          this["j"] =
          this["k"] =
          this["l"] =
            0;
    },
  };
  Plain.prototype = Object.prototype;
  return Plain as unknown as new () => Document;
}

/** The fields seen at one place, in order. */
class Shape {
  first: Field | null = null;
  count = 0;
  readonly Plain = constructorOfPlain();
}

const NO_OPTIONS: DecodeOptions = {};
const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

// The bytes being decoded, the place of the next byte, and the end of the innermost document.
let bytes: Uint8Array = NO_BYTES;
let view: DataView = NO_VIEW;
let at = 0;
let end = 0;
let numbers: NumberMode = "driver";
let asBson = false;
let strict = false;
let makers: TypeMakers;
let depth = 0;

function need(length: number): void {
  if (at + length > end) throw new CodecError(`the bytes end inside a value at offset ${at}`);
}

function int32(): number {
  need(4);
  const value = view.getInt32(at, true);
  at += 4;
  return value;
}

/** Reads a document's length; gives where its closing zero is. */
function enter(): number {
  if (depth > MAX_DEPTH) throw new CodecError("the document is nested too deeply");
  const start = at;
  const length = int32();
  const last = start + length - 1;
  if (length < 5 || last >= end || bytes[last] !== 0)
    throw new CodecError(`a document's length is wrong at offset ${start}`);
  return last;
}

function overrun(): never {
  throw new CodecError(`a value runs over its document's end at offset ${at}`);
}

function document(shape: Shape): unknown {
  depth += 1;
  const last = enter();
  const outer = end;
  end = last;
  const made = new shape.Plain();
  let reference = false;
  let before: Field | null = null;
  while (at < last) {
    const kind = bytes[at++] as number;
    const expected: Field | null = before === null ? shape.first : before.next;
    const field: Field = expected !== null && isNext(expected) ? expected : other(shape, before, expected);
    at += field.length;
    const value = kind === type.STRING ? string(field) : valueOf(kind, field);
    if (field.isPrototype)
      Object.defineProperty(made, field.name, { value, writable: true, enumerable: true, configurable: true });
    else made[field.name] = value;
    if (before === null) reference = field.isReference;
    before = field;
  }
  if (at !== last) overrun();
  at = last + 1;
  end = outer;
  depth -= 1;
  return reference ? asReference(made) : made;
}

function array(shape: Shape): unknown[] {
  depth += 1;
  const last = enter();
  const outer = end;
  end = last;
  // All items share one place: an array's documents look alike too.
  const items = (shape.first ??= new Field("", Uint8Array.of(0)));
  const made = at === last ? [] : short(last, items);
  while (at < last) made.push(item(last, items));
  if (at !== last) overrun();
  at = last + 1;
  end = outer;
  depth -= 1;
  return made;
}

/** The first few items: arrays as long as their items, where pushing makes room for many. */
function short(last: number, items: Field): unknown[] {
  const one = item(last, items);
  if (at >= last) return [one];
  const two = item(last, items);
  if (at >= last) return [one, two];
  const three = item(last, items);
  if (at >= last) return [one, two, three];
  return [one, two, three, item(last, items)];
}

function item(last: number, items: Field): unknown {
  const kind = bytes[at++] as number;
  // The name is the position; where another writer wrote something else, the order counts all the same.
  while (at < last && bytes[at] !== 0) at += 1;
  need(1);
  at += 1;
  return kind === type.STRING ? string(items) : valueOf(kind, items);
}

/** Whether the name here is this field's. */
function isNext(field: Field): boolean {
  const { length } = field;
  if (at + length > end) return false;
  if (length < 4) {
    const { encoded } = field;
    for (let index = 0; index < length; index++) if (bytes[at + index] !== encoded[index]) return false;
    return true;
  }
  if (view.getInt32(at, true) !== field.head || view.getInt32(at + length - 4, true) !== field.tail) return false;
  // Most names end here. A loop whose length differs from field to field is badly foreseen by a processor's branch
  // prediction.
  if (length <= 8) return true;
  const { words } = field;
  const rest = words.length - 1;
  for (let index = 1; index < rest; index++) if (view.getInt32(at + index * 4, true) !== words[index]) return false;
  return true;
}

/** The field here, which is not the expected one: one further on, or a new one. */
function other(shape: Shape, before: Field | null, expected: Field | null): Field {
  let later = expected?.next ?? null;
  for (let tried = 0; later !== null && tried < LOOK_AHEAD; tried++, later = later.next)
    if (isNext(later)) return later;
  const start = at;
  const name = cString();
  const encoded = copy(start, at);
  at = start;
  const field = new Field(name, encoded);
  if (shape.count >= MOST_FIELDS) {
    // The document goes on along its own chain, the next one begins a new one.
    shape.first = null;
    shape.count = 0;
    if (before !== null) before.next = null;
  }
  shape.count += 1;
  if (before === null) {
    field.next = shape.first;
    shape.first = field;
  } else {
    field.next = before.next;
    before.next = field;
  }
  return field;
}

function cString(): string {
  const start = at;
  const zero = bytes.indexOf(0, start);
  if (zero < 0 || zero >= end) throw new CodecError(`a name has no end at offset ${start}`);
  at = zero + 1;
  return textOf(bytes, start, zero, false);
}

function string(field: Field): string {
  const length = int32();
  if (length < 1) throw new CodecError(`a text's length is wrong at offset ${at - 4}`);
  need(length);
  const start = at;
  const stop = start + length - 1;
  if (bytes[stop] !== 0) throw new CodecError(`a text has no end at offset ${start}`);
  at = stop + 1;
  return textAt(bytes, view, start, stop, field, strict);
}

function objectId(): unknown {
  need(12);
  at += 12;
  return makers.objectId(bytes, at - 12);
}

function int64(): unknown {
  need(8);
  const low = view.getInt32(at, true);
  const high = view.getInt32(at + 4, true);
  at += 8;
  if (numbers === "driver") {
    // Rounding never brings a number from beyond 2^53 below it, so this comparison finds every inexact one.
    const number = high * 4294967296 + (low >>> 0);
    if (Number.isSafeInteger(number)) return number;
  }
  return makers.long(low, high);
}

/** Bytes of their own; a Node buffer's own `slice` would share them. */
function copy(start: number, stop: number): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes, start, stop);
}

function take(length: number): Uint8Array {
  if (length < 0) throw new CodecError(`a length is negative at offset ${at}`);
  need(length);
  at += length;
  return copy(at - length, at);
}

function valueOf(kind: number, field: Field): unknown {
  switch (kind) {
    case type.DOUBLE: {
      need(8);
      const value = view.getFloat64(at, true);
      at += 8;
      return numbers === "typed" ? makers.double(value) : value;
    }
    case type.INT32: {
      const value = int32();
      return numbers === "typed" ? makers.int32(value) : value;
    }
    case type.STRING:
      return string(field);
    case type.DOCUMENT:
      return document((field.child ??= new Shape()));
    case type.ARRAY:
      if (strict && depth === 0 && field.name === "writeErrors") return unchecked(field);
      return array((field.child ??= new Shape()));
    case type.BINARY:
      return binary();
    case type.UNDEFINED:
      return undefined;
    case type.OBJECT_ID:
      return objectId();
    case type.BOOLEAN: {
      need(1);
      const byte = bytes[at++];
      if (byte !== 0 && byte !== 1) throw new CodecError(`a boolean is neither true nor false at offset ${at - 1}`);
      return byte === 1;
    }
    case type.DATE: {
      need(8);
      const millis = view.getInt32(at + 4, true) * 4294967296 + view.getUint32(at, true);
      at += 8;
      return new Date(millis);
    }
    case type.NULL:
      return null;
    case type.REGULAR_EXPRESSION:
      return makers.regularExpression(cString(), cString(), asBson);
    case type.DB_POINTER:
      return makers.reference(string(field), objectId(), undefined, {});
    case type.CODE:
      return makers.code(string(field), null);
    case type.SYMBOL:
      return makers.symbol(string(field), numbers);
    case type.CODE_WITH_SCOPE: {
      const start = at;
      const length = int32();
      const text = string(field);
      const scope = document((field.child ??= new Shape()));
      if (at !== start + length) throw new CodecError(`a code's length is wrong at offset ${start}`);
      return makers.code(text, scope as Document);
    }
    case type.TIMESTAMP: {
      need(8);
      const i = view.getUint32(at, true);
      const t = view.getUint32(at + 4, true);
      at += 8;
      return makers.timestamp(t, i);
    }
    case type.INT64:
      return int64();
    case type.DECIMAL128:
      return makers.decimal128(take(16));
    case type.MAX_KEY:
      return makers.maxKey();
    case type.MIN_KEY:
      return makers.minKey();
    default:
      throw new CodecError(`0x${kind.toString(16)} is no BSON type, at offset ${at}`);
  }
}

/** An array whose strings may be any bytes. */
function unchecked(field: Field): unknown {
  strict = false;
  const made = array((field.child ??= new Shape()));
  strict = true;
  return made;
}

function binary(): unknown {
  const length = int32();
  need(1);
  const subType = bytes[at++] ?? 0;
  if (subType === 2) {
    const inner = int32();
    if (inner !== length - 4) throw new CodecError(`a binary's length is wrong at offset ${at - 4}`);
    return makers.binary(take(inner), subType);
  }
  return makers.binary(take(length), subType);
}

export class Decoder {
  readonly #root = new Shape();
  readonly #makers: TypeMakers;
  readonly #keeps: boolean;
  /** The bytes decoded last, and the view of them. */
  #from: Uint8Array = NO_BYTES;
  #view: DataView = NO_VIEW;

  /** `keeps`: the same memory is decoded again and again, so that it may be kept alive. */
  constructor(makers: TypeMakers, keeps = false) {
    this.#makers = makers;
    this.#keeps = keeps;
  }

  /** Decodes the document that begins at `offset`; bytes after it are not read. Throws `CodecError`. */
  decode(from: Uint8Array, options: DecodeOptions = NO_OPTIONS, offset = 0): Document {
    if (this.#from !== from) this.#view = new DataView(from.buffer, from.byteOffset, from.byteLength);
    this.#from = from;
    bytes = from;
    view = this.#view;
    at = offset;
    end = from.length;
    numbers = options.numbers ?? "driver";
    asBson = options.bsonRegExp === true;
    strict = options.enableUtf8Validation === true;
    makers = this.#makers;
    depth = -1;
    try {
      return document(this.#root) as Document;
    } finally {
      bytes = NO_BYTES;
      view = NO_VIEW;
      if (!this.#keeps) {
        this.#from = NO_BYTES;
        this.#view = NO_VIEW;
      }
    }
  }
}

/** A document that is a reference to another, as js-bson tells it. */
function asReference(document: Document): unknown {
  const { $ref, $id, $db, ...fields } = document;
  if (typeof $ref !== "string" || $id === undefined || $id === null || ($db !== undefined && typeof $db !== "string"))
    return document;
  if (Object.keys(fields).some((name) => name.startsWith("$"))) return document;
  return makers.reference($ref, $id, $db as string | undefined, fields);
}
