/** What `pure-bson.mjs` gives the page's build. */
import type { Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vite";

export declare const pureBson: () => Plugin;
export declare const pureBsonForEsbuild: EsbuildPlugin;
