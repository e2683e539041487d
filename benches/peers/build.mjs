/**
 * Bundles every adapter with the workload into dist/<name>.js, a worker, and puts its assets beside it. Adapters are
 * the modules of adapters/ with a default export; an adapter's `assets` are files it loads at run time, its `code` the one
 * among them that the page compiles for it.
 */
import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { pureBsonForEsbuild } from "../../web/scripts/pure-bson.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** The names of all adapters. */
export function adapterNames() {
  return readdirSync(join(here, "adapters")).filter((file) => !file.endsWith("-store.mjs"))
    .map((file) => basename(file, ".mjs")).sort();
}

/** The file of WebAssembly that the page compiles for an adapter while its worker starts; undefined for most. */
export function codeOf(name) {
  const adapter = join(here, "adapters", `${name}.mjs`);
  return /^export const code = "([^"]+)"/m.exec(readFileSync(adapter, "utf8"))?.[1];
}

/** The files an adapter loads at run time: packages' files, or paths relative to the adapter. */
function assetsOf(adapter) {
  const list = /^export const assets = \[([^\]]*)\]/m.exec(readFileSync(adapter, "utf8"))?.[1] ?? "";
  const require = createRequire(adapter);
  return [...list.matchAll(/"([^"]+)"/g)].map(([, asset]) =>
    asset.startsWith(".") ? resolve(dirname(adapter), asset) : require.resolve(asset));
}

// Some libraries ask for Node's modules on paths that never run in a browser.
const nodeModules = {
  name: "node-modules",
  setup(plugins) {
    const filter = /^(node:.*|crypto|fs|module|os|path|stream|vm|worker_threads|ws)$/;
    plugins.onResolve({ filter }, ({ path }) => ({ path, namespace: "node-modules" }));
    plugins.onLoad({ filter: /.*/, namespace: "node-modules" }, () => ({ contents: "export default {};" }));
  },
};

/** Builds the named adapters into dist/. */
export async function buildAdapters(names) {
  const output = join(here, "dist");
  mkdirSync(output, { recursive: true });
  for (const file of ["index.html", "page.js"]) copyFileSync(join(here, "src", file), join(output, file));
  for (const name of names) {
    const adapter = join(here, "adapters", `${name}.mjs`);
    if (!existsSync(adapter)) throw new Error(`there is no adapter ${name}`);
    const entry = `import adapter from ${JSON.stringify(adapter)};
      import { serve } from ${JSON.stringify(join(here, "src", "workload.mjs"))};
      serve(adapter);`;
    await build({
      stdin: { contents: entry, resolveDir: here, sourcefile: `${name}-entry.mjs` },
      outfile: join(output, `${name}.js`),
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      define: { "process.env.NODE_ENV": '"production"', global: "self" },
      banner: {
        js: 'self.process ??= { env: { NODE_ENV: "production" }, browser: true, version: "", ' +
          "nextTick: (work, ...values) => queueMicrotask(() => work(...values)) };",
      },
      // Quire is bundled as its own package is.
      plugins: [nodeModules, pureBsonForEsbuild],
      loader: { ".wasm": "file" },
      logLevel: "error",
      legalComments: "none",
    });
    for (const asset of assetsOf(adapter)) copyFileSync(asset, join(output, basename(asset)));
  }
}
