/**
 * The same as `defaults.ts` for a page that a bundler makes. The bundler finds each file by the words `new URL("…",
 * import.meta.url)`, which must therefore stand here in full, and puts the file where it likes, under a name that it
 * likes.
 *
 * Invariant: the worker is one file that imports nothing. Bundlers make a classic script of a worker, which cannot be
 * in parts.
 */
import type { ToWorker, WorkerAssets } from "../protocol/messages.ts";
import { wordOpening } from "../start/opening.ts";
import { readBeside } from "./beside.ts";
import { startWorker } from "./start-worker.ts";

/** A hint for the developer when the worker's script could not be loaded. */
export const WORKER_HINT =
  'the tool that built this page may carry no such files along: import from "quiredb/inline", which has them inside';

/** The worker from its file beside this module; its name holds its first messages (`start/opening.ts`). */
export function createDefaultWorker(said: readonly ToWorker[]): Worker {
  const name = wordOpening(said);
  // The file as it is, which a worker of the page's own can import.
  const address = new URL("./worker.js", import.meta.url);
  if (address.origin !== location.origin) return startWorker(address, name);
  try {
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module", name });
  } catch {
    // A page that enforces Trusted Types takes addresses from a policy alone.
    return startWorker(address, name);
  }
}

export function defaultAssets(): WorkerAssets {
  return {
    engineWasm: new URL("../quire_bg.wasm", import.meta.url).href,
    sandboxWasm: new URL("../sandbox.wasm", import.meta.url).href,
  };
}

/** The engine's WebAssembly, as `loadEngine` takes it. */
export const engineWasm = (): Uint8Array | URL => readBeside(new URL("../quire_bg.wasm", import.meta.url));

/** The sandbox's WebAssembly in the same form. */
export const sandboxWasm = (): Uint8Array | URL => readBeside(new URL("../sandbox.wasm", import.meta.url));
