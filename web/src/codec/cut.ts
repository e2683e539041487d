/**
 * The longest command that may be sent, and how a longer batch of writes is cut.
 *
 * A driver sends such a batch as several commands. Where each of them ends is known only while its statements are
 * written, so the encoder ends it: it leaves out the statements that do not fit, and says how many these are.
 * Invariant: a first statement is always written; a statement that is too long by itself is the server's to refuse.
 */

/** Longest command taken, in bytes: a message of 48 MB, as the server's `maxMessageSizeBytes`. */
export const MAX_COMMAND_BYTES = 48_000_000;
/** Kept for the fields after the statements: the database, a write concern, a time limit. */
const REST_BYTES = 16 * 1024;
/** Where the statements of a command must have ended, in bytes from its beginning. */
export const STATEMENTS_END = MAX_COMMAND_BYTES - REST_BYTES;
/** Most statements of one command, as the server's `maxWriteBatchSize`. */
export const MAX_STATEMENTS = 100_000;

/**
 * Given with a command: the encoder may leave out the last of these statements.
 *
 * Example: of `{ insert: "logs", ordered: true, documents }` with 60 documents of a megabyte each the first 47 are
 * written, and `left` is 13 afterwards.
 */
export interface Cut {
  /** The very array that stands in the command. */
  readonly statements: readonly unknown[];
  /** How many statements were left out. */
  left: number;
}
