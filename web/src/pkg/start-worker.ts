/**
 * Starts a worker at an address, wherever that lies.
 *
 * Invariant: a browser starts no worker from another origin, so a script that lies on one is imported by a worker of
 * the page's own, whose whole text is that import; the page's policy must then allow `worker-src blob:` and that
 * origin.
 */
import { scriptAddress } from "../start/trusted.ts";

export function startWorker(address: URL, name: string): Worker {
  if (address.origin === location.origin) return new Worker(scriptAddress(address.href), { type: "module", name });
  const trampoline = URL.createObjectURL(
    new Blob([`import ${JSON.stringify(address.href)};`], { type: "text/javascript" }),
  );
  try {
    return new Worker(scriptAddress(trampoline), { type: "module", name });
  } finally {
    // The worker's fetch of it has begun; without the delay some browsers would still lose the race.
    setTimeout(() => URL.revokeObjectURL(trampoline), 60_000);
  }
}
