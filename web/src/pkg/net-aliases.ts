/**
 * `quiredb/net/aliases`: for a bundler's configuration, which modules stand in the place of Node's in a page that has
 * MongoDB's own driver.
 *
 * Three packages of npm's are among them, which a project installs: `buffer`, `events` and `readable-stream`.
 */

import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

// All are whole paths: the driver need not see what lies beside the project.
const here = (name: string): string => path.join(path.dirname(fileURLToPath(import.meta.url)), name);
const project = createRequire(path.join(process.cwd(), "package.json"));

/** A file of a package of the project's. */
function installed(file: string): string {
  try {
    return project.resolve(file);
  } catch {
    throw new Error(`quiredb/net/aliases needs ${file}: npm install --save-dev buffer events readable-stream`);
  }
}

const NET = ["net", "tls"];
const STAND_INS =
  "assert async_hooks child_process crypto diagnostics_channel dns fs fs/promises http os timers url util zlib".split(
    " ",
  );

const named: readonly (readonly [string, string])[] = [
  ...NET.map((name) => [name, here("net.js")] as const),
  ["process", here("net-process.js")],
  ["timers/promises", here("net-process.js")],
  ...STAND_INS.map((name) => [name, here("net-node.js")] as const),
  ["buffer", installed("buffer/index.js")],
  ["events", installed("events/events.js")],
  ["stream", installed("readable-stream/lib/ours/browser.js")],
];

/**
 * Module by name, each also by its name with `node:`: what esbuild (`alias`) takes, and webpack (`resolve.alias`) with
 * a `$` behind each name.
 */
export const aliasesByName: Readonly<Record<string, string>> = Object.fromEntries([
  ...named.flatMap(([name, module]) => [
    [name, module],
    [`node:${name}`, module],
  ]),
  // Its page for browsers has schemas alone.
  ["mongoose", "mongoose/index.js"],
]);

/** The same as Vite (`resolve.alias`) and Rollup (`@rollup/plugin-alias`) take them. */
export const aliases: readonly { readonly find: RegExp; readonly replacement: string }[] = Object.entries(
  aliasesByName,
).map(([name, replacement]) => ({ find: new RegExp(`^${name.replaceAll("/", "\\/")}$`), replacement }));
