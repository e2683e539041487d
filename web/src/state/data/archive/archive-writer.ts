/**
 * Writes an archive for `mongorestore --archive`: the prelude, then one collection after the other, each with its
 * checksum.
 *
 * Invariants: the bytes of documents go through untouched; a view stands in the archive as a collection without
 * documents, without which mongorestore would not create it.
 */
import { Int32, Long } from "bson";
import { encode } from "../../../codec/encode.ts";
import { archiveMagic } from "./archive-reader.ts";
import { Crc64 } from "./crc64.ts";

/** A collection's entry in the prelude. */
export interface ArchiveEntry {
  readonly database: string;
  readonly collection: string;
  /** Canonical Extended JSON: options, indexes, kind. */
  readonly metadata: string;
  readonly type: string;
  readonly sizeBytes: number;
}

const terminator = new Uint8Array([0xff, 0xff, 0xff, 0xff]);

/** The beginning of an archive. */
export function archivePrelude(serverVersion: string, entries: readonly ArchiveEntry[]): Uint8Array[] {
  const magic = new Uint8Array(4);
  new DataView(magic.buffer).setUint32(0, archiveMagic, true);
  const header = encode({
    concurrent_collections: new Int32(1),
    version: "0.1",
    server_version: serverVersion,
    tool_version: "quire",
  });
  const described = entries.map(({ database, collection, metadata, type, sizeBytes }) =>
    encode({
      db: database,
      collection,
      metadata,
      size: sizeBytes < 0x7fffffff ? new Int32(sizeBytes) : Long.fromNumber(sizeBytes),
      type,
    }),
  );
  return [magic, header, ...described, terminator];
}

/** One collection of an archive: `begin`, any number of `documents`, `end`. */
export class ArchivedBlock {
  readonly #database: string;
  readonly #collection: string;
  readonly #sum = new Crc64();

  constructor(database: string, collection: string) {
    this.#database = database;
    this.#collection = collection;
  }

  begin(): Uint8Array {
    return this.#header(false, 0n);
  }

  /** The bytes of documents as the archive holds them, unchanged; counts them into the checksum. */
  documents(documents: readonly Uint8Array[]): readonly Uint8Array[] {
    for (const document of documents) this.#sum.update(document);
    return documents;
  }

  end(): readonly Uint8Array[] {
    return [terminator, this.#header(true, this.#sum.value), terminator];
  }

  #header(isEnd: boolean, sum: bigint): Uint8Array {
    return encode({ db: this.#database, collection: this.#collection, EOF: isEnd, CRC: Long.fromBigInt(sum) });
  }
}
