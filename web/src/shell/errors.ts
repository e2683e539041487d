/**
 * The shell's errors, worded as mongosh words them.
 *
 * Invariant: an error that carries a server's reply keeps its `code`, `codeName` and the reply itself.
 */
import type { ClientBulkFailure } from "./client-bulk.ts";
import { format } from "./format.ts";
import type { BulkWriteResult } from "./results.ts";

export type Document = Record<string, unknown>;

/** What the host or the engine refused: a command reply with `ok: 0`, or a write error of a single write. */
export class MongoServerError extends Error {
  readonly code: number | undefined;
  readonly codeName: string | undefined;
  readonly errorResponse: Document;
  constructor(reply: Document) {
    super(String(reply["errmsg"] ?? reply["message"] ?? "the command failed"));
    this.name = "MongoServerError";
    this.code = reply["code"] === undefined ? undefined : Number(reply["code"]);
    this.codeName = reply["codeName"] === undefined ? undefined : String(reply["codeName"]);
    this.errorResponse = reply;
    for (const key of ["index", "keyPattern", "keyValue", "errInfo"]) {
      if (reply[key] !== undefined) (this as unknown as Document)[key] = reply[key];
    }
  }
}

/** The write was applied, but not as durably as asked. */
export class MongoWriteConcernError extends MongoServerError {
  constructor(reply: Document) {
    super(reply);
    this.name = "MongoWriteConcernError";
  }
}

/** A call which the shell itself refuses: a missing or mistyped argument. */
export class MongoshInvalidInputError extends Error {
  readonly code = "COMMON-10001";
  constructor(message: string) {
    super(`[COMMON-10001] ${message}`);
    this.name = "MongoshInvalidInputError";
  }
}

/** Something which mongosh or an older shell has and this shell does not. */
export class MongoshUnimplementedError extends Error {
  readonly code = "COMMON-90002";
  constructor(message: string) {
    super(`[COMMON-90002] ${message}`);
    this.name = "MongoshUnimplementedError";
  }
}

/** What the driver refuses before anything is sent. */
export class MongoInvalidArgumentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MongoInvalidArgumentError";
  }
}

/** One failed operation of a batch. */
export class WriteError {
  readonly err: Document;
  constructor(err: Document) {
    this.err = err;
  }
  get index(): number {
    return Number(this.err["index"]);
  }
  get code(): number {
    return Number(this.err["code"]);
  }
  get errmsg(): string {
    return String(this.err["errmsg"]);
  }
  get errInfo(): unknown {
    return this.err["errInfo"];
  }
  getOperation(): unknown {
    return this.err["op"];
  }
  toJSON(): Document {
    return this.err;
  }
}

/**
 * A batch that failed in part or whole, or was not made as durable as asked: what was done, and which operations
 * failed.
 */
export class MongoBulkWriteError extends MongoServerError {
  readonly result: BulkWriteResult;
  readonly writeErrors: readonly WriteError[];
  /** Set when a part was done, but not made as durable as asked. */
  readonly writeConcernError: Document | undefined;
  /** `refusal` is the reply where the server did not take the command at all. */
  constructor(result: BulkWriteResult, refusal?: Document) {
    const writeErrors = result.getWriteErrors();
    const concern = result.getWriteConcernError();
    const [first] = writeErrors;
    super(
      refusal ??
        (first === undefined
          ? { errmsg: concern?.["errmsg"], code: concern?.["code"] }
          : { errmsg: first.errmsg, code: first.code }),
    );
    this.name = "MongoBulkWriteError";
    this.result = result;
    this.writeErrors = writeErrors;
    this.writeConcernError = concern;
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
  get upsertedIds(): Readonly<Record<string, unknown>> {
    return this.result.upsertedIds;
  }
  get insertedIds(): Readonly<Record<string, unknown>> {
    return this.result.insertedIds;
  }
}

/** A batch over several collections that failed in part or whole. */
export class MongoClientBulkWriteError extends Error {
  constructor(message: string, failure: ClientBulkFailure) {
    super(message);
    this.name = "MongoClientBulkWriteError";
    Object.assign(this, failure);
  }
}

/** The whole wording of an error, as mongosh prints it: name, code name, message, and a batch's particulars. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return `Uncaught ${format(error)}`;
  const codeName = (error as { codeName?: string }).codeName;
  let text = `${error.name}${codeName ? `[${codeName}]` : ""}: ${error.message}`;
  const { errInfo } = error as { errInfo?: unknown };
  if (typeof errInfo === "object" && errInfo !== null) text += `\nAdditional information: ${format(errInfo)}`;
  if (error instanceof MongoBulkWriteError) {
    text += `\nResult: ${format(error.result)}\nWrite Errors: ${format(error.writeErrors)}`;
    if (error.writeConcernError !== undefined) text += `\nWrite Concern Error: ${format(error.writeConcernError)}`;
  }
  return text;
}
