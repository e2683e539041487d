/**
 * `quiredb/shell`: the mongosh-like shell over an engine in this thread, for tests and tools.
 *
 * Invariant: no sandbox, as `shell-over.ts` says.
 */
import { insideOf, type Engine } from "./engine.ts";
import { type Shell, type ShellOptions, shellOver } from "./shell-over.ts";

export function createShell(engine: Engine, options: ShellOptions = {}): Shell {
  const { open, now, functions } = insideOf(engine);
  return shellOver(
    {
      runJson: (text) => open.runJson(text),
      runBytes: (command) => open.runBytes(command, Infinity),
      now,
      clockOffsetMillis: () => open.status().clockOffsetMillis,
      printing: (print) => {
        functions.print = print;
      },
    },
    options,
  );
}

export type { EvaluatedError } from "../shell/shell.ts";
export type { Shell, ShellOptions, ShellOutcome } from "./shell-over.ts";
export { Engine } from "./engine.ts";
