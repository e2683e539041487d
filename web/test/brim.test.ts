/**
 * An engine that is filled to its cap, or whose browser gives it no more memory, refuses what does not fit and goes on;
 * an engine that ends leaves the others as they are.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Binary, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import type { MakeGlue } from "../src/engine/bindings.ts";
import { DocumentEngine as OpenEngine } from "../src/engine/document-engine.ts";
import { makeHost } from "../src/engine/host.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));
const CAP = 96 * 2 ** 20;
const SIZE = 15_000_000;

/** Bytes that differ from number to number and from place to place. */
function bytesOf(number: number, size = SIZE): Uint8Array {
  const words = new Uint32Array(size / 4);
  let state = (number * 2_654_435_761 + 12_345) >>> 0;
  for (let at = 0; at < words.length; at += 1) words[at] = state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return new Uint8Array(words.buffer);
}

async function opened(maxMemoryBytes?: number): Promise<(command: Document) => Document> {
  await loadEngine(() => readFileSync(wasm));
  const engine = await Engine.create(maxMemoryBytes === undefined ? {} : { maxMemoryBytes });
  return (command) => decode(engine.command(encode({ ...command, $db: "shop" })));
}

/** An engine of such code, in a memory that no other engine shares, behind so many pages of it that are not used. */
async function inMemoryOfItsOwn(
  code: Uint8Array<ArrayBuffer>,
  unusedPages = 0,
): Promise<{ engine: OpenEngine; memory: WebAssembly.Memory; run: (command: Document) => Document }> {
  const { makeGlue } = (await import("../wasm/engine-glue.js")) as { makeGlue: MakeGlue };
  const compiled = await WebAssembly.compile(code);
  const glue = makeGlue();
  const { QuireEngine, memory } = glue.begin(await WebAssembly.instantiate(compiled, glue.imports), compiled);
  memory.grow(unusedPages);
  const engine = new OpenEngine(QuireEngine.openMemory(makeHost()), memory);
  return { engine, memory, run: (command) => engine.runDocument("shop", command) };
}

describe.skipIf(!existsSync(wasm))("an engine at its cap", () => {
  test("refuses what does not fit, keeps what it has, and takes more once there is room", {
    timeout: 120_000,
  }, async () => {
    const run = await opened(CAP);
    const insert = (id: number): Document => run({ insert: "c", documents: [{ _id: id, b: new Binary(bytesOf(id)) }] });
    const isUnaltered = (id: number): boolean => {
      const [document] = (run({ find: "c", filter: { _id: id } })["cursor"] as { firstBatch: { b: Binary }[] })
        .firstBatch;
      return document !== undefined && Buffer.compare(document.b.buffer, bytesOf(id)) === 0;
    };
    let held = 0;
    let refused: Document | null = null;
    for (; refused === null && held < 20; held += 1) {
      const reply = insert(held);
      if (reply["ok"] !== 1) refused = reply;
    }
    held -= 1;
    expect(refused).toMatchObject({ ok: 0, code: 146, codeName: "ExceededMemoryLimit" });
    expect(held * SIZE).toBeGreaterThan(CAP / 2);
    for (let id = 0; id < held; id += 1) expect(isUnaltered(id)).toBe(true);
    expect(run({ count: "c" })).toMatchObject({ ok: 1, n: held });
    expect(run({ validate: "c", full: true })).toMatchObject({ ok: 1, valid: true, nrecords: held });
    // Neither many small ones nor an index nor a copy get past it.
    const small = Array.from({ length: 20_000 }, (_, n) => ({ _id: 1000 + n, text: "x".repeat(1000) }));
    let many: Document = { ok: 1 };
    for (let turn = 0; turn < 20 && many["ok"] === 1; turn += 1)
      many = run({ insert: `small${turn}`, documents: small });
    expect(many).toMatchObject({ ok: 0, code: 146 });
    expect(run({ aggregate: "c", pipeline: [{ $out: "copy" }], cursor: {} })).toMatchObject({ ok: 0, code: 146 });
    expect(run({ delete: "c", deletes: [{ q: { _id: { $lt: 2 } }, limit: 0 }] })).toMatchObject({ ok: 1, n: 2 });
    expect(insert(100)).toMatchObject({ ok: 1, n: 1 });
    for (let id = 2; id < held; id += 1) expect(isUnaltered(id)).toBe(true);
    expect(isUnaltered(100)).toBe(true);
    expect(run({ dropDatabase: 1 })).toMatchObject({ ok: 1 });
    // The heap has grown meanwhile, and keeps a sixteenth of itself ahead.
    for (let id = 0; id < held - 1; id += 1) expect(insert(id)).toMatchObject({ ok: 1, n: 1 });
  });

  test("has a cap that can be had", async () => {
    for (const maxMemoryBytes of [0, 1000, 4 * 2 ** 30, 1.5, Number.NaN])
      await expect(Engine.create({ maxMemoryBytes })).rejects.toThrow(RangeError);
  });
});

/** A number as WebAssembly writes it. */
function leb(number: number): number[] {
  const low = number & 0x7f;
  return number < 0x80 ? [low] : [low | 0x80, ...leb(number >>> 7)];
}

/**
 * The engine's code with a memory that `memory.grow` refuses to grow beyond so many pages, as a browser does that has
 * no more.
 */
function withMostPages(code: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const read = (at: number): [number, number] => {
    let [value, shift, byte] = [0, 0, 0x80];
    for (; byte >= 0x80; at += 1, shift += 7) value |= ((byte = code[at] ?? 0) & 0x7f) << shift;
    return [value, at];
  };
  for (let at = 8; at < code.length; ) {
    const id = code[at];
    const [length, start] = read(at + 1);
    if (id === 5) {
      expect([code[start], code[start + 1]]).toEqual([1, 0]);
      const memory = [1, 1, ...leb(read(start + 2)[0]), ...leb(pages)];
      return Uint8Array.from([
        ...code.subarray(0, at),
        5,
        ...leb(memory.length),
        ...memory,
        ...code.subarray(start + length),
      ]);
    }
    at = start + length;
  }
  throw new Error("the engine has no memory of its own");
}

/** So many sizes at which memory ends, in megabytes. */
function ends(count: number, seed: number): readonly number[] {
  const fixed = [64, 101.5, 216.0625, 82, 127.9375, 171.75, 300.25, 400];
  const words = new Uint32Array(bytesOf(seed, 4 * Math.max(4, count)).buffer);
  const others = [...words].map((word) => 64 + (word % (336 * 16)) / 16);
  return [...fixed, ...others].slice(0, count);
}

describe.skipIf(!existsSync(wasm))("an engine whose browser gives it no more memory", () => {
  /**
   * Where memory ends, in megabytes: early, late, and at no whole one. `QUIRE_ENDS` asks for so many of all, and for
   * others by `QUIRE_SEED` behind them.
   */
  const ENDS = ends(Number(process.env["QUIRE_ENDS"] ?? 3), Number(process.env["QUIRE_SEED"] ?? 1));
  const EACH = 700_000;
  const MEGABYTE = 16;
  /** What an expression over one document gives. */
  const ofNumbers = (n: Document): Document => ({
    aggregate: "c",
    pipeline: [{ $limit: 1 }, { $project: { n } }],
    cursor: {},
  });
  const UNWOUND = [{ $limit: 1 }, { $project: { a: { $range: [0, 2_000_000] } } }, { $unwind: "$a" }];
  /** A megabyte of one letter. */
  const LONG = {
    $reduce: { input: { $range: [0, 20] }, initialValue: "x", in: { $concat: ["$$value", "$$value"] } },
  };
  /** Each of them takes memory by the megabyte, in one piece or in many. */
  const GREEDY: readonly Document[] = [
    { find: "c", batchSize: 1000 },
    { find: "c", sort: { b: -1 }, batchSize: 1000 },
    {
      aggregate: "c",
      pipeline: [{ $group: { _id: null, all: { $push: "$$ROOT" } } }, { $project: { n: { $size: "$all" } } }],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [
        { $limit: 1 },
        { $project: { n: { $size: { $map: { input: { $range: [0, 6_000_000] }, in: { $add: ["$$this", 1] } } } } } },
      ],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [
        { $limit: 1 },
        {
          $project: {
            n: {
              $strLenBytes: {
                $reduce: { input: { $range: [0, 24] }, initialValue: "x", in: { $concat: ["$$value", "$$value"] } },
              },
            },
          },
        },
      ],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [
        { $setWindowFields: { sortBy: { _id: 1 }, output: { all: { $push: "$b", window: { documents: [-9, 0] } } } } },
        { $count: "n" },
      ],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [
        { $group: { _id: null, all: { $push: "$b" }, other: { $push: "$$ROOT" } } },
        { $project: { n: { $size: { $concatArrays: ["$all", "$other", "$all"] } } } },
      ],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [
        { $group: { _id: { $mod: ["$_id", 2] }, all: { $addToSet: "$b" } } },
        { $unwind: "$all" },
        { $sort: { all: 1 } },
        { $count: "n" },
      ],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [
        { $facet: { a: [{ $project: { b: 1 } }], b: [{ $sort: { b: 1 } }, { $limit: 40 }] } },
        { $project: { n: { $size: "$a" } } },
      ],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [{ $lookup: { from: "c", pipeline: [], as: "all" } }, { $project: { n: { $size: "$all" } } }],
      cursor: {},
    },
    ofNumbers({ $size: { $sortArray: { input: { $range: [0, 3_000_000] }, sortBy: -1 } } }),
    ofNumbers({ $size: { $setUnion: [{ $range: [0, 2_000_000] }, { $range: [5, 2_000_000] }] } }),
    ofNumbers({
      $size: { $zip: { inputs: [{ $range: [0, 1_000_000] }, { $reverseArray: { $range: [0, 1_000_000] } }] } },
    }),
    ofNumbers({ $size: { $zip: { inputs: Array.from({ length: 60 }, () => ({ $range: [0, 60_000] })) } } }),
    ofNumbers({ $size: { $setUnion: Array.from({ length: 20 }, () => ({ $range: [0, 200_000] })) } }),
    ofNumbers({ $size: { $reverseArray: { $slice: [{ $range: [0, 4_000_000] }, 3_000_000] } } }),
    ofNumbers({ $size: { $minN: { n: 1_000_000, input: { $range: [0, 3_000_000] } } } }),
    ofNumbers({ $strLenBytes: { $replaceAll: { input: LONG, find: "x", replacement: "0123456789" } } }),
    {
      aggregate: "c",
      pipeline: [...UNWOUND, { $group: { _id: "$a" } }, { $count: "n" }],
      cursor: {},
    },
    {
      aggregate: "c",
      pipeline: [
        ...UNWOUND,
        { $sort: { a: -1 } },
        { $group: { _id: null, all: { $push: "$a" } } },
        { $project: { n: { $size: "$all" } } },
      ],
      cursor: {},
    },
    { distinct: "c", key: "b" },
    { aggregate: "c", pipeline: [{ $out: "copy" }], cursor: {} },
    { createIndexes: "c", indexes: [{ key: { b: 1 }, name: "b" }] },
    { update: "c", updates: [{ q: {}, u: [{ $set: { more: "$b" } }], multi: true }] },
    { insert: "c", documents: [{ _id: -1, b: new Binary(bytesOf(1)) }] },
    { validate: "c", full: true },
  ];

  test("refuses what does not fit where memory ends early, and goes on", { timeout: 600_000 }, async () => {
    const code = readFileSync(wasm);
    for (const megabytes of ENDS) {
      // Not always at the end of a megabyte.
      const pages = Math.floor(megabytes * MEGABYTE) + (Math.floor(megabytes) % 7);
      const { engine, memory, run } = await inMemoryOfItsOwn(withMostPages(code, pages));
      const insert = (id: number): Document =>
        run({ insert: "c", documents: [{ _id: id, b: new Binary(bytesOf(id, EACH)) }] });
      const isUnaltered = (id: number): boolean => {
        const reply = run({ find: "c", filter: { _id: id } });
        const [document] = (reply["cursor"] as { firstBatch: { b: Binary }[] }).firstBatch;
        return document !== undefined && Buffer.compare(document.b.buffer, bytesOf(id, EACH)) === 0;
      };
      let held = 0;
      let refused = insert(held);
      while (refused["ok"] === 1) refused = insert((held += 1));
      expect(refused, `at ${pages} pages`).toMatchObject({ ok: 0, code: 146 });
      for (let turn = 0; turn < 2; turn += 1) {
        for (const command of GREEDY) {
          const reply = run(command);
          const told = `${JSON.stringify(command).slice(0, 120)} at ${pages} pages: ${String(reply["errmsg"])}`;
          expect([undefined, 146, 292, 10334, 16493, 17217], told).toContain(reply["code"]);
          if (command["insert"] !== undefined && reply["ok"] === 1)
            run({ delete: "c", deletes: [{ q: { _id: -1 }, limit: 1 }] });
          expect(run({ count: "c" }), told).toMatchObject({ ok: 1, n: held });
        }
        for (let id = 0; id < held; id += 1) expect(isUnaltered(id)).toBe(true);
        // Half of the documents go, and there is room again.
        const gone = run({ delete: "c", deletes: [{ q: { _id: { $gte: held >> 1 } }, limit: 0 }] });
        expect(gone).toMatchObject({ ok: 1, n: held - (held >> 1) });
        held >>= 1;
        expect(insert(held)).toMatchObject({ ok: 1, n: 1 });
        held += 1;
      }
      expect(memory.buffer.byteLength).toBeLessThanOrEqual(pages * 2 ** 16);
      engine.close();
    }
  });
});

describe.skipIf(!existsSync(wasm))("an engine asked for more than any memory", () => {
  const MEBIBYTE = 2 ** 20;
  /** How many times as much a long run stores, so that the engine has gigabytes of its own. */
  const TIMES = process.env["QUIRE_ENDS"] === undefined ? 1 : 4;
  /** The bytes of a stored document. */
  const LENGTH = 200_000;
  const times = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);
  const range = (count: number): Document => ({ $range: [{ $subtract: ["$_id", 1] }, count] });
  /** So many strings of four megabytes, no two of them the same. */
  const strings = (count: number): Document => ({
    $map: {
      input: range(count),
      in: {
        $concat: [
          { $reduce: { input: range(22), initialValue: "x", in: { $concat: ["$$value", "$$value"] } } },
          { $toString: { $rand: {} } },
        ],
      },
    },
  });
  /** Columns whose items took gigabytes as lists. */
  const zipped = { $size: { $zip: { inputs: times(200, range(400_000)) } } };
  const numbers = TIMES * 187_500;
  const united = { $size: { $setUnion: times(20, range(numbers)) } };
  const long = { $size: { $setUnion: times(7, strings(15)) } };

  const one = (run: (command: Document) => Document, n: Document): Document =>
    run({ aggregate: "one", pipeline: [{ $project: { _id: 0, n } }], cursor: {} });

  /** Stores so many megabytes in `c`, by keys that are not in order. */
  function fill(run: (command: Document) => Document, megabytes: number): number {
    expect(run({ insert: "one", documents: [{ _id: 1 }] })).toMatchObject({ ok: 1 });
    const count = Math.floor((megabytes * 1e6) / LENGTH);
    const text = "y".repeat(LENGTH - 100);
    for (let from = 0; from < count; from += 100) {
      const documents = Array.from({ length: Math.min(100, count - from) }, (_, n) => ({
        _id: from + n,
        k: ((from + n) * 7919) % count,
        s: text + String(count - from - n).padStart(8, "0"),
      }));
      expect(run({ insert: "c", documents })).toMatchObject({ ok: 1, n: documents.length });
    }
    return count;
  }

  /** The ids of the first documents of a reply. */
  const ids = (reply: Document): unknown =>
    (reply["cursor"] as { firstBatch: Document[] } | undefined)?.firstBatch.map((each) => each["_id"] as unknown);

  /** The sorts of a whole collection, which end with their first batch. */
  function sorts(run: (command: Document) => Document, count: number, isDone: boolean): void {
    const first = [0, 1].map((k) =>
      Array.from({ length: count }, (_, id) => id).find((id) => (id * 7919) % count === k),
    );
    const whole = { find: "c", sort: { k: 1 }, batchSize: 2, singleBatch: true };
    for (const command of [
      whole,
      { ...whole, limit: count - 5 },
      { aggregate: "c", pipeline: [{ $sort: { k: 1 } }, { $limit: count - 5 }, { $limit: 2 }], cursor: {} },
      { aggregate: "c", pipeline: [{ $sort: { k: 1 } }], cursor: { batchSize: 2 } },
    ]) {
      const reply = run(command);
      const told = `${JSON.stringify(command)}: ${String(reply["errmsg"])}`;
      if (isDone) expect(ids(reply), told).toEqual(first);
      else expect([undefined, 146], told).toContain(reply["code"]);
    }
    const explained = run({ explain: { find: "c", sort: { k: 1 } }, verbosity: "executionStats" });
    expect(explained).toMatchObject({ ok: 1, executionStats: { executionSuccess: isDone } });
  }

  /** Indexes of every kind: made, or refused with nothing left of them. */
  function builds(run: (command: Document) => Document, isDone: boolean): void {
    const indexes: Document[] = [
      { key: { s: 1 }, name: "plain" },
      { key: { s: -1, k: 1 }, name: "unique", unique: true },
      { key: { "$**": 1 }, name: "wildcard" },
    ];
    for (const index of indexes) {
      const reply = run({ createIndexes: "c", indexes: [index] });
      const told = `${String(index["name"])}: ${String(reply["errmsg"])}`;
      expect(reply["code"], told).toBe(isDone ? undefined : 146);
      const listed = (run({ listIndexes: "c" })["cursor"] as { firstBatch: unknown[] }).firstBatch;
      expect(listed.length, told).toBe(isDone ? 2 : 1);
      if (isDone) expect(run({ dropIndexes: "c", index: index["name"] })).toMatchObject({ ok: 1 });
    }
  }

  test("sorts what fits", { timeout: 300_000 }, async () => {
    const run = await opened(TIMES * 512 * MEBIBYTE);
    const count = fill(run, TIMES * 155);
    sorts(run, count, true);
    const forked = run({ quireFork: 1, commands: [{ createIndexes: "c", indexes: [{ key: { s: 1 }, name: "s" }] }] });
    expect(forked).toMatchObject({ ok: 1, replies: [{ ok: 1 }] });
    expect(one(run, zipped)).toMatchObject({ ok: 0, code: 146 });
    expect(one(run, long)).toMatchObject({ ok: 0, code: 146 });
    expect(run({ find: "one", filter: { $expr: { $gt: [long, 1] } } })).toMatchObject({ ok: 0, code: 146 });
    expect(run({ validate: "c" })).toMatchObject({ ok: 1, valid: true, nrecords: count });
  });

  test("indexes what fits", { timeout: 300_000 }, async () => {
    const run = await opened(TIMES * 768 * MEBIBYTE);
    const count = fill(run, TIMES * 155);
    builds(run, true);
    expect(ids(run({ find: "c", sort: { s: 1 }, batchSize: 1, singleBatch: true }))).toEqual([count - 1]);
    expect(one(run, united)["cursor"]).toMatchObject({ firstBatch: [{ n: numbers }] });
    expect(run({ count: "c" })).toMatchObject({ ok: 1, n: count });
  });

  test("works above 2 GiB as below", { timeout: 300_000 }, async () => {
    // Nobody writes to these pages, so that they cost nothing; what the engine asks for lies behind them.
    const { engine, memory, run } = await inMemoryOfItsOwn(readFileSync(wasm), 2 ** 15);
    const count = fill(run, 40);
    sorts(run, count, true);
    builds(run, true);
    expect(ids(run({ find: "c", sort: { s: 1 }, batchSize: 1, singleBatch: true }))).toEqual([count - 1]);
    const some = { $size: { $setUnion: times(4, range(50_000)) } };
    expect(one(run, some)["cursor"]).toMatchObject({ firstBatch: [{ n: 50_000 }] });
    expect(run({ validate: "c", full: true })).toMatchObject({ ok: 1, valid: true, nrecords: count });
    expect(memory.buffer.byteLength).toBeGreaterThan(2 ** 31 + 100e6);
    engine.close();
  });

  test("refuses what does not fit 256 MiB", { timeout: 300_000 }, async () => {
    const run = await opened(256 * MEBIBYTE);
    const count = fill(run, 200);
    sorts(run, count, false);
    builds(run, false);
    for (const [name, expression] of Object.entries({ zipped, united, long })) {
      const reply = one(run, expression);
      expect([undefined, 146], `${name}: ${String(reply["errmsg"])}`).toContain(reply["code"]);
    }
    expect(run({ count: "c" })).toMatchObject({ ok: 1, n: count });
    expect(run({ validate: "c" })).toMatchObject({ ok: 1, valid: true, nrecords: count });
  });
});

describe.skipIf(!existsSync(wasm))("an engine that ends", () => {
  test("leaves the others of its realm as they are", async () => {
    const healthy = await opened();
    expect(healthy({ insert: "c", documents: [{ _id: 1 }] })).toMatchObject({ ok: 1 });
    const { module, memory } = await loadEngine(() => readFileSync(wasm));
    const engine = new OpenEngine(module.QuireEngine.openMemory(makeHost()), memory);
    expect(engine.runDocument("shop", { ping: 1 })).toMatchObject({ ok: 1 });
    // Whatever the engine reads next of its own is nonsense.
    new Uint8Array(memory.buffer).fill(0xff);
    const told = {
      ok: 0,
      code: 1,
      codeName: "InternalError",
      errmsg: expect.stringMatching(/^the engine stopped: .*; open it again$/) as unknown,
    };
    expect(engine.runDocument("shop", { insert: "c", documents: [{ _id: 1 }] })).toEqual(told);
    expect(engine.runDocument("shop", { ping: 1 })).toEqual(told);
    await expect(engine.flush(true)).rejects.toThrow("open it again");
    expect(engine.hasUnsaved).toBe(false);
    engine.close();
    expect(healthy({ count: "c" })).toMatchObject({ ok: 1, n: 1 });
    expect(healthy({ insert: "c", documents: [{ _id: 2 }] })).toMatchObject({ ok: 1 });
    const another = await opened();
    expect(another({ count: "c" })).toMatchObject({ ok: 1, n: 0 });
  });

  test("by a host that throws is told as well", async () => {
    await loadEngine(() => readFileSync(wasm));
    let broken = false;
    const engine = await Engine.create({
      now: () => {
        if (broken) throw new Error("no clock");
        return 0;
      },
    });
    broken = true;
    const ping = encode({ ping: 1, $db: "shop" });
    for (let turn = 0; turn < 2; turn += 1)
      expect(decode(engine.command(ping))).toMatchObject({
        ok: 0,
        code: 1,
        errmsg: "the engine stopped: no clock; open it again",
      });
    engine.close();
    expect(() => engine.command(ping)).toThrow("the engine is closed");
  });
});
