/**
 * Whether a run found nothing, so that its collection may not be there. It is apart from the hints, which are fetched
 * only then.
 *
 * Invariant: pure.
 */
import type { LeafStatement, LeafValue } from "./model.ts";
import { fieldOf, numberOf } from "./values.ts";

/** Whether a value may be empty because a collection is not there: no document was found, updated or deleted. */
export function foundNothing(value: LeafValue): boolean {
  if (value.kind === "cursor") return value.documents.length === 0;
  if (value.kind !== "value") return false;
  const result = value.value;
  // Numbers keep their types.
  if (result === null || numberOf(result) === 0 || (Array.isArray(result) && result.length === 0)) return true;
  const isNone = (name: string): boolean => numberOf(fieldOf(result, name)) === 0;
  return isNone("deletedCount") || (isNone("matchedCount") && isNone("upsertedCount"));
}

/** The code of an error that names a collection which is not there. */
export const namespaceNotFound = 26;

/** Whether a statement asked for something, and found nothing. */
export const mayHaveMissed = ({ commands, value }: LeafStatement): boolean => commands > 0 && foundNothing(value);
