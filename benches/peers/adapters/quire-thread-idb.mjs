/** Quire's `MongoClient` with the engine beside the caller, its pages in IndexedDB. */
import { clientStore } from "./quire-client-store.mjs";

export default clientStore({ storage: "indexeddb", thread: "this" });
