/**
 * The part that all methods of a collection share: its names, the connection, checks of arguments.
 *
 * Invariant: `db.a.b` is the collection "a.b". Unknown properties are found at the end of the prototype chain, so a
 * method's name always wins over a collection's, as in mongosh (`getCollection` reaches the rest).
 */
import { isValue } from "../../codec/brand.ts";
import { ObjectId } from "../bson/object-id.ts";
import { about } from "../error-detail.ts";
import {
  MongoInvalidArgumentError,
  MongoServerError,
  MongoWriteConcernError,
  MongoshInvalidInputError,
  type Document,
} from "../errors.ts";
import type { Database } from "../database.ts";
import { SHELL_TEXT } from "../format.ts";
import type { Connection } from "../host.ts";

const subCollections = new Proxy(Object.create(null) as object, {
  get(_target, key, receiver: unknown): unknown {
    if (
      typeof key === "symbol" ||
      key in Object.prototype ||
      key === "toJSON" ||
      key === "toBSON" ||
      key === "then" ||
      key.startsWith("_")
    ) {
      return Reflect.get(Object.prototype, key, receiver);
    }
    const collection = receiver as CollectionBase;
    return collection.getDB().getCollection(`${collection.getName()}.${key}`);
  },
});

export class CollectionBase {
  readonly #database: Database;
  readonly #name: string;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.#name = name;
  }

  static {
    Object.setPrototypeOf(CollectionBase.prototype, subCollections);
  }

  protected get connection(): Connection {
    return this.#database.connection();
  }
  protected run(command: Document): Document {
    return this.connection.run(this.#database.getName(), command);
  }
  /** As `run`, for a caller that looks at `writeErrors` and `writeConcernError` itself. */
  protected write(command: Document): Document {
    return this.connection.write(this.#database.getName(), command);
  }
  protected send(command: Document): Document {
    return this.connection.send(this.#database.getName(), command);
  }
  protected admin(command: Document): Document {
    return this.connection.run("admin", command);
  }

  getName(): string {
    return this.#name;
  }
  getFullName(): string {
    return `${this.#database.getName()}.${this.#name}`;
  }
  getDB(): Database {
    return this.#database;
  }
  getMongo(): unknown {
    return this.#database.getMongo();
  }
  getCollection(name: string): unknown {
    return this.#database.getCollection(`${this.#name}.${name}`);
  }
  toString(): string {
    return this.getFullName();
  }
  [SHELL_TEXT](): string {
    return this.getFullName();
  }

  protected need(method: string, ...values: readonly unknown[]): void {
    needArguments(method, values);
  }

  /** Throws for a single write whose reply carries an error. */
  protected checkWrite(reply: Document, statement: unknown): Document {
    const errors = reply["writeErrors"] as readonly Document[] | undefined;
    if (errors !== undefined && errors[0] !== undefined)
      throw about(new MongoServerError(errors[0]), { namespace: this.getFullName(), statement });
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }
}

/** Refuses a missing argument in mongosh's words. */
function needArguments(method: string, values: readonly unknown[]): void {
  const position = values.indexOf(undefined);
  if (position >= 0) {
    throw new MongoshInvalidInputError(`Missing required argument at position ${position} (Collection.${method})`);
  }
}

/** The `mapReduce` command of a collection. `options` is an object of options, or the value of `out` alone. */
export function mapReduceCommand(name: string, map: unknown, reduce: unknown, options: unknown): Document {
  needArguments("mapReduce", [map, reduce, options]);
  const fields = isPlain(options) ? options : { out: options };
  if (fields["out"] === undefined) throw new MongoshInvalidInputError("Missing 'out' option");
  return { mapReduce: name, map, reduce, ...fields };
}

/** Whether a value is a plain object, as a document or an update is: no array, date, pattern or BSON type. */
export function isPlain(value: unknown): value is Document {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !("_bsontype" in value) && !isValue(value)
  );
}

/** A legacy filter: an ObjectId or another plain value stands for `{ _id: value }`. */
export function asFilter(filter: unknown): unknown {
  if (filter === undefined || filter === null) return {};
  if (typeof filter === "function" || typeof filter === "string")
    return typeof filter === "string" ? { _id: filter } : { $where: filter };
  if (typeof filter === "object" && "_bsontype" in filter && /^ObjectI[dD]$/.test(String(filter._bsontype)))
    return { _id: filter };
  return filter;
}

/** Whether the first key begins with `$`, which tells an update from a replacement. */
export function hasOperators(update: unknown): boolean {
  if (Array.isArray(update)) return true;
  return typeof update === "object" && update !== null && (Object.keys(update)[0] ?? "").startsWith("$");
}

/** Gives a document an `_id` in front if it has none. */
export function withId(document: unknown): Document {
  if (!isPlain(document)) throw new MongoInvalidArgumentError('Argument "doc" must be an object');
  if (document["_id"] !== undefined) return document;
  const id = new ObjectId();
  const stamped = { _id: id, ...document };
  stamped["_id"] = id;
  document["_id"] = id;
  return stamped;
}
