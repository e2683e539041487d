/** Commands that stop at a page which is not in memory, over an engine that is played. */
import { describe, expect, it } from "vitest";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { WasmEngine } from "./bindings.ts";
import { Engine } from "./engine.ts";

const ROOM = 1024;
const REPLY = 4096;

/** Answers any command with `{ ok: 1, heard: <the command> }` once its pages were fetched. */
function play(stops: number, fetchMissing?: () => Promise<void>): { readonly engine: Engine; readonly fetched: () => number } {
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
  return { engine: new Engine(wasm as WasmEngine, memory), fetched: () => fetched };
}

describe("a command that misses pages", () => {
  it("is answered at once when none is missing", () => {
    const { engine } = play(0);
    expect(engine.command("shop", { ping: 1 })).toEqual({ ok: 1, heard: { ping: 1, $db: "shop" } });
  });

  it("is run again, with the same bytes, until none is missing", async () => {
    const { engine, fetched } = play(3);
    const reply = engine.command("shop", { find: "teas" });
    expect(reply).toBeInstanceOf(Promise);
    expect(await reply).toEqual({ ok: 1, heard: { find: "teas", $db: "shop" } });
    expect(fetched()).toBe(3);
    const other = play(2);
    const bytes = await other.engine.commandBytes(encode({ count: "teas", $db: "shop" }));
    expect(decode(bytes)).toEqual({ ok: 1, heard: { count: "teas", $db: "shop" } });
  });

  it("tells what storage said when a page cannot be had", async () => {
    const { engine } = play(1, () => Promise.reject(new Error("the disk is gone")));
    expect(await engine.command("shop", { ping: 1 })).toMatchObject({ ok: 0, code: 39, errmsg: "the disk is gone" });
    expect(decode(await engine.commandBytes(encode({ ping: 1, $db: "shop" })))).toMatchObject({ ok: 0, errmsg: "the disk is gone" });
  });

  it("is refused, and not half answered, where it cannot wait", () => {
    const { engine } = play(1);
    expect(engine.runDocument("shop", { ping: 1 })).toMatchObject({ ok: 0, errmsg: "the deployment is still being read" });
    expect(decode(engine.runBytes(encode({ ping: 1, $db: "shop" })))).toMatchObject({ ok: 0 });
  });

  it("fails when the engine is closed meanwhile", async () => {
    const { engine } = play(2);
    const reply = engine.command("shop", { ping: 1 });
    engine.close();
    await expect(Promise.resolve(reply)).rejects.toThrow("the engine is closed");
  });
});
