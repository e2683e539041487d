/**
 * What the driver sends commands through: bytes to an engine, wherever it runs, and bytes back.
 *
 * Invariant: an error reply never comes back as a reply; it is thrown.
 */
import type { Document } from "bson";
import { Decoder } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { MongoOperationTimeoutError, MongoServerError, MongoWriteConcernError } from "./errors.ts";
import { promote } from "./promote.ts";
import { decoding, encoding, needsPromotion, type Settings } from "./settings.ts";

/** An engine, in a worker or in this thread. */
export interface Transport {
  /** What the signal aborts is ended where the engine can see it; the caller does not wait for that. */
  send(command: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** What a command that asks for no acknowledgement is answered with, whatever became of it. */
const UNACKNOWLEDGED: Readonly<Document> = { ok: 1 };

const MAX_TIME_EXPIRED = 50;

/** A command that the engine ends by itself when its time is over. `getMore` has another use for that field. */
function limited(command: Document, deadline: number | undefined): Document {
  if (deadline === undefined || "getMore" in command || "killCursors" in command) return command;
  const left = Math.max(1, Math.ceil(deadline - performance.now()));
  return { ...command, maxTimeMS: Math.min(Number(command["maxTimeMS"]) || Infinity, left) };
}

/** What is promised, or `MongoOperationTimeoutError` when its time is over, or the signal's reason once it is aborted. */
async function inTime<Value>(promise: Promise<Value>, deadline: number | undefined, signal: AbortSignal | undefined): Promise<Value> {
  if (deadline === undefined && signal === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    if (deadline !== undefined) timer = setTimeout(() => reject(new MongoOperationTimeoutError("Timed out while waiting for the engine")), Math.max(0, deadline - performance.now()));
    abort = () => reject(signal?.reason as Error);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

export class Connection {
  readonly #transport: () => Promise<Transport>;
  readonly #decoder = new Decoder();

  constructor(transport: () => Promise<Transport>) {
    this.#transport = transport;
  }

  /** Runs a command; throws `MongoServerError` unless the reply is ok, and `MongoWriteConcernError` where a write was not made as durable as asked. */
  async run(database: string, command: Document, settings: Settings, deadline?: number): Promise<Document> {
    const reply = await this.reply(database, command, settings, deadline);
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }

  /**
   * Runs a command whose caller looks at `writeErrors` and `writeConcernError` itself; throws `MongoServerError` unless the reply is ok.
   * What was sent with `w: 0` is not looked at, as a driver never sees it. `deadline`, by `performance.now()`: when it throws
   * `MongoOperationTimeoutError`. Throws the reason of the settings' signal once that is aborted.
   */
  async reply(database: string, command: Document, settings: Settings, deadline?: number): Promise<Document> {
    // A cursor that was aborted is still closed.
    const signal = "killCursors" in command ? undefined : settings.signal;
    signal?.throwIfAborted();
    const transport = await inTime(this.#transport(), deadline, signal);
    const bytes = encode({ ...limited(command, deadline), $db: database }, encoding(settings));
    const answer = await inTime(transport.send(bytes, signal), deadline, signal);
    if ((command["writeConcern"] as Document | undefined)?.["w"] === 0) return UNACKNOWLEDGED;
    const reply = this.#decoder.decode(answer, decoding(settings));
    if (Number(reply["ok"]) !== 1) {
      const error = new MongoServerError(reply);
      throw deadline !== undefined && error.code === MAX_TIME_EXPIRED ? new MongoOperationTimeoutError("Server reported a timeout error", error) : error;
    }
    return needsPromotion(settings) ? promote(reply, settings) : reply;
  }

  /** Runs a single write; throws its write error. */
  async write(database: string, command: Document, settings: Settings, deadline?: number): Promise<Document> {
    const reply = await this.reply(database, command, settings, deadline);
    const error = (reply["writeErrors"] as readonly Document[] | undefined)?.[0];
    if (error !== undefined) throw new MongoServerError(error);
    if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
    return reply;
  }
}
