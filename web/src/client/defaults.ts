/**
 * Where a page built by Vite finds the worker and the two WebAssembly files.
 *
 * Invariant: the npm package's build puts another module in this one's place (`pkg/defaults.ts`), where the files
 * lie beside each other.
 */
import type { WorkerAssets } from "../protocol/messages.ts";

export function createDefaultWorker(): Worker {
  return new Worker(new URL("../worker/main.ts", import.meta.url), { type: "module", name: "quire" });
}

export function defaultAssets(): WorkerAssets {
  return {
    engineWasm: new URL("../../wasm/quire_bg.wasm", import.meta.url).href,
    sandboxWasm: new URL("../../node_modules/@jitl/quickjs-ng-wasmfile-release-sync/dist/emscripten-module.wasm", import.meta.url).href,
    preludeImage: new URL("../../wasm/prelude.image", import.meta.url).href,
  };
}
