/**
 * The prelude: the whole shell as one script, for QuickJS (in the sandbox and in native tests).
 *
 * Contract with the host that evaluates it. Before: define `__quireCommand(text) → text` (a command and its reply
 * as canonical Extended JSON, the command with `$db`) and `__quirePrint(text)`; optionally `__quireRunJobs()`
 * (run the pending jobs of promises) and `__quireSleep(millis)`. Evaluate this file under any name but
 * `<input>`. After: `quireShell.evaluate(source, optionsJson) → outcomeJson` (`EvaluateOptions` and `Evaluated`
 * of shell.ts) and `quireShell.setClockOffset(millis)`. The
 * functions given are taken and removed from the global object, so that a script finds nothing but the language
 * and the shell.
 */
import { functionText } from "./function-text.ts";
import { tryRewrite } from "./rewrite.ts";
import { installPrelude } from "./install.ts";

installPrelude(tryRewrite, functionText);
