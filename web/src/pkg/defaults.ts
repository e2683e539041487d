/**
 * Where the npm package finds its worker and WebAssembly files: beside its own built modules.
 *
 * Invariant: a browser starts no worker from another origin, so a package that lies on one is imported by a worker of the
 * page's own, whose whole text is that import; the page's policy must then allow `worker-src blob:` and that origin.
 */
import type { WorkerAssets } from "../protocol/messages.ts";
import { wordOpening, type Said } from "../protocol/opening.ts";
import { scriptAddress } from "../start/trusted.ts";

/** A worker that is told something at once. */
export function createDefaultWorker(said: readonly Said[]): Worker {
  const name = wordOpening(said);
  const address = new URL("./worker.js", import.meta.url);
  if (address.origin === location.origin) {
    if (address.pathname.endsWith("/worker.js")) return new Worker(scriptAddress(address.href), { type: "module", name });
    // A bundler gave the file another name. It looks for just these words, and makes a worker of what they name.
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module", name });
  }
  const trampoline = URL.createObjectURL(new Blob([`import ${JSON.stringify(address.href)};`], { type: "text/javascript" }));
  try {
    return new Worker(scriptAddress(trampoline), { type: "module", name });
  } finally {
    // The worker's fetch of it has begun; without the delay some browsers would still lose the race.
    setTimeout(() => URL.revokeObjectURL(trampoline), 60_000);
  }
}

export function defaultAssets(): WorkerAssets {
  return {
    engineWasm: new URL("./quire_bg.wasm", import.meta.url).href,
    sandboxWasm: new URL("./sandbox.wasm", import.meta.url).href,
  };
}
