/**
 * The static file server of `cargo xtask start`, the end-to-end tests and the benches.
 *
 *     node web/scripts/serve.mjs FOLDER [PORT]
 *
 * serves a folder on localhost, on port 4747 or any free one unless one is named, and prints its address. Invariants:
 * serves files below its folders only, to GET and HEAD only; listens on the loopback interface only; unknown paths are
 * 404, never a fallback page.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The port of a playground that somebody starts, where it is free. */
const USUAL_PORT = 4747;

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".md": "text/plain; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** The path that a request asks for, without percent encoding; null for a malformed one. */
function pathOf(url) {
  try {
    return decodeURIComponent(url.split(/[?#]/)[0]);
  } catch {
    return null;
  }
}

/** The file that a path stands for, where there is one; a folder stands for its index.html. */
function fileAt(folders, path) {
  const prefix = Object.keys(folders).find((one) => path.startsWith(one));
  if (prefix === undefined || path.includes("\0")) return null;
  const root = resolve(folders[prefix]);
  const named = join(root, path.slice(prefix.length));
  const file = path.endsWith("/") ? join(named, "index.html") : named;
  if (!file.startsWith(root + sep)) return null;
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? { file, length: found.size } : null;
}

/**
 * Starts serving; resolves once it can be asked. Rejects where the port is taken.
 *
 * @param {Record<string, string>} folders each folder by the path under which it lies: `{ "/": "dist" }`
 * @param {object} options `headers` come on top, by the path that was asked for; `pages` are texts of HTML by their
 *   paths; `delay` says how many milliseconds an answer is held back
 */
export async function serve(folders, { port = 0, headers = () => ({}), pages = {}, delay = () => 0 } = {}) {
  const answer = (request, response) => {
    const path = pathOf(request.url);
    const page = path !== null && Object.hasOwn(pages, path) ? pages[path] : null;
    const found = path === null || page !== null ? null : fileAt(folders, path);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || (page === null && found === null)) {
      response.writeHead(isRead ? 404 : 405, { "content-type": "text/plain" });
      response.end(isRead ? "There is nothing here.\n" : "Only GET and HEAD.\n");
      return;
    }
    const { file = path, length = Buffer.byteLength(page ?? "") } = found ?? {};
    response.writeHead(200, {
      "content-type": page === null ? (TYPES[extname(file)] ?? "application/octet-stream") : TYPES[".html"],
      "content-length": length,
      ...headers(path),
    });
    if (request.method === "HEAD" || page !== null) return void response.end(page ?? "");
    // The folder, or the browser that asked, may be gone by now.
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
  };
  const server = createServer((request, response) => {
    const late = delay();
    if (late === 0) answer(request, response);
    else setTimeout(answer, late, request, response);
  });
  await new Promise((ready, failed) => server.once("error", failed).listen(port, "127.0.0.1", ready));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    port: server.address().port,
    /** Ends it, with the connections that are open. */
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = fileURLToPath(new URL("../dist/site", import.meta.url)), given] = process.argv.slice(2);
  const headers = () => ({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
  const start = (port) => serve({ "/": folder }, { port, headers });
  const asked = given === undefined ? start(USUAL_PORT).catch(() => start(0)) : start(Number(given));
  await asked.then(
    ({ port }) => console.log(`http://localhost:${port}/`),
    (error) => {
      console.error(`port ${given}: ${error.message}`);
      process.exitCode = 1;
    },
  );
}
