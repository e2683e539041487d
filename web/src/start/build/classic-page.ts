/**
 * Makes classic scripts of the modules that a Run needs at once: browsers keep the compiled code of classic scripts for
 * the next visit, and Chromium keeps none of a page's modules, which it then reads anew each time.
 *
 * A part is what some modules import at once, without what earlier parts hold. The first part stands in the page; the
 * second is fetched by the first who imports one of its modules. In the place of each module that went into a part lies
 * one that passes on what it exports, for the modules that are in none.
 *
 * Invariants: a module is evaluated once, in its part, before the module in its place is. What is exported is never
 * assigned anew after its module was evaluated, since what passes it on has its value of that moment (`export let` ends
 * the build). No `await` stands outside a function in a part.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { Plugin } from "vite";
import { readModule, replaced, type BuiltModule } from "./built-module.ts";

/** The only file in a list whose name begins and ends so. */
export function only(names: readonly string[], begin: string, end: string): string {
  const found = names.filter((name) => name.startsWith(begin) && name.endsWith(end));
  if (found.length !== 1) throw new Error(`the build has ${found.length} files ${begin}…${end}`);
  return found[0] as string;
}

/** The built modules by their files. */
type Modules = ReadonlyMap<string, BuiltModule>;

/** A module with all that it imports at once. */
function closure(modules: Modules, name: string, found = new Set<string>()): Set<string> {
  const module = modules.get(name);
  if (module === undefined) throw new Error(`${name} was not built`);
  if (found.has(name)) return found;
  found.add(name);
  for (const path of module.imports.keys()) closure(modules, path, found);
  return found;
}

/**
 * The object that holds the modules of the parts by their names, and the function that gives one, fetching its part.
 */
const MODULES = "globalThis.quireModules";
const GIVE = "globalThis.quireModule";
const OWN_ADDRESS = "quireOwnAddress";
/** Gives the address of a file beside the part's own. The bundler would take the `./` from one that it can read. */
const BESIDE = "quireBeside";

/** A part of the page: the modules in it, and those in earlier ones, which are there when it comes. */
interface Part {
  readonly modules: readonly string[];
  readonly before: ReadonlySet<string>;
}

/** What of each module is imported by others than those of its part. */
type Passed = ReadonlyMap<string, readonly string[]>;

/** Of a large module most is only for its own part. */
function passed(modules: Modules, parts: readonly Part[]): Passed {
  const wanted = new Map<string, Set<string>>();
  const asked = new Set<string>();
  for (const [importer, module] of modules) {
    for (const [name, list] of module.imports) {
      if (parts.some((part) => part.modules.includes(importer) && part.modules.includes(name))) continue;
      wanted.set(name, new Set([...(wanted.get(name) ?? []), ...list]));
    }
    for (const { file } of module.asked) asked.add(file);
  }
  const given = (name: string): readonly string[] => modules.get(name)?.exports ?? [];
  const some = (name: string): readonly string[] =>
    asked.has(name) ? given(name) : given(name).filter((one) => wanted.get(name)?.has(one));
  return new Map(parts.flatMap((part) => part.modules.map((name) => [name, some(name)])));
}

/** A module's source in which those of the parts are not imported, but asked for. */
function asking({ code, asked, addresses, resolvers }: BuiltModule, inParts: Passed): string {
  return replaced(code, [
    ...asked.map(({ file, whole, start, end }) =>
      inParts.has(file)
        ? { start: whole.start, end: whole.end, text: `${GIVE}(${JSON.stringify(file)})` }
        : { start, end, text: `import(${BESIDE}(${JSON.stringify(file)}))` },
    ),
    ...addresses.map(({ start, end }) => ({ start, end, text: OWN_ADDRESS })),
    ...resolvers.map(({ start, end }) => ({ start, end, text: "undefined" })),
  ]);
}

/** Gives a module of the parts; that of the second fetches it. */
const giving = (later: string): string => `${MODULES} = {};
  let later = null;
  ${GIVE} = (name) => {
    if (${MODULES}[name] !== undefined) return Promise.resolve(${MODULES}[name]);
    later ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const address = ${BESIDE}(${JSON.stringify(later)});
      const createScriptURL = (own) => {
        if (new URL(own).origin !== location.origin) throw new TypeError(own);
        return own;
      };
      globalThis.quireScripts ??= globalThis.trustedTypes?.createPolicy("quire", { createScriptURL });
      script.src = globalThis.quireScripts?.createScriptURL(address) ?? address;
      script.onload = resolve;
      script.onerror = () => {
        later = null;
        script.remove();
        reject(new TypeError("Failed to fetch " + address));
      };
      document.head.append(script);
    });
    return later.then(() => ${MODULES}[name]);
  };`;

/** The script of a part; `later` is that of the part that is fetched, for the first one to know. */
async function bundle(
  built: Modules,
  { modules, before }: Part,
  inParts: Passed,
  later: string | null,
): Promise<string> {
  const [ENTRY, FIRST] = ["part:entry", "part:first"];
  const names = (name: string): readonly string[] => inParts.get(name) ?? [];
  // What gives modules comes first: they ask it.
  const entry = [
    ...(later === null ? [] : [`import "${FIRST}";`]),
    ...modules.map(
      (name, index) =>
        `import { ${names(name)
          .map((one) => `${one} as m${index}_${one}`)
          .join(", ")} } from "./${name}";`,
    ),
    `Object.assign(${MODULES}, { ${modules
      .map(
        (name, index) =>
          `${JSON.stringify(name)}: { ${names(name)
            .map((one) => `${one}: m${index}_${one}`)
            .join(", ")} }`,
      )
      .join(", ")} });`,
  ].join("\n");
  const build = await rolldown({
    input: ENTRY,
    plugins: [
      {
        name: "parts",
        resolveId: (id) =>
          id === ENTRY || id === FIRST
            ? id
            : id.startsWith("./") && inParts.has(id.slice(2))
              ? `part:${id.slice(2)}`
              : null,
        load(id) {
          if (id === ENTRY) return entry;
          if (id === FIRST) return giving(later ?? "");
          const name = id.slice("part:".length);
          const module = built.get(name);
          if (!id.startsWith("part:") || module === undefined) return null;
          return before.has(name)
            ? `export const { ${names(name).join(", ")} } = ${MODULES}[${JSON.stringify(name)}];`
            : asking(module, inParts);
        },
      },
    ],
    checks: { pluginTimings: false },
  });
  const { output } = await build.generate({
    format: "iife",
    minify: true,
    intro:
      `const ${OWN_ADDRESS} = document.currentScript.src, ${BESIDE} = (name) => new URL(name, ` +
      `${OWN_ADDRESS}).href;`,
  });
  await build.close();
  if (output.length !== 1) throw new Error("a part of the page is more than one script");
  return output[0].code;
}

/** What lies in the place of a module that is in a part; `there`: the part stands in the page. */
function passing(name: string, names: readonly string[], there: boolean): string {
  const module = there ? `${MODULES}[${JSON.stringify(name)}]` : `await ${GIVE}(${JSON.stringify(name)})`;
  return `export const { ${names.join(", ")} } = ${module};\n`;
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
      for (const { fileName, ...chunk } of Object.values(output))
        if (chunk.type === "chunk" && chunk.facadeModuleId !== null)
          chunks.set(chunk.facadeModuleId, fileName.replace(/^assets\//, ""));
    },
    closeBundle: {
      order: "post",
      sequential: true,
      handler: () =>
        write(
          folder,
          drawing.map((source) => {
            const name = chunks.get(source);
            if (name === undefined) throw new Error(`${source} has no file of its own`);
            return name;
          }),
        ),
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
  const built: Modules = new Map(
    readdirSync(assets)
      .filter((name) => name.endsWith(".js"))
      .map((name) => [name, readModule(readFileSync(join(assets, name), "utf8"))]),
  );
  const first: Part = { modules: [...closure(built, entry)], before: new Set() };
  const before = new Set(first.modules);
  const second: Part = {
    modules: [...new Set(drawing.flatMap((name) => [...closure(built, name)]))].filter((name) => !before.has(name)),
    before,
  };
  const inParts = passed(built, [first, second]);
  const put = (name: string, text: string): string => {
    const script = `${name}-${createHash("sha256").update(text).digest("base64url").slice(0, 8)}.js`;
    writeFileSync(join(assets, script), text);
    return script;
  };
  const later = put("drawing", await bundle(built, second, inParts, null));
  const script = put("opening", await bundle(built, first, inParts, later));
  for (const part of [first, second]) {
    for (const name of part.modules) {
      const names = inParts.get(name) ?? [];
      if (names.length === 0) rmSync(join(assets, name));
      else writeFileSync(join(assets, name), passing(name, names, part === first));
    }
  }
  writeFileSync(
    page,
    html
      .replace(tag, `<script defer src="./assets/${script}"></script>`)
      .replace(/\n *<link rel="modulepreload"[^>]*>/g, ""),
  );
}
