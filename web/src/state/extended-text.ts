/**
 * Values as Extended JSON with all their digits, in their order: what is written is read again as the same value.
 *
 * js-bson's own text rounds an int64 to the digits of a double, writes a double as a whole number, and puts names that
 * are numbers first. Invariants: relaxed, whole doubles have a `.0`, an int64 all its digits. An int64 that an int32
 * would hold is a bare number too, unless the text is to keep each number's type.
 */
import { EJSON, type Document } from "bson";
import { isNested, partsOf } from "./values.ts";

export interface TextOptions {
  /** Spaces for each level; 0 for one line. */
  readonly indent?: number;
  /** Canonical: every number says its type. */
  readonly canonical?: boolean;
  /** Word an int64 that a bare number would not be, so that reading gives it back as one. */
  readonly keepTypes?: boolean;
}

/** The first instant, exclusive, whose text has no year of four digits. */
const YEAR_10000 = 253402300800000;

type Json = { readonly [name: string]: unknown };

/** The bare text of a wording of one field; undefined where it has none. */
function bare(wording: Json, { keepTypes }: TextOptions): string | undefined {
  const { $numberInt, $numberLong, $numberDouble, $date } = wording;
  if (typeof $numberInt === "string") return $numberInt;
  if (typeof $numberLong === "string") {
    const isShort = keepTypes === true && String(Number($numberLong) | 0) === $numberLong;
    return isShort ? undefined : $numberLong;
  }
  if (typeof $numberDouble === "string") {
    const number = Number($numberDouble);
    if (!Number.isFinite(number)) return undefined;
    if (Object.is(number, -0)) return "-0.0";
    const text = String(number);
    return /^-?\d+$/.test(text) ? `${text}.0` : text;
  }
  const millis = typeof $date === "object" && $date !== null ? Number(($date as Json)["$numberLong"]) : NaN;
  if (!(millis >= 0 && millis < YEAR_10000)) return undefined;
  return `{"$date":${JSON.stringify(new Date(millis).toISOString().replace(".000Z", "Z"))}}`;
}

/** A value that has no fields of its own. */
function leaf(value: unknown, options: TextOptions): string {
  const worded: unknown = EJSON.serialize({ value } as Document, { relaxed: false })["value"];
  if (typeof worded !== "object" || worded === null) return JSON.stringify(worded) ?? "null";
  return (options.canonical === true ? undefined : bare(worded as Json, options)) ?? JSON.stringify(worded);
}

function written(value: unknown, options: TextOptions, level: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (!isNested(value)) return leaf(value, options);
  const isArray = Array.isArray(value);
  const parts = partsOf(value);
  if (parts.length === 0) return isArray ? "[]" : "{}";
  const { indent = 0 } = options;
  const inner = indent === 0 ? "" : `\n${" ".repeat(indent * (level + 1))}`;
  const end = indent === 0 ? "" : `\n${" ".repeat(indent * level)}`;
  const colon = indent === 0 ? ":" : ": ";
  const texts = parts.map(([name, part]) => {
    const text = written(part, options, level + 1);
    return inner + (isArray ? text : JSON.stringify(name) + colon + text);
  });
  return (isArray ? "[" : "{") + texts.join(",") + end + (isArray ? "]" : "}");
}

/** A value as Extended JSON: relaxed unless told otherwise. */
export function extendedText(value: unknown, options: TextOptions = {}): string {
  return written(value, options, 0);
}
