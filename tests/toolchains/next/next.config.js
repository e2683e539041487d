import path from "node:path";

/** The packages lie two folders up. */
const root = path.resolve(import.meta.dirname, "../..");

export default { turbopack: { root }, outputFileTracingRoot: root };
