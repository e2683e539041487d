import type { Plugin } from "vite";

export const givenWasm: () => Plugin;
