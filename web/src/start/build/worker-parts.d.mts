/** Types of `worker-parts.mjs`. */
import type { Plugin } from "esbuild";
export declare const PARTS: readonly { readonly part: "runner" | "main" | "worker"; readonly source: string }[];
export declare const placed: (addresses: ReadonlyMap<string, string>) => Plugin;
