/**
 * An engine in memory, in this thread, as a client's way to it: a command is written straight into the engine's memory,
 * and its reply is read straight out of it.
 *
 * Invariant: a command is answered at once, without a promise, with three exceptions that wait: the reply to a
 * `getMore` or a `hello` that waits for a change, the sandbox before the first function, and in a page's own thread the
 * languages before the first text index.
 */
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { Transport } from "../driver/connection.ts";
import { WAITING } from "../engine/commands.generated.ts";
import { objectHoldsFunction } from "../worker/holds-function.ts";
import { Engine, insideOf, type EngineOptions } from "./engine.ts";
import { Waiting } from "./waiting.ts";

/** A command read so is written as the same bytes again. */
const TYPED: DecodeOptions = { numbers: "typed" };

/** Opens one. */
export async function openInMemory(options: EngineOptions): Promise<Transport> {
  const engine = await Engine.create(options);
  const { open, functions } = insideOf(engine);
  /**
   * The sandbox on its way, which comes with the first command that holds a function, or the languages. Others wait
   * with that one, so that their order stays.
   */
  let loading: Promise<unknown> | null = null;
  const waiting = new Waiting();

  const run: Transport["run"] = (database, command, codec, signal) => {
    const reply = open.tryDocument(database, command, codec);
    if (reply === null) {
      const answered = Promise.resolve(open.commandBytes(encode({ ...command, $db: database }, codec)));
      loading = answered.finally(() => (loading = null));
      return answered.then((bytes) => decode(bytes, codec));
    }
    const patience = WAITING.some((name) => name in command) ? open.awaitDataMillis : undefined;
    if (patience !== undefined && patience > 0)
      return waiting.whenThereIsData(reply, patience, signal, () => ({
        reply: open.runDocument(database, command, codec),
        waits: open.awaitDataMillis !== undefined,
      }));
    waiting.wake();
    return reply;
  };

  return {
    run(database, command, codec, signal) {
      if (loading !== null || (functions.loaded === null && objectHoldsFunction(command))) {
        loading ??= functions.load().finally(() => (loading = null));
        // As it is now: its caller may change it meanwhile.
        const kept = decode(encode(command, codec), TYPED);
        return loading.then(() => run(database, kept, codec, signal));
      }
      return run(database, command, codec, signal);
    },
    close: () => Promise.resolve(engine.close()),
  };
}
