/**
 * `quiredb/shell`: the mongosh-like shell over an engine in this thread, for tests and tools.
 *
 * Invariant: no sandbox, as `shell-over.ts` says.
 */
import type { Engine } from "./engine.ts";
import { backendOf } from "./engine-backend.ts";
import { optionNamesFault } from "./option-names.ts";
import { type Shell, type ShellOptions, shellOver } from "./shell-over.ts";

const OPTION_NAMES = { database: true, now: true, batchSize: true } as const;

/** Throws a `TypeError` for an option that is not one of `ShellOptions`. */
export function createShell(engine: Engine, options: ShellOptions = {}): Shell {
  const fault = optionNamesFault(options, OPTION_NAMES);
  if (fault !== null) throw new TypeError(fault);
  return shellOver(backendOf(engine), options);
}

export type { EvaluatedError } from "../shell/shell.ts";
export type { Shell, ShellOptions, ShellOutcome } from "./shell-over.ts";
export { Engine } from "./engine.ts";
