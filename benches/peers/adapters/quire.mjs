/** Quire, in memory. */
import { quireStore } from "./quire-store.mjs";

export const assets = ["../../../web/wasm/quire_bg.wasm"];
export const code = "quire_bg.wasm";

export default quireStore(false);
