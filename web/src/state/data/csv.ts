/**
 * Rows of a table as documents: the types of columns, given in the header or seen in a sample.
 *
 * Invariants: a text that is no value of its column's type is refused, never made to fit; dotted names nest.
 */
import { Decimal128, Double, Int32, Long, ObjectId, type Document } from "bson";

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
  "skip",
] as const;
export type ColumnType = (typeof columnTypes)[number];

export interface CsvColumn {
  readonly name: string;
  readonly type: ColumnType;
}

const whole = /^[+-]?\d{1,19}$/;
const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Types a header says in mongoimport's way: `sown.date()`. */
const said: Readonly<Record<string, ColumnType>> = {
  auto: "auto",
  boolean: "boolean",
  date: "date",
  decimal: "decimal",
  double: "double",
  int32: "int32",
  int64: "int64",
  string: "string",
};

/** The columns of a header, with types that it says or that all of a sample's texts have. */
export function columnsOf(header: readonly string[], sample: readonly (readonly string[])[]): readonly CsvColumn[] {
  return header.map((title, at) => {
    const typed = /^(.+)\.(\w+)\(\)$/.exec(title.trim());
    const type = said[typed?.[2] ?? ""];
    if (typed !== null && type !== undefined) return { name: typed[1] ?? "", type };
    return { name: title.trim(), type: typeOfTexts(sample.map((row) => row[at] ?? "").filter((text) => text !== "")) };
  });
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

/** Thrown with the column's name and type when a text does not fit. */
export class CellError extends Error {}

/** The value of a text. */
export function cellValue(text: string, { name, type }: CsvColumn): unknown {
  const refuse = (): never => {
    throw new CellError(`${name}: ${JSON.stringify(text)} is no ${type}`);
  };
  const int = (): unknown => {
    const wide = BigInt(text.replace("+", ""));
    return BigInt.asIntN(32, wide) === wide
      ? new Int32(Number(wide))
      : BigInt.asIntN(64, wide) === wide
        ? Long.fromBigInt(wide)
        : new Double(Number(text));
  };
  switch (type) {
    case "auto":
      return whole.test(text) ? int() : number.test(text) ? new Double(Number(text)) : text;
    case "int32": {
      const value = whole.test(text) ? int() : null;
      return value instanceof Int32 ? value : refuse();
    }
    case "int64": {
      const value = whole.test(text) ? int() : null;
      return value instanceof Int32 ? Long.fromInt(value.value) : value instanceof Long ? value : refuse();
    }
    case "double":
      return number.test(text) || /^[+-]?(NaN|Infinity)$/.test(text) ? new Double(Number(text)) : refuse();
    case "decimal":
      try {
        return Decimal128.fromString(text);
      } catch {
        return refuse();
      }
    case "boolean":
      return /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : refuse();
    case "date": {
      const time = isoDate.test(text)
        ? Date.parse(text.replace(" ", "T").replace(/^(.{10}T[\d:.]+)$/, "$1Z"))
        : /^-?\d{5,}$/.test(text)
          ? Number(text)
          : NaN;
      return Number.isNaN(time) ? refuse() : new Date(time);
    }
    case "objectId":
      return /^[0-9a-f]{24}$/i.test(text) ? new ObjectId(text) : refuse();
    case "string":
    case "skip":
      return text;
  }
}

/** A row as a document; empty cells are left out. Null for an empty line. */
export function rowDocument(row: readonly string[], columns: readonly CsvColumn[]): Document | null {
  if (row.length === 1 && row[0] === "") return null;
  if (row.length > columns.length) {
    const headings = columns.length === 1 ? "1 heading" : `${columns.length} headings`;
    throw new CellError(`${row.length} cells under ${headings}`);
  }
  const document: Document = {};
  for (const [at, column] of columns.entries()) {
    const text = row[at] ?? "";
    if (text === "" || column.type === "skip" || column.name === "") continue;
    put(document, column.name.split("."), cellValue(text, column), column.name);
  }
  return document;
}

function put(document: Document, names: readonly string[], value: unknown, whole: string): void {
  let inner = document;
  for (const name of names.slice(0, -1)) {
    const next: unknown = (inner[name] ??= {});
    if (typeof next !== "object" || next === null || Object.getPrototypeOf(next) !== Object.prototype)
      throw new CellError(`${whole}: ${name} is a value already`);
    inner = next as Document;
  }
  inner[names.at(-1) ?? ""] = value;
}
