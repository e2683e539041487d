/**
 * Builds the npm package into ../pkg/dist: four entry points, the worker, two WebAssembly files, the types, and the
 * playground, which `<quire-playground>` shows and snippets link to.
 *
 * Everything is bundled, so that an entry point can be imported by path from any folder with no node_modules.
 * Needs `wasm/engine-glue.js` (cargo xtask build) and `wasm/prelude-text.js` (build:prelude).
 */
import { build, transform } from "esbuild";
import { spawnSync } from "node:child_process";
import { copyFile, cp, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { givenWasmForEsbuild } from "./given-wasm.mjs";
import { NOTICES, packageNotices } from "./notices.mjs";
import { pureBsonForEsbuild } from "./pure-bson.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = path.resolve(root, "../pkg/dist");
const sandboxWasm = `${root}/wasm/sandbox.wasm`;

for (const needed of ["wasm/engine-glue.js", "wasm/quire_bg.wasm", "wasm/prelude-text.js", "wasm/sandbox.wasm"]) {
  await stat(path.join(root, needed)).catch(() => {
    throw new Error(`web/${needed} is missing: run cargo xtask build`);
  });
}
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

/** Where the files lie differs between the playground's build and this package. */
const placeDefaults = {
  name: "place-defaults",
  setup(context) {
    context.onResolve({ filter: /\/defaults\.ts$/ }, () => ({ path: `${root}/src/pkg/defaults.ts` }));
  },
};

/** The worker's first script finds the rest beside itself, and what scripts need in one file more. */
const placeWorker = {
  name: "place-worker",
  setup(context) {
    context.onResolve({ filter: /^\.\/(main|runner)\.ts$/ }, ({ kind, path: address }) => (kind === "dynamic-import" ? { path: address === "./main.ts" ? "./worker-main.js" : "./runner.js", external: true } : undefined));
  },
};

const common = {
  outdir: out,
  bundle: true,
  format: "esm",
  target: "es2022",
  platform: "browser",
  conditions: ["browser"],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  plugins: [placeDefaults, placeWorker, givenWasmForEsbuild, pureBsonForEsbuild],
  logLevel: "warning",
  metafile: true,
};
const { metafile } = await build({
  ...common,
  entryPoints: {
    index: `${root}/src/pkg/index.ts`,
    engine: `${root}/src/pkg/engine.ts`,
    shell: `${root}/src/pkg/shell.ts`,
    element: `${root}/src/pkg/element.ts`,
  },
  splitting: true,
});
// Each in a file of its own with all it needs: a chain of imports would cost a request after the other before the first answer.
const metafiles = [metafile];
for (const [name, source] of [["worker", "begin"], ["worker-main", "main"], ["runner", "runner"]]) metafiles.push((await build({ ...common, entryPoints: { [name]: `${root}/src/worker/${source}.ts` } })).metafile);
// Short names only where no class is asked for its own, as values to word are.
for (const name of await readdir(out)) {
  if (!/^(element|editor-\w+|worker|worker-main)\.js$/.test(name)) continue;
  const { code } = await transform(await readFile(`${out}/${name}`, "utf8"), { minify: true, format: "esm", target: "es2022", legalComments: "none" });
  await writeFile(`${out}/${name}`, code);
}
await copyFile(`${root}/wasm/quire_bg.wasm`, `${out}/quire_bg.wasm`);
await copyFile(sandboxWasm, `${out}/sandbox.wasm`);
const site = `${root}/dist/site`;
if (await stat(`${site}/index.html`).then(() => true, () => false)) await cp(site, `${out}/playground`, { recursive: true });
else console.warn("web/dist/site is missing, so the package has no playground: npm run build:page first, or cargo xtask build");
await packageNotices(path.resolve(out, "..", NOTICES), metafiles);
await types();

/** Emits declarations and makes them stand alone: js-bson's own are copied beside them. */
async function types() {
  const folder = `${out}/types`;
  const config = `${out}/tsconfig.types.json`;
  await writeFile(
    config,
    JSON.stringify({
      extends: `${root}/tsconfig.json`,
      compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: folder, rootDir: `${root}/src`, stripInternal: true, types: [], typeRoots: [`${root}/node_modules/@types`] },
      files: ["index", "engine", "shell", "element"].map((entry) => `${root}/src/pkg/${entry}.ts`).concat(["engine/wasm", "client/worker-address"].map((name) => `${root}/src/${name}.d.ts`)),
      include: [],
    }),
  );
  const done = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", config], { encoding: "utf8" });
  await rm(config);
  if (done.status !== 0) throw new Error(`tsc could not emit the types:\n${done.stdout}${done.stderr}`);
  await copyFile(`${root}/node_modules/bson/bson.d.ts`, `${folder}/bson.d.ts`);
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".d.ts") || name === "bson.d.ts") continue;
    const file = path.join(folder, name);
    const up = path.relative(path.dirname(file), folder) || ".";
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text
        .replace(/(from\s+|import\()(["'])(\.{1,2}\/[^"']+)\.ts\2/g, "$1$2$3.js$2")
        .replace(/(from\s+|import\()(["'])bson\2/g, `$1$2${up}/bson.js$2`),
    );
  }
}
