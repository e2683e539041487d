/**
 * The simulated IndexedDB of one origin: databases that outlive tabs, transactions that apply wholly or not at all, and
 * the faults that real ones have: no room, transactions and connections that the browser ends, openings that fail, hang
 * or are blocked, a database that is deleted, records that are lost or changed.
 *
 * Invariants: a transaction that writes has its database for itself; requests are answered in their order; what a
 * transaction wrote is there for others once it completed, and a process that dies before its transaction asked to
 * commit leaves nothing of it. Values are copies. Only what the engine uses is here; anything else throws.
 */
import { Target } from "./channels.mjs";

/** About how long a request and a commit take, in milliseconds. */
const REQUEST_MILLIS = 0.4;
const COMMIT_MILLIS = 1;

const failure = (name, message = name) => new DOMException(message, name);

export class KeyRange {
  constructor(lower, upper, lowerOpen, upperOpen) {
    Object.assign(this, { lower, upper, lowerOpen, upperOpen });
  }
  includes(key) {
    if (this.lower !== undefined && (this.lowerOpen ? key <= this.lower : key < this.lower)) return false;
    return !(this.upper !== undefined && (this.upperOpen ? key >= this.upper : key > this.upper));
  }
  static bound = (lower, upper, lowerOpen = false, upperOpen = false) => {
    if (lower > upper || (lower === upper && (lowerOpen || upperOpen)))
      throw failure("DataError", "The lower key is greater than the upper key.");
    return new KeyRange(lower, upper, lowerOpen, upperOpen);
  };
  static lowerBound = (lower, open = false) => new KeyRange(lower, undefined, open, false);
  static upperBound = (upper, open = false) => new KeyRange(undefined, upper, false, open);
  static only = (key) => new KeyRange(key, key, false, false);
}

const inRange = (query) =>
  query === undefined || query === null
    ? () => true
    : query instanceof KeyRange
      ? (key) => query.includes(key)
      : (key) => key === query;
const sizeOf = (value) => 100 + (value instanceof Uint8Array ? value.length : 8);
const copyOf = (value) => (value instanceof Uint8Array ? value.slice() : structuredClone(value));

/** What is on the disk of one database. */
class Stored {
  constructor(name) {
    this.name = name;
    this.version = 0;
    this.stores = new Map();
    this.connections = new Set();
    /** Transactions that have not ended, in the order they were made. */
    this.queue = [];
    /** Openings and deletions, which follow one another. */
    this.doors = Promise.resolve();
  }
  get bytes() {
    let sum = 0;
    for (const records of this.stores.values()) for (const value of records.values()) sum += sizeOf(value);
    return sum;
  }
}

/** All that an origin has stored, and which faults it has now. */
export class Disk {
  databases = new Map();
  /** Bytes that may be stored. */
  quota = Infinity;
  /**
   * Whether room for all that a transaction puts must be there before it frees any: browsers differ in whether the
   * records that it replaces and deletes count.
   */
  countsPuts = false;
  /** Faults: probabilities of each, and an error with which every opening fails, or "hang". */
  faults = { abort: 0, close: 0, opening: null };
  /**
   * Hides records from who reads, `(store, key, records) => boolean`: how a fault of the engine's own reading is put
   * back.
   */
  hides = null;

  constructor(world) {
    this.world = world;
  }

  get bytes() {
    return [...this.databases.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Ends all transactions and connections of a database, and its data. */
  deleteNow(name) {
    const stored = this.databases.get(name);
    if (stored === undefined) return;
    this.world.note(`${name} is deleted`);
    for (const transaction of [...stored.queue]) transaction.fail(failure("AbortError", "the database was deleted"));
    for (const connection of [...stored.connections]) connection.endedByBrowser();
    this.databases.delete(name);
  }

  /** What `indexedDB` is for an agent. */
  factory(agent) {
    return {
      open: (name, version) => this.#open(agent, name, version),
      deleteDatabase: (name) => this.#delete(agent, name),
      databases: async () =>
        [...this.databases.values()]
          .filter(({ version }) => version > 0)
          .map(({ name, version }) => ({ name, version })),
    };
  }

  /** Whether a tab has a transaction under way that waits for the tab itself. */
  isUsedBy(tab) {
    return [...this.databases.values()].some(({ queue }) =>
      queue.some((transaction) => transaction.database.agent.tab === tab && !transaction.isCommitting),
    );
  }

  #of(name) {
    let stored = this.databases.get(name);
    if (stored === undefined) this.databases.set(name, (stored = new Stored(name)));
    return stored;
  }

  #settle(request, delay, work) {
    this.world.soon(request.agent, delay, work);
  }

  #open(agent, name, version) {
    const request = new OpenRequest(agent);
    const { world } = this;
    const refuse = (error) =>
      this.#settle(request, REQUEST_MILLIS, () => {
        request.finish(undefined, error);
        request.dispatch("error", { preventDefault() {} });
      });
    world.soon(null, COMMIT_MILLIS, () => {
      if (this.faults.opening === "hang") return;
      if (this.faults.opening !== null)
        return refuse(failure(this.faults.opening, "the simulated browser does not open it"));
      const stored = this.#of(name);
      const wanted = version ?? (stored.version || 1);
      if (stored.version > wanted)
        return refuse(failure("VersionError", "The requested version is less than the existing version."));
      if (stored.version === wanted) return this.#connect(request, stored, agent);
      if (stored.connections.size > 0)
        return this.#askToClose(request, stored, wanted, () => this.#upgrade(request, stored, wanted, agent));
      this.#upgrade(request, stored, wanted, agent);
    });
    return request;
  }

  #connect(request, stored, agent) {
    this.#settle(request, REQUEST_MILLIS, () => {
      if (this.databases.get(stored.name) !== stored)
        return request.refuse(failure("AbortError", "the database was deleted"));
      const database = new Database(this, stored, agent);
      request.finish(database);
      request.dispatch("success", {});
    });
  }

  #upgrade(request, stored, version, agent) {
    this.#settle(request, REQUEST_MILLIS, () => {
      // Another opening may have been first.
      if (stored.version >= version) return this.#connect(request, stored, agent);
      const database = new Database(this, stored, agent);
      database.upgrading = true;
      request.finish(database);
      const before = stored.version;
      stored.version = version;
      request.dispatch("upgradeneeded", { oldVersion: before, newVersion: version });
      database.upgrading = false;
      this.#settle(request, COMMIT_MILLIS, () => request.dispatch("success", {}));
    });
  }

  /** Asks connections to make room for another version; waits as long as one stays. */
  #askToClose(_request, stored, version, then) {
    for (const connection of stored.connections) {
      this.world.soon(
        connection.agent,
        REQUEST_MILLIS,
        () =>
          stored.connections.has(connection) &&
          connection.dispatch("versionchange", { oldVersion: stored.version, newVersion: version }),
      );
    }
    const wait = () => {
      for (const connection of stored.connections) if (!connection.agent.isAlive) stored.connections.delete(connection);
      if (stored.connections.size === 0) then();
      else this.world.soon(null, 5, wait);
    };
    this.world.soon(null, 2, wait);
  }

  #delete(agent, name) {
    const request = new OpenRequest(agent);
    const stored = this.databases.get(name);
    const done = () => {
      this.databases.delete(name);
      this.#settle(request, COMMIT_MILLIS, () => {
        request.finish(undefined);
        request.dispatch("success", {});
      });
    };
    if (stored === undefined) done();
    else this.world.soon(null, COMMIT_MILLIS, () => this.#askToClose(request, stored, null, done));
    return request;
  }
}

class Request extends Target {
  #result;
  #error = null;
  readyState = "pending";
  transaction = null;

  constructor(agent) {
    super();
    this.agent = agent;
  }
  finish(result, error = null) {
    this.readyState = "done";
    this.#result = result;
    this.#error = error;
  }
  refuse(error) {
    this.finish(undefined, error);
    this.dispatch("error", { preventDefault() {} });
  }
  get result() {
    if (this.readyState === "pending") throw failure("InvalidStateError", "The request has not finished.");
    return this.#result;
  }
  get error() {
    if (this.readyState === "pending") throw failure("InvalidStateError", "The request has not finished.");
    return this.#error;
  }
}

class OpenRequest extends Request {}

class Database extends Target {
  #closed = false;
  upgrading = false;

  constructor(disk, stored, agent) {
    super();
    this.disk = disk;
    this.stored = stored;
    this.agent = agent;
    this.name = stored.name;
    stored.connections.add(this);
    agent.atEnd.push(() => {
      stored.connections.delete(this);
      // What asked to commit goes on without its process; all else is undone.
      for (const transaction of [...stored.queue])
        if (transaction.database === this && !transaction.isCommitting) transaction.drop();
    });
  }
  get version() {
    return this.stored.version;
  }
  get objectStoreNames() {
    const names = [...this.stored.stores.keys()].sort();
    return {
      length: names.length,
      contains: (name) => names.includes(name),
      item: (index) => names[index] ?? null,
      [Symbol.iterator]: () => names[Symbol.iterator](),
    };
  }
  createObjectStore(name) {
    if (!this.upgrading) throw failure("InvalidStateError", "no upgrade is under way");
    if (this.stored.stores.has(name)) throw failure("ConstraintError", `there is a store ${name}`);
    this.stored.stores.set(name, new Map());
    return {};
  }
  transaction(names, mode = "readonly", options = {}) {
    const { faults, world } = this.disk;
    if (!this.#closed && faults.close > 0 && world.random.chance(faults.close)) this.endedByBrowser();
    if (this.#closed) throw failure("InvalidStateError", "The database connection is closing.");
    return new Transaction(this, typeof names === "string" ? [names] : [...names], mode, options);
  }
  close() {
    this.#closed = true;
    this.stored.connections.delete(this);
  }
  /** The browser closes it: transactions under way are undone, and the connection hears of it. */
  endedByBrowser() {
    if (this.#closed) return;
    this.close();
    for (const transaction of [...this.stored.queue])
      if (transaction.database === this) transaction.fail(failure("AbortError", "The connection was closed."));
    this.disk.world.soon(this.agent, REQUEST_MILLIS, () => this.dispatch("close", {}));
  }
}

class Transaction extends Target {
  #pending = [];
  #running = false;
  #started = false;
  #active = true;
  #ended = false;
  isCommitting = false;
  error = null;
  /** By store: what it wrote; undefined for what it deleted. */
  #written = new Map();

  constructor(database, names, mode, options) {
    super();
    const { stored } = database;
    for (const name of names) if (!stored.stores.has(name)) throw failure("NotFoundError", `there is no store ${name}`);
    this.database = database;
    this.db = database;
    this.names = names;
    this.mode = mode;
    this.durability = options?.durability ?? "default";
    stored.queue.push(this);
    this.#world.afterwards(() => this.#rest());
  }

  get #world() {
    return this.database.disk.world;
  }

  objectStore(name) {
    if (this.#ended) throw failure("InvalidStateError", "The transaction has finished.");
    if (!this.names.includes(name)) throw failure("NotFoundError", `the transaction does not span ${name}`);
    return new ObjectStore(this, name);
  }

  /** Adds a request; `work` gives its result when its turn has come. */
  ask(work) {
    if (!this.#active || this.#ended || this.isCommitting)
      throw failure("TransactionInactiveError", "The transaction is not active.");
    const request = new Request(this.database.agent);
    request.transaction = this;
    this.#pending.push({ request, work });
    this.#pump();
    return request;
  }

  /** Whether no earlier transaction is in the way. */
  get #mayStart() {
    const { queue } = this.database.stored;
    for (const other of queue) {
      if (other === this) return true;
      if (this.mode !== "readonly" || other.mode !== "readonly") return false;
    }
    return true;
  }

  #pump() {
    if (this.#running || this.#ended || this.#pending.length === 0) return;
    if (!this.#started) {
      if (!this.#mayStart) return;
      this.#started = true;
    }
    this.#running = true;
    const { faults } = this.database.disk;
    this.#world.soon(null, REQUEST_MILLIS, () => {
      if (this.#ended) return;
      if (faults.abort > 0 && this.#world.random.chance(faults.abort))
        return this.fail(failure("UnknownError", "Internal error."));
      const { request, work } = this.#pending.shift();
      const result = work();
      const answer = () => {
        this.#running = false;
        if (this.#ended) return;
        request.finish(result);
        this.#active = true;
        request.dispatch("success", {});
        this.#world.afterwards(() => this.#rest());
      };
      if (this.isCommitting) {
        // Nobody has to hear of it for the commit to go on.
        this.#running = false;
        this.#world.soon(
          this.database.agent,
          0,
          () => {
            if (this.error !== null) return;
            request.finish(result);
            request.dispatch("success", {});
          },
          this,
        );
        this.#next();
      } else this.#world.soon(this.database.agent, 0, answer, this);
    });
  }

  /** A task of the tab is over: without requests, the transaction commits by itself. */
  #rest() {
    this.#active = false;
    this.#next();
  }

  #next() {
    if (this.#ended || this.#running) return;
    if (this.#pending.length > 0) return this.#pump();
    if (this.#active && !this.isCommitting) return;
    this.isCommitting = true;
    this.#finish();
  }

  commit() {
    if (this.#ended || this.isCommitting) throw failure("InvalidStateError", "The transaction is finishing.");
    this.isCommitting = true;
    this.#next();
  }

  abort() {
    if (this.#ended) throw failure("InvalidStateError", "The transaction has finished.");
    this.fail(null);
  }

  #finish() {
    if (!this.#started) {
      if (!this.#mayStart) return;
      this.#started = true;
    }
    this.#running = true;
    this.#world.soon(null, COMMIT_MILLIS, () => {
      if (this.#ended) return;
      const { disk, stored } = this.database;
      const { faults } = disk;
      if (this.mode === "readwrite" && this.#written.size > 0) {
        if (faults.abort > 0 && this.#world.random.chance(faults.abort))
          return this.fail(failure("UnknownError", "Internal error committing transaction."));
        const growth = disk.countsPuts ? this.#put() : this.#growth();
        if (disk.bytes + growth > disk.quota && growth > 0)
          return this.fail(failure("QuotaExceededError", "The quota has been exceeded."));
        for (const [name, records] of this.#written) {
          const store = stored.stores.get(name);
          for (const [key, value] of records) {
            if (value === undefined) store.delete(key);
            else store.set(key, value);
          }
        }
      }
      this.#end();
      this.#world.soon(this.database.agent, 0, () => this.dispatch("complete", {}), this);
    });
  }

  #put() {
    const records = [...this.#written.values()].flatMap((written) => [...written.values()]);
    return records.reduce((sum, value) => sum + (value === undefined ? 0 : sizeOf(value)), 0);
  }

  #growth() {
    let sum = 0;
    for (const [name, records] of this.#written) {
      const store = this.database.stored.stores.get(name);
      for (const [key, value] of records)
        sum += (value === undefined ? 0 : sizeOf(value)) - (store.has(key) ? sizeOf(store.get(key)) : 0);
    }
    return sum;
  }

  #end() {
    this.#ended = true;
    const { stored } = this.database;
    stored.queue = stored.queue.filter((other) => other !== this);
    for (const other of stored.queue) other.wake();
  }

  /** An earlier transaction has ended. */
  wake() {
    if (this.#started || this.#ended) return;
    if (this.isCommitting && this.#pending.length === 0) this.#finish();
    else this.#pump();
  }

  /** Undone, and told so. */
  fail(error) {
    if (this.#ended) return;
    this.error = error;
    const pending = this.#pending.splice(0);
    this.#end();
    this.#world.soon(
      this.database.agent,
      0,
      () => {
        for (const { request } of pending) request.refuse(failure("AbortError", "The transaction was aborted."));
        this.dispatch("abort", {});
      },
      this,
    );
  }

  /** Undone with its process: nobody hears of it. */
  drop() {
    if (this.#ended) return;
    this.#pending.length = 0;
    this.#end();
  }

  /** What a store holds as this transaction sees it. */
  read(name, key) {
    const written = this.#written.get(name);
    if (written?.has(key)) return written.get(key);
    const { disk, stored } = this.database;
    const records = stored.stores.get(name);
    if (disk.hides?.(name, key, stored.stores)) return undefined;
    return records.get(key);
  }
  keys(name) {
    const { disk, stored } = this.database;
    const keys = new Set(
      [...stored.stores.get(name).keys()].filter((key) => disk.hides === null || !disk.hides(name, key, stored.stores)),
    );
    for (const [key, value] of this.#written.get(name) ?? []) {
      if (value === undefined) keys.delete(key);
      else keys.add(key);
    }
    return [...keys].sort((one, other) => one - other);
  }
  write(name, key, value) {
    let records = this.#written.get(name);
    if (records === undefined) this.#written.set(name, (records = new Map()));
    records.set(key, value);
  }
}

class ObjectStore {
  constructor(transaction, name) {
    this.transaction = transaction;
    this.name = name;
  }
  #writable() {
    if (this.transaction.mode !== "readwrite") throw failure("ReadOnlyError", "The transaction is read-only.");
  }
  get(query) {
    const { transaction, name } = this;
    return transaction.ask(() => {
      const key = typeof query === "number" ? query : transaction.keys(name).find(inRange(query));
      const value = key === undefined ? undefined : transaction.read(name, key);
      return value === undefined ? undefined : copyOf(value);
    });
  }
  #all(query, count, of) {
    const { transaction, name } = this;
    return transaction.ask(() =>
      transaction
        .keys(name)
        .filter(inRange(query))
        .slice(0, count || undefined)
        .map(of),
    );
  }
  getAll(query, count) {
    return this.#all(query, count, (key) => copyOf(this.transaction.read(this.name, key)));
  }
  getAllKeys(query, count) {
    return this.#all(query, count, (key) => key);
  }
  getKey(query) {
    const { transaction, name } = this;
    return transaction.ask(() => transaction.keys(name).find(inRange(query)));
  }
  count(query) {
    const { transaction, name } = this;
    return transaction.ask(() => transaction.keys(name).filter(inRange(query)).length);
  }
  put(value, key) {
    this.#writable();
    if (value instanceof Uint8Array && value.buffer.byteLength > value.byteLength)
      throw new Error("a view of a larger buffer would be stored, and the buffer with it");
    const copy = copyOf(value);
    const { transaction, name } = this;
    return transaction.ask(() => (transaction.write(name, key, copy), key));
  }
  delete(query) {
    this.#writable();
    const { transaction, name } = this;
    return transaction.ask(() => {
      for (const key of transaction.keys(name).filter(inRange(query))) transaction.write(name, key, undefined);
    });
  }
  clear() {
    return this.delete();
  }
}

/** The classes that code asks for by name. */
export const classes = {
  IDBDatabase: Database,
  IDBRequest: Request,
  IDBOpenDBRequest: OpenRequest,
  IDBTransaction: Transaction,
  IDBObjectStore: ObjectStore,
  IDBKeyRange: KeyRange,
};
