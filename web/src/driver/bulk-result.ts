/** What a batch came to, by the Node driver's classes: the result that the shell shares, and its failures. */
import { EJSON, type Document } from "bson";
import { BulkWriteResult as BatchResult } from "../shell/bulk-result.ts";
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

/** The counts and `_id`s of a batch. With `w: 0` only the `_id`s that were given are known. */
export class BulkWriteResult extends BatchResult<WriteError, WriteConcernError> {
  readonly acknowledged: boolean;

  /** A batch makes these. */
  constructor(acknowledged: boolean, counts: BatchCounts, errors: WriteError[] = [], concern?: WriteConcernError) {
    super(counts, errors, concern);
    this.acknowledged = acknowledged;
  }
  override toString(): string {
    return `BulkWriteResult(${EJSON.stringify(this.getRawResponse())})`;
  }
}
