/** Where the npm package finds its worker and WebAssembly files: beside its own built modules. */
import type { WorkerAssets } from "../protocol/messages.ts";

export function createDefaultWorker(): Worker {
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "quire" });
}

export function defaultAssets(): WorkerAssets {
  return {
    engineWasm: new URL("./quire_bg.wasm", import.meta.url).href,
    sandboxWasm: new URL("./sandbox.wasm", import.meta.url).href,
  };
}
