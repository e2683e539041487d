/**
 * The way of commands from the driver to an engine, wherever the engine runs: documents go in, replies come back.
 *
 * Invariants: an error reply never comes back as a reply; it is thrown. A command that the engine answers at once has
 * its reply at once: a promise, a timer or a race is made only for a reply that has to be waited for, since each costs
 * as much as a part of a read.
 */
import type { Document } from "bson";
import type { Cut } from "../codec/cut.ts";
import type { DecodeOptions } from "../codec/decode.ts";
import type { EncodeOptions } from "../codec/encode.ts";
import { CURSOR_CLOSERS, CURSOR_READERS } from "../engine/commands.generated.ts";
import { MongoOperationTimeoutError, MongoServerError, MongoWriteConcernError } from "./errors.ts";
import type { Monitor } from "./monitoring.ts";
import { promote } from "./promote.ts";
import type { Settings } from "./settings.ts";

/** A value, or the promise of it where it has to be waited for. */
export type Promised<Value> = Value | Promise<Value>;

/** An engine, in a worker or in this thread. */
export interface Transport {
  /**
   * Runs a command on a database; gives the reply, whether its `ok` is 1 or 0. Throws for a command that cannot be
   * written as BSON; rejects when the worker or the storage fails. A command whose signal is aborted is ended as soon
   * as the engine can see the signal; the caller does not wait for that.
   */
  readonly run: (
    database: string,
    command: Document,
    codec: EncodeOptions & DecodeOptions,
    signal?: AbortSignal,
  ) => Promised<Document>;
  close(): Promise<void>;
}

/**
 * The reply to a write with `w: 0`, even to one that failed: a driver that asks for no acknowledgement learns nothing.
 */
const UNACKNOWLEDGED: Readonly<Document> = { ok: 1 };

const MAX_TIME_EXPIRED = 50;

const isOneOf = (names: readonly string[], command: Document): boolean => names.some((name) => name in command);

/** A command that the engine ends by itself when its time is over. `getMore` has another use for that field. */
function limited(command: Document, deadline: number): Document {
  if (isOneOf(CURSOR_READERS, command) || isOneOf(CURSOR_CLOSERS, command)) return command;
  const left = Math.max(1, Math.ceil(deadline - performance.now()));
  return { ...command, maxTimeMS: Math.min(Number(command["maxTimeMS"]) || Infinity, left) };
}

/**
 * The promised reply, or `MongoOperationTimeoutError` when its time is over, or the signal's reason once it is aborted.
 */
async function inTime<Value>(
  promise: Promise<Value>,
  deadline: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (deadline === undefined && signal === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    if (deadline !== undefined)
      timer = setTimeout(
        () => reject(new MongoOperationTimeoutError("Timed out while waiting for the engine")),
        Math.max(0, deadline - performance.now()),
      );
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

/** A reply of a write that was made as durable as asked. */
function confirmed(reply: Document): Document {
  if (reply["writeConcernError"] !== undefined) throw new MongoWriteConcernError(reply);
  return reply;
}

/** A reply of a single write that was made. */
function written(reply: Document): Document {
  const error = (reply["writeErrors"] as readonly Document[] | undefined)?.[0];
  if (error !== undefined) throw new MongoServerError(error);
  return confirmed(reply);
}

/**
 * The reply with its values promoted as the settings ask. Throws `MongoServerError` unless `ok` is 1, or
 * `MongoOperationTimeoutError` when the engine ended the command because the call's time was over.
 */
function judged(reply: Document, command: Document, settings: Settings, deadline: number | undefined): Document {
  if ((command["writeConcern"] as Document | undefined)?.["w"] === 0) return UNACKNOWLEDGED;
  if (Number(reply["ok"]) !== 1) {
    const error = new MongoServerError(reply);
    throw deadline !== undefined && error.code === MAX_TIME_EXPIRED
      ? new MongoOperationTimeoutError("Server reported a timeout error", error)
      : error;
  }
  return settings.promotes ? promote(reply, settings) : reply;
}

/** What a client has all its commands do. */
export interface EveryCommand {
  /** Fields of each command: those that ask for the Stable API. */
  readonly fields?: Document | undefined;
  /** The client itself, whose sessions alone are taken. */
  readonly client?: object;
  /** Is told of each command. */
  readonly monitor?: Monitor | undefined;
}

/** Runs a command and tells its beginning and its end. */
function monitored(
  monitor: Monitor,
  database: string,
  command: Document,
  run: () => Promised<Document>,
): Promised<Document> {
  const end = monitor.started(database, command);
  const succeeded = (reply: Document): Document => {
    end.succeeded(reply);
    return reply;
  };
  const failed = (error: unknown): never => {
    end.failed(error instanceof Error ? error : new Error(String(error)));
    throw error;
  };
  try {
    const reply = run();
    return reply instanceof Promise ? reply.then(succeeded, failed) : succeeded(reply);
  } catch (error) {
    return failed(error);
  }
}

export class Connection {
  readonly #transport: () => Promised<Transport>;
  readonly #every: EveryCommand;

  /** `transport` gives the open engine, or the promise of one that is being opened. */
  constructor(transport: () => Promised<Transport>, every: EveryCommand = {}) {
    this.#transport = transport;
    this.#every = every;
  }

  /**
   * Runs a command; throws `MongoServerError` unless the reply is ok, and `MongoWriteConcernError` where a write was
   * not made as durable as asked.
   */
  run(database: string, command: Document, settings: Settings, deadline?: number): Promised<Document> {
    const reply = this.reply(database, command, settings, deadline);
    return reply instanceof Promise ? reply.then(confirmed) : confirmed(reply);
  }

  /** Runs a single write; throws its write error. */
  write(database: string, command: Document, settings: Settings, deadline?: number): Promised<Document> {
    const reply = this.reply(database, command, settings, deadline);
    return reply instanceof Promise ? reply.then(written) : written(reply);
  }

  /**
   * Runs a command whose caller looks at `writeErrors` and `writeConcernError` itself; throws `MongoServerError` unless
   * the reply is ok. The reply to a write with `w: 0` is not looked at, as a driver never sees it. `deadline`, by
   * `performance.now()`: when it throws `MongoOperationTimeoutError`. Throws the reason of the settings' signal once
   * that is aborted. `cut`: statements that may be left out where the command would be too long.
   */
  reply(database: string, command: Document, settings: Settings, deadline?: number, cut?: Cut): Promised<Document> {
    // A cursor that was aborted is still closed.
    const signal = isOneOf(CURSOR_CLOSERS, command) ? undefined : settings.signal;
    signal?.throwIfAborted();
    settings.session?.check(this.#every.client ?? this);
    const transport = this.#transport();
    if (transport instanceof Promise)
      return inTime(transport, deadline, signal).then((open) =>
        this.#sent(open, database, command, settings, deadline, signal, cut),
      );
    return this.#sent(transport, database, command, settings, deadline, signal, cut);
  }

  #sent(
    transport: Transport,
    database: string,
    command: Document,
    settings: Settings,
    deadline: number | undefined,
    signal: AbortSignal | undefined,
    cut: Cut | undefined,
  ): Promised<Document> {
    const { fields, monitor } = this.#every;
    const inTimeAsked = deadline === undefined ? command : limited(command, deadline);
    const { session } = settings;
    const ofSession = session === undefined ? inTimeAsked : session.apply(inTimeAsked);
    const whole = fields === undefined ? ofSession : { ...ofSession, ...fields };
    const run = (): Promised<Document> => {
      const codec = cut === undefined ? settings.codec : { ...settings.codec, cut };
      const sent = transport.run(database, whole, codec, signal);
      const judge = (reply: Document): Document => {
        session?.learn(reply);
        return judged(reply, command, settings, deadline);
      };
      return sent instanceof Promise ? inTime(sent, deadline, signal).then(judge) : judge(sent);
    };
    return monitor === undefined ? run() : monitored(monitor, database, whole, run);
  }
}
