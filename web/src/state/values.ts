/**
 * Names, previews and parts of decoded BSON values, for trees, tables and text.
 *
 * Invariants: pure; knows js-bson's classes by their `_bsontype` only, so it adds nothing to the page; every value
 * the codec can give has a type name, and any other value is called by its JavaScript type.
 */
import type { Document } from "bson";
import { cutText, lineCharacters } from "./long-text.ts";

/** BSON type names as the manual and mongosh's `$type` show them, shortened where a column is narrow. */
export type BsonType =
  | "Double"
  | "String"
  | "Object"
  | "Array"
  | "Binary"
  | "Undefined"
  | "ObjectId"
  | "Boolean"
  | "Date"
  | "Null"
  | "Regex"
  | "DBRef"
  | "Code"
  | "Symbol"
  | "Int32"
  | "Timestamp"
  | "Long"
  | "Decimal128"
  | "MinKey"
  | "MaxKey";

/** Which colour a value has. */
export type ValueFamily = "string" | "number" | "date" | "id" | "word" | "binary" | "nest";

const bsonClasses: Readonly<Record<string, BsonType>> = {
  BSONRegExp: "Regex",
  BSONSymbol: "Symbol",
  Binary: "Binary",
  Code: "Code",
  DBRef: "DBRef",
  Decimal128: "Decimal128",
  Double: "Double",
  Int32: "Int32",
  Long: "Long",
  MaxKey: "MaxKey",
  MinKey: "MinKey",
  ObjectID: "ObjectId",
  ObjectId: "ObjectId",
  Timestamp: "Timestamp",
};

/** The BSON type of a decoded value. */
export function typeOf(value: unknown): BsonType {
  if (value === null) return "Null";
  switch (typeof value) {
    case "string":
      return "String";
    case "boolean":
      return "Boolean";
    case "number":
      return Number.isInteger(value) && Math.abs(value) <= 0x7fffffff ? "Int32" : "Double";
    case "bigint":
      return "Long";
    case "undefined":
      return "Undefined";
    case "function":
      return "Code";
    default:
  }
  if (Array.isArray(value)) return "Array";
  if (value instanceof Date) return "Date";
  if (value instanceof RegExp) return "Regex";
  const tag = (value as { readonly _bsontype?: unknown })._bsontype;
  return (typeof tag === "string" ? bsonClasses[tag] : undefined) ?? "Object";
}

const families: Readonly<Partial<Record<BsonType, ValueFamily>>> = {
  String: "string",
  Symbol: "string",
  Code: "string",
  Regex: "string",
  Int32: "number",
  Double: "number",
  Long: "number",
  Decimal128: "number",
  Date: "date",
  Timestamp: "date",
  ObjectId: "id",
  DBRef: "id",
  Binary: "binary",
  Object: "nest",
  Array: "nest",
};

/** The colour family of a type; booleans, null and the like are words. */
export function familyOf(type: BsonType): ValueFamily {
  return families[type] ?? "word";
}

/** Whether a value opens to show parts. */
export function isNested(value: unknown): value is Document | readonly unknown[] {
  const type = typeOf(value);
  return type === "Object" || type === "Array";
}

/** The fields of a document or the elements of an array, in order. */
export function partsOf(value: Document | readonly unknown[]): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((element: unknown, index) => [String(index), element] as const);
  if (value instanceof Map) return [...(value as Map<string, unknown>).entries()];
  return Object.entries(value);
}

/** A field of a document, or undefined; for documents that may be `Map`s or not documents at all. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Map) return (value as Map<string, unknown>).get(name);
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** A number out of any of BSON's number types; null for any other value. */
export function numberOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  switch (typeOf(value)) {
    case "Int32":
    case "Double":
    case "Long":
    case "Decimal128": {
      const number = Number(String(value));
      return Number.isNaN(number) ? null : number;
    }
    default:
      return null;
  }
}

/**
 * A leaf value as one line of mongosh's wording: `ObjectId('…')`, `Long('5')`, `"text"`. Of a text, `most` characters
 * and an ellipsis.
 */
export function wordLeaf(value: unknown, most = Number.POSITIVE_INFINITY): string {
  switch (typeOf(value)) {
    case "String":
      return quote(value as string, most);
    case "Double": {
      const number = Number(value);
      return Object.is(number, -0) ? "-0" : String(number);
    }
    case "Int32":
      return String(value);
    case "Long":
      return `Long('${String(value)}')`;
    case "Decimal128":
      return `Decimal128('${String(value)}')`;
    case "Date": {
      const time = (value as Date).getTime();
      // The format holds 64-bit milliseconds; JavaScript's dates end at the year 275760.
      return Number.isNaN(time) ? "Date(NaN)" : `ISODate('${(value as Date).toISOString()}')`;
    }
    case "ObjectId":
      return `ObjectId('${String((value as { toHexString(): string }).toHexString())}')`;
    case "Timestamp": {
      const stamp = value as { readonly t: number; readonly i: number };
      return `Timestamp({ t: ${stamp.t}, i: ${stamp.i} })`;
    }
    case "Regex": {
      if (value instanceof RegExp) return String(value);
      const regex = value as { readonly pattern: string; readonly options: string };
      return `/${regex.pattern}/${regex.options}`;
    }
    case "Binary":
      return wordBinary(value as { readonly sub_type: number; toString(encoding: "base64" | "hex"): string });
    case "Code":
      return typeof value === "function"
        ? String(value)
        : `Code(${quote(String((value as { readonly code: unknown }).code), most)})`;
    case "Symbol":
      return `BSONSymbol(${quote(String(value), most)})`;
    case "DBRef": {
      const reference = value as { readonly collection: string; readonly oid: unknown };
      return `DBRef(${quote(reference.collection)}, ${wordLeaf(reference.oid)})`;
    }
    case "MinKey":
      return "MinKey()";
    case "MaxKey":
      return "MaxKey()";
    case "Null":
      return "null";
    case "Undefined":
      return "undefined";
    default:
      return String(value);
  }
}

function wordBinary(value: { readonly sub_type: number; toString(encoding: "base64" | "hex"): string }): string {
  if (value.sub_type === 4) {
    const hex = value.toString("hex");
    if (hex.length === 32) return `UUID('${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}')`;
  }
  return `Binary.createFromBase64('${value.toString("base64")}', ${value.sub_type})`;
}

function quote(text: string, most = Number.POSITIVE_INFINITY): string {
  return text.length <= most ? JSON.stringify(text) : `${JSON.stringify(cutText(text, most)).slice(0, -1)}…`;
}

/** Characters of a leaf value that stands for itself in a line. */
const longestLeaf = 400;

/** One short line that stands for a whole value: nested values are cut at `limit` characters, long texts too. */
export function preview(value: unknown, limit = 80): string {
  if (!isNested(value)) {
    const worded = wordLeaf(value, longestLeaf);
    return worded.length > 2 * longestLeaf ? `${cutText(worded, longestLeaf)}…` : worded;
  }
  const parts = partsOf(value);
  const isArray = Array.isArray(value);
  if (parts.length === 0) return isArray ? "[]" : "{}";
  let text = isArray ? "[ " : "{ ";
  for (const [index, [name, part]] of parts.entries()) {
    const worded = isNested(part) ? (Array.isArray(part) ? `[${part.length}]` : "{…}") : wordLeaf(part, limit);
    const next = `${index === 0 ? "" : ", "}${isArray ? "" : `${wordKey(name)}: `}${worded}`;
    if (text.length + next.length > limit) return `${text}${index === 0 ? "" : ", "}…${isArray ? " ]" : " }"}`;
    text += next;
  }
  return text + (isArray ? " ]" : " }");
}

/** A value on one line that is not longer than can be drawn at once. */
export function wordShortLine(value: unknown, most = lineCharacters): string {
  const line = isNested(value) ? wordLine(value) : wordLeaf(value, most);
  return line.length > most ? `${cutText(line, most)}…` : line;
}

/** A whole value on one line, however long. */
export function wordLine(value: unknown): string {
  if (!isNested(value)) return wordLeaf(value);
  const isArray = Array.isArray(value);
  const parts = partsOf(value).map(([name, part]) => `${isArray ? "" : `${wordKey(name)}: `}${wordLine(part)}`);
  if (parts.length === 0) return isArray ? "[]" : "{}";
  return isArray ? `[ ${parts.join(", ")} ]` : `{ ${parts.join(", ")} }`;
}

/** A leaf value without the wrapping that says its type, for a table whose column names the type already. */
export function wordCell(value: unknown): string {
  switch (typeOf(value)) {
    case "String":
      return value as string;
    case "ObjectId":
      return (value as { toHexString(): string }).toHexString();
    case "Date": {
      const worded = wordLeaf(value);
      return /'(.*)'/.exec(worded)?.[1] ?? worded;
    }
    case "Long":
    case "Decimal128":
      return String(value);
    default:
      return isNested(value) ? preview(value, 60) : wordLeaf(value);
  }
}

/** A field name as a script would write it. */
export function wordKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}
