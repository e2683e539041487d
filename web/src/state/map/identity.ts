/**
 * Which documents of two readings are the same.
 *
 * Invariant: pure; a document without an `_id` is the same as itself alone.
 */
import { fieldOf, wordLine } from "../values.ts";
import type { Place } from "./places.ts";

/** A document's `_id` as text; null where it has none. */
export function idOf(document: unknown): string | null {
  const id = fieldOf(document, "_id");
  return id === undefined ? null : wordLine(id);
}

/** The number of a document's place among those of newer documents; null where it is there no more. */
export function placeAgain(document: unknown, values: readonly unknown[], places: readonly Place[]): number | null {
  const own = places.findIndex(({ index }) => values[index] === document);
  const id = own >= 0 ? null : idOf(document);
  const at = id === null ? own : places.findIndex(({ index }) => idOf(values[index]) === id);
  return at < 0 ? null : at;
}
