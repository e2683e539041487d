/** Places in Quire, in memory. */
import { places } from "./quire-store.mjs";

export default places("memory");
