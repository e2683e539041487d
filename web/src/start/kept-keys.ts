/** Under which names the page keeps what others than its own modules read too. Invariant: imports nothing. */

/** What was run; `history.ts` writes it, and `start/start.ts` asks whether there is anything. */
export const historyKey = "quire.history";
