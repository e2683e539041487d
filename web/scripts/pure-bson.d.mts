/** What `pure-bson.mjs` gives the page's build. */
import type { Plugin } from "vite";

export declare const pureBson: () => Plugin;
