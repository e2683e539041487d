/**
 * Takes out of the sandbox's loader the address of a WebAssembly file that it never fetches: it is given
 * `wasm/sandbox.wasm`, instantiated. A bundler would put that file beside the page.
 *
 * Invariant: when the loader names its file in another way, the build stops instead of shipping it twice.
 */
import { readFile } from "node:fs/promises";

const MODULE = /[\\/]quickjs-ng-wasmfile-release-sync[\\/]dist[\\/]emscripten-module[\w.]*\.mjs$/;
const ADDRESS = '(new URL("emscripten-module.wasm",import.meta.url)).href';

function freed(code) {
  if (!code.includes(ADDRESS)) throw new Error("the sandbox's loader does not name its file as it did");
  return code.replace(ADDRESS, '"sandbox.wasm"');
}

/** For Vite. */
export const givenWasm = () => ({
  name: "quire-given-wasm",
  enforce: "pre",
  transform: (code, id) => (MODULE.test(id.split("?")[0]) ? { code: freed(code), map: null } : null),
});

/** For esbuild. */
export const givenWasmForEsbuild = {
  name: "quire-given-wasm",
  setup(context) {
    context.onLoad({ filter: MODULE }, async ({ path }) => ({
      contents: freed(await readFile(path, "utf8")),
      loader: "js",
    }));
  },
};
