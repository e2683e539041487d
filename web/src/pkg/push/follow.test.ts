/** Changes of one engine that are brought to another, applied once or twice. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Document } from "bson";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { loadEngine } from "../../engine/load.ts";
import { ask, cursorOf, type Commander } from "../../state/data/ask.ts";
import { Lost } from "../data/driver-place.ts";
import { Engine } from "../engine.ts";
import { Follower } from "./follow.ts";
import { indexesOf } from "./places.ts";
import { Progress } from "./progress.ts";
import { StateFile } from "./state-file.ts";

const folder = mkdtempSync(join(tmpdir(), "quire-follow-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await loadEngine(() => readFile(new URL("../../../wasm/quire_bg.wasm", import.meta.url)));
});

type Between = (command: Document, bytes: Uint8Array, run: (bytes: Uint8Array) => Uint8Array) => Uint8Array;
async function deployment(between?: Between) {
  const engine = await Engine.create();
  const run = (bytes: Uint8Array): Uint8Array => engine.command(bytes);
  const commander: Commander = {
    commandBytes: async (bytes) => (between === undefined ? run(bytes) : between(decode(bytes), bytes, run)),
  };
  const plain: Commander = { commandBytes: async (bytes) => run(bytes) };
  return { ...commander, ask: (name: string, command: Document) => ask(plain, name, command) };
}
type Place = Awaited<ReturnType<typeof deployment>>;

let states = 0;
const stateAt = (name = `state-${(states += 1)}`): StateFile => new StateFile(join(folder, name), "", new Date(0));

/** Follows until all that was changed is there; gives what was told. */
async function follow(from: Place, to: Place, state: StateFile, database: string | null = "garden"): Promise<string[]> {
  const lines: string[] = [];
  const stopping = new AbortController();
  const follower = new Follower({
    from: { place: from, name: "there" },
    to: { place: to },
    database,
    state,
    progress: new Progress({ write: (text) => void lines.push(text.trimEnd()), columns: undefined, now: () => 0 }),
    signal: stopping.signal,
    async caughtUp() {
      stopping.abort();
    },
  });
  await follower.run();
  return lines;
}
const begin = (from: Place, state: StateFile, database: string | null = "garden"): Promise<void> =>
  new Follower({
    from: { place: from, name: "there" },
    to: { place: from },
    database,
    state,
    progress: new Progress({ write: () => undefined, columns: undefined, now: () => 0 }),
    signal: new AbortController().signal,
    caughtUp: async () => undefined,
  }).begin();
const all = async (place: Place, collection: string, database = "garden"): Promise<readonly Document[]> =>
  cursorOf(await place.ask(database, { find: collection, sort: { _id: 1 } })).documents.map((one) =>
    JSON.parse(JSON.stringify(one)),
  );

/** What changes the garden: names change places, which a unique index refuses one after the other. */
async function changed(from: Place): Promise<void> {
  await from.ask("garden", { insert: "teas", documents: [{ _id: 4, n: "dill" }] });
  for (const [id, n] of [
    [1, ""],
    [2, "mint"],
    [1, "sage"],
  ])
    await from.ask("garden", { update: "teas", updates: [{ q: { _id: id }, u: { $set: { n } } }] });
  await from.ask("garden", { delete: "teas", deletes: [{ q: { _id: 3 }, limit: 1 }] });
  await from.ask("garden", { create: "cups", capped: true, size: 4096 });
  await from.ask("garden", { insert: "pots", documents: [{ _id: 1 }] });
  await from.ask("garden", { createIndexes: "pots", indexes: [{ key: { b: 1, a: -1 }, name: "ba" }] });
  await from.ask("garden", { createIndexes: "teas", indexes: [{ key: { z: 1 }, name: "z" }] });
  await from.ask("garden", { dropIndexes: "teas", index: "z" });
  await from.ask("garden", { collMod: "teas", validator: { n: { $type: "string" } } });
  await from.ask("admin", { renameCollection: "garden.pots", to: "garden.jars" });
  await from.ask("garden", { insert: "gone", documents: [{ _id: 1 }] });
  await from.ask("garden", { drop: "gone" });
  await from.ask("other", { insert: "teas", documents: [{ _id: 1 }] });
}

async function both(between?: Between): Promise<{ from: Place; to: Place }> {
  const [from, to] = [await deployment(between), await deployment()];
  const documents = [
    { _id: 1, n: "mint" },
    { _id: 2, n: "sage" },
    { _id: 3, n: "rue" },
  ];
  for (const place of [from, to]) {
    await place.ask("garden", { insert: "teas", documents });
    await place.ask("garden", { createIndexes: "teas", indexes: [{ key: { n: 1 }, name: "n", unique: true }] });
  }
  return { from, to };
}

test("every change is brought, and twice is as once", async () => {
  const { from, to } = await both();
  const state = stateAt();
  await begin(from, state);
  const token = state.kept.token;
  await changed(from);
  for (let time = 0; time < 2; time += 1) {
    expect(await follow(from, to, state)).toEqual([expect.stringMatching(/^\d+ changes applied$/)]);
    expect(await all(to, "teas")).toEqual(await all(from, "teas"));
    expect(await all(to, "jars")).toEqual([{ _id: 1 }]);
    const named = async (place: Place) =>
      cursorOf(await place.ask("garden", { listCollections: 1 })).documents.map(({ name, options }) => [name, options]);
    expect(await named(to)).toEqual(await named(from));
    expect((await indexesOf(to, "garden", "jars")).map(({ key }) => JSON.stringify(key))).toEqual(['{"b":1,"a":-1}']);
    expect((await indexesOf(to, "garden", "teas")).map(({ name }) => name)).toEqual(["n"]);
    expect(await all(to, "teas", "other")).toEqual([]);
    // The token was kept: from the first one on, all of it comes again.
    expect(state.kept.token).not.toBe(token);
    expect(JSON.parse(readFileSync(state.path as string, "utf8")).token).toBe(state.kept.token);
    state.kept.token = token as string;
  }
});

test("a whole deployment is followed over the end of a database", async () => {
  const { from, to } = await both();
  const state = stateAt();
  await begin(from, state, null);
  await from.ask("other", { insert: "teas", documents: [{ _id: 1 }] });
  await from.ask("garden", { dropDatabase: 1 });
  await from.ask("garden", { insert: "beds", documents: [{ _id: 1 }] });
  await follow(from, to, state, null);
  expect([await all(to, "teas", "other"), await all(to, "teas"), await all(to, "beds")]).toEqual([
    [{ _id: 1 }],
    [],
    [{ _id: 1 }],
  ]);
});

test("one database is followed over its end too", async () => {
  const { from, to } = await both();
  const state = stateAt();
  await begin(from, state);
  await from.ask("garden", { dropDatabase: 1 });
  await from.ask("garden", { insert: "beds", documents: [{ _id: 1 }] });
  await follow(from, to, state);
  await follow(from, to, state);
  expect([await all(to, "teas"), await all(to, "beds")]).toEqual([[], [{ _id: 1 }]]);
});

test("a connection that breaks is made anew behind the last change", async () => {
  let broken = 3;
  const { from, to } = await both((command, bytes, run) => {
    if (command["getMore"] !== undefined && (broken -= 1) >= 0) throw new Lost("the connection broke");
    return run(bytes);
  });
  const state = stateAt();
  await begin(from, state);
  await changed(from);
  await follow(from, to, state);
  expect(await all(to, "teas")).toEqual(await all(from, "teas"));
});

test("an older server is followed without what it does not tell", async () => {
  const { from, to } = await both((command, bytes, run) => {
    const [stage] = (command["pipeline"] ?? []) as Document[];
    return (stage?.["$changeStream"] as Document | undefined)?.["showExpandedEvents"] === true
      ? encode({ ok: 0, code: 40415, errmsg: "BSON field '$changeStream.showExpandedEvents' is an unknown field." })
      : run(bytes);
  });
  const state = stateAt();
  await begin(from, state);
  await from.ask("garden", { insert: "teas", documents: [{ _id: 9, n: "nine" }] });
  expect((await follow(from, to, state))[0]).toBe(
    "the source is older than 6.0: indexes that are made there later are not followed",
  );
  expect(await all(to, "teas")).toEqual(await all(from, "teas"));
});

test("a change that is refused here is named", async () => {
  const { from } = await both();
  const to = await deployment((command, bytes, run) =>
    command["create"] === "cups"
      ? encode({ ok: 0, code: 238, errmsg: "'create.timeseries' is not supported" })
      : run(bytes),
  );
  const state = stateAt();
  await begin(from, state);
  await from.ask("garden", { create: "cups" });
  await expect(follow(from, to, state)).rejects.toThrow(
    "create of garden.cups is refused here: 'create.timeseries' is not supported",
  );
});

test("changes that are gone, and a standalone, are told", async () => {
  const refusing = async (code: number): Promise<Place> =>
    (
      await both((command, bytes, run) =>
        command["aggregate"] === 1 ? encode({ ok: 0, code, errmsg: "no" }) : run(bytes),
      )
    ).from;
  const state = stateAt();
  await expect(begin(await refusing(286), state)).rejects.toThrow(
    `there no longer has the changes since this stopped: delete ${state.path} and pull again with --drop`,
  );
  await expect(begin(await refusing(40573), stateAt())).rejects.toThrow(
    "there is a standalone, which has no change streams: pull it without --follow",
  );
});
