/**
 * `Db` and `Admin` in the Node driver's shape.
 *
 * Invariant: as in `Collection`, options go through `Call`, which refuses an option that is not in the method's row.
 */
import type { Document } from "bson";
import type { IndexSpecification } from "../shell/index-key.ts";
import { Call, type Handle } from "./call.ts";
import { aggregate, Collection } from "./collection.ts";
import { watch, type ChangeStream } from "./change-stream.ts";
import { ListCursor, type AggregationCursor } from "./cursor.ts";
import { takeSettings, type Method } from "./options.ts";
import type * as option from "./option-types.ts";

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
  admin(): Admin {
    return new Admin({ ...this.#handle, database: "admin" });
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
  listCollections(filter: Document = {}, options?: option.ListCollectionsOptions): ListCursor {
    const call = this.#call("listCollections", options);
    return new ListCursor(call, "$cmd.listCollections", call.filled({ listCollections: 1, filter }));
  }
  async collections(options?: option.ListCollectionsOptions): Promise<Collection[]> {
    const call = this.#call("listCollections", options);
    const cursor = new ListCursor(call, "$cmd.listCollections", call.filled({ listCollections: 1, nameOnly: true }));
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
  async stats(options?: option.DbStatsOptions): Promise<Document> {
    return this.#call("stats", options).run({ dbStats: 1 });
  }
}

export class Admin {
  readonly #handle: Handle;
  /** `Db.admin` makes these. */
  constructor(handle: Handle) {
    this.#handle = handle;
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
}
