/** Texts in Quire, in memory. */
import { texts } from "./quire-store.mjs";

export default texts("memory");
