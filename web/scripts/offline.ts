/**
 * Writes `sw.js`, the service worker of `src/offline/worker.ts`, with the list of what was built.
 *
 * Invariant: the list is made from the files as they lie in the built folder, after everything else was written.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "vite";

export const offline = (source: string, folder: string): Plugin => ({
  name: "quire-offline",
  apply: "build",
  closeBundle: {
    order: "post",
    sequential: true,
    async handler() {
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name))
        .filter((file) => statSync(file).isFile() && !file.endsWith("sw.js"))
        .map((file) => ({ path: relative(folder, file).replaceAll("\\", "/"), digest: createHash("sha256").update(readFileSync(file)).digest("hex") }))
        .sort((left, right) => (left.path < right.path ? -1 : 1));
      const hashed = files.filter(({ path }) => /^assets\/.*-[\w-]{8}\.\w+$/.test(path));
      const plain = files.filter((file) => !hashed.includes(file));
      const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
      const { outputFiles } = await build({
        entryPoints: [source],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2022",
        define: { QUIRE_VERSION: JSON.stringify(version), QUIRE_HASHED: JSON.stringify(hashed.map(({ path }) => path)), QUIRE_PLAIN: JSON.stringify(plain.map(({ path, digest }) => [path, digest])) },
      });
      for (const { contents } of outputFiles) writeFileSync(join(folder, "sw.js"), contents);
    },
  },
});
