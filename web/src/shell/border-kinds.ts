/**
 * The agreement between the worker, which writes replies, and the shell, which reads them (`border.ts`): the kinds of
 * values in the list behind a reply, by number, and the name of a field.
 *
 * Invariant: alone in its file, so that the worker gets none of the shell with it.
 */
export const SPECIAL = {
  OBJECT_ID: 0,
  LONG: 1,
  TIMESTAMP: 2,
  DECIMAL128: 3,
  BINARY: 4,
  REGULAR_EXPRESSION: 5,
  DB_POINTER: 6,
  CODE: 7,
  SCOPED_CODE: 8,
  SYMBOL: 9,
  MIN_KEY: 10,
  MAX_KEY: 11,
  /** A document that refers to another. */
  REFERENCE: 12,
  /** Which of a holder's numbers are doubles although they are integral. */
  MARKS: 13,
} as const;

/** The field that the reply to a batch gets when statements of it were left out: how many (`codec/cut.ts`). */
export const LEFT_OUT = "quireLeftOut";
