/**
 * Runs the golden scripts of `tests/scripts` on the engine's WebAssembly in Node.
 *
 * The same files, clock, seeds and prelude as `tests/scripts.rs`, so both must answer alike. Invariant: skipped only
 * where the engine was not built (`cargo xtask build` makes `web/wasm/`); the test command builds it first.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { WasmModule } from "../src/engine/bindings.ts";
import { makeHost, type FunctionCaller } from "../src/engine/host.ts";
import { loadEngine } from "../src/engine/load.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scripts = `${root}/tests/scripts`;
const wasm = `${root}/web/wasm/quire_bg.wasm`;
const languages = readFileSync(`${root}/web/wasm/languages.wasm`);

/** 2026-01-01T00:00:00Z. */
const NOW = 1_767_225_600_000;
const SEED = 2026n;

/** Stops the script's own clock and seeds its randomness, as the engine's are. */
const STILL = `const now = ${NOW};
{
  const Real = Date;
  globalThis.Date = class Date extends Real {
    constructor(...parts) { if (parts.length === 0) super(now); else super(...parts); }
    static now() { return now; }
  };
  let state = 1;
  Math.random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
}`;

/** SplitMix64 over the same seed as the native runner's. */
function seeded(): (bytes: Uint8Array) => void {
  let state = SEED;
  const mask = (1n << 64n) - 1n;
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 8) {
      state = (state + 0x9e3779b97f4a7c15n) & mask;
      let mixed = state;
      mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
      mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
      mixed ^= mixed >> 31n;
      for (let byte = 0; byte < 8 && at + byte < bytes.length; byte++)
        bytes[at + byte] = Number((mixed >> BigInt(8 * byte)) & 0xffn);
    }
  };
}

interface Step {
  readonly source: string;
  readonly expected: readonly string[];
}

function split(text: string): Step[] {
  const steps: { source: string; expected: string[] }[] = [{ source: "", expected: [] }];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    let step = steps[steps.length - 1] as { source: string; expected: string[] };
    if (line.startsWith("//>")) {
      step.expected.push(line.slice(3).replace(/^ /, ""));
      continue;
    }
    if (step.expected.length > 0) {
      step = { source: "", expected: [] };
      steps.push(step);
    }
    step.source += `${line}\n`;
  }
  return steps.filter((step) => step.source.trim() !== "");
}

/** Whether a line is as expected; `<*>` stands for any text. */
function fits(expected: string, line: string): boolean {
  const pattern = expected.split("<*>").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`, "su").test(line);
}

function collect(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .sort();
}

interface Evaluated {
  readonly value: { readonly text?: string };
  readonly error: { readonly text: string } | null;
}

async function openModule(): Promise<WasmModule> {
  return (await loadEngine(() => readFileSync(wasm))).module;
}

/** Calls functions inside commands in a realm of their own, as the sandbox does; made by the first call. */
function functionCaller(): FunctionCaller {
  let call: ((source: string, thisJson: string, argumentsJson: string) => string) | null = null;
  return (source, thisJson, argumentsJson) => {
    if (call === null) {
      const refuse = (): string => JSON.stringify({ ok: 0, errmsg: "a function inside a command cannot run commands" });
      const context = createContext({ __quireCommand: refuse, __quirePrint: () => undefined });
      runInContext(readFileSync(`${root}/web/dist/prelude.js`, "utf8"), context, { filename: "prelude.js" });
      call = runInContext("quireShell.callFunction", context) as typeof call & object;
    }
    try {
      return call(source, thisJson ?? "", `[${argumentsJson.join(",")}]`);
    } catch (thrown) {
      const { name, message } = thrown as Error;
      throw new Error(`${name}: ${message}`);
    }
  };
}

/** The last fields of each reply begin so; they are left out where the native runner leaves them out. */
const TIMES = ',"$clusterTime":';

/** A shell over a fresh engine: gives everything a step prints, and its value, line by line. */
function openShell(module: WasmModule, head: string): (source: string) => string[] {
  const host = {
    ...makeHost({ now: () => NOW, callFunction: functionCaller(), languages: () => languages }),
    random: seeded(),
  };
  if (head.endsWith("(standalone)")) module.QuireEngine.presentStandalone();
  const engine = module.QuireEngine.openMemory(host);
  const hasTimes = head.endsWith("(with times)");
  let printed: string[] = [];
  const globals = {
    __quireCommand: (text: string): string => {
      const reply = engine.runJson(text);
      const end = hasTimes ? -1 : reply.lastIndexOf(TIMES);
      return end === -1 ? reply : `${reply.slice(0, end)}}`;
    },
    __quirePrint: (text: string): void => void printed.push(...text.split("\n")),
    // Such a realm has jobs of its own, which are run at the end of each script.
    __quireRunJobs: (): void => void runInContext("0", context),
  };
  const context = createContext(globals, { microtaskMode: "afterEvaluate" });
  runInContext(STILL, context);
  runInContext(readFileSync(`${root}/web/dist/prelude.js`, "utf8"), context, { filename: "prelude.js" });
  const evaluate = runInContext(
    "(source) => quireShell.evaluate(source, JSON.stringify({ asText: true }))",
    context,
  ) as (source: string) => string;
  return (source) => {
    printed = [];
    const outcome = JSON.parse(evaluate(source)) as Evaluated;
    const text = outcome.error?.text ?? outcome.value.text;
    return text === undefined ? printed : [...printed, ...text.split("\n")];
  };
}

describe.skipIf(!existsSync(wasm))("golden scripts under WebAssembly", () => {
  test.each(collect(scripts))("%s", async (name) => {
    const text = readFileSync(`${scripts}/${name}`, "utf8");
    const answer = openShell(await openModule(), text.split("\n", 1)[0] ?? "");
    for (const step of split(text)) {
      const lines = answer(step.source).map((line) => line.trimEnd());
      const same =
        lines.length === step.expected.length && lines.every((line, at) => fits(step.expected[at] ?? "", line));
      if (!same)
        expect({ source: step.source, answered: lines }).toEqual({ source: step.source, answered: step.expected });
    }
  });
});
