/**
 * The cost of commands: the engine's running totals by name, and their growth between two readings.
 *
 * Invariant: the order of the numbers is that of `ServerCounters::account` in `crate/src/command/context.rs`. A page
 * counts once a command, however often the command comes by.
 */

/** Totals since the engine was opened, or their growth since an earlier reading. */
export interface Account {
  readonly keysExamined: number;
  readonly documentsExamined: number;
  /** Pages read, each counted once a command. */
  readonly pagesRead: number;
  /** Pages made or changed, each counted once a command. */
  readonly pagesWritten: number;
  readonly documentsInserted: number;
  readonly documentsUpdated: number;
  readonly documentsDeleted: number;
}

/** The totals before the first command. */
export const NO_TOTALS: Readonly<ArrayLike<number>> = new Float64Array(7);

/** The engine's numbers by name. */
export function accountOf(totals: Readonly<ArrayLike<number>>): Account {
  const at = (position: number): number => totals[position] ?? 0;
  return {
    keysExamined: at(0),
    documentsExamined: at(1),
    pagesRead: at(2),
    pagesWritten: at(3),
    documentsInserted: at(4),
    documentsUpdated: at(5),
    documentsDeleted: at(6),
  };
}

/** The growth of the totals since an earlier reading of them. */
export function accountSince(before: Account, now: Account): Account {
  return {
    keysExamined: now.keysExamined - before.keysExamined,
    documentsExamined: now.documentsExamined - before.documentsExamined,
    pagesRead: now.pagesRead - before.pagesRead,
    pagesWritten: now.pagesWritten - before.pagesWritten,
    documentsInserted: now.documentsInserted - before.documentsInserted,
    documentsUpdated: now.documentsUpdated - before.documentsUpdated,
    documentsDeleted: now.documentsDeleted - before.documentsDeleted,
  };
}
