/**
 * `db`: database methods, and every other property a collection.
 *
 * Invariant: a method's name wins over a collection's; `getCollection` reaches the rest.
 */
import { watch, type ChangeStreamCursor } from "./change-stream.ts";
import { Collection } from "./collection/legacy.ts";
import { AggregationCursor } from "./cursor.ts";
import { MongoServerError, MongoshInvalidInputError, MongoshUnimplementedError, type Document } from "./errors.ts";
import { SHELL_TEXT } from "./format.ts";
import { pick, omit, type Connection } from "./host.ts";
import type { Mongo } from "./mongo.ts";

const collections = new Proxy(Object.create(null) as object, {
  get(_target, key, receiver: unknown): unknown {
    if (
      typeof key === "symbol" ||
      key in Object.prototype ||
      key === "toJSON" ||
      key === "toBSON" ||
      key === "then" ||
      key.startsWith("_bsontype")
    ) {
      return Reflect.get(Object.prototype, key, receiver);
    }
    return (receiver as Database).getCollection(key);
  },
});

export class Database {
  readonly #mongo: Mongo;
  readonly #name: string;
  readonly #collections = new Map<string, Collection>();

  constructor(mongo: Mongo, name: string) {
    this.#mongo = mongo;
    this.#name = name;
  }

  static {
    Object.setPrototypeOf(Database.prototype, collections);
  }

  connection(): Connection {
    return this.#mongo.connection();
  }
  #run(command: Document): Document {
    return this.connection().run(this.#name, command);
  }
  #admin(command: Document): Document {
    return this.connection().run("admin", command);
  }

  getName(): string {
    return this.#name;
  }
  getMongo(): Mongo {
    return this.#mongo;
  }
  getSiblingDB(name: unknown): Database {
    return this.#mongo.getDB(name);
  }
  getSisterDB(name: unknown): Database {
    return this.getSiblingDB(name);
  }
  getCollection(name: unknown): Collection {
    if (typeof name !== "string" || name === "")
      throw new MongoshInvalidInputError(`Invalid collection name: ${String(name)}`);
    let collection = this.#collections.get(name);
    if (collection === undefined) {
      collection = new Collection(this, name);
      this.#collections.set(name, collection);
    }
    return collection;
  }
  toString(): string {
    return this.#name;
  }
  [SHELL_TEXT](): string {
    return this.#name;
  }

  runCommand(command: unknown, options: Document = {}): Document {
    if (command === undefined)
      throw new MongoshInvalidInputError("Missing required argument at position 0 (Database.runCommand)");
    return this.#run(typeof command === "string" ? { [command]: 1, ...options } : (command as Document));
  }
  adminCommand(command: unknown): Document {
    if (command === undefined)
      throw new MongoshInvalidInputError("Missing required argument at position 0 (Database.adminCommand)");
    return this.#admin(typeof command === "string" ? { [command]: 1 } : (command as Document));
  }
  /** Runs a pipeline that has no collection (`$documents`, `$currentOp`). */
  aggregate(pipeline: unknown[] = [], options: Document = {}): AggregationCursor | Document {
    const command = { aggregate: 1, pipeline, cursor: {}, ...omit(options, ["cursor", "batchSize", "explain"]) };
    const cursor = new AggregationCursor(this.connection(), this.#name, "$cmd.aggregate", command);
    if (options["batchSize"] !== undefined) cursor.batchSize(Number(options["batchSize"]));
    return options["explain"] ? cursor.explain(options["explain"]) : cursor;
  }

  createCollection(name: unknown, options: Document = {}): Document {
    if (typeof name !== "string")
      throw new MongoshInvalidInputError("Missing required argument at position 0 (Database.createCollection)");
    return this.#run({ create: name, ...options });
  }
  createView(name: string, source: string, pipeline: unknown, options: Document = {}): Document {
    if (name === undefined || source === undefined || pipeline === undefined) {
      throw new MongoshInvalidInputError("Missing required argument (Database.createView)");
    }
    return this.#run({
      create: name,
      viewOn: source,
      pipeline: Array.isArray(pipeline) ? pipeline : [pipeline],
      ...options,
    });
  }
  dropDatabase(writeConcern?: Document): Document {
    const reply = this.#run({ dropDatabase: 1, ...(writeConcern === undefined ? {} : { writeConcern }) });
    return {
      ok: reply["ok"],
      ...(reply["dropped"] === undefined ? { dropped: this.#name } : pick(reply, ["dropped"])),
    };
  }

  getCollectionInfos(filter: Document = {}, options: Document = {}): Document[] {
    const infos: Document[] = [];
    const first = this.#run({ listCollections: 1, filter, nameOnly: false, ...options });
    let cursor = first["cursor"] as { firstBatch?: Document[]; nextBatch?: Document[]; id: unknown };
    for (;;) {
      infos.push(...(cursor.firstBatch ?? cursor.nextBatch ?? []));
      if (String(cursor.id) === "0") return infos;
      cursor = this.#run({ getMore: cursor.id, collection: "$cmd.listCollections" })["cursor"] as typeof cursor;
    }
  }
  getCollectionNames(): string[] {
    return this.getCollectionInfos({}, { nameOnly: true }).map((info) => String(info["name"]));
  }
  printCollectionStats(): void {
    for (const name of this.getCollectionNames().sort()) {
      this.connection().host.print(name);
      this.connection().host.print(JSON.stringify(this.getCollection(name).stats()));
    }
  }

  stats(options: Document | number = 1): Document {
    return this.#run(
      typeof options === "number" ? { dbStats: 1, scale: options } : { dbStats: 1, scale: 1, ...options },
    );
  }
  version(): string {
    return String(this.#admin({ buildInfo: 1 })["version"]);
  }
  serverBuildInfo(): Document {
    return this.#admin({ buildInfo: 1 });
  }
  serverStatus(options: Document = {}): Document {
    return this.#admin({ serverStatus: 1, ...options });
  }
  hostInfo(): Document {
    return this.#admin({ hostInfo: 1 });
  }
  hello(): Document {
    return this.#run({ hello: 1 });
  }
  isMaster(): Document {
    return this.#run({ isMaster: 1 });
  }
  serverCmdLineOpts(): Document {
    return this.#admin({ getCmdLineOpts: 1 });
  }
  listCommands(): Document {
    return this.#run({ listCommands: 1 })["commands"] as Document;
  }
  commandHelp(name: unknown): unknown {
    if (typeof name !== "string")
      throw new MongoshInvalidInputError("Missing required argument at position 0 (Database.commandHelp)");
    return this.#run({ [name]: 1, help: true })["help"];
  }
  currentOp(filter: Document | boolean = {}): Document {
    const given = typeof filter === "boolean" ? { $all: filter } : filter;
    return this.#admin({ currentOp: 1, ...given });
  }
  killOp(op: unknown): Document {
    return this.#admin({ killOp: 1, op });
  }
  getProfilingStatus(): Document {
    return this.#run({ profile: -1 });
  }
  setProfilingLevel(level: unknown, options: Document | number = {}): Document {
    const given = typeof options === "number" ? { slowms: options } : options;
    return this.#run({ profile: level, ...given });
  }
  fsyncLock(): Document {
    return this.#admin({ fsync: 1, lock: true });
  }
  fsyncUnlock(): Document {
    return this.#admin({ fsyncUnlock: 1 });
  }
  shutdownServer(): Document {
    return this.#admin({ shutdown: 1 });
  }
  auth(): never {
    throw new MongoshUnimplementedError("auth() is not available: a deployment in the page has no users");
  }
  /** A change stream over the database. */
  watch(pipeline?: unknown, options?: Document): ChangeStreamCursor {
    return watch({ connection: this.connection(), database: this.#name, on: this.#name }, pipeline, options);
  }

  /** The last write's outcome, as very old scripts asked for it: writes now report their own. */
  getLastErrorObj(): Document {
    const reply = this.connection().send(this.#name, { getLastError: 1 });
    if (Number(reply["ok"]) !== 1) throw new MongoServerError(reply);
    return reply;
  }
  getLastError(): unknown {
    return this.getLastErrorObj()["err"] ?? null;
  }
  eval(): never {
    throw new MongoshUnimplementedError("eval() was removed in MongoDB 4.2");
  }
  cloneDatabase(): never {
    throw new MongoshUnimplementedError("cloneDatabase() was removed in MongoDB 4.2");
  }
}
