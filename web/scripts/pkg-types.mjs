/**
 * Writes the package's declarations: one file an entry point, which stands alone.
 *
 * The declarations of the driver, the engine and the shell lie in one file, `inline.d.cts`, which has the exports of all
 * three; the others export their names from there, so that a class is one class whichever entry point it came from. That
 * file is CommonJS's, because modules may export what CommonJS declares, and not the other way around. The server's takes
 * the engine from there too.
 */
import { spawnSync } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** Exports of `engine.ts` that are for the package's other entry points and not for users. */
export const INSIDE = ["insideOf"];
const ENTRIES = [
  "index",
  "engine",
  "shell",
  "element",
  "course",
  "lab",
  "server",
  "net",
  "net-aliases",
  "testing",
  "inline",
];

/** What test runners are given; nobody else calls it. */
const GLOBAL_SETUP = `/** For the option globalSetup of Vitest, and for globalSetup and globalTeardown of Jest. */
export default function globalSetup(given?: object): Promise<() => Promise<void>>;
`;
const JEST_ENVIRONMENT = `/** For the option testEnvironment of Jest. */
declare class QuireEnvironment {
  constructor(config: object, context: object);
}
export = QuireEnvironment;
`;

/** Emits the declarations of all modules into a folder. */
async function emit(root, folder) {
  const config = path.join(folder, "tsconfig.json");
  await writeFile(
    config,
    JSON.stringify({
      extends: `${root}tsconfig.json`,
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: folder,
        rootDir: `${root}src`,
        stripInternal: true,
        // The server is Node's; no declaration names a type of it.
        types: ["node"],
        typeRoots: [`${root}node_modules/@types`],
      },
      files: ENTRIES.map((entry) => `${root}src/pkg/${entry}.ts`).concat(
        ["engine/wasm", "client/worker-address"].map((name) => `${root}src/${name}.d.ts`),
      ),
      include: [],
    }),
  );
  const done = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", config], {
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`tsc could not emit the types:\n${done.stdout}${done.stderr}`);
}

/** One file with all that an emitted file declares and exports. */
async function bundled(root, folder, name) {
  const built = await rolldown({
    input: { [name]: path.join(folder, `pkg/${name}.d.ts`) },
    plugins: [
      {
        name: "quire-emitted",
        resolveId(id, importer) {
          if (id === "bson") return `${root}node_modules/bson/bson.d.ts`;
          // An engine is the same class there.
          if (name === "server" && id === "../engine.ts") return { id: "./inline.cjs", external: true };
          // Emitted declarations import the sources' names.
          return importer !== undefined && id.startsWith(".")
            ? path.resolve(path.dirname(importer), id.replace(/(?<!\.d)\.ts$/, ".d.ts"))
            : null;
        },
      },
      dts({ dtsInput: true, tsconfig: false, sourcemap: false }),
    ],
    checks: { pluginTimings: false },
    logLevel: "warn",
  });
  const { output } = await built.generate({ format: "esm" });
  await built.close();
  if (output.length !== 1) throw new Error(`the declarations of ${name} came in ${output.length} pieces`);
  // The bundler names the folder of each part, which is another one each time.
  return output[0].code.replace(/^\/\/ .*\.d\.ts\n/gm, "");
}

/** The names that a file of declarations exports, in its last statement. */
function namesIn(code) {
  const [, names] = /export \{([^{}]*)\};?\s*$/.exec(code) ?? [];
  if (names === undefined) throw new Error("a bundled declaration file ends with no list of exports");
  return names.split(",").map((name) => name.trim().replace(/^type /, ""));
}

/** Writes all of them into the package's folder. */
export async function declarations(root, out) {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-types-"));
  try {
    await emit(root, folder);
    const put = (name, text) => writeFile(path.join(out, name), text);
    const code = Object.fromEntries(
      await Promise.all(ENTRIES.map(async (name) => [name, await bundled(root, folder, name)])),
    );
    const all = namesIn(code.inline);
    // `await using` takes a client, a session and a cursor; the bundled file has lost what names its symbol.
    await put("inline.d.cts", `/// <reference lib="esnext.disposable" />\n${code.inline}`);
    await put("inline.d.ts", 'export * from "./inline.cjs";\n');
    for (const name of ["index", "engine", "shell"]) {
      const names = namesIn(code[name]).filter((each) => !INSIDE.includes(each));
      const missing = names.filter((each) => !all.includes(each));
      if (missing.length > 0) throw new Error(`src/pkg/inline.ts exports no types ${missing.join(", ")} of ${name}`);
      for (const ending of ["ts", "cts"])
        await put(`${name}.d.${ending}`, `export { ${names.join(", ")} } from "./inline.cjs";\n`);
    }
    await put("element.d.cts", code.element);
    for (const name of ["element.d.ts", "inline-element.d.ts", "inline-element.d.cts"])
      await put(name, 'export * from "./element.cjs";\n');
    for (const name of ["server", "testing"]) {
      await put(`${name}.d.cts`, code[name]);
      await put(`${name}.d.ts`, `export * from "./${name}.cjs";\n`);
    }
    await put("global-setup.d.ts", GLOBAL_SETUP);
    await put("jest-environment.d.cts", JEST_ENVIRONMENT);
    for (const name of ["course", "net", "net-aliases"]) await put(`${name}.d.ts`, code[name]);
    await put("lab.d.ts", code.lab);
    for (const ending of ["ts", "cts"])
      await copyFile(`${root}src/pkg/wasm-address.d.ts`, path.join(out, `wasm-address.d.${ending}`));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
