/**
 * `MongoMemoryReplSet`: a replica set of one member for a test suite, with the shape of mongodb-memory-server's.
 */
import { StateEvents } from "./events.ts";
import { MongoMemoryServer, StateError, type Snapshot } from "./memory-server.ts";
import { memberOf, type Cleanup, type MongoMemoryReplSetOpts, type MongoMemoryServerOpts } from "./options.ts";

export type MongoMemoryReplSetState = "init" | "running" | "stopped";

/** The states of a set, by the names that mongodb-memory-server has for them. */
export const MongoMemoryReplSetStates = {
  init: "init",
  running: "running",
  stopped: "stopped",
} as const satisfies Record<MongoMemoryReplSetState, MongoMemoryReplSetState>;

export class MongoMemoryReplSet extends StateEvents<MongoMemoryReplSetState> {
  readonly opts: MongoMemoryReplSetOpts;
  readonly #member: MongoMemoryServerOpts;
  /** The one member, while it runs and until a cleanup. */
  servers: MongoMemoryServer[] = [];
  #state: MongoMemoryReplSetState = "stopped";

  /** Throws a `TypeError` that names an option which cannot be had. */
  constructor(opts: MongoMemoryReplSetOpts = {}) {
    super();
    this.#member = memberOf(opts);
    this.opts = opts;
  }

  /** Makes a set and starts it. */
  static async create(opts?: MongoMemoryReplSetOpts): Promise<MongoMemoryReplSet> {
    const set = new MongoMemoryReplSet(opts);
    await set.start();
    return set;
  }

  get state(): MongoMemoryReplSetState {
    return this.#state;
  }

  #become(state: MongoMemoryReplSetState): void {
    this.#state = state;
    this.tell(state);
  }

  get #server(): MongoMemoryServer {
    const [server] = this.servers;
    if (server === undefined) throw new StateError(this.#state, ["running"]);
    return server;
  }

  async start(): Promise<void> {
    if (this.#state !== "stopped") throw new StateError(this.#state, ["stopped"]);
    this.#become("init");
    const [server = new MongoMemoryServer(this.#member)] = this.servers;
    try {
      // Its members know one another by their addresses.
      await server.start(true);
    } catch (error) {
      this.#become("stopped");
      throw error;
    }
    this.servers = [server];
    this.#become("running");
  }

  /** Resolves when it runs. */
  async waitUntilRunning(): Promise<void> {
    if (this.#state === "init") await new Promise<unknown>((resolve) => this.once("stateChange", resolve));
    if (this.#state !== "running") throw new StateError(this.#state, ["running", "init"]);
  }

  /** The connection string, without the user. */
  getUri(otherDb?: string, otherIp?: string): string {
    if (this.#state !== "running") throw new StateError(this.#state, ["running"]);
    const name = encodeURIComponent(this.#member.instance?.replSet ?? "");
    return `${this.#server.getUri(otherDb, otherIp)}?replicaSet=${name}`;
  }

  /** Stops it, and lets go of the data unless it is told to keep them; false where nothing ran. */
  async stop(cleanup: Cleanup | boolean = {}): Promise<boolean> {
    if (this.#state === "init") await this.waitUntilRunning();
    if (this.#state !== "running") return false;
    await this.#server.stop(cleanup);
    this.#dropCleaned();
    this.#become("stopped");
    return true;
  }

  #dropCleaned(): void {
    if (this.servers[0]?.instanceInfo === undefined) this.servers = [];
  }

  /** Lets go of the data of a set that is stopped; with `force` also of the file below a `dbPath`. */
  async cleanup(cleanup: Cleanup = {}): Promise<void> {
    if (this.#state !== "stopped") throw new StateError(this.#state, ["stopped"]);
    await this.servers[0]?.cleanup(cleanup);
    this.#dropCleaned();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { enabled = true, cleanup } = this.opts.replSet?.dispose ?? {};
    if (enabled) await this.stop(cleanup);
  }

  /** As of `MongoMemoryServer`. */
  snapshot(): Promise<Snapshot> {
    return this.#server.snapshot();
  }

  /** As of `MongoMemoryServer`. */
  restore(snapshot?: Snapshot): Promise<void> {
    return this.#server.restore(snapshot);
  }

  /** As of `MongoMemoryServer`. */
  forget(snapshot: Snapshot): Promise<void> {
    return this.#server.forget(snapshot);
  }
}
