/**
 * Where a browser keeps the prelude's image (`prelude-image.ts`): in its cache, once something was run. It is as large
 * as all else that the first Run fetches, so nobody waits for it: a worker without it evaluates the prelude.
 *
 * Invariant: a failure of the cache is no failure of anything; images of other versions are let go.
 */
import type { LayImage } from "../worker/realm.ts";
import { layImage } from "./prelude-image.ts";

const cacheName = "quire prelude";

/** The image, if it is at hand: here or among the files that the page keeps for offline. */
export async function keptImage(address: string): Promise<LayImage | null> {
  try {
    const kept = await caches.match(address);
    if (kept === undefined) return null;
    const image = await kept.arrayBuffer();
    return (memory) => layImage(memory, image);
  } catch {
    return null;
  }
}

/** Fetches the image for the next visit. */
export async function keepImage(address: string): Promise<void> {
  try {
    const response = await fetch(address, { priority: "low" });
    if (!response.ok) return;
    const cache = await caches.open(cacheName);
    await cache.put(address, response);
    for (const { url } of await cache.keys()) if (url !== address) await cache.delete(url);
  } catch {
    // No room, or no cache in this browser: the prelude is evaluated again.
  }
}
