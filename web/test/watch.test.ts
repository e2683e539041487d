/** The change stream of the Watch panel over an engine: both documents of an event, its ends, and going on. */
import { readFileSync } from "node:fs";
import type { Document } from "bson";
import { beforeAll, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";
import { differenceOf } from "../src/state/watch/difference.ts";
import { documentIn, type WatchEvent } from "../src/state/watch/event.ts";
import { keepImages, obstacleOf, WatchStream } from "../src/state/watch/stream.ts";

beforeAll(() => loadEngine(() => readFileSync(new URL("../wasm/quire_bg.wasm", import.meta.url))));

/** An engine whose `getMore` waits for writes, as the worker's does, and a stream over it. */
async function setUp(topology: "replicaSet" | "standalone" = "replicaSet") {
  const engine = await Engine.create({ topology });
  const waiting = new Set<() => void>();
  const spoilt: number[] = [];
  const reached: string[] = [];
  /** The code of every error of `getMore`. */
  const failing: { code?: number } = {};
  const wake = (): void => {
    for (const go of [...waiting]) go();
    waiting.clear();
  };
  const commandBytes = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const command = decode(bytes);
    const isMore = "getMore" in command;
    if (!isMore) wake();
    for (;;) {
      const code = "getMore" in command || "aggregate" in command ? spoilt.shift() : undefined;
      if (code !== undefined) return encode({ ok: 0, code, errmsg: "no" });
      if (isMore && failing.code !== undefined) return encode({ ok: 0, code: failing.code, errmsg: "no" });
      const reply = engine.command(bytes.slice());
      const cursor = decode(reply)["cursor"] as Document | undefined;
      if (!isMore || cursor === undefined || cursor["nextBatch"].length > 0 || String(cursor["id"]) === "0")
        return reply;
      await new Promise<void>((go) => waiting.add(go));
    }
  };
  const commander = { commandBytes, changeBytes: (bytes: Uint8Array) => commandBytes(bytes) };
  const ask = async (command: Document): Promise<Document> =>
    decode(await commandBytes(encode({ ...command, $db: command["$db"] ?? "d" })));
  const events: WatchEvent[] = [];
  const told: unknown[] = [];
  let heard: (() => void) | null = null;
  const tell = (what: unknown): void => {
    told.push(what);
    heard?.();
  };
  const stream = new WatchStream(
    commander,
    { database: "d", collection: "c" },
    {
      opened: (images) => tell(images ? "open with images" : "open"),
      came: (more) => {
        events.push(...more);
        heard?.();
      },
      reached: (token) => reached.push(token),
      ended: () => tell("ended"),
      failed: (error) => tell(obstacleOf(error)),
    },
  );
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise<void>((go) => (heard = go));
  };
  const open = async (): Promise<number> =>
    Number(((await ask({ serverStatus: 1 })) as Document)["metrics"]["cursor"]["open"]["total"]);
  return { ask, commander, stream, events, told, until, open, spoilt, reached, failing };
}

test("events come as they are written, with both documents once they are kept; closing ends the cursor", async () => {
  const { ask, commander, stream, events, told, until, open } = await setUp();
  await ask({ create: "c" });
  void stream.follow(null);
  await until(() => told.length === 1);
  await ask({ insert: "c", documents: [{ _id: 1, n: 1 }] });
  await ask({ update: "c", updates: [{ q: { _id: 1 }, u: { $set: { n: 2 } } }] });
  await until(() => events.length === 2);
  expect(events.map(({ kind, looked }) => [kind, looked])).toEqual([
    ["insert", false],
    ["update", true],
  ]);
  expect(documentIn(events[1]?.parts ?? [], "fullDocumentBeforeChange")).toBeNull();

  await keepImages(commander, { database: "d", collection: "c" });
  await until(() => told.length === 2);
  await ask({ update: "c", updates: [{ q: { _id: 1 }, u: { $set: { n: 3 } } }] });
  await until(() => events.length === 4);
  const { parts = [], operation, looked } = events[3] ?? {};
  const [before, after] = ["fullDocumentBeforeChange", "fullDocument"].map((name) => documentIn(parts, name));
  expect([operation, looked, told]).toEqual(["update", false, ["open", "open with images"]]);
  expect(differenceOf(before ?? new Uint8Array(), after ?? new Uint8Array()).fields).toMatchObject([
    { field: "n", before: { value: 2 }, after: { value: 3 } },
  ]);
  expect(await open()).toBe(1);
  stream.close();
  expect(await open()).toBe(0);
});

test("it goes on behind a pause and an error, and behind the end of a dropped collection", async () => {
  const { ask, stream, events, told, until, spoilt } = await setUp();
  await ask({ create: "c" });
  void stream.follow(null);
  await until(() => told.length === 1);
  stream.close();
  await ask({ insert: "c", documents: [{ _id: 1 }, { _id: 2 }] });
  void stream.follow(stream.token);
  await until(() => events.length === 2);
  // A cursor that the engine has closed.
  spoilt.push(43);
  await ask({ insert: "c", documents: [{ _id: 3 }] });
  await until(() => events.length === 3);
  await ask({ drop: "c" });
  await until(() => told.includes("ended"));
  expect(events.map(({ operation }) => operation)).toEqual(["insert", "insert", "insert", "drop", "invalidate"]);
  void stream.follow(stream.token);
  await until(() => told.filter((what) => what === "open").length === 4);
  // A pause before anything came behind the end, or a reload there.
  stream.close();
  void stream.follow(stream.token);
  await ask({ insert: "c", documents: [{ _id: 4 }] });
  await until(() => events.at(-1)?.key === "_id: 4");
  spoilt.push(43, 43, 43, 43, 43);
  await ask({ insert: "c", documents: [{ _id: 5 }] });
  await until(() => told.includes("other"));
});

test("a cursor whose every getMore fails is not opened for ever", async () => {
  const { ask, stream, told, until, failing } = await setUp();
  await ask({ create: "c" });
  failing.code = 43;
  void stream.follow(null);
  await until(() => told.includes("other"));
  expect(told).toEqual(["open", "open", "open", "open", "other"]);
});

test("a collection that is made while it is watched may keep its documents from the start", async () => {
  const { ask, stream, events, told, until } = await setUp();
  void stream.follow(null);
  await until(() => told.length === 1);
  await ask({ create: "c", changeStreamPreAndPostImages: { enabled: true } });
  await until(() => told.length === 2);
  await ask({ insert: "c", documents: [{ _id: 1 }] });
  await ask({ update: "c", updates: [{ q: { _id: 1 }, u: { $set: { n: 3 } } }] });
  await until(() => events.length === 3);
  expect([told, events.map(({ operation, looked }) => [operation, looked])]).toEqual([
    ["open", "open with images"],
    [
      ["create", false],
      ["insert", false],
      ["update", false],
    ],
  ]);
});

test("what cannot go on says why", async () => {
  const { ask, stream, told, until } = await setUp();
  await ask({ create: "c" });
  void stream.follow(null);
  await until(() => told.length === 1);
  await ask({ quireOplog: 1, enabled: false, $db: "admin" });
  await until(() => told.includes("history"));
  const alone = await setUp("standalone");
  void alone.stream.follow(null);
  await alone.until(() => alone.told.length === 1);
  expect(alone.told).toEqual(["standalone"]);
});

test("an event larger than a reply has both documents, and only what differs is decoded", async () => {
  const { ask, stream, events, told, until, reached } = await setUp();
  await ask({ quireOplog: 1, enabled: true, size: 64 * 1024 * 1024, $db: "admin" });
  await ask({ create: "c", changeStreamPreAndPostImages: { enabled: true } });
  await ask({ insert: "c", documents: [{ _id: 1, n: 1, text: "x".repeat(10_000_000) }] });
  void stream.follow(null);
  await until(() => told.length === 1);
  await ask({ update: "c", updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] });
  await until(() => events.length === 1);
  // No place between the fragments is kept: behind a reload their event would be lacking.
  expect(reached).toEqual([reached[0], stream.token]);
  const { parts = [], bytes = 0 } = events[0] ?? {};
  expect(parts.length).toBeGreaterThan(1);
  expect(bytes).toBeGreaterThan(20_000_000);
  const [before, after] = ["fullDocumentBeforeChange", "fullDocument"].map((name) => documentIn(parts, name));
  expect(differenceOf(before ?? new Uint8Array(), after ?? new Uint8Array()).fields).toHaveLength(1);
});
