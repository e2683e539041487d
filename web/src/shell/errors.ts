/**
 * The shell's errors, worded as mongosh words them. Those that the driver has too are in `mongo-errors.ts`.
 */
import { format } from "./format.ts";
import { FailedBatch } from "./mongo-errors.ts";
import type { BulkWriteResult } from "./bulk-result.ts";

export {
  MongoClientBulkWriteError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoWriteConcernError,
} from "./mongo-errors.ts";

export type Document = Record<string, unknown>;

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
 * A batch that failed in part or whole, or was not made as durable as asked: the counts, and which operations
 * failed.
 */
export class MongoBulkWriteError extends FailedBatch<BulkWriteResult<WriteError, Document>> {
  readonly writeErrors: readonly WriteError[];
  /** Set when a part was done, but not made as durable as asked. */
  readonly writeConcernError: Document | undefined;
  /** `refusal` is the reply where the server did not take the command at all. */
  constructor(result: BulkWriteResult<WriteError, Document>, refusal?: Document) {
    const writeErrors = result.getWriteErrors();
    const concern = result.getWriteConcernError();
    const [first] = writeErrors;
    super(
      refusal ??
        (first === undefined
          ? { errmsg: concern?.["errmsg"], code: concern?.["code"] }
          : { errmsg: first.errmsg, code: first.code }),
      result,
    );
    this.writeErrors = writeErrors;
    this.writeConcernError = concern;
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
