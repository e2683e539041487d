/**
 * `MongoClient`, `Db` and `Admin` in the Node driver's shape, over an engine in a worker (browsers) or in this
 * thread (Node).
 *
 * `new MongoClient("quire://shop")` names the deployment `shop`. Invariants: the engine is opened at the first use, or by `connect()`, and
 * closed by `close()`; a client that was closed opens nothing until `connect()` is called again; a deployment that cannot be opened as asked
 * is an error, never an empty one in its place.
 */
import { Long, type Document } from "bson";
import { clientBulkWrite, type ClientBulkWriteResult } from "../shell/client-bulk.ts";
import { withId } from "./bulk.ts";
import { Collection } from "./collection.ts";
import { Connection, omit, type ConnectionOptions, type Transport } from "./connection.ts";
import { AggregationCursor, ListCursor } from "./cursor.ts";
import { MongoClientBulkWriteError, MongoClientClosedError, MongoError, MongoInvalidArgumentError, MongoNetworkError, MongoNotConnectedError, MongoServerError, MongoServerSelectionError } from "./errors.ts";

/** One write of `MongoClient.bulkWrite`, to the collection that `namespace` (`database.collection`) names. */
export type ClientBulkWriteModel = { readonly namespace: string } & (
  | { readonly name: "insertOne"; readonly document: Document }
  | { readonly name: "updateOne" | "updateMany"; readonly filter: Document; readonly update: Document | readonly Document[]; readonly upsert?: boolean; readonly arrayFilters?: readonly Document[]; readonly hint?: string | Document; readonly collation?: Document; readonly sort?: Document }
  | { readonly name: "replaceOne"; readonly filter: Document; readonly replacement: Document; readonly upsert?: boolean; readonly hint?: string | Document; readonly collation?: Document; readonly sort?: Document }
  | { readonly name: "deleteOne" | "deleteMany"; readonly filter: Document; readonly hint?: string | Document; readonly collation?: Document }
);

export interface ClientBulkWriteOptions {
  /** Stop at the first error. Default true. */
  readonly ordered?: boolean;
  /** Tell what every single write did. Default false. */
  readonly verboseResults?: boolean;
  readonly bypassDocumentValidation?: boolean;
  readonly let?: Document;
  readonly comment?: unknown;
  readonly writeConcern?: Document;
}

export interface MongoClientOptions extends ConnectionOptions {
  /**
   * `indexeddb` (the default in browsers) keeps the data, and `connect()` rejects where it cannot. `memory` keeps it as long as a client
   * of the same address is open in this page or process; Node has memory only. There `j: true` and `w: "majority"` are acknowledged at once, as
   * by MongoDB's in-memory storage engine.
   */
  readonly storage?: "indexeddb" | "memory";
  /** The engine's clock, in milliseconds since the epoch; only with an engine in this thread (Node). */
  readonly now?: () => number;
}

/** Opens an engine for a deployment. */
export type OpenTransport = (name: string, options: MongoClientOptions) => Promise<Transport>;

export class Db {
  readonly #connection: Connection;
  readonly databaseName: string;

  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.databaseName = name;
  }

  collection<Schema extends Document = Document>(name: string): Collection<Schema> {
    return new Collection<Schema>(this.#connection, this.databaseName, name);
  }
  command(command: Document): Promise<Document> {
    return this.#connection.run(this.databaseName, command);
  }
  admin(): Admin {
    return new Admin(this.#connection);
  }
  aggregate<Result extends Document = Document>(pipeline: readonly Document[] = [], options: Document = {}): AggregationCursor<Result> {
    const command = { aggregate: 1, pipeline: [...pipeline], ...omit(options, ["batchSize", "cursor"]) };
    return new AggregationCursor<Result>(this.#connection, this.databaseName, "$cmd.aggregate", command);
  }
  async createCollection<Schema extends Document = Document>(name: string, options: Document = {}): Promise<Collection<Schema>> {
    await this.command({ create: name, ...options });
    return this.collection<Schema>(name);
  }
  listCollections(filter: Document = {}, options: Document = {}): ListCursor {
    const command = { listCollections: 1, filter, cursor: {}, ...omit(options, ["batchSize"]) };
    return new ListCursor(this.#connection, this.databaseName, "$cmd.listCollections", command);
  }
  async collections(): Promise<Collection[]> {
    const infos = await this.listCollections({}, { nameOnly: true }).toArray();
    return infos.map((info) => this.collection(String(info["name"])));
  }
  dropCollection(name: string): Promise<boolean> {
    return this.collection(name).drop();
  }
  renameCollection(from: string, to: string, options?: { readonly dropTarget?: boolean }): Promise<Collection> {
    return this.collection(from).rename(to, options);
  }
  async dropDatabase(): Promise<boolean> {
    await this.command({ dropDatabase: 1 });
    return true;
  }
  createIndex(name: string, key: string | Document, options?: Document): Promise<string> {
    return this.collection(name).createIndex(key, options);
  }
  stats(options: Document = {}): Promise<Document> {
    return this.command({ dbStats: 1, ...options });
  }
}

export class Admin {
  readonly #connection: Connection;
  constructor(connection: Connection) {
    this.#connection = connection;
  }
  command(command: Document): Promise<Document> {
    return this.#connection.run("admin", command);
  }
  listDatabases(options: Document = {}): Promise<Document> {
    return this.command({ listDatabases: 1, ...options });
  }
  ping(): Promise<Document> {
    return this.command({ ping: 1 });
  }
  buildInfo(): Promise<Document> {
    return this.command({ buildInfo: 1 });
  }
  serverStatus(): Promise<Document> {
    return this.command({ serverStatus: 1 });
  }
  serverInfo(): Promise<Document> {
    return this.buildInfo();
  }
}

const ADDRESS = /^quire:\/\/([A-Za-z0-9_-]{1,64})(?:\/([^/?]*))?$/;

export class MongoClient {
  readonly #open: () => Promise<Transport>;
  readonly #connection: Connection;
  readonly #defaultDatabase: string;
  #transport: Promise<Transport> | null = null;
  #closed = false;

  /** `address` is `quire://<deployment>` or `quire://<deployment>/<database>`. */
  constructor(openTransport: OpenTransport, address: string, options: MongoClientOptions = {}) {
    const match = ADDRESS.exec(address);
    if (match === null) throw new MongoInvalidArgumentError(`"${address}" is not an address of this engine: write quire://name or quire://name/database`);
    const [, deployment = "", database] = match;
    this.#defaultDatabase = database === undefined || database === "" ? "test" : database;
    const { storage } = options;
    if (storage !== undefined && storage !== "indexeddb" && storage !== "memory") throw new MongoInvalidArgumentError(`storage must be "indexeddb" or "memory", not ${JSON.stringify(storage)}`);
    this.#open = async () => {
      try {
        return await openTransport(deployment, options);
      } catch (error) {
        if (error instanceof MongoError) throw error;
        throw new MongoServerSelectionError(`the deployment "${deployment}" cannot be opened: ${error instanceof Error ? error.message : String(error)}`, error);
      }
    };
    this.#connection = new Connection(() => this.#opened(), options);
  }

  /** The open engine; the first who asks has it opened. */
  #opened(): Promise<Transport> {
    if (this.#closed) return Promise.reject(new MongoNotConnectedError());
    if (this.#transport !== null) return this.#transport;
    const opening = this.#open().then(({ send, close }) => ({
      close,
      // Whatever the engine refuses is a reply; what is thrown is the way to it.
      send: (command: Uint8Array) =>
        send(command).catch((error: unknown) => {
          if (this.#transport !== opening) throw new MongoClientClosedError();
          throw error instanceof MongoError ? error : new MongoNetworkError(error instanceof Error ? error.message : String(error), error);
        }),
    }));
    this.#transport = opening;
    opening.catch(() => {
      if (this.#transport === opening) this.#transport = null;
    });
    return opening;
  }

  /** Opens the deployment; also after `close()`. Rejects with `MongoServerSelectionError` where it cannot be opened as asked. */
  async connect(): Promise<this> {
    this.#closed = false;
    await this.#opened();
    return this;
  }
  db(name: string = this.#defaultDatabase): Db {
    return new Db(this.#connection, name);
  }
  /** Writes to several collections, in one command. */
  async bulkWrite(models: readonly ClientBulkWriteModel[], options: ClientBulkWriteOptions = {}): Promise<ClientBulkWriteResult> {
    const commands = clientBulkWrite(models, omit(options, []), {
      withId: (document) => withId(document as Document),
      cursorId: (id) => Long.fromString(String(id)),
      invalid: (message) => new MongoInvalidArgumentError(message),
      failed: (message, failure) => new MongoClientBulkWriteError(message, failure),
    });
    let step = commands.next();
    while (step.done !== true) {
      let reply: Document;
      try {
        reply = await this.#connection.reply("admin", step.value);
      } catch (error) {
        if (!(error instanceof MongoServerError)) throw error;
        step = commands.throw(error);
        continue;
      }
      step = commands.next(reply);
    }
    return step.value;
  }
  /** Closes the engine, unless other clients share it. Operations are refused from now on, until `connect()` is called. */
  async close(): Promise<void> {
    const transport = this.#transport;
    this.#transport = null;
    this.#closed = true;
    await (await transport?.catch(() => null))?.close();
  }
}
