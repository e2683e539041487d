/**
 * Rows of a table as documents: the types of columns, given in the header or seen in a sample.
 *
 * Invariants: a text that is no value of its column's type is refused, never made to fit; dotted names nest; no column
 * is lost under another of its name.
 */
import { Binary, Decimal128, Double, Int32, Long, ObjectId, type Document } from "bson";
import { fromMicrosoft, fromOracle, instantBy } from "./date-layouts.ts";
import { asDocument } from "./extended-json.ts";
import { instantOf } from "./extended-values.ts";
import { LineError } from "./line-error.ts";
import type { RowFault } from "./csv-rows.ts";

/** A mistake in a row or in the header of a table; the words for it are in the message tables. */
export type CsvFault =
  | RowFault
  /** A text is no value of its column's type. */
  | "cell"
  /** A row has more cells than the header. */
  | "cells"
  /** Two columns have one name. */
  | "identical"
  /** One column is a value, and another a field inside it. */
  | "incompatible"
  /** A column's name cannot be a field's. */
  | "name"
  /** A column is said to be of a type that there is not, or that takes no such argument. */
  | "type";

/** `auto` takes numbers for numbers and all else for texts, as mongoimport does; `skip` leaves a column out. */
export const columnTypes = [
  "auto",
  "string",
  "int32",
  "int64",
  "double",
  "decimal",
  "boolean",
  "date",
  "objectId",
  "binary",
  "skip",
] as const;
export type ColumnType = (typeof columnTypes)[number];

export interface CsvColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** How its dates are written, as a layout of Go's; without it they are ISO dates or milliseconds. */
  readonly layout?: string;
  /** How its bytes are written; without it in base64. */
  readonly encoding?: BinaryEncoding;
}

const encodings = ["base64", "base32", "hex"] as const;
export type BinaryEncoding = (typeof encodings)[number];

const whole = /^[+-]?\d{1,19}$/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const notFinite = /^(NaN|[+-]?Infinity)$/;
const isoDate = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Types a header says in mongoimport's way: `sown.date()`. */
const plainTypes: readonly string[] = ["auto", "boolean", "decimal", "double", "int32", "int64", "string"];
const layouts: Readonly<Record<string, (layout: string) => string>> = {
  date: (layout) => layout,
  date_go: (layout) => layout,
  date_ms: fromMicrosoft,
  date_oracle: fromOracle,
};
const typedTitle = /^(.*)\.(\w+)\((.*)\)$/s;

/** The column that a title with a type says: null for a title without one. Throws for a type that there is not. */
function saidColumn(title: string, needsType: boolean): CsvColumn | null {
  const [, name, type = "", given = ""] = typedTitle.exec(title) ?? [];
  if (name === undefined) return null;
  // In an argument a backslash makes a sign a sign like any other.
  const argument = given.replaceAll(/\\([\\()])?/g, "$1");
  if (plainTypes.includes(type) && argument === "") return { name, type: type as ColumnType };
  if (Object.hasOwn(layouts, type)) {
    const layout = layouts[type]?.(argument) ?? "";
    return { name, type: "date", ...(layout === "" ? {} : { layout }) };
  }
  const encoding = encodings.find((one) => one === argument);
  if (type === "binary" && encoding !== undefined) return { name, type, encoding };
  if (!needsType && !plainTypes.includes(type) && type !== "binary") return null;
  throw new LineError(1, "type", { shown: title, right: `${type}(${given})`, final: true });
}

/**
 * The columns of a header, with types that it says or that all of a sample's texts have. Throws a `LineError` for a
 * type that mongoimport has not, where the header has types.
 */
export function columnsOf(header: readonly string[], sample: readonly (readonly string[])[]): readonly CsvColumn[] {
  const titles = header.map((title) => title.trim());
  const hasTypes = titles.some((title) => {
    const type = typedTitle.exec(title)?.[2] ?? "";
    return plainTypes.includes(type) || Object.hasOwn(layouts, type) || type === "binary";
  });
  return titles.map((title, at) => {
    const said = saidColumn(title, hasTypes);
    if (said !== null) return said;
    return { name: title, type: typeOfTexts(sample.map((row) => row[at] ?? "").filter((text) => text !== "")) };
  });
}

/** The mistake of columns that cannot be imported together; null where there is none. Those left out do not count. */
export function headerFault(columns: readonly CsvColumn[]): LineError | null {
  const fault = (name: CsvFault, shown: string, right = ""): LineError =>
    new LineError(1, name, { shown, right, final: true });
  /** Each name and each beginning of one: the column that is that value, or the first that is inside it. */
  const values = new Map<string, string>();
  const holders = new Map<string, string>();
  for (const { name, type } of columns) {
    if (type === "skip") continue;
    if (name.startsWith("$") || name.includes("\0") || (name !== "" && name.split(".").includes("")))
      return fault("name", JSON.stringify(name));
    if (values.has(name)) return fault("identical", name);
    const holder = holders.get(name);
    if (holder !== undefined) return fault("incompatible", name, holder);
    values.set(name, name);
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const beginning = name.slice(0, dot);
      if (values.has(beginning)) return fault("incompatible", name, beginning);
      if (!holders.has(beginning)) holders.set(beginning, name);
    }
  }
  return null;
}

function typeOfTexts(texts: readonly string[]): ColumnType {
  const all = (test: RegExp): boolean => texts.length > 0 && texts.every((text) => test.test(text));
  if (all(/^(true|false)$/i)) return "boolean";
  if (all(isoDate)) return "date";
  if (all(/^[0-9a-f]{24}$/i)) return "objectId";
  // Leading zeros are a code's, not a number's.
  if (texts.some((text) => /^0\d/.test(text))) return "string";
  return "auto";
}

/** The delimiter of a table: whichever of comma, tab, semicolon and bar its header has most of. */
export function delimiterOf(text: string): string {
  const header = text.split(/\r?\n/, 1)[0] ?? "";
  const counted = [",", "\t", ";", "|"].map((sign) => [sign, header.split(sign).length] as const);
  return counted.reduce((best, other) => (other[1] > best[1] ? other : best))[0];
}

/** Thrown when a text does not fit its column, or a row its header. */
export class CellError extends Error {
  constructor(
    readonly fault: CsvFault,
    readonly shown: string,
    readonly right: string,
  ) {
    super(new LineError(0, fault, { shown, right }).message);
  }
}

/** Whole numbers keep their digits where BSON has a type for them. */
function wholeOf(text: string): Int32 | Long | null {
  if (!whole.test(text)) return null;
  const wide = BigInt(text.replace("+", ""));
  if (BigInt.asIntN(32, wide) === wide) return new Int32(Number(wide));
  return BigInt.asIntN(64, wide) === wide ? Long.fromBigInt(wide) : null;
}

function doubleOf(text: string): Double | null {
  if (!number.test(text)) return notFinite.test(text) ? new Double(Number(text)) : null;
  const value = Number(text);
  return Number.isFinite(value) ? new Double(value) : null;
}

const base32Signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const base32 = /^(?:[A-Z2-7]{8})*(?:[A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=)?$/;
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

function binaryOf(text: string, encoding: BinaryEncoding): Binary | null {
  if (encoding === "hex") return /^(?:[\da-f]{2})*$/i.test(text) ? Binary.createFromHexString(text, 0) : null;
  if (encoding === "base64") return base64.test(text) ? Binary.createFromBase64(text, 0) : null;
  if (!base32.test(text)) return null;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of text.replaceAll("=", "")) {
    bits = ((bits << 5) | base32Signs.indexOf(sign)) & 0xfff;
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 255);
  }
  return new Binary(Uint8Array.from(bytes), 0);
}

function dateOf(text: string, layout: string | undefined): Date | null {
  const time =
    layout !== undefined ? instantBy(layout, text) : /^-?\d{5,}$/.test(text) ? Number(text) : instantOf(text);
  return Number.isNaN(time) || Math.abs(time) > 8.64e15 ? null : new Date(time);
}

/** The value of a text; null where it is none of its type. */
function valueOf(text: string, { type, layout, encoding }: CsvColumn): unknown {
  switch (type) {
    case "auto":
      return wholeOf(text) ?? doubleOf(text) ?? text;
    case "int32": {
      const value = wholeOf(text);
      return value instanceof Int32 ? value : null;
    }
    case "int64": {
      const value = wholeOf(text);
      return value instanceof Int32 ? Long.fromInt(value.value) : value;
    }
    case "double":
      return doubleOf(text);
    case "decimal":
      try {
        return Decimal128.fromString(text);
      } catch {
        return null;
      }
    case "boolean":
      return /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : null;
    case "date":
      return dateOf(text, layout);
    case "objectId":
      return /^[0-9a-f]{24}$/i.test(text) ? new ObjectId(text) : null;
    case "binary":
      return binaryOf(text, encoding ?? "base64");
    case "string":
    case "skip":
      return text;
  }
}

/** The value of a text; throws where it is none of its column's type. */
export function cellValue(text: string, column: CsvColumn): unknown {
  const value = valueOf(text, column);
  if (value !== null) return value;
  const { name, type, layout, encoding } = column;
  const argument = layout ?? encoding;
  throw new CellError(
    "cell",
    `${name}: ${JSON.stringify(text)}`,
    argument === undefined ? type : `${type}(${argument})`,
  );
}

type Branch = Map<string, unknown>;

/** A row as a document; empty cells are left out. Null for an empty line. */
export function rowDocument(row: readonly string[], columns: readonly CsvColumn[]): Document | null {
  if (row.length === 1 && row[0] === "") return null;
  if (row.length > columns.length) throw new CellError("cells", String(row.length), String(columns.length));
  const tree: Branch = new Map();
  for (const [at, column] of columns.entries()) {
    const text = row[at] ?? "";
    if (text === "" || column.type === "skip") continue;
    put(tree, column.name, cellValue(text, column));
  }
  return grown(tree);
}

function put(tree: Branch, name: string, value: unknown): void {
  const names = name.split(".");
  let inner = tree;
  for (const [at, one] of names.slice(0, -1).entries()) {
    if (!inner.has(one)) inner.set(one, new Map());
    const next = inner.get(one);
    if (!(next instanceof Map)) throw new CellError("incompatible", name, names.slice(0, at + 1).join("."));
    inner = next as Branch;
  }
  const last = names.at(-1) ?? "";
  if (inner.has(last)) throw new CellError("identical", name, "");
  inner.set(last, value);
}

function grown(tree: Branch): Document {
  return asDocument(new Map([...tree].map(([name, value]) => [name, value instanceof Map ? grown(value) : value])));
}
