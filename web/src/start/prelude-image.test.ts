/** The prelude's image: the same shell as the evaluated prelude makes, and only over the memory it was made for. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { layImage, makeImage } from "./prelude-image.ts";
import { Sandbox, sandboxLoader, type LoadSandbox } from "../worker/sandbox.ts";
import { StopWatch } from "../worker/stop.ts";
import { batch, scriptedHost } from "../../test/scripted.ts";

const image = new Uint8Array(readFileSync(new URL("../../wasm/prelude.image", import.meta.url))).buffer;
const wasm = new WebAssembly.Module(readFileSync(new URL("../../wasm/sandbox.wasm", import.meta.url)));
const load = sandboxLoader(wasm, (memory) => layImage(memory, image));
const MEMORY_BYTES = 48 * 1024 * 1024;

/** The value of a script in a new sandbox whose statements tell their ends, as those of a page's runner do. */
async function said(load: LoadSandbox, source: string): Promise<unknown> {
  let last: unknown;
  const ended = (_number: number, value: unknown): string => {
    last = value;
    return "";
  };
  const sandbox = new Sandbox(load, { ...scriptedHost({ find: batch([{ n: 1 }]) }), ended });
  await sandbox.ready(MEMORY_BYTES);
  const { error } = sandbox.evaluate(source, {}, new StopWatch(null, undefined));
  sandbox.close();
  return error === null ? last : error.text;
}

describe("the prelude's image", () => {
  it("fits the memory of a new sandbox, and no other", async () => {
    const { instance } = await load(MEMORY_BYTES);
    expect(layImage(instance.module.getWasmMemory().buffer, image)).toBe(false);
    const seen: boolean[] = [];
    const observing: LoadSandbox = async (bytes) => {
      const loaded = await load(bytes);
      const evaluate = loaded.instance.module.newContext.bind(loaded.instance.module);
      loaded.instance.module.newContext = (options) => {
        const context = evaluate(options);
        const evalCode = context.evalCode.bind(context);
        context.evalCode = (...given) => {
          seen.push(true);
          return evalCode(...given);
        };
        return context;
      };
      return loaded;
    };
    await said(observing, "1");
    expect(seen).toEqual([]);
  });

  it("makes the shell that the prelude makes", async () => {
    for (const source of [
      "db.c.find().toArray()[0].n",
      "Object.getOwnPropertyNames(globalThis).sort()",
      "[typeof __quireCommand, new ObjectId().toString().length, NumberLong('5'), /a+/.test('caat')]",
      "null.x",
      "let a = [3, 1, 2].sort(); function f() { return a } f()",
      "db.c.nothing()",
    ]) {
      expect(await said(load, source), source).toEqual(await said(sandboxLoader(wasm), source));
    }
  });

  it("leaves chance to each sandbox", async () => {
    const draw = "[Math.random(), new ObjectId().toString().slice(8), new UUID().toString()]";
    const [one, other] = [await said(load, draw), await said(load, draw)];
    expect(one).not.toEqual(other);
  });

  it("is refused where it would hold time or chance", () => {
    const memory = (...words: number[]): ArrayBuffer =>
      Uint32Array.from([...words, ...Array<number>(20_000).fill(0)]).buffer;
    const fresh = memory(0);
    const one = { fresh, before: memory(1, 5), after: memory(1, 5, 7) };
    expect(() => makeImage(one, { fresh, before: memory(1, 6), after: memory(1, 6, 8) })).toThrow("time or on chance");
    expect(() => makeImage(one, { fresh, before: memory(1, 6), after: memory(2, 6, 7) })).toThrow("time or on chance");
    const image = makeImage(one, { fresh, before: memory(1, 6), after: memory(1, 6, 7) }).buffer;
    const fits = memory(1, 9);
    expect(layImage(fits, image)).toBe(true);
    expect([...new Uint32Array(fits, 0, 3)]).toEqual([1, 9, 7]);
    expect(layImage(memory(2, 9), image)).toBe(false);
    expect(layImage(memory(1, 9, 3), image)).toBe(false);
    for (let length = 0; length < image.byteLength; length += 1) {
      const untouched = memory(1, 9);
      expect(layImage(untouched, image.slice(0, length)), `the first ${length} bytes`).toBe(false);
      expect([...new Uint32Array(untouched, 0, 3)]).toEqual([1, 9, 0]);
    }
  });
});
