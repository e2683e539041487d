/**
 * Builds the npm package into ../pkg/dist. The same entry points are built for four kinds of importer, which differ in
 * where they find the worker and the two WebAssembly files (`src/pkg/defaults*.ts`):
 *
 * - `dist/`: pages that import by address. The worker is in parts that are asked for when needed.
 * - `dist/bundler/`: tools that put files where they like. The worker is one file.
 * - `dist/inline/`: everything inside, for tools that carry no files along, and for Node.
 * - `dist/cjs/`: the same as CommonJS, with a `package.json` and types that say so.
 *
 * Beside them lie the types and the playground, which `<quire-playground>` shows and snippets link to.
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
import { PARTS, placed } from "../src/start/build/worker-parts.mjs";
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

/** Puts modules in the place of others, by the end of their path. */
const instead = (modules) => ({
  name: "instead",
  setup(context) {
    for (const [name, module] of Object.entries(modules)) {
      context.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, () => ({ path: `${root}/src/${module}.ts` }));
    }
  },
});

/** The texts lie in files of their own beside the modules that import them. */
const placeData = {
  name: "place-data",
  setup(context) {
    context.onResolve({ filter: /^quiredb-data\// }, ({ path: address }) => ({
      path: `./data-${path.basename(address)}.js`,
      external: true,
    }));
  },
};

const common = {
  bundle: true,
  format: "esm",
  target: "es2022",
  platform: "browser",
  conditions: ["browser"],
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  sourcemap: true,
  logLevel: "warning",
  metafile: true,
};
const cleaned = [givenWasmForEsbuild, pureBsonForEsbuild];
const entries = Object.fromEntries(
  ["index", "engine", "shell", "element"].map((name) => [name, `${root}/src/pkg/${name}.ts`]),
);
const metafiles = [];
/** Builds into a folder of the package; gives the bundler's metafile. */
async function bundle(folder, { plugins = [], ...options }) {
  const { metafile } = await build({
    ...common,
    ...options,
    outdir: path.join(out, folder),
    plugins: [...plugins, ...cleaned],
  });
  metafiles.push(metafile);
  return metafile;
}

// Pages that import by address.
const built = await bundle("", {
  entryPoints: entries,
  splitting: true,
  plugins: [instead({ defaults: "pkg/defaults" })],
});
await withoutHelpers("element.js", built);
// Courses and labs are built by themselves: sharing would cut `element.js` into pieces, each of which is a request.
const lessonEntries = {
  entryPoints: { course: `${root}/src/pkg/course.ts`, lab: `${root}/src/pkg/lab.ts` },
  splitting: true,
};
const lessonsBuilt = await bundle("", { ...lessonEntries, plugins: [instead({ defaults: "pkg/defaults" })] });
const parts = { runner: "runner", main: "worker-main", worker: "worker" };
const addresses = new Map(Object.entries(parts).map(([part, name]) => [part, `./${name}.js`]));
for (const { part, source } of PARTS) {
  await bundle("", { entryPoints: { [parts[part]]: `${root}/src/${source}` }, plugins: [placed(addresses)] });
}
// Short names only where no class is asked for its own, as values to word are.
for (const name of await readdir(out))
  if (/^(element|editor-\w+|worker|worker-main)\.js$/.test(name)) await shorten(path.join(out, name));
// The program, for Node alone. The parser of pages asks for a library that draws, which is never called here.
await bundle("", {
  entryPoints: { cli: `${root}/src/pkg/cli.ts` },
  platform: "node",
  conditions: ["node"],
  target: "node20",
  banner: { js: "#!/usr/bin/env node" },
  external: ["canvas"],
  plugins: [instead({ defaults: "pkg/defaults" })],
});
await copyFile(`${root}/wasm/quire_bg.wasm`, `${out}/quire_bg.wasm`);
await copyFile(sandboxWasm, `${out}/sandbox.wasm`);

await template();

// Bundlers. Some bring a package along for each name of Node's that they see.
const noNode = { Buffer: "globalThis.Buffer" };
const inBundle = { defaults: "pkg/defaults-bundled", place: "embed/place-unknown" };
await bundle("bundler", { entryPoints: entries, splitting: true, define: noNode, plugins: [instead(inBundle)] });
await bundle("bundler", { ...lessonEntries, define: noNode, plugins: [instead(inBundle)] });
// The sandbox's loader asks for its own address, and needs no answer.
await bundle("bundler", {
  entryPoints: { worker: `${root}/src/start/worker.ts` },
  format: "iife",
  define: { ...noNode, "import.meta.url": "self.location.href" },
});

// Everything inside: one module for the three entry points, which share it; another for the elements.
const inline = {
  entryPoints: { inline: `${root}/src/pkg/inline.ts`, element: `${root}/src/pkg/element.ts` },
  define: { ...noNode, "import.meta.url": '"quire:inline"' },
  plugins: [instead({ ...inBundle, defaults: "pkg/defaults-inline" }), placeData],
};
const { outputs } = await bundle("inline", inline);
await bundle("cjs", { ...inline, format: "cjs" });
const texts = {
  engine: (await readFile(`${out}/quire_bg.wasm`)).toString("base64"),
  sandbox: (await readFile(`${out}/sandbox.wasm`)).toString("base64"),
  worker: (await readFile(`${out}/bundler/worker.js`, "utf8")).replace(/\/\/# sourceMappingURL=.*\n?$/, ""),
};
for (const [name, text] of Object.entries(texts)) {
  await writeFile(`${out}/inline/data-${name}.js`, `export default ${JSON.stringify(text)};\n`);
  await writeFile(`${out}/cjs/data-${name}.js`, `exports.default=${JSON.stringify(text)};exports.__esModule=true;\n`);
}
/** Exports of `engine.ts` that are for the package's other entry points and not for users. */
const inside = ["insideOf"];
const namesOf = (metafile, name) =>
  Object.entries(metafile.outputs)
    .find(([file]) => path.basename(file) === `${name}.js`)[1]
    .exports.sort();
for (const name of ["index", "engine", "shell"]) {
  const names = namesOf(metafiles[0], name).filter((each) => !inside.includes(each));
  const missing = names.filter((each) => !namesOf({ outputs }, "inline").includes(each));
  if (missing.length > 0) throw new Error(`src/pkg/inline.ts does not export ${missing.join(", ")} of ${name}`);
  await writeFile(`${out}/inline/${name}.js`, `export { ${names.join(", ")} } from "./inline.js";\n`);
  // One by one: Node and bundlers read the names of a CommonJS module out of its text.
  await writeFile(
    `${out}/cjs/${name}.js`,
    `"use strict";\nconst all = require("./inline.js");\n${names.map((each) => `exports.${each} = all.${each};\n`).join("")}`,
  );
}
await writeFile(`${out}/cjs/package.json`, '{ "type": "commonjs" }\n');

const site = `${root}/dist/site`;
if (
  await stat(`${site}/index.html`).then(
    () => true,
    () => false,
  )
)
  await cp(site, `${out}/playground`, { recursive: true });
else
  console.warn(
    "web/dist/site is missing, so the package has no playground: npm run build:page first, or cargo xtask build",
  );
await packageNotices(path.resolve(out, "..", NOTICES), metafiles);
await types();
await cp(`${out}/types`, `${out}/cjs/types`, { recursive: true });

/** Writes the template of `quiredb new-course`: a course, its page, and the names of the files which the page loads. */
async function template() {
  const course = `${out}/template/course`;
  await cp(`${root}/courses/starter`, course, { recursive: true });
  await cp(`${root}/src/pkg/course/template`, course, { recursive: true });
  const scripts = reachedFrom(lessonsBuilt.outputs, "course.js");
  const files = [
    ...scripts.map((file) => path.basename(file)),
    ...Object.values(parts).map((name) => `${name}.js`),
    "quire_bg.wasm",
    "sandbox.wasm",
  ];
  await writeFile(`${out}/template/files.json`, `${JSON.stringify(files.sort(), null, 1)}\n`);
}

/** The built files that an entry point loads, with itself. */
function reachedFrom(outputs, entry) {
  const first = Object.keys(outputs).find((file) => path.basename(file) === entry);
  const reached = new Set([first]);
  for (const file of reached)
    for (const { path: next } of outputs[file].imports) if (outputs[next] !== undefined) reached.add(next);
  return [...reached];
}

/**
 * Takes out of a file the import of the bundler's helpers, none of which it calls: modules that are fetched later share
 * them, and the bundler has each entry point import all that its parts share.
 */
async function withoutHelpers(name, { outputs }) {
  const file = path.join(out, name);
  const helpers = Object.entries(outputs).filter(([, { inputs }]) => Object.keys(inputs).length === 0);
  let code = await readFile(file, "utf8");
  for (const [output] of helpers) {
    const address = `import"./${path.basename(output)}";`;
    // Columns stay as the source map has them.
    code = code.replace(address, " ".repeat(address.length));
  }
  await writeFile(file, code);
}

/** Gives the names inside a built file few letters. */
async function shorten(file) {
  const code = await readFile(file, "utf8");
  const map = await readFile(`${file}.map`, "base64");
  const mapped = code.replace(/\/\/# sourceMappingURL=.*/, `//# sourceMappingURL=data:application/json;base64,${map}`);
  const short = await transform(mapped, {
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    sourcemap: "external",
    sourcefile: path.basename(file),
  });
  await writeFile(file, `${short.code}//# sourceMappingURL=${path.basename(file)}.map\n`);
  await writeFile(`${file}.map`, short.map);
}

/** Emits declarations and makes them stand alone: js-bson's own are copied beside them. */
async function types() {
  const folder = `${out}/types`;
  const config = `${out}/tsconfig.types.json`;
  await writeFile(
    config,
    JSON.stringify({
      extends: `${root}/tsconfig.json`,
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: folder,
        rootDir: `${root}/src`,
        stripInternal: true,
        types: [],
        typeRoots: [`${root}/node_modules/@types`],
      },
      files: ["index", "engine", "shell", "element", "course", "lab", "inline"]
        .map((entry) => `${root}/src/pkg/${entry}.ts`)
        .concat(["engine/wasm", "client/worker-address", "pkg/data"].map((name) => `${root}/src/${name}.d.ts`)),
      include: [],
    }),
  );
  const done = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", config], {
    encoding: "utf8",
  });
  await rm(config);
  if (done.status !== 0) throw new Error(`tsc could not emit the types:\n${done.stdout}${done.stderr}`);
  await copyFile(`${root}/node_modules/bson/bson.d.ts`, `${folder}/bson.d.ts`);
  await copyFile(`${root}/src/pkg/wasm-address.d.ts`, `${folder}/pkg/wasm-address.d.ts`);
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
