/**
 * What a reader can do to databases, collections and indexes without a script, as the commands a script would send.
 *
 * Invariants: pure but for the command itself; a form's text is read here, so that mistakes are refused in one
 * place.
 */
import { EJSON, Long, type Document } from "bson";
import type { CatalogDatabase } from "../model.ts";
import { ask, type Commander } from "./ask.ts";

/** A new collection as its form describes it. */
export interface NewCollection {
  readonly database: string;
  readonly name: string;
  readonly capped: { readonly sizeBytes: number; readonly maximalDocuments: number | null } | null;
}

/** The `create` command of a form. */
export function createCommand({ name, capped }: NewCollection): Document {
  const command: Document = { create: name };
  if (capped === null) return command;
  command["capped"] = true;
  command["size"] = Long.fromNumber(capped.sizeBytes);
  if (capped.maximalDocuments !== null) command["max"] = Long.fromNumber(capped.maximalDocuments);
  return command;
}

export async function createCollection(commander: Commander, collection: NewCollection): Promise<void> {
  await ask(commander, collection.database, createCommand(collection));
}

export async function renameCollection(
  commander: Commander,
  database: string,
  collection: string,
  to: string,
): Promise<void> {
  await ask(commander, "admin", { renameCollection: `${database}.${collection}`, to: `${database}.${to}` });
}

export async function dropCollection(commander: Commander, database: string, collection: string): Promise<void> {
  await ask(commander, database, { drop: collection });
}

export async function dropDatabase(commander: Commander, database: string): Promise<void> {
  await ask(commander, database, { dropDatabase: 1 });
}

export async function dropIndex(
  commander: Commander,
  database: string,
  collection: string,
  index: string,
): Promise<void> {
  await ask(commander, database, { dropIndexes: collection, index });
}

/** Hides an index from the planner, or shows it again. */
export async function hideIndex(
  commander: Commander,
  database: string,
  collection: string,
  index: string,
  hidden: boolean,
): Promise<void> {
  await ask(commander, database, { collMod: collection, index: { name: index, hidden } });
}

/**
 * How a field takes part in an index; `wildcard` is every path below it, or below the document where no path is given.
 */
export const indexKinds = ["ascending", "descending", "hashed", "wildcard"] as const;
export type IndexKind = (typeof indexKinds)[number];

/** A new index as its form describes it; empty texts say nothing. */
export interface NewIndex {
  readonly fields: readonly { readonly path: string; readonly kind: IndexKind }[];
  readonly name: string;
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly hidden: boolean;
  readonly expireAfterSeconds: number | null;
  /** Extended JSON. */
  readonly partialFilter: string;
  /** Extended JSON; for a wildcard over the whole document. */
  readonly wildcardProjection: string;
}

/** The fields that say something: a row without a path does only where it means the whole document. */
export function namedFields(fields: NewIndex["fields"]): NewIndex["fields"] {
  return fields.filter(({ path, kind }) => path !== "" || kind === "wildcard");
}

/** True where a wildcard covers the whole document, which is what a projection of it can narrow. */
export function coversAll(fields: NewIndex["fields"]): boolean {
  return fields.some(({ path, kind }) => path === "" && kind === "wildcard");
}

/** The key of an index, in the fields' order. */
export function indexKey(fields: NewIndex["fields"]): Document {
  const values = { ascending: 1, descending: -1, hashed: "hashed", wildcard: 1 } as const;
  return Object.fromEntries(
    namedFields(fields).map(({ path, kind }) => [
      kind === "wildcard" ? (path === "" ? "$**" : `${path}.$**`) : path,
      values[kind],
    ]),
  );
}

/** The name that drivers give an index: `year_1_title_-1`. */
export function indexName(fields: NewIndex["fields"]): string {
  return Object.entries(indexKey(fields))
    .map(([path, value]) => `${path}_${String(value)}`)
    .join("_");
}

/** The index of a form as `createIndexes` takes it; throws what the filter's text is refused for. */
export function indexSpecification(index: NewIndex): Document {
  const made: Document = {
    key: indexKey(index.fields),
    name: index.name === "" ? indexName(index.fields) : index.name,
  };
  if (index.unique) made["unique"] = true;
  if (index.sparse) made["sparse"] = true;
  if (index.hidden) made["hidden"] = true;
  if (index.expireAfterSeconds !== null) made["expireAfterSeconds"] = index.expireAfterSeconds;
  if (index.partialFilter.trim() !== "")
    made["partialFilterExpression"] = EJSON.parse(index.partialFilter, { relaxed: false }) as Document;
  if (index.wildcardProjection.trim() !== "" && coversAll(index.fields))
    made["wildcardProjection"] = EJSON.parse(index.wildcardProjection, { relaxed: false }) as Document;
  return made;
}

export async function createIndex(
  commander: Commander,
  database: string,
  collection: string,
  index: NewIndex,
): Promise<void> {
  await ask(commander, database, { createIndexes: collection, indexes: [indexSpecification(index)] });
}

/** What goes when a collection is dropped. */
export interface Loss {
  readonly documents: number;
  readonly sizeBytes: number;
  /** Names of indexes, the `_id` index left out: every collection has it. */
  readonly indexes: readonly string[];
  /** Views of the database that read the collection, and then read nothing. */
  readonly views: readonly string[];
  readonly isView: boolean;
}

/** What dropping a collection loses, by the catalog; null where the catalog does not know it. */
export function lossOf(databases: readonly CatalogDatabase[], database: string, collection: string): Loss | null {
  const collections = databases.find(({ summary }) => summary.name === database)?.collections ?? [];
  const found = collections.find(({ name }) => name === collection);
  if (found === undefined) return null;
  return {
    documents: found.count,
    sizeBytes: found.sizeBytes,
    indexes: found.indexes.map(({ name }) => name).filter((name) => name !== "_id_"),
    views: collections
      .filter(({ type, options }) => type === "view" && options["viewOn"] === collection)
      .map(({ name }) => name),
    isView: found.type === "view",
  };
}
