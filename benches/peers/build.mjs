/**
 * Bundles every adapter with the workload into dist/bundles/<name>.js, as an app is bundled, and puts its assets beside
 * it: a worker, or a module of the page where the adapter's name ends with `-page`. Adapters are the modules of a
 * folder with a default export; an adapter's `assets` are files it loads at run time.
 *
 * Invariant: Quire is measured through the exports of its packed package: its adapters and `src/` can import nothing
 * else but each other.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { IN_NODE, IN_PAGE, exported } from "./packed.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(new URL("../../web/package.json", import.meta.url))("esbuild");

/** The names of all adapters of a folder. */
export function adapterNames(folder = "adapters") {
  return readdirSync(join(here, folder))
    .filter((file) => !file.endsWith("-store.mjs"))
    .map((file) => basename(file, ".mjs"))
    .sort();
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

/** The module that a bundle begins with: the phases of an adapter, served to the page by a worker. */
const entryOf = (adapter, serves, workload = "workload") => ({
  name: "entry",
  setup(plugins) {
    plugins.onResolve({ filter: /^bench:/ }, ({ path }) => ({ path, namespace: "entry" }));
    const contents = `import adapter from ${JSON.stringify(adapter)};
      import * as workload from ${JSON.stringify(join(here, "src", `${workload}.mjs`))};
      export const phases = workload.phasesOf(adapter);
      ${serves ? "workload.serve(phases);" : ""}`;
    plugins.onLoad({ filter: /./, namespace: "entry" }, () => ({ contents, resolveDir: here }));
  },
});

/** The package's exports, and no other way to Quire. */
const packed = (quiredb, conditions) => ({
  name: "packed",
  setup(plugins) {
    plugins.onResolve({ filter: /^quiredb(\/|$)/ }, ({ path }) => ({
      path: join(quiredb.root, exported(quiredb, path, conditions)),
      external: conditions === IN_NODE,
    }));
    plugins.onResolve({ filter: /./ }, ({ path, importer, resolveDir }) => {
      const own = (path.startsWith(".") || isAbsolute(path)) && resolve(resolveDir, path).startsWith(here + sep);
      if (own || !/^(src|(adapters|kinds).quire)\b/.test(relative(here, importer))) return undefined;
      return { errors: [{ text: `${basename(importer)} imports ${path}, and not an export of the package` }] };
    });
  },
});

const fileOf = (quiredb, specifier) => join(quiredb.root, exported(quiredb, specifier));

/**
 * Copies the files that the package names by `new URL("…", import.meta.url)` to where that leads from a bundle, as
 * bundlers of apps do.
 */
function placeFiles(quiredb, bundles) {
  const entry = fileOf(quiredb, "quiredb");
  const named = (file) => resolve(bundles, relative(dirname(entry), file));
  for (const file of [
    ...["worker.js", "runner.js"].map((name) => join(dirname(entry), name)),
    ...["quire_bg.wasm", "languages.wasm", "sandbox.wasm"].map((one) => fileOf(quiredb, `quiredb/${one}`)),
  ]) {
    copyFileSync(file, named(file));
  }
}

/** How an adapter is bundled for a page. */
const bundling = (quiredb) => ({
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  define: { "process.env.NODE_ENV": '"production"', global: "self" },
  plugins: [packed(quiredb, IN_PAGE), nodeModules],
  loader: { ".wasm": "file" },
  logLevel: "error",
  legalComments: "none",
});

/**
 * How many bytes of brotli a page loads for an adapter without the workload: its code, and the package's files that it
 * names as its `engine`.
 */
export async function sizeOf(adapter, quiredb, engine = []) {
  const { outputFiles, metafile } = await build({
    ...bundling(quiredb),
    entryPoints: [adapter],
    outdir: join(here, "dist", "sizes"),
    write: false,
    metafile: true,
  });
  const code = new Map(outputFiles.map(({ path, contents }) => [relative(here, path), contents]));
  const placed = new Map(Object.entries(metafile.outputs).map(([path, one]) => [relative(here, resolve(path)), one]));
  const loaded = new Set();
  const load = (path) => {
    if (loaded.has(path) || !placed.has(path)) return;
    loaded.add(path);
    for (const { path: other, kind } of placed.get(path).imports)
      if (kind === "import-statement") load(relative(here, resolve(other)));
  };
  for (const [path, { entryPoint }] of placed) if (entryPoint && resolve(entryPoint) === adapter) load(path);
  const parts = [
    ...[...loaded].map((path) => code.get(path)),
    ...engine.map((one) => readFileSync(fileOf(quiredb, one))),
  ];
  return parts.reduce((sum, part) => sum + brotliCompressSync(part).length, 0);
}

/** Builds the named adapters of a folder into dist/, over an unpacked package. */
export async function buildAdapters(names, quiredb, folder = "adapters", workload = "workload") {
  const output = join(here, "dist");
  const bundles = join(output, "bundles");
  rmSync(bundles, { recursive: true, force: true });
  mkdirSync(bundles, { recursive: true });
  for (const file of ["index.html", "page.js"]) copyFileSync(join(here, "src", file), join(output, file));
  copyFileSync(join(here, "src", "echo.js"), join(bundles, "echo.js"));
  placeFiles(quiredb, bundles);
  for (const name of names) {
    const adapter = join(here, folder, `${name}.mjs`);
    if (!existsSync(adapter)) throw new Error(`there is no adapter ${name}`);
    const own = name.startsWith("quire");
    const serves = folder === "adapters" && !name.endsWith("-page");
    const options = bundling(quiredb);
    await build({
      ...options,
      entryPoints: { [name]: `bench:${name}` },
      outdir: bundles,
      chunkNames: `${name}-[hash]`,
      banner: own
        ? {}
        : {
            js:
              'self.process ??= { env: { NODE_ENV: "production" }, browser: true, version: "", ' +
              "nextTick: (work, ...values) => queueMicrotask(() => work(...values)) };",
          },
      plugins: [entryOf(adapter, serves, workload), ...options.plugins],
    });
    for (const asset of assetsOf(adapter)) copyFileSync(asset, join(bundles, basename(asset)));
  }
}

/** The phases of an adapter of Quire in Node, which imports the package as it is. */
export async function phasesInNode(name, quiredb) {
  const outfile = join(here, "dist", "node", `${name}.mjs`);
  const adapter = join(here, "adapters", `${name}.mjs`);
  await build({
    entryPoints: [`bench:${name}`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    plugins: [entryOf(adapter, false), packed(quiredb, IN_NODE)],
    logLevel: "error",
  });
  return (await import(pathToFileURL(outfile).href)).phases;
}
