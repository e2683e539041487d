/**
 * Which drawings of the insides there are beside a result: the trees it went through, the pages it read, a capped
 * collection's ring, a TTL index's dial.
 *
 * Invariant: a drawing is offered only where there is something to draw.
 */
import { ask, cursorOf, type Commander } from "../data/ask.ts";
import { hasLookup } from "../map/geo-index.ts";
import { collectionOf, stagesOf, type Plan } from "../plan.ts";
import { joinedCollection } from "../plan-flow.ts";
import { fieldOf } from "../values.ts";

/** A drawing, and its subject. */
export type Inside =
  /** The documents of a run's cursor, stage by stage. */
  | { readonly kind: "pipeline" }
  /** The B+tree of an index, or of a collection's documents. */
  | { readonly kind: "tree"; readonly database: string; readonly collection: string; readonly index: string | null }
  /** The map of all pages; one of them open. */
  | { readonly kind: "pages"; readonly page: number | null }
  /** The cells that were read in a geospatial index, on a map. */
  | { readonly kind: "lookup"; readonly plan: Plan }
  /** A capped collection as a ring, a TTL index under a dial. */
  | { readonly kind: "ring"; readonly database: string; readonly collection: string }
  | { readonly kind: "dial"; readonly database: string; readonly collection: string; readonly index: string };

/** The traits of a collection that have a drawing of their own. */
export interface Nature {
  readonly isCapped: boolean;
  /** The first of its TTL indexes. */
  readonly expiringIndex: string | null;
}

export const PLAIN: Nature = { isCapped: false, expiringIndex: null };

/** The drawings beside the result of a plan's run. */
export function insidesOf(plan: Plan, { isCapped, expiringIndex }: Nature): readonly Inside[] {
  const database = plan.namespace?.split(".", 1)[0] ?? "";
  const collection = collectionOf(plan.namespace) ?? "";
  const trees = new Map<string, Inside>();
  const add = (name: string, index: string | null): unknown =>
    trees.set(JSON.stringify([name, index]), { kind: "tree", database, collection: name, index });
  for (const stage of stagesOf(plan.root)) {
    const joined = joinedCollection(stage);
    if (stage.name.startsWith("$")) {
      if (joined !== null) for (const index of stage.indexesUsed) add(joined, index);
    } else if (stage.indexName !== null && !/CLUSTERED/.test(stage.name)) add(collection, stage.indexName);
    else if (/^COLLSCAN$|CLUSTERED/.test(stage.name)) add(collection, null);
  }
  return [
    ...(plan.isPipeline ? [{ kind: "pipeline" } as const] : []),
    ...trees.values(),
    ...(hasLookup(plan) ? [{ kind: "lookup", plan } as const] : []),
    { kind: "pages", page: null },
    ...(isCapped ? [{ kind: "ring", database, collection } as const] : []),
    ...(expiringIndex === null ? [] : [{ kind: "dial", database, collection, index: expiringIndex } as const]),
  ];
}

/** Asks the engine for the traits of a plan's collection, where no catalog is at hand to tell them. */
export async function readNature(commander: Commander, { namespace }: Plan): Promise<Nature> {
  const database = namespace?.split(".", 1)[0] ?? "";
  const name = collectionOf(namespace) ?? "";
  const [found] = cursorOf(await ask(commander, database, { listCollections: 1, filter: { name } })).documents;
  if (found === undefined || fieldOf(found, "type") !== "collection") return PLAIN;
  const indexes = cursorOf(await ask(commander, database, { listIndexes: name })).documents;
  const expiring = indexes.find((index) => fieldOf(index, "expireAfterSeconds") !== undefined);
  return {
    isCapped: fieldOf(fieldOf(found, "options"), "capped") === true,
    expiringIndex: expiring === undefined ? null : String(fieldOf(expiring, "name")),
  };
}
