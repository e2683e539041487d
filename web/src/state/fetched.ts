/**
 * The sum of the batches that a cursor fetched after its first one: documents, keys and pages.
 *
 * Invariants: pure; the figures are those which the engine counted while it answered each `getMore`. A page counts once
 * a batch: how many different ones there were is known as long as the engine named each of them.
 */
import type { Document } from "bson";
import { countedIn } from "./insight.ts";
import { fieldOf, numberOf } from "./values.ts";

export interface Fetched {
  readonly batches: number;
  readonly documents: number;
  readonly keysExamined: number;
  readonly documentsExamined: number;
  readonly millis: number;
  /** The sum over these batches. */
  readonly pagesRead: number;
  /** Different pages of these batches and the first; null where not all are known by number. */
  readonly differentPages: number | null;
  /** The numbers of the different pages; null after a reload too, when the cursor is closed. */
  readonly pages: ReadonlySet<number> | null;
}

/** The most pages whose numbers are kept to count different ones; beyond it only the sum is told. */
const mostPages = 20_000;

/**
 * Adds a batch to the sum; null where the engine did not observe it, or not the first one.
 *
 * @param before the sum of the batches before this one; null after the first
 * @param first the engine's observation of the command that gave the first batch
 * @param observed its observation of this batch's `getMore`
 */
export function addBatch(
  before: Fetched | null,
  first: Document | null,
  observed: Document | undefined,
  documents: number,
): Fetched | null {
  const counted = countedIn(observed);
  if (counted === null || (before === null && first === null)) return null;
  const known = before === null ? pagesOf(first) : before.pages;
  const pages = known === null ? null : together(known, pagesOf(observed));
  return {
    batches: (before?.batches ?? 0) + 1,
    documents: (before?.documents ?? 0) + documents,
    keysExamined: (before?.keysExamined ?? 0) + counted.keysExamined,
    documentsExamined: (before?.documentsExamined ?? 0) + counted.documentsExamined,
    millis: (before?.millis ?? 0) + (counted.millis ?? 0),
    pagesRead: (before?.pagesRead ?? 0) + counted.pagesRead,
    differentPages: pages?.size ?? null,
    pages,
  };
}

/** The numbers of the pages that a command read; null where there are more than the engine names. */
function pagesOf(observed: unknown): ReadonlySet<number> | null {
  const read = fieldOf(observed, "read");
  if (!Array.isArray(read) || (numberOf(fieldOf(observed, "readMore")) ?? 0) > 0) return null;
  return new Set(read.flatMap((page) => numberOf(page) ?? []));
}

function together(before: ReadonlySet<number>, more: ReadonlySet<number> | null): ReadonlySet<number> | null {
  if (more === null) return null;
  const all = new Set(before);
  for (const page of more) all.add(page);
  return all.size > mostPages ? null : all;
}
