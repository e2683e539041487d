/**
 * `quiredb/shell`: the mongosh-like shell over an engine in this thread, for tests and tools.
 *
 * Invariant: no sandbox, as `shell-over.ts` says.
 */
import type { Engine } from "./engine.ts";
import { backendOf } from "./engine-backend.ts";
import { type Shell, type ShellOptions, shellOver } from "./shell-over.ts";

export function createShell(engine: Engine, options: ShellOptions = {}): Shell {
  return shellOver(backendOf(engine), options);
}

export type { EvaluatedError } from "../shell/shell.ts";
export type { Shell, ShellOptions, ShellOutcome } from "./shell-over.ts";
export { Engine } from "./engine.ts";
