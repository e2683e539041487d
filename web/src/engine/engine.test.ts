/**
 * Commands that stop at a page which is not in memory, that end the engine, or that find no room, over an engine that
 * is played.
 */
import { Int32, Long } from "bson";
import { describe, expect, it } from "vitest";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { WasmEngine } from "./bindings.ts";
import { DocumentEngine } from "./document-engine.ts";

const ROOM = 1024;
const REPLY = 4096;

/** Answers any command with `{ ok: 1, heard: <the command> }` once its pages were fetched. */
function play(
  stops: number,
  fetchMissing?: () => Promise<void>,
): { readonly engine: DocumentEngine; readonly fetched: () => number } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  let left = stops;
  let fetched = 0;
  let length = 0;
  const wasm: Partial<WasmEngine> = {
    commandBuffer: () => ROOM,
    run(size) {
      if (left > 0) return 0;
      const heard = decode(new Uint8Array(memory.buffer).slice(ROOM, ROOM + size));
      const reply = encode({ ok: 1, heard });
      new Uint8Array(memory.buffer).set(reply, REPLY);
      length = reply.length;
      return REPLY;
    },
    replyLength: () => length,
    async fetchMissing() {
      await fetchMissing?.();
      left -= 1;
      fetched += 1;
    },
    free: () => undefined,
  };
  return { engine: new DocumentEngine(wasm as WasmEngine, memory), fetched: () => fetched };
}

describe("a command that misses pages", () => {
  it("is answered at once when none is missing", () => {
    const { engine } = play(0);
    expect(engine.runDocument("shop", { ping: 1 })).toEqual({ ok: 1, heard: { ping: 1, $db: "shop" } });
  });

  it("is told as one object with its database, as bytes, or with the database beside it: the reply is the same", () => {
    const { engine } = play(0);
    const command = { find: "teas", filter: { price: Long.fromNumber(7), none: undefined }, $db: "shop" };
    const heard = { ok: 1, heard: { find: "teas", filter: { price: 7 }, $db: "shop" } };
    expect(engine.runWhole(command, { ignoreUndefined: true })).toEqual(heard);
    expect(decode(engine.runBytes(encode(command, { ignoreUndefined: true })))).toEqual(heard);
    expect(engine.runDocument("shop", { find: "teas", filter: { price: Long.fromNumber(7) } })).toEqual(heard);
    expect(engine.runWhole(command, { numbers: "typed" })["heard"]).toEqual({
      find: "teas",
      filter: { price: new Int32(7), none: null },
      $db: "shop",
    });
    expect(() => engine.runWhole({ find: "teas", filter: { "a\0b": 1 }, $db: "shop" })).toThrow("null bytes");
  });

  it("is run again, with the same bytes, until none is missing", async () => {
    const { engine, fetched } = play(3);
    const reply = engine.commandBytes(encode({ find: "teas", $db: "shop" }));
    expect(reply).toBeInstanceOf(Promise);
    expect(decode(await reply)).toEqual({ ok: 1, heard: { find: "teas", $db: "shop" } });
    expect(fetched()).toBe(3);
  });

  it("tells what storage said when a page cannot be had", async () => {
    const { engine } = play(1, () => Promise.reject(new Error("the disk is gone")));
    expect(decode(await engine.commandBytes(encode({ ping: 1, $db: "shop" })))).toMatchObject({
      ok: 0,
      code: 39,
      errmsg: "the disk is gone",
    });
  });

  it("is refused, and not half answered, where it cannot wait; the next command finds what was missing", async () => {
    const { engine } = play(1);
    expect(engine.tryDocument("shop", { ping: 1 })).toBeNull();
    expect(engine.runDocument("shop", { ping: 1 })).toMatchObject({
      ok: 0,
      errmsg: expect.stringContaining("still being read"),
    });
    await Promise.resolve();
    expect(decode(engine.runBytes(encode({ ping: 1, $db: "shop" })))).toMatchObject({ ok: 1 });
  });

  it("fails when the engine is closed meanwhile", async () => {
    const { engine } = play(2);
    const reply = engine.commandBytes(encode({ ping: 1, $db: "shop" }));
    engine.close();
    await expect(Promise.resolve(reply)).rejects.toThrow("the engine is closed");
  });
});

describe("an engine that ended", () => {
  const ENDED = "the engine stopped: unreachable; open it again";
  /** An engine that the next command ends with this error; later calls into its WebAssembly are counted. */
  function ending(thrown: unknown) {
    const memory = new WebAssembly.Memory({ initial: 1 });
    let asked = -1;
    const ask = (): never => {
      asked += 1;
      throw asked === 0
        ? thrown
        : new Error("recursive use of an object detected which would lead to unsafe aliasing in rust");
    };
    const wasm = {
      commandBuffer: () => ROOM,
      run: ask,
      runJson: ask,
      hasUnsaved: ask,
      wantsStrict: ask,
      lendBatch: ask,
      lentStored: ask,
      endLending: ask,
      status: ask,
      awaitDataMillis: ask,
      reload: ask,
      resident: ask,
      fetchMissing: ask,
      free: ask,
      flush: () => new Promise<void>(() => undefined),
      replyLength: ask,
    };
    return { engine: new DocumentEngine(wasm as unknown as WasmEngine, memory), asked: () => asked };
  }

  it.each([new WebAssembly.RuntimeError("unreachable"), new Error("unreachable"), "unreachable"])(
    "says so to whatever is asked, and asks nothing of the WebAssembly: %s",
    async (thrown) => {
      const { engine, asked } = ending(thrown);
      const flushing = engine.flush(true);
      expect(engine.broken).toBeNull();
      const refused = { ok: 0, code: 1, codeName: "InternalError", errmsg: ENDED };
      if (thrown instanceof Error) expect(engine.runDocument("shop", { ping: 1 })).toEqual(refused);
      else expect(JSON.parse(engine.runJson("{}"))).toMatchObject({ codeName: "InternalError", errmsg: ENDED });
      expect(engine.broken).toBe(ENDED);
      await expect(flushing).rejects.toThrow(ENDED);
      expect(engine.runDocument("shop", { ping: 1 })).toEqual(refused);
      expect(decode(engine.runBytes(encode({ ping: 1, $db: "shop" })))).toEqual(refused);
      expect(decode(await engine.commandBytes(encode({ ping: 1, $db: "shop" })))).toEqual(refused);
      expect(JSON.parse(engine.runJson("{}"))).toMatchObject({ errmsg: ENDED });
      for (const promise of [engine.flush(false), engine.resident(), engine.reload()])
        await expect(promise).rejects.toThrow(ENDED);
      expect([engine.hasUnsaved, engine.wantsStrict, engine.lendBatch(), engine.awaitDataMillis]).toEqual([
        false,
        false,
        undefined,
        undefined,
      ]);
      engine.lentStored(1);
      engine.endLending(true);
      expect(engine.status()).toEqual({});
      engine.close();
      expect(asked()).toBe(0);
      expect(() => engine.runDocument("shop", { ping: 1 })).toThrow("the engine is closed");
    },
  );

  it("is told of by a question as by a command", () => {
    const { engine } = ending(new WebAssembly.RuntimeError("unreachable"));
    expect(engine.hasUnsaved).toBe(false);
    expect(engine.broken).toBe(ENDED);
  });
});

describe("a command that memory has no room for", () => {
  it("is refused before it is written, and shorter ones go on", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    new Uint8Array(memory.buffer).set(encode({ ok: 1 }), REPLY);
    let ran = 0;
    const wasm = {
      commandBuffer: (length: number) => (length > 8192 ? 0 : ROOM),
      run: () => ((ran += 1), REPLY),
      replyLength: () => encode({ ok: 1 }).length,
    };
    const engine = new DocumentEngine(wasm as unknown as WasmEngine, memory);
    const long = { insert: "teas", documents: [{ text: "x".repeat(10_000) }] };
    const refused = { ok: 0, code: 146, codeName: "ExceededMemoryLimit" };
    expect(engine.runDocument("shop", long)).toMatchObject(refused);
    expect(decode(engine.runBytes(encode({ ...long, $db: "shop" })))).toMatchObject(refused);
    expect(ran).toBe(0);
    expect(engine.runDocument("shop", { ping: 1 })).toEqual({ ok: 1 });
  });
});
