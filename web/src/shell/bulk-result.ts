/**
 * What a batch of writes came to: its counts and `_id`s, and the operations that failed, by the Node driver's class.
 * The shell's batches give it of a failed batch alone, whose name and fields, in this order, a reader sees printed.
 */
import type { Document } from "./errors.ts";
import type { BatchCounts } from "./write-batches.ts";

/** `{ index: _id }` as the driver's raw result has it. */
const listed = (ids: Readonly<Record<number, unknown>>): Document[] =>
  Object.entries(ids).map(([index, _id]) => ({ index: Number(index), _id }));

/** The counts and `_id`s of a batch. With `w: 0` only the `_id`s that were given are known. */
export class BulkWriteResult<Failure, Concern> {
  readonly insertedCount: number;
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly deletedCount: number;
  readonly upsertedCount: number;
  readonly upsertedIds: Record<number, unknown>;
  readonly insertedIds: Record<number, unknown>;
  readonly #errors: Failure[];
  readonly #concern: Concern | undefined;

  /** A batch makes these. */
  constructor(counts: BatchCounts, errors: Failure[] = [], concern?: Concern) {
    this.insertedCount = counts.insertedCount;
    this.matchedCount = counts.matchedCount;
    this.modifiedCount = counts.modifiedCount;
    this.deletedCount = counts.deletedCount;
    this.upsertedCount = counts.upsertedCount;
    this.upsertedIds = counts.upsertedIds;
    this.insertedIds = counts.insertedIds;
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
  getWriteErrorAt(place: number): Failure | undefined {
    return this.#errors[place];
  }
  /** The list itself, which is the error's too. */
  getWriteErrors(): Failure[] {
    return this.#errors;
  }
  getWriteConcernError(): Concern | undefined {
    return this.#concern;
  }
  /** All of it, by the names of commands' replies. */
  getRawResponse(): Document {
    return {
      ok: this.ok,
      writeErrors: this.#errors,
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
}
