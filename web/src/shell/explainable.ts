/** `db.collection.explain(verbosity)`: the same methods, which explain instead of running. */
import { type Cursor, ExplainableCursor, type AggregationCursor, explainVerbosity } from "./cursor.ts";
import type { Document } from "./errors.ts";
import type { Connection } from "./host.ts";
import { asFilter, mapReduceCommand } from "./collection/base.ts";
import { SHELL_TEXT } from "./format.ts";

/**
 * The methods of a collection that `Explainable` calls; an interface, so that neither module imports the other's
 * classes.
 */
interface Explained {
  getName(): string;
  getDB(): { getName(): string };
  find(filter?: unknown, projection?: unknown, options?: Document): Cursor;
  aggregate(...parts: readonly unknown[]): AggregationCursor | Document;
}

export class Explainable {
  readonly #connection: Connection;
  readonly #collection: Explained;
  #verbosity: unknown;

  constructor(connection: Connection, collection: Explained, verbosity: unknown) {
    this.#connection = connection;
    this.#collection = collection;
    this.#verbosity = explainVerbosity(verbosity);
  }

  #explain(command: Document): Document {
    return this.#connection.run(this.#collection.getDB().getName(), { explain: command, verbosity: this.#verbosity });
  }
  #name(): string {
    return this.#collection.getName();
  }

  getVerbosity(): unknown {
    return this.#verbosity;
  }
  setVerbosity(verbosity: unknown): this {
    this.#verbosity = explainVerbosity(verbosity);
    return this;
  }
  find(filter?: unknown, projection?: unknown, options?: Document): ExplainableCursor {
    const command = this.#collection.find(filter, projection, options).opening();
    return new ExplainableCursor(
      this.#connection,
      this.#collection.getDB().getName(),
      this.#name(),
      command,
      this.#verbosity,
    );
  }
  aggregate(...parts: readonly unknown[]): Document {
    const isList = Array.isArray(parts[0]) || parts.length === 0;
    const pipeline = isList ? (parts[0] ?? []) : parts;
    const options = isList ? ((parts[1] ?? {}) as Document) : {};
    return this.#explain({ aggregate: this.#name(), pipeline, cursor: {}, ...options });
  }
  count(filter?: unknown, options: Document = {}): Document {
    return this.#explain({ count: this.#name(), query: asFilter(filter), ...options });
  }
  distinct(key: string, query: unknown = {}, options: Document = {}): Document {
    return this.#explain({ distinct: this.#name(), key, query, ...options });
  }
  findAndModify(options: Document): Document {
    return this.#explain({ findAndModify: this.#name(), ...options });
  }
  findOneAndUpdate(query: unknown, update: unknown, options: Document = {}): Document {
    return this.findAndModify({ query, update, ...options });
  }
  findOneAndReplace(query: unknown, update: unknown, options: Document = {}): Document {
    return this.findAndModify({ query, update, ...options });
  }
  findOneAndDelete(query: unknown, options: Document = {}): Document {
    return this.findAndModify({ query, remove: true, ...options });
  }
  #delete(filter: unknown, limit: 0 | 1, options: Document = {}): Document {
    return this.#explain({ delete: this.#name(), deletes: [{ q: asFilter(filter), limit, ...options }] });
  }
  remove(filter: unknown, options: Document | boolean = {}): Document {
    const justOne = typeof options === "boolean" ? options : options["justOne"] === true;
    return this.#delete(filter, justOne ? 1 : 0);
  }
  deleteOne(filter: unknown, options?: Document): Document {
    return this.#delete(filter, 1, options);
  }
  deleteMany(filter: unknown, options?: Document): Document {
    return this.#delete(filter, 0, options);
  }
  #update(filter: unknown, update: unknown, options: Document): Document {
    return this.#explain({ update: this.#name(), updates: [{ q: asFilter(filter), u: update, ...options }] });
  }
  update(filter: unknown, update: unknown, options: Document = {}): Document {
    return this.#update(filter, update, options);
  }
  updateOne(filter: unknown, update: unknown, options: Document = {}): Document {
    return this.#update(filter, update, options);
  }
  updateMany(filter: unknown, update: unknown, options: Document = {}): Document {
    return this.#update(filter, update, { ...options, multi: true });
  }
  replaceOne(filter: unknown, update: unknown, options: Document = {}): Document {
    return this.#update(filter, update, options);
  }
  mapReduce(map: unknown, reduce: unknown, options: unknown): Document {
    return this.#explain(mapReduceCommand(this.#name(), map, reduce, options));
  }
  [SHELL_TEXT](): string {
    return `Explainable(${this.#collection.getDB().getName()}.${this.#name()})`;
  }
}
