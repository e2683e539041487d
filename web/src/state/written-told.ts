/**
 * What a statement wrote, as a reader names it: a time series by its own name, and its readings where the statement's
 * reply counts them, since the engine notes the buckets.
 *
 * Invariant: pure; readings are told only of a statement whose one command wrote to that series alone.
 */
import type { Written } from "../protocol/run.ts";
import type { LeafStatement } from "./model.ts";
import { readerNamespace } from "./series.ts";
import { fieldOf, isNested, numberOf, partsOf } from "./values.ts";

export interface ToldWrite extends Written {
  /** `count` is of buckets. */
  readonly isOfBuckets: boolean;
  /** How many readings were written in the buckets; null where that is not known. */
  readonly readings: number | null;
}

/** Kinds whose count is of documents. */
const counting = new Set<Written["kind"]>(["inserted", "updated", "deleted", "expired", "overwritten", "replaced"]);

/** @param statement the statement, with its value; null where it ended with an error */
export function tellWritten(
  written: readonly Written[],
  statement: Pick<LeafStatement, "value" | "commands"> | null,
): readonly ToldWrite[] {
  const told: ToldWrite[] = [];
  for (const one of written) {
    const namespace = readerNamespace(one.namespace);
    const isBuckets = namespace !== one.namespace;
    // A series is created and dropped with its buckets.
    if (told.some((other) => other.kind === one.kind && other.namespace === namespace && !counting.has(one.kind))) {
      continue;
    }
    const from = one.from === undefined ? {} : { from: readerNamespace(one.from) };
    told.push({ ...one, ...from, namespace, isOfBuckets: isBuckets && counting.has(one.kind), readings: null });
  }
  const counted = statement?.commands === 1 && told.every((one) => one.isOfBuckets) ? readingsOf(statement) : null;
  const [first] = told;
  if (counted === null || first === undefined) return told;
  // An update takes readings out of buckets and puts them into others.
  const count = told.reduce((sum, one) => sum + one.count, 0);
  return [{ ...first, kind: counted.kind, count, readings: counted.readings }];
}

/** Whether a later write to a namespace is one to the collection that a reader names so. */
export const isWriteTo = ({ namespace }: Written, reader: string): boolean =>
  namespace === reader || readerNamespace(namespace) === reader;

/** The readings that the reply of a write counts. */
function readingsOf({ value }: Pick<LeafStatement, "value">): { kind: Written["kind"]; readings: number } | null {
  if (value.kind !== "value" || fieldOf(value.value, "acknowledged") !== true) return null;
  const inserted = fieldOf(value.value, "insertedIds");
  if (isNested(inserted)) return { kind: "inserted", readings: partsOf(inserted).length };
  if (fieldOf(value.value, "insertedId") !== undefined) return { kind: "inserted", readings: 1 };
  const deleted = numberOf(fieldOf(value.value, "deletedCount"));
  if (deleted !== null) return { kind: "deleted", readings: deleted };
  const modified = numberOf(fieldOf(value.value, "modifiedCount"));
  return modified === null ? null : { kind: "updated", readings: modified };
}
