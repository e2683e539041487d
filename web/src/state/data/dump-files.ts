/**
 * Several files at once as parts that can be imported: the collections of archives, the files of mongodump's folders
 * with their metadata, and plain files of documents.
 *
 * Invariants: nothing is imported here; a file of metadata is no part of its own unless its documents are missing, as a
 * view's are; the server's own collections (`system.…`, `config`, `local`) are left out and named.
 */
import type { GivenFile } from "../model.ts";
import { ArchiveReader, isArchive } from "./archive/archive-reader.ts";
import { readMetadata, type DumpMetadata } from "./archive/metadata.ts";
import { collectionNameOf, formatOf, unpacked, type ImportFormat } from "./importing.ts";
import { ByteReader } from "./bytes.ts";

/** The file or archive that has a part's documents; `nothing` for a part without any. */
export type PartSource =
  | { readonly kind: "file"; readonly file: File; readonly format: ImportFormat }
  | { readonly kind: "archive"; readonly file: File; readonly namespace: string }
  /** Only described, as a view is. */
  | { readonly kind: "nothing" };

export interface ImportPart {
  /** The part's name in the list: a file's path, or a collection's full name in an archive. */
  readonly label: string;
  /** The database and collection to import into, unless the reader names others. */
  readonly database: string;
  readonly collection: string;
  /** The collection's metadata; null without any, so that its first document makes a plain collection. */
  readonly metadata: DumpMetadata | null;
  /** 0 where it is not known. */
  readonly sizeBytes: number;
  readonly source: PartSource;
}

export interface GatheredParts {
  readonly parts: readonly ImportPart[];
  /** Files and collections that are not for here. */
  readonly leftOut: readonly string[];
  /** The files that could not be read. */
  readonly faults: readonly { readonly label: string; readonly error: unknown }[];
}

/** True for a single file that is imported by itself, with a preview. */
export async function isPlain(file: File): Promise<boolean> {
  return !metadataName.test(file.name) && !isArchive(await headOf(file));
}

const metadataName = /\.metadata\.json(\.gz)?$/i;
const ownDatabases = new Set(["config", "local"]);
const isOwn = (database: string, collection: string): boolean =>
  ownDatabases.has(database) || /^system\./.test(collection);

/** Reads the beginnings of files and gives their parts; `database` is for files whose paths name no database. */
export async function gather(files: readonly GivenFile[], database: string): Promise<GatheredParts> {
  const parts: ImportPart[] = [];
  const leftOut: string[] = [];
  const faults: { label: string; error: unknown }[] = [];
  const described = new Map<string, { readonly path: string; readonly metadata: DumpMetadata }>();
  const attempt = async (label: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      faults.push({ label, error });
    }
  };
  for (const { file, path } of files) {
    if (metadataName.test(path))
      await attempt(
        path,
        async () =>
          void described.set(path.replace(metadataName, ""), {
            path,
            metadata: readMetadata(await new Response(await unpacked(file, () => undefined)).text()),
          }),
      );
  }
  for (const { file, path } of files) {
    if (metadataName.test(path)) continue;
    await attempt(path, async () => {
      const head = await headOf(file);
      if (isArchive(head)) return readArchive(file, parts, leftOut);
      const beside = path.replace(/(\.bson)?(\.gz)?$/i, "");
      const metadata = described.get(beside)?.metadata ?? null;
      described.delete(beside);
      const from = folderOf(path);
      const collection = metadata?.collectionName ?? unescaped(collectionNameOf(file.name));
      const isBson = /\.bson(\.gz)?$/i.test(path);
      // `oplog.bson` lies beside the databases, `prelude.json` beside the collections.
      if (file.size === 0 && !isBson) return void leftOut.push(path);
      if (isOwn(from ?? "", file.name) || /^(prelude\.json|oplog\.bson)(\.gz)?$/.test(file.name))
        return void leftOut.push(path);
      parts.push({
        label: path,
        database: (isBson ? from : null) ?? database,
        collection,
        metadata,
        sizeBytes: file.size,
        source: { kind: "file", file, format: formatOf(file.name, head) },
      });
    });
  }
  for (const [beside, { path, metadata }] of described) {
    const collection = metadata.collectionName ?? unescaped(beside.replace(/^.*\//, ""));
    if (isOwn(folderOf(path) ?? "", collection)) leftOut.push(path);
    else
      parts.push({
        label: path,
        database: folderOf(path) ?? database,
        collection,
        metadata,
        sizeBytes: 0,
        source: { kind: "nothing" },
      });
  }
  return { parts, leftOut, faults };
}

async function readArchive(file: File, parts: ImportPart[], leftOut: string[]): Promise<void> {
  const reader = new ArchiveReader(await unpacked(file, () => undefined));
  const { collections } = await reader.prelude();
  await reader.cancel();
  for (const { database, collection, metadata, sizeBytes } of collections) {
    const namespace = `${database}.${collection}`;
    if (isOwn(database, collection)) leftOut.push(namespace);
    else
      parts.push({
        label: namespace,
        database,
        collection,
        metadata,
        sizeBytes,
        source: { kind: "archive", file, namespace },
      });
  }
}

async function headOf(file: File): Promise<Uint8Array> {
  const reader = new ByteReader(await unpacked(file, () => undefined));
  try {
    return (await reader.peek(4096)).slice();
  } finally {
    await reader.cancel();
  }
}

/** The folder a file lies in, which is its database's name in a dump. */
function folderOf(path: string): string | null {
  return path.split("/").at(-2) ?? null;
}

/** The name of a collection: mongodump escapes in a file's name the characters it may not hold, as `%2F` for `/`. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
