/**
 * The parts of the page, fetched when they are wanted, that could not be had: offline, or as a new release took their
 * files away.
 *
 * Invariant: one failure is told once, by the place that wanted the part or, where that tells nothing, by the page.
 */

/** Failures of fetching a part, and whether each was told where the part was wanted. */
const failures = new WeakMap<object, boolean>();

/** What a rejection was given is any value; only an object is known again. */
const isObject = (failure: unknown): failure is object => typeof failure === "object" && failure !== null;

/** Says that the failure is told to the reader: the page has nothing to add. */
export function markTold(failure: unknown): void {
  if (isObject(failure)) failures.set(failure, true);
}

/** Whether the failure is one of a part of the page. */
export function isMissedPart(failure: unknown): boolean {
  return isObject(failure) && failures.has(failure);
}

/** Notes a failure, and calls `tell` unless the place that wanted the part tells it at once. */
export function notePart(failure: unknown, tell: () => void): void {
  if (!isObject(failure) || failures.has(failure)) return;
  failures.set(failure, false);
  // The rejection reaches that place before a timer does.
  setTimeout(() => {
    if (failures.get(failure) === true) return;
    failures.set(failure, true);
    tell();
  });
}
