/**
 * Prints raw and brotli sizes: `node size.mjs <engine.wasm> <site folder> <package folder>`, one line a file,
 * `group<TAB>file<TAB>raw bytes<TAB>brotli bytes`.
 *
 * Group `element`: the package's element.js with its static imports, which a page with snippets loads at once.
 * Group `page`: every script that loads before the first Run: those of index.html, their static imports, the workers
 * they start with theirs and what the worker fetches to open a deployment, the glue of the engine's wasm, and the
 * editor, which the page fetches by itself after its first paint. Group `later`: every other script and wasm of the
 * site.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [engine, site, pkg] = process.argv.slice(-3);

/** Compressed lengths by the bytes themselves: the engine lies in the site, too, and takes as long as all else. */
const known = new Map();

function print(group, file, name) {
  const bytes = readFileSync(file);
  const key = bytes.toString("latin1");
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  if (!known.has(key)) known.set(key, brotliCompressSync(bytes, { params }).length);
  console.log([group, name, bytes.length, known.get(key)].join("\t"));
}

/** The addresses a script needs at once: static imports, re-exports, and workers. */
function needed(source) {
  const patterns = [
    /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{}\s,]+?\s*from\s*)?["'](\.{1,2}\/[^"']+\.js)["']/g,
    /new (?:Shared)?Worker\((?:\s*new URL\()+[^"'`)]*["'`]([^"'`]+\.js)["'`]/g,
  ];
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1]));
}

const html = readFileSync(join(site, "index.html"), "utf8");
const tags = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"|<link[^>]*rel="modulepreload"[^>]*href="([^"]+)"/g)];
const waiting = tags.map((tag) => resolve(site, (tag[1] ?? tag[2]).replace(/^\//, "")));
/** Files that are loaded with the given ones, and those themselves; addresses from the root are below `root`. */
function closure(waiting, root) {
  const found = new Set();
  while (waiting.length > 0) {
    const file = waiting.pop();
    if (found.has(file)) continue;
    found.add(file);
    for (const address of needed(readFileSync(file, "utf8"))) {
      waiting.push(address.startsWith("/") ? join(root, address) : resolve(dirname(file), address));
    }
  }
  return found;
}

const first = closure(waiting, site);
const files = readdirSync(site, { recursive: true }).map((name) => resolve(site, String(name))).sort();
for (const file of files) if (/\/(main|worker)-[^/]*\.js$/.test(file)) first.add(file);
// Nobody asks for the editor either: it comes after the first paint.
for (const file of closure(files.filter((file) => /\/editor-[^/]*\.js$/.test(file)), site)) first.add(file);

print("engine", engine, "quire_bg.wasm");
for (const file of [...closure([join(pkg, "element.js")], pkg)].sort()) print("element", file, relative(pkg, file));
for (const file of [...first].sort()) print("page", file, relative(site, file));
for (const file of files) {
  if (/\.(js|mjs|wasm)$/.test(file) && !first.has(file)) print("later", file, relative(site, file));
}
