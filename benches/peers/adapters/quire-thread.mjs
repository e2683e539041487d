/** Quire's `MongoClient` with the engine beside the caller, in memory. */
import { clientStore } from "./quire-client-store.mjs";

export default clientStore({ storage: "memory", thread: "this" });
