/**
 * Makes `wasm/sandbox.wasm`: QuickJS as its package has it, but with a look-out in its loops.
 *
 * QuickJS asks its host whether to go on while it runs a script's own loops, and not inside its built-in functions:
 * `new Array(4e9).join()` or a pattern that tries everything would be ended with the worker only. So each loop of the
 * program that calls something or holds another loop counts its turns, and asks `quire.lookOut` every so often; an
 * error that this throws ends the program where it is. The innermost loops, which touch memory and are bounded by it,
 * and the interpreter's own, which asks by itself, are left alone: then nothing is slower.
 *
 * `quire.stack`, the program's stack pointer, is exported too: after such an error it is set back
 * (`src/worker/instance.ts`). Values that are read from bytes may refer to one another (`withReferences`). Invariant:
 * nothing else is changed; the build stops where the program's text is not as expected.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = `${root}/node_modules/@jitl/quickjs-ng-wasmfile-release-sync/dist/emscripten-module.wasm`;
/** The package's JavaScript, which has the names by which the program exports its functions. */
const glue = `${root}/node_modules/@jitl/quickjs-ng-wasmfile-release-sync/dist/emscripten-module.mjs`;
const text = `${root}/wasm/sandbox.wat`;
const result = `${root}/wasm/sandbox.wasm`;
/** A hash of the sources of the result, to know whether it has to be made again. */
const made = `${root}/wasm/sandbox.sha256`;
/** As `crate/xtask/src/build.rs` names them: with all features on, wasm-opt emits imports that browsers reject. */
const FEATURES = [
  "bulk-memory",
  "bulk-memory-opt",
  "sign-ext",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "multivalue",
].map((name) => `--enable-${name}`);
/** Turns of loops between two looks: about a millisecond's. */
const TURNS = 100_000;
/** An interpreter has more lines than any other function of its program; half of its lines today. */
const LEAST_INTERPRETER_LINES = 9000;

function wasmOpt(...given) {
  const done = spawnSync(process.execPath, [`${root}/node_modules/binaryen/bin/wasm-opt`, ...given, ...FEATURES], {
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`wasm-opt failed:\n${done.stdout}${done.stderr}`);
}

const indentation = (line) => line.length - line.trimStart().length;

/** Where the longest function begins and ends. */
function interpreter(lines) {
  let longest = { from: 0, to: 0 };
  let from = -1;
  lines.forEach((line, at) => {
    if (line.startsWith(" (func $")) from = at;
    else if (line === " )" && from >= 0) {
      if (at - from > longest.to - longest.from) longest = { from, to: at };
      from = -1;
    }
  });
  if (longest.to - longest.from < LEAST_INTERPRETER_LINES)
    throw new Error("the sandbox's program has no function as long as its interpreter");
  return longest;
}

/** Whether the loop that begins at a line calls something or holds another loop. */
function mayBeLong(lines, at) {
  const depth = indentation(lines[at]);
  for (let inside = at + 1; indentation(lines[inside]) > depth; inside += 1) {
    if (/^\s*\((?:loop|call|call_indirect|return_call|return_call_indirect)\b/.test(lines[inside])) return true;
  }
  return false;
}

function withLookOut(lines) {
  const own = interpreter(lines);
  const lastImport = lines.findLastIndex((line) => line.startsWith(" (import"));
  const stack = lines.findIndex((line) => /^ \(global \$global\$0 \(mut i32\)/.test(line));
  const globals = lines.filter((line) => line.startsWith(" (global"));
  if (lastImport < 0 || stack < lastImport || globals.length !== 1)
    throw new Error("the sandbox's program is not laid out as it was");
  let loops = 0;
  const out = [];
  lines.forEach((line, at) => {
    out.push(line);
    if (at === lastImport) out.push(' (import "quire" "lookOut" (func $lookOut))');
    else if (at === stack)
      out.push(" (global $turns (mut i32) (i32.const 0))", ' (export "quireStack" (global $global$0))');
    else if (/^\s*\(loop\b/.test(line) && !(at > own.from && at < own.to) && mayBeLong(lines, at)) {
      loops += 1;
      out.push(
        "(global.set $turns (i32.sub (global.get $turns) (i32.const 1)))",
        "(if (i32.lt_s (global.get $turns) (i32.const 0)) (then (call $look)))",
      );
    }
  });
  if (loops < 500) throw new Error(`the sandbox's program has ${loops} loops to look out from`);
  out.splice(out.lastIndexOf(")"), 0, ` (func $look (global.set $turns (i32.const ${TURNS})) (call $lookOut))`);
  return out;
}

/** The name by which the program exports a function of its module. */
async function exportName(name) {
  const found = new RegExp(`\\.${name}=\\s*\\w+\\.([\\w$]+)`).exec(await readFile(glue, "utf8"));
  if (found === null) throw new Error(`the sandbox's module has no ${name}`);
  return found[1];
}

/** Where a function begins and ends. */
function bodyOf(lines, name) {
  const from = lines.findIndex((one) => one.startsWith(` (func ${name} `));
  return { from, to: lines.indexOf(" )", from) };
}

/**
 * Lets the values that `QTS_bjson_decode` reads refer to one another by their number: so the worker names the objects
 * whose members are still missing (`src/worker/border/inward.ts`). The function that it calls sets the byte of its
 * state that allows this to 0; here it is set to 1.
 */
function withReferences(lines, exported) {
  const line = lines.find((one) => one.startsWith(` (export "${exported}" `));
  const decode = bodyOf(lines, /\(func (\$[^)]+)\)/.exec(line ?? "")?.[1]);
  const flags = lines.findIndex((one, at) => at > decode.from && at < decode.to && one.trim() === "(i32.const 0)");
  const call = lines.findLastIndex(
    (one, at) => at > decode.from && at < flags && indentation(one) === indentation(lines[flags]) - 1,
  );
  const reader = bodyOf(lines, /\(call (\$\S+)/.exec(lines[call] ?? "")?.[1]);
  const stores = lines
    .map((_, at) => at)
    .filter(
      (at) =>
        at > reader.from &&
        at < reader.to &&
        /^\s*\(i32\.store8 offset=102$/.test(lines[at]) &&
        lines[at + 2].trim() === "(i32.const 0)",
    );
  if (decode.from < 0 || flags < 0 || reader.from < 0 || stores.length !== 1)
    throw new Error("the sandbox's program does not read values as it did");
  return lines.with(stores[0] + 2, "(i32.const 1)");
}

async function build() {
  await mkdir(`${root}/wasm`, { recursive: true });
  wasmOpt(source, "-S", "-o", text);
  const lines = withReferences((await readFile(text, "utf8")).split("\n"), await exportName("_QTS_bjson_decode"));
  await writeFile(text, withLookOut(lines).join("\n"));
  wasmOpt(text, "--strip-debug", "--strip-producers", "-o", result);
  await rm(text);
  await writeFile(made, digest);
}

const hash = createHash("sha256");
for (const file of [source, `${root}/node_modules/binaryen/package.json`, fileURLToPath(import.meta.url)])
  hash.update(await readFile(file));
const digest = hash.digest("hex");
const before = await readFile(made, "utf8").catch(() => "");
if (
  before !== digest ||
  !(await stat(result).then(
    () => true,
    () => false,
  ))
)
  await build();
