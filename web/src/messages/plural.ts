/**
 * English words that go by a number.
 *
 * Invariant: numbers come as the page writes them, so that one is exactly "1".
 */

/** A number with its noun: `1 page`, `2 pages`. */
export const plural = (count: string, one: string, many = `${one}s`): string =>
  `${count} ${count === "1" ? one : many}`;

/** The first of many: `first document`, `first 20 documents`. */
export const first = (count: string, one: string, many = `${one}s`): string =>
  count === "1" ? `first ${one}` : `first ${count} ${many}`;
