/**
 * Our own BSON encoder: js-bson's classes and plain values, straight into a caller's bytes (wasm memory).
 *
 * Three times faster into wasm memory than text and thirty times than js-bson, because nothing is copied
 * twice, and because a field's name is first looked for where the document before had it. Invariants: numbers follow
 * mongosh's rule (integral and within int32: int32; else double; bigint: int64); `undefined` is null, or left out with
 * `ignoreUndefined`; functions are Code with `serializeFunctions`, else left out (null in arrays), as in js-bson. The
 * bytes written are exactly the document; growth asks the target again, because wasm memory moves when it grows.
 */
import type { Document } from "bson";
import { hiddenIn, isBytes, isDate, isMap, isRegExp, isValue } from "./brand.ts";
import { MAX_COMMAND_BYTES, STATEMENTS_END, type Cut } from "./cut.ts";
import { CodecError, inside, MAX_DEPTH } from "./error.ts";
import * as foreign from "./foreign.ts";
import { MAX_POSITIONS, nameOf, position, writeDigits, type Name } from "./names.ts";
import * as type from "./types.ts";

/** The memory that bytes are written to: wasm memory, or JavaScript's own heap. */
export interface ByteTarget {
  /** A view of at least so many bytes whose beginning holds the bytes written before. */
  grow(length: number): Uint8Array;
}

export interface EncodeOptions {
  /** Leave out fields that are `undefined`. Default false: null, as mongosh and the driver store. */
  readonly ignoreUndefined?: boolean;
  /** Store functions as Code. Default false. */
  readonly serializeFunctions?: boolean;
  /** Store plain numbers as doubles, as the legacy shell did. Default false. */
  readonly numbersAsDouble?: boolean;
  /** Statements of the command that may be left out where it would be too long. */
  readonly cut?: Cut | undefined;
}

/** Plain bytes on JavaScript's own heap. */
export class HeapTarget implements ByteTarget {
  #bytes = new Uint8Array(1024);
  grow(length: number): Uint8Array {
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** How many names' bytes an encoder remembers; names that are data (keyed maps) then no longer push others out. */
const MAX_NAMES = 1024;
/** Fields are foreseen up to this place in a document and this depth. */
const MAX_FORESEEN = 64;
const MAX_FORESEEN_DEPTH = 8;
/** Longer texts go to the browser's own encoder, whose call costs as much as so many characters here. */
const SHORT_TEXT = 160;
const NO_OPTIONS: EncodeOptions = {};
const utf8 = new TextEncoder();

/** The field that the last document had at this position: the next document's is likely to have the same name. */
class Field {
  /** The fields of a document at this place, or of the documents of an array. */
  inner: (Field | undefined)[] | undefined = undefined;
  constructor(readonly name: Name) {}
}

const NO_NAME: Name = { text: "", words: new Int32Array(1), length: 2 };
/** A place where nothing is foreseen. */
const NOWHERE = new Field(NO_NAME);

const DATABASE = nameOf("$db");

/** Whether an object is plain, and of this realm: nearly all documents are, and need no further look. */
function isPlainHere(document: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(document);
  return prototype === Object.prototype || prototype === null;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export class Encoder {
  readonly #target: ByteTarget;
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;
  #options: EncodeOptions = NO_OPTIONS;
  readonly #names = new Map<string, Name>();
  readonly #root = new Field(NO_NAME);
  readonly #late = { text: "", words: new Int32Array(3), length: 0 };
  /** The array directly in the document (a batch of documents): where it starts, and how far it is done. */
  #batchStart = 0;
  #batchDone = 0;
  #batchSize = 0;
  /**
   * Whether every object inherits names that a loop over its own would meet: somebody added to all objects there are.
   */
  #inherited = false;

  constructor(target: ByteTarget) {
    this.#target = target;
    this.#bytes = target.grow(256);
    this.#view = viewOf(this.#bytes);
  }

  /** Encodes one document at the target's beginning and gives its length. */
  encode(document: Document, options: EncodeOptions = NO_OPTIONS): number {
    const { toBSON } = document as { toBSON?: () => Document };
    const whole = typeof toBSON === "function" ? toBSON.call(document) : document;
    this.#begin(whole, options);
    this.#document(whole, 0, this.#root);
    return this.#at;
  }

  /** Encodes a command with its database as the last field, `$db`. */
  encodeCommand(command: Document, database: string, options: EncodeOptions = NO_OPTIONS): number {
    if ("$db" in command) return this.encode({ ...command, $db: database }, options);
    this.#begin(command, options);
    this.#at = 4;
    this.#fields(command, 0, this.#root);
    this.#head(type.STRING, DATABASE);
    this.#string(database);
    this.#close(0);
    return this.#at;
  }

  #begin(document: Document, options: EncodeOptions): void {
    this.#inherited = false;
    for (const _ in Object.prototype) this.#inherited = true;
    if (typeof document !== "object" || document === null || Array.isArray(document) || isValue(document))
      throw new CodecError("a BSON document is an object");
    this.#options = options;
    this.#batchSize = 0;
    this.#batchDone = 0;
    this.#at = 0;
    this.#grow(256);
  }

  #grow(length: number): void {
    const bytes = this.#target.grow(length);
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }

  #need(length: number): void {
    const end = this.#at + length;
    if (end > this.#bytes.length) this.#grow(Math.max(end, this.#bytes.length * 2, this.#foreseen()));
  }
  /** How long the document will be, judged by the part of a batch that is written. */
  #foreseen(): number {
    if (this.#batchDone < 16) return 0;
    const each = (this.#at - this.#batchStart) / this.#batchDone;
    const whole = Math.ceil(this.#at + (this.#batchSize - this.#batchDone) * each * 1.05);
    return Math.min(whole, 16 * this.#at, this.#options.cut === undefined ? Infinity : MAX_COMMAND_BYTES) + 1024;
  }

  #int32(value: number): void {
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }
  #int64(value: bigint): void {
    this.#int32(Number(BigInt.asIntN(32, value)));
    this.#int32(Number(BigInt.asIntN(32, value >> 32n)));
  }
  #double(value: number): void {
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }
  /** Copies a few bytes: a loop beats `set` at this length. */
  #copy(from: ArrayLike<number>, length: number): void {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let index = 0; index < length; index++) bytes[at + index] = from[index] as number;
    this.#at = at + length;
  }

  /** Writes UTF-8 without length or end; gives the number of bytes. */
  #text(text: string): number {
    const length = text.length;
    this.#need(length * 3 + 1);
    const at = this.#at;
    if (length <= SHORT_TEXT) {
      const bytes = this.#bytes;
      let index = 0;
      let seen = 0;
      // Four at a time: one store, and one look at whether all are ASCII.
      for (const last = length - 4; index <= last; index += 4) {
        const first = text.charCodeAt(index);
        const second = text.charCodeAt(index + 1);
        const third = text.charCodeAt(index + 2);
        const fourth = text.charCodeAt(index + 3);
        seen |= first | second | third | fourth;
        this.#view.setInt32(at + index, first | (second << 8) | (third << 16) | (fourth << 24), true);
      }
      for (; index < length; index++) {
        const code = text.charCodeAt(index);
        seen |= code;
        bytes[at + index] = code;
      }
      if (seen <= 127) {
        this.#at = at + length;
        return length;
      }
    }
    const { written } = utf8.encodeInto(text, this.#bytes.subarray(at));
    this.#at = at + written;
    return written;
  }
  #cString(text: string, what: string): void {
    if (text.includes("\0")) throw new CodecError(`${what} must not contain null bytes: ${JSON.stringify(text)}`);
    this.#text(text);
    this.#bytes[this.#at++] = 0;
  }
  #string(text: string): void {
    this.#need(4);
    const start = this.#at;
    this.#at += 4;
    const written = this.#text(text);
    this.#bytes[this.#at++] = 0;
    this.#view.setInt32(start, written + 1, true);
  }

  #name(text: string): Name {
    let known = this.#names.get(text);
    if (known === undefined) {
      known = nameOf(text);
      if (this.#names.size < MAX_NAMES && text.length <= 64) this.#names.set(text, known);
    }
    return known;
  }

  /** The name of a late item. It is good until the next one is made: the caller writes it at once. */
  #position(index: number): Name {
    const text = String(index);
    const { words } = this.#late;
    words.fill(0);
    writeDigits(text, words);
    this.#late.length = text.length + 2;
    return this.#late;
  }

  /** Writes an element's type and name, with room for a small value behind them. */
  #head(kind: number, name: Name): void {
    const { words, length } = name;
    const at = this.#at;
    // The last word may reach three bytes too far, into the value's place.
    if (at + length + 24 > this.#bytes.length) this.#need(length + 24);
    const view = this.#view;
    view.setInt32(at, (words[0] as number) | kind, true);
    for (let index = 1; index < words.length; index++) view.setInt32(at + index * 4, words[index] as number, true);
    this.#at = at + length;
  }

  #document(document: object, depth: number, place: Field): void {
    if (depth > MAX_DEPTH) throw new CodecError("the document is nested too deeply, or refers to itself");
    this.#need(5);
    const start = this.#at;
    this.#at += 4;
    if (isPlainHere(document) || !isMap(document)) this.#fields(document, depth, place);
    else this.#entries(document, depth);
    this.#close(start);
  }
  #entries(map: Map<unknown, unknown>, depth: number): void {
    for (const [key, value] of map) {
      const name = String(key);
      try {
        this.#element(this.#name(name), value, depth, false, NOWHERE);
      } catch (error) {
        throw inside(error, name);
      }
    }
  }
  #fields(document: object, depth: number, place: Field): void {
    const foreseen = depth < MAX_FORESEEN_DEPTH && place !== NOWHERE ? (place.inner ??= []) : undefined;
    let index = 0;
    let name = "";
    try {
      if (this.#inherited || !isPlainHere(document)) {
        for (name of Object.keys(document)) this.#field(name, (document as Document)[name], index++, depth, foreseen);
        return;
      }
      // No array of names, and engines know where a property lies whose name comes from this loop.
      for (const text in document) {
        name = text;
        this.#field(text, (document as Document)[text], index++, depth, foreseen);
      }
    } catch (error) {
      throw inside(error, name);
    }
  }
  #field(
    text: string,
    value: unknown,
    index: number,
    depth: number,
    foreseen: (Field | undefined)[] | undefined,
  ): void {
    let field = foreseen === undefined ? undefined : foreseen[index];
    if (field === undefined || field.name.text !== text) {
      const name = this.#name(text);
      if (foreseen === undefined || index >= MAX_FORESEEN) {
        this.#element(name, value, depth, false, NOWHERE);
        return;
      }
      field = new Field(name);
      foreseen[index] = field;
    }
    this.#element(field.name, value, depth, false, field);
  }
  #array(array: readonly unknown[], depth: number, place: Field): void {
    if (depth > MAX_DEPTH) throw new CodecError("the document is nested too deeply, or refers to itself");
    this.#need(5);
    const start = this.#at;
    this.#at += 4;
    const isBatch = depth === 1 && array.length > 16;
    if (isBatch) {
      this.#batchStart = start;
      this.#batchSize = array.length;
    }
    const { cut } = this.#options;
    const most = cut?.statements === array ? STATEMENTS_END : Infinity;
    let index = 0;
    try {
      for (; index < array.length; index++) {
        const item = this.#at;
        const name = index < MAX_POSITIONS ? position(index) : this.#position(index);
        this.#element(name, array[index], depth, true, place);
        if (this.#at > most && index > 0) {
          this.#at = item;
          (cut as Cut).left = array.length - index;
          break;
        }
        if (isBatch) this.#batchDone = index + 1;
      }
    } catch (error) {
      throw inside(error, index);
    }
    if (isBatch) this.#batchDone = 0;
    this.#close(start);
  }
  #close(start: number): void {
    this.#need(1);
    this.#bytes[this.#at++] = 0;
    this.#view.setInt32(start, this.#at - start, true);
  }

  #element(name: Name, value: unknown, depth: number, inArray: boolean, place: Field): void {
    switch (typeof value) {
      case "string":
        this.#head(type.STRING, name);
        this.#string(value);
        return;
      case "number":
        this.#number(name, value);
        return;
      case "boolean":
        this.#head(type.BOOLEAN, name);
        this.#bytes[this.#at++] = value ? 1 : 0;
        return;
      case "bigint":
        this.#head(type.INT64, name);
        this.#int64(value);
        return;
      case "undefined":
        if (inArray || !this.#options.ignoreUndefined) this.#head(type.NULL, name);
        return;
      case "function":
        if (typeof (value as { toBSON?: unknown }).toBSON === "function") {
          this.#object(name, value, depth, inArray, place);
        } else if (this.#options.serializeFunctions) {
          this.#head(type.CODE, name);
          this.#string(String(value));
        } else if (inArray) {
          this.#head(type.NULL, name);
        }
        return;
      case "symbol":
        throw new CodecError("a JavaScript symbol cannot be stored");
      default:
        this.#object(name, value as object | null, depth, inArray, place);
    }
  }

  #number(name: Name, value: number): void {
    if (!this.#options.numbersAsDouble && (value | 0) === value && !Object.is(value, -0)) {
      this.#head(type.INT32, name);
      this.#int32(value);
    } else {
      this.#head(type.DOUBLE, name);
      this.#double(value);
    }
  }

  #object(name: Name, value: object | null, depth: number, inArray: boolean, place: Field): void {
    if (value === null) {
      this.#head(type.NULL, name);
      return;
    }
    // Two loads: engines remember per shape where they end, which they do not for `in`.
    const { toBSON, _bsontype: tag } = value as { toBSON?: () => unknown; _bsontype?: unknown };
    if (typeof toBSON === "function") {
      const converted: unknown = toBSON.call(value);
      if (converted === value) throw new CodecError("toBSON gave the same object back");
      this.#element(name, converted, depth + 1, inArray, place);
    } else if (Array.isArray(value)) {
      this.#head(type.ARRAY, name);
      this.#array(value, depth + 1, place);
    } else if (tag === undefined && Object.getPrototypeOf(value) === Object.prototype) {
      this.#head(type.DOCUMENT, name);
      this.#document(value, depth + 1, place);
    } else if (typeof tag === "string") {
      this.#tagged(name, value as foreign.Tagged, depth);
    } else if (isDate(value)) {
      const millis = value.getTime();
      if (Number.isNaN(millis)) throw new CodecError("an invalid date cannot be stored");
      this.#head(type.DATE, name);
      // No BigInt: a date's milliseconds are exact in a double, and its high half is the floor of a division.
      this.#int32(millis % 4294967296);
      this.#int32(Math.floor(millis / 4294967296));
    } else if (isRegExp(value)) {
      const { flags } = value;
      const options = [...flags]
        .filter((flag) => "imsu".includes(flag))
        .sort()
        .join("");
      this.#regularExpression(name, value.source, options);
    } else if (isBytes(value)) {
      this.#binary(name, value, 0);
    } else {
      const hidden = hiddenIn(value);
      if (hidden !== undefined) throw new CodecError(`${hidden} cannot be stored`);
      this.#head(type.DOCUMENT, name);
      this.#document(value, depth + 1, place);
    }
  }

  #regularExpression(name: Name, pattern: string, options: string): void {
    this.#head(type.REGULAR_EXPRESSION, name);
    this.#cString(pattern, "a regular expression");
    this.#cString([...options].sort().join(""), "a regular expression's options");
  }

  #binary(name: Name, bytes: Uint8Array, subType: number): void {
    this.#head(type.BINARY, name);
    const old = subType === 2;
    this.#need(bytes.length + 9);
    this.#int32(bytes.length + (old ? 4 : 0));
    this.#bytes[this.#at++] = subType;
    if (old) this.#int32(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A value of a class of js-bson's, of any version of it: the tag says which, whosever class it is. */
  #tagged(name: Name, value: foreign.Tagged, depth: number): void {
    const tag = foreign.tagOf(value);
    switch (tag) {
      // Old versions of js-bson have other names for some types and fields.
      case "ObjectID":
      case "ObjectId":
        this.#head(type.OBJECT_ID, name);
        this.#copy(foreign.objectIdBytes(value), 12);
        return;
      case "Int32":
        this.#head(type.INT32, name);
        this.#int32(foreign.numberIn(value) | 0);
        return;
      case "Double":
        this.#head(type.DOUBLE, name);
        this.#double(foreign.numberIn(value));
        return;
      case "Long":
      case "Timestamp": {
        const [low, high] = foreign.halvesOf(value);
        this.#head(tag === "Long" ? type.INT64 : type.TIMESTAMP, name);
        this.#int32(low);
        this.#int32(high);
        return;
      }
      case "Decimal128":
        this.#head(type.DECIMAL128, name);
        this.#copy(foreign.decimalBytes(value), 16);
        return;
      case "Binary":
      case "UUID":
        this.#binary(name, foreign.binaryBytes(value), foreign.subTypeOf(value));
        return;
      case "BSONRegExp":
        this.#regularExpression(name, foreign.textIn(value, "pattern"), foreign.textIn(value, "options"));
        return;
      case "Symbol":
      case "BSONSymbol":
        this.#head(type.SYMBOL, name);
        this.#string(foreign.textIn(value, "value"));
        return;
      case "MinKey":
        this.#head(type.MIN_KEY, name);
        return;
      case "MaxKey":
        this.#head(type.MAX_KEY, name);
        return;
      case "Code":
        this.#code(name, String(value["code"]), value["scope"] as Document | null | undefined, depth);
        return;
      case "DBRef": {
        const reference: Document = { $ref: foreign.textIn(value, "collection", "namespace"), $id: value["oid"] };
        if (value["db"] !== undefined && value["db"] !== null) reference["$db"] = value["db"];
        this.#head(type.DOCUMENT, name);
        this.#document(Object.assign(reference, value["fields"]), depth + 1, NOWHERE);
        return;
      }
      default:
        throw new CodecError(`Unrecognized or invalid _bsontype: ${tag}`);
    }
  }

  #code(name: Name, code: string, scope: Document | null | undefined, depth: number): void {
    if (scope === null || scope === undefined) {
      this.#head(type.CODE, name);
      this.#string(code);
      return;
    }
    this.#head(type.CODE_WITH_SCOPE, name);
    const start = this.#at;
    this.#at += 4;
    this.#string(code);
    this.#document(scope, depth + 1, NOWHERE);
    this.#view.setInt32(start, this.#at - start, true);
  }
}

const heap = new HeapTarget();
const heapEncoder = new Encoder(heap);
let busy = false;

/** A document as bytes of its own. */
export function encode(document: Document, options?: EncodeOptions): Uint8Array {
  // `toBSON` of a user's class may encode another document meanwhile.
  if (busy) {
    const target = new HeapTarget();
    const length = new Encoder(target).encode(document, options);
    return target.grow(length).slice(0, length);
  }
  busy = true;
  try {
    const length = heapEncoder.encode(document, options);
    return heap.grow(length).slice(0, length);
  } finally {
    busy = false;
  }
}
