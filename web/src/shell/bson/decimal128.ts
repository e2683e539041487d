/**
 * Decimal128: a decimal number of 34 digits, kept as sign, coefficient and exponent.
 *
 * Invariant: the text round-trips. `toString` gives the canonical form of the decimal128 specification, and
 * a text of more than 34 significant digits is refused rather than rounded, as the driver's `fromString` does.
 * The shell does no arithmetic on decimals: the engine does.
 */

const MAX_DIGITS = 34;
const MIN_EXPONENT = -6176;
const MAX_EXPONENT = 6111;
const PATTERN = /^([+-])?(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?$/;

function canonical(text: string): string {
  const trimmed = text.trim();
  if (/^[+-]?nan$/i.test(trimmed)) return "NaN";
  const infinite = /^([+-])?inf(inity)?$/i.exec(trimmed);
  if (infinite) return infinite[1] === "-" ? "-Infinity" : "Infinity";
  const match = PATTERN.exec(trimmed);
  if (!match) throw new TypeError(`"${text}" is not a valid Decimal128 string`);
  const sign = match[1] === "-" ? "-" : "";
  const fraction = match[3] ?? match[4] ?? "";
  let digits = ((match[2] ?? "") + fraction).replace(/^0+/, "");
  let exponent = Number(match[5] ?? 0) - fraction.length;
  if (digits === "") {
    digits = "0";
    exponent = Math.min(Math.max(exponent, MIN_EXPONENT), MAX_EXPONENT);
  }
  const drop = (): void => {
    if (!digits.endsWith("0")) throw new TypeError(`"${text}" is not a valid Decimal128 string - inexact rounding`);
    digits = digits.slice(0, -1);
    exponent += 1;
  };
  while (digits.length > MAX_DIGITS) drop();
  while (exponent < MIN_EXPONENT) drop();
  while (exponent > MAX_EXPONENT) {
    if (digits.length >= MAX_DIGITS) throw new TypeError(`"${text}" is not a valid Decimal128 string - overflow`);
    digits += "0";
    exponent -= 1;
  }
  return sign + render(digits, exponent);
}

/** The scientific form when the exponent is positive or the number is very small, else the plain form. */
function render(digits: string, exponent: number): string {
  const adjusted = exponent + digits.length - 1;
  if (exponent > 0 || adjusted < -6) {
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${mantissa}E${adjusted >= 0 ? "+" : ""}${adjusted}`;
  }
  if (exponent === 0) return digits;
  const point = digits.length + exponent;
  return point > 0 ? `${digits.slice(0, point)}.${digits.slice(point)}` : `0.${"0".repeat(-point)}${digits}`;
}

const EXPONENT_SHIFT = 113n;
const SIGN = 1n << 127n;
const INFINITY = 0x78n << 120n;
const NOT_A_NUMBER = 0x7cn << 120n;

/**
 * A canonical text as the number that stands for it. A coefficient of 34 digits has 113 bits, so that none needs the
 * other form.
 */
function bitsOf(text: string): bigint {
  const sign = text.startsWith("-") ? SIGN : 0n;
  if (text === "NaN") return NOT_A_NUMBER;
  if (text.endsWith("Infinity")) return sign | INFINITY;
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)\.?(\d*)(?:E([+-]\d+))?$/.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  return sign | (BigInt(power - MIN_EXPONENT) << EXPONENT_SHIFT) | BigInt(whole + fraction);
}

export class Decimal128 {
  readonly _bsontype = "Decimal128";
  readonly #text: string;
  constructor(value: unknown = "0") {
    this.#text = canonical(String(value));
  }
  static fromString(text: string): Decimal128 {
    return new Decimal128(text);
  }
  /** The sixteen bytes, as BSON has them: sign, exponent and coefficient as one number, the least byte first. */
  get bytes(): Uint8Array {
    let bits = bitsOf(this.#text);
    return Uint8Array.from({ length: 16 }, () => {
      const byte = Number(bits & 255n);
      bits >>= 8n;
      return byte;
    });
  }
  toString(): string {
    return this.#text;
  }
  toJSON(): { $numberDecimal: string } {
    return { $numberDecimal: this.#text };
  }
}
