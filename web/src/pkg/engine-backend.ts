/** An engine of this thread as the deployment of a shell. */
import { insideOf, type Engine } from "./engine.ts";
import type { ShellBackend } from "./shell-over.ts";

export function backendOf(engine: Engine): ShellBackend {
  const { open, now, functions } = insideOf(engine);
  return {
    runJson: (text) => open.runJson(text),
    runBytes: (command) => open.runBytes(command, Infinity),
    now,
    clockOffsetMillis: () => open.status().clockOffsetMillis,
    printing: (print) => {
      functions.print = print;
    },
  };
}
