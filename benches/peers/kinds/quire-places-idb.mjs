/** Places in Quire, in IndexedDB. */
import { places } from "./quire-store.mjs";

export default places("indexeddb");
