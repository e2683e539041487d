/**
 * The first messages to a worker, as its name: it has them before any message could reach it.
 *
 * Invariant: only messages that JSON can hold are in a name, and only the page that makes the worker writes it.
 */
import type { ToWorker } from "../protocol/messages.ts";

const PLAIN = "quire";

/** A worker's name that holds these messages. */
export const wordOpening = (said: readonly ToWorker[]): string =>
  said.length === 0 ? PLAIN : `${PLAIN} ${JSON.stringify(said)}`;

/** The messages in a worker's name; none where somebody else made the worker. */
export function readOpening(name: string): readonly ToWorker[] {
  return name.startsWith(`${PLAIN} `) ? (JSON.parse(name.slice(PLAIN.length + 1)) as readonly ToWorker[]) : [];
}
