/**
 * A reader's changes of databases, collections and indexes without a script, as the commands a script would send.
 *
 * Invariants: pure but for the command itself; a form's text is read here, so that mistakes are refused in one
 * place.
 */
import { Long, type Document } from "bson";
import type { CatalogDatabase } from "../model.ts";
import { change, type Changer } from "./ask.ts";
import { readTyped } from "./extended-json.ts";

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

export async function createCollection(changer: Changer, collection: NewCollection): Promise<void> {
  const { database, name } = collection;
  await change(changer, database, createCommand(collection), { did: "create", on: `${database}.${name}` });
}

export async function renameCollection(
  changer: Changer,
  database: string,
  collection: string,
  to: string,
): Promise<void> {
  const from = `${database}.${collection}`;
  await change(
    changer,
    "admin",
    { renameCollection: from, to: `${database}.${to}` },
    { did: "rename", on: from, text: to },
  );
}

export async function dropCollection(changer: Changer, database: string, collection: string): Promise<void> {
  await change(changer, database, { drop: collection }, { did: "drop", on: `${database}.${collection}` });
}

export async function dropDatabase(changer: Changer, database: string): Promise<void> {
  await change(changer, database, { dropDatabase: 1 }, { did: "drop-database", on: database });
}

export async function dropIndex(changer: Changer, database: string, collection: string, index: string): Promise<void> {
  const on = `${database}.${collection}`;
  await change(changer, database, { dropIndexes: collection, index }, { did: "drop-index", on, text: index });
}

/** Hides an index from the planner, or shows it again. */
export async function hideIndex(
  changer: Changer,
  database: string,
  collection: string,
  index: string,
  hidden: boolean,
): Promise<void> {
  const did = hidden ? "hide-index" : "show-index";
  const on = `${database}.${collection}`;
  await change(changer, database, { collMod: collection, index: { name: index, hidden } }, { did, on, text: index });
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

/** True where a wildcard covers the whole document: only such a wildcard may have a `wildcardProjection`. */
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

/** The index of a form as `createIndexes` takes it; throws where the filter or projection is no Extended JSON. */
export function indexSpecification(index: NewIndex): Document {
  const made: Document = {
    key: indexKey(index.fields),
    name: index.name === "" ? indexName(index.fields) : index.name,
  };
  if (index.unique) made["unique"] = true;
  if (index.sparse) made["sparse"] = true;
  if (index.hidden) made["hidden"] = true;
  if (index.expireAfterSeconds !== null) made["expireAfterSeconds"] = index.expireAfterSeconds;
  if (index.partialFilter.trim() !== "") made["partialFilterExpression"] = readTyped(index.partialFilter) as Document;
  if (index.wildcardProjection.trim() !== "" && coversAll(index.fields))
    made["wildcardProjection"] = readTyped(index.wildcardProjection) as Document;
  return made;
}

export async function createIndex(
  changer: Changer,
  database: string,
  collection: string,
  index: NewIndex,
): Promise<void> {
  const specification = indexSpecification(index);
  await change(
    changer,
    database,
    { createIndexes: collection, indexes: [specification] },
    { did: "create-index", on: `${database}.${collection}`, text: String(specification["name"]) },
  );
}

/** The documents, indexes and views that are lost when a collection is dropped. */
export interface Loss {
  readonly documents: number;
  readonly sizeBytes: number;
  /** Names of indexes, the `_id` index left out: every collection has it. */
  readonly indexes: readonly string[];
  /** Views of the database that read the collection, and then read nothing. */
  readonly views: readonly string[];
  readonly isView: boolean;
}

/** The loss of dropping a collection, by the catalog; null where the catalog does not know the collection. */
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
