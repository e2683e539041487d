/**
 * Runs the commands on an engine that counts, and writes its counts in LLVM's raw form.
 *
 *     node run.mjs FOLDER OUTPUT
 *
 * `FOLDER` has wasm-bindgen's glue of the counting engine. The glue lacks the imports of wasm-bindgen's describing
 * functions, which the counts' records keep alive; none of them is called.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runAll } from "./commands.mjs";

const [folder, output] = process.argv.slice(2).map((path) => resolve(path));
const web = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "web");
const { rolldown } = createRequire(join(web, "package.json"))("rolldown");

/** A module of the web app's sources, as JavaScript. */
async function bundled(name) {
  const bundle = await rolldown({ input: join(web, "src", "engine", `${name}.ts`), platform: "node" });
  const file = join(folder, `${name}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return import(pathToFileURL(file).href);
}

const module = new WebAssembly.Module(readFileSync(join(folder, "quire_bg.wasm")));
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (given, imports) => {
  for (const { module: space, name } of WebAssembly.Module.imports(given)) (imports[space] ??= {})[name] ??= () => 0;
  return instantiate(given, imports);
};
const [{ DocumentEngine }, { makeHost }] = [await bundled("document-engine"), await bundled("host")];
const glue = await import(pathToFileURL(join(folder, "quire.js")).href);
const { memory } = await glue.default({ module_or_path: module });
const engine = new DocumentEngine(glue.QuireEngine.openMemory(makeHost()), memory);

runAll((command) => {
  const reply = engine.runDocument("profile", command);
  if (reply.ok !== 1 || reply.writeErrors)
    throw new Error(
      `${JSON.stringify(command).slice(0, 300)}: ${reply.errmsg ?? JSON.stringify(reply.writeErrors[0])}`,
    );
  return reply;
});
const profile = glue.takeProfile();
// The eighth byte of the version says that the counters are those of the compiler's own form of the code; the runtime
// does not know it.
profile[15] |= 1;
writeFileSync(output, profile);
