/**
 * `Db` and `Admin` in the Node driver's shape.
 *
 * Invariant: as in `Collection`, options go through `Call`, which refuses an option that is not in the method's row.
 */
import type { Document } from "bson";
import type { IndexSpecification } from "../shell/index-key.ts";
import { Call, type Handle } from "./call.ts";
import { aggregate, Collection, type IndexKeys } from "./collection.ts";
import { watch, type ChangeStream } from "./change-stream.ts";
import { ReadPreference } from "./concerns.ts";
import { ProfilingLevel } from "./constants.ts";
import { ListCollectionsCursor, RunCommandCursor, type AggregationCursor } from "./cursor.ts";
import { MongoInvalidArgumentError, MongoRuntimeError, MongoUnexpectedServerResponseError } from "./errors.ts";
import { takeSettings, type Method } from "./options.ts";
import type * as option from "./option-types.ts";

/** The levels by the numbers that the command has for them. */
const LEVELS: readonly ProfilingLevel[] = [ProfilingLevel.off, ProfilingLevel.slowOnly, ProfilingLevel.all];

export class Db {
  readonly #handle: Handle;

  /** `MongoClient.db` makes these. */
  constructor(handle: Handle, options?: option.DbOptions) {
    this.#handle = { ...handle, settings: takeSettings(options, handle.settings) };
  }

  get databaseName(): string {
    return this.#handle.database;
  }
  /** The write concern that collections and operations inherit, as a command's field: `{ w, wtimeout, j }`. */
  get writeConcern(): Document | undefined {
    return this.#handle.settings.writeConcern;
  }
  get readConcern(): Document | undefined {
    return this.#handle.settings.readConcern;
  }
  get readPreference(): ReadPreference {
    return ReadPreference.fromString(this.#handle.settings.readPreference ?? "primary");
  }
  get timeoutMS(): number | undefined {
    return this.#handle.settings.timeoutMS;
  }
  get namespace(): string {
    return this.databaseName;
  }
  #call(method: Method, options: unknown): Call {
    return new Call(this.#handle, method, options);
  }

  collection<Schema extends Document = Document>(name: string, options?: option.CollectionOptions): Collection<Schema> {
    return new Collection<Schema>({ ...this.#handle, settings: takeSettings(options, this.#handle.settings) }, name);
  }
  /** Runs a command as it is given: no concern of this database is put into it. */
  async command(command: Document, options?: option.RunCommandOptions): Promise<Document> {
    return this.#call("command", options).run(command);
  }
  /** Runs a command that opens a cursor, as it is given. */
  runCursorCommand<Item = Document>(
    command: Document,
    options?: option.RunCursorCommandOptions,
  ): RunCommandCursor<Item> {
    const call = this.#call("runCursorCommand", options);
    const [[name, target] = ["", ""]] = Object.entries(command);
    return new RunCommandCursor<Item>(call, typeof target === "string" ? target : `$cmd.${name}`, { ...command });
  }
  admin(): Admin {
    return new Admin(this.#handle);
  }
  aggregate<Result extends Document = Document>(
    pipeline: readonly Document[] = [],
    options?: option.AggregateOptions,
  ): AggregationCursor<Result> {
    return aggregate<Result>(this.#call("aggregate", options), 1, "$cmd.aggregate", pipeline);
  }
  /** A change stream over the database. */
  watch(pipeline: readonly Document[] = [], options?: option.ChangeStreamOptions): ChangeStream {
    return watch(this.#call("watch", options), 1, "$cmd.aggregate", pipeline);
  }
  async createCollection<Schema extends Document = Document>(
    name: string,
    options?: option.CreateCollectionOptions,
  ): Promise<Collection<Schema>> {
    const call = this.#call("createCollection", options);
    await call.run({ create: name });
    return new Collection<Schema>({ ...this.#handle, settings: takeSettings(call.own, call.settings) }, name);
  }
  listCollections(filter: Document = {}, options?: option.ListCollectionsOptions): ListCollectionsCursor {
    const call = this.#call("listCollections", options);
    return new ListCollectionsCursor(call, "$cmd.listCollections", call.filled({ listCollections: 1, filter }));
  }
  async collections(options?: option.ListCollectionsOptions): Promise<Collection[]> {
    const call = this.#call("listCollections", options);
    const cursor = new ListCollectionsCursor(
      call,
      "$cmd.listCollections",
      call.filled({ listCollections: 1, nameOnly: true }),
    );
    const infos = await cursor.toArray();
    return infos.map((info) => this.collection(String(info["name"])));
  }
  async dropCollection(name: string, options?: option.DropCollectionOptions): Promise<boolean> {
    return this.collection(name).drop(options);
  }
  async renameCollection(from: string, to: string, options?: option.RenameOptions): Promise<Collection> {
    return this.collection(from).rename(to, options);
  }
  async dropDatabase(options?: option.DropDatabaseOptions): Promise<boolean> {
    await this.#call("dropDatabase", options).run({ dropDatabase: 1 });
    return true;
  }
  async createIndex(
    name: string,
    specification: IndexSpecification,
    options?: option.CreateIndexOptions,
  ): Promise<string> {
    return this.collection(name).createIndex(specification, options);
  }
  indexInformation(name: string, options?: option.IndexInformationOptions): Promise<Document[] | IndexKeys> {
    return this.collection(name).indexInformation(options);
  }
  /** What the profiler keeps: `off`, `slow_only` or `all`. */
  async profilingLevel(options?: option.CommandOperationOptions): Promise<ProfilingLevel> {
    const { was } = await this.#call("profile", options).run({ profile: -1 });
    const level = LEVELS[Number(was)];
    if (level === undefined) throw new MongoRuntimeError(`Illegal profiling level value ${String(was)}`);
    return level;
  }
  async setProfilingLevel(level: ProfilingLevel, options?: option.CommandOperationOptions): Promise<ProfilingLevel> {
    const number = LEVELS.indexOf(level);
    if (number < 0) throw new MongoInvalidArgumentError(`Profiling level must be one of ${JSON.stringify(LEVELS)}`);
    await this.#call("profile", options).run({ profile: number });
    return level;
  }
  /** Users are refused by the engine, which has none. */
  async removeUser(user: string, options?: option.RunCommandOptions): Promise<boolean> {
    await this.#call("command", options).run({ dropUser: user });
    return true;
  }
  async stats(options?: option.DbStatsOptions): Promise<Document> {
    return this.#call("stats", options).run({ dbStats: 1 });
  }
}

export class Admin {
  readonly #handle: Handle;
  /** That of the database. */
  readonly #own: Handle;
  /** `Db.admin` makes these. */
  constructor(handle: Handle) {
    this.#own = handle;
    this.#handle = { ...handle, database: "admin" };
  }
  async #run(method: Method, options: unknown, command: Document): Promise<Document> {
    return new Call(this.#handle, method, options).run(command);
  }
  command(command: Document, options?: option.RunCommandOptions): Promise<Document> {
    return this.#run("command", options, command);
  }
  listDatabases(options?: option.ListDatabasesOptions): Promise<Document> {
    return this.#run("listDatabases", options, { listDatabases: 1 });
  }
  ping(options?: option.CommandOperationOptions): Promise<Document> {
    return this.#run("ping", options, { ping: 1 });
  }
  buildInfo(options?: option.CommandOperationOptions): Promise<Document> {
    return this.#run("buildInfo", options, { buildInfo: 1 });
  }
  serverStatus(options?: option.CommandOperationOptions): Promise<Document> {
    return this.#run("serverStatus", options, { serverStatus: 1 });
  }
  serverInfo(options?: option.CommandOperationOptions): Promise<Document> {
    return this.buildInfo(options);
  }
  replSetGetStatus(options?: option.CommandOperationOptions): Promise<Document> {
    return this.#run("replSetGetStatus", options, { replSetGetStatus: 1 });
  }
  /** Checks a collection of the database that the `Admin` is of; rejects where it is not whole. */
  async validateCollection(name: string, options?: option.ValidateCollectionOptions): Promise<Document> {
    const reply = await new Call(this.#own, "validateCollection", options).run({ validate: name });
    if (reply["valid"] !== true) throw new MongoUnexpectedServerResponseError(`Invalid collection ${name}`);
    return reply;
  }
  /** Users are refused by the engine, which has none. */
  async removeUser(user: string, options?: option.RunCommandOptions): Promise<boolean> {
    await this.#run("command", options, { dropUser: user });
    return true;
  }
}
