/** Ends that `await using` comes to. */
/// <reference lib="esnext.disposable" />
/**
 * The name of the method that `await using` calls. A realm that has no such syntax has no such symbol, and the method a
 * name of its own.
 */
export const DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("nodejs.asyncDispose") as typeof Symbol.asyncDispose);
