/** Readings in Quire, as a time series. */
import { readings } from "./quire-store.mjs";

export default readings(true);
