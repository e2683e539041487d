/**
 * `quiredb dump`, `restore`, `export` and `import`: a deployment's data as files and back, by the readers and writers
 * of the playground.
 *
 * Invariant: the number returned is the exit code: 0 where all was done, 1 where a part was refused, which is told.
 */
import { EJSON, type Document } from "bson";
import { Refusal, ask } from "../../state/data/ask.ts";
import { archived } from "../../state/data/dumping.ts";
import { gather } from "../../state/data/dump-files.ts";
import { collectionSource, exported, exportFormats, type ExportFormat } from "../../state/data/exporting.ts";
import { collectionNameOf, importFile, importFormats, look, type ImportFormat } from "../../state/data/importing.ts";
import { restore as restoreParts } from "../../state/data/restoring.ts";
import type { Place } from "./driver-place.ts";
import { filesAt, unfit, writeTo } from "./files.ts";
import type { Where } from "./place.ts";
import { databaseOf, readWords, type Read, whereOf } from "./words.ts";

const PLACE = `  --uri mongodb://…   a real deployment, by MongoDB's own driver (npm install mongodb)
  --data FILE         or that in a file of \`quiredb serve\``;

export const DUMP_USAGE = `quiredb dump (--uri mongodb://… | --data FILE) [--db NAME] [--out FILE] [--gzip]

Writes all collections with their options, indexes and views as one archive, which mongorestore, the playground and
\`quiredb restore\` read.

${PLACE}
  --db NAME           this database alone
  --out FILE          default dump.archive, with --gzip dump.archive.gz; - is the standard output
  --gzip              packed

Exit code: 0 written, 2 not.`;

export const RESTORE_USAGE = `quiredb restore FILE|DIR|- (--uri mongodb://… | --data FILE) [OPTIONS]

Restores an archive, or a folder as mongodump writes it: collections with their options, indexes and views. An archive
may come by the standard input (-).

${PLACE}
  --db NAME           into this database, whatever the database was
  --drop              drop each collection before it is restored
  --stop-on-error     end at the first document that is refused

Exit code: 0 all restored, 1 something was refused, 2 nothing could be restored.`;

export const EXPORT_USAGE = `quiredb export COLLECTION (--uri mongodb://… | --data FILE) [OPTIONS]

Writes the documents of a collection.

${PLACE}
  --db NAME           default: the address's database, or test
  --format FORMAT     ${exportFormats.join(", ")}; default ndjson, one document a line
  --query FILTER      those alone that a filter finds, as Extended JSON
  --canonical         with the type of each number
  --out FILE          default: the standard output

Exit code: 0 written, 2 not.`;

export const IMPORT_USAGE = `quiredb import FILE|- (--uri mongodb://… | --data FILE) [OPTIONS]

Inserts the documents of a file: JSON (an array, or a document a line), CSV with a header, or BSON, packed or not. It
may come by the standard input (-); --collection says then where it goes.

${PLACE}
  --db NAME           default: the address's database, or test
  --collection NAME   default: the file's name
  --format FORMAT     ${importFormats.join(", ")}; default: seen from the file
  --drop              drop the collection first
  --stop-on-error     end at the first document that is refused

Exit code: 0 all inserted, 1 something was refused, 2 nothing could be inserted.`;

interface At {
  readonly where: Where;
}
export interface DumpOptions extends At {
  readonly database: string | null;
  readonly out: string;
  readonly gzip: boolean;
}
export interface RestoreOptions extends At {
  readonly from: string;
  readonly database: string | null;
  readonly drop: boolean;
  readonly stopAtFirst: boolean;
}
export interface ExportOptions extends At {
  readonly database: string;
  readonly collection: string;
  readonly format: ExportFormat;
  readonly filter: Document;
  readonly canonical: boolean;
  readonly out: string;
}
export interface ImportOptions extends At {
  readonly file: string;
  readonly database: string;
  readonly collection: string;
  readonly format: ImportFormat | null;
  readonly drop: boolean;
  readonly stopAtFirst: boolean;
}

const NOWHERE = "--uri or --data says where the data are";
const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

export function readDumpOptions(words: readonly string[]): Read<DumpOptions> {
  return readWords(words, { uri: "text", data: "text", db: "text", out: "text", gzip: "flag" }, ([word], given) => {
    const { uri, db = null, gzip = false } = given;
    const where = whereOf(given) ?? NOWHERE;
    if (word !== undefined) return `${word} is a word too many`;
    if (typeof where === "string") return where;
    return {
      where,
      database: db ?? databaseOf(uri) ?? null,
      out: given.out ?? `dump.archive${gzip ? ".gz" : ""}`,
      gzip,
    };
  });
}

export function readRestoreOptions(words: readonly string[]): Read<RestoreOptions> {
  const table = { uri: "text", data: "text", db: "text", drop: "flag", "stop-on-error": "flag" } as const;
  return readWords(words, table, ([from, more], given) => {
    const { db = null, drop = false, "stop-on-error": stopAtFirst = false } = given;
    const where = whereOf(given) ?? NOWHERE;
    if (from === undefined) return "an archive or a folder is missing";
    if (more !== undefined) return `${more} is a word too many`;
    if (typeof where === "string") return where;
    return { from, where, database: db, drop, stopAtFirst };
  });
}

export function readExportOptions(words: readonly string[]): Read<ExportOptions> {
  const table = {
    uri: "text",
    data: "text",
    db: "text",
    format: "text",
    query: "text",
    canonical: "flag",
    out: "text",
  } as const;
  return readWords(words, table, ([collection, more], given) => {
    const { uri, db, format = "ndjson", query, canonical, out = "-" } = given;
    const where = whereOf(given) ?? NOWHERE;
    if (collection === undefined) return "a collection is missing";
    if (more !== undefined) return `${more} is a word too many`;
    if (typeof where === "string") return where;
    if (!isOneOf(exportFormats, format)) return `--format is one of ${exportFormats.join(", ")}, and not ${format}`;
    let filter: Document = {};
    try {
      if (query !== undefined) filter = EJSON.parse(query, { relaxed: false }) as Document;
    } catch (error) {
      return `--query is no Extended JSON: ${(error as Error).message}`;
    }
    const database = db ?? databaseOf(uri) ?? "test";
    return { where, database, collection, format, filter, canonical: canonical === true, out };
  });
}

export function readImportOptions(words: readonly string[]): Read<ImportOptions> {
  const table = {
    uri: "text",
    data: "text",
    db: "text",
    collection: "text",
    format: "text",
    drop: "flag",
    "stop-on-error": "flag",
  } as const;
  return readWords(words, table, ([file, more], given) => {
    const { uri, format = null, drop = false, "stop-on-error": stopAtFirst = false } = given;
    const where = whereOf(given) ?? NOWHERE;
    if (file === undefined) return "a file is missing";
    if (more !== undefined) return `${more} is a word too many`;
    if (typeof where === "string") return where;
    if (format !== null && !isOneOf(importFormats, format))
      return `--format is one of ${importFormats.join(", ")}, and not ${format}`;
    if (file === "-" && given.collection === undefined) return "--collection says where the standard input goes";
    const collection = given.collection ?? collectionNameOf(file);
    return { where, file, database: given.db ?? databaseOf(uri) ?? "test", collection, format, drop, stopAtFirst };
  });
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const never = new AbortController().signal;
/** Says to the terminal what was done, beside the data. */
export type Tell = (text: string) => void;

export async function dump(place: Place, { database, out, gzip }: DumpOptions, tell: Tell): Promise<0> {
  let done = { collections: 0, documents: 0 };
  const stream = archived(place, { database, gzip, signal: never, progress: (now) => (done = now) });
  await writeTo(out, stream as unknown as AsyncIterable<Uint8Array>);
  tell(`${plural(done.documents, "document")} of ${plural(done.collections, "collection")}: ${out}\n`);
  return 0;
}

export async function restore(place: Place, options: RestoreOptions, tell: Tell): Promise<0 | 1 | 2> {
  const { parts, leftOut, faults } = await gather(await filesAt(options.from), options.database ?? "test");
  for (const name of leftOut) tell(`${name} is a server's own, and left out\n`);
  for (const { label, error } of faults) tell(`${label}: ${error instanceof Error ? error.message : String(error)}\n`);
  if (parts.length === 0) {
    tell(`${options.from} has nothing to restore\n`);
    return 2;
  }
  const words = unfit(parts);
  if (words !== null) {
    tell(`${words}\n`);
    return 2;
  }
  const outcomes = await restoreParts(place, {
    targets: parts.map((part) => ({
      part,
      database: options.database ?? part.database,
      collection: part.collection,
    })),
    drop: options.drop,
    stopAtFirst: options.stopAtFirst,
    signal: never,
    progress: () => undefined,
  });
  let isWhole = faults.length === 0;
  for (const { target, inserted, failed, failures, indexes, problems, complete } of outcomes) {
    const name = `${target.database}.${target.collection}`;
    const indexed = indexes === 0 ? "" : `, ${plural(indexes, "index").replace(/xs$/, "xes")}`;
    tell(`${name}: ${plural(inserted, "document")}${indexed}${failed === 0 ? "" : `, ${failed} refused`}\n`);
    for (const { message } of failures.slice(0, 3)) tell(`  ${message}\n`);
    for (const problem of problems) tell(`  ${problem instanceof Error ? problem.message : String(problem)}\n`);
    if (failed > 0 || problems.length > 0 || !complete) isWhole = false;
  }
  return isWhole ? 0 : 1;
}

export async function exportCollection(place: Place, options: ExportOptions, tell: Tell): Promise<0> {
  const { database, collection, format, filter, canonical, out } = options;
  let documents = 0;
  const source = collectionSource(place, database, collection, filter);
  const pieces = exported(source, { format, canonical, signal: never, progress: (now) => (documents = now) });
  const single = async function* (): AsyncGenerator<Uint8Array | string> {
    for await (const piece of pieces)
      if (typeof piece === "string") yield piece;
      else yield* piece;
  };
  await writeTo(out, single());
  if (out !== "-") tell(`${plural(documents, "document")}: ${out}\n`);
  return 0;
}

export async function importInto(place: Place, options: ImportOptions, tell: Tell): Promise<0 | 1 | 2> {
  const { database, collection, drop, stopAtFirst } = options;
  const [given, ...others] = await filesAt(options.file);
  if (given === undefined || others.length > 0) {
    tell(`${options.file} is a folder: quiredb restore reads those\n`);
    return 2;
  }
  const { format, columns } = await look(given.file, options.format);
  if (drop)
    await ask(place, database, { drop: collection }).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 26) throw error;
    });
  const { inserted, failed, failures, complete } = await importFile(place, {
    file: given.file,
    format,
    columns,
    database,
    collection,
    stopAtFirst,
    signal: never,
    progress: () => undefined,
  });
  tell(`${database}.${collection}: ${plural(inserted, "document")}${failed === 0 ? "" : `, ${failed} refused`}\n`);
  for (const { place: at, message } of failures.slice(0, 10)) tell(`  ${at}: ${message}\n`);
  return failed === 0 && complete ? 0 : 1;
}
