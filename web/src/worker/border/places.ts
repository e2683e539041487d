/**
 * The layout of QuickJS's values in the sandbox's memory: addresses, tags and shapes.
 *
 * Asking QuickJS for a value's fields one by one costs several calls each; the places cost a look each. Invariants: the
 * places are those of the QuickJS that this build has (`test/border.test.ts` writes each kind of value and reads it
 * again); nothing is written here, and nothing that was read is kept while the sandbox runs: an object may be gone
 * then, and another be at its place.
 */

/** The upper words of values: each tells the type of the lower word. All other upper words belong to doubles. */
export const TAG = {
  INT: 0,
  BOOLEAN: 1,
  NULL: 2,
  UNDEFINED: 3,
  SHORT_BIGINT: 7,
  BIGINT: 0xfffffff7,
  SYMBOL: 0xfffffff8,
  STRING: 0xfffffff9,
  ROPE: 0xfffffffa,
  OBJECT: 0xffffffff,
} as const;

/** Tags from here on, and up to that of short bigints, are no double's. */
const FIRST_TAG = TAG.BIGINT;
const LAST_SMALL_TAG = TAG.SHORT_BIGINT;
/** Subtracted from a double's upper word, so that no double looks like a tag. */
const DOUBLE_ADDEND = 0x7ff8000a;

export const isDouble = (tag: number): boolean => tag > LAST_SMALL_TAG && tag < FIRST_TAG;
/** The upper word of a double, of that of its value. */
export const doubleHigh = (tag: number): number => (tag + DOUBLE_ADDEND) >>> 0;

/** Words of an object. */
export const OBJECT = { FLAGS: 1, SHAPE: 4, VALUES: 5, DATA: 8, ITEMS: 9, COUNT: 10 } as const;
/** The object has ways of its own to answer (a Proxy, an array with holes). */
export const EXOTIC = 0x400;
/** The object's items lie one after the other. */
export const FAST_ITEMS = 0x800;
/** The upper half of an object's flags. */
export const CLASS = { OBJECT: 1, ARRAY: 2, DATE: 10, UINT8_ARRAY: 24 } as const;
export const classOf = (flags: number): number => flags >>> 16;

/** Words of a shape, and of each of its properties. */
export const SHAPE = { COUNT: 8, DELETED: 9, PROTOTYPE: 11, PROPERTIES: 12 } as const;
const PROPERTY_WORDS = 2;
const ATTRIBUTES_SHIFT = 26;
/** The property is met by loops over an object's own. */
export const isEnumerable = (attributes: number): boolean => ((attributes >>> ATTRIBUTES_SHIFT) & 4) !== 0;
/** The property is a value: no getter, and nothing that is made when it is asked for. */
export const isValue = (attributes: number): boolean => ((attributes >>> ATTRIBUTES_SHIFT) & 0x30) === 0;

/** The bit of an atom that is a number. */
const NUMBER_ATOM = 0x80000000;
export const numberOf = (atom: number): number => (atom >= NUMBER_ATOM ? atom - NUMBER_ATOM : -1);

/** Words of a text, and the byte at which it begins. */
const TEXT_LENGTH = 1;
const TEXT_HASH = 2;
export const TEXT_BYTES = 28;
const WIDE = 0x80000000;
const ATOM_KIND_SHIFT = 30;
/** The name is a text, not a symbol or a private name. */
const TEXT_ATOM = 1;
/** Words of two texts that were put together. */
const ROPE_LEFT = 4;
const ROPE_RIGHT = 6;
/** The word of the runtime where the list of names begins. */
const RUNTIME_ATOMS = 15;

/** The sandbox's memory as it is now. Good until the sandbox runs again. */
export class Places {
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  readonly #names: number;

  constructor(memory: ArrayBufferLike, runtime: number) {
    this.words = new Uint32Array(memory);
    this.bytes = new Uint8Array(memory);
    this.#names = this.at(runtime, RUNTIME_ATOMS) >>> 2;
  }

  /** The `word`th 32-bit word of the value that begins at an address. */
  at(address: number, word: number): number {
    return this.words[(address >>> 2) + word] as number;
  }

  /** Where the text of a name is, that is no number. */
  name(atom: number): number {
    return this.words[this.#names + atom] as number;
  }
  /** Whether a name that is no number is a text. */
  isText(atom: number): boolean {
    return this.at(this.name(atom), TEXT_HASH) >>> ATOM_KIND_SHIFT === TEXT_ATOM;
  }

  lengthOf(text: number): number {
    return this.at(text, TEXT_LENGTH) & ~WIDE;
  }
  isWide(text: number): boolean {
    return this.at(text, TEXT_LENGTH) >= WIDE;
  }

  /** The texts of which a text consists, in order; each is wide or not. */
  parts(tag: number, address: number, into: number[] = []): number[] {
    if (tag !== TAG.ROPE) {
      into.push(address);
      return into;
    }
    for (const side of [ROPE_LEFT, ROPE_RIGHT]) this.parts(this.at(address, side + 1), this.at(address, side), into);
    return into;
  }

  /** A short text, such as a name. */
  text(address: number): string {
    const length = this.lengthOf(address);
    const start = address + TEXT_BYTES;
    const units = this.isWide(address)
      ? new Uint16Array(this.words.buffer, start, length)
      : this.bytes.subarray(start, start + length);
    let text = "";
    for (const unit of units) text += String.fromCharCode(unit);
    return text;
  }

  /** The atom of a shape's property; 0 for one that was deleted. */
  atomOf(shape: number, slot: number): number {
    return this.at(shape, SHAPE.PROPERTIES + slot * PROPERTY_WORDS + 1);
  }
  attributesOf(shape: number, slot: number): number {
    return this.at(shape, SHAPE.PROPERTIES + slot * PROPERTY_WORDS);
  }
  /** A shape's properties, in order. */
  properties(shape: number): { readonly slot: number; readonly atom: number; readonly attributes: number }[] {
    return Array.from({ length: this.at(shape, SHAPE.COUNT) }, (_, slot) => ({
      slot,
      atom: this.atomOf(shape, slot),
      attributes: this.attributesOf(shape, slot),
    }));
  }
}
