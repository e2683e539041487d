/**
 * Moments, undo and redo over the real engine: a seed decides the actions, and a model of whole states says which state
 * must be there after each.
 */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Document } from "bson";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { Engine } from "../engine/engine.ts";
import { makeHost } from "../engine/host.ts";
import { loadEngine } from "../engine/load.ts";
import type { MakeGlue } from "../engine/bindings.ts";
import { limitPages, noteOf, whatOf, type Deed, type Travel, type Travelled } from "../protocol/moments.ts";
import { makeGlue } from "../../wasm/engine-glue.js";
import { Moments, ScriptMoments } from "./moments.ts";
import { Traveller } from "./travel.ts";

const wasm = readFileSync(new URL("../../wasm/quire_bg.wasm", import.meta.url));

let engine: Engine;
let moments: Moments;
let traveller: Traveller;

const ask = (command: Document): Document =>
  decode(engine.runBytes(encode(command["$db"] === undefined ? { ...command, $db: "garden" } : command)));

beforeEach(async () => {
  const { module, memory } = await loadEngine(() => Promise.resolve(wasm), makeGlue as MakeGlue);
  const host = makeHost({
    shouldStop: () => false,
    callFunction: () => {
      throw new Error("no functions here");
    },
  });
  engine = new Engine(module.QuireEngine.openMemory(host), memory);
  moments = new Moments(() => engine);
  traveller = new Traveller(moments);
});
afterEach(() => engine.close());

/** All that is stored: documents and indexes by collection. */
function state(): string {
  const all: Document = {};
  for (const { name } of ask({ listCollections: 1 })["cursor"].firstBatch as readonly Document[]) {
    const documents = ask({ find: name, sort: { _id: 1 }, batchSize: 10_000 })["cursor"].firstBatch as Document[];
    const indexes = (ask({ listIndexes: name })["cursor"].firstBatch as Document[]).map((one) => one["name"]);
    all[name] = { documents, indexes };
  }
  return JSON.stringify(Object.entries(all).sort(([one], [two]) => (one < two ? -1 : 1)));
}

const deed: Deed = { did: "run", text: "a run" };

/** A script of these commands. */
async function run(tab: string, ...commands: readonly Document[]) {
  const script = moments.script({ deed, tab });
  for (const command of commands) {
    const bytes = encode(command["$db"] === undefined ? { ...command, $db: "garden" } : command);
    engine.runBytes(bytes);
  }
  return script.after();
}

const go = (travel: Partial<Travel>): Promise<Travelled> =>
  traveller.go({ to: "undo", of: null, sure: [], tab: "one", ...travel });
const insert = (...documents: readonly Document[]): Document => ({ insert: "herbs", documents });
const kept = (): readonly Document[] => ask({ quireMoments: 1, $db: "admin" })["moments"] as readonly Document[];

describe("what the engine refuses", () => {
  const refused = encode({ ok: 0, errmsg: "no room" });

  it("tells of a moment at the beginning and at the end alike", async () => {
    const refusing = new Moments(() => ({ commandBytes: () => Promise.resolve(refused) }) as unknown as Engine);
    const acted = { reply: null, kept: { number: null, changes: null, unkept: "no room" } };
    const act = { command: null, deed, tab: "one" };
    expect(await refusing.act({ ...act, part: "begin", from: null })).toEqual({ ...acted, from: null });
    expect(await refusing.act({ ...act, part: "end", from: 3 })).toEqual({ ...acted, from: 3 });
  });

  it("tells of a run that could not begin, where the script changed something", async () => {
    await run("one", insert({ _id: 1 }));
    // The run of another script, which was never ended, is none of these.
    ask({ quireRun: "begin", $db: "admin" });
    const script = (): ScriptMoments => new ScriptMoments(moments, () => refused, { deed, tab: "one" });
    expect(await script().after()).toBeNull();
    const writes = script();
    ask(insert({ _id: 2 }));
    expect(await writes.after()).toMatchObject({ number: kept().at(-1)?.["number"], unkept: "no room" });
  });
});

describe("notes", () => {
  it("come back as they were made, and other words as a text", () => {
    const note = { did: "rename", on: "a.b", text: "c", from: 3, tab: "x" } as const;
    expect(noteOf(whatOf(note))).toEqual(note);
    expect(noteOf("start of the lesson")).toEqual({ did: "elsewhere", text: "start of the lesson" });
    expect(noteOf('{"did":"nonsense"}').did).toBe("elsewhere");
    expect(noteOf(undefined)).toEqual({ did: "elsewhere" });
    const long = whatOf({ did: "run", text: "\u0001".repeat(5000), on: "𝒳".repeat(5000), from: 1, tab: "x" });
    expect(new TextEncoder().encode(long).length).toBeLessThan(2048);
  });

  it("have a limit of room which is a tenth of the quota, within bounds", () => {
    expect(limitPages(10 * 16_384 * 5000)).toBe(5000);
    expect([limitPages(0), limitPages(1e15), limitPages(null)]).toEqual([1024, 65_536, 16_384]);
  });
});

describe("moments", () => {
  it("cost a run two crossings", async () => {
    const crossings: string[] = [];
    for (const door of ["runBytes", "commandBytes"] as const) {
      const through = engine[door].bind(engine) as (command: Uint8Array) => Uint8Array;
      Object.assign(engine, {
        [door]: (command: Uint8Array) => {
          crossings.push(Object.keys(decode(command))[0] ?? "");
          return through(command);
        },
      });
    }
    const crossed = (): readonly string[] => crossings.splice(0).filter((name) => name !== "insert" && name !== "find");
    await run("one", { find: "herbs" });
    expect(crossed()).toEqual(["quireRun", "quireRun"]);
    await run("one", insert({ _id: 1 }), insert({ _id: 2 }));
    expect(crossed()).toEqual(["quireRun", "quireRun"]);
    // One that is refused, and one that others changed the data before.
    await run("one", insert({ _id: 1 }));
    await engine.commandBytes(encode({ ...insert({ _id: 3 }), $db: "garden" }));
    await run("one", insert({ _id: 4 }));
    expect(crossed()).toEqual(["quireRun", "quireRun", "quireRun", "quireRun"]);
    expect(kept()).toHaveLength(4);
  });

  it("are kept of the state before whatever changes data, and of nothing that changes none", async () => {
    const isBegun = async (...commands: readonly Document[]): Promise<boolean> =>
      (await run("one", ...commands)) !== null;
    await run("one", insert({ _id: 1 }));
    const reads = [
      { aggregate: "herbs", pipeline: [{ $match: {} }], cursor: {} },
      { quireAt: kept()[0]?.["number"], command: { find: "herbs" } },
      { quireFork: 1, commands: [{ drop: "herbs" }] },
      { quireObserve: 1, command: { count: "herbs" } },
      { quireMoment: 1, name: "here", $db: "admin" },
      { validate: "herbs" },
    ];
    for (const command of reads) expect([command, await isBegun(command)]).toEqual([command, false]);
    const writes = [
      { aggregate: "herbs", pipeline: [{ $out: "copies" }], cursor: {} },
      { aggregate: "herbs", pipeline: [{ $merge: { into: "copies" } }], cursor: {} },
      { quireObserve: 1, command: { delete: "herbs", deletes: [{ q: { _id: 1 }, limit: 1 }] } },
      { quireRestore: "here", $db: "admin" },
    ];
    for (const command of writes) expect([command, await isBegun(command)]).toEqual([command, true]);
  });

  it("are made by what changes something, and of the state before the first change", async () => {
    expect(await run("one", { find: "herbs" })).toBeNull();
    expect(kept()).toEqual([]);
    expect(await run("one", insert({ _id: 1 }))).toMatchObject({ unkept: null, changes: { added: 1 } });
    expect(kept()).toHaveLength(2);
    expect(await run("one", { find: "herbs" })).toBeNull();
    expect(await run("one", { update: "herbs", updates: [{ q: { _id: 9 }, u: { $set: { a: 1 } } }] })).toEqual({
      number: null,
      changes: null,
      unkept: null,
    });
    expect(kept()).toHaveLength(2);
  });

  const nothing = { number: null, changes: null, unkept: null };

  it("are not made by a write that is refused or taken back, though it touched pages", async () => {
    await run("one", insert({ _id: 1 }));
    const numbers = (): readonly number[] => kept().map((one) => Number(one["number"]));
    const before = numbers();
    expect(await run("one", insert({ _id: 1 }))).toEqual(nothing);
    expect(await run("one", insert({ _id: 2 }), { delete: "herbs", deletes: [{ q: { _id: 2 }, limit: 0 }] })).toEqual(
      nothing,
    );
    const change = { part: "whole", command: encode({ ...insert({ _id: 1 }), $db: "garden" }), deed } as const;
    expect(await moments.act({ ...change, tab: "one", from: null })).toMatchObject({ kept: nothing });
    expect(numbers()).toEqual(before);
    // The next change is made on the moment that was there before those.
    ask(insert({ _id: 1 }));
    expect(await run("one", insert({ _id: 3 }))).toMatchObject({ changes: { added: 1 } });
    expect(kept()).toHaveLength(3);
    expect(Number(kept().at(-1)?.["from"])).toBe(before.at(-1));
    // An undo and a redo pass over the refused write, which made no moment.
    expect((await go({})).kind).toBe("done");
    await run("one", insert({ _id: 1 }));
    expect((await go({ to: "redo" })).kind).toBe("done");
    expect(ask({ find: "herbs" })["cursor"].firstBatch).toEqual([{ _id: 1 }, { _id: 3 }]);
    expect(kept()).toHaveLength(4);
  });

  it("are made by what changes options and indexes alone", async () => {
    await run("one", insert({ _id: 1 }));
    for (const command of [
      { createIndexes: "herbs", indexes: [{ key: { a: 1 }, name: "a" }] },
      { collMod: "herbs", index: { name: "a", hidden: true } },
      { collMod: "herbs", validator: { a: { $exists: false } } },
      { create: "trees" },
      { create: "tall", viewOn: "trees", pipeline: [] },
      { drop: "trees" },
    ])
      expect(await run("one", command)).toMatchObject({ number: expect.any(Number) as number, unkept: null });
    expect(kept()).toHaveLength(8);
  });

  it("of a bookmark that a script made before a refused write are told as the run's", async () => {
    await run("one", insert({ _id: 1 }));
    const bookmark = { quireMoment: 1, name: "here", $db: "admin" };
    const change = await run("one", insert({ _id: 2 }), bookmark, insert({ _id: 2 }));
    expect(noteOf(kept().at(-1)?.["what"] as string)).toMatchObject({ did: "run", tab: "one" });
    expect(change?.number).toBe(Number(kept().at(-1)?.["number"]));
    expect((await go({})).kind).toBe("done");
  });

  it("are one for many commands, with what others did on the way", async () => {
    const { from } = await moments.act({ part: "begin", command: null, deed, tab: "one", from: null });
    ask(insert({ _id: 1 }));
    ask(insert({ _id: 2 }));
    const { kept: change } = await moments.act({ part: "end", command: null, deed, tab: "one", from });
    expect(change).toMatchObject({ changes: { added: 2 } });
    expect(await go({})).toMatchObject({ kind: "done", counts: { added: 2 } });
    expect(state()).toBe("[]");
  });
});

describe("undo", () => {
  it("goes back step by step to the beginning, and on again", async () => {
    const states = [state()];
    for (let number = 1; number <= 4; number++) {
      await run("one", insert({ _id: number }));
      states.push(state());
    }
    for (let at = 3; at >= 0; at--) {
      expect((await go({})).kind).toBe("done");
      expect(state()).toBe(states[at]);
    }
    expect(await go({})).toEqual({ kind: "nothing", why: "first" });
    for (let at = 1; at <= 4; at++) {
      expect((await go({ to: "redo" })).kind).toBe("done");
      expect(state()).toBe(states[at]);
    }
    expect(await go({ to: "redo" })).toEqual({ kind: "nothing", why: "first" });
    // The way there and back leaves one moment beside the five.
    expect(kept()).toHaveLength(6);
  });

  it("goes another way after another change", async () => {
    await run("one", insert({ _id: 1 }));
    const one = state();
    await run("one", insert({ _id: 2 }));
    await go({});
    await run("one", insert({ _id: 3 }));
    expect(await go({ to: "redo" })).toEqual({ kind: "nothing", why: "first" });
    expect((await go({})).kind).toBe("done");
    expect(state()).toBe(one);
    await go({ to: "redo" });
    expect(ask({ find: "herbs", filter: { _id: 3 } })["cursor"].firstBatch).toHaveLength(1);
  });

  it("brings back a collection that was dropped, with its indexes", async () => {
    await run("one", insert({ _id: 1 }, { _id: 2 }), {
      createIndexes: "herbs",
      indexes: [{ key: { a: 1 }, name: "a" }],
    });
    const before = state();
    await run("one", { dropDatabase: 1 });
    expect(state()).toBe("[]");
    expect(await go({})).toMatchObject({ kind: "done", counts: { removed: 2 } });
    expect(state()).toBe(before);
  });

  it("asks before it takes back what another tab did, and again where more came", async () => {
    await run("one", insert({ _id: 1 }));
    const mine = state();
    await run("two", insert({ _id: 2 }));
    const asked = await go({});
    if (asked.kind !== "asks") throw new Error(asked.kind);
    await run("two", insert({ _id: 3 }));
    const sure = asked.changes.map(({ number }) => number);
    expect((await go({ sure })).kind).toBe("asks");
    const of = sure[0] as number;
    const more = await go({ of });
    if (more.kind !== "asks") throw new Error(more.kind);
    expect(more.changes).toHaveLength(2);
    expect((await go({ of, sure: more.changes.map(({ number }) => number) })).kind).toBe("done");
    expect(state()).toBe(mine);
  });

  it("keeps changes that left no moment, and asks for them", async () => {
    await run("one", insert({ _id: 1 }));
    ask(insert({ _id: 2 }));
    const both = state();
    const asked = await go({});
    if (asked.kind !== "asks") throw new Error(asked.kind);
    expect(asked.changes.map(({ note }) => note.did)).toEqual(["elsewhere"]);
    expect((await go({ sure: asked.changes.map(({ number }) => number) })).kind).toBe("done");
    await go({ to: "redo" });
    // The change had no beginning of its own: it is done again from where the page knows it.
    expect([both, state()].every((one) => one.includes('"_id":1'))).toBe(true);
  });

  it("of a change that is undone, or whose state before is gone, says so", async () => {
    const first = await run("one", insert({ _id: 1 }));
    await run("one", insert({ _id: 2 }));
    await go({});
    await go({});
    expect(await go({ of: first?.number ?? 0 })).toEqual({ kind: "nothing", why: "not-here" });
    await go({ to: "redo" });
    ask({ quireDropMoment: kept()[0]?.["number"], $db: "admin" });
    expect(await go({})).toEqual({ kind: "nothing", why: "gone" });
  });

  it("passes over a bookmark of the same state", async () => {
    await run("one", insert({ _id: 1 }));
    for (const name of ["a", "b"]) ask({ quireMoment: 1, name, $db: "admin" });
    expect((await go({})).kind).toBe("done");
    expect(state()).toBe("[]");
    for (const name of ["c", "d"]) ask({ quireMoment: 1, name, $db: "admin" });
    expect((await go({ to: "redo" })).kind).toBe("done");
    expect(state()).not.toBe("[]");
  });
});

/** A generator of numbers below a bound. */
function random(seed: number): (below: number) => number {
  let now = seed;
  return (below) => {
    now = (Math.imul(now, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((now / 2 ** 32) * below);
  };
}

/** A state, and the one that a change to it was made on. */
interface Step {
  readonly text: string;
  readonly before: Step | null;
  next: Step | null;
}

describe("a model of states", () => {
  it.each(Array.from({ length: 12 }, (_, at) => at + 1))("agrees after everything (seed %i)", async (seed) => {
    const draw = random(seed);
    let here: Step = { text: state(), before: null, next: null };
    const marks = new Map<string, string>();
    const become = (): void => {
      const text = state();
      if (text === here.text) return;
      const step: Step = { text, before: here, next: null };
      here.next = step;
      here = step;
    };
    const collections = ["herbs", "trees"];
    const some = (): string => collections[draw(2)] as string;
    for (let turn = 0; turn < 40; turn++) {
      const kind = draw(10);
      if (kind < 4) {
        const writes = Array.from({ length: 1 + draw(3) }, (): Document => {
          const id = draw(30);
          return (
            [
              { insert: some(), documents: [{ _id: id, text: "x".repeat(draw(3000)) }] },
              { update: some(), updates: [{ q: { _id: id }, u: { $inc: { a: 1 } }, upsert: true }] },
              { delete: some(), deletes: [{ q: { _id: { $lt: id / 3 } }, limit: 0 }] },
              { drop: some() },
              { createIndexes: some(), indexes: [{ key: { a: 1 }, name: "a" }] },
            ] as const
          )[draw(5)] as Document;
        });
        await run("one", ...writes);
        become();
      } else if (kind < 7) {
        const gone = await go({ to: "undo" });
        // States that are alike are passed over.
        let to: Step | null = here.before;
        while (to !== null && to.text === here.text) to = to.before;
        expect(gone.kind).toBe(to === null ? "nothing" : "done");
        if (to !== null) here = to;
      } else if (kind < 8) {
        const gone = await go({ to: "redo" });
        expect(gone.kind).toBe(here.next === null ? "nothing" : "done");
        if (here.next !== null) here = here.next;
      } else if (kind < 9) {
        const name = `mark ${draw(5)}`;
        if (!marks.has(name)) {
          marks.set(name, state());
          expect(ask({ quireMoment: 1, name, $db: "admin" })["ok"]).toBe(1);
        }
      } else {
        const names = [...marks.keys()];
        const name = names[draw(Math.max(1, names.length))];
        if (name === undefined) continue;
        await run("one", { quireRestore: name, $db: "admin" });
        expect(state()).toBe(marks.get(name));
        become();
      }
      expect(state(), `turn ${turn}, kind ${kind}`).toBe(here.text);
    }
    for (const { name } of ask({ listCollections: 1 })["cursor"].firstBatch as readonly Document[])
      expect(ask({ validate: name, full: true })).toMatchObject({ valid: true, errors: [] });
  });
});
