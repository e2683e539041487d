import type { Plugin } from "vite";

export function onceWritten(name: string, work: () => void | Promise<void>): Plugin;
