/**
 * An engine in memory, in this thread, as a client's way to it: a command is written straight into the engine's memory,
 * and its reply is read straight out of it.
 *
 * Invariant: a command is answered at once, without a promise, with two exceptions that wait: the reply to a
 * `getMore` or a `hello` that waits for a change, and the sandbox before the first function.
 */
import type { Document } from "bson";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode, type EncodeOptions } from "../codec/encode.ts";
import type { Transport } from "../driver/connection.ts";
import { WAITING } from "../engine/commands.generated.ts";
import { objectHoldsFunction } from "../worker/holds-function.ts";
import { Engine, insideOf, type EngineOptions } from "./engine.ts";

/** A command read so is written as the same bytes again. */
const TYPED: DecodeOptions = { numbers: "typed" };

/** Opens one. */
export async function openInMemory(options: EngineOptions): Promise<Transport> {
  const engine = await Engine.create(options);
  const { open, functions } = insideOf(engine);
  /**
   * The sandbox on its way: it comes with the first command that holds a function. Others wait with that one, so that
   * their order stays.
   */
  let loading: Promise<unknown> | null = null;
  /** Ends the waiting for new data of each reply that is held back (`awaitData`). */
  const waiting = new Set<() => void>();

  /** Resolves with the next command, at the latest after so many milliseconds or when the signal is aborted. */
  const next = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", over);
        waiting.delete(over);
        resolve();
      };
      const timer = setTimeout(over, millis);
      signal?.addEventListener("abort", over);
      waiting.add(over);
    });

  /** Runs the command again with each that comes, until there is data, its time is over or nobody wants it any more. */
  const whenThereIsData = async (
    database: string,
    command: Document,
    codec: EncodeOptions & DecodeOptions,
    signal: AbortSignal | undefined,
    first: Document,
    millis: number,
  ): Promise<Document> => {
    let reply = first;
    const deadline = performance.now() + millis;
    for (let left = millis; left > 0; left = deadline - performance.now()) {
      await next(left, signal);
      if (signal?.aborted === true) break;
      reply = open.runDocument(database, command, codec);
      if (open.awaitDataMillis === undefined) break;
    }
    return reply;
  };

  const run: Transport["run"] = (database, command, codec, signal) => {
    const reply = open.runDocument(database, command, codec);
    const patience = WAITING.some((name) => name in command) ? open.awaitDataMillis : undefined;
    if (patience !== undefined && patience > 0)
      return whenThereIsData(database, command, codec, signal, reply, patience);
    if (waiting.size > 0) for (const over of [...waiting]) over();
    return reply;
  };

  return {
    run(database, command, codec, signal) {
      if (functions.loaded === null && (loading !== null || objectHoldsFunction(command))) {
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
