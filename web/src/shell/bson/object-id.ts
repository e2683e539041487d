/**
 * ObjectId: twelve bytes of time, process and counter, kept as 24 lower-case hexadecimal digits.
 *
 * Invariant: ids made by one shell ascend within one second, because the counter does; the time is the
 * engine's (so that ids follow the virtual clock). Chance is asked by the first id and not before: the prelude's image
 * must not hold it.
 */
import { now } from "../clock.ts";
import { fromHexadecimal } from "./binary.ts";
import { BSONError } from "./error.ts";

const hexadecimal = (value: number, digits: number): string => value.toString(16).padStart(digits, "0").slice(-digits);

let processPart: string | null = null;
let counter = 0;

function generate(seconds: number): string {
  if (processPart === null) {
    counter = Math.floor(Math.random() * 0x1000000);
    processPart =
      hexadecimal(Math.floor(Math.random() * 0x1000000), 6) + hexadecimal(Math.floor(Math.random() * 0x10000), 4);
  }
  counter = (counter + 1) % 0x1000000;
  return hexadecimal(seconds >>> 0, 8) + processPart + hexadecimal(counter, 6);
}

/** Given to the constructor before digits that need no look: they come from the engine. */
const KNOWN = Symbol("known");

export class ObjectId {
  readonly _bsontype = "ObjectId";
  readonly #hex: string;

  constructor(value?: unknown, digits?: string) {
    if (value === KNOWN) {
      this.#hex = digits as string;
    } else if (value === undefined || value === null) {
      this.#hex = generate(Math.floor(now() / 1000));
    } else if (value instanceof ObjectId) {
      this.#hex = value.#hex;
    } else if (typeof value === "number") {
      this.#hex = generate(Math.floor(value));
    } else if (typeof value === "string" && /^[0-9a-fA-F]{24}$/.test(value)) {
      this.#hex = value.toLowerCase();
    } else {
      throw new BSONError("input must be a 24 character hex string, 12 byte Uint8Array, or an integer");
    }
  }

  /** The id of 24 lower-case hexadecimal digits. */
  static ofDigits(digits: string): ObjectId {
    return new ObjectId(KNOWN, digits);
  }
  static isValid(value: unknown): boolean {
    return (
      value instanceof ObjectId ||
      typeof value === "number" ||
      (typeof value === "string" && /^[0-9a-fA-F]{24}$/.test(value))
    );
  }
  static createFromTime(seconds: number): ObjectId {
    return new ObjectId(`${hexadecimal(Math.floor(seconds) >>> 0, 8)}0000000000000000`);
  }
  static createFromHexString(text: string): ObjectId {
    return new ObjectId(text);
  }
  /** The legacy name of `createFromTime`, in milliseconds. */
  static fromDate(date: Date): ObjectId {
    return ObjectId.createFromTime(Math.floor(date.getTime() / 1000));
  }

  /** The twelve bytes. */
  get id(): Uint8Array {
    return fromHexadecimal(this.#hex);
  }
  get str(): string {
    return this.#hex;
  }
  toHexString(): string {
    return this.#hex;
  }
  toString(): string {
    return this.#hex;
  }
  valueOf(): string {
    return this.#hex;
  }
  toJSON(): string {
    return this.#hex;
  }
  getTimestamp(): Date {
    return new Date(Number.parseInt(this.#hex.slice(0, 8), 16) * 1000);
  }
  equals(other: unknown): boolean {
    return other instanceof ObjectId ? other.#hex === this.#hex : String(other).toLowerCase() === this.#hex;
  }
}
