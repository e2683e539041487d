/** Loads the engine's WebAssembly once a realm: by URL in browsers, by bytes in Node. */
import type { WasmModule } from "./bindings.ts";

export interface LoadedModule {
  readonly module: WasmModule;
  readonly memory: WebAssembly.Memory;
}

let loading: Promise<LoadedModule> | null = null;

/** `source` is a URL, a response, bytes or a compiled module. A failed load may be tried again. */
export function loadEngine(source: () => unknown): Promise<LoadedModule> {
  loading ??= (async () => {
    const module = (await import("../../wasm/quire.js")) as unknown as WasmModule;
    const { memory } = await module.default({ module_or_path: await source() });
    return { module, memory };
  })();
  loading.catch(() => {
    loading = null;
  });
  return loading;
}
