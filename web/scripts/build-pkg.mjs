/**
 * Builds the npm packages into ../pkg:
 *
 * - `quiredb` (`pkg/dist/`): each entry point is one file, the same for pages that import by address, for bundlers and
 *   for Node; what is needed seldom is fetched by it (`bundle`), some of it as files that several have in common
 *   (`SHARED`). Beside them lie the worker's two files and the two WebAssembly files, `.cjs` files for `require` in
 *   Node, and one declaration file an entry (`types`). An entry point exports its own names alone (`inside.mjs`).
 * - `quiredb-inline` (`pkg/inline/`): the WebAssembly and the worker as text, which `quiredb/inline` imports.
 * - `quiredb-playground` (`pkg/playground/`): the built page without the WebAssembly, which is `quiredb`'s.
 *
 * `pkg/site/` is what `quiredb copy-site` makes of them, for tests and benches; `pkg/maps/` has the source maps, for the
 * release. Everything is bundled, so that an entry point can be imported by path from any folder with no node_modules.
 * Needs `wasm/engine-glue.js` (cargo xtask build) and `wasm/prelude-text.js` (build:prelude).
 */
import { spawnSync } from "node:child_process";
import { copyFile, cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { givenWasm, givenWasmForEsbuild } from "./given-wasm.mjs";
import { hideInCommonJs, hideInModule, leaveOut, passNot } from "./inside.mjs";
import { NOTICES, packageNotices } from "./notices.mjs";
import { declarations, INSIDE } from "./pkg-types.mjs";
import { pureBson, pureBsonForEsbuild } from "./pure-bson.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = path.resolve(root, "../pkg");
const [out, maps, inline, playground, copied] = ["dist", "maps", "inline", "playground", "site"].map((name) =>
  path.join(packages, name),
);
const source = (name) => `${root}src/${name}.ts`;
const wasm = (name) => `${root}wasm/${name}`;

for (const needed of ["engine-glue.js", "quire_bg.wasm", "prelude-text.js", "sandbox.wasm", "languages.wasm"]) {
  await stat(wasm(needed)).catch(() => {
    throw new Error(`web/wasm/${needed} is missing: run cargo xtask build`);
  });
}
for (const folder of [out, maps, inline, playground]) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
const manifest = async (folder) =>
  JSON.parse(await readFile(path.join(packages, "npm", folder, "package.json"), "utf8"));
const [{ version, peerDependencies }, ofInline, ofPlayground] = await Promise.all(
  ["", "inline", "playground"].map(manifest),
);
// They are published together, and work together in one version alone.
const versions = [
  peerDependencies["quiredb-inline"],
  ofInline.version,
  ofPlayground.version,
  ofPlayground.dependencies.quiredb,
];
if (versions.some((each) => each !== version))
  throw new Error(`quiredb is ${version}, and the packages of pkg/npm name ${versions.join(", ")}`);

/** Modules that the package has in the place of the page's, by the end of their path. */
const INSTEAD = { defaults: "pkg/defaults" };
/** Some bundlers bring a package along for each name of Node's that they see. */
const define = {
  Buffer: "globalThis.Buffer",
  process: "globalThis.process",
  QUIRE_VERSION: JSON.stringify(version),
};
/** Ids of the modules that went into the packages, for the notices. */
const used = new Set();

/** An entry that loads others before it: what it shares with them is then in their files. */
const BEHIND = "\0behind:";
const behind = (...entries) => `${BEHIND}${entries.join("|")}`;
const plugins = (instead) => [
  {
    name: "quire-entries",
    resolveId: (id) => (id.startsWith(BEHIND) ? id : null),
    load(id) {
      if (!id.startsWith(BEHIND)) return null;
      const entries = id.slice(BEHIND.length).split("|");
      const last = entries.pop();
      const before = entries.map((each) => `import ${JSON.stringify(each)};\n`);
      return `${before.join("")}export * from ${JSON.stringify(last)};`;
    },
  },
  {
    name: "quire-instead",
    resolveId(id) {
      const name = /\/([\w-]+)\.ts$/.exec(id)?.[1];
      return id.startsWith(".") && instead[name] !== undefined ? source(instead[name]) : null;
    },
  },
  pureBson(),
  givenWasm(),
];

/** Builds entries into pkg/dist; gives the chunks. */
async function bundle(input, { instead = INSTEAD, platform = "browser", external = [], extra = [], ...output }) {
  const built = await rolldown({
    input,
    platform,
    external,
    plugins: [...extra, ...plugins(instead)],
    transform: { define, target: "es2022" },
    resolve: { conditionNames: ["browser", "import", "module", "default"] },
    preserveEntrySignatures: "allow-extension",
    checks: { pluginTimings: false },
    logLevel: "warn",
  });
  const { output: files } = await built.write({
    dir: out,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    hashCharacters: "base36",
    sourcemap: "hidden",
    comments: { legal: false },
    // Values are worded with the names of their classes.
    minify: { compress: { target: "es2022" }, mangle: { keepNames: { class: true, function: false } } },
    ...output,
  });
  await built.close();
  const chunks = files.filter(({ type }) => type === "chunk");
  for (const { modules } of chunks)
    for (const [id, { renderedLength }] of Object.entries(modules)) if (renderedLength > 0) used.add(id);
  return chunks;
}

/** Modules that several bundles have as one file: large ones that are asked for seldom. */
const SHARED = { acorn: /^acorn$/, "prelude-text": /\/wasm\/prelude-text\.js$/ };
const shared = {
  name: "quire-shared",
  resolveId(id) {
    const found = Object.entries(SHARED).find(([, words]) => words.test(id));
    return found === undefined ? null : { id: `./${found[0]}.js`, external: true };
  },
};
await bundle({ acorn: "acorn" }, {});
await cp(wasm("prelude-text.js"), `${out}/prelude-text.js`);
/** What `require` gives reads the prelude out of the module's file: the text is large, and is packed once. */
const preludeOfFile = {
  name: "quire-prelude-of-file",
  load: (id) =>
    SHARED["prelude-text"].test(id)
      ? `import { readFileSync } from "node:fs";
const file = readFileSync(new URL("./prelude-text.js", import.meta.url), "utf8");
export default JSON.parse(file.slice("export default ".length, file.lastIndexOf(";")));`
      : null,
};

const entry = (name) => source(`pkg/${name}`);
const index = entry("index");
const element = entry("element");
/** Parts of the element that other parts take in too: as entries they are fetched by the names of their modules. */
const FETCHED = ["results", "doubts", "insight"];
// What the driver, the engine and the shell share is one: values and engines of one are those of the others.
const together = {
  index,
  engine: behind(index, entry("engine")),
  shell: behind(index, entry("shell")),
  server: behind(index, entry("server")),
  testing: behind(index, entry("testing")),
};
// The program has the shell, the server and what they share from their files. Its parser of pages asks for a library that
// draws and for one that reads style sheets, neither of which is called here; the second would be a fifth of the program.
const SHEETS = "cssomnom/parse";
const program = "cli";
await bundle(
  {
    ...together,
    "engine-thread": entry("server/engine-thread"),
    net: behind(index, entry("engine"), entry("net")),
    [program]: behind(index, entry("shell"), entry("server"), entry("cli")),
  },
  {
    // The last two are the bundler's to give (`pkg/net-aliases.ts`).
    external: ["canvas", /^node:/, "buffer", "stream"],
    banner: ({ name }) => (name === program ? "#!/usr/bin/env node" : ""),
    extra: [
      shared,
      {
        name: "quire-no-sheets",
        resolveId: (id) => (id === SHEETS ? `\0${SHEETS}` : null),
        load: (id) =>
          id === `\0${SHEETS}`
            ? 'export const parse = () => { throw new Error("style sheets are not read here"); };'
            : null,
      },
    ],
  },
);
// What stands in the place of Node's modules in a page with MongoDB's own driver. Each is one file.
await bundle(
  {
    "net-aliases": entry("net-aliases"),
    "net-node": entry("net/node"),
    "net-process": entry("net/process"),
  },
  { external: [/^node:/] },
);
/** The directives that several drawings have in common, and what a directive is made of. */
const DIRECTIVES = {
  name: "directives",
  test: /\/look\/cssom\.ts$|\/lit-html\/(?:directive|directive-helpers|directives\/keyed)\.js$/,
  includeDependenciesRecursively: false,
};
/** Modules of a few lines that many parts have in common: one file for all. */
const SMALL = {
  name: "small",
  test: /\/src\/(?:messages\/(?:coded|figures|plural|sentences)|state\/fields|state\/map\/(?:geo-index|geometry|offered|places|query|sphere)|view\/unreached)\.ts$/,
};
/** The page's own shortening of templates, which is TypeScript. */
const shortening = await build({ entryPoints: [`${root}scripts/templates.ts`], format: "esm", write: false });
const { withShortTemplates } = await import(
  `data:text/javascript,${encodeURIComponent(shortening.outputFiles[0].text)}`
);
const shortTemplates = {
  name: "quire-short-templates",
  transform: {
    filter: { id: /\/web\/src\/.*\.ts$/, code: /\b(?:css|html|svg)`/ },
    handler(code) {
      return { code: withShortTemplates(code, this.parse(code, { lang: "ts" })), map: null };
    },
  },
};
const elements = await bundle(
  {
    element,
    course: behind(element, entry("course")),
    lab: behind(element, entry("lab")),
    ...Object.fromEntries(FETCHED.map((name) => [name, source(`embed/${name}`)])),
  },
  {
    entryFileNames: ({ name }) => (FETCHED.includes(name) ? "[name]-[hash].js" : "[name].js"),
    codeSplitting: { groups: [SMALL, DIRECTIVES] },
    extra: [shared, shortTemplates],
  },
);
// For `require` in Node. Bundlers take the modules, whichever way they are asked.
await bundle(together, {
  format: "cjs",
  platform: "node",
  extra: [preludeOfFile],
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
});
/** What test runners are told the names of: each is a few lines before `quiredb/testing`. */
const besideTesting = (file) => ({
  name: "quire-beside-testing",
  resolveId: (id) => (id === "../testing.ts" ? { id: `./${file}`, external: true } : null),
});
await bundle({ "global-setup": entry("testing/global-setup") }, { extra: [besideTesting("testing.js")] });
await bundle(
  { "jest-environment": entry("testing/jest-environment") },
  {
    format: "cjs",
    platform: "node",
    external: ["jest-environment-node"],
    entryFileNames: "[name].cjs",
    extra: [besideTesting("testing.cjs")],
  },
);
const facades = new Map(elements.map(({ facadeModuleId, fileName }) => [facadeModuleId, fileName]));
const required = await bundle(
  { element },
  {
    format: "cjs",
    platform: "node",
    entryFileNames: "[name].cjs",
    // What an element fetches are modules, also in a program that required the element.
    extra: [
      {
        name: "quire-fetched",
        async resolveDynamicImport(id, importer) {
          const file = facades.get((await this.resolve(String(id), importer))?.id);
          return file === undefined ? null : { id: `./${file}`, external: true };
        },
      },
    ],
  },
);
if (required.length !== 1)
  throw new Error(`element.cjs requires ${required.map(({ fileName }) => fileName).join(", ")}`);
/** Puts modules in the place of others, as `plugins` does. */
const insteadForEsbuild = (instead) => ({
  name: "quire-instead",
  setup(context) {
    for (const [name, module] of Object.entries(instead))
      context.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, () => ({ path: source(module) }));
  },
});

/** Builds one of the worker's scripts. */
async function script(name, folder, entryPoint, instead) {
  const { metafile } = await build({
    entryPoints: { [name]: entryPoint },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    platform: "browser",
    conditions: ["browser"],
    legalComments: "none",
    sourcemap: "external",
    logLevel: "warning",
    metafile: true,
    // The sandbox's loader asks for its own address, and needs no answer.
    define: { ...define, "import.meta.url": "self.location.href" },
    plugins: [insteadForEsbuild(instead), givenWasmForEsbuild, pureBsonForEsbuild],
  });
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [id, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) used.add(path.resolve(id));
}
await script("worker", out, source("start/worker"), { "runner-part": "pkg/runner-part" });
await script("runner", out, entry("runner"), {});
await script("whole", inline, source("start/worker"), {});

for (const name of ["quire_bg.wasm", "sandbox.wasm", "languages.wasm"]) await copyFile(wasm(name), `${out}/${name}`);
await template();
await withoutPlayground();
await hideShared();
await forInline();
await declarations(root, out);
for (const name of await readdir(out)) if (name.endsWith(".map")) await rename(`${out}/${name}`, `${maps}/${name}`);
await rm(`${inline}/whole.js.map`);
await forPlayground();
await packageNotices(path.join(packages, NOTICES), used);
await copySite();

/** Writes the template of `quiredb new-course`: a course, its page, and the names of the files which the page loads. */
async function template() {
  const course = `${out}/template/course`;
  await cp(`${root}courses/starter`, course, { recursive: true });
  await cp(`${root}src/pkg/course/template`, course, { recursive: true });
  const files = [
    ...reachedFrom(elements, "course.js"),
    "worker.js",
    "runner.js",
    "quire_bg.wasm",
    "sandbox.wasm",
    "languages.wasm",
  ];
  await writeFile(`${out}/template/files.json`, `${JSON.stringify(files.sort(), null, 1)}\n`);
}

/** The built files that an entry point loads, with itself. */
function reachedFrom(chunks, first) {
  const reached = new Set([first]);
  for (const file of reached) {
    const chunk = chunks.find(({ fileName }) => fileName === file);
    // A shared file imports nothing.
    for (const next of chunk === undefined ? [] : [...chunk.imports, ...chunk.dynamicImports])
      reached.add(path.basename(next));
  }
  return [...reached];
}

/** Has the elements know no playground: `quiredb copy-site` tells them of one. */
async function withoutPlayground() {
  let found = 0;
  for (const name of await readdir(out)) {
    if (!/\.c?js$/.test(name)) continue;
    const code = await readFile(`${out}/${name}`, "utf8");
    if (!/\bQUIRE_PLAYGROUND\b/.test(code)) continue;
    found += 1;
    await writeFile(`${out}/${name}`, code.replaceAll(/\bQUIRE_PLAYGROUND\b/g, "null/*quire-playground*/"));
  }
  if (found === 0) throw new Error("no element asks for QUIRE_PLAYGROUND (src/embed/place.ts)");
}

/** Has each entry point export its own names alone. */
async function hideShared() {
  // What the shell takes would bring the driver along for who imports an engine alone.
  const carrierOf = (file) => (file === "shell.js" ? "MongoClientBulkWriteError" : "CodecError");
  const names = await namesOf("index");
  await hideInModule(out, "index", names, INSIDE, carrierOf);
  await hideInCommonJs(out, "index", names);
  await passNot(`${out}/engine.js`, INSIDE);
  await leaveOut(`${out}/engine.cjs`, INSIDE);
  await hideInModule(out, "element", await namesOf("element"), INSIDE, () => "QuireSnippet");
}

/** The names that an entry point exports; those that files share among themselves are not among them. */
async function namesOf(name) {
  const { metafile } = await build({
    entryPoints: [entry(name)],
    outdir: out,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    logLevel: "warning",
    plugins: [insteadForEsbuild(INSTEAD), givenWasmForEsbuild],
  });
  const { exports } = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint?.endsWith(`pkg/${name}.ts`));
  return exports.filter((each) => !INSIDE.includes(each)).sort();
}

/** Writes `quiredb/inline` and the package that it imports, whose one script serves modules and CommonJS alike. */
async function forInline() {
  const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
  const files = {
    engine: packed(await readFile(wasm("quire_bg.wasm"))),
    sandbox: packed(await readFile(wasm("sandbox.wasm"))),
    languages: packed(await readFile(wasm("languages.wasm"))),
    worker: packed(await readFile(`${inline}/whole.js`)),
  };
  await rm(`${inline}/whole.js`);
  // Other versions may be in the same realm (`src/pkg/inlined.ts`).
  const held = 'globalThis[Symbol.for("quiredb-inline")]';
  const own = JSON.stringify(version);
  await writeFile(`${inline}/index.js`, `(${held} ??= {})[${own}] = ${JSON.stringify(files)};\n`);
  const told = `quiredb/inline needs quiredb-inline in its own version: npm install quiredb-inline@${version}`;
  const check = `if (${held}?.[${own}] === undefined) throw new Error(${JSON.stringify(told)});\n`;
  await writeFile(`${inline}/index.d.ts`, "export {};\n");
  const all = new Map();
  for (const name of ["index", "engine", "shell"])
    for (const each of await namesOf(name)) if (!all.has(each)) all.set(each, name);
  const exported = await namesOf("inline");
  const missing = [...all.keys()].filter((each) => !exported.includes(each));
  if (missing.length > 0) throw new Error(`src/pkg/inline.ts does not export ${missing.join(", ")}`);
  const of = (from) => [...all].filter(([, name]) => name === from).map(([each]) => each);
  const lines = ["index", "engine", "shell"].map((name) => `export { ${of(name).join(", ")} } from "./${name}.js";\n`);
  await writeFile(`${out}/inline.js`, `import "quiredb-inline";\n${check}${lines.join("")}`);
  const members = await namesOf("element");
  await writeFile(
    `${out}/inline-element.js`,
    `import "quiredb-inline";\n${check}export { ${members.join(", ")} } from "./element.js";\n`,
  );
  // One by one: Node and bundlers read the names of a CommonJS module out of its text.
  const require = (from, names) =>
    `const ${from} = require("./${from}.cjs");\n${names.map((each) => `exports.${each} = ${from}.${each};\n`).join("")}`;
  const head = `"use strict";\nrequire("quiredb-inline");\n${check}`;
  await writeFile(
    `${out}/inline.cjs`,
    head + ["index", "engine", "shell"].map((name) => require(name, of(name))).join(""),
  );
  await writeFile(`${out}/inline-element.cjs`, head + require("element", members));
}

/** Writes the package of the playground: the site, and which of its files are those of `quiredb`. */
async function forPlayground() {
  const site = `${root}dist/site`;
  const found = await stat(`${site}/index.html`).catch(() => null);
  if (found === null) {
    console.warn("web/dist/site is missing: npm run build:page first, or cargo xtask build");
    return;
  }
  await cp(site, `${playground}/site`, { recursive: true });
  const shared = {};
  for (const name of ["quire_bg", "sandbox", "languages"]) {
    const own = await readFile(`${out}/${name}.wasm`);
    const there = (await readdir(`${playground}/site/assets`)).find((each) => RegExp(`^${name}-.*\\.wasm$`).test(each));
    const file = `${playground}/site/assets/${there}`;
    if (!own.equals(await readFile(file))) throw new Error(`the page has another ${name}.wasm: npm run build:page`);
    await rm(file);
    shared[`assets/${there}`] = `${name}.wasm`;
  }
  await writeFile(`${playground}/shared.json`, `${JSON.stringify(shared, null, 1)}\n`);
}

/** Puts the hand-kept files of the packages beside what was built, and has the package's program write a site. */
async function copySite() {
  const kept = `${packages}/npm`;
  for (const folder of ["", "inline", "playground"]) {
    for (const name of await readdir(path.join(kept, folder))) {
      const file = path.join(kept, folder, name);
      if ((await stat(file)).isFile()) await copyFile(file, path.join(packages, folder, name));
    }
    for (const name of ["LICENSE-APACHE", "LICENSE-MIT"])
      await copyFile(path.join(packages, "..", name), path.join(packages, folder, name));
  }
  await copyFile(path.join(packages, NOTICES), `${inline}/${NOTICES}`);
  const done = spawnSync(process.execPath, [`${out}/cli.js`, "copy-site", copied], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`quiredb copy-site failed:\n${done.stdout}${done.stderr}`);
}
