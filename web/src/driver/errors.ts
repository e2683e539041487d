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
  /** The command's whole reply: what it did is in it. */
  readonly result: Document;
  constructor(reply: Document) {
    super(reply["writeConcernError"] as Document);
    this.name = "MongoWriteConcernError";
    this.result = reply;
  }
}

/** The deployment cannot be opened as asked; `message` says why, and `cause` is what the engine or the browser said. */
export class MongoServerSelectionError extends MongoError {
  constructor(message: string, cause: unknown) {
    super(message);
    this.name = "MongoServerSelectionError";
    this.cause = cause;
  }
}

/** The engine's worker is gone, or could not read what is stored: whether the command was run is not known. */
export class MongoNetworkError extends MongoError {
  constructor(message: string, cause: unknown) {
    super(message);
    this.name = "MongoNetworkError";
    this.cause = cause;
  }
}

/** The client was closed; `connect()` opens it again. */
export class MongoNotConnectedError extends MongoError {
  constructor() {
    super("Client must be connected before running operations");
    this.name = "MongoNotConnectedError";
  }
}

/** The client was closed while the operation was under way. */
export class MongoClientClosedError extends MongoError {
  constructor() {
    super("Operation interrupted because client was closed");
    this.name = "MongoClientClosedError";
  }
}

/** The caller's own mistake; nothing was sent. */
export class MongoInvalidArgumentError extends MongoError {
  constructor(message: string) {
    super(message);
    this.name = "MongoInvalidArgumentError";
  }
}

/** An address, or an option of a client, that cannot be read or is not supported. */
export class MongoParseError extends MongoError {
  constructor(message: string) {
    super(message);
    this.name = "MongoParseError";
  }
}

/** An operation took longer than its `timeoutMS`. Whether a write was done is not known. */
export class MongoOperationTimeoutError extends MongoError {
  constructor(message: string, cause?: unknown) {
    super(message);
    this.name = "MongoOperationTimeoutError";
    if (cause !== undefined) this.cause = cause;
  }
}

/** A cursor was changed after its first document had been asked for. */
export class MongoCursorInUseError extends MongoError {
  constructor() {
    super("Cursor is already initialized");
    this.name = "MongoCursorInUseError";
  }
}

export interface WriteError {
  readonly index: number;
  readonly code: number;
  readonly errmsg: string;
  readonly err: Document;
}

/** What a batch did; with `w: 0` nothing is known but the `_id`s that were given. */
export interface BulkWriteResult {
  readonly acknowledged: boolean;
  insertedCount: number;
  matchedCount: number;
  modifiedCount: number;
  deletedCount: number;
  upsertedCount: number;
  insertedIds: Record<number, unknown>;
  upsertedIds: Record<number, unknown>;
}

/** A batch that failed in part or whole, or was not made as durable as asked. */
export class MongoBulkWriteError extends MongoServerError {
  readonly result: BulkWriteResult;
  readonly writeErrors: readonly WriteError[];
  /** Set when a part was done, but not made as durable as asked. */
  readonly err: MongoWriteConcernError | undefined;
  /** `cause` is why the batch ended that no write error tells: it was not made durable, or its command was refused. */
  constructor(writeErrors: readonly WriteError[], result: BulkWriteResult, cause?: MongoServerError) {
    const [first] = writeErrors;
    super(
      first === undefined && cause !== undefined
        ? { errmsg: cause.message, ...cause.errorResponse }
        : { errmsg: first?.errmsg, code: first?.code },
    );
    this.name = "MongoBulkWriteError";
    this.result = result;
    this.writeErrors = writeErrors;
    this.err = cause instanceof MongoWriteConcernError ? cause : undefined;
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
  get insertedIds(): Readonly<Record<number, unknown>> {
    return this.result.insertedIds;
  }
  get upsertedIds(): Readonly<Record<number, unknown>> {
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
