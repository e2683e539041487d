/**
 * Opens a deployment that is stored in IndexedDB.
 *
 * The browser takes as long to open a database for the first time as the engine's WebAssembly takes to come, so both
 * happen side by side: the connection made here only wakes the database, and the engine then makes its own. Invariant:
 * version and stores are those of `crate/src/wasm/idb.rs`.
 */
import type { EngineHost, WasmEngine } from "./bindings.ts";
import type { LoadedModule } from "./load.ts";

const VERSION = 2;
const STORES = ["pages", "meta", "blocks"];

/**
 * Opens the database, and makes it where it does not exist; gives the function that closes it. Never rejects: the
 * engine, which opens the database again, words the failure.
 */
function wake(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    const asleep = (): void => resolve(() => undefined);
    try {
      const request = indexedDB.open(`quire:${name}`, VERSION);
      request.onupgradeneeded = () => {
        const { result: database } = request;
        for (const store of STORES) if (!database.objectStoreNames.contains(store)) database.createObjectStore(store);
      };
      request.onsuccess = () => {
        const database = request.result;
        const close = (): void => database.close();
        database.onversionchange = close;
        resolve(close);
      };
      request.onerror = asleep;
    } catch {
      asleep();
    }
  });
}

/** The engine over the deployment of this name, which is open before its pages are there. */
export async function openStored(name: string, loading: Promise<LoadedModule>, host: EngineHost): Promise<WasmEngine> {
  const awake = wake(name);
  try {
    return await (await loading).module.QuireEngine.openIndexedDb(name, host);
  } finally {
    void awake.then((close) => close());
  }
}
