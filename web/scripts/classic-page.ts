/**
 * Makes classic scripts of the modules that a Run needs at once: browsers keep the compiled code of classic scripts for the next visit,
 * and Chromium keeps none of a page's modules, which it then reads anew each time.
 *
 * A part is what some modules import at once, without what earlier parts hold. The first part stands in the page; the second is fetched
 * by the first who imports one of its modules. In the place of each module that went into a part lies one that passes on what it exports,
 * for the modules that are in none.
 *
 * Invariants: a module is evaluated once, in its part, before the module in its place is. What is exported is never assigned anew after
 * its module was evaluated, since what passes it on has its value of that moment (`export let` ends the build). No `await` stands
 * outside a function in a part.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin as BundlerPlugin } from "esbuild";
import type { Plugin } from "vite";

/** The only file in a list whose name begins and ends so. */
export function only(names: readonly string[], begin: string, end: string): string {
  const found = names.filter((name) => name.startsWith(begin) && name.endsWith(end));
  if (found.length !== 1) throw new Error(`the build has ${found.length} files ${begin}…${end}`);
  return found[0] as string;
}

/** A module with all that it imports at once. */
function closure(folder: string, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, path] of readFileSync(join(folder, name), "utf8").matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{}\s,]+?\s*from\s*)?["']\.\/([^"']+\.js)["']/g)) closure(folder, path as string, found);
  return found;
}

/** The object that holds the modules of the parts by their names, and the function that gives one, fetching its part. */
const MODULES = "globalThis.quireModules";
const GIVE = "globalThis.quireModule";

/** A part of the page: the modules in it, and those in earlier ones, which are there when it comes. */
interface Part {
  readonly modules: readonly string[];
  readonly before: ReadonlySet<string>;
}

/** A module's source in which those of the parts are not imported, but asked for. */
function asking(source: string, inParts: ReadonlySet<string>): string {
  const given = (whole: string, name: string): string => (inParts.has(name) ? `${GIVE}(${JSON.stringify(name)})` : whole);
  return source
    .replace(/\w+\(\(\)=>import\(`\.\/([^`]+)`\),(?:\[\]|__vite__mapDeps\(\[[\d,]*\]\)),import\.meta\.url\)/g, given)
    .replace(/import\(`\.\/([^`]+)`\)/g, given);
}

/** The script of a part; `later` is that of the part that is fetched, for the first one to know. */
async function bundle(assets: string, { modules, before }: Part, inParts: ReadonlySet<string>, later: string | null): Promise<string> {
  const plugin: BundlerPlugin = {
    name: "parts",
    setup(context) {
      context.onResolve({ filter: /^own-address$/ }, () => ({ path: "own-address", namespace: "own" }));
      context.onLoad({ filter: /./, namespace: "own" }, () => ({ contents: "export const quireOwnAddress = document.currentScript.src;" }));
      context.onResolve({ filter: /^\.\/[^/]+\.js$/ }, ({ path, kind }) => {
        if (kind === "dynamic-import") return { path, external: true };
        const name = path.slice(2);
        return before.has(name) ? { path: name, namespace: "earlier" } : { path: join(assets, name) };
      });
      context.onLoad({ filter: /./, namespace: "earlier" }, ({ path }) => ({ contents: `module.exports = ${MODULES}[${JSON.stringify(path)}];` }));
      context.onLoad({ filter: /\.js$/, namespace: "file" }, ({ path }) => ({ contents: asking(readFileSync(path, "utf8"), inParts), resolveDir: assets }));
    },
  };
  const give = `let later = null;
    ${GIVE} = (name) => {
      if (${MODULES}[name] !== undefined) return Promise.resolve(${MODULES}[name]);
      later ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = new URL(${JSON.stringify(`./${later}`)}, quireOwnAddress).href;
        script.onload = resolve;
        script.onerror = () => {
          later = null;
          script.remove();
          reject(new TypeError("Failed to fetch " + script.src));
        };
        document.head.append(script);
      });
      return later.then(() => ${MODULES}[name]);
    };`;
  // The function comes first: the modules ask it.
  const entry = [
    ...(later === null ? [] : ['import "give";']),
    ...modules.map((name, index) => `import * as m${index} from ${JSON.stringify(`./${name}`)};`),
    `Object.assign(${MODULES}, { ${modules.map((name, index) => `${JSON.stringify(name)}: m${index}`).join(", ")} });`,
  ].join("\n");
  const first: BundlerPlugin = {
    name: "give",
    setup(context) {
      context.onResolve({ filter: /^give$/ }, () => ({ path: "give", namespace: "give" }));
      context.onLoad({ filter: /./, namespace: "give" }, () => ({ contents: `${MODULES} = {};\n${give}` }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: assets },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    legalComments: "none",
    define: { "import.meta.url": "quireOwnAddress", "import.meta.resolve": "undefined" },
    inject: ["own-address"],
    plugins: [first, plugin],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("a part of the page gave no script");
  return file.text;
}

/** The names that a built module exports. */
function exportsOf(source: string): string[] {
  return [...source.matchAll(/export\s*\{([^}]*)\}/g)].flatMap(([, list]) => (list as string).split(",").map((one) => (one.split(/\sas\s/).at(-1) as string).trim())).filter((name) => name !== "");
}

/** What lies in the place of a module that is in a part; `there`: the part stands in the page. */
function passing(name: string, source: string, there: boolean): string {
  const names = exportsOf(source);
  const module = there ? `${MODULES}[${JSON.stringify(name)}]` : `await ${GIVE}(${JSON.stringify(name)})`;
  return `const { ${names.map((each, index) => `${each}: e${index}`).join(", ")} } = ${module};\nexport { ${names.map((each, index) => `e${index} as ${each}`).join(", ")} };\n`;
}

/** `drawing` is what draws the results of a run, as sources: the second part's. */
export const classicPage = (folder: string, drawing: readonly string[]): Plugin => {
  const chunks = new Map<string, string>();
  return {
    name: "quire-classic-page",
    apply: "build",
    transform(code, id) {
      if (/\/web\/src\/.*\.ts$/.test(id) && /^export let /m.test(code)) this.error(`${id} exports what changes`);
    },
    generateBundle(_options, output) {
      for (const { fileName, ...chunk } of Object.values(output)) if (chunk.type === "chunk" && chunk.facadeModuleId !== null) chunks.set(chunk.facadeModuleId, fileName.replace(/^assets\//, ""));
    },
    closeBundle: {
      order: "post",
      sequential: true,
      handler: () => write(folder, drawing.map((source) => {
        const name = chunks.get(source);
        if (name === undefined) throw new Error(`${source} has no file of its own`);
        return name;
      })),
    },
  };
};

async function write(folder: string, drawing: readonly string[]): Promise<void> {
  const assets = join(folder, "assets");
  const page = join(folder, "index.html");
  const html = readFileSync(page, "utf8");
  const tag = /<script type="module" crossorigin src="\.\/assets\/([^"]+)"><\/script>/;
  const entry = tag.exec(html)?.[1];
  if (entry === undefined) throw new Error("index.html has no module");
  const first: Part = { modules: [...closure(assets, entry)], before: new Set() };
  const before = new Set(first.modules);
  const second: Part = { modules: [...new Set(drawing.flatMap((name) => [...closure(assets, name)]))].filter((name) => !before.has(name)), before };
  const inParts = new Set([...first.modules, ...second.modules]);
  const put = (name: string, text: string): string => {
    const script = `${name}-${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.js`;
    writeFileSync(join(assets, script), text);
    return script;
  };
  const later = put("drawing", await bundle(assets, second, inParts, null));
  const script = put("opening", await bundle(assets, first, inParts, later));
  for (const part of [first, second]) {
    for (const name of part.modules) {
      const path = join(assets, name);
      writeFileSync(path, passing(name, readFileSync(path, "utf8"), part === first));
    }
  }
  writeFileSync(page, html.replace(tag, `<script defer src="./assets/${script}"></script>`).replace(/\n *<link rel="modulepreload"[^>]*>/g, ""));
}
