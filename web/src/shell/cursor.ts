/**
 * Cursors: `find` and `aggregate` results, synchronous, with the legacy `cursor[0]`.
 *
 * Invariants: nothing is sent before the first document is asked for, and once a cursor has started its
 * command no longer changes. Showing a cursor takes nothing from it: of one that never started the command is run for
 * the reader alone, by the page where there is one, which then fetches and draws its batches without the sandbox; of
 * any other the documents shown wait for the script.
 */
import type { Connection, ShellHost } from "./host.ts";
import { asSort } from "./sort.ts";
import { Long } from "./bson/numbers.ts";
import {
  MongoInvalidArgumentError,
  MongoshInvalidInputError,
  MongoshUnimplementedError,
  type Document,
} from "./errors.ts";
import { SHELL_TEXT, format } from "./format.ts";
import { now } from "./clock.ts";

/**
 * `cursor[3]` is looked up by this, at the end of the prototype chain, so that methods stay fast and private fields
 * work.
 */
const indexing = new Proxy(Object.create(null) as object, {
  get(_target, key, receiver: unknown): unknown {
    if (typeof key === "string" && /^\d+$/.test(key)) return (receiver as BaseCursor).at(Number(key));
    return Reflect.get(Object.prototype, key, receiver);
  },
});

type Transform = (document: unknown) => unknown;

/** A document that was shown before the script took it, with the number of functions that were applied to it. */
interface Early {
  readonly document: unknown;
  readonly applied: number;
}

export abstract class BaseCursor {
  protected readonly connection: Connection;
  protected readonly database: string;
  protected readonly collection: string;
  protected readonly command: Document;
  protected fetchSize: number | undefined;
  #started = false;
  #closed = false;
  #batch: unknown[] = [];
  #at = 0;
  #id: unknown = 0;
  #transforms: Transform[] = [];
  readonly #early: Early[] = [];
  #taken = 0;
  #random: unknown[] | undefined;
  protected maxAwaitMillis: number | undefined;

  constructor(connection: Connection, database: string, collection: string, command: Document) {
    this.connection = connection;
    this.database = database;
    this.collection = collection;
    this.command = command;
  }

  static {
    Object.setPrototypeOf(BaseCursor.prototype, indexing);
  }

  /** Whether documents have been asked for. */
  get started(): boolean {
    return this.#started;
  }
  /** Whether it can be handed out as it is: not started, and with no function of the script to apply. */
  get untouched(): boolean {
    return !this.#started && this.#transforms.length === 0;
  }

  /** Sets one field of the command; refused once the cursor has started, as the driver refuses it. */
  protected set(name: string, value: unknown): this {
    if (this.#started) throw new MongoInvalidArgumentError("Cursor is already initialized");
    if (value === undefined) delete this.command[name];
    else this.command[name] = value;
    return this;
  }

  /** The command that opens the cursor, with the size of a first batch that is to be shown. */
  abstract opening(displayBatchSize?: number): Document;

  /**
   * The command with which the page opens a cursor of its own that shows this one's documents, and that cursor, which
   * is to adopt the page's.
   */
  forPage(displayBatchSize: number): { database: string; command: Document; shown: BaseCursor } {
    return {
      database: this.database,
      command: this.opening(displayBatchSize),
      shown: new OpenedCursor(this.connection, this.database, this.collection, 0),
    };
  }

  /** A cursor over the documents from the current place on, which a reader goes through and the script keeps. */
  shown(displayBatchSize: number): BaseCursor {
    if (!this.untouched) return new AheadCursor(this.connection, this.database, this.collection, this);
    const { command, shown } = this.forPage(displayBatchSize);
    shown.#open(command);
    return shown;
  }

  /** Starts from a reply that the page fetched, to continue with `it`. */
  adopt(id: unknown): void {
    this.#started = true;
    this.#id = id;
  }

  start(displayBatchSize?: number): void {
    if (!this.#started) this.#open(this.opening(displayBatchSize));
  }

  #open(command: Document): void {
    this.#started = true;
    const reply = this.connection.run(this.database, command);
    const cursor = reply["cursor"] as { firstBatch: unknown[]; id: unknown };
    this.#batch = cursor.firstBatch;
    this.#id = cursor.id;
    this.received(cursor);
  }
  /** Sees what a reply says of the cursor. */
  protected received(_cursor: Document): void {}

  get #alive(): boolean {
    return String(this.#id) !== "0";
  }

  /** Whether a document is at hand, fetching at most one more batch. */
  #fill(size?: number): boolean {
    return this.#early.length > 0 || this.#fetch(size);
  }
  #fetch(size?: number): boolean {
    this.start(size);
    if (this.#at < this.#batch.length) return true;
    if (this.#closed || !this.#alive) return false;
    const command: Document = {
      getMore: this.#id instanceof Long ? this.#id : new Long(Number(this.#id)),
      collection: this.collection,
    };
    const batchSize = size ?? this.fetchSize;
    if (batchSize !== undefined && batchSize > 0) command["batchSize"] = batchSize;
    if (this.maxAwaitMillis !== undefined) command["maxTimeMS"] = this.maxAwaitMillis;
    const cursor = this.connection.run(this.database, command)["cursor"] as { nextBatch: unknown[]; id: unknown };
    this.#batch = cursor.nextBatch;
    this.#at = 0;
    this.#id = cursor.id;
    this.received(cursor);
    return this.#batch.length > 0;
  }

  #take(): unknown {
    const { document, applied } = this.#early.shift() ?? this.#read();
    this.#taken += 1;
    return this.#transforms.slice(applied).reduce((value, transform) => transform(value), document);
  }
  #read(): Early {
    const document = this.#batch[this.#at];
    this.#batch[this.#at++] = undefined;
    return { document, applied: 0 };
  }

  protected get isTailable(): boolean {
    return false;
  }

  hasNext(): boolean {
    while (!this.#fill()) if (!this.#alive || this.#closed || this.isTailable) return false;
    return true;
  }
  /** The next document, or null when there is none. */
  next(): unknown {
    return this.hasNext() ? this.#take() : null;
  }
  tryNext(): unknown {
    return this.#fill() ? this.#take() : null;
  }
  toArray(): unknown[] {
    const documents: unknown[] = [];
    while (this.hasNext()) documents.push(this.#take());
    return documents;
  }
  forEach(callback: (document: unknown) => unknown): void {
    if (typeof callback !== "function") throw new MongoshInvalidInputError("forEach needs a function");
    while (this.hasNext()) if (callback(this.#take()) === false) return;
  }
  map(callback: Transform): this {
    if (typeof callback !== "function") throw new MongoshInvalidInputError("map needs a function");
    this.#transforms.push(callback);
    return this;
  }
  itcount(): number {
    let count = 0;
    for (; this.hasNext(); count++) this.#take();
    return count;
  }
  /** The document at a place, as in the legacy shell: the documents up to it are kept. */
  at(index: number): unknown {
    this.#random ??= [];
    while (this.#random.length <= index && this.hasNext()) this.#random.push(this.#take());
    return this.#random[index];
  }
  *[Symbol.iterator](): Generator<unknown> {
    while (this.hasNext()) yield this.#take();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    while (this.hasNext()) yield this.#take();
  }
  objsLeftInBatch(): number {
    return this.#early.length + this.#batch.length - this.#at;
  }
  isClosed(): boolean {
    return this.#closed || (this.#started && !this.#alive);
  }
  isExhausted(): boolean {
    return this.isClosed() && this.objsLeftInBatch() === 0;
  }
  close(): void {
    if (!this.#closed && this.#alive) {
      this.connection.run(this.database, { killCursors: this.collection, cursors: [this.#id] });
    }
    this.#closed = true;
    this.#started = true;
  }
  pretty(): this {
    return this;
  }
  getId(): unknown {
    return this.#id;
  }

  batchSize(size: number): this {
    if (this.#started) throw new MongoInvalidArgumentError("Cursor is already initialized");
    this.fetchSize = size;
    return this;
  }
  maxTimeMS(millis: number): this {
    return this.set("maxTimeMS", millis);
  }
  comment(comment: unknown): this {
    return this.set("comment", comment);
  }
  hint(index: unknown): this {
    return this.set("hint", index);
  }
  collation(collation: unknown): this {
    return this.set("collation", collation);
  }
  readConcern(level: string): this {
    return this.set("readConcern", { level });
  }
  readPref(mode: string): this {
    if (!["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"].includes(mode)) {
      throw new MongoInvalidArgumentError(`Invalid read preference mode "${mode}"`);
    }
    return this;
  }

  explain(verbosity: unknown = "queryPlanner"): Document {
    return this.connection.run(this.database, { explain: this.opening(), verbosity: explainVerbosity(verbosity) });
  }

  /** How many documents were taken. */
  get taken(): number {
    return this.#taken;
  }
  /** At most `size` documents behind the first `skipped` that are still to be taken; none of them is. */
  peek(skipped: number, size: number): { documents: unknown[]; more: boolean } {
    while (this.#early.length < skipped + size && this.#fetchForPage(size)) {
      const { document } = this.#read();
      const value = this.#transforms.reduce((made, transform) => transform(made), document);
      this.#early.push({ document: value, applied: this.#transforms.length });
    }
    const documents = this.#early.slice(skipped, skipped + size).map(({ document }) => document);
    return { documents, more: this.hasBehind(skipped + documents.length) };
  }
  /** Whether there are, or may be, documents behind so many that are still to be taken. */
  hasBehind(skipped: number): boolean {
    return this.objsLeftInBatch() > skipped || (!this.#closed && this.#alive);
  }
  /** At most `size` documents from the current place on, as the shell shows them, and whether `it` has more. */
  page(size: number): { documents: unknown[]; more: boolean } {
    const documents: unknown[] = [];
    while (documents.length < size && this.#fetchForPage(size)) documents.push(this.#take());
    return { documents, more: this.hasBehind(0) };
  }
  #fetchForPage(size: number): boolean {
    while (!this.#fetch(size)) if (!this.#alive || this.#closed || this.isTailable) return false;
    return true;
  }

  [SHELL_TEXT](): string {
    const { displayBatchSize } = this.connection;
    const { documents, more } = this.shown(displayBatchSize).page(displayBatchSize);
    if (documents.length === 0) return "";
    return format(documents) + (more ? '\nType "it" for more' : "");
  }
}

/** Maps the legacy `true` and `1` to the verbosities of today. */
export function explainVerbosity(verbosity: unknown): unknown {
  if (verbosity === true) return "allPlansExecution";
  if (verbosity === false || verbosity === undefined) return "queryPlanner";
  return verbosity;
}

/** An order in any way in which the driver takes one, as the command takes it; undefined when it names no field. */
export function toSort(sort: unknown, direction?: unknown): unknown {
  return asSort(sort, direction, (message) => new MongoInvalidArgumentError(message));
}

/** Options with their order, if they have one, as the command takes it. */
export function withSort(options: Document): Document {
  const { sort, ...rest } = options;
  const order = toSort(sort);
  return order === undefined ? rest : { sort: order, ...rest };
}

/** A cursor of `find`. */
export class Cursor extends BaseCursor {
  override opening(displayBatchSize?: number): Document {
    const limit = Number(this.command["limit"] ?? 0);
    const command = { ...this.command };
    const size = this.fetchSize ?? displayBatchSize;
    // A negative limit asks for one batch only; the driver sends it so.
    if (limit < 0) {
      command["limit"] = -limit;
      command["singleBatch"] = true;
    } else if (size !== undefined && size !== 0) {
      command["batchSize"] = limit > 0 && limit < size ? limit : size;
    }
    return command;
  }
  protected override get isTailable(): boolean {
    return this.command["tailable"] === true;
  }

  limit(count: number): this {
    return this.set("limit", count === 0 ? undefined : count);
  }
  skip(count: number): this {
    return this.set("skip", count);
  }
  sort(order: unknown, direction?: unknown): this {
    return this.set("sort", toSort(order, direction));
  }
  projection(projection: unknown): this {
    return this.set("projection", projection);
  }
  min(bound: unknown): this {
    return this.set("min", bound);
  }
  max(bound: unknown): this {
    return this.set("max", bound);
  }
  returnKey(enabled = true): this {
    return this.set("returnKey", enabled);
  }
  showRecordId(enabled = true): this {
    return this.set("showRecordId", enabled);
  }
  showDiskLoc(): this {
    return this.showRecordId();
  }
  allowDiskUse(allow = true): this {
    return this.set("allowDiskUse", allow);
  }
  allowPartialResults(): this {
    return this.set("allowPartialResults", true);
  }
  noCursorTimeout(): this {
    return this.set("noCursorTimeout", true);
  }
  tailable(options: { awaitData?: boolean } = {}): this {
    this.set("tailable", true);
    return options.awaitData === true ? this.set("awaitData", true) : this;
  }
  maxAwaitTimeMS(millis: number): this {
    this.maxAwaitMillis = millis;
    return this;
  }
  addOption(option: number): this {
    const flags: Readonly<Record<number, string>> = {
      2: "tailable",
      16: "noCursorTimeout",
      32: "awaitData",
      128: "allowPartialResults",
    };
    const name = flags[option];
    if (name === undefined) throw new MongoshInvalidInputError(`the cursor option ${option} is unknown`);
    return this.set(name, true);
  }
  snapshot(): never {
    throw new MongoshUnimplementedError("snapshot() was removed in MongoDB 4.0");
  }

  #counting(): Document {
    const command: Document = { count: this.collection, query: this.command["filter"] ?? {} };
    for (const name of ["hint", "collation", "maxTimeMS"])
      if (this.command[name] !== undefined) command[name] = this.command[name];
    return command;
  }
  /** How many documents match; the legacy method ignores `skip` and `limit` unless told otherwise. */
  count(applySkipLimit = false): number {
    const command = this.#counting();
    if (applySkipLimit) {
      for (const name of ["skip", "limit"]) if (this.command[name] !== undefined) command[name] = this.command[name];
    }
    return Number(this.connection.run(this.database, command)["n"]);
  }
  size(): number {
    return this.count(true);
  }
  /** The legacy shell's name for how many documents are left. */
  length(): number {
    return this.toArray().length;
  }
}

/** A cursor of `aggregate`. */
export class AggregationCursor extends BaseCursor {
  override opening(displayBatchSize?: number): Document {
    const size = this.fetchSize ?? displayBatchSize;
    return size === undefined ? { ...this.command } : { ...this.command, cursor: { batchSize: size } };
  }
  override explain(verbosity: unknown = "queryPlanner"): Document {
    return this.connection.run(this.database, { explain: this.opening(), verbosity: explainVerbosity(verbosity) });
  }
  allowDiskUse(allow = true): this {
    return this.set("allowDiskUse", allow);
  }
}

/** A cursor of a command which has been run already, for a reader: the page's, or one that only shows documents. */
export class OpenedCursor extends BaseCursor {
  constructor(connection: Connection, database: string, collection: string, id: unknown) {
    super(connection, database, collection, {});
    this.adopt(id);
  }
  override opening(): Document {
    throw new MongoInvalidArgumentError("Cursor is already initialized");
  }
  override shown(): BaseCursor {
    return this;
  }
}

/** A reader's way through a cursor that a script has begun: it looks ahead, and takes nothing. */
class AheadCursor extends OpenedCursor {
  readonly #cursor: BaseCursor;
  /** The place of the next document to show, counted from the cursor's first. */
  #next: number;
  constructor(connection: Connection, database: string, collection: string, cursor: BaseCursor) {
    super(connection, database, collection, 0);
    this.#cursor = cursor;
    this.#next = cursor.taken;
  }
  /** How many documents were shown that the script has not taken. */
  get #skipped(): number {
    return Math.max(0, this.#next - this.#cursor.taken);
  }
  override page(size: number): { documents: unknown[]; more: boolean } {
    const skipped = this.#skipped;
    const shown = this.#cursor.peek(skipped, size);
    this.#next = this.#cursor.taken + skipped + shown.documents.length;
    return shown;
  }
  override isExhausted(): boolean {
    return !this.#cursor.hasBehind(this.#skipped);
  }
}

/** The cursor of `db.collection.explain().find()`: its value is its plan. */
export class ExplainableCursor extends Cursor {
  readonly #verbosity: unknown;
  constructor(connection: Connection, database: string, collection: string, command: Document, verbosity: unknown) {
    super(connection, database, collection, command);
    this.#verbosity = verbosity;
  }
  finish(): Document {
    return this.explain(this.#verbosity);
  }
  override next(): unknown {
    return this.finish();
  }
  override hasNext(): boolean {
    return true;
  }
  override get untouched(): boolean {
    return false;
  }
  override [SHELL_TEXT](): string {
    return format(this.finish());
  }
}

/** Blocks for so many milliseconds: by the host where it can, else by watching the clock. */
export function sleep(host: ShellHost, millis: number): void {
  if (host.sleep !== undefined) {
    host.sleep(millis);
    return;
  }
  const end = now() + millis;
  while (now() < end);
}
