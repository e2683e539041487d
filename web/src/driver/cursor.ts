/**
 * Cursors of the driver: asynchronous, lazily started, iterable with `for await`.
 *
 * Invariant: nothing is sent before the first document is asked for; options set later than that throw.
 */
import { Long, type Document } from "bson";
import type { Connection } from "./connection.ts";
import { MongoInvalidArgumentError } from "./errors.ts";

export abstract class AbstractCursor<Item = Document> {
  protected readonly connection: Connection;
  protected readonly database: string;
  protected readonly command: Document;
  protected size: number | undefined;
  protected awaitMillis: number | undefined;
  readonly #collection: string;
  #batch: Document[] = [];
  #id: bigint | null = null;
  #closed = false;
  #transforms: ((document: never) => unknown)[] = [];

  constructor(connection: Connection, database: string, collection: string, command: Document) {
    this.connection = connection;
    this.database = database;
    this.#collection = collection;
    this.command = command;
  }

  protected abstract opening(): Document;

  protected set(name: string, value: unknown): this {
    if (this.#id !== null) throw new MongoInvalidArgumentError("Cursor is already initialized");
    this.command[name] = value;
    return this;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async #fill(): Promise<boolean> {
    if (this.#batch.length > 0) return true;
    if (this.#closed) return false;
    let reply: Document;
    if (this.#id === null) {
      reply = await this.connection.run(this.database, this.opening());
    } else if (this.#id === 0n) {
      return false;
    } else {
      const command: Document = { getMore: Long.fromBigInt(this.#id), collection: this.#collection };
      if (this.size !== undefined) command["batchSize"] = this.size;
      if (this.awaitMillis !== undefined) command["maxTimeMS"] = this.awaitMillis;
      reply = await this.connection.run(this.database, command);
    }
    const cursor = reply["cursor"] as { firstBatch?: Document[]; nextBatch?: Document[]; id: unknown };
    this.#id = BigInt(String(cursor.id));
    this.#batch = (cursor.firstBatch ?? cursor.nextBatch ?? []).reverse();
    return this.#batch.length > 0;
  }

  #take(): Item {
    let document: unknown = this.#batch.pop();
    for (const transform of this.#transforms) document = (transform as (document: unknown) => unknown)(document);
    return document as Item;
  }

  /** Waits, on a cursor that awaits data, until there is some or the cursor ends. */
  async hasNext(): Promise<boolean> {
    const waits = this.command["tailable"] !== true || this.command["awaitData"] === true;
    while (!(await this.#fill())) if (this.#closed || this.#id === 0n || !waits) return false;
    return true;
  }
  async next(): Promise<Item | null> {
    return (await this.hasNext()) ? this.#take() : null;
  }
  /** The next document of what there is now: at most one batch is fetched. */
  async tryNext(): Promise<Item | null> {
    return (await this.#fill()) ? this.#take() : null;
  }
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    while (await this.hasNext()) all.push(this.#take());
    return all;
  }
  async forEach(callback: (document: Item) => boolean | void): Promise<void> {
    while (await this.hasNext()) if (callback(this.#take()) === false) return;
  }
  map<Result>(callback: (document: Item) => Result): AbstractCursor<Result> {
    this.#transforms.push(callback as (document: never) => unknown);
    return this as unknown as AbstractCursor<Result>;
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    try {
      while (await this.hasNext()) yield this.#take();
    } finally {
      await this.close();
    }
  }
  async close(): Promise<void> {
    if (!this.#closed && this.#id !== null && this.#id !== 0n) {
      await this.connection.run(this.database, { killCursors: this.#collection, cursors: [Long.fromBigInt(this.#id)] });
    }
    this.#closed = true;
    this.#batch = [];
  }
  batchSize(size: number): this {
    this.size = size;
    return this;
  }
  /** How long the engine may hold back the reply of a cursor that awaits data. */
  maxAwaitTimeMS(millis: number): this {
    this.awaitMillis = millis;
    return this;
  }
  maxTimeMS(millis: number): this {
    return this.set("maxTimeMS", millis);
  }
  explain(verbosity = "queryPlanner"): Promise<Document> {
    return this.connection.run(this.database, { explain: this.opening(), verbosity });
  }
}

export type SortDirection = 1 | -1 | "asc" | "desc" | "ascending" | "descending" | { readonly $meta: string };
export type Sort = string | Record<string, SortDirection> | readonly (readonly [string, SortDirection])[];

/** The driver's ways of saying an order, as the command takes it. */
export function asSort(sort: Sort, direction: SortDirection = 1): Document {
  const number = (value: SortDirection): unknown => (typeof value === "string" ? (value.startsWith("asc") ? 1 : -1) : value);
  if (typeof sort === "string") return { [sort]: number(direction) };
  const pairs = Array.isArray(sort) ? (sort as readonly (readonly [string, SortDirection])[]) : Object.entries(sort as Record<string, SortDirection>);
  return Object.fromEntries(pairs.map(([name, value]) => [name, number(value)]));
}

export class FindCursor<Item = Document> extends AbstractCursor<Item> {
  protected override opening(): Document {
    const limit = Number(this.command["limit"] ?? 0);
    const command = { ...this.command };
    if (limit < 0) Object.assign(command, { limit: -limit, singleBatch: true });
    else if (limit === 0) delete command["limit"];
    if (this.size !== undefined && limit >= 0) command["batchSize"] = this.size;
    return command;
  }
  filter(filter: Document): this {
    return this.set("filter", filter);
  }
  sort(sort: Sort, direction?: SortDirection): this {
    return this.set("sort", asSort(sort, direction));
  }
  project<Result = Document>(projection: Document): FindCursor<Result> {
    return this.set("projection", projection) as unknown as FindCursor<Result>;
  }
  limit(count: number): this {
    return this.set("limit", count);
  }
  skip(count: number): this {
    return this.set("skip", count);
  }
  hint(index: string | Document): this {
    return this.set("hint", index);
  }
  min(bound: Document): this {
    return this.set("min", bound);
  }
  max(bound: Document): this {
    return this.set("max", bound);
  }
  collation(collation: Document): this {
    return this.set("collation", collation);
  }
  comment(comment: unknown): this {
    return this.set("comment", comment);
  }
  returnKey(enabled: boolean): this {
    return this.set("returnKey", enabled);
  }
  showRecordId(enabled: boolean): this {
    return this.set("showRecordId", enabled);
  }
  allowDiskUse(allow = true): this {
    return this.set("allowDiskUse", allow);
  }
}

export class AggregationCursor<Item = Document> extends AbstractCursor<Item> {
  protected override opening(): Document {
    return { ...this.command, cursor: this.size === undefined ? {} : { batchSize: this.size } };
  }
  #stage(name: string, value: unknown): this {
    return this.set("pipeline", [...(this.command["pipeline"] as Document[]), { [name]: value }]);
  }
  match(filter: Document): this {
    return this.#stage("$match", filter);
  }
  group(group: Document): this {
    return this.#stage("$group", group);
  }
  sort(sort: Document): this {
    return this.#stage("$sort", sort);
  }
  project(projection: Document): this {
    return this.#stage("$project", projection);
  }
  limit(count: number): this {
    return this.#stage("$limit", count);
  }
  skip(count: number): this {
    return this.#stage("$skip", count);
  }
  unwind(path: string | Document): this {
    return this.#stage("$unwind", path);
  }
  lookup(lookup: Document): this {
    return this.#stage("$lookup", lookup);
  }
}

/** A cursor of `listCollections` or `listIndexes`. */
export class ListCursor<Item = Document> extends AbstractCursor<Item> {
  protected override opening(): Document {
    return this.size === undefined ? this.command : { ...this.command, cursor: { batchSize: this.size } };
  }
}
