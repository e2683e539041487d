/**
 * The prelude: the whole shell as one script, for QuickJS (in the sandbox and in native tests).
 *
 * Contract with whoever evaluates it. Before: define `__quireCommand(text) → text` (a command and its reply
 * as canonical Extended JSON, the command with `$db`) and `__quirePrint(text)`; optionally `__quireRunJobs()`
 * (run the pending jobs of promises) and `__quireSleep(millis)`. Evaluate this file under any name but
 * `<input>`. After: `quireShell.evaluate(source, optionsJson) → outcomeJson` (`EvaluateOptions` and `Evaluated`
 * of shell.ts) and `quireShell.adoptCursor(database, collection, id)`. The functions given are taken and removed
 * from the global object, so that a script finds nothing but the language and the shell.
 */
import type { ShellHost } from "./host.ts";
import { setOffset } from "./clock.ts";
import { Shell, type EvaluateOptions } from "./shell.ts";

interface PreludeGlobal {
  __quireCommand?: (text: string) => string;
  __quirePrint?: (text: string) => void;
  __quireRunJobs?: () => void;
  __quireSleep?: (millis: number) => void;
  quireShell?: unknown;
}

const realm = globalThis as unknown as PreludeGlobal;
const { __quireCommand: command, __quirePrint: print, __quireRunJobs: runJobs, __quireSleep: sleep } = realm;
if (command === undefined || print === undefined) throw new Error("the prelude needs __quireCommand and __quirePrint");
delete realm.__quireCommand;
delete realm.__quirePrint;
delete realm.__quireRunJobs;
delete realm.__quireSleep;

const host: ShellHost = {
  command,
  print,
  ...(runJobs === undefined ? {} : { runJobs }),
  ...(sleep === undefined ? {} : { sleep }),
};
const shell = new Shell(host);
const fromJson = JSON.parse;
const toJson = JSON.stringify;

realm.quireShell = Object.freeze({
  evaluate: (source: string, options?: string): string =>
    toJson(shell.evaluate(source, options === undefined || options === "" ? {} : (fromJson(options) as EvaluateOptions))),
  adoptCursor: (database: string, collection: string, id: string): void => shell.adoptCursor(database, collection, id),
  setClockOffset: (millis: number): void => setOffset(millis),
});
