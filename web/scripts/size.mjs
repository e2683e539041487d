/**
 * Prints, and checks, how many bytes of script the page loads before the first Run, brotli-compressed as a static host
 * would send them: the entry and what it imports.
 *
 * Invariants: reads the built page's manifest and follows its imports; chunks fetched by the first Run, the worker and
 * WebAssembly are listed apart and not counted. Exits 1 beyond the budget. `node scripts/size.mjs [folder]`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const budget = 200 * 1024;
const folder = process.argv[2] ?? fileURLToPath(new URL("../dist/site", import.meta.url));

const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, "utf8"));
const counted = new Set(existsSync(`${folder}/theme.js`) ? ["theme.js"] : []);
const visit = (key) => {
  const chunk = manifest[key];
  if (chunk === undefined || counted.has(chunk.file)) return;
  counted.add(chunk.file);
  for (const next of chunk.imports ?? []) visit(next);
};
for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);

const size = (file) => brotliCompressSync(readFileSync(`${folder}/${file}`), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
const line = (file, bytes) => console.log(`  ${(bytes / 1024).toFixed(1).padStart(7)} KB  ${file}`);

let total = 0;
console.log("page scripts before the first Run, brotli:");
for (const file of counted) {
  const bytes = size(file);
  total += bytes;
  line(file, bytes);
}
console.log(`  ${(total / 1024).toFixed(1).padStart(7)} KB  in all, of ${budget / 1024} KB`);
console.log("fetched later:");
for (const file of readdirSync(`${folder}/assets`)) if (/\.(js|wasm)$/.test(file) && !counted.has(`assets/${file}`)) line(`assets/${file}`, size(`assets/${file}`));
if (total > budget) {
  console.error("the page's scripts are over their budget");
  process.exit(1);
}
