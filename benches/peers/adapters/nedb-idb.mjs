/** @seald-io/nedb, kept in IndexedDB. */
import { nedbStore } from "./nedb-store.mjs";

export default nedbStore(true);
