/** Readings in Quire, one document each. */
import { readings } from "./quire-store.mjs";

export default readings(false);
