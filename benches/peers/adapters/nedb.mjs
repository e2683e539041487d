/** @seald-io/nedb, in memory. */
import { nedbStore } from "./nedb-store.mjs";

export default nedbStore(false);
