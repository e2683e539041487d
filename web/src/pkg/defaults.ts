/**
 * Where the npm package finds its worker and WebAssembly files when a page imports it by address: beside its own
 * modules.
 *
 * Invariant: the package's build puts another module of the same exports in this one's place for bundlers
 * (`defaults-bundled.ts`), and for tools that carry no files along (`defaults-inline.ts`).
 */
import type { ToWorker, WorkerAssets } from "../protocol/messages.ts";
import { wordOpening } from "../start/opening.ts";
import { readBeside } from "./beside.ts";
import { startWorker } from "./start-worker.ts";

/** A hint for the developer when the worker's script could not be loaded. */
export const WORKER_HINT = 'its files must lie beside the module that was imported; "quiredb/inline" has them inside';

/** The worker from its file beside this module; its name holds its first messages (`start/opening.ts`). */
export function createDefaultWorker(said: readonly ToWorker[]): Worker {
  return startWorker(new URL("./worker.js", import.meta.url), wordOpening(said));
}

export function defaultAssets(): WorkerAssets {
  return {
    engineWasm: new URL("./quire_bg.wasm", import.meta.url).href,
    sandboxWasm: new URL("./sandbox.wasm", import.meta.url).href,
  };
}

/** The engine's WebAssembly, as `loadEngine` takes it. */
export const engineWasm = (): Uint8Array | URL => readBeside(new URL("./quire_bg.wasm", import.meta.url));

/** The sandbox's WebAssembly in the same form. */
export const sandboxWasm = (): Uint8Array | URL => readBeside(new URL("./sandbox.wasm", import.meta.url));
