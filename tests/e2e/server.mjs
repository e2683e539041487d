/**
 * Serves the built page to the tests as plainly as the static hosts it must work on: no special headers, and under a
 * sub-path.
 */
import { serve as serveFolders } from "../../web/scripts/serve.mjs";
import { hold } from "./held.mjs";

/** How many times slower than it is everything is to be (`QUIRE_E2E_SLOW`), so that races show; 1 for as it is. */
export const slowness = Math.max(1, Number(process.env.QUIRE_E2E_SLOW) || 1);

/** On a slow day every file comes late, each by another time, so that any two may change places. */
const latency = () => (slowness === 1 ? 0 : Math.random() * 300);

/** The path under which the page is served, to prove that it needs no root of its own. */
const basePath = "/some/where/";

/**
 * Starts serving `folder`; port 0 takes a free one. `headers` come on top, as a CDN's do.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve(folder, port = 0, headers = {}) {
  const { origin, close } = await serveFolders(
    { [basePath]: folder },
    { port, headers: () => ({ "cache-control": "no-store", ...headers }), delay: latency },
  );
  return { url: origin + basePath, close: hold(close) };
}
