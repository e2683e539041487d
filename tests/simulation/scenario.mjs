/**
 * One run of the simulated deployment: epochs of several tabs that write while tabs die or freeze and storage fails,
 * each followed by the end of all tabs, what may befall the stored records meanwhile, and a reopening that is held
 * against the ledger.
 *
 * Invariants that every run asserts: nothing journaled is lost; nothing is torn (`validate`, and one insert is there
 * wholly or not at all); what cannot be opened is an error and its records stay; tabs that live agree once faults are
 * over, and write again; nobody waits longer than two seconds for a tab that is frozen. A run is wholly decided by its
 * seed.
 */
import assert from "node:assert/strict";
import { LockManager } from "./channels.mjs";
import { Ledger } from "./ledger.mjs";
import { Browser } from "./realm.mjs";
import { Disk } from "./storage.mjs";
import { Tab, World } from "./world.mjs";

const DEPLOYMENT = "shop";
const DATABASE = `quire:${DEPLOYMENT}`;
/** How long a tab may wait for one that is frozen, and what its own answer may take beside. */
const HANDOVER_MILLIS = 2000;
const ANSWER_MILLIS = 400;
/** By when everything is answered, whatever fails: an opening gives up after half a minute. */
const PATIENCE_MILLIS = 120_000;
/** By when writing has resumed once there is room: it is looked for at least every half minute. */
const RESUME_MILLIS = 45_000;
/** What the browser itself has under way when a tab ends is over after this. */
const REST_MILLIS = 1000;
const HEADER_KEYS = [0, -1];
/** See docs/format.md. */
const PAGE_BYTES = 16_384;
const PAGE_NUMBER_AT = 8;

/** What may befall the stored records, or the way to them, while no tab lives. */
const MISFORTUNES = [
  "half a header",
  "half a header",
  "no header",
  "changed headers",
  "newer layout",
  "first layout",
  "newer format",
  "no opening",
  "a page",
  "nothing",
];

/** A client in a tab, and what it does. */
class Client {
  constructor(run, number) {
    this.run = run;
    this.number = number;
    this.tab = new Tab(`tab${number}`);
    const { MongoClient } = run.browser.openPage(this.tab);
    this.page = this.tab.agents[0];
    this.client = new MongoClient(`quire://${DEPLOYMENT}/garden`);
    this.pending = new Set();
    this.last = 0;
    /** It said that it stores nothing more: it need not agree with others. */
    this.isBeyondRepair = false;
  }

  get isGone() {
    return this.tab.killed;
  }

  /** Resolves when its tab's turn comes after a while. */
  think(millis) {
    return new Promise((resolve) => this.run.world.soon(this.page, millis, resolve));
  }

  /** Follows an operation to its end, and says how long it took. */
  async follow(what, promise) {
    const { world } = this.run;
    const began = {
      what,
      at: world.now,
      freezes: this.run.freezes,
      frozenNow: this.run.frozenTabs.size,
      faulty: this.run.isFaulty,
    };
    this.pending.add(began);
    try {
      return await promise;
    } finally {
      this.pending.delete(began);
      // A tab's own sleep is no waiting for another's.
      if (!began.slept) this.run.answered(this, began);
    }
  }

  async write(what, changes, options, journaled, work, together = false) {
    const { ledger, world } = this.run;
    const operation = ledger.begin(this.number, changes, together);
    const names = changes.map(([name]) => name);
    for (const name of names) this.busy.add(name);
    try {
      await this.follow(what, work(options));
      ledger.acknowledge(operation, journaled, this.run.isOrderly);
      world.note(`${this.tab.name} ${what} ${JSON.stringify(changes)}${journaled ? " journaled" : ""}`);
    } catch (error) {
      ledger.refuse(operation);
      this.refused(what, changes, error);
    } finally {
      for (const name of names) this.busy.delete(name);
    }
  }

  refused(what, changes, error) {
    this.run.world.note(
      `${this.tab.name} ${what} ${JSON.stringify(changes)} failed: ${error?.name}: ${error?.message}`,
    );
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
    if (/is read-only|deleted or replaced/.test(String(error?.message))) this.isBeyondRepair = true;
    this.run.refusals += 1;
  }

  /** One operation that the seed chooses. */
  async act() {
    const { run } = this;
    const { random } = run.world;
    const { ledger } = run;
    const database = this.client.db();
    const own = database.collection(`c${this.number % 3}`);
    const kind = random.below(24);
    const journaled = random.chance(0.6);
    const options = journaled ? { writeConcern: random.chance(0.7) ? { w: 1, j: true } : { w: "majority" } } : {};
    const pad = "x".repeat(random.chance(0.1) ? random.below(40_000) : random.below(300));
    const name = (id) => `c${this.number % 3}/${id}`;
    const fresh = () => `${this.number}.${++this.last}`;
    const known = ledger.names.filter(
      (one) => one.startsWith(`c${this.number % 3}/${this.number}.`) && !this.busy.has(one),
    );
    const value = ++run.value;
    if (kind < 5 || known.length === 0) {
      const id = fresh();
      await this.write("insertOne", [[name(id), value]], options, journaled, (given) =>
        own.insertOne({ _id: id, v: value, pad }, given),
      );
    } else if (kind < 7) {
      // Many and long ones fill whole blocks of pages, which are stored in another way than single pages.
      const large = random.chance(0.15);
      const ids = Array.from({ length: large ? 30 : 2 + random.below(6) }, fresh);
      const text = large ? "y".repeat(20_000) : pad;
      await this.write(
        "insertMany",
        ids.map((id) => [name(id), value]),
        options,
        journaled,
        (given) =>
          own.insertMany(
            ids.map((_id) => ({ _id, v: value, pad: text })),
            given,
          ),
        true,
      );
    } else if (kind < 12) {
      const one = random.pick(known);
      const id = one.slice(one.indexOf("/") + 1);
      await this.busyWith(one, () =>
        this.write("replaceOne", [[one, value]], options, journaled, (given) =>
          own.replaceOne({ _id: id }, { v: value, pad }, { ...given, upsert: true }),
        ),
      );
    } else if (kind < 14) {
      const one = random.pick(known);
      const id = one.slice(one.indexOf("/") + 1);
      await this.busyWith(one, () =>
        this.write("deleteOne", [[one, null]], options, journaled, (given) => own.deleteOne({ _id: id }, given)),
      );
    } else if (kind < 16) {
      const side = `side${this.number}`;
      const one = `${side}/1`;
      if (this.busy.has(one)) return;
      await this.busyWith(one, async () => {
        const there = ledger.allowed(one).at(-1) !== null;
        if (there)
          await this.write("drop", [[one, null]], options, journaled, (given) => database.collection(side).drop(given));
        else
          await this.write("replaceOne", [[one, value]], options, journaled, (given) =>
            database.collection(side).replaceOne({ _id: "1" }, { v: value }, { ...given, upsert: true }),
          );
      });
    } else if (kind < 18) {
      const field = `f${++this.last}`;
      const indexed = `indexed${this.number}`;
      await this.write("createIndex", [[`${indexed}/${field}`, 1]], options, journaled, (given) =>
        database.collection(indexed).createIndex({ [field]: 1 }, given),
      );
    } else if (kind < 19) {
      const ids = [fresh(), fresh()];
      await this.write(
        "bulkWrite",
        ids.map((id) => [name(id), value]),
        options,
        journaled,
        (given) =>
          own.bulkWrite(
            ids.map((_id) => ({ insertOne: { document: { _id, v: value, pad } } })),
            given,
          ),
      );
    } else if (kind < 22) {
      const one = random.pick(known);
      const id = one.slice(one.indexOf("/") + 1);
      await this.busyWith(one, () => this.read(own, one, id));
    } else {
      // Several values for one document on their way at once: the last that is journaled counts, or one after it.
      const one = random.pick(known);
      const id = one.slice(one.indexOf("/") + 1);
      const concerns = Array.from({ length: 2 + random.below(5) }, () => random.chance(0.5));
      const replace = (isJournaled) => {
        const next = ++run.value;
        return this.write(
          "replaceOne",
          [[one, next]],
          isJournaled ? { writeConcern: { j: true } } : {},
          isJournaled,
          (given) => own.replaceOne({ _id: id }, { v: next, pad }, { ...given, upsert: true }),
        );
      };
      await this.busyWith(one, () => Promise.all(concerns.map(replace)));
    }
  }

  /** Keeps other operations of this client from a name. */
  busy = new Set();
  async busyWith(name, work) {
    this.busy.add(name);
    try {
      await work();
    } finally {
      this.busy.delete(name);
    }
  }

  async read(collection, name, id) {
    const allowed = this.run.ledger.allowed(name);
    try {
      const found = await this.follow("findOne", collection.findOne({ _id: id }));
      const value = found?.v ?? null;
      if (this.isBeyondRepair || this.run.deletions > 0) return;
      if (!allowed.includes(value))
        this.run.fail(`${this.tab.name} reads ${name} as ${value}, and may read ${allowed.join(" or ")}`);
    } catch (error) {
      this.refused("findOne", name, error);
    }
  }

  /** All that this client sees, by name. */
  async everything() {
    const found = new Map();
    const database = this.client.db();
    const infos = await database.listCollections().toArray();
    for (const { name } of infos) {
      if (name.startsWith("system.")) continue;
      const validated = await database.command({ validate: name, full: true });
      if (validated.valid !== true) this.run.fail(`${name} is not valid: ${JSON.stringify(validated.errors)}`);
      if (name.startsWith("indexed")) {
        for (const { key } of await database.collection(name).listIndexes().toArray()) {
          const [field] = Object.keys(key);
          if (field !== "_id") found.set(`${name}/${field}`, 1);
        }
        continue;
      }
      for (const { _id, v } of await database.collection(name).find().toArray()) found.set(`${name}/${_id}`, v);
    }
    return found;
  }
}

/** A run has found a fault. */
export class Found extends Error {
  constructor(seed, message, trace) {
    super(`seed ${seed}: ${message}`);
    this.name = "Found";
    this.trace = trace;
  }
}

class Run {
  freezes = 0;
  refusals = 0;
  deletions = 0;
  value = 0;
  clients = 0;
  frozenTabs = new Set();
  isFaulty = false;
  /** No tab can have to give way to another in this epoch. */
  isOrderly = false;
  found = null;
  longest = 0;

  constructor(seed, code, { putBack, focus = [] }) {
    this.seed = seed;
    this.focus = focus;
    this.world = new World(seed);
    this.disk = new Disk(this.world);
    this.locks = new LockManager(this.world);
    this.browser = new Browser(this.world, code, this.disk, this.locks);
    this.ledger = new Ledger();
    putBack?.(this);
  }

  fail(message) {
    this.world.note(`FOUND: ${message}`);
    this.found ??= new Found(this.seed, message, this.world.trace);
    throw this.found;
  }

  newClient() {
    return new Client(this, ++this.clients);
  }

  /**
   * An operation has come to its end: with storage that does its duty it waits for frozen tabs only, and not for long.
   */
  answered(client, began) {
    const took = this.world.now - began.at;
    this.longest = Math.max(this.longest, took);
    if (began.faulty || this.isFaulty || client.isBeyondRepair) return;
    const freezes = Math.max(1, this.freezes - began.freezes + began.frozenNow);
    const limit = freezes * HANDOVER_MILLIS + ANSWER_MILLIS * this.world.slowness;
    if (took > limit)
      this.fail(`${client.tab.name} waited ${took.toFixed()} ms for ${began.what}; ${limit} ms are allowed`);
  }

  /** Waits for a promise while virtual time goes by. */
  async wait(promise, what, millis = PATIENCE_MILLIS) {
    let outcome = null;
    promise.then(
      (value) => (outcome = { value }),
      (error) => (outcome = { error }),
    );
    try {
      await this.world.until(() => outcome !== null || this.found !== null, millis, what);
    } catch (error) {
      this.fail(error.message);
    }
    if (this.found !== null) throw this.found;
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Several tabs write for a while, with faults. */
  async epoch() {
    const { world, disk, ledger } = this;
    const { random } = world;
    const kinds = {
      storage: random.chance(0.35),
      full: random.chance(0.3),
      kills: random.chance(0.5),
      freezes: random.chance(0.5),
      deletion: random.chance(0.06),
    };
    for (const kind of this.focus) kinds[kind] = true;
    const living = Array.from({ length: 1 + random.below(3) }, () => this.newClient());
    const all = [...living];
    this.isOrderly =
      living.length === 1 && !kinds.kills ? true : !kinds.storage && !kinds.full && !kinds.freezes && !kinds.deletion;
    const loops = [];
    const start = (client) => {
      const rounds = 5 + random.below(25);
      const lanes = 1 + random.below(3);
      // How many operations a lane has on their way at once.
      const together = random.chance(0.5) ? 1 : 2 + random.below(6);
      for (let lane = 0; lane < lanes; lane += 1) {
        const loop = { over: false, client };
        loops.push(loop);
        void (async () => {
          try {
            for (let round = 0; round < rounds; round += 1) {
              await client.think(20);
              await Promise.all(Array.from({ length: together }, () => client.act()));
            }
          } catch (error) {
            if (error !== this.found)
              this.found ??= new Found(this.seed, `${client.tab.name}: ${error?.stack ?? error}`, world.trace);
          }
          loop.over = true;
        })();
      }
    };
    living.forEach(start);
    // What befalls them, each in its own time.
    let over = false;
    const later = (millis, run) => world.soon(null, millis, () => over || run());
    if (kinds.storage) {
      this.isFaulty = true;
      later(50, () =>
        Object.assign(disk.faults, { abort: random.pick([0.002, 0.02, 0.1]), close: random.pick([0, 0.01, 0.05]) }),
      );
    }
    if (kinds.full) {
      this.isFaulty = true;
      later(100, () => {
        disk.quota = disk.bytes + random.below(200_000);
        world.note(`room for ${disk.quota - disk.bytes} bytes more`);
      });
    }
    if (kinds.kills) {
      later(200, () => {
        const client = random.pick(living);
        world.kill(client.tab);
        if (random.chance(0.7)) {
          const next = this.newClient();
          living.push(next);
          all.push(next);
          start(next);
        }
      });
    }
    const freezeSoon = () =>
      later(100, () => {
        const holder = this.locks.holder(DATABASE)?.tab;
        const client = random.chance(0.7) ? living.find(({ tab }) => tab === holder) : random.pick(living);
        // A browser undoes a frozen tab's transaction when another tab waits for it; here such a tab freezes a little
        // later.
        if (client === undefined || client.isGone || client.tab.frozen || disk.isUsedBy(client.tab))
          return later(1, () => (loops.every(({ over }) => over) ? undefined : freezeSoon()));
        this.freezes += 1;
        this.frozenTabs.add(client.tab);
        for (const began of client.pending) began.slept = true;
        world.freeze(client.tab);
        later(random.chance(0.5) ? 4000 : 500, () => {
          this.frozenTabs.delete(client.tab);
          world.thaw(client.tab);
        });
      });
    if (kinds.freezes) for (let count = 1 + random.below(2); count > 0; count -= 1) freezeSoon();
    if (kinds.deletion) {
      later(200, () => {
        this.deletions += 1;
        ledger.deleted();
        disk.deleteNow(DATABASE);
      });
    }
    const isOver = () => loops.every(({ over, client }) => over || client.isGone);
    try {
      await world.until(() => isOver() || this.found !== null, PATIENCE_MILLIS * 4, "the tabs' work");
    } catch (error) {
      const waiting = all
        .filter(({ isGone }) => !isGone)
        .flatMap(({ tab, pending }) => [...pending].map(({ what, at }) => `${tab.name} ${what} since ${at.toFixed()}`));
      this.fail(`${error.message} (${waiting.join(", ")})`);
    }
    if (this.found !== null) throw this.found;
    // All is well again.
    over = true;
    Object.assign(disk.faults, { abort: 0, close: 0 });
    disk.quota = Infinity;
    for (const { tab } of all) world.thaw(tab);
    this.frozenTabs.clear();
    const survivors = all.filter(({ isGone }) => !isGone);
    if (random.chance(0.6)) await this.converge(survivors);
    const gently = random.chance(0.4);
    for (const client of survivors) {
      if (gently) await this.close(client);
      world.kill(client.tab);
    }
    // What was under way in the browser itself ends.
    await world.pass(REST_MILLIS);
    this.isFaulty = false;
  }

  /** A client closes, and refuses what comes after. */
  async close(client) {
    await this.wait(
      client.client.close().catch(() => undefined),
      `${client.tab.name} closes`,
    );
    const late = client.client.db().command({ ping: 1 });
    const refused = await this.wait(
      late.then(
        () => false,
        () => true,
      ),
      `${client.tab.name} asks after its closing`,
    );
    if (!refused) this.fail(`${client.tab.name} goes on after it was closed`);
  }

  /** Every tab that lives writes again and sees what the others see. */
  async converge(survivors) {
    const { ledger, world } = this;
    for (const client of survivors) {
      const deadline = world.now + RESUME_MILLIS;
      const name = `c${client.number % 3}/${client.number}.end`;
      for (;;) {
        const value = ++this.value;
        const operation = ledger.begin(client.number, [[name, value]]);
        try {
          await this.wait(
            client.client
              .db()
              .collection(`c${client.number % 3}`)
              .replaceOne({ _id: `${client.number}.end` }, { v: value }, { upsert: true, writeConcern: { j: true } }),
            `${client.tab.name} writes again`,
          );
          ledger.acknowledge(operation, true, this.isOrderly);
          break;
        } catch (error) {
          if (error === this.found) throw error;
          ledger.refuse(operation);
          world.note(`${client.tab.name} does not write again: ${error.message}`);
          // A device that failed again and again, or was deleted, ends the writing of this tab for good, and says so.
          if (/is read-only|deleted or replaced/.test(error.message)) client.isBeyondRepair = true;
          if (client.isBeyondRepair) break;
          if (world.now > deadline)
            this.fail(`${client.tab.name} does not write again although nothing fails any more: ${error.message}`);
          await world.pass(1000);
        }
      }
    }
    const sound = survivors.filter(({ isBeyondRepair }) => !isBeyondRepair);
    const seen = [];
    for (const client of sound) seen.push([client, await this.look(client)]);
    for (const [client, found] of seen) {
      const [, first] = seen[0];
      assert.ok(first);
      if (words(found) !== words(first))
        this.fail(`${client.tab.name} sees other data than ${seen[0][0].tab.name}: ${difference(found, first)}`);
    }
  }

  async look(client) {
    try {
      return await this.wait(client.everything(), `${client.tab.name} reads everything`);
    } catch (error) {
      if (error === this.found) throw error;
      this.fail(`${client.tab.name} cannot read: ${error.name}: ${error.message}`);
    }
  }

  /** A new tab opens the deployment, and finds only what the ledger allows. */
  async reopen(what) {
    const client = this.newClient();
    try {
      await this.wait(client.client.connect(), `${client.tab.name} opens ${what}`);
    } catch (error) {
      if (error === this.found) throw error;
      this.fail(`${what}: it does not open: ${error.message}`);
    }
    const found = await this.look(client);
    const faults = this.ledger.faults(found);
    if (faults.length > 0)
      this.fail(
        `${what}: ${faults.slice(0, 5).join("; ")}${faults.length > 5 ? ` and ${faults.length - 5} more` : ""}`,
      );
    this.ledger.settle(found);
    this.world.kill(client.tab);
    await this.world.pass(REST_MILLIS);
  }

  /** Opening must fail now, and must not accept or change anything. */
  async isRefused(what) {
    const records = this.records();
    const client = this.newClient();
    let opened = true;
    try {
      await this.wait(client.client.connect(), `${client.tab.name} is refused: ${what}`);
    } catch (error) {
      if (error === this.found) throw error;
      opened = false;
    }
    if (opened) this.fail(`${what}: it is opened all the same`);
    const value = ++this.value;
    let stored = true;
    try {
      await this.wait(
        client.client
          .db()
          .collection("c0")
          .insertOne({ _id: `refused ${value}`, v: value }, { writeConcern: { j: true } }),
        `${client.tab.name} writes: ${what}`,
      );
    } catch (error) {
      if (error === this.found) throw error;
      stored = false;
    }
    if (stored) this.fail(`${what}: a journaled write is acknowledged`);
    this.world.kill(client.tab);
    await this.world.pass(REST_MILLIS);
    if (this.records() !== records) this.fail(`${what}: the stored records are changed`);
  }

  /** The stored documents, in words. */
  records() {
    const stored = this.disk.databases.get(DATABASE);
    return stored === undefined
      ? ""
      : [...stored.stores]
          .map(([name, records]) => `${name}:${[...records].map(([key, value]) => `${key}=${checksum(value)}`).sort()}`)
          .join(" ");
  }

  /** While no tab lives, something befalls the stored records, or the way to them. */
  async misfortune() {
    const { world, disk } = this;
    const { random } = world;
    const stored = disk.databases.get(DATABASE);
    if (stored === undefined || stored.version === 0) return;
    const meta = stored.stores.get("meta");
    const pages = stored.stores.get("pages");
    if (!meta.has(HEADER_KEYS[0])) return;
    const flip = (records, key) => {
      const bytes = records.get(key).slice();
      bytes[random.below(bytes.length)] ^= 1 << random.below(8);
      records.set(key, bytes);
    };
    const saved = {
      stores: new Map([...stored.stores].map(([name, records]) => [name, new Map(records)])),
      version: stored.version,
    };
    const restore = () => {
      stored.version = saved.version;
      stored.stores = new Map([...saved.stores].map(([name, records]) => [name, new Map(records)]));
    };
    const focused = this.focus.find((name) => MISFORTUNES.includes(name));
    const kind = focused ?? random.pick(MISFORTUNES);
    if (kind === "half a header") {
      // Nothing was written since a copy was damaged: the other is the last.
      if (checksum(meta.get(HEADER_KEYS[0]) ?? []) !== checksum(meta.get(HEADER_KEYS[1]) ?? [])) return;
      const key = random.pick(HEADER_KEYS);
      if (random.chance(0.5)) meta.delete(key);
      else flip(meta, key);
      await this.reopen("one copy of the header is lost or changed");
    } else if (kind === "no header") {
      for (const key of HEADER_KEYS) meta.delete(key);
      await this.isRefused("both copies of the header are lost");
      restore();
    } else if (kind === "changed headers") {
      for (const key of HEADER_KEYS) flip(meta, key);
      await this.isRefused("both copies of the header are changed");
      restore();
    } else if (kind === "newer layout") {
      stored.version += 1;
      await this.isRefused("a newer layout of the database");
      restore();
    } else if (kind === "first layout") {
      makeFirstLayout(stored);
      await this.reopen("what the first layout stored");
    } else if (kind === "newer format") {
      for (const key of HEADER_KEYS) {
        const bytes = meta.get(key).slice();
        bytes[8] = 99;
        meta.set(key, bytes);
      }
      await this.isRefused("a newer format of the pages");
      restore();
    } else if (kind === "no opening") {
      disk.faults.opening = random.pick(["UnknownError", "InvalidStateError", "hang"]);
      await this.isRefused(`opening: ${disk.faults.opening}`);
      disk.faults.opening = null;
    } else if (kind === "a page") {
      const records = [pages, stored.stores.get("blocks")].filter(({ size }) => size > 0);
      if (records.length === 0) return;
      const store = random.pick(records);
      const key = random.pick([...store.keys()]);
      // A mark has no bytes.
      if (random.chance(0.5) || store.get(key).length === 0) store.delete(key);
      else flip(store, key);
      await this.readsRightOrNot(`page or block ${key} is lost or changed`);
      restore();
    }
  }

  /** Each read now gives the right documents, or an error. */
  async readsRightOrNot(what) {
    const client = this.newClient();
    for (const [name, expected] of this.expected()) {
      try {
        const documents = await this.wait(
          client.client.db().collection(name).find().toArray(),
          `${client.tab.name} reads ${name}`,
        );
        const found = documents
          .map(({ _id, v }) => `${_id}=${v}`)
          .sort()
          .join();
        if (found !== expected) this.fail(`${what}: ${name} is read as ${found} and was ${expected}`);
      } catch (error) {
        if (error === this.found) throw error;
      }
    }
    this.world.kill(client.tab);
    await this.world.pass(REST_MILLIS);
  }

  /** The settled contents of each collection. */
  expected() {
    const collections = new Map();
    for (const name of this.ledger.names) {
      const [value] = this.ledger.allowed(name);
      const slash = name.indexOf("/");
      if (value === null || name.startsWith("indexed")) continue;
      const list = collections.get(name.slice(0, slash)) ?? [];
      list.push(`${name.slice(slash + 1)}=${value}`);
      collections.set(name.slice(0, slash), list);
    }
    return [...collections].map(([name, list]) => [name, list.sort().join()]);
  }
}

/** Lays a database out as the first layout had it: each page in a record of its own, and no store of blocks. */
function makeFirstLayout(stored) {
  const own = stored.stores.get("pages");
  const pages = new Map();
  for (const block of stored.stores.get("blocks").values()) {
    for (let at = 0; at < block.length; at += PAGE_BYTES) {
      const page = block.slice(at, at + PAGE_BYTES);
      pages.set(Number(new DataView(page.buffer).getBigUint64(PAGE_NUMBER_AT, true)), page);
    }
  }
  for (const [number, page] of own) if (Number.isInteger(number)) pages.set(number, page);
  stored.stores = new Map([
    ["pages", pages],
    ["meta", stored.stores.get("meta")],
  ]);
  stored.version = 1;
}

const words = (found) =>
  [...found]
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join();
const difference = (one, other) => {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names]
    .filter((name) => one.get(name) !== other.get(name))
    .slice(0, 5)
    .map((name) => `${name} is ${one.get(name)} and ${other.get(name)}`)
    .join(", ");
};
function checksum(bytes) {
  let sum = bytes.length;
  for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) >>> 0;
  return sum;
}

/**
 * Runs one seed over the code (`loadCode`). `putBack` may spoil the simulated browser for the run first; what is in
 * `focus` (`storage`, `full`, `kills`, `freezes`, `deletion`, or one of `MISFORTUNES`) befalls every epoch. Resolves to
 * what was done; rejects with `Found`, which tells the seed and carries the trace.
 */
export async function simulate(seed, code, options = {}) {
  const run = new Run(seed, code, options);
  const heard = (error) => {
    // What nobody caught in a page's code: a trap and a mistake are faults, what a tab's end left open is none.
    if (error instanceof WebAssembly.RuntimeError || error instanceof TypeError || error instanceof ReferenceError)
      run.found ??= new Found(seed, `nobody caught: ${error.stack}`, run.world.trace);
  };
  process.on("unhandledRejection", heard);
  try {
    for (let epochs = 1 + run.world.random.below(3); epochs > 0; epochs -= 1) {
      await run.epoch();
      await run.reopen("after the end of all tabs");
      if (run.world.random.chance(0.6) || run.focus.some((name) => MISFORTUNES.includes(name))) {
        await run.misfortune();
        await run.reopen("after a misfortune");
      }
    }
    const [uncaught] = run.world.uncaught;
    if (uncaught !== undefined)
      run.fail(`nobody caught in ${uncaught.agent}: ${uncaught.error?.stack ?? uncaught.error}`);
    return {
      attempted: run.ledger.attempted,
      journaled: run.ledger.journaled,
      refusals: run.refusals,
      virtualMillis: Math.round(run.world.now),
      clients: run.clients,
      longest: Math.round(run.longest),
      trace: run.world.trace,
    };
  } finally {
    process.off("unhandledRejection", heard);
  }
}
