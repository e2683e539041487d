/** Quire's `MongoClient`: the engine in a worker of its own, in memory. */
import { clientStore } from "./quire-client-store.mjs";

export default clientStore({ storage: "memory" });
