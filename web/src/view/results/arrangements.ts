/**
 * How tables were arranged in this window, by collection, kept in its `sessionStorage`.
 *
 * Invariants: read when the first table is drawn; without storage, or in another's page, they last as long as the page.
 */
import {
  arrangedAs,
  parseArrangements,
  unarranged,
  wordArrangements,
  type Arrangement,
  type Arrangements,
} from "../../state/arrangement.ts";

const key = "quire.tables";
let all: Arrangements | null = null;

function storage(): Storage | null {
  try {
    return parent === window ? sessionStorage : null;
  } catch {
    return null;
  }
}

/** The arrangement of a collection's tables; `unarranged` where the reader made none, or there is no collection. */
export function arrangementOf(collection: string): Arrangement {
  all ??= parseArrangements(storage()?.getItem(key) ?? null);
  return all.get(collection) ?? unarranged;
}

export function keepArrangement(collection: string, arrangement: Arrangement): void {
  all = arrangedAs(all ?? new Map(), collection, arrangement);
  try {
    storage()?.setItem(key, wordArrangements(all));
  } catch {
    // Full: it lasts as long as the page.
  }
}
