/**
 * Makes the prelude's image (`start/prelude-image.ts`): the memory of two new sandboxes, before and after the prelude
 * was evaluated.
 *
 * Invariant: the clock is another for the second, so that a prelude which asks for the time fails the build.
 */
import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { LEAST_MEMORY_BYTES, makeInstance } from "../../worker/instance.ts";
import { evaluatePrelude, openContext, type RealmHost } from "../../worker/realm.ts";
import { makeImage, type Observed } from "../prelude-image.ts";

/**
 * Fills memory that was used and is free again with zeros. Otherwise it would be downloaded with the image: QuickJS
 * needed it while it compiled the prelude.
 */
function clean(context: QuickJSContext, end: number): void {
  const taken: QuickJSHandle[] = [];
  for (let size = 1 << 18; size >= 32; size >>= 1) {
    for (let inside = true; inside; ) {
      const buffer = context.newArrayBuffer(new ArrayBuffer(size));
      taken.push(buffer);
      const bytes = context.getArrayBuffer(buffer);
      inside = bytes.value.byteOffset < end;
      bytes.dispose();
    }
  }
  for (const buffer of taken) buffer.dispose();
}

/** Makes the prelude's image; for the build. */
export async function imagePrelude(wasm: WebAssembly.Module): Promise<Uint8Array> {
  const unused = (): never => {
    throw new Error("the prelude asked something of its host");
  };
  const observe = async (): Promise<Observed> => {
    const { module } = await makeInstance(LEAST_MEMORY_BYTES, wasm);
    const fresh = module.getWasmMemory().buffer.slice(0);
    const context = openContext(
      module,
      {
        command: unused,
        print: unused,
        rewrite: unused,
        sleep: unused,
        statement: unused,
        shouldStop: () => false,
        hold: unused,
        nextSpoilt: unused,
        // The image fits no realm that has one function more, or less, than this one.
      } satisfies Required<Omit<RealmHost, "commandBytes" | "show">>,
      unused,
      unused,
    );
    const { buffer } = module.getWasmMemory();
    const before = buffer.slice(0);
    evaluatePrelude(context);
    const words = new Uint32Array(buffer);
    let end = words.length;
    while (end > 0 && words[end - 1] === 0) end -= 1;
    clean(context, end * Uint32Array.BYTES_PER_ELEMENT);
    return { fresh, before, after: buffer.slice(0) };
  };
  const one = await observe();
  const { now } = Date;
  Date.now = () => now() + 987_654_321;
  try {
    return makeImage(one, await observe());
  } finally {
    Date.now = now;
  }
}
