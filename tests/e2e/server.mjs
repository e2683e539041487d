/**
 * A static file server for the built page, as plain as the static hosts it must work on: no special headers, and under
 * a sub-path. `node tests/e2e/server.mjs [folder] [port]` serves it by hand.
 *
 * Invariant: serves files below its folder only; unknown paths are 404, never a fallback page.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** How many times slower than it is everything is to be (`QUIRE_E2E_SLOW`), so that races show; 1 for as it is. */
export const slowness = Math.max(1, Number(process.env.QUIRE_E2E_SLOW) || 1);

/** On a slow day every file comes late, each by another time, so that any two may change places. */
const latency = () => (slowness === 1 ? 0 : Math.random() * 300);

/** The path under which the page is served, to prove that it needs no root of its own. */
export const basePath = "/some/where/";

/**
 * Starts serving `folder`; port 0 takes a free one. `headers` come on top, as a CDN's do.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve(folder, port = 0, headers = {}) {
  const root = resolve(folder);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const inside = path.startsWith(basePath) ? normalize(path.slice(basePath.length)) : null;
    let file = inside === null ? null : join(root, inside === "." || inside === "" ? "index.html" : inside);
    if (file !== null && !file.startsWith(root)) file = null;
    let found = false;
    try {
      found = file !== null && statSync(file).isFile();
    } catch {
      // No such file: answered as 404 below.
    }
    if (!found) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
      return;
    }
    setTimeout(() => send(file, response), latency());
  });
  const send = (file, response) => {
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-store",
      ...headers,
    });
    // The folder, or who asked, may be gone by now.
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
  };
  await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}${basePath}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve(
    process.argv[2] ?? fileURLToPath(new URL("../../web/dist", import.meta.url)),
    Number(process.argv[3] ?? 4173),
  );
  console.log(`serving ${url}`);
}
