/**
 * A validator from the fields that a collection's documents have in common: a JSON Schema with BSON's types.
 *
 * Invariants: a field is required only where all documents were looked at and all have it. Only types that were seen
 * are allowed, so every document that was looked at passes; further fields stay allowed. Before a validator is set, the
 * engine checks every document against it.
 */
import type { Document } from "bson";
import { ask, cursorOf, type Commander } from "../data/ask.ts";
import { numberOf, wordKey, type BsonType } from "../values.ts";
import type { ModelCollection, ModelField } from "./model.ts";

export interface ValidatorOptions {
  /** A field that holds numbers may hold any: a shell stores `5` as an int32 where it stores `5.5` as a double. */
  readonly anyNumber: boolean;
}

/** The manual's names of types in a schema. */
const aliases: Readonly<Record<BsonType, readonly string[]>> = {
  Double: ["double"],
  String: ["string"],
  Object: ["object"],
  Array: ["array"],
  Binary: ["binData"],
  Undefined: ["undefined"],
  ObjectId: ["objectId"],
  Boolean: ["bool"],
  Date: ["date"],
  Null: ["null"],
  Regex: ["regex"],
  DBRef: ["object"],
  Code: ["javascript", "javascriptWithScope"],
  Symbol: ["symbol"],
  Int32: ["int"],
  Timestamp: ["timestamp"],
  Long: ["long"],
  Decimal128: ["decimal"],
  MinKey: ["minKey"],
  MaxKey: ["maxKey"],
};

const numbers = new Set(["double", "int", "long", "decimal"]);

/** Whether a validator can be made: the collection was read, has fields, and is no view and no time series. */
export function isDescribed({ kind, fields, failure }: ModelCollection): boolean {
  return failure === null && fields.length > 0 && (kind === "collection" || kind === "capped");
}

/** The schema of a collection's documents. */
export function schemaFor(collection: ModelCollection, options: ValidatorOptions): Document {
  return { title: collection.name, bsonType: "object", ...inside(collection, [], options) };
}

/** `required` and `properties` of the documents at a place. */
function inside(collection: ModelCollection, above: readonly string[], options: ValidatorOptions): Document {
  const fields = collection.fields.filter((field) => isBelow(field, above) && field.name !== "[]");
  const required = collection.isWhole
    ? fields.filter(({ present, of }) => of > 0 && present === of).map(({ name }) => name)
    : [];
  return {
    ...(required.length === 0 ? {} : { required }),
    ...(fields.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            fields.map((field) => [field.name, schemaOfField(collection, field, options)]),
          ),
        }),
  };
}

function isBelow({ steps }: ModelField, above: readonly string[]): boolean {
  return steps.length === above.length + 1 && above.every((step, index) => step === steps[index]);
}

function schemaOfField(collection: ModelCollection, field: ModelField, options: ValidatorOptions): Document {
  const elements = collection.fields.find((other) => other.name === "[]" && isBelow(other, field.steps));
  return {
    bsonType: typesOf(field, options),
    ...(field.types.some(({ type }) => type === "Object") ? inside(collection, field.steps, options) : {}),
    ...(elements === undefined ? {} : { items: schemaOfField(collection, elements, options) }),
  };
}

function typesOf({ types }: ModelField, { anyNumber }: ValidatorOptions): string | readonly string[] {
  const all = [
    ...new Set(
      types.flatMap(({ type }) => aliases[type]).map((name) => (anyNumber && numbers.has(name) ? "number" : name)),
    ),
  ];
  const [only] = all;
  return all.length === 1 && only !== undefined ? only : all;
}

/** The command that gives a collection its validator. */
export function commandFor(collection: ModelCollection, options: ValidatorOptions): Document {
  return { collMod: collection.name, validator: { $jsonSchema: schemaFor(collection, options) } };
}

/** The words of a script's comments. */
export interface ScriptWords {
  readonly head: string;
  about(collection: ModelCollection): string;
}

/** The commands as a script of mongosh's. */
export function scriptFor(
  database: string,
  collections: readonly ModelCollection[],
  options: ValidatorOptions,
  words: ScriptWords,
): string {
  const lines = [`// ${words.head}`, `const target = db.getSiblingDB(${JSON.stringify(database)})`];
  for (const collection of collections)
    lines.push(
      "",
      `// ${words.about(collection).replace(/\s+/g, " ")}`,
      `target.runCommand(${literal(commandFor(collection, options), 0)})`,
    );
  return `${lines.join("\n")}\n`;
}

/** Up to so many characters a value stays on its line. */
const lineLength = 88;

function literal(value: unknown, indent: number): string {
  if (Array.isArray(value)) return `[${value.map((part) => literal(part, indent)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  const flat = `{ ${entries.map(([name, part]) => `${keyOf(name)}: ${literal(part, 0)}`).join(", ")} }`;
  if (flat.length + indent <= lineLength && !flat.includes("\n")) return flat;
  const pad = " ".repeat(indent + 2);
  const lines = entries.map(([name, part]) => `${pad}${keyOf(name)}: ${literal(part, indent + 2)},`);
  return `{\n${lines.join("\n")}\n${" ".repeat(indent)}}`;
}

/** Written as it stands, `__proto__` would be no property. */
const keyOf = (name: string): string => (name === "__proto__" ? '["__proto__"]' : wordKey(name));

/** How many documents would fail, and one of them. */
export interface Verdict {
  readonly documents: number;
  readonly failing: number;
  /** Its `_id`; undefined where all pass. */
  readonly example: unknown;
}

/** Counts the documents that a validator would refuse. */
export async function check(
  commander: Commander,
  database: string,
  collection: ModelCollection,
  options: ValidatorOptions,
): Promise<Verdict> {
  const $jsonSchema = schemaFor(collection, options);
  const refused = { $nor: [{ $jsonSchema }] };
  const count = async (pipeline: readonly Document[]): Promise<number> => {
    const reply = await ask(commander, database, {
      aggregate: collection.name,
      pipeline: [...pipeline, { $count: "n" }],
      cursor: {},
    });
    return numberOf(cursorOf(reply).documents[0]?.["n"]) ?? 0;
  };
  const [failing, documents] = [await count([{ $match: refused }]), await count([])];
  if (failing === 0) return { documents, failing, example: undefined };
  const found = cursorOf(
    await ask(commander, database, {
      find: collection.name,
      filter: refused,
      projection: { _id: 1 },
      limit: 1,
      singleBatch: true,
    }),
  );
  return { documents, failing, example: found.documents[0]?.["_id"] };
}

/** Sets a collection's validator where all documents pass it; the verdict counts the documents that fail. */
export async function apply(
  commander: Commander,
  database: string,
  collection: ModelCollection,
  options: ValidatorOptions,
): Promise<Verdict> {
  const verdict = await check(commander, database, collection, options);
  if (verdict.failing === 0) await ask(commander, database, commandFor(collection, options));
  return verdict;
}
