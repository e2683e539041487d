/**
 * A whole deployment as one file, and back: what a reader keeps when storage fails.
 *
 * The file is a sequence of BSON documents: `{ quireExport: 1 }`, then for each collection
 * `{ collection: { database, name, type, options, indexes } }` followed by any number of
 * `{ documents: [ … ] }`. Invariants: it holds no pages, so any version of the engine reads it; views come after
 * collections; importing adds collections and refuses one that already holds documents.
 */
import type { Document } from "bson";
import { Decoder } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { Engine } from "../engine/engine.ts";

const VERSION = 1;
const BATCH = 500;
/** Databases whose content is the engine's own. */
const OWN = new Set(["local", "config"]);

function check(reply: Document): Document {
  if (Number(reply["ok"]) !== 1) throw new Error(String(reply["errmsg"]));
  const error = (reply["writeErrors"] as readonly Document[] | undefined)?.[0];
  if (error !== undefined) throw new Error(String(error["errmsg"]));
  return reply;
}

function* documents(engine: Engine, database: string, collection: string): Generator<Document[]> {
  const typed = { numbers: "typed" } as const;
  let cursor = check(engine.runDocument(database, { find: collection, batchSize: BATCH, sort: { $natural: 1 } }, typed))["cursor"] as Document;
  for (;;) {
    const batch = (cursor["firstBatch"] ?? cursor["nextBatch"]) as Document[];
    if (batch.length > 0) yield batch;
    if (String(cursor["id"]) === "0") return;
    cursor = check(engine.runDocument(database, { getMore: cursor["id"], collection, batchSize: BATCH }, typed))["cursor"] as Document;
  }
}

function firstBatch(reply: Document): Document[] {
  return (check(reply)["cursor"] as { firstBatch: Document[] }).firstBatch;
}

/** Writes every database of the deployment into one file. */
export function exportAll(engine: Engine): Uint8Array {
  const parts: Uint8Array[] = [encode({ quireExport: VERSION })];
  const databases = check(engine.runDocument("admin", { listDatabases: 1, nameOnly: true }))["databases"] as Document[];
  for (const { name: database } of databases as { name: string }[]) {
    if (OWN.has(database)) continue;
    const collections = firstBatch(engine.runDocument(database, { listCollections: 1 }, { numbers: "typed" })) as { name: string; type: string; options: Document }[];
    collections.sort((left, right) => Number(left.type === "view") - Number(right.type === "view"));
    for (const { name, type, options } of collections) {
      if (name.startsWith("system.")) continue;
      const isView = type === "view";
      const indexes = isView ? [] : firstBatch(engine.runDocument(database, { listIndexes: name }, { numbers: "typed" }));
      parts.push(encode({ collection: { database, name, type, options, indexes } }));
      if (!isView) for (const batch of documents(engine, database, name)) parts.push(encode({ documents: batch }));
    }
  }
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads a file of `exportAll`; throws on the first thing that cannot be taken, keeping what came before. */
export function importAll(engine: Engine, bytes: Uint8Array): void {
  const decoder = new Decoder();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = (at: number): number => (at + 4 <= bytes.length ? view.getInt32(at, true) : 0);
  if (length(0) < 5 || decoder.decode(bytes)["quireExport"] !== VERSION) throw new Error("this file is not an export of Quire, or of a version this page does not know");
  let database = "";
  let name = "";
  for (let at = length(0); at < bytes.length; at += length(at)) {
    const part = decoder.decode(bytes, { numbers: "typed" }, at);
    if (part["collection"] !== undefined) {
      const described = part["collection"] as { database: string; name: string; options: Document; indexes: Document[] };
      ({ database, name } = described);
      const existing = firstBatch(engine.runDocument(database, { listCollections: 1, filter: { name } }));
      if (existing.length > 0 && Number(check(engine.runDocument(database, { count: name }))["n"]) > 0) {
        throw new Error(`${database}.${name} already holds documents: drop it first`);
      }
      if (existing.length === 0) check(engine.runDocument(database, { create: name, ...described.options }));
      const indexes = described.indexes.filter((index) => index["name"] !== "_id_").map(({ ns: _ns, ...index }) => index);
      if (indexes.length > 0) check(engine.runDocument(database, { createIndexes: name, indexes }));
    } else {
      check(engine.runDocument(database, { insert: name, documents: part["documents"] }));
    }
  }
}
