/**
 * Functions of scripts (`$where`, `$function`) for an engine outside the worker: refused.
 *
 * A function inside a command is code from whoever wrote the command, and outside the worker there is no sandbox
 * to run it in.
 */
import type { FunctionCaller } from "../engine/host.ts";

export function useFunctions(): FunctionCaller {
  return () => {
    throw new Error("functions of scripts are not available in an engine without a sandbox");
  };
}
