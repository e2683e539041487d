/**
 * The rules of transactions that sessions of the shell and of the driver have in common: the Node driver's.
 *
 * Invariant: nothing here sends or waits; what may be tried again is said by an error's labels.
 */
import type { Document } from "bson";
import { MongoError, MongoServerError, MongoTransactionError } from "./mongo-errors.ts";

/** How long `withTransaction` tries again, in milliseconds. */
export const PATIENCE = 120_000;
/** The label of errors after which a whole transaction may be tried again. */
export const TRANSIENT = "TransientTransactionError";
/** The label of errors after which a commit alone may be tried again. */
export const UNKNOWN_RESULT = "UnknownTransactionCommitResult";
const MAX_TIME_EXPIRED = 50;
/** Write concerns that no try again would satisfy. */
const HOPELESS = [79, 100];
const READS = ["aggregate", "count", "distinct", "find"];

/** Whether a command may read after a known time. */
export const readsAfterTime = (command: Document): boolean => READS.some((name) => name in command);

/** Whether a command ends a transaction. */
export const endsTransaction = (command: Document): boolean =>
  "commitTransaction" in command || "abortTransaction" in command;

/** Whether a commit ended by its own limit of time, after which it is not tried again. */
export const isLate = (error: unknown): boolean => error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;

/** Whether nobody can say if a commit was made. */
export function hasUnknownResult(error: unknown): error is MongoError {
  if (!(error instanceof MongoError)) return false;
  if (!(error instanceof MongoServerError)) return error.name === "MongoNetworkError";
  return isLate(error) || (error.name === "MongoWriteConcernError" && !HOPELESS.includes(error.code ?? 0));
}

/** The write concern of a commit that is sent again: nobody knows whether the first try was made. */
export const concernOfSecondCommit = (concern: unknown): Document => ({
  wtimeout: 10_000,
  ...(concern as object | undefined),
  w: "majority",
});

/**
 * Throws for a write concern and a mode of reading that no transaction can have.
 *
 * @throws MongoTransactionError
 */
export function checkConcerns(writeConcern: unknown, mode: unknown): void {
  if ((writeConcern as Document | undefined)?.["w"] === 0)
    throw new MongoTransactionError("Transactions do not support unacknowledged write concern");
  if (mode !== undefined && mode !== "primary")
    throw new MongoTransactionError(`Read preference in a transaction must be primary, not: ${String(mode)}`);
}
