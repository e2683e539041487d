/**
 * Loads the engine's WebAssembly: compiled once a realm, by URL in browsers, by bytes in Node. Each load is an instance
 * of its own, with its own memory.
 *
 * Invariant: engines share code and nothing else, so that a trap in one leaves the others as they are, and a closed
 * engine's memory goes back to the browser.
 */
import type { MakeGlue, WasmModule } from "./bindings.ts";
import type { Topology } from "./topology.ts";

export interface LoadedModule {
  readonly module: WasmModule;
  readonly memory: WebAssembly.Memory;
  /** Calls `told` when this instance ends in a trap in a task of its own, which no caller waits for. */
  onTrap(told: (error: unknown) => void): void;
}

/** The exports by which the browser calls an instance in tasks of their own: the closures that the instance gave it. */
export const CLOSURES = /_convert__closures_/;

/** An instance that calls `told` with each trap in a task of its own, and throws the trap on. */
export function telling(instance: WebAssembly.Instance, told: (error: unknown) => void): WebAssembly.Instance {
  const exports = Object.entries(instance.exports).map(([name, value]) => {
    if (typeof value !== "function" || !CLOSURES.test(name)) return [name, value];
    const call = value as (...given: unknown[]) => unknown;
    return [
      name,
      (...given: unknown[]): unknown => {
        try {
          return call(...given);
        } catch (error) {
          told(error);
          throw error;
        }
      },
    ];
  });
  return { exports: Object.fromEntries(exports) as WebAssembly.Exports };
}

let compiling: Promise<WebAssembly.Module> | null = null;

/**
 * Compiles the engine (from a URL, bytes, or a promise of one): while it comes, where the server says that it is
 * WebAssembly.
 */
export async function compile(given: unknown): Promise<WebAssembly.Module> {
  const code = await given;
  if (code instanceof WebAssembly.Module) return code;
  if (typeof code !== "string" && !(code instanceof URL)) return WebAssembly.compile(code as BufferSource);
  const response = await fetch(code);
  if (!response.ok) throw new Error(`${response.url} could not be fetched: ${response.status} ${response.statusText}`);
  return response.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Limits how much memory an instance's engine may have in use, and says what its deployment presents itself as; to be
 * called before the engine is opened.
 */
export function limited(
  loaded: LoadedModule,
  maxMemoryBytes: number | undefined,
  topology: Topology | undefined,
): LoadedModule {
  if (topology === "standalone") loaded.module.QuireEngine.presentStandalone();
  if (maxMemoryBytes !== undefined) loaded.module.QuireEngine.limitMemory(maxMemoryBytes);
  return loaded;
}

/** The engine's code, compiled once a realm; only the first `source` is asked, and after a failure the next. */
export function compiledEngine(source: () => unknown): Promise<WebAssembly.Module> {
  const coming = (compiling ??= compile(source()));
  coming.catch(() => {
    compiling = null;
  });
  return coming;
}

/**
 * An instance of the engine. `source` gives a URL, bytes, a compiled module, or a promise of one of them; only the
 * first is asked. A failed load may be tried again. A caller that has `makeGlue` already gives it: fetching the glue
 * would be one more request before the first command.
 */
export async function loadEngine(source: () => unknown, makeGlue?: MakeGlue): Promise<LoadedModule> {
  // Asked for before anything else: it is the longest to come.
  const compiled = compiledEngine(source);
  const glue = (makeGlue ?? ((await import("../../wasm/engine-glue.js")) as { makeGlue: MakeGlue }).makeGlue)();
  const code = await compiled;
  let trapped: (error: unknown) => void = () => undefined;
  const module = glue.begin(
    telling(await WebAssembly.instantiate(code, glue.imports), (error) => trapped(error)),
    code,
  );
  return { module, memory: module.memory, onTrap: (told) => (trapped = told) };
}
