/**
 * Reads an archive of `mongodump --archive`: a magic number, a prelude that describes every collection, then blocks of
 * documents, those of several collections in turns, each collection ended by a header with its checksum.
 *
 * Invariants: nothing is held but the document under way; whatever does not fit the format is an `ArchiveFault` that
 * says where, and an archive that just stops is one too; each collection's checksum is compared.
 */
import type { Document } from "bson";
import { decode } from "../../../codec/decode.ts";
import { ByteReader, largestDocument } from "../bytes.ts";
import { Crc64 } from "./crc64.ts";
import { noMetadata, readMetadata, type DumpMetadata } from "./metadata.ts";

/** The first four bytes, little-endian. */
export const archiveMagic = 0x8199e26d;

/**
 * A mistake in an archive. `magic`: it is none; `ends`: it stops too early; `bytes`: neither a document nor the
 * end of a block; `header`: a document that is no header; `order`: documents or an end of a collection that was not
 * begun, or was ended; `checksum`: a collection's bytes are not those that were written; `open`: a collection has no
 * end; `packed`: the gzip around it is damaged.
 */
export type ArchiveFaultKind = "magic" | "ends" | "bytes" | "header" | "order" | "checksum" | "open" | "packed";

export class ArchiveFault extends Error {
  readonly kind: ArchiveFaultKind;
  /** The offset of the fault in the unpacked bytes. */
  readonly offset: number;
  /** The collection, where it is one's. */
  readonly namespace: string;

  constructor(kind: ArchiveFaultKind, offset: number, namespace = "") {
    super(`${kind} at byte ${offset}${namespace === "" ? "" : ` of ${namespace}`}`);
    this.name = "ArchiveFault";
    this.kind = kind;
    this.offset = offset;
    this.namespace = namespace;
  }
}

/** A collection or view that an archive holds. */
export interface ArchivedCollection {
  readonly database: string;
  readonly collection: string;
  readonly metadata: DumpMetadata;
  /** Bytes of its documents; 0 where the archive does not say. */
  readonly sizeBytes: number;
}

export interface ArchivePrelude {
  readonly serverVersion: string;
  readonly toolVersion: string;
  readonly collections: readonly ArchivedCollection[];
}

/** A document of a collection, or its end. */
export interface ArchiveItem {
  readonly namespace: string;
  readonly document: Uint8Array | null;
}

/** True when the bytes begin as an archive does. */
export function isArchive(head: Uint8Array): boolean {
  return head.length >= 4 && new DataView(head.buffer, head.byteOffset, 4).getUint32(0, true) === archiveMagic;
}

export class ArchiveReader {
  readonly #reader: ByteReader;
  /** Collections the prelude names whose end was not seen yet. */
  readonly #awaited = new Set<string>();

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = new ByteReader(stream);
  }

  /** The prelude; to be read first, and once. */
  async prelude(): Promise<ArchivePrelude> {
    const head = await this.#peek(4);
    if (!isArchive(head)) throw new ArchiveFault("magic", 0);
    await this.#reader.take(4);
    const header = await this.#header();
    if (header === null || typeof header["version"] !== "string") throw new ArchiveFault("header", 4);
    const collections: ArchivedCollection[] = [];
    for (let next = await this.#header(); next !== null; next = await this.#header()) {
      const { db, collection, metadata, size } = next;
      if (typeof db !== "string" || typeof collection !== "string")
        throw new ArchiveFault("header", this.#reader.offset);
      let read: DumpMetadata = noMetadata;
      try {
        if (typeof metadata === "string" && metadata !== "") read = readMetadata(metadata);
      } catch {
        throw new ArchiveFault("header", this.#reader.offset, `${db}.${collection}`);
      }
      // The documents of a time series come under another name.
      if (next["type"] !== "timeseries") this.#awaited.add(`${db}.${collection}`);
      collections.push({
        database: db,
        collection,
        metadata: typeof next["type"] === "string" && next["type"] !== "" ? { ...read, type: next["type"] } : read,
        sizeBytes: Number(size ?? 0),
      });
    }
    return { serverVersion: text(header["server_version"]), toolVersion: text(header["tool_version"]), collections };
  }

  /** The documents and the ends of collections after the prelude, in the archive's order. */
  async *items(): AsyncGenerator<ArchiveItem> {
    const sums = new Map<string, Crc64>();
    const ended = new Set<string>();
    for (;;) {
      if ((await this.#peek(1)).length === 0) break;
      const at = this.#reader.offset;
      const header = await this.#header();
      if (header === null || typeof header["db"] !== "string" || typeof header["collection"] !== "string")
        throw new ArchiveFault("header", at);
      const namespace = `${header["db"]}.${header["collection"]}`;
      if (ended.has(namespace)) throw new ArchiveFault("order", at, namespace);
      let sum = sums.get(namespace);
      if (sum === undefined) sums.set(namespace, (sum = new Crc64()));
      const isEnd = header["EOF"] === true;
      for (let document = await this.#document(); document !== null; document = await this.#document()) {
        if (isEnd) throw new ArchiveFault("order", this.#reader.offset - document.length, namespace);
        sum.update(document);
        yield { namespace, document };
      }
      if (!isEnd) continue;
      if (BigInt(String(header["CRC"])) !== sum.value) throw new ArchiveFault("checksum", at, namespace);
      sums.delete(namespace);
      ended.add(namespace);
      this.#awaited.delete(namespace);
      yield { namespace, document: null };
    }
    const [open] = [...sums.keys(), ...this.#awaited];
    if (open !== undefined) throw new ArchiveFault("open", this.#reader.offset, open);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  async #header(): Promise<Document | null> {
    const at = this.#reader.offset;
    const bytes = await this.#document();
    if (bytes === null) return null;
    try {
      return decode(bytes, { numbers: "typed" });
    } catch {
      throw new ArchiveFault("header", at);
    }
  }

  /** The next document's bytes, or null at the end of a block. */
  async #document(): Promise<Uint8Array | null> {
    const at = this.#reader.offset;
    const head = await this.#peek(4);
    if (head.length < 4) throw new ArchiveFault("ends", at);
    const length = new DataView(head.buffer, head.byteOffset, 4).getInt32(0, true);
    if (length === -1) {
      await this.#reader.take(4);
      return null;
    }
    if (length < 5 || length > largestDocument) throw new ArchiveFault("bytes", at);
    const whole = await this.#peek(length);
    if (whole.length < length) throw new ArchiveFault("ends", at);
    if (whole[length - 1] !== 0) throw new ArchiveFault("bytes", at);
    return (await this.#reader.take(length)).slice();
  }

  async #peek(length: number): Promise<Uint8Array> {
    try {
      return await this.#reader.peek(length);
    } catch (error) {
      // A file that the browser cannot read is a `DOMException`; all else comes of the unpacking.
      if (error instanceof DOMException) throw error;
      throw new ArchiveFault("packed", this.#reader.offset);
    }
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
