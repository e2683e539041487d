/** lokijs, in memory. */
import { lokiStore } from "./loki-store.mjs";

export default lokiStore(false);
