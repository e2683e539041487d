/**
 * Builds the page's worker: its parts under names with hashes, and the module that tells the first one's address.
 *
 * Invariant: a part's name is made of its bytes, which hold the names of the parts it imports: a page never loads a
 * part of another version.
 */
import { createHash } from "node:crypto";
import { build, type Metafile } from "esbuild";
import type { Plugin } from "vite";
import { givenWasmForEsbuild } from "../../../scripts/given-wasm.mjs";
import { pureBsonForEsbuild } from "../../../scripts/pure-bson.mjs";
import { PARTS, placed } from "./worker-parts.ts";

const MODULE = "start/worker.ts?worker&url";

/** A file's name with a hash of its contents. */
export const hashed = (name: string, contents: Uint8Array | string): string =>
  `${name}-${createHash("sha256").update(contents).digest("base64url").slice(0, 8)}.js`;

/** `used` is called with esbuild's metafile of each part: the modules that went into it. */
export const pageWorker = (sources: string, used: (metafile: Metafile) => void): Plugin => ({
  name: "quire-page-worker",
  apply: "build",
  enforce: "pre",
  resolveId: (id) => (id.endsWith(MODULE) ? `\0${MODULE}` : null),
  async load(id) {
    if (id !== `\0${MODULE}`) return null;
    const addresses = new Map<string, string>();
    for (const { part, source } of PARTS) {
      const { outputFiles, metafile } = await build({
        entryPoints: [`${sources}/${source}`],
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        format: "esm",
        target: "es2022",
        platform: "browser",
        legalComments: "none",
        logLevel: "warning",
        plugins: [placed(addresses), givenWasmForEsbuild, pureBsonForEsbuild],
      });
      const contents = outputFiles[0]?.contents ?? new Uint8Array();
      const name = hashed(part, contents);
      this.emitFile({ type: "asset", fileName: `assets/${name}`, source: contents });
      addresses.set(part, `./${name}`);
      used(metafile);
    }
    // The bundler, which would take an address for one of its own to place, is told to leave it.
    const own = JSON.stringify(addresses.get("worker"));
    return `export default new URL(/* @vite-ignore */ ${own}, import.meta.url).href;`;
  },
});
