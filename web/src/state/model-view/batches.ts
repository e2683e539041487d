/** A cursor's documents batch by batch. Invariant: one that is left before its end is closed, also where it failed. */
import type { Document } from "bson";
import { ask, cursorOf, type Commander } from "../data/ask.ts";

/** Documents in a batch. */
export const batchSize = 2000;

export async function* batchesOf(
  commander: Commander,
  database: string,
  collection: string,
  command: Document,
): AsyncGenerator<readonly Document[]> {
  let { documents, id } = cursorOf(await ask(commander, database, command));
  try {
    for (;;) {
      yield documents;
      if (id === 0n) return;
      ({ documents, id } = cursorOf(await ask(commander, database, { getMore: id, collection, batchSize })));
    }
  } finally {
    // The engine may have closed it already.
    if (id !== 0n) await ask(commander, database, { killCursors: collection, cursors: [id] }).catch(() => undefined);
  }
}
