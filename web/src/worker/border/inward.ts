/**
 * A reply's bytes as QuickJS reads values of its own: one call makes all of them, and no line of a script runs for each
 * field.
 *
 * Values that QuickJS's binary form has (texts, numbers, dates, objects, arrays) are written in it. For any other value
 * (`ObjectId`, `Long`, …) a null stands at its place, and an entry of a list behind the reply says how to make it: its
 * kind, the object that holds it, its name there, and its members (`shell/border.ts`). Invariants: an object of that
 * list is one that stays: a document with one name twice, whose first value QuickJS would let go, is not written so.
 * The form is that of the QuickJS that this build has (`test/border.test.ts`).
 */
import { Decimal128 } from "bson";
import * as type from "../../codec/types.ts";
import { SPECIAL } from "../../shell/border-kinds.ts";

/** The form's version, and its tags. */
const VERSION = 0x17;
const FORM = {
  NULL: 1,
  UNDEFINED: 2,
  FALSE: 3,
  TRUE: 4,
  INT32: 5,
  DOUBLE: 6,
  TEXT: 7,
  OBJECT: 8,
  ARRAY: 9,
  BYTES: 15,
  DATE: 18,
  REFERENCE: 20,
} as const;
/** QuickJS takes ten times as many names at once; nobody's documents have so many. */
const MOST_NAMES = 100_000;
/** Names are numbered from here on. */
const FIRST_NAME = 1;
/** Beyond this there is no instant. */
const LAST_INSTANT = 8.64e15;
const FIRST_BYTES = 1 << 12;
/** A longer buffer is let go after use. */
const KEPT_BYTES = 1 << 22;
const SHORT_TEXT = 48;
/** Room for names at first, and how much of it is kept. */
const FIRST_NAMES = 32;
const KEPT_NAMES = 1 << 9;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes that grow. */
class Growing {
  bytes = new Uint8Array(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  at = 0;

  need(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.at + length, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
  clear(): void {
    this.at = 0;
    if (this.bytes.length <= KEPT_BYTES) return;
    this.bytes = new Uint8Array(FIRST_BYTES);
    this.view = new DataView(this.bytes.buffer);
  }
  byte(value: number): void {
    this.need(1);
    this.bytes[this.at++] = value;
  }
  /** Seven bits a byte. */
  count(value: number): void {
    this.need(5);
    let left = value >>> 0;
    for (; left >= 128; left >>>= 7) this.bytes[this.at++] = (left & 127) | 128;
    this.bytes[this.at++] = left;
  }
  int(value: number): void {
    this.byte(FORM.INT32);
    this.count((value << 1) ^ (value >> 31));
  }
  double(value: number): void {
    this.need(9);
    this.bytes[this.at++] = FORM.DOUBLE;
    this.view.setFloat64(this.at, value, true);
    this.at += 8;
  }
  /** A text, as it stands behind its tag and as names are listed. */
  text(from: Uint8Array, start: number, stop: number): void {
    const length = stop - start;
    this.need(5 + length);
    const before = this.at;
    this.count(length * 2);
    let seen = 0;
    if (length <= SHORT_TEXT) {
      const { bytes, at } = this;
      for (let index = 0; index < length; index++) {
        const code = from[start + index] as number;
        seen |= code;
        bytes[at + index] = code;
      }
    } else {
      for (let index = start; index < stop; index++) seen |= from[index] as number;
      if (seen < 128) this.bytes.set(from.subarray(start, stop), this.at);
    }
    if (seen < 128) {
      this.at += length;
      return;
    }
    this.at = before;
    this.units(utf8.decode(from.subarray(start, stop)));
  }
  units(text: string): void {
    let seen = 0;
    for (let index = 0; index < text.length; index++) seen |= text.charCodeAt(index);
    const isWide = seen > 255;
    this.count(text.length * 2 + (isWide ? 1 : 0));
    this.need(2 * text.length);
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      this.bytes[this.at++] = code & 255;
      if (isWide) this.bytes[this.at++] = code >> 8;
    }
  }
  words(text: string): void {
    this.byte(FORM.TEXT);
    this.units(text);
  }
  append(other: Growing): void {
    this.need(other.at);
    this.bytes.set(other.bytes.subarray(0, other.at), this.at);
    this.at += other.at;
  }
}

/** The largest number that QuickJS keeps as one where it is a name. */
const LAST_INDEX = 2147483647;

/** The number that these bytes write as JavaScript does, or -1. */
function indexOf(bytes: Uint8Array, start: number, stop: number): number {
  const first = (bytes[start] as number) - 48;
  if (stop - start > 10 || stop === start || first < 0 || first > 9 || (first === 0 && stop - start > 1)) return -1;
  let value = 0;
  for (let at = start; at < stop; at++) {
    const digit = (bytes[at] as number) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value <= LAST_INDEX ? value : -1;
}

/** The names of a reply, each once, found by their bytes. */
class Names {
  readonly #pool = new Growing();
  #starts = new Int32Array(FIRST_NAMES);
  #lengths = new Int32Array(FIRST_NAMES);
  /** The serial number of the document that had the name last. */
  seen = new Float64Array(FIRST_NAMES);
  #slots = new Int32Array(2 * FIRST_NAMES);
  count = 0;

  clear(): void {
    this.#pool.clear();
    if (this.#starts.length > KEPT_NAMES) {
      this.#starts = new Int32Array(FIRST_NAMES);
      this.#lengths = new Int32Array(FIRST_NAMES);
      this.seen = new Float64Array(FIRST_NAMES);
      this.#slots = new Int32Array(2 * FIRST_NAMES);
    } else {
      this.#slots.fill(0);
      this.seen.fill(0, 0, this.count);
    }
    this.count = 0;
  }

  /** The number of the name that begins here, and how long it is. */
  at(from: Uint8Array, start: number, length: number): number {
    let hash = length;
    for (let index = 0; index < length; index++) hash = Math.imul(hash ^ (from[start + index] as number), 0x01000193);
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const known = (this.#slots[slot] as number) - 1;
      if (known < 0) return this.#add(from, start, length, slot);
      if (this.#lengths[known] === length && this.#isSame(this.#starts[known] as number, from, start, length))
        return known;
    }
  }
  #isSame(known: number, from: Uint8Array, start: number, length: number): boolean {
    const { bytes } = this.#pool;
    for (let index = 0; index < length; index++) if (bytes[known + index] !== from[start + index]) return false;
    return true;
  }
  #add(from: Uint8Array, start: number, length: number, slot: number): number {
    const number = this.count++;
    if (number === this.#starts.length) this.#grow();
    const pool = this.#pool;
    pool.need(length);
    this.#starts[number] = pool.at;
    this.#lengths[number] = length;
    pool.bytes.set(from.subarray(start, start + length), pool.at);
    pool.at += length;
    this.seen[number] = 0;
    this.#slots[slot] = number + 1;
    if (this.count * 2 > this.#slots.length) this.#spread();
    return number;
  }
  #grow(): void {
    const larger = <List extends Int32Array | Float64Array>(list: List, made: List): List => {
      made.set(list);
      return made;
    };
    const size = this.#starts.length * 2;
    this.#starts = larger(this.#starts, new Int32Array(size));
    this.#lengths = larger(this.#lengths, new Int32Array(size));
    this.seen = larger(this.seen, new Float64Array(size));
  }
  #spread(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    const { bytes } = this.#pool;
    for (let number = 0; number < this.count; number++) {
      const start = this.#starts[number] as number;
      const length = this.#lengths[number] as number;
      let hash = length;
      for (let index = 0; index < length; index++)
        hash = Math.imul(hash ^ (bytes[start + index] as number), 0x01000193);
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }

  /** A name as it stands before a field's value: its number in the list, or the number that it is. */
  written(number: number): number {
    const start = this.#starts[number] as number;
    const index = indexOf(this.#pool.bytes, start, start + (this.#lengths[number] as number));
    return index >= 0 ? index * 2 + 1 : (number + FIRST_NAME) * 2;
  }

  /** Writes a name as a text. */
  write(number: number, into: Growing): void {
    const start = this.#starts[number] as number;
    into.text(this.#pool.bytes, start, start + (this.#lengths[number] as number));
  }
}

/** Thrown for a reply that the binary form cannot hold. */
const UNTELLABLE = Symbol("untellable");

/**
 * The fields of a document or array that are kept as doubles although they are integral: names or places, and where the
 * numbers stand.
 */
type Marks = number[];

export class InwardWriter {
  readonly #body = new Growing();
  readonly #late = new Growing();
  readonly #whole = new Growing();
  readonly #names = new Names();
  #from: Uint8Array = this.#body.bytes;
  #view: DataView = this.#body.view;
  #at = 0;
  /** Objects of the reply so far, which is how they are referred to; those of the list come after all of them. */
  #objects = 0;
  #serial = 0;
  #specials = 0;
  /** Names of the documents around, with the values they held before. */
  #log: number[] = [];

  /**
   * The form of a reply with the list of the fields missing in it; null when it cannot be told so. Good until the next
   * call.
   */
  write(reply: Uint8Array): Uint8Array | null {
    this.#from = reply;
    this.#view = new DataView(reply.buffer, reply.byteOffset, reply.length);
    this.#at = 0;
    // The first is the list of both.
    this.#objects = 1;
    this.#serial = 0;
    this.#specials = 0;
    this.#log.length = 0;
    this.release();
    this.#names.clear();
    try {
      this.#document();
    } catch (thrown) {
      if (thrown === UNTELLABLE) return null;
      throw thrown;
    }
    const { count } = this.#names;
    if (count > MOST_NAMES) return null;
    const whole = this.#whole;
    whole.byte(VERSION);
    whole.count(count);
    for (let name = 0; name < count; name++) {
      whole.byte(1);
      this.#names.write(name, whole);
    }
    whole.byte(FORM.ARRAY);
    whole.count(2);
    whole.append(this.#body);
    whole.byte(FORM.ARRAY);
    whole.count(this.#specials);
    whole.append(this.#late);
    return whole.bytes.subarray(0, whole.at);
  }

  /** Frees the buffers that a long reply made large. */
  release(): void {
    for (const part of [this.#body, this.#late, this.#whole]) part.clear();
  }

  #document(): void {
    const holder = this.#objects++;
    const serial = ++this.#serial;
    const logged = this.#log.length;
    const from = this.#from;
    const last = this.#at + this.#view.getInt32(this.#at, true) - 1;
    this.#at += 4;
    const body = this.#body;
    body.byte(FORM.OBJECT);
    const counted = body.at;
    // One byte is enough for most; the others are moved.
    body.byte(0);
    let count = 0;
    let marks: Marks | null = null;
    while (this.#at < last) {
      const kind = from[this.#at] as number;
      const start = this.#at + 1;
      let stop = start;
      while (from[stop] !== 0 && stop < last) stop += 1;
      this.#at = stop + 1;
      const name = this.#names.at(from, start, stop - start);
      const before = this.#names.seen[name] as number;
      if (before === serial) throw UNTELLABLE;
      this.#log.push(name, before);
      this.#names.seen[name] = serial;
      count += 1;
      body.count(this.#names.written(name));
      if (kind === type.DOUBLE && this.#isIntegral()) (marks ??= []).push(name, this.#at);
      this.#value(kind, holder, name);
    }
    for (let at = this.#log.length; at > logged; at -= 2)
      this.#names.seen[this.#log[at - 2] as number] = this.#log[at - 1] as number;
    this.#log.length = logged;
    this.#at = last + 1;
    this.#counted(counted, count);
    if (marks !== null) this.#markFields(holder, marks);
  }

  /** Writes a count at the byte that was left for it. */
  #counted(at: number, count: number): void {
    const body = this.#body;
    if (count < 128) {
      body.bytes[at] = count;
      return;
    }
    const stop = body.at;
    let more = 0;
    for (let left = count >>> 7; left > 0; left >>>= 7) more += 1;
    body.need(more);
    body.bytes.copyWithin(at + 1 + more, at + 1, stop);
    body.at = at;
    body.count(count);
    body.at = stop + more;
  }

  #array(): void {
    const holder = this.#objects++;
    const from = this.#from;
    const last = this.#at + this.#view.getInt32(this.#at, true) - 1;
    this.#at += 4;
    const body = this.#body;
    body.byte(FORM.ARRAY);
    const counted = body.at;
    body.byte(0);
    let count = 0;
    let marks: Marks | null = null;
    while (this.#at < last) {
      const kind = from[this.#at++] as number;
      while (from[this.#at] !== 0 && this.#at < last) this.#at += 1;
      this.#at += 1;
      if (kind === type.DOUBLE && this.#isIntegral()) (marks ??= []).push(count, this.#at);
      this.#value(kind, holder, -1 - count);
      count += 1;
    }
    this.#at = last + 1;
    this.#counted(counted, count);
    if (marks !== null) this.#markItems(holder, marks);
  }

  /** Whether the double here would be an int32 if it were written again. */
  #isIntegral(): boolean {
    const value = this.#view.getFloat64(this.#at, true);
    return (value | 0) === value && !Object.is(value, -0);
  }

  #markFields(holder: number, marks: Marks): void {
    const late = this.#special(SPECIAL.MARKS, holder, null);
    late.byte(FORM.OBJECT);
    late.count(marks.length / 2);
    for (let index = 0; index < marks.length; index += 2) {
      late.count(this.#names.written(marks[index] as number));
      late.double(this.#view.getFloat64(marks[index + 1] as number, true));
    }
    late.byte(FORM.NULL);
  }
  #markItems(holder: number, marks: Marks): void {
    const late = this.#special(SPECIAL.MARKS, holder, null);
    late.byte(FORM.ARRAY);
    late.count((marks.at(-2) as number) + 1);
    let next = 0;
    for (let index = 0; index < marks.length; index += 2) {
      for (; next < (marks[index] as number); next += 1) late.byte(FORM.NULL);
      late.double(this.#view.getFloat64(marks[index + 1] as number, true));
      next += 1;
    }
    late.byte(FORM.NULL);
  }

  /**
   * Begins an entry of the list: the value's kind, the object that holds it, and its name there; its two members are to
   * follow.
   */
  #special(kind: number, holder: number, name: number | null): Growing {
    const late = this.#late;
    this.#specials += 5;
    late.int(kind);
    late.byte(FORM.REFERENCE);
    late.count(holder);
    if (name === null) late.byte(FORM.NULL);
    else if (name < 0) late.int(-1 - name);
    else {
      late.byte(FORM.TEXT);
      this.#names.write(name, late);
    }
    return late;
  }

  /** As `#special`, of a value at whose place stands null. */
  #missing(kind: number, holder: number, name: number): Growing {
    this.#body.byte(FORM.NULL);
    return this.#special(kind, holder, name);
  }

  #int32(): number {
    const value = this.#view.getInt32(this.#at, true);
    this.#at += 4;
    return value;
  }

  #text(into: Growing): void {
    const length = this.#int32();
    into.byte(FORM.TEXT);
    into.text(this.#from, this.#at, this.#at + length - 1);
    this.#at += length;
  }
  #cText(into: Growing): void {
    const start = this.#at;
    while (this.#from[this.#at] !== 0 && this.#at < this.#from.length) this.#at += 1;
    into.byte(FORM.TEXT);
    into.text(this.#from, start, this.#at);
    this.#at += 1;
  }
  #hexadecimal(into: Growing, length: number): void {
    into.byte(FORM.TEXT);
    into.count(length * 4);
    into.need(length * 2);
    for (const stop = this.#at + length; this.#at < stop; this.#at++) {
      const byte = this.#from[this.#at] as number;
      into.bytes[into.at++] = digit(byte >> 4);
      into.bytes[into.at++] = digit(byte & 15);
    }
  }

  #value(kind: number, holder: number, name: number): void {
    const body = this.#body;
    switch (kind) {
      case type.STRING:
        this.#text(body);
        return;
      case type.INT32:
        body.int(this.#int32());
        return;
      case type.DOUBLE:
        body.double(this.#view.getFloat64(this.#at, true));
        this.#at += 8;
        return;
      case type.DOCUMENT:
        this.#inner(holder, name);
        return;
      case type.ARRAY:
        this.#array();
        return;
      case type.BOOLEAN:
        body.byte(this.#from[this.#at++] === 1 ? FORM.TRUE : FORM.FALSE);
        return;
      case type.NULL:
        body.byte(FORM.NULL);
        return;
      case type.UNDEFINED:
        body.byte(FORM.UNDEFINED);
        return;
      case type.DATE:
        this.#date();
        return;
      default:
        this.#other(kind, holder, name);
    }
  }

  #date(): void {
    const low = this.#int32() >>> 0;
    const millis = this.#int32() * 4294967296 + low;
    this.#objects += 1;
    this.#body.byte(FORM.DATE);
    this.#body.double(Math.abs(millis) > LAST_INSTANT ? NaN : millis);
  }

  /** A document inside another; one that begins as a reference to a document becomes one. */
  #inner(holder: number, name: number): void {
    const first = this.#at + 4;
    const isReference =
      this.#from[first] === type.STRING &&
      this.#view.getUint32(first + 1, true) === REFERENCE &&
      this.#from[first + 5] === 0;
    this.#document();
    if (!isReference) return;
    const late = this.#special(SPECIAL.REFERENCE, holder, name);
    late.byte(FORM.NULL);
    late.byte(FORM.NULL);
  }

  #other(kind: number, holder: number, name: number): void {
    switch (kind) {
      case type.OBJECT_ID: {
        const late = this.#missing(SPECIAL.OBJECT_ID, holder, name);
        this.#hexadecimal(late, 12);
        late.byte(FORM.NULL);
        return;
      }
      case type.INT64:
      case type.TIMESTAMP: {
        const late = this.#missing(kind === type.INT64 ? SPECIAL.LONG : SPECIAL.TIMESTAMP, holder, name);
        late.int(this.#int32());
        late.int(this.#int32());
        return;
      }
      case type.DECIMAL128: {
        const late = this.#missing(SPECIAL.DECIMAL128, holder, name);
        late.words(new Decimal128(this.#from.slice(this.#at, this.#at + 16)).toString());
        this.#at += 16;
        late.byte(FORM.NULL);
        return;
      }
      case type.BINARY:
        this.#binary(holder, name);
        return;
      case type.REGULAR_EXPRESSION: {
        const late = this.#missing(SPECIAL.REGULAR_EXPRESSION, holder, name);
        this.#cText(late);
        this.#cText(late);
        return;
      }
      case type.DB_POINTER: {
        const late = this.#missing(SPECIAL.DB_POINTER, holder, name);
        this.#text(late);
        this.#hexadecimal(late, 12);
        return;
      }
      case type.CODE:
      case type.SYMBOL: {
        const late = this.#missing(kind === type.CODE ? SPECIAL.CODE : SPECIAL.SYMBOL, holder, name);
        this.#text(late);
        late.byte(FORM.NULL);
        return;
      }
      case type.CODE_WITH_SCOPE:
        this.#scoped(holder, name);
        return;
      case type.MIN_KEY:
      case type.MAX_KEY: {
        const late = this.#missing(kind === type.MIN_KEY ? SPECIAL.MIN_KEY : SPECIAL.MAX_KEY, holder, name);
        late.byte(FORM.NULL);
        late.byte(FORM.NULL);
        return;
      }
      default:
        throw new Error(`0x${kind.toString(16)} is no BSON type, at offset ${this.#at}`);
    }
  }

  #binary(holder: number, name: number): void {
    const length = this.#int32();
    const subType = this.#from[this.#at++] as number;
    // The old subtype has its length twice. Bytes stored otherwise are the whole value.
    const isOld = subType === 2 && length >= 4 && this.#view.getInt32(this.#at, true) === length - 4;
    const inner = isOld ? this.#int32() : length;
    const late = this.#missing(SPECIAL.BINARY, holder, name);
    late.byte(FORM.BYTES);
    late.count(inner);
    late.count(UNBOUNDED);
    late.need(inner);
    late.bytes.set(this.#from.subarray(this.#at, this.#at + inner), late.at);
    late.at += inner;
    late.int(subType);
    this.#at += inner;
  }

  /** The scope stands at the place of the code, and is taken from there. */
  #scoped(holder: number, name: number): void {
    this.#at += 4;
    const code = this.#at;
    const length = this.#int32();
    this.#at += length;
    this.#document();
    const after = this.#at;
    const late = this.#special(SPECIAL.SCOPED_CODE, holder, name);
    this.#at = code;
    this.#text(late);
    late.byte(FORM.NULL);
    this.#at = after;
  }
}

/** `$ref`, as four bytes. */
const REFERENCE = 0x66657224;
/** The most a buffer may grow to, where it may not grow. */
const UNBOUNDED = 0xffffffff;

/** A hexadecimal digit's code. */
function digit(value: number): number {
  return value < 10 ? 48 + value : 87 + value;
}
