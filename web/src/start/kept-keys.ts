/** The keys of stored values that other scripts than the page's own modules read too. Invariant: imports nothing. */

/** The scripts that were run; `history.ts` writes them, and `start/page.ts` asks whether there are any. */
export const historyKey = "quire.history";
