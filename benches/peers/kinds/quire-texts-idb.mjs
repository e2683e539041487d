/** Texts in Quire, in IndexedDB. */
import { texts } from "./quire-store.mjs";

export default texts("indexeddb");
