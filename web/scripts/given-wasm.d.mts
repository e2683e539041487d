import type { Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vite";

export const givenWasm: () => Plugin;
export const givenWasmForEsbuild: EsbuildPlugin;
