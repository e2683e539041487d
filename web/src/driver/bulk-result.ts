/** What a batch came to, by the Node driver's classes: its counts and `_id`s, and the operations that failed. */
import { EJSON, type Document } from "bson";
import type { BatchCounts, WriteFailure } from "../shell/write-batches.ts";

/** An operation of a batch that failed. */
export class WriteError {
  /** The operation's place in the caller's list. */
  readonly index: number;
  readonly code: number;
  readonly errmsg: string;
  /** The error as the server worded it. */
  readonly err: Document;
  readonly #operation: Document;

  /** A batch makes these. */
  constructor({ index, error, statement }: WriteFailure) {
    this.index = index;
    this.code = Number(error["code"]);
    this.errmsg = String(error["errmsg"]);
    this.err = error;
    this.#operation = statement;
  }
  get errInfo(): Document | undefined {
    return this.err["errInfo"] as Document | undefined;
  }
  /** The statement that failed. */
  getOperation(): Document {
    return this.#operation;
  }
  toJSON(): { code: number; index: number; errmsg: string; op: Document } {
    return { code: this.code, index: this.index, errmsg: this.errmsg, op: this.#operation };
  }
  toString(): string {
    return `WriteError(${JSON.stringify(this.toJSON())})`;
  }
}

/** A batch was done, but not made as durable as asked. */
export class WriteConcernError {
  readonly #error: Document;

  /** A batch makes these. */
  constructor(error: Document) {
    this.#error = error;
  }
  get code(): number | undefined {
    return this.#error["code"] as number | undefined;
  }
  get errmsg(): string | undefined {
    return this.#error["errmsg"] as string | undefined;
  }
  get errInfo(): Document | undefined {
    return this.#error["errInfo"] as Document | undefined;
  }
  toJSON(): Document {
    return this.#error;
  }
  toString(): string {
    return `WriteConcernError(${this.errmsg ?? ""})`;
  }
}

/** `{ index: _id }` as the driver's raw result has it. */
const listed = (ids: Record<number, unknown>): Document[] =>
  Object.entries(ids).map(([index, _id]) => ({ index: Number(index), _id }));

/** The counts and `_id`s of a batch. With `w: 0` only the `_id`s that were given are known. */
export class BulkWriteResult {
  readonly acknowledged: boolean;
  readonly insertedCount: number;
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly deletedCount: number;
  readonly upsertedCount: number;
  readonly insertedIds: Record<number, unknown>;
  readonly upsertedIds: Record<number, unknown>;
  readonly #errors: readonly WriteError[];
  readonly #concern: WriteConcernError | undefined;

  /** A batch makes these. */
  constructor(
    acknowledged: boolean,
    counts: BatchCounts,
    errors: readonly WriteError[] = [],
    concern?: WriteConcernError,
  ) {
    this.acknowledged = acknowledged;
    this.insertedCount = counts.insertedCount;
    this.matchedCount = counts.matchedCount;
    this.modifiedCount = counts.modifiedCount;
    this.deletedCount = counts.deletedCount;
    this.upsertedCount = counts.upsertedCount;
    this.insertedIds = counts.insertedIds;
    this.upsertedIds = counts.upsertedIds;
    this.#errors = errors;
    this.#concern = concern;
  }
  /** 1, also where operations failed: `hasWriteErrors` tells of those. */
  get ok(): number {
    return 1;
  }
  isOk(): boolean {
    return this.ok === 1;
  }
  /** The upsert at a place among the upserts: `{ index, _id }`. */
  getUpsertedIdAt(place: number): Document | undefined {
    return listed(this.upsertedIds)[place];
  }
  hasWriteErrors(): boolean {
    return this.#errors.length > 0;
  }
  getWriteErrorCount(): number {
    return this.#errors.length;
  }
  getWriteErrorAt(place: number): WriteError | undefined {
    return this.#errors[place];
  }
  getWriteErrors(): WriteError[] {
    return [...this.#errors];
  }
  getWriteConcernError(): WriteConcernError | undefined {
    return this.#concern;
  }
  /** All of it, by the names of commands' replies. */
  getRawResponse(): Document {
    return {
      ok: this.ok,
      writeErrors: this.getWriteErrors(),
      writeConcernErrors: this.#concern === undefined ? [] : [this.#concern],
      insertedIds: listed(this.insertedIds),
      nInserted: this.insertedCount,
      nUpserted: this.upsertedCount,
      nMatched: this.matchedCount,
      nModified: this.modifiedCount,
      nRemoved: this.deletedCount,
      upserted: listed(this.upsertedIds),
    };
  }
  toString(): string {
    return `BulkWriteResult(${EJSON.stringify(this.getRawResponse())})`;
  }
}
