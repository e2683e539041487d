/** Loads the engine's WebAssembly once a realm: by URL in browsers, by bytes in Node. */
import type { WasmModule } from "./bindings.ts";

export interface LoadedModule {
  readonly module: WasmModule;
  readonly memory: WebAssembly.Memory;
}

let loading: Promise<LoadedModule> | null = null;

/** Begins to fetch what is an address. */
const fetched = (given: unknown): unknown => (typeof given === "string" || given instanceof URL ? fetch(given) : given);

/**
 * `source` gives a URL, bytes, a compiled module, or a promise of one of them. A failed load may be tried again. `glue` is given
 * by who has it at hand already: fetching it would be one more request before the first command.
 */
export function loadEngine(source: () => unknown, glue?: WasmModule): Promise<LoadedModule> {
  loading ??= (async () => {
    // Asked for before anything else: it is the longest to come.
    const given = source();
    const code = given instanceof Promise ? given.then(fetched) : fetched(given);
    Promise.resolve(code).catch(() => undefined);
    const module = glue ?? ((await import("../../wasm/quire.js")) as unknown as WasmModule);
    const { memory } = await module.default({ module_or_path: code });
    return { module, memory };
  })();
  loading.catch(() => {
    loading = null;
  });
  return loading;
}
