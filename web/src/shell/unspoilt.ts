/**
 * The language's objects as they were, to be put back after a function changed them.
 *
 * They are the objects that can be reached through properties: from the realm's global object, from the functions'
 * names, and from the prototypes of objects that only syntax makes (a generator, an iterator). Invariants: works on
 * functions taken at load, and on no property that a script may have changed; a script's additions to the global
 * object, which holds its undeclared variables, stay.
 */
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, is, isExtensible, setPrototypeOf } = Object;
const { ownKeys } = Reflect;

type Hold = (first: number, ...objects: readonly object[]) => void;

interface Kept {
  readonly holder: object;
  readonly prototype: object | null;
  readonly extensible: boolean;
  readonly keys: readonly PropertyKey[];
  readonly descriptors: readonly PropertyDescriptor[];
}

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

function same(one: PropertyDescriptor | undefined, other: PropertyDescriptor): boolean {
  return (
    one !== undefined &&
    is(one.value, other.value) &&
    one.get === other.get &&
    one.set === other.set &&
    one.writable === other.writable &&
    one.enumerable === other.enumerable &&
    one.configurable === other.configurable
  );
}

/** The prototypes that only syntax and iteration reach: of a function of each kind, of an iterator of each. */
function hidden(): object[] {
  const iterator = [][Symbol.iterator]() as IterableIterator<never> & { map?: (callback: () => void) => object };
  return [
    function* () {},
    async () => undefined,
    async function* () {},
    iterator,
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ""[Symbol.iterator](),
    "".matchAll(/a/g),
    ...(iterator.map === undefined ? [] : [iterator.map(() => undefined)]),
  ].map((one) => getPrototypeOf(one) as object);
}

export class Unspoilt {
  readonly #global: object;
  readonly #hold: Hold;
  readonly #kept: Kept[] = [];

  /** Takes note of everything as it is, and tells it. */
  constructor(global: object, names: object, hold: Hold) {
    this.#global = global;
    this.#hold = hold;
    // The global object is the first, which the host lets grow.
    const waiting: object[] = [names, ...hidden(), global];
    const seen = new Set<object>(waiting);
    const reach = (value: unknown): void => {
      if (!isObject(value) || seen.has(value)) return;
      seen.add(value);
      waiting.push(value);
    };
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const keys = ownKeys(next);
      const descriptors: PropertyDescriptor[] = [];
      for (let at = 0; at < keys.length; at++) {
        // Without inherited properties: a script's additions to `Object.prototype` are no part of a descriptor.
        const descriptor = setPrototypeOf(
          getOwnPropertyDescriptor(next, keys[at] as PropertyKey) as PropertyDescriptor,
          null,
        ) as PropertyDescriptor;
        descriptors.push(descriptor);
        reach(descriptor.value);
        reach(descriptor.get);
        reach(descriptor.set);
      }
      const prototype = getPrototypeOf(next) as object | null;
      reach(prototype);
      this.#kept.push({ holder: next, prototype, extensible: isExtensible(next), keys, descriptors });
    }
    // By reading them all, properties that the engine makes when they are first asked for are made: only now nothing
    // changes any more.
    hold(0, ...this.#kept.map(({ holder }) => holder));
  }

  /** Puts an object back as it was and tells it anew; false when that cannot be done, because it was frozen. */
  restore(number: number): boolean {
    const kept = this.#kept[number] as Kept;
    const { holder } = kept;
    try {
      this.#restore(kept);
    } catch {
      return false;
    }
    if (isExtensible(holder) !== kept.extensible) return false;
    this.#hold(number, holder);
    return true;
  }

  #restore({ holder, prototype, keys, descriptors }: Kept): void {
    if (getPrototypeOf(holder) !== prototype) setPrototypeOf(holder, prototype);
    if (holder !== this.#global) {
      const present = ownKeys(holder);
      for (let at = 0; at < present.length; at++) {
        let known = false;
        for (let other = 0; other < keys.length && !known; other++) known = keys[other] === present[at];
        if (!known) delete (holder as Record<PropertyKey, unknown>)[present[at] as PropertyKey];
      }
    }
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as PropertyKey;
      const before = descriptors[at] as PropertyDescriptor;
      if (!same(getOwnPropertyDescriptor(holder, key), before)) defineProperty(holder, key, before);
    }
  }
}
