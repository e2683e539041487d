/**
 * GridFS: files in pieces, written and read as streams. `GridFSBucket` in the Node driver's shape.
 *
 * Invariants: the document of a file is written when all its pieces are, so that a file which is found is whole; a
 * piece is written when it is full and before more is taken; a piece that is missing, of another place or another
 * length ends the reading with an error.
 */
import { Binary, ObjectId, type Document } from "bson";
import type { Collection } from "./collection.ts";
import type { AbstractCursor, FindCursor } from "./cursor.ts";
import type { Db } from "./database.ts";
import {
  MongoAPIError,
  MongoGridFSChunkError,
  MongoGridFSStreamError,
  MongoInvalidArgumentError,
  MongoOperationTimeoutError,
  MongoRuntimeError,
  MongoServerError,
} from "./errors.ts";
import type { FindOptions, ReadPreferenceLike, WriteConcernOptions } from "./option-types.ts";
import { toSort } from "./cursor.ts";
import type { Filter } from "./schema-types.ts";
import { unsupported } from "./unsupported.ts";
import type { Sort } from "../shell/sort.ts";
import { Readable, Writable } from "./streams.ts";

export interface GridFSBucketOptions extends WriteConcernOptions {
  /** The beginning of its collections' names. Default `fs`. */
  readonly bucketName?: string;
  /** The length of a piece. Default 255 KiB. */
  readonly chunkSizeBytes?: number;
  readonly readPreference?: ReadPreferenceLike;
  readonly timeoutMS?: number;
}
export interface GridFSBucketWriteStreamOptions extends WriteConcernOptions {
  readonly chunkSizeBytes?: number;
  readonly id?: unknown;
  readonly metadata?: Document;
  readonly contentType?: string;
  readonly aliases?: readonly string[];
  readonly timeoutMS?: number;
}
export interface GridFSBucketReadStreamOptions {
  /** The first byte. */
  readonly start?: number;
  /** The byte after the last one. */
  readonly end?: number;
  readonly sort?: Sort;
  readonly skip?: number;
  readonly timeoutMS?: number;
}
export interface GridFSBucketReadStreamOptionsWithRevision extends GridFSBucketReadStreamOptions {
  /** Which of the files of that name: 0 is the oldest, 1 the next one, -1 the newest (the default). */
  readonly revision?: number;
}
/** The document of a file. */
export interface GridFSFile {
  _id: ObjectId;
  length: number;
  chunkSize: number;
  filename: string;
  uploadDate: Date;
  metadata?: Document;
  contentType?: string;
  aliases?: string[];
}
/** The document of a piece. */
export interface GridFSChunk {
  _id: ObjectId;
  files_id: ObjectId;
  n: number;
  data: Binary;
}

/** The collections of a bucket, and what its streams inherit. */
interface Bucket {
  readonly files: Collection<GridFSFile>;
  readonly chunks: Collection<GridFSChunk>;
  readonly chunkSizeBytes: number;
  readonly timeoutMS: number | undefined;
  /** Makes the indexes once, before the first file. */
  prepare(timeout: Timeout): Promise<void>;
}

/** What is left of the time of an operation of several commands, as their option. */
type Timeout = () => { readonly timeoutMS?: number };

function timeoutOf(millis: number | undefined): Timeout {
  if (millis === undefined || millis === 0) return () => ({});
  const deadline = performance.now() + millis;
  return () => {
    const left = Math.ceil(deadline - performance.now());
    if (left <= 0) throw new MongoOperationTimeoutError(`Timed out after ${millis}ms`);
    return { timeoutMS: left };
  };
}

const NAMESPACE_NOT_FOUND = 26;
const utf8 = new TextEncoder();

/** Node's own kind of bytes where there is Node, so that a piece can be made a text by `toString`. */
function local(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    Buffer?: { from(buffer: ArrayBufferLike, at: number, length: number): Uint8Array };
  };
  return Buffer === undefined ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function bytesOf(chunk: unknown, encoding: string): Uint8Array {
  if (typeof chunk === "string") {
    const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: string): Uint8Array } };
    return Buffer === undefined ? utf8.encode(chunk) : Buffer.from(chunk, encoding);
  }
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new MongoInvalidArgumentError("a stream of GridFS takes bytes or text");
}

function needKnown(options: object, known: readonly string[]): void {
  const strange = Object.entries(options).filter(([name, value]) => value !== undefined && !known.includes(name));
  if (strange.length > 0) throw new MongoInvalidArgumentError(unsupported(strange.map(([name]) => name)));
}

const CONCERN = ["writeConcern", "w", "wtimeoutMS", "wtimeout", "journal", "j"];
const WRITE_OPTIONS = ["chunkSizeBytes", "id", "metadata", "contentType", "aliases", "timeoutMS", ...CONCERN];
const READ_OPTIONS = ["start", "end", "sort", "skip", "timeoutMS", "revision"];

/** A stream that writes a file. */
export class GridFSBucketWriteStream extends Writable {
  readonly #bucket: Bucket;
  readonly #options: GridFSBucketWriteStreamOptions;
  readonly #concern: WriteConcernOptions;
  readonly #timeout: Timeout;
  readonly #piece: Uint8Array;
  #filled = 0;
  #isAborted = false;
  #isDone = false;
  #taking: Promise<void> = Promise.resolve();
  /** The file's `_id`. */
  readonly id: ObjectId;
  readonly filename: string;
  readonly chunkSizeBytes: number;
  /** How many bytes were taken so far. */
  length = 0;
  /** How many pieces were written so far. */
  n = 0;
  /** The file's document, once it is written. */
  gridFSFile: GridFSFile | null = null;

  /** `GridFSBucket.openUploadStream` makes these. */
  constructor(bucket: Bucket, filename: string, options: GridFSBucketWriteStreamOptions = {}) {
    super();
    needKnown(options, WRITE_OPTIONS);
    this.#bucket = bucket;
    this.#options = options;
    this.#concern = Object.fromEntries(Object.entries(options).filter(([name]) => CONCERN.includes(name)));
    this.#timeout = timeoutOf(options.timeoutMS ?? bucket.timeoutMS);
    this.id = (options.id ?? new ObjectId()) as ObjectId;
    this.filename = filename;
    this.chunkSizeBytes = options.chunkSizeBytes ?? bucket.chunkSizeBytes;
    if (!Number.isInteger(this.chunkSizeBytes) || this.chunkSizeBytes <= 0)
      throw new MongoInvalidArgumentError("option chunkSizeBytes must be a whole number above zero");
    this.#piece = new Uint8Array(this.chunkSizeBytes);
  }

  async #store(): Promise<void> {
    if (this.#filled === 0) return;
    const data = new Binary(this.#piece.slice(0, this.#filled));
    this.#filled = 0;
    const piece = { _id: new ObjectId(), files_id: this.id, n: this.n, data };
    this.n += 1;
    await this.#bucket.chunks.insertOne(piece, { ...this.#concern, ...this.#timeout() });
  }
  async #take(bytes: Uint8Array): Promise<void> {
    await this.#bucket.prepare(this.#timeout);
    this.length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      // These bytes were given before, and are given up with the file.
      if (this.#isAborted) return;
      const part = bytes.subarray(at, at + this.chunkSizeBytes - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.chunkSizeBytes) await this.#store();
    }
  }
  async #end(): Promise<void> {
    if (this.#isAborted) throw new MongoAPIError("Stream has been aborted");
    this.#isDone = true;
    await this.#bucket.prepare(this.#timeout);
    await this.#store();
    const { metadata, contentType, aliases } = this.#options;
    const file: GridFSFile = {
      _id: this.id,
      length: this.length,
      chunkSize: this.chunkSizeBytes,
      uploadDate: new Date(),
      filename: this.filename,
      ...(contentType === undefined ? {} : { contentType }),
      ...(aliases === undefined ? {} : { aliases: [...aliases] }),
      ...(metadata === undefined ? {} : { metadata }),
    };
    await this.#bucket.files.insertOne(file, { ...this.#concern, ...this.#timeout() });
    this.gridFSFile = file;
  }
  _write(chunk: unknown, encoding: string, callback: (error?: Error | null) => void): void {
    if (this.#isAborted) return void callback(new MongoAPIError("Stream has been aborted"));
    let bytes: Uint8Array;
    try {
      bytes = bytesOf(chunk, encoding);
    } catch (error) {
      return void callback(error as Error);
    }
    this.#taking = this.#take(bytes).then(() => callback(), callback);
  }
  _final(callback: (error?: Error | null) => void): void {
    this.#end().then(() => callback(), callback);
  }
  /** Gives the file up, and deletes the pieces that were written. */
  async abort(): Promise<void> {
    if (this.#isDone) throw new MongoAPIError("Cannot abort a stream that has already completed");
    if (this.#isAborted) throw new MongoAPIError("Cannot call abort() on a stream twice");
    this.#isAborted = true;
    // A piece on its way would come behind the deletion.
    await this.#taking;
    await this.#bucket.chunks.deleteMany({ files_id: this.id } as Filter<GridFSChunk>, this.#timeout());
  }
}

interface Wanted {
  readonly filter: Document;
  readonly sort?: Sort | undefined;
  readonly skip?: number | undefined;
}

/** A stream that reads a file. It tells the file's document by the event `file`. */
export class GridFSBucketReadStream extends Readable<Uint8Array> {
  static readonly FILE = "file";
  readonly #bucket: Bucket;
  readonly #wanted: Wanted;
  readonly #timeout: Timeout;
  #start: number;
  #end: number | undefined;
  #file: GridFSFile | null = null;
  #cursor: AbstractCursor<GridFSChunk> | null = null;
  #isReading = false;
  /** The place and the first byte of the next piece. */
  #next = 0;

  /** `GridFSBucket.openDownloadStream` makes these. */
  constructor(bucket: Bucket, wanted: Wanted, options: GridFSBucketReadStreamOptions = {}) {
    super();
    needKnown(options, READ_OPTIONS);
    this.#bucket = bucket;
    this.#wanted = wanted;
    this.#timeout = timeoutOf(options.timeoutMS ?? bucket.timeoutMS);
    this.#start = options.start ?? 0;
    this.#end = options.end;
  }

  #needUnread(): void {
    if (this.#isReading || this.#file !== null)
      throw new MongoGridFSStreamError("Options cannot be changed after the stream is initialized");
  }
  /** Has the stream begin at a byte. */
  start(start = 0): this {
    this.#needUnread();
    this.#start = start;
    return this;
  }
  /** Has the stream end before a byte. */
  end(end = 0): this {
    this.#needUnread();
    this.#end = end;
    return this;
  }
  /** Ends the reading. */
  async abort(): Promise<void> {
    this.push(null);
    this.destroy();
    await this.#cursor?.close();
  }

  async #opened(): Promise<GridFSFile> {
    const { filter, sort, skip } = this.#wanted;
    const file = await this.#bucket.files.findOne(filter as Filter<GridFSFile>, {
      ...(sort === undefined ? {} : { sort }),
      ...(skip === undefined ? {} : { skip }),
      ...this.#timeout(),
    });
    if (file === null) {
      const name: unknown = filter["_id"] ?? filter["filename"];
      throw Object.assign(new MongoRuntimeError(`FileNotFound: file ${String(name)} was not found`), {
        code: "ENOENT",
      });
    }
    const { length, chunkSize } = file;
    const [start, end] = [this.#start, this.#end ?? length];
    const wrong = (what: string): Error => new MongoInvalidArgumentError(`Stream ${what}`);
    if (start < 0) throw wrong(`start (${start}) must not be negative`);
    if (start > length) throw wrong(`start (${start}) must not be more than the length of the file (${length})`);
    if (end > length) throw wrong(`end (${end}) must not be more than the length of the file (${length})`);
    if (end < start) throw wrong(`start (${start}) must not be greater than stream end (${end})`);
    this.#end = end;
    this.#next = Math.floor(start / chunkSize);
    const pieces = { files_id: file._id, n: { $gte: this.#next, $lt: Math.ceil(end / chunkSize) } };
    this.#cursor = this.#bucket.chunks.find<GridFSChunk>(pieces as Filter<GridFSChunk>, this.#timeout()).sort({ n: 1 });
    this.#file = file as GridFSFile;
    this.emit("file", file);
    return this.#file;
  }
  /** The wanted part of the next piece; null at the end. */
  async #piece(): Promise<Uint8Array | null> {
    const file = this.#file ?? (await this.#opened());
    const { length, chunkSize } = file;
    const end = this.#end ?? length;
    const at = this.#next * chunkSize;
    if (end === this.#start || at >= end) return null;
    const piece = await (this.#cursor as AbstractCursor<GridFSChunk>).next();
    const expected = this.#next;
    if (piece === null || piece.n > expected)
      throw new MongoGridFSChunkError(
        `ChunkIsMissing: Got unexpected n: ${piece === null ? "none" : piece.n}, expected: ${expected}`,
      );
    if (piece.n < expected)
      throw new MongoGridFSChunkError(`ExtraChunk: Got unexpected n: ${piece.n}, expected: ${expected}`);
    const data: unknown = piece.data;
    const bytes = data instanceof Uint8Array ? data : (data as Binary).buffer.subarray(0, (data as Binary).position);
    const whole = Math.min(chunkSize, length - at);
    if (bytes.length !== whole)
      throw new MongoGridFSChunkError(`ChunkIsWrongSize: Got unexpected length: ${bytes.length}, expected: ${whole}`);
    this.#next += 1;
    return local(bytes.subarray(Math.max(0, this.#start - at), Math.min(whole, end - at)));
  }
  _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#piece().then(
      (bytes) => {
        this.#isReading = false;
        if (!this.destroyed) this.push(bytes);
      },
      (error: Error) => void this.destroy(error),
    );
  }
  _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const closing = this.#cursor?.close() ?? Promise.resolve();
    closing.then(
      () => callback(error),
      (failure: Error) => callback(error ?? failure),
    );
  }
}

const DEFAULT_CHUNK_SIZE = 255 * 1024;

export class GridFSBucket {
  readonly #bucket: Bucket;

  constructor(db: Db, options: GridFSBucketOptions = {}) {
    needKnown(options, ["bucketName", "chunkSizeBytes", "readPreference", "timeoutMS", ...CONCERN]);
    const { bucketName = "fs", chunkSizeBytes = DEFAULT_CHUNK_SIZE, timeoutMS = db.timeoutMS, ...inherited } = options;
    const files = db.collection<GridFSFile>(`${bucketName}.files`, inherited);
    const chunks = db.collection<GridFSChunk>(`${bucketName}.chunks`, inherited);
    let prepared: Promise<void> | undefined;
    const prepare = (timeout: Timeout): Promise<void> => {
      prepared ??= makeIndexes(files, chunks, timeout);
      return prepared.catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
    };
    this.#bucket = { files, chunks, chunkSizeBytes, timeoutMS, prepare };
  }

  openUploadStream(filename: string, options?: GridFSBucketWriteStreamOptions): GridFSBucketWriteStream {
    return new GridFSBucketWriteStream(this.#bucket, filename, options);
  }
  openUploadStreamWithId(
    id: unknown,
    filename: string,
    options?: GridFSBucketWriteStreamOptions,
  ): GridFSBucketWriteStream {
    return new GridFSBucketWriteStream(this.#bucket, filename, { ...options, id });
  }
  openDownloadStream(id: unknown, options?: GridFSBucketReadStreamOptions): GridFSBucketReadStream {
    return new GridFSBucketReadStream(this.#bucket, { filter: { _id: id } }, options);
  }
  openDownloadStreamByName(
    filename: string,
    options: GridFSBucketReadStreamOptionsWithRevision = {},
  ): GridFSBucketReadStream {
    const { revision = -1 } = options;
    const wanted =
      revision >= 0
        ? { sort: { uploadDate: 1 } as Sort, skip: revision }
        : { sort: { uploadDate: -1 } as Sort, skip: -revision - 1 };
    return new GridFSBucketReadStream(this.#bucket, { filter: { filename }, ...wanted }, options);
  }
  find(filter: Filter<GridFSFile> = {}, options?: FindOptions): FindCursor<GridFSFile> {
    return this.#bucket.files.find<GridFSFile>(filter, options);
  }
  async rename(id: unknown, filename: string, options?: { readonly timeoutMS?: number }): Promise<void> {
    const filter = { _id: id } as Filter<GridFSFile>;
    const { matchedCount } = await this.#bucket.files.updateOne(filter, { $set: { filename } }, options);
    if (matchedCount === 0) throw new MongoRuntimeError(`File with id ${String(id)} not found`);
  }
  /** Deletes a file and its pieces; rejects where there is none. */
  async delete(id: unknown, options: { readonly timeoutMS?: number } = {}): Promise<void> {
    const timeout = timeoutOf(options.timeoutMS ?? this.#bucket.timeoutMS);
    const { deletedCount } = await this.#bucket.files.deleteOne({ _id: id } as Filter<GridFSFile>, timeout());
    // Pieces without a file are deleted, too.
    await this.#bucket.chunks.deleteMany({ files_id: id } as Filter<GridFSChunk>, timeout());
    if (deletedCount === 0) throw new MongoRuntimeError(`File not found for id ${String(id)}`);
  }
  /** Drops both collections. */
  async drop(options: { readonly timeoutMS?: number } = {}): Promise<void> {
    const timeout = timeoutOf(options.timeoutMS ?? this.#bucket.timeoutMS);
    await this.#bucket.files.drop(timeout());
    await this.#bucket.chunks.drop(timeout());
  }
}

/** Makes the indexes that GridFS asks for, unless the bucket has files. */
async function makeIndexes(
  files: Collection<GridFSFile>,
  chunks: Collection<GridFSChunk>,
  timeout: Timeout,
): Promise<void> {
  if ((await files.findOne({}, { projection: { _id: 1 }, ...timeout() })) !== null) return;
  await needIndex(files, { filename: 1, uploadDate: 1 }, false, timeout);
  await needIndex(chunks, { files_id: 1, n: 1 }, true, timeout);
}

/** Makes an index where none has its key, whichever number the key's values are written as. */
async function needIndex(
  collection: Pick<Collection, "listIndexes" | "createIndex">,
  key: Document,
  unique: boolean,
  timeout: Timeout,
): Promise<void> {
  const indexes = await collection
    .listIndexes(timeout())
    .toArray()
    .catch((error: unknown) => {
      if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
      throw error;
    });
  const asText = (fields: Document): string =>
    JSON.stringify(Object.entries(fields).map(([name, value]) => [name, Number(value)]));
  if (indexes.some((index) => asText(index["key"] as Document) === asText(key))) return;
  await collection.createIndex(toSort(key) as Document, { ...(unique ? { unique } : {}), ...timeout() });
}
