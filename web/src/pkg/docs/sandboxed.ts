/**
 * An engine in memory with the sandbox beside it, in this thread: for the check of built pages in Node, as a page's
 * worker is for its snippets.
 *
 * Invariants: scripts run in QuickJS as in a page, and reach nothing of this realm; a script ends after the time limit
 * at the latest.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import type { BackendClient } from "../../embed/backend.ts";
import { Engine } from "../../engine/engine.ts";
import { makeHost } from "../../engine/host.ts";
import { compile, limited, loadEngine } from "../../engine/load.ts";
import type { Topology } from "../../engine/topology.ts";
import { Runner } from "../../worker/runner.ts";
import { engineWasm, languagesWasm, sandboxWasm, type Source } from "../defaults.ts";

let compiling: Promise<WebAssembly.Module> | null = null;

/** Where the WebAssembly files are; the default is beside the package's own modules. */
export interface SandboxedFiles {
  readonly engineWasm: () => Source;
  readonly sandboxWasm: () => Source;
  readonly languagesWasm?: () => Source;
}

/** Opens an empty deployment; `close` gives its memory back. */
export async function openSandboxed(
  timeLimitMillis: number,
  files: SandboxedFiles = { engineWasm, sandboxWasm },
  topology?: Topology,
): Promise<BackendClient & { close(): void }> {
  compiling ??= compile(files.sandboxWasm());
  const { module, memory } = limited(await loadEngine(files.engineWasm), undefined, topology);
  let runner: Runner | null = null;
  const callFunction: Runner["callFunction"] = (...given) => {
    if (runner === null) throw new Error("the sandbox is not ready");
    return runner.callFunction(...given);
  };
  const host = makeHost({
    now: Date.now,
    languages: files.languagesWasm ?? languagesWasm,
    callFunction: (source, self, given, limit) => callFunction(source, self, given, limit, null),
  });
  const engine = new Engine(module.QuireEngine.openMemory(host), memory, () => runner?.begin());
  const opened = await Runner.load(() => engine, await compiling, null);
  runner = opened;
  return {
    state: { gentleStop: true },
    run: (source, options, onProgress = () => undefined) => ({
      outcome: (async () => {
        // Nothing is stored, and so nothing is lent.
        const slices = opened.slices({
          plan: { isSliceDue: () => false, sliced: () => undefined },
          lends: false,
          journal: "done",
          post: () => undefined,
        });
        const outcome = await opened.run(source, { timeLimitMillis, ...options }, null, slices, onProgress);
        return { ...outcome, saved: false };
      })(),
      // One thread: nobody can press Stop while a script runs, and the time limit ends it.
      stop: () => undefined,
    }),
    command: (database, command) => {
      const reply: Document = decode(engine.runBytes(encode({ ...command, $db: database })));
      return reply["ok"] === 1 ? Promise.resolve(reply) : Promise.reject(new Error(String(reply["errmsg"])));
    },
    commandBytes: (command) => Promise.resolve(engine.runBytes(command)),
    more: () => Promise.reject(new Error("no more is asked for")),
    close: () => {
      opened.close();
      engine.close();
    },
  };
}
