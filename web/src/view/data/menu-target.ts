/** The subject of a menu of the data list, and how a script names a collection. */
import type { CollectionSummary, IndexSummary } from "../../client/client.ts";

export type MenuTarget =
  /** The list as a whole, to add to it. */
  | { readonly kind: "list"; readonly database: string }
  | { readonly kind: "database"; readonly database: string }
  | { readonly kind: "collection"; readonly database: string; readonly collection: CollectionSummary }
  | {
      readonly kind: "index";
      readonly database: string;
      readonly collection: CollectionSummary;
      readonly index: IndexSummary;
    };

/** A collection as a script names it: by a property where that works. */
export function referenceTo(collection: string): string {
  return /^[A-Za-z]\w*$/.test(collection) ? `db.${collection}` : `db.getCollection(${JSON.stringify(collection)})`;
}
