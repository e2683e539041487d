/**
 * The same as `defaults.ts` with all of it inside: for tools that carry no files along, for CommonJS, and for Node
 * however it is bundled.
 *
 * Invariants: nothing is fetched, and no address of this module is asked for. The texts are modules that the package's
 * build writes (`quiredb-data/…`); a page makes files of them in its own memory, once each, which its policy allows by
 * `blob:` in `worker-src` and `connect-src`.
 */
import engine from "quiredb-data/engine";
import sandbox from "quiredb-data/sandbox";
import worker from "quiredb-data/worker";
import type { ToWorker, WorkerAssets } from "../protocol/messages.ts";
import { wordOpening } from "../start/opening.ts";
import { scriptAddress } from "../start/trusted.ts";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> } };
  return Buffer === undefined
    ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    : Buffer.from(base64, "base64");
}

const addresses = new Map<string, string>();

/** The address of a file in this page's memory, which stays there as long as the page. */
function addressOf(name: string, type: string, content: () => BlobPart): string {
  let address = addresses.get(name);
  if (address === undefined) addresses.set(name, (address = URL.createObjectURL(new Blob([content()], { type }))));
  return address;
}

/** A hint for the developer when the worker's script could not be loaded. */
export const WORKER_HINT = "the page's policy must allow blob: in worker-src";

/** The worker from its script's text; its name holds its first messages (`start/opening.ts`). */
export function createDefaultWorker(said: readonly ToWorker[]): Worker {
  return new Worker(scriptAddress(addressOf("worker", "text/javascript", () => worker)), { name: wordOpening(said) });
}

export function defaultAssets(): WorkerAssets {
  return {
    engineWasm: addressOf("engine", "application/wasm", () => bytesOf(engine)),
    sandboxWasm: addressOf("sandbox", "application/wasm", () => bytesOf(sandbox)),
  };
}

/** The engine's WebAssembly, as `loadEngine` takes it. */
export const engineWasm = (): Uint8Array => bytesOf(engine);

/** The sandbox's WebAssembly in the same form. */
export const sandboxWasm = (): Uint8Array => bytesOf(sandbox);
