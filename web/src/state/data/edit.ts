/**
 * Changing a value or deleting a document where a result shows it: whether that can be done, and the commands that do
 * it.
 *
 * Invariants: only documents that a `find` read as they are stored, by `_id`; a path which an update would read
 * otherwise than the reader does is refused; nothing is changed but the one document, and its old form is given back so
 * that it can be undone.
 */
import {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Document,
} from "bson";
import { decode } from "../../codec/decode.ts";
import type { ScriptCursor } from "../../protocol/run.ts";
import type { CatalogDatabase } from "../model.ts";
import { extendedText } from "../extended-text.ts";
import { fieldOf, numberOf, partsOf, typeOf, wordCell, type BsonType } from "../values.ts";
import { ask, change, cursorOf, type Changer, type Commander } from "./ask.ts";
import { readTyped } from "./extended-json.ts";

/** The collection that a result's documents are stored in. */
export interface Origin {
  readonly database: string;
  readonly collection: string;
  /** The `find`'s projection, to read a document again as it was shown. */
  readonly projection: Document | null;
}

/** The collection whose documents a cursor shows as they are; null where it shows something made of them. */
export function originOf(cursor: Pick<ScriptCursor, "command">, databases: readonly CatalogDatabase[]): Origin | null {
  const command = decode(cursor.command, { numbers: "typed" });
  const database = fieldOf(command, "$db");
  const collection = fieldOf(command, "find");
  if (typeof database !== "string" || typeof collection !== "string" || collection.startsWith("system.")) return null;
  const found = databases
    .find(({ summary }) => summary.name === database)
    ?.collections.find(({ name }) => name === collection);
  if (found !== undefined && found.type !== "collection") return null;
  const projection = fieldOf(command, "projection") as Document | undefined;
  if (projection !== undefined && !isPlain(projection)) return null;
  if (fieldOf(command, "returnKey") === true || fieldOf(command, "showRecordId") === true) return null;
  return { database, collection, projection: projection ?? null };
}

/** Whether a projection only leaves fields in or out. */
function isPlain(projection: Document): boolean {
  return partsOf(projection).every(
    ([name, value]) =>
      !name.startsWith("$") &&
      !name.includes(".$") &&
      (typeof value === "boolean" || numberOf(value) === 0 || numberOf(value) === 1),
  );
}

/**
 * A path as `$set` takes it. Null for `_id`, which no update can change, and where an update would reach another place
 * than the field shown, as with a name that holds a dot.
 */
export function updatePath(names: readonly string[]): string | null {
  if (names.length === 0 || names[0] === "_id") return null;
  return names.every((name) => name !== "" && !name.includes(".") && !name.startsWith("$")) ? names.join(".") : null;
}

/** The value at a path of a document; undefined where there is none. */
export function valueAt(document: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => fieldOf(value, name), document);
}

function byId(document: Document): Document {
  const id = fieldOf(document, "_id");
  return { _id: { $eq: id } };
}

const namespaceOf = ({ database, collection }: Origin): string => `${database}.${collection}`;

/** Sets one field of one document. False when the document is not there any more. */
export async function setValue(
  changer: Changer,
  origin: Origin,
  document: Document,
  path: string,
  value: unknown,
): Promise<boolean> {
  const reply = await change(
    changer,
    origin.database,
    {
      update: origin.collection,
      updates: [{ q: byId(document), u: { $set: { [path]: value } } }],
    },
    { did: "edit", on: namespaceOf(origin), text: path },
  );
  return Number(reply["n"]) === 1;
}

/** Deletes one document; gives it back whole, or null when it was not there any more. */
export async function deleteDocument(changer: Changer, origin: Origin, document: Document): Promise<Document | null> {
  const reply = await change(
    changer,
    origin.database,
    {
      findAndModify: origin.collection,
      query: byId(document),
      remove: true,
    },
    { did: "delete", on: namespaceOf(origin) },
  );
  return (reply["value"] as Document | null | undefined) ?? null;
}

export async function insertDocument(changer: Changer, origin: Origin, document: Document): Promise<void> {
  const insert = { insert: origin.collection, documents: [document] };
  await change(changer, origin.database, insert, { did: "insert", on: namespaceOf(origin) });
}

/** A document again as the result showed it, or null. */
export async function readAgain(commander: Commander, origin: Origin, document: Document): Promise<Document | null> {
  const command: Document = { find: origin.collection, filter: byId(document), limit: 1, singleBatch: true };
  if (origin.projection !== null) command["projection"] = origin.projection;
  return cursorOf(await ask(commander, origin.database, command)).documents[0] ?? null;
}

/** Types a value can be given by typing it, in the order they are offered. */
export const typedTypes = [
  "String",
  "Int32",
  "Long",
  "Double",
  "Decimal128",
  "Boolean",
  "Date",
  "ObjectId",
  "Null",
  "Object",
  "Array",
  "Regex",
  "Binary",
  "Timestamp",
  "MinKey",
  "MaxKey",
] as const;
export type TypedType = (typeof typedTypes)[number];

/** Whether a value can be typed in one of those. */
export function isTyped(type: BsonType): type is TypedType {
  return (typedTypes as readonly string[]).includes(type);
}

/** The text which stands for a value in a field to type in. */
export function textFor(value: unknown): string {
  const type = typeOf(value);
  switch (type) {
    case "Null":
    case "MinKey":
    case "MaxKey":
      return "";
    case "Object":
    case "Array":
      return extendedText(value, { indent: 2, keepTypes: true });
    case "Int32":
    case "Double":
      return Object.is(Number(value), -0) ? "-0" : String(Number(value));
    case "Boolean":
      return String(value);
    case "Binary":
      return (value as Binary).toString("base64");
    case "Timestamp":
      return `${(value as Timestamp).t}, ${(value as Timestamp).i}`;
    case "Regex":
      return value instanceof RegExp
        ? String(value)
        : `/${(value as BSONRegExp).pattern}/${(value as BSONRegExp).options}`;
    default:
      return wordCell(value);
  }
}

/** A typed text that is no value of its type; views word it. */
export class NotOfType extends Error {}

/** The value of a typed text. `before` is the value that it replaces: a binary keeps its subtype. */
export function valueFrom(type: TypedType, text: string, before?: unknown): unknown {
  const trimmed = text.trim();
  const refuse = (): never => {
    throw new NotOfType(type);
  };
  switch (type) {
    case "String":
      return text;
    case "Int32":
      return /^[+-]?\d+$/.test(trimmed) && Math.abs(Number(trimmed) + 0.5) <= 2147483647.5
        ? new Int32(Number(trimmed))
        : refuse();
    case "Long": {
      if (!/^[+-]?\d+$/.test(trimmed)) return refuse();
      const wide = BigInt(trimmed.replace("+", ""));
      return BigInt.asIntN(64, wide) === wide ? Long.fromBigInt(wide) : refuse();
    }
    case "Double":
      if (/^[+-]?(Infinity|NaN)$/.test(trimmed)) return new Double(Number(trimmed));
      return trimmed !== "" && !Number.isNaN(Number(trimmed)) ? new Double(Number(trimmed)) : refuse();
    case "Decimal128":
      try {
        return Decimal128.fromString(trimmed);
      } catch {
        return refuse();
      }
    case "Boolean":
      return trimmed === "true" ? true : trimmed === "false" ? false : refuse();
    case "Date": {
      const time = /^[+-]?\d+$/.test(trimmed) && trimmed.length > 4 ? Number(trimmed) : Date.parse(trimmed);
      return Number.isNaN(time) ? refuse() : new Date(time);
    }
    case "ObjectId":
      return /^[0-9a-f]{24}$/i.test(trimmed) ? new ObjectId(trimmed) : refuse();
    case "Null":
      return null;
    case "Object":
    case "Array": {
      let parsed: unknown;
      try {
        parsed = readTyped(trimmed);
      } catch {
        return refuse();
      }
      return typeOf(parsed) === type ? parsed : refuse();
    }
    case "Regex": {
      const parts = /^\/(.*)\/([a-z]*)$/s.exec(trimmed);
      if (parts === null) return refuse();
      try {
        return new BSONRegExp(parts[1] ?? "", parts[2]);
      } catch {
        return refuse();
      }
    }
    case "Binary": {
      if (!/^[\w+/-]*={0,2}$/.test(trimmed)) return refuse();
      try {
        return Binary.createFromBase64(trimmed, typeOf(before) === "Binary" ? (before as Binary).sub_type : 0);
      } catch {
        return refuse();
      }
    }
    case "Timestamp": {
      const parts = /^(\d+)\s*,\s*(\d+)$/.exec(trimmed);
      const [t, i] = [Number(parts?.[1]), Number(parts?.[2])];
      return parts !== null && t <= 0xffffffff && i <= 0xffffffff ? new Timestamp({ t, i }) : refuse();
    }
    case "MinKey":
      return new MinKey();
    case "MaxKey":
      return new MaxKey();
  }
}
