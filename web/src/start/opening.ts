/**
 * What a worker is told by its name: the first messages, which it has before any could reach it.
 *
 * Invariant: only what JSON holds is told so, and only by who makes the worker.
 */
import type { ToWorker } from "../protocol/messages.ts";

const PLAIN = "quire";

/** A worker's name that says so much. */
export const wordOpening = (said: readonly ToWorker[]): string =>
  said.length === 0 ? PLAIN : `${PLAIN} ${JSON.stringify(said)}`;

/** What a worker's name says; nothing where it is another's. */
export function readOpening(name: string): readonly ToWorker[] {
  return name.startsWith(`${PLAIN} `) ? (JSON.parse(name.slice(PLAIN.length + 1)) as readonly ToWorker[]) : [];
}
