/** Under which names the page keeps what others than its own modules read too. Invariant: imports nothing. */

/** The scripts that were run; `history.ts` writes them, and `start/page.ts` asks whether there are any. */
export const historyKey = "quire.history";
