/**
 * The shell's number types: Int32, Double and Long.
 *
 * The shell has its own classes rather than js-bson's because it runs where there is no `TextEncoder`, no
 * `crypto` and no `console`, and because it is small. They carry js-bson's `_bsontype` tags, so that the
 * formatter and the codec treat both families alike.
 */

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** A number that is stored as int32 whatever its value; out-of-range values wrap as in the driver. */
export class Int32 {
  readonly _bsontype = "Int32";
  readonly value: number;
  constructor(value: unknown = 0) {
    const number = Number(value instanceof Long ? value.toNumber() : value);
    if (!Number.isFinite(number)) throw new TypeError(`Cannot convert ${String(value)} to an Int32`);
    this.value = number | 0;
  }
  valueOf(): number {
    return this.value;
  }
  toString(radix?: number): string {
    return this.value.toString(radix);
  }
  toJSON(): number {
    return this.value;
  }
}

/** A number that is stored as a double even when it is integral. */
export class Double {
  readonly _bsontype = "Double";
  readonly value: number;
  constructor(value: unknown = 0) {
    this.value = Number(value);
  }
  valueOf(): number {
    return this.value;
  }
  toString(radix?: number): string {
    return this.value.toString(radix);
  }
  toJSON(): number {
    return this.value;
  }
}

type LongLike = Long | Int32 | Double | number | bigint | string;

/** A 64-bit signed integer with the arithmetic of js-bson's class. */
export class Long {
  readonly _bsontype = "Long";
  readonly unsigned = false;
  readonly #value: bigint;

  constructor(low: LongLike | Long = 0, high?: number | boolean) {
    if (typeof high === "number" && typeof low === "number") {
      // Not `asUintN`: in the sandbox that leaves a small negative number as it is.
      this.#value = BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low >>> 0));
    } else {
      this.#value = Long.#convert(low);
    }
  }

  static #convert(value: LongLike): bigint {
    if (value instanceof Long) return value.#value;
    if (typeof value === "bigint") return BigInt.asIntN(64, value);
    if (typeof value === "string") {
      if (!/^[+-]?\d+$/.test(value.trim())) throw new TypeError(`Cannot convert "${value}" to a Long`);
      const whole = BigInt(value.trim());
      if (whole < INT64_MIN || whole > INT64_MAX) throw new TypeError(`"${value}" does not fit 64 bits`);
      return whole;
    }
    const number = Number(value);
    if (Number.isNaN(number)) return 0n;
    if (number >= 2 ** 63) return INT64_MAX;
    if (number <= -(2 ** 63)) return INT64_MIN;
    return BigInt(Math.trunc(number));
  }

  static readonly ZERO = new Long(0);
  static readonly ONE = new Long(1);
  static readonly MAX_VALUE = new Long(INT64_MAX);
  static readonly MIN_VALUE = new Long(INT64_MIN);

  static fromString(text: string): Long {
    return new Long(text);
  }
  static fromNumber(value: number): Long {
    return new Long(value);
  }
  static fromInt(value: number): Long {
    return new Long(value | 0);
  }
  static fromBigInt(value: bigint): Long {
    return new Long(value);
  }
  static fromBits(low: number, high: number): Long {
    return new Long(low, high);
  }
  static isLong(value: unknown): value is Long {
    return value instanceof Long;
  }

  get low(): number {
    return Number(BigInt.asIntN(32, this.#value));
  }
  get high(): number {
    return Number(BigInt.asIntN(32, this.#value >> 32n));
  }
  toBigInt(): bigint {
    return this.#value;
  }
  toNumber(): number {
    return Number(this.#value);
  }
  toInt(): number {
    return this.low;
  }
  valueOf(): number {
    return Number(this.#value);
  }
  toString(radix?: number): string {
    return this.#value.toString(radix);
  }
  /** As js-bson's class, which has these fields: plain JSON knows no long. */
  toJSON(): { high: number; low: number; unsigned: boolean } {
    return { high: this.high, low: this.low, unsigned: false };
  }

  add(other: LongLike): Long {
    return new Long(this.#value + Long.#convert(other));
  }
  subtract(other: LongLike): Long {
    return new Long(this.#value - Long.#convert(other));
  }
  multiply(other: LongLike): Long {
    return new Long(this.#value * Long.#convert(other));
  }
  divide(other: LongLike): Long {
    const divisor = Long.#convert(other);
    if (divisor === 0n) throw new Error("division by zero");
    return new Long(this.#value / divisor);
  }
  modulo(other: LongLike): Long {
    return new Long(this.#value % Long.#convert(other));
  }
  negate(): Long {
    return new Long(-this.#value);
  }
  and(other: LongLike): Long {
    return new Long(this.#value & Long.#convert(other));
  }
  or(other: LongLike): Long {
    return new Long(this.#value | Long.#convert(other));
  }
  xor(other: LongLike): Long {
    return new Long(this.#value ^ Long.#convert(other));
  }
  not(): Long {
    return new Long(~this.#value);
  }
  shiftLeft(bits: number): Long {
    return new Long(this.#value << BigInt(bits & 63));
  }
  shiftRight(bits: number): Long {
    return new Long(this.#value >> BigInt(bits & 63));
  }
  compare(other: LongLike): number {
    const right = Long.#convert(other);
    return this.#value < right ? -1 : this.#value > right ? 1 : 0;
  }
  equals(other: LongLike): boolean {
    return this.compare(other) === 0;
  }
  lessThan(other: LongLike): boolean {
    return this.compare(other) < 0;
  }
  lessThanOrEqual(other: LongLike): boolean {
    return this.compare(other) <= 0;
  }
  greaterThan(other: LongLike): boolean {
    return this.compare(other) > 0;
  }
  greaterThanOrEqual(other: LongLike): boolean {
    return this.compare(other) >= 0;
  }
  isZero(): boolean {
    return this.#value === 0n;
  }
  isNegative(): boolean {
    return this.#value < 0n;
  }
}
