/**
 * The engine's WebAssembly, fetched and compiled by the page while its worker is still being started: the worker's own
 * request could only begin when its scripts have come and run.
 *
 * Invariants: compiled once for each address, also for the workers that come later. A failure is told by nobody here:
 * the worker is given nothing, asks for the file itself, and tells the error.
 */
import type { EngineCode } from "../protocol/messages.ts";

const compiled = new Map<string, Promise<WebAssembly.Module | null>>();

/** The module at an address; null when it cannot be had. Asking for it begins the request. */
export function engineCode(address: string): Promise<WebAssembly.Module | null> {
  let code = compiled.get(address);
  if (code === undefined) {
    code = compile(address).catch(() => {
      compiled.delete(address);
      return null;
    });
    compiled.set(address, code);
  }
  return code;
}

async function compile(address: string): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(address));
}

/** Gives the module to a worker, which waits for it. */
export async function giveCode(
  code: Promise<WebAssembly.Module | null>,
  tell: (code: EngineCode) => void,
): Promise<void> {
  const module = await code;
  try {
    tell({ kind: "engine-code", module });
  } catch {
    // A worker that may not share modules with this page.
    tell({ kind: "engine-code", module: null });
  }
}
