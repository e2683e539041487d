/**
 * The list of databases by a few letters of a name: a database, a collection or an index.
 *
 * Invariants: pure; every word of the query must be in the names from the database down; a database or collection found
 * by its own name is shown with all that is in it.
 */
import type { CollectionSummary } from "../client/client.ts";
import type { CatalogDatabase } from "./model.ts";
import { preview } from "./values.ts";

export interface FilteredCatalog {
  readonly databases: readonly CatalogDatabase[];
  /** `database.collection` of those which are shown because an index of theirs was found. */
  readonly opened: ReadonlySet<string>;
  /** Databases, collections and indexes that were found by their names. */
  readonly found: number;
}

/** An index's key as the list shows it. */
export const wordIndexKey = (key: unknown): string => preview(key, 60);

/** The part of the list that answers a query; the whole list for an empty query. */
export function filterCatalog(databases: readonly CatalogDatabase[], query: string): FilteredCatalog {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const opened = new Set<string>();
  if (words.length === 0) return { databases, opened, found: databases.length };
  let found = 0;
  const answers = (...names: readonly string[]): boolean => {
    const text = names.join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const filtered = databases.flatMap((database): readonly CatalogDatabase[] => {
    const { name } = database.summary;
    if (answers(name)) {
      found += 1;
      return [database];
    }
    const collections = database.collections.flatMap((collection): readonly CollectionSummary[] => {
      if (answers(name, collection.name)) {
        found += 1;
        return [collection];
      }
      const indexes = collection.indexes.filter((index) =>
        answers(name, collection.name, index.name, wordIndexKey(index.key)),
      );
      if (indexes.length === 0) return [];
      found += indexes.length;
      opened.add(`${name}.${collection.name}`);
      return [{ ...collection, indexes }];
    });
    return collections.length === 0 ? [] : [{ ...database, collections }];
  });
  return { databases: filtered, opened, found };
}
