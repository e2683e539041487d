/**
 * One run of moments over the page's own client and worker: several tabs change data, undo, redo, bookmark and restore,
 * one after another in an order that the seed decides, and die at any time. A model of whole states says what must be
 * there.
 *
 * Invariants that every run asserts: what a tab is told to have undone, redone or restored is the model's state, whole;
 * what another tab did is asked for; after a death the data and all that can be undone are as after the last stored
 * change or a later one, whole; `validate` accounts for every page. A run is wholly decided by its seed.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { LockManager } from "./channels.mjs";
import { Browser } from "./realm.mjs";
import { Disk } from "./storage.mjs";
import { Tab, World } from "./world.mjs";

const BSON = createRequire(new URL("../../web/package.json", import.meta.url))("bson");
const PATIENCE_MILLIS = 120_000;
/** What the browser itself has under way when a tab ends is over after this. */
const REST_MILLIS = 1000;
const COLLECTIONS = ["herbs", "trees"];

/** A state of the data, and the one that a change to it was made on. */
class Step {
  constructor(text, before, tab) {
    Object.assign(this, { text, before, tab });
  }
  /** Where undo goes: a state that differs. */
  get undone() {
    let to = this.before;
    while (to !== null && to.text === this.text) to = to.before;
    return to;
  }
  /** The change whose undoing that is. */
  get change() {
    let change = this;
    while (change.before !== null && change.before.text === this.text) change = change.before;
    return change;
  }
}

/** All that the model knows: where the present is, what redo goes to, and the bookmarks. Never changed, but replaced. */
class Model {
  constructor(here, nexts = new Map(), marks = new Map()) {
    Object.assign(this, { here, nexts, marks });
  }
  with(changes) {
    const { here, nexts, marks } = { ...this, ...changes };
    return new Model(here, nexts, marks);
  }
  /** After a change that led to a state. */
  changed(text, tab) {
    if (text === this.here.text) return this;
    const step = new Step(text, this.here, tab);
    return this.with({ here: step, nexts: new Map(this.nexts).set(this.here, step) });
  }
}

export class Client {
  constructor(run, number) {
    this.run = run;
    this.name = `tab ${number}`;
    this.tab = new Tab(this.name);
    const { openEngine } = run.browser.openPage(this.tab);
    this.opening = openEngine({ deployment: { name: "shop", storage: "indexeddb" } });
  }

  async ready() {
    this.client = await this.run.wait(this.opening, "an opening");
    return this;
  }

  async command(command) {
    const bytes = await this.run.wait(
      this.client.commandBytes(BSON.serialize({ ...command, $db: command.$db ?? "garden" })),
      Object.keys(command)[0],
    );
    return BSON.deserialize(bytes, { promoteValues: true });
  }

  /** The whole data, as one text. */
  async state() {
    const all = [];
    const { cursor } = await this.command({ listCollections: 1 });
    for (const { name, info } of cursor.firstBatch) {
      const found = await this.command({ find: name, sort: { _id: 1 }, batchSize: 10_000 });
      const indexes = await this.command({ listIndexes: name });
      // One that was dropped and made anew is another collection, however alike.
      all.push([
        name,
        info.uuid?.toString("hex"),
        found.cursor.firstBatch,
        indexes.cursor.firstBatch.map((index) => index.name),
      ]);
    }
    const short = (_, value) =>
      typeof value === "string" && value.length > 40 ? `${value.length} × ${value[0]}` : value;
    return JSON.stringify(
      all.sort(([one], [other]) => (one < other ? -1 : 1)),
      short,
    );
  }

  act(command, did) {
    const bytes = BSON.serialize({ ...command, $db: command.$db ?? "garden" });
    return this.client.act({ part: "whole", command: bytes, deed: { did }, tab: this.name, from: null });
  }

  travel(to, sure = []) {
    return this.client.travel({ to, of: null, sure, tab: this.name });
  }
}

class Run {
  lines = [];
  done = { changes: 0, undone: 0, redone: 0, restored: 0, asked: 0, deaths: 0, lost: 0 };

  constructor(seed, code) {
    this.seed = seed;
    this.world = new World(seed);
    this.disk = new Disk(this.world);
    this.browser = new Browser(this.world, code, this.disk, new LockManager(this.world));
    this.clients = 0;
    /** Where the data may be after a death: what is stored, and what came after it. */
    this.possible = [];
  }

  get model() {
    return this.possible.at(-1);
  }

  note(text) {
    this.lines.push(text);
    this.world.note(text);
  }

  async wait(promise, what) {
    let outcome = null;
    promise.then(
      (value) => (outcome = { value }),
      (error) => (outcome = { error }),
    );
    await this.world.until(() => outcome !== null, PATIENCE_MILLIS, what);
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  open() {
    return new Client(this, ++this.clients).ready();
  }

  /** A command that changes something, or nothing. */
  change() {
    const { random } = this.world;
    const collection = random.pick(COLLECTIONS);
    const id = random.below(30);
    return random.pick([
      { insert: collection, documents: [{ _id: id, text: "x".repeat(random.below(3000)) }] },
      { insert: collection, documents: [{ _id: id + 100 }, { _id: id + 200, text: "y".repeat(random.below(30_000)) }] },
      { update: collection, updates: [{ q: { _id: id }, u: { $inc: { a: 1 } }, upsert: true }] },
      { delete: collection, deletes: [{ q: { _id: { $lt: id / 3 } }, limit: 0 }] },
      { drop: collection },
      { createIndexes: collection, indexes: [{ key: { a: 1 }, name: "a" }] },
    ]);
  }

  /** What was stored last stays, whatever happens. */
  async stored(client) {
    const { saved } = await this.wait(client.client.stored(), "storing");
    assert.equal(saved, true);
    this.possible = [this.model];
  }

  async step(client) {
    const { random } = this.world;
    const { model } = this;
    const { here } = model;
    const kind = random.below(12);
    if (kind < 5) {
      const command = this.change();
      await this.wait(client.act(command, "insert"), "a change");
      const text = await client.state();
      this.note(`${client.name} ${JSON.stringify(command).slice(0, 60)}`);
      this.possible.push(model.changed(text, client.name));
      this.done.changes += 1;
    } else if (kind < 8) {
      const to = here.undone;
      let gone = await this.wait(client.travel("undo"), "undo");
      this.note(`${client.name} undoes: ${gone.kind}`);
      if (to === null) assert.equal(gone.kind, "nothing");
      else if (here.change.tab !== client.name) {
        assert.equal(gone.kind, "asks");
        assert.equal(await client.state(), here.text);
        this.done.asked += 1;
        gone = await this.wait(
          client.travel(
            "undo",
            gone.changes.map(({ number }) => number),
          ),
          "undo",
        );
      }
      if (to !== null) {
        assert.equal(gone.kind, "done");
        this.possible.push(model.with({ here: to }));
        this.done.undone += 1;
      }
    } else if (kind < 9) {
      const next = model.nexts.get(here) ?? null;
      const gone = await this.wait(client.travel("redo"), "redo");
      this.note(`${client.name} redoes: ${gone.kind}`);
      assert.equal(gone.kind, next === null ? "nothing" : "done");
      if (next !== null) {
        this.possible.push(model.with({ here: next }));
        this.done.redone += 1;
      }
    } else if (kind < 10) {
      const name = `mark ${random.below(4)}`;
      if (model.marks.has(name)) return;
      const reply = await client.command({ quireMoment: 1, name, $db: "admin" });
      assert.equal(reply.ok, 1, JSON.stringify(reply));
      this.note(`${client.name} bookmarks ${name}`);
      this.possible.push(model.with({ marks: new Map(model.marks).set(name, here.text) }));
    } else if (kind < 11) {
      const names = [...model.marks.keys()];
      if (names.length === 0) return;
      const name = random.pick(names);
      await this.wait(client.act({ quireRestore: name, $db: "admin" }, "restore"), "a restore");
      this.note(`${client.name} restores ${name}`);
      this.possible.push(model.changed(model.marks.get(name), client.name));
      this.done.restored += 1;
    } else await this.stored(client);
    assert.equal(await client.state(), this.model.here.text);
  }

  /** A tab dies, maybe with a change under way; gives the one that comes in its place. */
  async death(clients) {
    const { random } = this.world;
    const index = random.below(clients.length);
    const client = clients[index];
    const { model } = this;
    let command = null;
    if (random.chance(0.6)) {
      // Like no other, so that what is found afterwards tells whether it is there.
      command = { insert: random.pick(COLLECTIONS), documents: [{ _id: 1000 + this.done.deaths }] };
      client.act(command, "insert").catch(() => undefined);
      await this.world.pass(random.below(8));
    }
    this.world.kill(client.tab);
    this.done.deaths += 1;
    await this.world.pass(REST_MILLIS);
    const next = await this.open();
    clients[index] = next;
    const text = await next.state();
    // Another tab read what the dead one stored, and what it did since was stored by itself or is in its memory.
    const found = this.possible.findLast(({ here }) => here.text === text);
    if (found !== undefined) {
      if (found !== this.model) this.done.lost += 1;
      // States that are alike differ in what can be undone: the next steps would tell.
      const alike = this.possible.filter(({ here }) => here.text === text);
      const marks = new Set((await next.command({ quireMoments: 1, $db: "admin" })).moments.map(({ name }) => name));
      const exact = alike.findLast((one) => [...one.marks.keys()].every((name) => marks.has(name))) ?? found;
      this.possible = [exact];
    } else {
      assert.ok(command !== null, `the data is as it never was: ${text.slice(0, 300)}`);
      // The change that was under way is there, whole, and can be undone.
      this.possible = [model.changed(text, client.name)];
    }
    this.note(`${client.name} died`);
  }

  async all() {
    const { random } = this.world;
    const clients = [await this.open()];
    if (random.chance(0.6)) clients.push(await this.open());
    this.possible = [new Model(new Step(await clients[0].state(), null, null))];
    for (let turn = 0; turn < 50; turn += 1) {
      if (random.chance(0.06)) {
        // What is not stored by whoever lives would be another's to lose: it is stored first, but for the dying.
        if (clients.length > 1) for (const client of clients) await this.stored(client);
        await this.death(clients);
      } else await this.step(random.pick(clients));
    }
    const [client] = clients;
    for (const { name } of (await client.command({ listCollections: 1 })).cursor.firstBatch) {
      const validated = await client.command({ validate: name, full: true });
      assert.equal(validated.valid, true, JSON.stringify(validated));
    }
    assert.deepEqual(this.world.uncaught, []);
    return this.done;
  }
}

/** Runs a seed; rejects with what it found, and the trace of it. */
export async function travel(seed, code) {
  const run = new Run(seed, code);
  try {
    return await run.all();
  } catch (error) {
    error.message = `seed ${seed}: ${error.message}\n${run.lines.slice(-25).join("\n")}`;
    throw error;
  }
}
