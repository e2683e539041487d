/**
 * `MongoClient` in the Node driver's shape, over an engine in a worker (browsers) or in this
 * thread (Node).
 *
 * `new MongoClient("quire://shop")` names the deployment `shop`. Invariants: the engine is opened at the first use, or
 * by `connect()`, and closed by `close()`; a client that was closed opens nothing until `connect()` is called again; a
 * deployment that cannot be opened as asked is an error, never an empty one in its place.
 */
import { Long, type Document } from "bson";
import { clientBulkWrite, type ClientBulkWriteResult } from "../shell/client-bulk.ts";
import type { Sort } from "../shell/sort.ts";
import { readClient } from "./address.ts";
import { withId } from "./bulk.ts";
import { Call, type Handle } from "./call.ts";
import { Connection, type Promised, type Transport } from "./connection.ts";
import { watch, type ChangeStream } from "./change-stream.ts";
import { ReadPreference } from "./concerns.ts";
import type { ReadConcernLevel, ServerApiVersion } from "./constants.ts";
import { toSort } from "./cursor.ts";
import { Db } from "./database.ts";
import { DISPOSE } from "./dispose.ts";
import {
  MongoClientBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
} from "./errors.ts";
import { Monitor, type MongoClientEventName, type MongoClientListener } from "./monitoring.ts";
import type {
  ChangeStreamOptions,
  ClientBulkWriteOptions,
  ClientSessionOptions,
  CollationOptions,
  DbOptions,
} from "./option-types.ts";
import { SessionPool, type ClientSession } from "./session.ts";
import { DEFAULTS, type Settings } from "./settings.ts";

/** One write of `MongoClient.bulkWrite`, to the collection that `namespace` (`database.collection`) names. */
export type ClientBulkWriteModel = { readonly namespace: string } & (
  | { readonly name: "insertOne"; readonly document: Document }
  | {
      readonly name: "updateOne" | "updateMany";
      readonly filter: Document;
      readonly update: Document | readonly Document[];
      readonly upsert?: boolean;
      readonly arrayFilters?: readonly Document[];
      readonly hint?: string | Document;
      readonly collation?: CollationOptions;
      readonly sort?: Sort;
    }
  | {
      readonly name: "replaceOne";
      readonly filter: Document;
      readonly replacement: Document;
      readonly upsert?: boolean;
      readonly hint?: string | Document;
      readonly collation?: CollationOptions;
      readonly sort?: Sort;
    }
  | {
      readonly name: "deleteOne" | "deleteMany";
      readonly filter: Document;
      readonly hint?: string | Document;
      readonly collation?: CollationOptions;
    }
);

/**
 * Options of a client; `address.ts` has the others that the Node driver knows and that mean nothing without servers.
 */
export interface MongoClientOptions extends DbOptions {
  /**
   * `indexeddb` (the default in browsers) keeps the data, and `connect()` rejects where it cannot. `memory` keeps it as
   * long as a client of the same address is open in this page or process; Node has memory only. There `j: true` and `w:
   * "majority"` are acknowledged at once, as by MongoDB's in-memory storage engine.
   */
  readonly storage?: "indexeddb" | "memory";
  /**
   * Where the engine runs. `worker` (the default in a page and in a worker of a browser) is a worker of its own: this
   * thread is never busy with a command, and each costs a message there and back. `this` is this thread, for a worker
   * of one's own, for Node (its default, and its only one) and for a small page: a command costs a fraction, and
   * nothing else runs here meanwhile. Stored data is as safe either way, and clients of both kinds share it as tabs
   * do. An engine in this thread ends a command at its `maxTimeMS` or `timeoutMS`; a signal is heeded before the
   * command begins and not while it runs, since nobody could abort it then.
   */
  readonly thread?: "this" | "worker";
  /**
   * How many bytes of memory the engine may have in use, from 16 MiB to 3 GiB; default 2 GiB. A write that needs more
   * is refused with code 146, `ExceededMemoryLimit`. Where several clients of a page share one engine, the first one's
   * holds.
   */
  readonly maxMemoryBytes?: number;
  /**
   * The engine's clock, in milliseconds since the epoch; only with an engine in this thread (`thread: "this"`, Node).
   */
  readonly now?: () => number;
  /**
   * What the deployment presents itself as: the only member of replica set `quire` (the default), or a standalone,
   * which has no transactions.
   */
  readonly topology?: "replicaSet" | "standalone";
  /** The replica set's name, `quire`. */
  readonly replicaSet?: "quire";
  readonly readConcernLevel?: ReadConcernLevel;
  /** Tell the client's listeners of each command (`MongoClient.on`). Default false. */
  readonly monitorCommands?: boolean;
  /** Have each command ask for the Stable API; with `strict`, commands and fields outside of it are refused. */
  readonly serverApi?: ServerApi | ServerApiVersion;
  // What follows has no effect: it steers connections to servers.
  readonly ALPNProtocols?: unknown;
  readonly SNICallback?: unknown;
  readonly allowPartialTrustChain?: boolean;
  readonly appName?: string;
  readonly autoSelectFamily?: boolean;
  readonly autoSelectFamilyAttemptTimeout?: number;
  readonly ca?: unknown;
  readonly cert?: unknown;
  readonly checkServerIdentity?: unknown;
  readonly ciphers?: string;
  readonly compressors?: string | readonly string[];
  readonly connectTimeoutMS?: number;
  readonly crl?: unknown;
  readonly directConnection?: boolean;
  readonly driverInfo?: { readonly name?: string; readonly version?: string; readonly platform?: string };
  readonly ecdhCurve?: string;
  readonly enableOverloadRetargeting?: boolean;
  readonly enableTrace?: boolean;
  readonly family?: number;
  readonly heartbeatFrequencyMS?: number;
  readonly hints?: number;
  readonly keepAliveInitialDelay?: number;
  readonly key?: unknown;
  readonly localAddress?: string;
  readonly localPort?: number;
  readonly localThresholdMS?: number;
  readonly lookup?: unknown;
  readonly maxAdaptiveRetries?: number;
  readonly maxConnecting?: number;
  readonly maxIdleTimeMS?: number;
  readonly maxPoolSize?: number;
  readonly maxStalenessSeconds?: number;
  readonly minDHSize?: number;
  readonly minHeartbeatFrequencyMS?: number;
  readonly minPoolSize?: number;
  readonly noDelay?: boolean;
  readonly passphrase?: string;
  readonly pfx?: unknown;
  readonly proxyHost?: string;
  readonly proxyPassword?: string;
  readonly proxyPort?: number;
  readonly proxyUsername?: string;
  readonly pskCallback?: unknown;
  readonly readPreferenceTags?: unknown;
  readonly rejectUnauthorized?: boolean;
  readonly requestCert?: boolean;
  readonly requestOCSP?: boolean;
  readonly retryReads?: boolean;
  readonly runtimeAdapters?: unknown;
  readonly secureContext?: unknown;
  readonly secureProtocol?: string;
  readonly serverMonitoringMode?: string;
  readonly servername?: string;
  readonly srvAllowedHostsSuffix?: string;
  readonly srvHostValidator?: (host: string) => boolean;
  readonly srvMaxHosts?: number;
  readonly srvServiceName?: string;
  readonly ssl?: boolean;
  readonly tls?: boolean;
  readonly tlsAllowInvalidCertificates?: boolean;
  readonly tlsAllowInvalidHostnames?: boolean;
  readonly tlsCAFile?: string;
  readonly tlsCRLFile?: string;
  readonly tlsCertificateKeyFile?: string;
  readonly tlsCertificateKeyFilePassword?: string;
  readonly tlsInsecure?: boolean;
  /** @deprecated Without effect in the Node driver, too. */
  readonly useNewUrlParser?: boolean;
  /** @deprecated Without effect in the Node driver, too. */
  readonly useUnifiedTopology?: boolean;
  readonly waitQueueTimeoutMS?: number;
  readonly zlibCompressionLevel?: number;
  /** How long the browser may take to open the stored deployment, in milliseconds; default 30 000. */
  readonly serverSelectionTimeoutMS?: number;
  readonly socketTimeoutMS?: number;
}

/** The Stable API that a client asks for. */
export interface ServerApi {
  readonly version: ServerApiVersion;
  /** Refuse commands and fields that are not of that version (323). Default false. */
  readonly strict?: boolean;
  /** Refuse what is deprecated in that version. Default false. */
  readonly deprecationErrors?: boolean;
}

/** Opens an engine for a deployment. */
export type OpenTransport = (name: string, options: MongoClientOptions) => Promise<Transport>;

export class MongoClient {
  /** The options that the client was given. */
  readonly options: MongoClientOptions;
  /** The Stable API that each command asks for. */
  readonly serverApi: ServerApi | undefined;
  readonly monitorCommands: boolean;
  readonly #make: () => Promise<Transport>;
  readonly #connection: Connection;
  readonly #defaultDatabase: string;
  readonly #settings: Settings;
  /** Has listeners also where no command is told of: the Node driver lets these be added, too. */
  readonly #monitor: Monitor;
  #opening: Promise<Transport> | null = null;
  /** The open engine, as `#opening` gave it; null until then. Once it is set, calls wait for nothing. */
  #open: Transport | null = null;
  readonly #sessions: SessionPool;
  #closed = false;

  /** `address` is `quire://<deployment>` or `quire://<deployment>/<database>`, and may name options behind a `?`. */
  constructor(openTransport: OpenTransport, address: string, options: MongoClientOptions = {}) {
    const read = readClient(address, options);
    const { deployment, database, settings, storage, thread, topology, maxMemoryBytes, serverSelectionTimeoutMS, now } =
      read;
    this.options = Object.freeze({ ...options });
    const { serverApi } = options;
    this.serverApi = typeof serverApi === "string" ? { version: serverApi } : serverApi;
    this.monitorCommands = read.monitorCommands;
    this.#defaultDatabase = database;
    this.#settings = settings;
    const opening = {
      ...(storage === undefined ? {} : { storage }),
      ...(thread === undefined ? {} : { thread }),
      ...(topology === undefined ? {} : { topology }),
      ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
      ...(serverSelectionTimeoutMS === undefined ? {} : { serverSelectionTimeoutMS }),
      ...(now === undefined ? {} : { now }),
    };
    this.#make = async () => {
      try {
        return await openTransport(deployment, opening);
      } catch (error) {
        if (error instanceof MongoError) throw error;
        throw new MongoServerSelectionError(
          `the deployment "${deployment}" cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
          error,
        );
      }
    };
    this.#monitor = new Monitor(`quire://${deployment}`);
    this.#connection = new Connection(() => this.#opened(), {
      fields: read.serverApi,
      client: this,
      monitor: read.monitorCommands ? this.#monitor : undefined,
    });
    this.#sessions = new SessionPool({
      client: this,
      now: now ?? (() => performance.now()),
      send: async (command, session) => this.#connection.run("admin", command, { ...DEFAULTS, session }),
    });
  }

  /**
   * Has a listener told of an event: `open` and `close`, or those of commands, which only a client made with
   * `monitorCommands: true` tells of.
   */
  on<Name extends MongoClientEventName>(event: Name, listener: MongoClientListener<Name>): this {
    this.#monitor.add(event, listener, false);
    return this;
  }
  /** The same as `on`. */
  addListener<Name extends MongoClientEventName>(event: Name, listener: MongoClientListener<Name>): this {
    return this.on(event, listener);
  }
  /** Has a listener told of the next such event alone. */
  once<Name extends MongoClientEventName>(event: Name, listener: MongoClientListener<Name>): this {
    this.#monitor.add(event, listener, true);
    return this;
  }
  off<Name extends MongoClientEventName>(event: Name, listener: MongoClientListener<Name>): this {
    this.#monitor.remove(event, listener);
    return this;
  }
  /** The same as `off`. */
  removeListener<Name extends MongoClientEventName>(event: Name, listener: MongoClientListener<Name>): this {
    return this.off(event, listener);
  }
  removeAllListeners(event?: MongoClientEventName): this {
    this.#monitor.clear(event);
    return this;
  }
  listenerCount(event: MongoClientEventName): number {
    return this.#monitor.count(event);
  }

  /** The open engine; the first call opens it. */
  #opened(): Promised<Transport> {
    if (this.#open !== null) return this.#open;
    if (this.#closed) return Promise.reject(new MongoNotConnectedError());
    if (this.#opening !== null) return this.#opening;
    const opening = this.#make().then((transport) => {
      const open: Transport = {
        run: (database, command, codec, signal) => {
          const sent = transport.run(database, command, codec, signal);
          return sent instanceof Promise ? sent.catch((error: unknown) => this.#lost(error, opening)) : sent;
        },
        close: () => transport.close(),
      };
      if (this.#opening === opening) {
        this.#open = open;
        this.#monitor.emit("open", this);
      }
      return open;
    });
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }

  /** A command that the engine refuses gets a reply; an error is thrown only when the engine cannot be reached. */
  #lost(error: unknown, by: Promise<Transport>): never {
    if (this.#opening !== by) throw new MongoClientClosedError();
    throw error instanceof MongoError
      ? error
      : new MongoNetworkError(error instanceof Error ? error.message : String(error), error);
  }

  /**
   * Opens the deployment; also after `close()`. Rejects with `MongoServerSelectionError` where it cannot be opened as
   * asked.
   */
  async connect(): Promise<this> {
    this.#closed = false;
    await this.#opened();
    return this;
  }
  #handle(database: string): Handle {
    return { connection: this.#connection, database, settings: this.#settings };
  }
  /** The write concern that databases and operations inherit, as a command's field: `{ w, wtimeout, j }`. */
  get writeConcern(): Document | undefined {
    return this.#settings.writeConcern;
  }
  get readConcern(): Document | undefined {
    return this.#settings.readConcern;
  }
  get readPreference(): ReadPreference {
    return ReadPreference.fromString(this.#settings.readPreference ?? "primary");
  }
  get timeoutMS(): number | undefined {
    return this.#settings.timeoutMS;
  }
  /** Without effect: it tells servers who asks. */
  appendMetadata(_driverInfo: { readonly name?: string; readonly version?: string; readonly platform?: string }): void {
    // There is no server to be told.
  }
  db(name: string = this.#defaultDatabase, options?: DbOptions): Db {
    return new Db(this.#handle(name), options);
  }
  /** A change stream over all databases. */
  watch(pipeline: readonly Document[] = [], options?: ChangeStreamOptions): ChangeStream {
    return watch(new Call(this.#handle("admin"), "watch", options), 1, "$cmd.aggregate", pipeline, {
      allChangesForCluster: true,
    });
  }
  /** Writes to several collections, in one command. */
  async bulkWrite(
    models: readonly ClientBulkWriteModel[],
    options?: ClientBulkWriteOptions,
  ): Promise<ClientBulkWriteResult> {
    const call = new Call(this.#handle("admin"), "clientBulkWrite", options);
    if (!call.acknowledged) {
      if (call.own["verboseResults"] === true)
        throw new MongoInvalidArgumentError("Cannot request unacknowledged write concern and verbose results");
      if (call.own["ordered"] !== false)
        throw new MongoInvalidArgumentError("Cannot request unacknowledged write concern and ordered writes");
    }
    const commands = clientBulkWrite(
      models,
      call.own,
      {
        withId: (document) => withId(document, call),
        cursorId: (id) => Long.fromString(String(id)),
        sort: (sort) => toSort(sort),
        invalid: (message) => new MongoInvalidArgumentError(message),
        failed: (message, failure) => new MongoClientBulkWriteError(message, failure),
      },
      call.acknowledged,
    );
    let step = commands.next();
    while (step.done !== true) {
      let reply: Document;
      try {
        const { command, cut } = step.value;
        reply = cut === undefined ? await call.send(command) : await call.reply(command, cut);
      } catch (error) {
        if (!(error instanceof MongoServerError)) throw error;
        step = commands.throw(error);
        continue;
      }
      step = commands.next(reply);
    }
    return step.value;
  }
  /** Begins a session. Its owner ends it; the client ends what is left. */
  startSession(options: ClientSessionOptions = {}): ClientSession {
    return this.#sessions.start(options);
  }
  /** Runs a function with a session that ends with it. */
  withSession<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result>;
  withSession<Result>(
    options: ClientSessionOptions,
    work: (session: ClientSession) => Promise<Result>,
  ): Promise<Result>;
  async withSession<Result>(
    first: ClientSessionOptions | ((session: ClientSession) => Promise<Result>),
    second?: (session: ClientSession) => Promise<Result>,
  ): Promise<Result> {
    const work = typeof first === "function" ? first : second;
    if (work === undefined) throw new MongoInvalidArgumentError("Missing required callback parameter");
    const session = this.startSession(typeof first === "function" ? {} : first);
    try {
      return await work(session);
    } finally {
      await session.endSession();
    }
  }
  async #endSessions(): Promise<void> {
    const endSessions = await this.#sessions.end();
    if (endSessions.length > 0) await this.#connection.run("admin", { endSessions }, DEFAULTS);
  }
  /**
   * Closes the engine, unless other clients share it. Operations are refused from now on, until `connect()` is called.
   */
  async close(): Promise<void> {
    const opening = this.#opening;
    // What cannot be told any more ends by itself.
    if (opening !== null) await this.#endSessions().catch(() => undefined);
    this.#opening = this.#open = null;
    this.#closed = true;
    const open = await opening?.catch(() => null);
    await open?.close();
    if (open !== undefined && open !== null) this.#monitor.emit("close");
  }
  async [DISPOSE](): Promise<void> {
    await this.close();
  }
}
