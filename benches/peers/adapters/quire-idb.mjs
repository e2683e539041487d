/** Quire's `MongoClient`: the engine in a worker of its own, its pages in IndexedDB. */
import { clientStore } from "./quire-client-store.mjs";

export default clientStore({ storage: "indexeddb" });
