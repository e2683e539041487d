/** The driver's errors, by the names of the Node driver. */
import type { Document } from "bson";
import type { ClientBulkFailure, ClientBulkWriteError, ClientBulkWriteResult } from "../shell/client-bulk.ts";

export class MongoError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MongoError";
  }
}

/** The engine refused a command, or a single write. */
export class MongoServerError extends MongoError {
  readonly code: number | undefined;
  readonly codeName: string | undefined;
  readonly errorResponse: Document;
  readonly keyPattern: Document | undefined;
  readonly keyValue: Document | undefined;
  constructor(reply: Document) {
    super(String(reply["errmsg"] ?? "the command failed"));
    this.name = "MongoServerError";
    this.code = reply["code"] === undefined ? undefined : Number(reply["code"]);
    this.codeName = reply["codeName"] as string | undefined;
    this.errorResponse = reply;
    this.keyPattern = reply["keyPattern"] as Document | undefined;
    this.keyValue = reply["keyValue"] as Document | undefined;
  }
}

/** The write was applied, but not as durably as asked. */
export class MongoWriteConcernError extends MongoServerError {
  constructor(reply: Document) {
    super(reply);
    this.name = "MongoWriteConcernError";
  }
}

/** The caller's own mistake; nothing was sent. */
export class MongoInvalidArgumentError extends MongoError {
  constructor(message: string) {
    super(message);
    this.name = "MongoInvalidArgumentError";
  }
}

export interface WriteError {
  readonly index: number;
  readonly code: number;
  readonly errmsg: string;
  readonly err: Document;
}

/** What a batch did. */
export interface BulkWriteResult {
  readonly acknowledged: true;
  insertedCount: number;
  matchedCount: number;
  modifiedCount: number;
  deletedCount: number;
  upsertedCount: number;
  insertedIds: Record<number, unknown>;
  upsertedIds: Record<number, unknown>;
}

/** A batch that failed in part. */
export class MongoBulkWriteError extends MongoError {
  readonly code: number;
  readonly result: BulkWriteResult;
  readonly writeErrors: readonly WriteError[];
  constructor(writeErrors: readonly WriteError[], result: BulkWriteResult) {
    super(writeErrors[0]?.errmsg ?? "the batch failed");
    this.name = "MongoBulkWriteError";
    this.code = writeErrors[0]?.code ?? 8;
    this.result = result;
    this.writeErrors = writeErrors;
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
