/**
 * `quiredb/inline`: all of `quiredb`, `quiredb/engine` and `quiredb/shell` in one module with the WebAssembly and the
 * worker inside, for tools that carry no files along.
 */
export * from "./index.ts";
export { accountSince, Engine, type Account, type EngineOptions, type RunOptions } from "./engine.ts";
export { createShell, type EvaluatedError, type Shell, type ShellOptions, type ShellOutcome } from "./shell.ts";
