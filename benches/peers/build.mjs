/**
 * Bundles every adapter with the workload into dist/<name>.js and puts its assets beside it: a worker, or a module of the page where the
 * adapter's name ends with `-page`. Adapters are the modules of adapters/ with a default export; an adapter's `assets` are files it loads
 * at run time.
 *
 * Invariant: Quire is measured through the exports of its packed package, which is served beside the bundles and is not bundled: its
 * adapters and `src/` can import nothing else but each other.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { exported } from "./packed.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(new URL("../../web/package.json", import.meta.url))("esbuild");

/** The names of all adapters. */
export function adapterNames() {
  return readdirSync(join(here, "adapters")).filter((file) => !file.endsWith("-store.mjs"))
    .map((file) => basename(file, ".mjs")).sort();
}

/** The files an adapter loads at run time, of packages. */
function assetsOf(adapter) {
  const list = /^export const assets = \[([^\]]*)\]/m.exec(readFileSync(adapter, "utf8"))?.[1] ?? "";
  const require = createRequire(adapter);
  return [...list.matchAll(/"([^"]+)"/g)].map(([, asset]) => require.resolve(asset));
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

/** The package's exports by their addresses on the bench's server, and no other way to Quire. */
const packed = (quiredb) => ({
  name: "packed",
  setup(plugins) {
    plugins.onResolve({ filter: /^quiredb(\/|$)/ }, ({ path }) => ({ path: `/quiredb/${exported(quiredb, path).replace(/^\.\//, "")}`, external: true }));
    plugins.onResolve({ filter: /./ }, ({ path, importer, resolveDir }) => {
      const own = (path.startsWith(".") || isAbsolute(path)) && resolve(resolveDir, path).startsWith(here + sep);
      if (own || !/^(src|adapters.quire)\b/.test(relative(here, importer))) return undefined;
      return { errors: [{ text: `${basename(importer)} imports ${path}, and not an export of the package` }] };
    });
  },
});

/** Builds the named adapters into dist/, over an unpacked package. */
export async function buildAdapters(names, quiredb) {
  const output = join(here, "dist");
  mkdirSync(output, { recursive: true });
  for (const file of ["index.html", "page.js", "echo.js"]) copyFileSync(join(here, "src", file), join(output, file));
  for (const name of names) {
    const adapter = join(here, "adapters", `${name}.mjs`);
    if (!existsSync(adapter)) throw new Error(`there is no adapter ${name}`);
    const own = name.startsWith("quire");
    const onPage = name.endsWith("-page");
    const entry = `import adapter from ${JSON.stringify(adapter)};
      import { phasesOf, serve } from ${JSON.stringify(join(here, "src", "workload.mjs"))};
      export const phases = phasesOf(adapter);
      ${onPage ? "" : "serve(phases);"}`;
    await build({
      stdin: { contents: entry, resolveDir: here, sourcefile: `${name}-entry.mjs` },
      outfile: join(output, `${name}.js`),
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      define: { "process.env.NODE_ENV": '"production"', global: "self" },
      banner: own ? {} : {
        js: 'self.process ??= { env: { NODE_ENV: "production" }, browser: true, version: "", ' +
          "nextTick: (work, ...values) => queueMicrotask(() => work(...values)) };",
      },
      plugins: [packed(quiredb), nodeModules],
      loader: { ".wasm": "file" },
      logLevel: "error",
      legalComments: "none",
    });
    for (const asset of assetsOf(adapter)) copyFileSync(asset, join(output, basename(asset)));
  }
}
