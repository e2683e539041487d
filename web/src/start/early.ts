/**
 * The worker that `page.ts` began while the page's scripts were still on their way, and its hand-over to the page.
 *
 * Invariants: it is taken over once; a later client, as after Stop, begins afresh. All earlier messages of the worker
 * are kept in the order in which they came.
 */
import type { WorkerMessage } from "../protocol/messages.ts";

/** The id of the request that opens the deployment; the ids of a channel count from 1. */
export const OPENING_ID = 0;

export interface Early {
  readonly worker: Worker;
  /** The worker's messages so far. */
  readonly heard: readonly WorkerMessage[];
  /** The worker has failed: it is of no use. */
  readonly failed: boolean;
  /** A blob URL which the worker has looked for, to be revoked once the deployment is open. */
  readonly probeUrl: string | null;
  /** Ends the listening: from now on the page does it. */
  readonly leave: () => void;
}

interface Holder {
  quireEarly?: Early;
}

/** Leaves it for the page, which comes later. */
export function leaveEarly(early: Early): void {
  (globalThis as Holder).quireEarly = early;
}

/** Whether something was begun which nobody has taken over. */
export const isEarly = (): boolean => (globalThis as Holder).quireEarly !== undefined;

/** The worker that was begun; null the second time, where none was, and where it failed. */
export function takeEarly(): Early | null {
  const holder = globalThis as Holder;
  const early = holder.quireEarly;
  delete holder.quireEarly;
  early?.leave();
  return early === undefined || early.failed ? null : early;
}
