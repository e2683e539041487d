/**
 * The parts of the page's worker: its first script, what opens a deployment, and what scripts need besides. The npm
 * package's worker has two: its first script with what opens a deployment, and what scripts need.
 *
 * Invariant: each part is one file with all it needs, and asks for the others by `import()` alone: a chain of static
 * imports would cost a request after the other before the first answer. And WebKit evaluates a worker's first script
 * once more where another module imports it: each message would be taken twice, and each script run twice
 * (`tests/e2e/everywhere.test.mjs` counts what a script wrote).
 */

import type { Plugin } from "esbuild";

/** Each part's source in `src/`, an importer after what it imports. */
export const PARTS: readonly { readonly part: "runner" | "main" | "worker"; readonly source: string }[] = [
  { part: "runner", source: "worker/runner.ts" },
  { part: "main", source: "worker/main.ts" },
  { part: "worker", source: "start/worker.ts" },
];

/** For esbuild: has a part ask for the others at their addresses. */
export const placed = (addresses: ReadonlyMap<string, string>): Plugin => ({
  name: "quire-worker-parts",
  setup(context) {
    context.onResolve({ filter: /\/worker\/(main|runner)\.ts$|^\.\/(main|runner)\.ts$/ }, ({ kind, path }) => {
      if (kind !== "dynamic-import") return undefined;
      const part = path.endsWith("main.ts") ? "main" : "runner";
      const address = addresses.get(part);
      if (address === undefined) throw new Error(`the worker's part ${part} is built too late`);
      return { path: address, external: true };
    });
  },
});
