/**
 * The name of the method that `await using` calls. A realm that has no such syntax has no such symbol, and the method a
 * name of its own.
 */
/// <reference lib="esnext.disposable" />
export const DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("nodejs.asyncDispose") as typeof Symbol.asyncDispose);
