/**
 * Writes `sw.js`, the service worker of `src/offline/worker.ts`, with the list of built files.
 *
 * Licence texts are not among them: nobody needs them offline. Invariant: the list is made from the files as they lie
 * in the built folder, after everything else was written.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "vite";
import { classicScript } from "./classic-script.ts";
import { onceWritten } from "./once-written.mjs";

export const offline = (source: string, folder: string): Plugin =>
  onceWritten("quire-offline", async () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile() && !file.endsWith("sw.js") && !file.endsWith("THIRD-PARTY-NOTICES.txt"))
      .map((file) => ({
        path: relative(folder, file).replaceAll("\\", "/"),
        digest: createHash("sha256").update(readFileSync(file)).digest("hex"),
      }))
      .sort((left, right) => (left.path < right.path ? -1 : 1));
    const hashed = files.filter(({ path }) => /^assets\/.*-[\w-]{8}\.\w+$/.test(path));
    const plain = files.filter((file) => !hashed.includes(file));
    const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
    const values = {
      QUIRE_VERSION: version,
      QUIRE_HASHED: hashed.map(({ path }) => path),
      QUIRE_PLAIN: plain.map(({ path, digest }) => [path, digest]),
    };
    writeFileSync(join(folder, "sw.js"), await classicScript(source, values));
  });
