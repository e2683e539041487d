/**
 * Bundles the shell's prelude into one script that needs nothing of its host.
 *
 * Writes `dist/prelude.js` (the script itself, for native tests) and `wasm/prelude-text.js` (a module whose
 * default export is the text of the sandbox's prelude, which leaves the parser to the worker), and
 * `wasm/prelude.image`, the sandbox's memory as that prelude leaves it (`src/start/prelude-image.ts`). Needs
 * `wasm/sandbox.wasm` (`build-sandbox.mjs`).
 */
import { build } from "esbuild";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [`${root}/src/shell/${entry}`],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    minifyWhitespace: true,
    minifySyntax: true,
    // Errors and results are told by the names of their classes, so identifiers stay.
    minifyIdentifiers: false,
    legalComments: "none",
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

await mkdir(`${root}/dist`, { recursive: true });
await mkdir(`${root}/wasm`, { recursive: true });
// Moved to its place whole: golden scripts may be reading the one before.
await writeFile(`${root}/dist/prelude.next.js`, await bundle("prelude.ts"));
await rename(`${root}/dist/prelude.next.js`, `${root}/dist/prelude.js`);
await writeFile(
  `${root}/wasm/prelude-text.js`,
  `export default ${JSON.stringify(await bundle("prelude-sandbox.ts"))};\n`,
);
await writeFile(`${root}/wasm/prelude-text.d.ts`, "declare const text: string;\nexport default text;\n");

const maker = `${root}/wasm/image-maker.mjs`;
await build({
  entryPoints: [`${root}/src/start/build/image.ts`],
  bundle: true,
  outfile: maker,
  format: "esm",
  target: "node20",
  platform: "node",
  packages: "external",
  logLevel: "warning",
});
const { imagePrelude } = await import(maker);
await rm(maker);
const sandbox = await readFile(`${root}/wasm/sandbox.wasm`);
await writeFile(`${root}/wasm/prelude.image`, await imagePrelude(await WebAssembly.compile(sandbox)));
