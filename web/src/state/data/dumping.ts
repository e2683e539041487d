/**
 * Every collection, or those of one database, as an archive that mongorestore reads.
 *
 * Invariants: a collection is read by one cursor, so that its documents are one moment of it; options and indexes are
 * those the engine lists, with every number's type; the bytes go to the browser as they come.
 */
import { Binary, type Document } from "bson";
import { archivePrelude, ArchivedBlock, type ArchiveEntry } from "./archive/archive-writer.ts";
import { writeMetadata } from "./archive/metadata.ts";
import { ask, cursorOf, type Commander } from "./ask.ts";
import { collectionSource } from "./exporting.ts";

export interface DumpOptions {
  /** The database to dump; null for all databases. */
  readonly database: string | null;
  readonly gzip: boolean;
  readonly signal: AbortSignal;
  progress(now: DumpProgress): void;
}

export interface DumpProgress {
  readonly collections: number;
  readonly documents: number;
}

/** The engine's own databases, which no archive holds. */
const ownDatabases = new Set(["local", "config"]);

/** Writes an archive; null when it was stopped. */
export async function dump(commander: Commander, options: DumpOptions): Promise<Blob | null> {
  const blob = await new Response(archived(commander, options)).blob();
  return options.signal.aborted ? null : blob;
}

/** The bytes of an archive as they come. One that is stopped ends in the middle. */
export function archived(commander: Commander, options: DumpOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = written(commander, options);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
  });
  return options.gzip ? stream.pipeThrough(new CompressionStream("gzip")) : stream;
}

async function* written(commander: Commander, { database, signal, progress }: DumpOptions): AsyncGenerator<Uint8Array> {
  const { version } = await ask(commander, "admin", { buildInfo: 1 });
  const entries = await entriesOf(commander, database);
  yield joined(archivePrelude(String(version), entries));
  let collections = 0;
  let documents = 0;
  for (const { database: name, collection, type } of entries) {
    const block = new ArchivedBlock(name, collection);
    yield block.begin();
    if (type !== "view") {
      for await (const batch of collectionSource(commander, name, collection)(signal)) {
        if (signal.aborted) return;
        if (batch.length > 0) yield joined(block.documents(batch));
        documents += batch.length;
        progress({ collections, documents });
      }
    }
    if (signal.aborted) return;
    yield joined(block.end());
    collections += 1;
    progress({ collections, documents });
  }
}

async function entriesOf(commander: Commander, only: string | null): Promise<readonly ArchiveEntry[]> {
  const { databases } = await ask(commander, "admin", { listDatabases: 1, nameOnly: true });
  const entries: ArchiveEntry[] = [];
  for (const { name } of databases as { name: string }[]) {
    if (ownDatabases.has(name) || (only !== null && name !== only)) continue;
    const infos = [...(await all(commander, name, { listCollections: 1 }, "$cmd.listCollections"))];
    // A view comes after its source.
    infos.sort((left, right) => Number(left["type"] === "view") - Number(right["type"] === "view"));
    for (const info of infos) {
      const collection = String(info["name"]);
      if (collection.startsWith("system.")) continue;
      const type = String(info["type"]);
      const isView = type === "view";
      const indexes = isView
        ? []
        : await all(commander, name, { listIndexes: collection }, `$cmd.listIndexes.${collection}`);
      const uuid = (info["info"] as Document | undefined)?.["uuid"];
      const size = isView ? 0 : Number((await ask(commander, name, { collStats: collection }))["size"] ?? 0);
      const metadata = writeMetadata(
        collection,
        type,
        (info["options"] ?? {}) as Document,
        indexes,
        uuid instanceof Binary ? uuid.toString("hex").replaceAll("-", "") : null,
      );
      entries.push({ database: name, collection, metadata, type, sizeBytes: size });
    }
  }
  return entries;
}

/** All documents of a listing. */
async function all(
  commander: Commander,
  database: string,
  command: Document,
  collection: string,
): Promise<readonly Document[]> {
  const found: Document[] = [];
  let { documents, id } = cursorOf(await ask(commander, database, command));
  found.push(...documents);
  while (id !== 0n) {
    ({ documents, id } = cursorOf(await ask(commander, database, { getMore: id, collection })));
    found.push(...documents);
  }
  return found;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
