/**
 * An engine that is filled to its cap refuses what does not fit and goes on; an engine that ends leaves the others as they are.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Binary, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { Engine as OpenEngine } from "../src/engine/engine.ts";
import { makeHost } from "../src/engine/host.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));
const CAP = 96 * 2 ** 20;
const SIZE = 15_000_000;

/** Bytes that differ from number to number and from place to place. */
function bytesOf(number: number): Uint8Array {
  const words = new Uint32Array(SIZE / 4);
  let state = (number * 2_654_435_761 + 12_345) >>> 0;
  for (let at = 0; at < words.length; at += 1) words[at] = state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return new Uint8Array(words.buffer);
}

async function opened(maxMemoryBytes?: number): Promise<(command: Document) => Document> {
  await loadEngine(() => readFileSync(wasm));
  const engine = await Engine.create(maxMemoryBytes === undefined ? {} : { maxMemoryBytes });
  return (command) => decode(engine.command(encode({ ...command, $db: "shop" })));
}

describe.skipIf(!existsSync(wasm))("an engine at its cap", () => {
  test("refuses what does not fit, keeps what it has, and takes more once there is room", { timeout: 120_000 }, async () => {
    const run = await opened(CAP);
    const insert = (id: number): Document => run({ insert: "c", documents: [{ _id: id, b: new Binary(bytesOf(id)) }] });
    const isUnaltered = (id: number): boolean => {
      const [document] = (run({ find: "c", filter: { _id: id } })["cursor"] as { firstBatch: { b: Binary }[] }).firstBatch;
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
    for (let turn = 0; turn < 20 && many["ok"] === 1; turn += 1) many = run({ insert: `small${turn}`, documents: small });
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
    for (const maxMemoryBytes of [0, 1000, 4 * 2 ** 30, 1.5, Number.NaN]) await expect(Engine.create({ maxMemoryBytes })).rejects.toThrow(RangeError);
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
    const told = { ok: 0, code: 1, codeName: "InternalError", errmsg: expect.stringMatching(/^the engine stopped: .*; open it again$/) as unknown };
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
    for (let turn = 0; turn < 2; turn += 1) expect(decode(engine.command(ping))).toMatchObject({ ok: 0, code: 1, errmsg: "the engine stopped: no clock; open it again" });
    engine.close();
    expect(() => engine.command(ping)).toThrow("the engine is closed");
  });
});
