/**
 * The order of BSON values, as a server's `sort` has it, for the rows that a page holds.
 *
 * Invariants: pure; a missing field counts as null, an empty array as less than null, another array by its least
 * element (upwards) or its greatest (downwards); numbers of all types are compared by value; equal rows keep their
 * order. Texts are compared by code points, since no collation is known here.
 */
import { absent, cellOf } from "./table.ts";
import { fieldOf, isNested, partsOf, typeOf, wordLeaf, type BsonType } from "./values.ts";

/** 1 upwards, -1 downwards. */
export type Direction = 1 | -1;

const ranks: Readonly<Record<BsonType, number>> = {
  MinKey: 0,
  Undefined: 1,
  Null: 2,
  Int32: 3,
  Long: 3,
  Double: 3,
  Decimal128: 3,
  String: 4,
  Symbol: 4,
  Object: 5,
  Array: 6,
  Binary: 7,
  ObjectId: 8,
  Boolean: 9,
  Date: 10,
  Timestamp: 11,
  Regex: 12,
  DBRef: 13,
  Code: 14,
  MaxKey: 15,
};

/** Halves of letters, and the letters beyond them. */
const HIGH = /[\ud800-\uffff]/;

/** A value taken apart once, to be compared often. */
interface Key {
  readonly rank: number;
  readonly value: unknown;
  /** The value of a number, or of a date in milliseconds, as nearly as a double can say it. */
  readonly number: number;
  /** The characters of a text or an id; empty for other types. */
  readonly text: string;
  /** The text has letters whose order JavaScript takes otherwise. */
  readonly high: boolean;
}

function keyOf(value: unknown): Key {
  const type = typeOf(value);
  const rank = ranks[type];
  if (rank === 3) return { rank, value, number: Number(String(value)), text: "", high: false };
  if (type === "Date") return { rank, value, number: (value as Date).getTime(), text: "", high: false };
  if (type === "Boolean") return { rank, value, number: Number(value), text: "", high: false };
  if (rank === 4) {
    const text = String(value);
    return { rank, value, number: 0, text, high: HIGH.test(text) };
  }
  return { rank, value, number: 0, text: type === "ObjectId" ? wordLeaf(value) : "", high: false };
}

function compareKeys(one: Key, other: Key): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  switch (one.rank) {
    case 3:
    case 9:
    case 10:
      return compareNumbers(one, other);
    case 4:
    case 8:
      if (one.high || other.high) return compareTexts(one.text, other.text);
      return one.text === other.text ? 0 : one.text < other.text ? -1 : 1;
    case 0:
    case 1:
    case 2:
    case 15:
      return 0;
    default:
      return compareOthers(one.value, other.value);
  }
}

function compareNumbers(one: Key, other: Key): number {
  if (one.number < other.number) return -1;
  if (one.number > other.number) return 1;
  const [oneNone, otherNone] = [Number.isNaN(one.number), Number.isNaN(other.number)];
  // No number is less than any.
  if (oneNone || otherNone) return Number(otherNone) - Number(oneNone);
  if (one.rank !== 3 || !Number.isFinite(one.number) || !isWide(one.value, other.value)) return 0;
  const [left, right] = [exactly(one.value), exactly(other.value)];
  if (left === null || right === null) return 0;
  const scale = Math.min(left.exponent, right.exponent);
  const [wide, narrow] = [left, right].map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - scale)) as [
    bigint,
    bigint,
  ];
  return wide < narrow ? -1 : wide > narrow ? 1 : 0;
}

/** Whether doubles may have hidden a difference. */
function isWide(...values: readonly unknown[]): boolean {
  return values.some((value) => ["Long", "Decimal128"].includes(typeOf(value)) || typeof value === "bigint");
}

/** A number as digits times a power of ten; null for a fraction in binary. */
function exactly(value: unknown): { readonly digits: bigint; readonly exponent: number } | null {
  if (typeOf(value) === "Double") {
    const number = Number(value);
    return Number.isInteger(number) ? { digits: BigInt(number), exponent: 0 } : null;
  }
  const parts = /^([+-]?)(\d*)\.?(\d*)(?:E([+-]?\d+))?$/i.exec(String(value));
  if (parts === null) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  return {
    digits: BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction || ""}` || "0"),
    exponent: Number(exponent) - fraction.length,
  };
}

/** Compares by code points, as a server compares UTF-8's bytes; `<` would compare UTF-16's units. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  if (at === length) return one.length - other.length;
  const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
  const isHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;
  // A half stands for a point beyond every unit that is none.
  return isHalf(left) === isHalf(right) ? left - right : isHalf(left) ? 1 : -1;
}

function compareOthers(one: unknown, other: unknown): number {
  if (isNested(one) && isNested(other)) return compareNested(one, other);
  switch (typeOf(one)) {
    case "Binary": {
      type Bytes = { readonly sub_type: number; readonly position: number; toString(encoding: "hex"): string };
      const [left, right] = [one as Bytes, other as Bytes];
      return (
        left.position - right.position ||
        left.sub_type - right.sub_type ||
        compareTexts(left.toString("hex"), right.toString("hex"))
      );
    }
    case "Timestamp": {
      type Stamp = { readonly t: number; readonly i: number };
      const [left, right] = [one as Stamp, other as Stamp];
      return left.t - right.t || left.i - right.i;
    }
    case "DBRef":
      return (
        compareTexts(String(fieldOf(one, "collection")), String(fieldOf(other, "collection"))) ||
        compareBson(fieldOf(one, "oid"), fieldOf(other, "oid"))
      );
    default:
      return compareTexts(wordLeaf(one), wordLeaf(other));
  }
}

/** Part by part: by the kind of its value, its name, its value. */
function compareNested(one: Parameters<typeof partsOf>[0], other: Parameters<typeof partsOf>[0]): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [oneName, oneValue] = left[at] as readonly [string, unknown];
    const [otherName, otherValue] = right[at] as readonly [string, unknown];
    const [oneKey, otherKey] = [keyOf(oneValue), keyOf(otherValue)];
    const order =
      oneKey.rank - otherKey.rank ||
      (Array.isArray(one) ? 0 : compareTexts(oneName, otherName)) ||
      compareKeys(oneKey, otherKey);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Negative where the first value comes first. */
export function compareBson(one: unknown, other: unknown): number {
  return compareKeys(keyOf(one), keyOf(other));
}

/** The key by which a row is sorted: the value itself, or an array's least or greatest element. */
function sortKey(value: unknown, direction: Direction): Key {
  if (value === absent) return keyOf(null);
  if (!Array.isArray(value)) return keyOf(value);
  let best: Key | null = null;
  for (const element of value as readonly unknown[]) {
    const key = keyOf(element);
    if (best === null || compareKeys(key, best) * direction < 0) best = key;
  }
  return best ?? keyOf(undefined);
}

/** Numbers of the rows, in the order of a column. */
export function orderBy(rows: readonly unknown[], column: string, direction: Direction): Uint32Array {
  const keys = rows.map((row) => sortKey(cellOf(row, column), direction));
  return Uint32Array.from(keys.keys()).sort(
    (one, other) => compareKeys(keys[one] as Key, keys[other] as Key) * direction || one - other,
  );
}
