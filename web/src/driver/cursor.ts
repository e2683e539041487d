/**
 * Cursors of the driver: asynchronous, lazily started, iterable with `for await`.
 *
 * Invariant: nothing is sent before the first document is asked for; options set later than that throw.
 */
import { Long, type Document } from "bson";
import { asSort, type Sort, type SortDirection } from "../shell/sort.ts";
import type { Call } from "./call.ts";
import { ReadPreference } from "./concerns.ts";
import { CURSOR_FLAGS, CursorTimeoutMode, type CursorFlag } from "./constants.ts";
import { DISPOSE } from "./dispose.ts";
import { MongoAPIError, MongoCursorInUseError, MongoInvalidArgumentError } from "./errors.ts";
import type { CollationOptions, ReadConcernOptions, ReadPreferenceLike } from "./option-types.ts";
import { streamOf } from "./item-stream.ts";
import type { ReadableOf } from "./streams.ts";

/** The driver's ways of saying an order, as the command takes it; undefined when it names no field. */
export function toSort(sort: unknown, direction?: unknown): Document | undefined {
  return asSort(sort, direction, (message) => new MongoInvalidArgumentError(message)) as Document | undefined;
}

export function needNumber(value: unknown, message: string): void {
  if (typeof value !== "number") throw new MongoInvalidArgumentError(message);
}

/** The fields of a `find` that the flags of a cursor stand for; a flag of another name is a field of that name. */
const FLAG_FIELDS: { readonly [Flag in CursorFlag]?: string } = { partial: "allowPartialResults" };

export abstract class AbstractCursor<Item = Document> {
  protected call: Call;
  protected readonly base: Document;
  protected size: number | undefined;
  protected awaitMillis: number | undefined;
  /** The name that `getMore` gives for the cursor. */
  protected readonly collection: string;
  #batch: Document[] = [];
  #id: bigint | null = null;
  #closed = false;
  #transforms: ((document: never) => unknown)[] = [];

  /**
   * `base` is the opening command with the fields of the call's options; later settings (`limit`, `sort`) replace them.
   */
  constructor(call: Call, collection: string, base: Document) {
    this.call = call;
    this.collection = collection;
    this.base = base;
    const { batchSize, maxAwaitTimeMS, timeoutMode } = call.own;
    if (timeoutMode !== undefined && !Object.values<unknown>(CursorTimeoutMode).includes(timeoutMode))
      throw new MongoInvalidArgumentError('option timeoutMode must be "iteration" or "cursorLifetime"');
    if (timeoutMode === CursorTimeoutMode.LIFETIME && this.isTailable)
      throw new MongoInvalidArgumentError("Cannot set tailable cursor's timeoutMode to LIFETIME");
    if (batchSize !== undefined) this.batchSize(batchSize as number);
    if (maxAwaitTimeMS !== undefined) this.maxAwaitTimeMS(maxAwaitTimeMS as number);
  }

  /** The command that opens the cursor: an object of its own. */
  protected abstract opening(): Document;

  /** Gives another cursor this one's settings that are no fields of its command. */
  protected like<Other extends AbstractCursor<Item>>(other: Other): Other {
    other.size = this.size;
    other.awaitMillis = this.awaitMillis;
    return other;
  }
  #needUnused(): void {
    if (this.#id !== null) throw new MongoCursorInUseError();
  }
  protected set(name: string, value: unknown): this {
    this.#needUnused();
    if (value === undefined) delete this.base[name];
    else this.base[name] = value;
    return this;
  }

  /** Whether no document comes any more: the cursor was closed, or has given everything. */
  get closed(): boolean {
    return this.#closed || (this.#id === 0n && this.#batch.length === 0);
  }
  /** Whether the cursor was closed before it had given everything. */
  get killed(): boolean {
    return this.#closed && this.#id !== 0n;
  }
  get namespace(): string {
    return `${this.call.database}.${this.collection}`;
  }
  get readPreference(): ReadPreference {
    return ReadPreference.fromString(this.call.settings.readPreference ?? "primary");
  }
  get readConcern(): Document | undefined {
    return this.call.settings.readConcern;
  }
  /** The engine's number of the cursor: undefined before it is opened, 0 when everything was given. */
  get id(): Long | undefined {
    return this.#id === null ? undefined : Long.fromBigInt(this.#id);
  }

  /** Whether the cursor follows a collection, or a stream. */
  protected get isTailable(): boolean {
    return this.base["tailable"] === true || this.awaitsData;
  }
  /** Whether the reply of a batch waits until there is something. */
  protected get awaitsData(): boolean {
    return this.base["awaitData"] === true;
  }
  /** Sees what a reply says of the cursor. */
  protected received(_cursor: Document): void {}
  /** How many documents of the last batch are still to be given. */
  get buffered(): number {
    return this.#batch.length;
  }
  /** The same as `buffered`, as a method. */
  bufferedCount(): number {
    return this.#batch.length;
  }
  /** The documents of the last batch that are still to be given, or the first of them, as they were read. */
  readBufferedDocuments(most: number = this.#batch.length): Document[] {
    return this.#batch.splice(Math.max(0, this.#batch.length - most)).reverse();
  }

  /** The command for the next batch. */
  #more(): Document {
    const command: Document = {
      getMore: Long.fromBigInt(this.#id ?? 0n),
      collection: this.collection,
    };
    if (this.size !== undefined && this.size > 0) command["batchSize"] = this.size;
    if (this.awaitMillis !== undefined) command["maxTimeMS"] = this.awaitMillis;
    return Object.assign(command, this.moreFields());
  }
  /** Further fields of that command. */
  protected moreFields(): Document {
    return {};
  }
  // Asked anew after each wait, in which the cursor may have been closed.
  #isClosed(): boolean {
    return this.#closed;
  }
  async #kill(): Promise<void> {
    if (this.#id === null || this.#id === 0n) return;
    this.call.renew();
    await this.call.send({
      killCursors: this.collection,
      cursors: [Long.fromBigInt(this.#id)],
    });
  }

  async #fill(): Promise<boolean> {
    if (this.#batch.length > 0) return true;
    if (this.#closed) return false;
    if (this.#id === 0n) return false;
    // A cursor that follows a collection has the time for each batch, any other for all of them unless told otherwise.
    if (this.isTailable || this.call.own["timeoutMode"] === CursorTimeoutMode.ITERATION) this.call.renew();
    if (this.#id === null && this.call.isExplained) {
      this.#batch = [await this.call.explain(this.opening())];
      this.#id = 0n;
      return true;
    }
    const opens = this.#id === null;
    let reply: Document;
    try {
      reply = await this.call.send(opens ? this.call.concerned(this.opening()) : this.#more());
    } catch (error) {
      // The engine ended the cursor because it was closed meanwhile: nothing failed.
      if (this.#isClosed() && !opens) return false;
      throw error;
    }
    const cursor = reply["cursor"] as {
      firstBatch?: Document[];
      nextBatch?: Document[];
      id: unknown;
    };
    this.#id = cursor.id === 0 ? 0n : BigInt(String(cursor.id));
    if (this.#isClosed()) {
      // It had no number yet when it was closed.
      if (opens) await this.#kill();
      return false;
    }
    this.#batch = (cursor.firstBatch ?? cursor.nextBatch ?? []).reverse();
    this.received(cursor);
    return this.#batch.length > 0;
  }

  #take(): Item {
    let document: unknown = this.#batch.pop();
    for (const transform of this.#transforms) document = (transform as (document: unknown) => unknown)(document);
    return document as Item;
  }

  /** Waits, on a cursor that awaits data, until there is some or the cursor ends. */
  async hasNext(): Promise<boolean> {
    const waits = !this.isTailable || this.awaitsData;
    while (!(await this.#fill())) if (this.#closed || this.#id === 0n || !waits) return false;
    return true;
  }
  // Waits for nothing while a batch has documents: an `await` for each document would take as long as reading it.
  async next(): Promise<Item | null> {
    return this.#batch.length > 0 || (await this.hasNext()) ? this.#take() : null;
  }
  /**
   * The next document of those that exist now, or null: fetches at most one batch and never waits for new documents.
   */
  async tryNext(): Promise<Item | null> {
    return (await this.#fill()) ? this.#take() : null;
  }
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    while (this.#batch.length > 0 || (await this.hasNext())) all.push(this.#take());
    return all;
  }
  async forEach(callback: (document: Item) => boolean | void): Promise<void> {
    if (typeof callback !== "function") throw new MongoInvalidArgumentError('Argument "iterator" must be a function');
    while (this.#batch.length > 0 || (await this.hasNext())) if (callback(this.#take()) === false) return;
  }
  map<Result>(callback: (document: Item) => Result): AbstractCursor<Result> {
    this.#needUnused();
    this.#transforms.push(callback as (document: never) => unknown);
    return this as unknown as AbstractCursor<Result>;
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    try {
      while (this.#batch.length > 0 || (await this.hasNext())) yield this.#take();
    } finally {
      await this.close();
    }
  }
  async close(): Promise<void> {
    if (this.#closed) return;
    // Before the engine is told, whose answer to a waiting batch comes first.
    this.#closed = true;
    this.#batch = [];
    await this.#kill();
  }
  /**
   * The documents as a stream; in Node it is one of Node's. `transform` makes another value of each. The cursor is
   * closed with the stream.
   */
  stream<Made = Item>(options: { readonly transform?: (document: Item) => Made } = {}): ReadableOf<Made> {
    return streamOf<Item, Made>(this, options.transform);
  }
  /** Has the cursor begin anew: its command runs again with the next document that is asked for. */
  rewind(): void {
    const [id, call] = [this.#id, this.call];
    if (id !== null && id !== 0n && !this.#closed) void this.#kill().catch(() => undefined);
    this.#id = null;
    this.#batch = [];
    this.#closed = false;
    this.call = call.fresh();
  }
  async [DISPOSE](): Promise<void> {
    await this.close();
  }
  /** Sets a flag of a `find`; `exhaust` and `oplogReplay` mean nothing here. */
  addCursorFlag(flag: CursorFlag, value: boolean): this {
    if (!CURSOR_FLAGS.includes(flag))
      throw new MongoInvalidArgumentError(`Flag ${String(flag)} is not one of ${CURSOR_FLAGS.join(",")}`);
    if (typeof value !== "boolean") throw new MongoInvalidArgumentError(`Flag ${flag} must be a boolean value`);
    this.#needUnused();
    return flag === "exhaust" || flag === "oplogReplay" ? this : this.set(FLAG_FIELDS[flag] ?? flag, value);
  }
  /** Checked, and without effect: the only member answers all reads. */
  withReadPreference(readPreference: ReadPreferenceLike): this {
    this.#needUnused();
    this.call = this.call.fresh({ readPreference });
    return this;
  }
  withReadConcern(readConcern: NonNullable<ReadConcernOptions["readConcern"]>): this {
    this.#needUnused();
    this.call = this.call.fresh({ readConcern });
    return this;
  }
  batchSize(size: number): this {
    this.#needUnused();
    needNumber(size, 'Operation "batchSize" requires an integer');
    this.size = size;
    return this;
  }
  /** How long the engine may hold back the reply of a cursor that awaits data. */
  maxAwaitTimeMS(millis: number): this {
    this.#needUnused();
    needNumber(millis, "Argument for maxAwaitTimeMS must be a number");
    this.awaitMillis = millis;
    return this;
  }
  maxTimeMS(millis: number): this {
    needNumber(millis, "Argument for maxTimeMS must be a number");
    return this.set("maxTimeMS", millis);
  }
  async explain(verbosity: boolean | string | { readonly verbosity: string } = true): Promise<Document> {
    return this.call.explain(this.opening(), verbosity);
  }
}

export class FindCursor<Item = Document> extends AbstractCursor<Item> {
  /** A cursor like this one, of which nothing was read; `map` is not taken along, as in the Node driver. */
  clone(): FindCursor<Item> {
    return this.like(new FindCursor<Item>(this.call.fresh({ session: null }), this.collection, { ...this.base }));
  }
  /** @deprecated Use `Collection.countDocuments`. */
  async count(): Promise<number> {
    const { find, filter, limit, skip, hint, collation, maxTimeMS } = this.base;
    const fields = { limit, skip, hint, collation, maxTimeMS };
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const reply = await this.call
      .fresh()
      .send(this.call.concerned({ count: find as string, query: filter as Document, ...Object.fromEntries(given) }));
    return Number(reply["n"]);
  }
  protected override opening(): Document {
    const limit = Number(this.base["limit"] ?? 0);
    const command = { ...this.base };
    if (limit < 0) Object.assign(command, { limit: -limit, singleBatch: true });
    else if (limit === 0) delete command["limit"];
    if (this.size !== undefined && limit >= 0) {
      // A negative size asks for one batch of at most so many.
      if (this.size >= 0) command["batchSize"] = this.size;
      else
        Object.assign(command, {
          limit: limit === 0 ? -this.size : Math.min(limit, -this.size),
          singleBatch: true,
        });
    }
    return command;
  }
  filter(filter: Document): this {
    return this.set("filter", filter);
  }
  sort(sort: Sort, direction?: SortDirection): this {
    return this.set("sort", toSort(sort, direction));
  }
  project<Result = Document>(projection: Document): FindCursor<Result> {
    return this.set("projection", projection) as unknown as FindCursor<Result>;
  }
  limit(count: number): this {
    needNumber(count, 'Operation "limit" requires an integer');
    return this.set("limit", count);
  }
  skip(count: number): this {
    needNumber(count, 'Operation "skip" requires an integer');
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
  collation(collation: CollationOptions): this {
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
  /** The pipeline as it is now. */
  get pipeline(): Document[] {
    return this.base["pipeline"] as Document[];
  }
  /** A cursor like this one, of which nothing was read; `map` is not taken along, as in the Node driver. */
  clone(): AggregationCursor<Item> {
    const call = this.call.fresh({ session: null });
    return this.like(new AggregationCursor<Item>(call, this.collection, { ...this.base }));
  }
  protected override opening(): Document {
    return {
      ...this.base,
      cursor: this.size === undefined ? {} : { batchSize: this.size },
    };
  }
  /** Adds a stage to the pipeline's end. */
  addStage<Result = Document>(stage: Document): AggregationCursor<Result> {
    return this.set("pipeline", [
      ...(this.base["pipeline"] as Document[]),
      stage,
    ]) as unknown as AggregationCursor<Result>;
  }
  #stage(name: string, value: unknown): this {
    this.addStage({ [name]: value });
    return this;
  }
  match(filter: Document): this {
    return this.#stage("$match", filter);
  }
  group(group: Document): this {
    return this.#stage("$group", group);
  }
  sort(sort: Sort): this {
    return this.#stage("$sort", toSort(sort) ?? {});
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
  geoNear(near: Document): this {
    return this.#stage("$geoNear", near);
  }
  lookup(lookup: Document): this {
    return this.#stage("$lookup", lookup);
  }
  redact(redact: Document): this {
    return this.#stage("$redact", redact);
  }
  out(target: string | Document): this {
    return this.#stage("$out", target);
  }
}

/** A cursor over what a command lists. */
abstract class ListCursor<Item = Document> extends AbstractCursor<Item> {
  protected override opening(): Document {
    return {
      ...this.base,
      cursor: this.size === undefined ? {} : { batchSize: this.size },
    };
  }
}

/** The cursor of `listCollections`. */
export class ListCollectionsCursor<Item = Document> extends ListCursor<Item> {}
/** The cursor of `listIndexes`. */
export class ListIndexesCursor<Item = Document> extends ListCursor<Item> {}

const RUN_COMMAND = "RunCommandCursor does not support";

/** A cursor that a command of the caller's opens. */
export class RunCommandCursor<Item = Document> extends AbstractCursor<Item> {
  readonly #more: Document = {};
  protected override opening(): Document {
    return { ...this.base };
  }
  protected override moreFields(): Document {
    return this.#more;
  }
  /** The comment of each command for a further batch. */
  setComment(comment: unknown): this {
    this.#more["comment"] = comment;
    return this;
  }
  /** How long the engine may hold back a further batch. */
  setMaxTimeMS(millis: number): this {
    this.#more["maxTimeMS"] = millis;
    return this;
  }
  setBatchSize(size: number): this {
    this.#more["batchSize"] = size;
    return this;
  }
  override withReadConcern(): never {
    throw new MongoAPIError(`${RUN_COMMAND} readConcern: it must be attached to the command being run`);
  }
  override addCursorFlag(): never {
    throw new MongoAPIError(`${RUN_COMMAND} cursor flags: they must be attached to the command being run`);
  }
  override maxTimeMS(): never {
    throw new MongoAPIError(
      "maxTimeMS belongs to the command itself; for its further batches use cursor.setMaxTimeMS()",
    );
  }
  override batchSize(): never {
    throw new MongoAPIError(
      "batchSize belongs to the command itself; for its further batches use cursor.setBatchSize()",
    );
  }
}
