/**
 * Values of a script as BSON bytes, read where QuickJS keeps them: no line of a script runs, and no text is made of
 * them.
 *
 * Read are plain objects, arrays, dates and the shell's types, as `shell/ejson.ts` would write them. Invariant: a value
 * that `shell/ejson.ts` might write in another way (a getter, `toBSON`, a function, an object of another class, an
 * invalid date, a name with a zero) is not read: the answer is null then, and the shell sends the command as text.
 */
import { Decimal128 } from "bson";
import { STATEMENTS_END } from "../../codec/cut.ts";
import * as type from "../../codec/types.ts";
import {
  type Places,
  CLASS,
  EXOTIC,
  FAST_ITEMS,
  OBJECT,
  SHAPE,
  TAG,
  TEXT_BYTES,
  classOf,
  doubleHigh,
  isDouble,
  isEnumerable,
  isValue,
  numberOf,
} from "./places.ts";

/** As `shell/ejson.ts` has it: a value nested deeper gets its error there. */
const MAX_DEPTH = 200;
/** As `shell/shell.ts` has it: a value nested deeper is shown as text. */
const MAX_SHOWN_DEPTH = 100;
const FIRST_BYTES = 1 << 16;
/** Most bytes that are written, 128 MiB: an object that refers to itself would have no end. */
const MOST_BYTES = 1 << 27;
/** A longer buffer is let go after use. */
const KEPT_BYTES = 1 << 22;
/** Longer texts are copied by the engine of JavaScript. */
const SHORT_TEXT = 48;
const OBJECT_ID_DIGITS = 24;

/** Thrown, without a stack, for a value that cannot be read here. */
const UNREADABLE = Symbol("unreadable");

/** The objects by which kinds of objects are known, in the order in which the shell gives them (`shell/border.ts`). */
const SAMPLES = [
  "ObjectId",
  "Int32",
  "Double",
  "Long",
  "Decimal128",
  "Binary",
  "UUID",
  "Timestamp",
  "MinKey",
  "MaxKey",
  "plain",
  "array",
  "date",
  "marked",
] as const;
type Sample = (typeof SAMPLES)[number];
/** For each of the shell's types, the private or public properties that hold its value. */
const HOLDERS: Readonly<Partial<Record<Sample, readonly string[]>>> = {
  ObjectId: ["#hex"],
  Int32: ["value"],
  Double: ["value"],
  Long: ["#value"],
  Decimal128: ["#text"],
  Binary: ["buffer", "sub_type"],
  UUID: ["buffer", "sub_type"],
  Timestamp: ["t", "i"],
};

interface Known {
  readonly kind: Sample;
  readonly slots: readonly number[];
}

/** An object from which others inherit, as it was when its names were last looked at. */
interface Ancestor {
  readonly address: number;
  readonly prototype: number;
  shape: number;
  count: number;
  deleted: number;
}

interface Field {
  readonly slot: number;
  readonly atom: number;
  /** Room for the type, the name and a zero. */
  readonly name: Uint8Array;
}

type Marks = Map<number, number>;

/** The fields that all plain objects of one shape have. */
interface Plain {
  readonly fields: readonly Field[];
  /** Where the marks of doubles are, or -1. */
  readonly marks: number;
}

const positions: Uint8Array[] = [];
const KEPT_POSITIONS = 1000;
const utf8 = new TextEncoder();
/** A name with room for the type before it and a zero behind. */
function encoded(text: string): Uint8Array {
  return utf8.encode(`\0${text}\0`);
}
function position(index: number): Uint8Array {
  if (index >= KEPT_POSITIONS) return encoded(String(index));
  return (positions[index] ??= encoded(String(index)));
}

/** Names seen lately: those of commands are few. */
const names = new Map<string, Uint8Array>();
const KEPT_NAMES = 1000;
function named(text: string): Uint8Array {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= KEPT_NAMES) names.clear();
    name = text === "$db" ? DATABASE : encoded(text);
    names.set(text, name);
  }
  return name;
}

export class OutwardReader {
  readonly #places: () => Places;
  readonly #known = new Map<number, Known>();
  readonly #ancestors: Ancestor[] = [];
  readonly #plainPrototype: number;
  readonly #arrayPrototype: number;
  readonly #datePrototype: number;
  readonly #markAtom: number;

  #from: Places;
  #shapes = new Map<number, Plain>();
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  #asDouble = false;
  #shown = false;
  /** Where the array of a command's statements is, of which the last may be left out; -1 for none. */
  #statements = -1;
  #left = 0;

  /** `samples` is the address of the value that is their array. */
  constructor(places: () => Places, samples: number) {
    this.#places = places;
    const from = places();
    this.#from = from;
    const items = from.at(from.at(samples, 0), OBJECT.ITEMS);
    const shapes = new Map<Sample, number>();
    SAMPLES.forEach((kind, place) => {
      const shape = from.at(from.at(items, 2 * place), OBJECT.SHAPE);
      shapes.set(kind, shape);
      const properties = [...from.properties(shape)];
      const holders = HOLDERS[kind];
      if (holders !== undefined || kind === "MinKey" || kind === "MaxKey") {
        const slots = (holders ?? []).map(
          (name) => properties.find(({ atom }) => from.text(from.name(atom)) === name)?.slot ?? -1,
        );
        if (slots.includes(-1)) throw new Error(`the shell's ${kind} is not as the sandbox's border knows it`);
        this.#known.set(shape, { kind, slots });
      }
    });
    const shapeOf = (kind: Sample): number => shapes.get(kind) as number;
    const prototypeOf = (kind: Sample): number => from.at(shapeOf(kind), SHAPE.PROTOTYPE);
    this.#plainPrototype = prototypeOf("plain");
    this.#arrayPrototype = prototypeOf("array");
    this.#datePrototype = prototypeOf("date");
    this.#markAtom = from.at(shapeOf("marked"), SHAPE.PROPERTIES + 1);
    for (const address of new Set(SAMPLES.map(prototypeOf))) {
      this.#ancestors.push({
        address,
        prototype: from.at(from.at(address, OBJECT.SHAPE), SHAPE.PROTOTYPE),
        shape: 0,
        count: 0,
        deleted: 0,
      });
    }
    if (!this.#areAncestorsPlain()) throw new Error("the shell's types are not as the sandbox's border knows them");
  }

  /** How many statements of the last command were left out; see `codec/cut.ts`. */
  get left(): number {
    return this.#left;
  }

  /**
   * A command as bytes, its database last; all are addresses of values. `statements` is that of the array of which the
   * last may be left out, or of no array. Good until the next call.
   */
  command(database: number, command: number, numbersAsDouble: number, statements: number): Uint8Array | null {
    return this.#read(false, () => {
      const from = this.#from;
      this.#statements = from.at(statements, 1) === TAG.OBJECT ? from.at(statements, 0) : -1;
      this.#asDouble = from.at(numbersAsDouble, 0) !== 0;
      if (from.at(command, 1) !== TAG.OBJECT) throw UNREADABLE;
      this.#document(from.at(command, 0), 0, database);
    });
  }

  /** A document whose only field holds a value that is to be shown. Good until the next call. */
  shown(value: number): Uint8Array | null {
    return this.#read(true, () => {
      this.#asDouble = false;
      this.#need(8);
      this.#at = 4;
      this.#value(VALUE, this.#from.at(value, 1), this.#from.at(value, 0), 0, null);
      this.#close(0);
    });
  }

  /** Frees the buffer if a long value made it larger than `KEPT_BYTES`. */
  release(): void {
    if (this.#bytes.length <= KEPT_BYTES) return;
    this.#bytes = new Uint8Array(FIRST_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /**
   * Reads a value that `write` writes; null where it cannot be read. With `shown` the page gets it as the script's
   * result: doubles that came from the engine stay doubles then, and a value that would come back as another is not
   * read.
   */
  #read(shown: boolean, write: () => void): Uint8Array | null {
    this.#from = this.#places();
    this.#shown = shown;
    this.#statements = -1;
    this.#left = 0;
    this.#at = 0;
    try {
      if (!this.#areAncestorsPlain()) return null;
      write();
      return this.#bytes.subarray(0, this.#at);
    } catch (thrown) {
      if (thrown === UNREADABLE) return null;
      throw thrown;
    } finally {
      this.#shapes.clear();
    }
  }

  /** Whether objects inherit no `toBSON` and no `_bsontype`: a script may have given them one. */
  #areAncestorsPlain(): boolean {
    const from = this.#from;
    for (const ancestor of this.#ancestors) {
      const shape = from.at(ancestor.address, OBJECT.SHAPE);
      const count = from.at(shape, SHAPE.COUNT);
      const deleted = from.at(shape, SHAPE.DELETED);
      if (from.at(shape, SHAPE.PROTOTYPE) !== ancestor.prototype) return false;
      if (shape === ancestor.shape && count === ancestor.count && deleted === ancestor.deleted) continue;
      for (const { atom } of from.properties(shape)) if (this.#isSpecial(atom)) return false;
      Object.assign(ancestor, { shape, count, deleted });
    }
    return true;
  }
  #isSpecial(atom: number): boolean {
    if (atom === 0 || numberOf(atom) >= 0 || !this.#from.isText(atom)) return false;
    const length = this.#from.lengthOf(this.#from.name(atom));
    if (length !== "toBSON".length && length !== "_bsontype".length) return false;
    const text = this.#from.text(this.#from.name(atom));
    return text === "toBSON" || text === "_bsontype";
  }

  #need(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    if (this.#at + length > MOST_BYTES) throw UNREADABLE;
    const larger = new Uint8Array(Math.max(this.#at + length, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
  #int32(value: number): void {
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }
  #close(start: number): void {
    this.#need(1);
    this.#bytes[this.#at++] = 0;
    this.#view.setInt32(start, this.#at - start, true);
  }

  /** Writes an element's type and name, with room for a small value behind. */
  #head(kind: number, name: Uint8Array): void {
    this.#need(name.length + 24);
    const bytes = this.#bytes;
    let at = this.#at;
    bytes[at++] = kind;
    for (let index = 1; index < name.length; index++) bytes[at++] = name[index] as number;
    this.#at = at;
  }

  #value(name: Uint8Array, tag: number, payload: number, depth: number, mark: number | null): void {
    switch (tag) {
      case TAG.STRING:
      case TAG.ROPE:
        this.#head(type.STRING, name);
        this.#string(tag, payload);
        return;
      case TAG.INT:
        if (this.#asDouble) this.#double(name, payload | 0);
        else {
          this.#head(type.INT32, name);
          this.#int32(payload);
        }
        return;
      case TAG.OBJECT:
        this.#object(name, payload, depth);
        return;
      case TAG.BOOLEAN:
        this.#head(type.BOOLEAN, name);
        this.#bytes[this.#at++] = payload;
        return;
      case TAG.UNDEFINED:
        // Undefined is stored as null, which could not be shown as undefined.
        if (this.#shown) throw UNREADABLE;
        this.#head(type.NULL, name);
        return;
      case TAG.NULL:
        this.#head(type.NULL, name);
        return;
      case TAG.SHORT_BIGINT:
        if (this.#shown) throw UNREADABLE;
        this.#head(type.INT64, name);
        this.#int32(payload);
        this.#int32(payload >> 31);
        return;
      default:
        this.#number(name, this.#doubleOf(tag, payload), mark);
    }
  }

  #doubleOf(tag: number, payload: number): number {
    if (!isDouble(tag)) throw UNREADABLE;
    scratch.setUint32(0, payload, true);
    scratch.setUint32(4, doubleHigh(tag), true);
    return scratch.getFloat64(0, true);
  }
  /** A number of a property, whichever way it is kept. */
  #numberAt(address: number, word: number): number {
    const payload = this.#from.at(address, word);
    const tag = this.#from.at(address, word + 1);
    return tag === TAG.INT ? payload | 0 : this.#doubleOf(tag, payload);
  }

  /**
   * `mark` is the integral number that came from the engine as a double: while the property still has it, it is written
   * as a double.
   */
  #number(name: Uint8Array, value: number, mark: number | null): void {
    if (this.#asDouble || (value | 0) !== value || Object.is(value, -0) || value === mark) this.#double(name, value);
    else {
      this.#head(type.INT32, name);
      this.#int32(value);
    }
  }
  #double(name: Uint8Array, value: number): void {
    this.#head(type.DOUBLE, name);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  #string(tag: number, address: number): void {
    const start = this.#at;
    this.#at += 4;
    if (tag === TAG.ROPE) this.#joined(this.#from.parts(tag, address));
    else if (this.#from.isWide(address))
      this.#wide(new Uint16Array(this.#from.words.buffer, address + TEXT_BYTES, this.#from.lengthOf(address)));
    else this.#narrow(address + TEXT_BYTES, this.#from.lengthOf(address));
    this.#need(1);
    this.#bytes[this.#at++] = 0;
    this.#view.setInt32(start, this.#at - start - 4, true);
  }
  /** Halves of a pair of surrogates may be in two parts. */
  #joined(parts: readonly number[]): void {
    const from = this.#from;
    if (!parts.some((part) => from.isWide(part))) {
      for (const part of parts) this.#narrow(part + TEXT_BYTES, from.lengthOf(part));
      return;
    }
    const units = new Uint16Array(parts.reduce((sum, part) => sum + from.lengthOf(part), 0));
    let at = 0;
    for (const part of parts) {
      const length = from.lengthOf(part);
      const start = part + TEXT_BYTES;
      units.set(
        from.isWide(part)
          ? new Uint16Array(from.words.buffer, start, length)
          : from.bytes.subarray(start, start + length),
        at,
      );
      at += length;
    }
    this.#wide(units);
  }
  #narrow(start: number, length: number): void {
    const source = this.#from.bytes;
    this.#need(2 * length);
    const bytes = this.#bytes;
    let at = this.#at;
    let seen = 0;
    if (length <= SHORT_TEXT) {
      for (let index = 0; index < length; index++) {
        const code = source[start + index] as number;
        seen |= code;
        bytes[at + index] = code;
      }
    } else {
      for (let index = start; index < start + length; index++) seen |= source[index] as number;
      if (seen < 128) bytes.set(source.subarray(start, start + length), at);
    }
    if (seen < 128) {
      this.#at = at + length;
      return;
    }
    for (let index = start; index < start + length; index++) {
      const code = source[index] as number;
      if (code < 128) bytes[at++] = code;
      else {
        bytes[at++] = 0xc0 | (code >> 6);
        bytes[at++] = 0x80 | (code & 63);
      }
    }
    this.#at = at;
  }
  /** UTF-16 units as UTF-8; half a pair of surrogates becomes U+FFFD, the replacement character. */
  #wide(units: Uint16Array): void {
    this.#need(3 * units.length);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let index = 0; index < units.length; index++) {
      let code = units[index] as number;
      if (code >= 0xd800 && code < 0xe000) {
        const next = units[index + 1] ?? 0;
        if (code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
          index += 1;
        } else code = 0xfffd;
      }
      if (code < 0x80) bytes[at++] = code;
      else if (code < 0x800) {
        bytes[at++] = 0xc0 | (code >> 6);
        bytes[at++] = 0x80 | (code & 63);
      } else {
        if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
        else {
          bytes[at++] = 0xf0 | (code >> 18);
          bytes[at++] = 0x80 | ((code >> 12) & 63);
        }
        bytes[at++] = 0x80 | ((code >> 6) & 63);
        bytes[at++] = 0x80 | (code & 63);
      }
    }
    this.#at = at;
  }

  #object(name: Uint8Array, address: number, depth: number): void {
    const from = this.#from;
    const flags = from.at(address, OBJECT.FLAGS);
    switch (classOf(flags)) {
      case CLASS.ARRAY:
        this.#head(type.ARRAY, name);
        this.#array(address, flags, depth + 1);
        return;
      case CLASS.OBJECT: {
        const known = this.#known.get(from.at(address, OBJECT.SHAPE));
        if (known !== undefined) {
          this.#typed(name, known, from.at(address, OBJECT.VALUES));
          return;
        }
        this.#head(type.DOCUMENT, name);
        this.#document(address, depth + 1);
        return;
      }
      case CLASS.DATE:
        this.#date(name, address);
        return;
      default:
        throw UNREADABLE;
    }
  }

  #array(address: number, flags: number, depth: number): void {
    const from = this.#from;
    this.#notTooDeep(depth);
    const shape = from.at(address, OBJECT.SHAPE);
    const count = from.at(address, OBJECT.COUNT);
    const values = from.at(address, OBJECT.VALUES);
    // The first property is the length; there is another where doubles are marked.
    if (
      (flags & FAST_ITEMS) === 0 ||
      from.at(shape, SHAPE.PROTOTYPE) !== this.#arrayPrototype ||
      this.#numberAt(values, 0) !== count
    )
      throw UNREADABLE;
    let marks: Marks | null = null;
    if (from.at(shape, SHAPE.COUNT) > 1) {
      for (const { slot, atom } of from.properties(shape)) {
        if (slot === 0 || atom === 0) continue;
        if (atom !== this.#markAtom) throw UNREADABLE;
        if (this.#shown) marks = this.#marks(values, slot);
      }
    }
    this.#need(5);
    const start = this.#at;
    this.#at += 4;
    const items = from.at(address, OBJECT.ITEMS);
    const most = address === this.#statements ? STATEMENTS_END : Infinity;
    for (let index = 0, item = items >>> 2; index < count; index++, item += 2) {
      const tag = from.words[item + 1] as number;
      const before = this.#at;
      this.#value(position(index), tag, from.words[item] as number, depth, marks?.get(index) ?? null);
      if (this.#at > most && index > 0) {
        this.#at = before;
        this.#left = count - index;
        break;
      }
    }
    this.#close(start);
  }

  #notTooDeep(depth: number): void {
    if (depth > (this.#shown ? MAX_SHOWN_DEPTH : MAX_DEPTH)) throw UNREADABLE;
  }

  /** `database` is the address of a text which goes behind all fields. */
  #document(address: number, depth: number, database?: number): void {
    const from = this.#from;
    this.#notTooDeep(depth);
    if ((from.at(address, OBJECT.FLAGS) & EXOTIC) !== 0) throw UNREADABLE;
    const shape = from.at(address, OBJECT.SHAPE);
    const plain = this.#shapes.get(shape) ?? this.#plain(shape);
    const values = from.at(address, OBJECT.VALUES) >>> 2;
    const marks = this.#shown && plain.marks >= 0 ? this.#marks(values << 2, plain.marks) : null;
    this.#need(5);
    const start = this.#at;
    this.#at += 4;
    const { fields } = plain;
    for (let index = 0; index < fields.length; index++) {
      const { slot, atom, name } = fields[index] as Field;
      const tag = from.words[values + 2 * slot + 1] as number;
      this.#value(name, tag, from.words[values + 2 * slot] as number, depth, marks?.get(atom) ?? null);
    }
    if (database !== undefined) {
      if (fields.some(({ name }) => name === DATABASE)) throw UNREADABLE;
      this.#value(DATABASE, from.at(database, 1), from.at(database, 0), depth, null);
    }
    this.#close(start);
  }

  /**
   * The numbers that are marked: of an array by their places, of another object by the atoms of their names. A script
   * may have changed them.
   */
  #marks(values: number, slot: number): Marks {
    const from = this.#from;
    const marks: Marks = new Map();
    if (from.at(values, 2 * slot + 1) !== TAG.OBJECT) return marks;
    const address = from.at(values, 2 * slot);
    const flags = from.at(address, OBJECT.FLAGS);
    const note = (key: number, place: number, word: number): void => {
      const tag = from.at(place, word + 1);
      if (isDouble(tag)) marks.set(key, this.#doubleOf(tag, from.at(place, word)));
    };
    if (classOf(flags) === CLASS.ARRAY && (flags & FAST_ITEMS) !== 0) {
      const items = from.at(address, OBJECT.ITEMS);
      for (let index = 0; index < from.at(address, OBJECT.COUNT); index++) note(index, items, 2 * index);
    } else if (classOf(flags) === CLASS.OBJECT) {
      const places = from.at(address, OBJECT.VALUES);
      for (const property of from.properties(from.at(address, OBJECT.SHAPE)))
        if (isValue(property.attributes)) note(property.atom, places, 2 * property.slot);
    }
    return marks;
  }

  #plain(shape: number): Plain {
    const from = this.#from;
    const prototype = from.at(shape, SHAPE.PROTOTYPE);
    if (prototype !== this.#plainPrototype && prototype !== 0) throw UNREADABLE;
    const fields: Field[] = [];
    const numbered: Field[] = [];
    let marks = -1;
    const count = from.at(shape, SHAPE.COUNT);
    for (let slot = 0; slot < count; slot += 1) {
      const atom = from.atomOf(shape, slot);
      if (atom === 0) continue;
      if (atom === this.#markAtom) {
        marks = slot;
        continue;
      }
      const number = numberOf(atom);
      if (number < 0 && (!from.isText(atom) || this.#isSpecial(atom))) throw UNREADABLE;
      const attributes = from.attributesOf(shape, slot);
      if (!isEnumerable(attributes)) continue;
      if (!isValue(attributes)) throw UNREADABLE;
      if (number >= 0) numbered.push({ slot, atom, name: position(number) });
      else fields.push({ slot, atom, name: this.#fieldName(atom) });
    }
    // Numbers go before all other names, in their order.
    numbered.sort((left, right) => numberOf(left.atom) - numberOf(right.atom));
    const plain = { fields: numbered.length === 0 ? fields : [...numbered, ...fields], marks };
    this.#shapes.set(shape, plain);
    return plain;
  }

  #fieldName(atom: number): Uint8Array {
    const text = this.#from.text(this.#from.name(atom));
    // An integer name too large for an atom is a text here, but JavaScript orders it among the numbers: it is not read.
    if (text.includes("\0") || /^[2-4]\d{9}$/.test(text)) throw UNREADABLE;
    return named(text);
  }

  #date(name: Uint8Array, address: number): void {
    const from = this.#from;
    const shape = from.at(address, OBJECT.SHAPE);
    if (from.at(shape, SHAPE.PROTOTYPE) !== this.#datePrototype || from.at(shape, SHAPE.COUNT) !== 0) throw UNREADABLE;
    const millis = this.#numberAt(address, OBJECT.DATA);
    if (Number.isNaN(millis)) throw UNREADABLE;
    this.#head(type.DATE, name);
    this.#int32(millis % 4294967296);
    this.#int32(Math.floor(millis / 4294967296));
  }

  #typed(name: Uint8Array, { kind, slots }: Known, values: number): void {
    const from = this.#from;
    const first = 2 * (slots[0] ?? 0);
    const second = 2 * (slots[1] ?? 0);
    const tag = from.at(values, first + 1);
    const payload = from.at(values, first);
    switch (kind) {
      case "ObjectId":
        if (tag !== TAG.STRING || from.lengthOf(payload) !== OBJECT_ID_DIGITS || from.isWide(payload)) throw UNREADABLE;
        this.#head(type.OBJECT_ID, name);
        for (let digit = payload + TEXT_BYTES; digit < payload + TEXT_BYTES + OBJECT_ID_DIGITS; digit += 2) {
          this.#bytes[this.#at++] =
            (digitOf(from.bytes[digit] as number) << 4) | digitOf(from.bytes[digit + 1] as number);
        }
        return;
      case "Int32":
        if (tag !== TAG.INT) throw UNREADABLE;
        this.#head(type.INT32, name);
        this.#int32(payload);
        return;
      case "Double":
        this.#double(name, this.#numberAt(values, first));
        return;
      case "Long":
        this.#long(name, tag, payload);
        return;
      case "Decimal128": {
        if (tag !== TAG.STRING) throw UNREADABLE;
        const { bytes } = new Decimal128(from.text(payload));
        this.#head(type.DECIMAL128, name);
        this.#bytes.set(bytes, this.#at);
        this.#at += 16;
        return;
      }
      case "Binary":
      case "UUID":
        this.#binary(name, tag, payload, this.#numberAt(values, second));
        return;
      case "Timestamp":
        this.#head(type.TIMESTAMP, name);
        this.#int32(this.#numberAt(values, second));
        this.#int32(this.#numberAt(values, first));
        return;
      default:
        this.#head(kind === "MinKey" ? type.MIN_KEY : type.MAX_KEY, name);
    }
  }

  #long(name: Uint8Array, tag: number, payload: number): void {
    if (tag !== TAG.SHORT_BIGINT && tag !== TAG.BIGINT) throw UNREADABLE;
    this.#head(type.INT64, name);
    // A longer one has its length and then its words, the least first.
    const low = tag === TAG.SHORT_BIGINT ? payload : this.#from.at(payload, 2);
    const has = tag === TAG.BIGINT && this.#from.at(payload, 1) > 1;
    this.#int32(low);
    this.#int32(has ? this.#from.at(payload, 3) : low >> 31);
  }

  #binary(name: Uint8Array, tag: number, address: number, subType: number): void {
    const from = this.#from;
    if (tag !== TAG.OBJECT || classOf(from.at(address, OBJECT.FLAGS)) !== CLASS.UINT8_ARRAY) throw UNREADABLE;
    const start = from.at(address, OBJECT.ITEMS);
    const length = from.at(address, OBJECT.COUNT);
    const old = subType === 2;
    this.#head(type.BINARY, name);
    this.#int32(length + (old ? 4 : 0));
    this.#bytes[this.#at++] = subType;
    if (old) this.#int32(length);
    this.#need(length);
    this.#bytes.set(from.bytes.subarray(start, start + length), this.#at);
    this.#at += length;
  }
}

const scratch = new DataView(new ArrayBuffer(8));
const DATABASE = encoded("$db");
const VALUE = encoded("value");

/** The value of a lower-case hexadecimal digit. */
function digitOf(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
