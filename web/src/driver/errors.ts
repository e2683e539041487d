/** The driver's errors, by the names of the Node driver. */
import type { Document } from "bson";
import { FailedBatch, MongoError, type MongoServerError, MongoWriteConcernError } from "../shell/mongo-errors.ts";
import type { BatchCounts } from "../shell/write-batches.ts";

export {
  MongoAPIError,
  MongoClientBulkWriteError,
  MongoCompatibilityError,
  MongoError,
  MongoExpiredSessionError,
  MongoTransactionError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoWriteConcernError,
} from "../shell/mongo-errors.ts";

/** The deployment cannot be opened as asked: `message` says why, `cause` is the error of the engine or the browser. */
export class MongoServerSelectionError extends MongoError {
  constructor(message: string, cause: unknown) {
    super(message);
    this.name = "MongoServerSelectionError";
    this.cause = cause;
  }
}

/** The engine's worker is gone, or could not read the stored deployment: whether the command was run is not known. */
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

/** The counts and `_id`s of a batch. With `w: 0` only the `_id`s that were given are known. */
export interface BulkWriteResult extends BatchCounts {
  readonly acknowledged: boolean;
}

/** A batch that failed in part or whole, or was not made as durable as asked. */
export class MongoBulkWriteError extends FailedBatch<BulkWriteResult> {
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
      result,
    );
    this.writeErrors = writeErrors;
    this.err = cause instanceof MongoWriteConcernError ? cause : undefined;
  }
}
