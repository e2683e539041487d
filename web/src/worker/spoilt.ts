/**
 * Tells whether the language's own objects are as they were, by looking at their places in the sandbox's memory: asking
 * QuickJS for each of some three thousand properties would take longer than most functions run.
 *
 * QuickJS keeps an object's values in an array and their names and attributes in the object's shape; neither moves
 * unless a property is added, changed or removed. Invariants: the places are those of the QuickJS that this build has
 * (`test/spoilt.test.ts` tries each way of changing an object).
 */

/** Words of an object: flags, shape, values. */
const OBJECT_FLAGS = 1;
const OBJECT_SHAPE = 4;
const OBJECT_VALUES = 5;
/** The flag of an object that may be given more properties. */
const EXTENSIBLE = 0x100;
/** Words of a shape: how many properties, the prototype, and then two for each property: attributes and name. */
const SHAPE_COUNT = 8;
const SHAPE_PROTOTYPE = 11;
const SHAPE_PROPERTIES = 12;
/** The bits of a property's attributes; the others chain the names of one hash. */
const ATTRIBUTES = 0xfc000000;
const WORDS_EACH = 2;

interface Held {
  readonly at: number;
  /** May be given more properties. */
  readonly grows: boolean;
  readonly words: Uint32Array;
}

export class SpoilCheck {
  readonly #memory: () => ArrayBufferLike;
  /** The noted objects, by number. */
  #held: Held[] = [];
  #kept: readonly Held[] = [];

  constructor(memory: () => ArrayBufferLike) {
    this.#memory = memory;
  }

  /**
   * Takes note of an object as it is now; `value` is the address of a value that names it. The object of number 0 may
   * be given more properties.
   */
  hold(value: number, number: number): void {
    const words = new Uint32Array(this.#memory());
    const at = (words[value >>> 2] as number) >>> 2;
    const shape = (words[at + OBJECT_SHAPE] as number) >>> 2;
    const values = (words[at + OBJECT_VALUES] as number) >>> 2;
    const count = words[shape + SHAPE_COUNT] as number;
    const kept = [
      (words[at + OBJECT_FLAGS] as number) & EXTENSIBLE,
      words[at + OBJECT_SHAPE] as number,
      words[at + OBJECT_VALUES] as number,
      count,
      words[shape + SHAPE_PROTOTYPE] as number,
    ];
    for (let word = 0; word < count * WORDS_EACH; word += WORDS_EACH) {
      const property = shape + SHAPE_PROPERTIES + word;
      kept.push(
        ((words[property] as number) & ATTRIBUTES) >>> 0,
        words[property + 1] as number,
        words[values + word] as number,
        words[values + word + 1] as number,
      );
    }
    this.#held[number] = { at, grows: number === 0, words: Uint32Array.from(kept) };
  }

  /** The number of the first object from this on that is not as it was; -1 when there is none. */
  next(from: number): number {
    const words = new Uint32Array(this.#memory());
    for (let number = from; number < this.#held.length; number += 1)
      if (differs(words, this.#held[number] as Held)) return number;
    return -1;
  }

  /** Keeps the noted places, for when all memory is put back. */
  keep(): void {
    this.#kept = [...this.#held];
  }
  restore(): void {
    this.#held = [...this.#kept];
  }
}

function differs(words: Uint32Array, { at, grows, words: kept }: Held): boolean {
  const shapeAddress = words[at + OBJECT_SHAPE] as number;
  const valuesAddress = words[at + OBJECT_VALUES] as number;
  const shape = shapeAddress >>> 2;
  const values = valuesAddress >>> 2;
  const count = kept[3] as number;
  if (((words[at + OBJECT_FLAGS] as number) & EXTENSIBLE) !== kept[0] || words[shape + SHAPE_PROTOTYPE] !== kept[4])
    return true;
  if (
    grows
      ? (words[shape + SHAPE_COUNT] as number) < count
      : shapeAddress !== kept[1] || valuesAddress !== kept[2] || words[shape + SHAPE_COUNT] !== count
  )
    return true;
  for (let property = 0, next = 5; property < count * WORDS_EACH; property += WORDS_EACH, next += 4) {
    const named = shape + SHAPE_PROPERTIES + property;
    if (
      ((words[named] as number) & ATTRIBUTES) >>> 0 !== kept[next] ||
      words[named + 1] !== kept[next + 1] ||
      words[values + property] !== kept[next + 2] ||
      words[values + property + 1] !== kept[next + 3]
    ) {
      return true;
    }
  }
  return false;
}
