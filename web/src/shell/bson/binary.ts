/**
 * Binary data and UUIDs, kept as bytes, with base64 and hexadecimal done here: the sandbox has neither
 * `atob` nor `TextEncoder`.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Bytes to base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const first = bytes[index] ?? 0;
    const second = bytes[index + 1];
    const third = bytes[index + 2];
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    text += second === undefined ? "=" : ALPHABET.charAt((group >> 6) & 63);
    text += third === undefined ? "=" : ALPHABET.charAt(group & 63);
  }
  return text;
}

/** Base64 to bytes; throws on characters outside the alphabet. */
export function fromBase64(text: string): Uint8Array {
  const clean = text.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((clean.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of clean) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) throw new TypeError(`"${text}" is not base64`);
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 255;
    }
  }
  return bytes;
}

/** Bytes to lower-case hexadecimal. */
export function toHexadecimal(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Hexadecimal to bytes; throws on anything else. */
export function fromHexadecimal(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw new TypeError(`"${text}" is not hexadecimal`);
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  return bytes;
}

export class Binary {
  readonly _bsontype = "Binary";
  readonly buffer: Uint8Array;
  readonly sub_type: number;
  static readonly SUBTYPE_DEFAULT = 0;
  static readonly SUBTYPE_UUID = 4;

  constructor(bytes: Uint8Array | readonly number[] | string = new Uint8Array(0), subType = 0) {
    this.buffer = typeof bytes === "string" ? fromBase64(bytes) : new Uint8Array(bytes);
    this.sub_type = subType & 255;
  }
  static createFromBase64(text: string, subType = 0): Binary {
    return new Binary(fromBase64(text), subType);
  }
  static createFromHexString(text: string, subType = 0): Binary {
    return new Binary(fromHexadecimal(text), subType);
  }
  get position(): number {
    return this.buffer.length;
  }
  length(): number {
    return this.buffer.length;
  }
  subtype(): number {
    return this.sub_type;
  }
  base64(): string {
    return toBase64(this.buffer);
  }
  hex(): string {
    return toHexadecimal(this.buffer);
  }
  toString(encoding?: string): string {
    return encoding === "hex" ? this.hex() : this.base64();
  }
  toJSON(): string {
    return this.base64();
  }
  toUUID(): UUID {
    return new UUID(this.hex());
  }
}

/** A binary of subtype 4, worded with dashes. */
export class UUID extends Binary {
  constructor(value?: unknown) {
    super(UUID.#bytes(value), 4);
  }
  static #bytes(value: unknown): Uint8Array {
    if (value === undefined || value === null) {
      const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      return bytes;
    }
    if (value instanceof Binary && value.buffer.length === 16) return value.buffer;
    const digits = String(value).replace(/-/g, "");
    if (!/^[0-9a-fA-F]{32}$/.test(digits)) {
      throw new TypeError("UUID string representation must be a 32 hex digit or 36 character hyphenated string");
    }
    return fromHexadecimal(digits);
  }
  toHexString(dashes = true): string {
    const text = this.hex();
    return dashes
      ? `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
      : text;
  }
  override toString(encoding?: string): string {
    return encoding === undefined ? this.toHexString() : super.toString(encoding);
  }
  override toJSON(): string {
    return this.toHexString();
  }
  equals(other: unknown): boolean {
    return other instanceof Binary && other.hex() === this.hex();
  }
}
