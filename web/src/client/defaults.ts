/**
 * Where a page built by Vite finds the worker and the WebAssembly files.
 *
 * Invariant: the npm package's build puts another module in this one's place (`pkg/defaults.ts`), where the files
 * lie beside each other.
 */
import type { ToWorker, WorkerAssets } from "../protocol/messages.ts";
import { wordOpening } from "../start/opening.ts";
import { scriptAddress } from "../start/trusted.ts";
import address from "../start/worker.ts?worker&url";

/** The worker of a built page; its name holds its first messages (`start/opening.ts`). */
export function createDefaultWorker(said: readonly ToWorker[]): Worker {
  return new Worker(scriptAddress(address), { type: "module", name: wordOpening(said) });
}

/** Their addresses; the npm package may have to make them first. */
export function defaultAssets(): WorkerAssets | Promise<WorkerAssets> {
  return {
    engineWasm: new URL("../../wasm/quire_bg.wasm", import.meta.url).href,
    sandboxWasm: new URL("../../wasm/sandbox.wasm", import.meta.url).href,
    languagesWasm: new URL("../../wasm/languages.wasm", import.meta.url).href,
    preludeImage: new URL("../../wasm/prelude.image", import.meta.url).href,
  };
}
