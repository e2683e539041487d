/**
 * What the ring, the dial and the pipeline's flow say will happen is what the engine then does.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";
import type { Changer } from "../src/state/data/ask.ts";
import { countedIn, readInsight } from "../src/state/insight.ts";
import { previewPipeline, type StagePreview } from "../src/state/pipeline/preview.ts";
import { readPlan } from "../src/state/plan.ts";
import {
  anotherLike,
  beginningOf,
  measureOf,
  newestOf,
  overwrittenBy,
  readRing,
  sectorsOf,
  writeInto,
} from "../src/state/xray/capped.ts";
import { changeOf, compareIndexes, keepIndexes } from "../src/state/xray/compare.ts";
import { nameOf, patternOf, readKeys } from "../src/state/xray/index-key.ts";
import { countGone, dialEnd, goneBy, readExpiry, resetClock, setClock } from "../src/state/xray/ttl.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

describe.skipIf(!existsSync(wasm))("insides", () => {
  const start = Date.UTC(2030, 0, 1);
  let now = start;
  let run: (command: Document) => Document;
  let changer: Changer;

  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
  });

  beforeEach(async () => {
    now = start;
    const engine = await Engine.create({ now: () => now });
    run = (command) => decode(engine.command(encode({ ...command, $db: "shop" })));
    changer = {
      commandBytes: async (command) => engine.command(command),
      changeBytes: async (command) => engine.command(command),
    };
  });

  const idsOf = (collection: string): unknown[] =>
    (run({ find: collection, batchSize: 10_000 })["cursor"].firstBatch as Document[]).map((each) => each["_id"]);

  test.each([
    ["bytes", { size: 4096 }],
    ["documents", { size: 40_960, max: 9 }],
    ["bytes of a long one", { size: 60_000 }],
    ["documents and bytes", { size: 2048, max: 15 }],
    ["bytes and documents", { size: 1024, max: 60 }],
  ])("the ring overwrites what it said: %s", async (_name, limits) => {
    run({ create: "log", capped: true, ...limits });
    for (let n = 0; n < 700; n += 1) run({ insert: "log", documents: [{ _id: n, line: "x".repeat((n * 37) % 200) }] });
    for (const length of [0, 50, 300, 900, 20]) {
      const ring = await readRing(changer, "shop", "log");
      const before = idsOf("log");
      expect(ring.count).toBe(before.length);
      expect(ring.oldest.map(({ document }) => document["_id"].valueOf())).toEqual(before.slice(0, ring.oldest.length));
      const bytes = [...ring.oldest, ...ring.newest].reduce((sum, each) => sum + each.bytes, ring.between.bytes);
      expect(bytes).toBe(ring.bytes);
      const document = { _id: `new-${length}`, line: "y".repeat(length) };
      const gone = overwrittenBy(ring, encode(document).length);
      const sectors = sectorsOf(ring, gone ?? 0);
      expect(sectors.at(-1)?.to).toBeCloseTo(1, 9);
      expect(sectors.filter(({ isNext }) => isNext)).toHaveLength(gone ?? 0);
      expect(run({ insert: "log", documents: [document] })).toMatchObject({ ok: 1, n: 1 });
      expect(idsOf("log")).toEqual([...before.slice(gone ?? -1), document._id]);
    }
    const ring = await readRing(changer, "shop", "log");
    const most: number = "max" in limits ? limits.max : Infinity;
    const isByDocuments = ring.count / most >= ring.bytes / ring.maxBytes;
    expect(measureOf(ring)).toBe(isByDocuments ? "documents" : "bytes");
    expect([ring.count <= most, ring.bytes <= ring.maxBytes]).toEqual([true, true]);
    const newest = newestOf(ring);
    if (newest === null) throw new Error("there is one");
    const another = anotherLike(newest);
    await writeInto(changer, ring, another.document);
    const after = await readRing(changer, "shop", "log");
    expect(newestOf(after)).toMatchObject({ bytes: another.bytes, record: newest.record + 1 });
    expect(newestOf(after)?.document["_id"]).not.toEqual(newest.document["_id"]);
  });

  test("the ring begins where its first record lay, as it fills, turns and loses some to its other limit", async () => {
    run({ create: "log", capped: true, size: 4096, max: 8 });
    const write = (record: number, length: number): unknown =>
      run({ insert: "log", documents: [{ _id: record, line: "x".repeat(length) }] });
    for (let record = 1; record <= 30; record += 1) {
      // A long one takes the place of several.
      write(record, record === 20 ? 3900 : 10);
      const ring = await readRing(changer, "shop", "log");
      expect(newestOf(ring)?.record).toBe(record);
      expect(ring.oldest.map((each) => each.record)).toEqual(ring.oldest.map((each) => each.document["_id"].valueOf()));
      const begins = beginningOf(ring);
      if (measureOf(ring) !== "documents") {
        expect(begins).toBeNull();
        continue;
      }
      // The newest document lies to the left of the pen: counted from the ring's beginning it is at place `record - 1`.
      const behind = (1 - 1 / 8 - (begins ?? 9) + 1) % 1;
      expect(Math.round(behind * 8) % 8).toBe((record - 1) % 8);
      const oldest = sectorsOf(ring, 0).find(({ place }) => place === 1);
      if (record <= 8) expect(begins).toBeCloseTo(oldest?.from ?? 9, 9);
    }
    run({ delete: "log", deletes: [{ q: { _id: 27 }, limit: 1 }] });
    // A place in the middle is empty: the others are no longer one after another.
    expect(beginningOf(await readRing(changer, "shop", "log"))).toBeNull();
  });

  test("the dial deletes what it said, and only when it is set", async () => {
    const at = (minutes: number): Date => new Date(start + minutes * 60_000);
    run({ createIndexes: "seen", indexes: [{ key: { at: 1 }, name: "at_1", expireAfterSeconds: 3600 }] });
    run({
      insert: "seen",
      documents: [
        ...Array.from({ length: 50 }, (_, n) => ({ _id: n, at: at(n) })),
        { _id: "list", at: [at(500), at(10)] },
        { _id: "text", at: "tomorrow" },
        { _id: "none" },
      ],
    });
    const expiry = await readExpiry(changer, "shop", "seen", "at_1");
    expect(expiry).toMatchObject({ now: start, offset: 0, dated: 51, lasting: 2, field: "at", seconds: 3600 });
    const time = start + 90 * 60_000;
    expect(dialEnd(expiry)).toBeGreaterThan(time);
    const gone = goneBy(expiry, time);
    expect(gone).toBe(32);
    expect(await countGone(changer, expiry, time)).toBe(gone);
    expect(idsOf("seen")).toHaveLength(53);
    await setClock(changer, expiry, time);
    const left = idsOf("seen");
    expect(left).toHaveLength(53 - 32);
    for (const { id, expires } of expiry.documents)
      expect(left.includes((id as { valueOf(): unknown }).valueOf())).toBe(expires > time);
    expect((await readExpiry(changer, "shop", "seen", "at_1")).offset).toBe(time - start);
    await resetClock(changer);
    expect(await readExpiry(changer, "shop", "seen", "at_1")).toMatchObject({ now: start, offset: 0 });
  });

  test("a partial index and a long collection: the engine counts", async () => {
    run({
      createIndexes: "seen",
      indexes: [
        { key: { at: 1 }, name: "at_1", expireAfterSeconds: 0, partialFilterExpression: { gone: { $eq: true } } },
      ],
    });
    run({
      insert: "seen",
      documents: Array.from({ length: 900 }, (_, n) => ({ _id: n, at: new Date(start + n * 1000), gone: n % 3 === 0 })),
    });
    // The pass of the insert's minute has run: what is due by now is there until the next.
    const expiry = await readExpiry(changer, "shop", "seen", "at_1");
    expect(expiry.dated + expiry.lasting).toBe(idsOf("seen").length);
    const time = start + 800_500;
    expect(goneBy(expiry, time)).toBeNull();
    const counted = await countGone(changer, expiry, time);
    const before = idsOf("seen").length;
    await setClock(changer, expiry, time);
    expect(before - idsOf("seen").length).toBe(counted);
  });

  test("an index is tried on a fork, and kept only by keeping it", async () => {
    const documents = Array.from({ length: 600 }, (_, n) => ({ _id: n, kind: n % 30, at: 600 - n }));
    run({ insert: "teas", documents });
    run({ insert: "shops", documents: documents.slice(0, 5) });
    const index = { database: "shop", collection: "teas", keys: [{ kind: 1, at: 1 }] };
    const command = { find: "teas", filter: { kind: 7 }, sort: { at: 1 }, $db: "shop" };
    const { before, after, unused } = await compareIndexes(changer, command, index);
    expect(unused).toEqual([]);
    expect(before.reading).toMatchObject({ keysExamined: 0, documentsExamined: 600, returned: 20, verdict: "scan" });
    expect(after.reading).toMatchObject({ keysExamined: 20, documentsExamined: 20, returned: 20, verdict: "exact" });
    expect(before.reading.notes.map(({ kind }) => kind)).toEqual(["sorted"]);
    expect(after.reading.notes).toEqual([]);
    expect(changeOf(600, 20).less).toBe(30);
    const names = (): unknown[] =>
      (run({ listIndexes: "teas" })["cursor"].firstBatch as Document[]).map((each) => each["name"]);
    expect(names()).toEqual(["_id_"]);
    // One that does not help, of a key that cannot be made, and for a collection that a pipeline joins.
    const other = { ...index, keys: [{ other: 1 }, ...index.keys] };
    expect((await compareIndexes(changer, command, other)).unused).toEqual(["other_1"]);
    const refused = { ...index, keys: [...index.keys, { kind: "nonsense" }] };
    await expect(compareIndexes(changer, command, refused)).rejects.toThrow(/nonsense/);
    const join = { $lookup: { from: "teas", localField: "kind", foreignField: "kind", as: "found" } };
    const joined = await compareIndexes(changer, { aggregate: "shops", pipeline: [join], cursor: {} }, index);
    expect(joined.unused).toEqual([]);
    expect(joined.before.reading.documentsExamined).toBe(5 + 5 * 600);
    expect(joined.after.reading.documentsExamined).toBe(5 + 5 * 20);
    expect(names()).toEqual(["_id_"]);
    await keepIndexes(changer, index);
    expect(names()).toEqual(["_id_", "kind_1_at_1"]);
  });

  test.each<[Document, Document, readonly string[]]>([
    [{ $or: [{ a: 1 }, { b: 1 }] }, {}, ["a_1", "b_1"]],
    [
      {
        $or: [
          { a: { $gt: 8 }, b: 2 },
          { c: 1, d: { $gt: 90 } },
        ],
      },
      {},
      ["b_1_a_1", "c_1_d_1"],
    ],
    [{ $or: [{ a: 1 }, { b: 1 }] }, { sort: { d: -1 } }, ["a_1_d_-1", "b_1_d_-1"]],
    [{ $and: [{ $or: [{ a: 1 }, { b: 1 }] }] }, {}, ["a_1", "b_1"]],
    [{ $or: [{ $or: [{ a: 1 }, { b: 1 }] }, { c: 2 }] }, {}, ["a_1", "b_1", "c_1"]],
    // What has to hold besides is found by one index.
    [{ d: 5, $or: [{ a: 1 }, { b: 1 }] }, {}, ["d_1"]],
    // One branch can be looked up already.
    [{ $or: [{ e: 1 }, { b: 1 }] }, {}, ["b_1"]],
    [{ $or: [{ _id: 1 }, { b: 1 }] }, {}, ["b_1"]],
    [{ $or: [{ a: 1 }, { $expr: { $eq: ["$b", 1] } }] }, {}, []],
  ])("indexes for %j %j help together", async (filter, rest, names) => {
    if (run({ count: "either" })["n"] === 0) {
      const documents = Array.from({ length: 900 }, (_, n) => ({
        _id: n,
        a: n % 10,
        b: (n * 7) % 11,
        c: (n * 3) % 13,
        d: n % 100,
        e: n % 17,
      }));
      run({ insert: "either", documents });
      run({ createIndexes: "either", indexes: [{ key: { e: 1 }, name: "e_1" }] });
    }
    const command = { find: "either", filter, ...rest, batchSize: 1000 };
    const known = [{ key: { _id: 1 } }, { key: { e: 1 } }].map((one) => ({
      ...one,
      hidden: false,
      partial: false,
      sparse: false,
    }));
    const { observed } = run({ quireObserve: 1, command }) as { observed: Document };
    const plan = readPlan(observed["explain"]);
    const suggestion = plan === null ? null : readInsight(plan, countedIn(observed), known).suggestion;
    expect((suggestion?.keys ?? []).map(patternOf).map(nameOf)).toEqual(names);
    if (suggestion === null) return;
    const keys = suggestion.keys.map(patternOf);
    const compared = await compareIndexes(changer, command, { database: "shop", collection: "either", keys });
    expect(compared.unused).toEqual([]);
    expect(compared.after.reading.documentsExamined).toBeLessThan(compared.before.reading.documentsExamined ?? 0);
    expect(compared.after.reading).toMatchObject({ suggestion: null, isWrong: false });
    expect(compared.after.reading.notes.some(({ kind }) => kind === "sorted")).toBe(false);
  });

  test.each([
    ["{ a: 1 }", { a: 1 }],
    ["a", { a: 1 }],
    ["a, b: -1", { a: 1, b: -1 }],
    ['{ "origin.country": -1, b: "hashed" }', { "origin.country": -1, b: "hashed" }],
    ["", null],
    ["{}", null],
    ["{ a: 2 }", null],
    ["a: 1, a: 1", null],
    ["{ a: { b: 1 } }", null],
    ["a: 'nonsense'", null],
  ])("a typed key: %s", (text, key) => expect(readKeys(text)).toEqual(key === null ? null : [key]));

  test.each([
    ["{ a: 1 }, { b: -1 }", [{ a: 1 }, { b: -1 }]],
    ['{ a: 1 } { "a.b": 1, c: 1 }', [{ a: 1 }, { "a.b": 1, c: 1 }]],
    ["{ a: 1 }, { a: 1 }", null],
    ["{ a: 1 }, {}", null],
    ["{ a: 1 }, b", null],
  ])("typed keys: %s", (text, keys) => expect(readKeys(text)).toEqual(keys));

  test("each stage's sample and count are those of its beginning", async () => {
    run({ insert: "teas", documents: Array.from({ length: 90 }, (_, n) => ({ _id: n, kind: n % 4, tags: [1, 2] })) });
    const pipeline = [{ $match: { kind: { $lt: 2 } } }, { $unwind: "$tags" }, { $group: { _id: "$kind" } }];
    const previews = async (
      stages: readonly Document[],
      collection: string | null = "teas",
    ): Promise<StagePreview[]> => {
      const all: StagePreview[] = [];
      for await (const one of previewPipeline(changer, { database: "shop", collection, pipeline: stages, options: {} }))
        all.push(one);
      return all;
    };
    const read = await previews(pipeline);
    expect(read.map(({ name, count }) => [name, count])).toEqual([
      [null, 90],
      ["$match", 46],
      ["$unwind", 92],
      ["$group", 2],
    ]);
    for (const { at, documents } of read) {
      const { cursor } = run({ aggregate: "teas", pipeline: pipeline.slice(0, at), cursor: {} }) as {
        cursor: Document;
      };
      expect(documents.map((each) => String(each["_id"]))).toEqual(
        (cursor["firstBatch"] as Document[]).slice(0, documents.length).map((each) => String(each["_id"])),
      );
    }
    // A stage that writes is not run.
    const written = await previews([...pipeline, { $out: "copy" }, { $match: {} }]);
    expect(written.at(-1)).toMatchObject({ name: "$out", refusal: { kind: "writes" } });
    expect(run({ listCollections: 1 })["cursor"].firstBatch).toHaveLength(1);
    // One that is refused ends the row with the engine's words; a pipeline of no collection begins with its stage.
    expect((await previews([{ $nonsense: 1 }])).at(-1)).toMatchObject({ refusal: { kind: "failed" } });
    expect((await previews([{ $documents: [{ a: 1 }] }], null)).map(({ count }) => count)).toEqual([1]);
    expect((await previews([{ $collStats: { count: {} } }])).map(({ name }) => name)).toEqual(["$collStats"]);
  });
});
