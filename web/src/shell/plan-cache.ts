/** `db.c.getPlanCache()`: the winning plans that are kept of a collection's queries. */
import type { Document } from "./errors.ts";

/** The methods of a collection that `PlanCache` calls. */
interface CachedCollection {
  getName(): string;
  runCommand(command: unknown, options?: Document): Document;
  aggregate(pipeline: unknown[]): unknown;
}

export class PlanCache {
  readonly #collection: CachedCollection;

  constructor(collection: CachedCollection) {
    this.#collection = collection;
  }
  /** Forgets all plans. */
  clear(): Document {
    return this.#collection.runCommand("planCacheClear");
  }
  /** Forgets the plans of one shape. */
  clearPlansByQuery(query: unknown, projection?: unknown, sort?: unknown): Document {
    const options: Document = { query };
    if (projection !== undefined) options["projection"] = projection;
    if (sort !== undefined) options["sort"] = sort;
    return this.#collection.runCommand("planCacheClear", options);
  }
  /** The entries, through the stages of a pipeline if there are any. */
  list(pipeline: unknown[] = []): unknown[] {
    const cursor = this.#collection.aggregate([{ $planCacheStats: {} }, ...pipeline]);
    return (cursor as { toArray(): unknown[] }).toArray();
  }
}
