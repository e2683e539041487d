/**
 * The built-in class of a value, whichever realm made the value: a frame, Node's `vm`, the realm that Jest gives each
 * test.
 *
 * Each realm has a `Date` of its own, and `instanceof` knows one of them. Invariant: a value of this realm is known by
 * `instanceof`; any other by its internal slots, so that a value which only calls itself a date is none. Nothing here
 * throws.
 */
const tagOf = Object.prototype.toString;
const { getPrototypeOf } = Object;

/** Whether a method that needs the internal slots of its class finds them in a value. */
function answers(value: object, method: (this: never) => unknown): boolean {
  try {
    method.call(value as never);
    return true;
  } catch {
    return false;
  }
}

function getter(holder: object, name: PropertyKey): (this: never) => unknown {
  return Object.getOwnPropertyDescriptor(holder, name)?.get as (this: never) => unknown;
}

const timeOf = Date.prototype.getTime as (this: never) => unknown;
const sourceOf = getter(RegExp.prototype, "source");
const countOf = getter(Map.prototype, "size");
const membersOf = getter(Set.prototype, "size");
/** The name of a typed array's class; undefined for any other value. */
const arrayOf = getter(getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);

export function isDate(value: object): value is Date {
  return value instanceof Date || (tagOf.call(value) === "[object Date]" && answers(value, timeOf));
}

export function isRegExp(value: object): value is RegExp {
  return value instanceof RegExp || (tagOf.call(value) === "[object RegExp]" && answers(value, sourceOf));
}

/** Whether a value is a `Uint8Array`, such as Node's `Buffer`. */
export function isBytes(value: object): value is Uint8Array {
  return value instanceof Uint8Array || arrayOf.call(value as never) === "Uint8Array";
}

export function isMap(value: object): value is Map<unknown, unknown> {
  return value instanceof Map || (tagOf.call(value) === "[object Map]" && answers(value, countOf));
}

export function isSet(value: object): value is Set<unknown> {
  return value instanceof Set || (tagOf.call(value) === "[object Set]" && answers(value, membersOf));
}

export function isError(value: object): value is Error {
  return value instanceof Error || tagOf.call(value) === "[object Error]";
}

/** The classes whose values keep what they are where no field shows it. */
const HIDDEN: readonly (readonly [tag: string, what: string])[] = [
  ["Promise", "a promise (was an await forgotten?)"],
  ["Set", "a Set (an array of it, [...set], can be)"],
  ["WeakMap", "a WeakMap"],
  ["WeakSet", "a WeakSet"],
  ["WeakRef", "a WeakRef"],
  ["ArrayBuffer", "an ArrayBuffer (a Uint8Array of it can be)"],
  ["SharedArrayBuffer", "a SharedArrayBuffer (a Uint8Array of it can be)"],
  ["DataView", "a DataView (a Uint8Array of it can be)"],
  ["Number", "a Number object (its valueOf() can be)"],
  ["Boolean", "a Boolean object (its valueOf() can be)"],
  ["BigInt", "a BigInt object (its valueOf() can be)"],
  ["Symbol", "a Symbol object"],
  ["URL", "a URL (its href can be)"],
  ["URLSearchParams", "a URLSearchParams (a text of it can be)"],
  ["Blob", "a Blob (the bytes of it can be)"],
  ["File", "a File (the bytes of it can be)"],
  ["Generator", "a generator"],
  ["AsyncGenerator", "a generator"],
];

/**
 * The words for a value that would be stored as an empty document, all that it holds being lost; undefined where its
 * fields are what it is, or where somebody gave it fields of his own.
 */
export function hiddenIn(value: object): string | undefined {
  if (isPlain(value)) return undefined;
  const tag = tagOf.call(value).slice(8, -1);
  const found = HIDDEN.find(([name]) => name === tag);
  return found === undefined || Object.keys(value).length > 0 ? undefined : found[1];
}

/** Whether a value is an object of no class: `{}` of any realm, or an object without a prototype. */
export function isPlain(value: object): boolean {
  const prototype = getPrototypeOf(value) as object | null;
  return prototype === null || prototype === Object.prototype || getPrototypeOf(prototype) === null;
}

/** Whether a value is kept as a value of its own in BSON, and not as the fields that it has. */
export function isValue(value: object): boolean {
  return isDate(value) || isRegExp(value) || isBytes(value);
}
