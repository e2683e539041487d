/** The driver's errors, by the names of the Node driver. */
import {
  FailedBatch,
  MongoAPIError,
  MongoDriverError,
  MongoError,
  type MongoServerError,
  MongoWriteConcernError,
} from "../shell/mongo-errors.ts";
import type { BulkWriteResult, WriteError } from "./bulk-result.ts";

export {
  MongoAPIError,
  MongoClientBulkWriteError,
  MongoCompatibilityError,
  MongoDriverError,
  MongoError,
  MongoExpiredSessionError,
  MongoTransactionError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoWriteConcernError,
} from "../shell/mongo-errors.ts";

/** Data or a state that the client did not expect. */
export class MongoRuntimeError extends MongoDriverError {
  constructor(message: string) {
    super(message);
    this.name = "MongoRuntimeError";
  }
}

/** The deployment as a whole cannot be used. */
export class MongoSystemError extends MongoError {
  constructor(message: string, cause: unknown) {
    super(message);
    this.name = "MongoSystemError";
    this.cause = cause;
  }
}

/** The deployment cannot be opened as asked: `message` says why, `cause` is the error of the engine or the browser. */
export class MongoServerSelectionError extends MongoSystemError {
  constructor(message: string, cause: unknown) {
    super(message, cause);
    this.name = "MongoServerSelectionError";
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
export class MongoNotConnectedError extends MongoAPIError {
  constructor() {
    super("Client must be connected before running operations");
    this.name = "MongoNotConnectedError";
  }
}

/** The client was closed while the operation was under way. */
export class MongoClientClosedError extends MongoAPIError {
  constructor() {
    super("Operation interrupted because client was closed");
    this.name = "MongoClientClosedError";
  }
}

/** An address, or an option of a client, that cannot be read or is not supported. */
export class MongoParseError extends MongoDriverError {
  constructor(message: string) {
    super(message);
    this.name = "MongoParseError";
  }
}

/** An operation took longer than its `timeoutMS`. Whether a write was done is not known. */
export class MongoOperationTimeoutError extends MongoDriverError {
  constructor(message: string, cause?: unknown) {
    super(message);
    this.name = "MongoOperationTimeoutError";
    if (cause !== undefined) this.cause = cause;
  }
}

/** A cursor was changed after its first document had been asked for. */
export class MongoCursorInUseError extends MongoAPIError {
  constructor(message = "Cursor is already initialized") {
    super(message);
    this.name = "MongoCursorInUseError";
  }
}

/** A batch that failed in part or whole, or was not made as durable as asked. */
export class MongoBulkWriteError extends FailedBatch<BulkWriteResult> {
  readonly writeErrors: readonly WriteError[];
  /** Set when a part was done, but not made as durable as asked. */
  readonly err: MongoWriteConcernError | undefined;
  /** `cause` is why the batch ended that no write error tells: it was not made durable, or its command was refused. */
  constructor(result: BulkWriteResult, cause?: MongoServerError) {
    const writeErrors = result.getWriteErrors();
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

/** A cursor has no document any more. */
export class MongoCursorExhaustedError extends MongoAPIError {
  constructor(message = "Cursor is exhausted") {
    super(message);
    this.name = "MongoCursorExhaustedError";
  }
}

/** A cursor that follows a collection is asked for what none has. */
export class MongoTailableCursorError extends MongoAPIError {
  constructor(message = "Tailable cursor does not support this operation") {
    super(message);
    this.name = "MongoTailableCursorError";
  }
}

/** A change stream that gives events without a token to go on by. */
export class MongoChangeStreamError extends MongoRuntimeError {
  constructor(message: string) {
    super(message);
    this.name = "MongoChangeStreamError";
  }
}

/** A batch was executed already. */
export class MongoBatchReExecutionError extends MongoAPIError {
  constructor(message = "This batch has already been executed, create new batch to execute") {
    super(message);
    this.name = "MongoBatchReExecutionError";
  }
}

/** A stream of a file is used as none can be. */
export class MongoGridFSStreamError extends MongoRuntimeError {
  constructor(message: string) {
    super(message);
    this.name = "MongoGridFSStreamError";
  }
}
/** The pieces of a file are not those that it should have. */
export class MongoGridFSChunkError extends MongoRuntimeError {
  constructor(message: string) {
    super(message);
    this.name = "MongoGridFSChunkError";
  }
}

/** A reply says what none should. */
export class MongoUnexpectedServerResponseError extends MongoRuntimeError {
  constructor(message: string) {
    super(message);
    this.name = "MongoUnexpectedServerResponseError";
  }
}

// Errors of connections, servers and users, of which there are none here. No code throws these: programs ask whether an
// error is one.
export class MongoNetworkTimeoutError extends MongoNetworkError {
  constructor(message: string, cause?: unknown) {
    super(message, cause);
    this.name = "MongoNetworkTimeoutError";
  }
}
export class MongoTopologyClosedError extends MongoAPIError {
  constructor(message: string) {
    super(message);
    this.name = "MongoTopologyClosedError";
  }
}
export class MongoServerClosedError extends MongoAPIError {
  constructor(message: string) {
    super(message);
    this.name = "MongoServerClosedError";
  }
}
export class MongoMissingCredentialsError extends MongoAPIError {
  constructor(message: string) {
    super(message);
    this.name = "MongoMissingCredentialsError";
  }
}
export class MongoMissingDependencyError extends MongoAPIError {
  constructor(message: string) {
    super(message);
    this.name = "MongoMissingDependencyError";
  }
}
export class MongoStalePrimaryError extends MongoRuntimeError {
  constructor(message: string) {
    super(message);
    this.name = "MongoStalePrimaryError";
  }
}
export class MongoDecompressionError extends MongoRuntimeError {
  constructor(message: string) {
    super(message);
    this.name = "MongoDecompressionError";
  }
}
