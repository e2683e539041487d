/**
 * Where the npm package finds its worker and WebAssembly files: beside its own modules, or in `quiredb-inline` where
 * that was imported first.
 *
 * Invariants: bundlers find each file by the words `new URL("…", import.meta.url)`, which therefore stand here in
 * full, and put it where they like, under a name that they like. So each file is one that imports nothing, and is asked
 * for by these addresses alone.
 */
import type { ToWorker, WorkerAssets } from "../protocol/messages.ts";
import { scriptAddress } from "../start/trusted.ts";
import { wordOpening } from "../start/opening.ts";
import { readBeside } from "./beside.ts";
import { inlined, inlinedAddress, inlinedBytes } from "./inlined.ts";
import { startWorker } from "./start-worker.ts";

/** A hint for the developer when the worker's script could not be loaded. */
export const WORKER_HINT =
  "its files must lie beside the module that was imported. A tool that carries no files along: import from " +
  '"quiredb/inline" (and install quiredb-inline); the page\'s policy must then allow blob: in worker-src';

/** The worker's script out of `quiredb-inline`, once `defaultAssets` has unpacked it. */
let inlinedWorker: string | null = null;

/** The worker; its name holds its first messages (`start/opening.ts`). To be asked for after `defaultAssets`. */
export function createDefaultWorker(said: readonly ToWorker[]): Worker {
  const name = wordOpening(said);
  if (inlinedWorker !== null) return new Worker(scriptAddress(inlinedWorker), { name });
  return startWorker(new URL("./worker.js", import.meta.url), name);
}

/** The addresses for the worker: a promise where they have to be made of `quiredb-inline` first. */
export function defaultAssets(): WorkerAssets | Promise<WorkerAssets> {
  const files = inlined();
  if (files !== undefined) return inlinedAssets(files);
  return {
    engineWasm: new URL("./quire_bg.wasm", import.meta.url).href,
    sandboxWasm: new URL("./sandbox.wasm", import.meta.url).href,
    languagesWasm: new URL("./languages.wasm", import.meta.url).href,
    runner: new URL("./runner.js", import.meta.url).href,
  };
}

async function inlinedAssets(files: NonNullable<ReturnType<typeof inlined>>): Promise<WorkerAssets> {
  const [engineWasm, sandboxWasm, languagesWasm, worker] = await Promise.all([
    inlinedAddress(files, "engine", "application/wasm"),
    inlinedAddress(files, "sandbox", "application/wasm"),
    inlinedAddress(files, "languages", "application/wasm"),
    inlinedAddress(files, "worker", "text/javascript"),
  ]);
  inlinedWorker = worker;
  return { engineWasm, sandboxWasm, languagesWasm };
}

/** A WebAssembly file as `loadEngine` takes it. */
export type Source = Uint8Array | URL | Promise<Uint8Array>;

/** The engine's WebAssembly. */
export function engineWasm(): Source {
  const files = inlined();
  if (files !== undefined) return inlinedBytes(files, "engine");
  return readBeside(() => new URL("./quire_bg.wasm", import.meta.url), "quire_bg.wasm");
}

/** The sandbox's WebAssembly. */
export function sandboxWasm(): Source {
  const files = inlined();
  if (files !== undefined) return inlinedBytes(files, "sandbox");
  return readBeside(() => new URL("./sandbox.wasm", import.meta.url), "sandbox.wasm");
}

/** The WebAssembly of the languages of text indexes. */
export function languagesWasm(): Source {
  const files = inlined();
  if (files !== undefined) return inlinedBytes(files, "languages");
  return readBeside(() => new URL("./languages.wasm", import.meta.url), "languages.wasm");
}
