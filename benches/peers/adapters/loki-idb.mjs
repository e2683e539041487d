/** lokijs, kept in IndexedDB. */
import { lokiStore } from "./loki-store.mjs";

export default lokiStore(true);
