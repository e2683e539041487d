/**
 * The errors that the shell and the driver have in common, by the names of the Node driver.
 *
 * Invariant: an error that carries a server's reply keeps its `code`, `codeName` and the reply itself.
 */
import type { Document } from "bson";
import type { ClientBulkFailure, ClientBulkWriteError, ClientBulkWriteResult } from "./client-bulk.ts";
import type { BatchCounts } from "./write-batches.ts";

export class MongoError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MongoError";
  }
  readonly #labels = new Set<string>();
  /** Labels that say what a caller may do about the error. */
  get errorLabels(): string[] {
    return [...this.#labels];
  }
  addErrorLabel(label: string): void {
    this.#labels.add(label);
  }
  hasErrorLabel(label: string): boolean {
    return this.#labels.has(label);
  }
}

/** An error of the client's own, and of no server. */
export class MongoDriverError extends MongoError {
  constructor(message: string) {
    super(message);
    this.name = "MongoDriverError";
  }
}

/** A use of the client that it does not have: of a transaction, a session, a cursor, an argument. */
export class MongoAPIError extends MongoDriverError {
  constructor(message: string) {
    super(message);
    this.name = "MongoAPIError";
  }
}
export class MongoTransactionError extends MongoAPIError {
  constructor(message: string) {
    super(message);
    this.name = "MongoTransactionError";
  }
}
export class MongoCompatibilityError extends MongoAPIError {
  constructor(message: string) {
    super(message);
    this.name = "MongoCompatibilityError";
  }
}
export class MongoExpiredSessionError extends MongoAPIError {
  constructor(message = "Cannot use a session that has ended") {
    super(message);
    this.name = "MongoExpiredSessionError";
  }
}

/** The caller's own mistake; nothing was sent. */
export class MongoInvalidArgumentError extends MongoAPIError {
  constructor(message: string) {
    super(message);
    this.name = "MongoInvalidArgumentError";
  }
}

/** The engine refused a command (a reply with `ok: 0`), or a single write (a write error). */
export class MongoServerError extends MongoError {
  readonly code: number | undefined;
  readonly codeName: string | undefined;
  readonly errorResponse: Document;
  /** These four only where the reply has them. */
  declare readonly index?: number;
  declare readonly keyPattern?: Document;
  declare readonly keyValue?: Document;
  declare readonly errInfo?: Document;
  constructor(reply: Document) {
    super(String(reply["errmsg"] ?? reply["message"] ?? "the command failed"));
    this.name = "MongoServerError";
    this.code = reply["code"] === undefined ? undefined : Number(reply["code"]);
    this.codeName = reply["codeName"] === undefined ? undefined : String(reply["codeName"]);
    this.errorResponse = reply;
    const labels: unknown = reply["errorLabels"];
    if (Array.isArray(labels)) for (const label of labels) this.addErrorLabel(String(label));
    for (const key of ["index", "keyPattern", "keyValue", "errInfo"]) {
      if (reply[key] !== undefined) (this as unknown as Document)[key] = reply[key];
    }
  }
}

/** The write was applied, but not as durably as asked. */
export class MongoWriteConcernError extends MongoServerError {
  /** The command's whole reply, with the counts of its changes. */
  readonly result: Document;
  constructor(reply: Document) {
    super(reply["writeConcernError"] as Document);
    this.name = "MongoWriteConcernError";
    this.result = reply;
  }
}

/** A batch over one collection that failed in part or whole; shell and driver word it, and say why, each in its way. */
export abstract class FailedBatch<Result extends BatchCounts> extends MongoServerError {
  readonly result: Result;
  constructor(reply: Document, result: Result) {
    super(reply);
    this.name = "MongoBulkWriteError";
    this.result = result;
  }
  get insertedCount(): number {
    return this.result.insertedCount;
  }
  get matchedCount(): number {
    return this.result.matchedCount;
  }
  get modifiedCount(): number {
    return this.result.modifiedCount;
  }
  get deletedCount(): number {
    return this.result.deletedCount;
  }
  get upsertedCount(): number {
    return this.result.upsertedCount;
  }
  get insertedIds(): Result["insertedIds"] {
    return this.result.insertedIds;
  }
  get upsertedIds(): Result["upsertedIds"] {
    return this.result.upsertedIds;
  }
}

/** A batch over several collections that failed in part or whole. */
export class MongoClientBulkWriteError extends MongoServerError {
  readonly writeErrors: ReadonlyMap<number, ClientBulkWriteError>;
  readonly writeConcernErrors: readonly Document[];
  readonly partialResult: ClientBulkWriteResult;
  readonly error: unknown;
  constructor(message: string, failure: ClientBulkFailure) {
    super({ errmsg: message });
    this.name = "MongoClientBulkWriteError";
    this.writeErrors = failure.writeErrors;
    this.writeConcernErrors = failure.writeConcernErrors;
    this.partialResult = failure.partialResult;
    this.error = failure.error;
  }
}
