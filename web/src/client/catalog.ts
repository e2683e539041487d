/**
 * The catalog that a sidebar shows, read by plain commands: databases, collections with their sizes, indexes, field
 * names.
 */
import type { Document } from "bson";
import type { CollectionSummary, DatabaseSummary, IndexSummary } from "./client.ts";

export interface Commander {
  command(database: string, command: Document): Promise<Document>;
}

/** Databases that are there from the first start, with nothing in them. */
const always = new Set(["admin", "config", "local"]);

/** The databases that have something to show: those that are there always only with a collection. */
export async function listDatabases(client: Commander): Promise<readonly DatabaseSummary[]> {
  const { databases } = (await client.command("admin", { listDatabases: 1 })) as unknown as { databases: Document[] };
  return databases
    .map((one) => ({
      name: String(one["name"]),
      sizeOnDisk: Number(one["sizeOnDisk"] ?? 0),
      empty: one["empty"] === true,
    }))
    .filter(({ name, empty }) => !empty || !always.has(name));
}

async function all(client: Commander, database: string, command: Document, collection: string): Promise<Document[]> {
  const documents: Document[] = [];
  let cursor = (await client.command(database, command))["cursor"] as Document;
  for (;;) {
    documents.push(...((cursor["firstBatch"] ?? cursor["nextBatch"] ?? []) as Document[]));
    if (String(cursor["id"]) === "0") return documents;
    cursor = (await client.command(database, { getMore: cursor["id"], collection }))["cursor"] as Document;
  }
}

function indexSummary(index: Document, sizes: Document): IndexSummary {
  const name = String(index["name"]);
  return {
    name,
    key: index["key"] as Document,
    unique: index["unique"] === true,
    sparse: index["sparse"] === true,
    partial: index["partialFilterExpression"] !== undefined,
    hidden: index["hidden"] === true,
    expireAfterSeconds: index["expireAfterSeconds"] === undefined ? null : Number(index["expireAfterSeconds"]),
    sizeBytes: Number(sizes[name] ?? 0),
  };
}

async function collectionSummary(client: Commander, database: string, info: Document): Promise<CollectionSummary> {
  const name = String(info["name"]);
  const type = info["type"] as CollectionSummary["type"];
  const options = (info["options"] ?? {}) as Document;
  const base = { name, type, options, capped: options["capped"] === true };
  if (type === "view") return { ...base, count: 0, sizeBytes: 0, storageBytes: 0, indexes: [] };
  const [stats, indexes, counted] = await Promise.all([
    client.command(database, { collStats: name }),
    all(client, database, { listIndexes: name }, `$cmd.listIndexes.${name}`),
    // The statistics of a time series count its buckets; its readings are counted out of them.
    type === "timeseries" ? client.command(database, { count: name }) : null,
  ]);
  const sizes = (stats["indexSizes"] ?? {}) as Document;
  return {
    ...base,
    count: Number(counted?.["n"] ?? stats["count"] ?? 0),
    sizeBytes: Number(stats["size"] ?? 0),
    storageBytes: Number(stats["storageSize"] ?? 0),
    indexes: indexes.map((index) => indexSummary(index, sizes)),
  };
}

export async function listCollections(client: Commander, database: string): Promise<readonly CollectionSummary[]> {
  const infos = await all(client, database, { listCollections: 1 }, "$cmd.listCollections");
  const own = infos.filter((info) => !String(info["name"]).startsWith("system."));
  const summaries = await Promise.all(own.map((info) => collectionSummary(client, database, info)));
  return summaries.sort((left, right) => (left.name < right.name ? -1 : 1));
}
