/**
 * `MongoMemoryServer`: a server for a test suite, with the shape of mongodb-memory-server's.
 *
 * An engine in memory runs in the thread of the tests, so that a server begins in milliseconds and nothing of it is
 * left after `stop`. Invariants: data live as long as the engine, which `stop` closes unless it is told to keep them;
 * a state that was brought back has no cursor, transaction or session of the one before.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { listenFor, openRunner, serverFault, type QuireServer, type ServerOptions } from "../server/server.ts";
import type { Runner } from "../server/runner.ts";
import { StateEvents } from "./events.ts";
import {
  checkServer,
  parametersOf,
  userOf,
  type AutomaticAuth,
  type Cleanup,
  type MongoMemoryServerOpts,
  type StorageEngine,
} from "./options.ts";

export type MongoMemoryServerState = "new" | "starting" | "running" | "stopped";

/** The states of a server, by the names that mongodb-memory-server has for them. */
export const MongoMemoryServerStates = {
  new: "new",
  starting: "starting",
  running: "running",
  stopped: "stopped",
} as const satisfies Record<MongoMemoryServerState, MongoMemoryServerState>;

/** What is to be known about a server that runs, or that may be started again with its data. */
export interface MongoInstanceData {
  readonly port: number;
  readonly ip: string;
  readonly dbName: string;
  /** The folder of the data; undefined for memory. */
  readonly dbPath: string | undefined;
  readonly storageEngine: StorageEngine;
  /** The name of the set; undefined for a standalone. */
  readonly replSet: string | undefined;
}

/** A kept state of all data of a server: databases, collections, documents and indexes. */
export interface Snapshot {
  readonly number: number;
}

/** The name of the file below a `dbPath`. */
const FILE = "quiredb.data";
const LOOPBACK = "127.0.0.1";

/** What was asked of a server cannot be had in its state. */
export class StateError extends Error {
  constructor(state: string, wanted: readonly string[]) {
    super(`Incorrect State for operation: "${state}", allowed States: "[${wanted.join(",")}]"`);
    this.name = "StateError";
  }
}

export class MongoMemoryServer extends StateEvents<MongoMemoryServerState> {
  readonly opts: MongoMemoryServerOpts;
  /** The user whom clients authenticate as, where they have to. */
  readonly auth: Pick<Required<AutomaticAuth>, "customRootName" | "customRootPwd"> | undefined;
  #state: MongoMemoryServerState = "new";
  #info: MongoInstanceData | undefined;
  #runner: Runner | null = null;
  #server: QuireServer | null = null;
  #snapshots = new Set<Snapshot>();

  /** Throws a `TypeError` that names an option which cannot be had. */
  constructor(opts: MongoMemoryServerOpts = {}) {
    super();
    checkServer(opts);
    this.opts = opts;
    const user = userOf(opts);
    this.auth = user === null ? undefined : { customRootName: user.name, customRootPwd: user.password };
    const fault = serverFault(this.#options);
    if (fault !== null) throw new TypeError(fault);
  }

  /** Makes a server and starts it. */
  static async create(opts?: MongoMemoryServerOpts): Promise<MongoMemoryServer> {
    const server = new MongoMemoryServer(opts);
    await server.start();
    return server;
  }

  get state(): MongoMemoryServerState {
    return this.#state;
  }

  /** Undefined before the first start, and after a cleanup. */
  get instanceInfo(): MongoInstanceData | undefined {
    return this.#info;
  }

  get #options(): ServerOptions {
    const { ip, port, dbPath, replSet, thread = dbPath === undefined ? "this" : "own" } = this.opts.instance ?? {};
    const { auth } = this;
    return {
      thread,
      port: port ?? 0,
      ...(ip === undefined ? {} : { host: ip }),
      ...(dbPath === undefined ? {} : { data: join(dbPath, FILE) }),
      ...(replSet === undefined ? { topology: "standalone" } : { replicaSet: replSet }),
      ...(auth === undefined ? {} : { user: auth.customRootName, password: auth.customRootPwd }),
    };
  }

  #become(state: MongoMemoryServerState): void {
    this.#state = state;
    this.tell(state);
  }

  /**
   * Starts it; a server that was stopped without a cleanup has its data still, with `forceSamePort` at its port too.
   */
  async start(forceSamePort = false): Promise<void> {
    if (this.#state !== "new" && this.#state !== "stopped") throw new StateError(this.#state, ["new", "stopped"]);
    this.#become("starting");
    try {
      await this.#begin(forceSamePort);
    } catch (error) {
      await this.#end();
      this.#become("stopped");
      throw error;
    }
    this.#become("running");
  }

  async #begin(forceSamePort: boolean): Promise<void> {
    const { instance = {} } = this.opts;
    const same = forceSamePort ? this.#info?.port : undefined;
    const options = { ...this.#options, ...(same === undefined ? {} : { port: same }) };
    if (this.#runner === null) {
      this.#runner = await openRunner(options);
      const parameters = parametersOf(instance.args ?? []);
      if (Object.keys(parameters).length > 0) await this.#run({ setParameter: 1, ...parameters });
    }
    const runner = this.#runner;
    this.#server = await listenFor(runner, options).catch((error: unknown) => {
      const isTaken = (error as { code?: unknown }).code === "EADDRINUSE";
      if (!isTaken || same !== undefined || instance.portGeneration === false) throw error;
      return listenFor(runner, { ...options, port: 0 });
    });
    this.#info = {
      port: this.#server.port,
      ip: instance.ip ?? LOOPBACK,
      dbName: instance.dbName ?? "",
      dbPath: instance.dbPath,
      storageEngine: instance.storageEngine ?? "ephemeralForTest",
      replSet: instance.replSet,
    };
  }

  /** Gives `instanceInfo`; starts the server first where it does not run. */
  async ensureInstance(): Promise<MongoInstanceData> {
    if (this.#state === "starting") await new Promise<unknown>((resolve) => this.once("stateChange", resolve));
    if (this.#state !== "running") await this.start();
    return this.#info as MongoInstanceData;
  }

  /** The connection string, without the user. */
  getUri(otherDb = "", otherIp: string = LOOPBACK): string {
    if (this.#state !== "running" || this.#info === undefined)
      throw new StateError(this.#state, ["running", "starting"]);
    return `mongodb://${otherIp}:${this.#info.port}/${otherDb}`;
  }

  /** Stops it, and lets go of the data unless it is told to keep them; false where nothing ran. */
  async stop(cleanup: Cleanup | boolean = {}): Promise<boolean> {
    const { doCleanup = true, force = false } = typeof cleanup === "boolean" ? { doCleanup: cleanup } : cleanup;
    if (this.#state === "starting") await this.ensureInstance();
    if (this.#state !== "running") return false;
    const server = this.#server;
    this.#server = null;
    await server?.close();
    // The engine of a file ends with the server, so that another server can open the file. An engine in memory goes on
    // without cleanup, since its data would end with it.
    if (doCleanup || this.#info?.dbPath !== undefined) await this.#end();
    this.#become("stopped");
    if (doCleanup) await this.cleanup({ doCleanup, force });
    return true;
  }

  async #end(): Promise<void> {
    const [server, runner] = [this.#server, this.#runner];
    this.#server = this.#runner = null;
    this.#snapshots.clear();
    await server?.close();
    await runner?.close();
  }

  /** Lets go of the data of a server that is stopped; with `force` also of the file below a `dbPath`. */
  async cleanup({ doCleanup = true, force = false }: Cleanup = {}): Promise<void> {
    if (this.#state !== "stopped") throw new StateError(this.#state, ["stopped"]);
    if (!doCleanup) return;
    await this.#end();
    const path = this.#info?.dbPath;
    if (force && path !== undefined) rmSync(join(path, FILE), { force: true });
    this.#info = undefined;
    this.#become("new");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { enabled = true, cleanup } = this.opts.dispose ?? {};
    if (enabled) await this.stop(cleanup);
  }

  async #run(command: Document): Promise<Document> {
    if (this.#runner === null) throw new StateError(this.#state, ["running"]);
    const reply = decode(await this.#runner.start(encode({ ...command, $db: "admin" })).reply);
    if (reply["ok"] !== 1)
      throw Object.assign(new Error(String(reply["errmsg"])), { code: reply["code"] as number | undefined });
    return reply;
  }

  /**
   * Keeps the state as it is, for `restore`. It costs the pages that change afterwards, until `forget` or the end of
   * the server.
   */
  async snapshot(): Promise<Snapshot> {
    const { number } = await this.#run({ quireMoment: 1, name: `snapshot ${randomUUID()}` });
    const snapshot = Object.freeze({ number: number as number });
    this.#snapshots.add(snapshot);
    return snapshot;
  }

  /**
   * Makes all data what they were at a snapshot, by default the newest. Cursors and transactions that are open end, as
   * with `killAllSessions`; connections, and sessions for new commands, stay.
   */
  async restore(snapshot: Snapshot | undefined = [...this.#snapshots].at(-1)): Promise<void> {
    this.#check(snapshot);
    // One turn behind the other, with nobody's in between.
    const ended = this.#run({ killAllSessions: [] });
    const restored = this.#run({ quireRestore: snapshot.number });
    await Promise.all([ended, restored]);
  }

  /** Lets go of a snapshot. */
  async forget(snapshot: Snapshot): Promise<void> {
    this.#check(snapshot);
    this.#snapshots.delete(snapshot);
    await this.#run({ quireDropMoment: snapshot.number });
  }

  #check(snapshot: Snapshot | undefined): asserts snapshot is Snapshot {
    if (snapshot === undefined || !this.#snapshots.has(snapshot))
      throw new TypeError("this server has no such snapshot: call snapshot() first");
  }
}
