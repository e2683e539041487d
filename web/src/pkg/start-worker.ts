/**
 * Starts a worker at an address, wherever that lies.
 *
 * Invariant: a browser starts no worker from another origin, so a script that lies on one is taken in by a worker of
 * the page's own, whose whole text asks for it; the page's policy must then allow `worker-src blob:` and that origin.
 */
import { scriptAddress } from "../start/trusted.ts";

/** Takes a script in, under the policy that `start/trusted.ts` looks for, which would allow its own origin alone. */
const trampoline = (address: string): string => `
self.quireScripts = self.trustedTypes?.createPolicy("quire", { createScriptURL: (address) => address });
importScripts(self.quireScripts?.createScriptURL(${JSON.stringify(address)}) ?? ${JSON.stringify(address)});
`;

export function startWorker(address: URL, name: string): Worker {
  // `self.origin`: that of a sandboxed frame is its own, whatever its address.
  if (address.origin === self.origin) return new Worker(scriptAddress(address.href), { name });
  const own = URL.createObjectURL(new Blob([trampoline(address.href)], { type: "text/javascript" }));
  try {
    return new Worker(scriptAddress(own), { name });
  } finally {
    // The worker's fetch of it has begun; without the delay some browsers would still lose the race.
    setTimeout(() => URL.revokeObjectURL(own), 60_000);
  }
}
