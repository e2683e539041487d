/**
 * Commands over a deployment that is kept: from a command's bytes to its reply's, wherever the engine is (a worker, or
 * the caller's thread).
 *
 * A command may need more than the engine: the sandbox for functions inside it, a signal that ends it, waiting for new
 * data, and a second try where another tab took over. Invariants: nothing here belongs to a worker's scope; each
 * command gets exactly one reply, which is an error where its changes are gone.
 */
import { MAX_COMMAND_BYTES } from "../codec/cut.ts";
import { encode } from "../codec/encode.ts";
import { member, nameOf, rawField, withFields } from "../codec/members.ts";
import type { EngineHost } from "../engine/bindings.ts";
import { CURSOR_READERS, OBSERVING } from "../engine/commands.generated.ts";
import { errorReply } from "../engine/engine.ts";
import { holdsFunction } from "./holds-function.ts";
import { NOT_JOURNALED, type Keeper, type Turn } from "./persistence.ts";
import type { StopWatch } from "./stop.ts";

/** Code and name of the error told where a turn's changes are gone: after `displaced` the command may be sent again. */
export const GONE = { displaced: [112, "WriteConflict"], broken: [1, "InternalError"] } as const;

/** The code of a command that does not fit into the engine's memory. */
const EXCEEDED_MEMORY_LIMIT = 146;
/** How each error's reply goes on after its length: `ok` as a double of zero. */
const NOT_OK = Uint8Array.of(1, 0x6f, 0x6b, 0, 0, 0, 0, 0, 0, 0, 0, 0);
const LENGTH_BYTES = 4;
/** A cursor that failed is gone: a `getMore` is not run again, observed or not. */
function readsCursor(command: Uint8Array): boolean {
  const name = nameOf(command);
  const inner = OBSERVING.includes(name) ? member(command, "command") : null;
  return CURSOR_READERS.includes(inner === null ? name : nameOf(inner));
}

/** Whether a command was refused for want of memory, and undone. */
function lacksMemory(reply: Uint8Array): boolean {
  return (
    NOT_OK.every((byte, at) => reply[LENGTH_BYTES + at] === byte) && rawField(reply, "code") === EXCEEDED_MEMORY_LIMIT
  );
}

/** The reply to a command that was aborted before it began. */
const INTERRUPTED = errorReply(11601, "Interrupted", "operation was interrupted");

/** The sandbox, as far as commands need it. */
export interface CommandFunctions {
  /** Tells that a command begins: values that functions of earlier commands left must be gone. */
  begin(): void;
  /** Whether a script under way, and so its command, should end. */
  shouldStop(): boolean;
  callFunction(
    source: string,
    thisJson: string | undefined,
    argumentsJson: readonly string[],
    limitMillis: number | undefined,
    watch: StopWatch | null,
  ): string;
}

/** Where the sandbox comes from: it is loaded with the first command that holds a function. */
export interface FunctionSource {
  readonly loaded: CommandFunctions | null;
  load(): Promise<CommandFunctions>;
}

interface Reply {
  readonly reply: Uint8Array;
  /** Set for a `getMore` that may wait for data: for how long, in milliseconds. */
  readonly patience: number | undefined;
  /** The command asked to be journaled. */
  readonly asked: boolean;
}

/**
 * The reply after a turn whose changes are not stored: an error where they are gone, a `writeConcernError` where they
 * were to be journaled.
 */
function judged({ result: { reply, asked }, end, reason }: Turn<Reply>): Uint8Array {
  if (end === "saved" || (end === "unsaved" && !asked)) return reply;
  if (end === "unsaved") {
    const errmsg = reason === null ? NOT_JOURNALED.errmsg : `${NOT_JOURNALED.errmsg}: ${reason}`;
    return withFields(reply, { writeConcernError: { ...NOT_JOURNALED, errmsg } });
  }
  const [code, codeName] = GONE[end];
  return rawField(reply, "ok") === 1 ? encode(errorReply(code, codeName, reason ?? "")) : reply;
}

export class Commands {
  readonly #keeper: () => Keeper;
  readonly #functions: FunctionSource;
  /** How long a command may be: longer than else where the message that it came in was measured. */
  mostBytes: number;
  /** The watch of the command at work, if that can be aborted. */
  #watch: StopWatch | null = null;
  /** The command at work asked for the sandbox before it was loaded. */
  #missesSandbox = false;

  /**
   * The keeper may be made after this, whose host asks `host`.
   */
  constructor(keeper: () => Keeper, functions: FunctionSource, mostBytes = MAX_COMMAND_BYTES) {
    this.#keeper = keeper;
    this.#functions = functions;
    this.mostBytes = mostBytes;
  }

  /** The part of the engine's host that depends on the command under way: its end, and its functions. */
  readonly host: Pick<EngineHost, "shouldStop" | "callFunction"> = {
    shouldStop: () => (this.#functions.loaded?.shouldStop() ?? false) || (this.#watch?.shouldStop() ?? false),
    // The code comes with the command, which a stranger may have written: it runs in the sandbox.
    callFunction: (source, thisJson, argumentsJson, limitMillis) => {
      const { loaded } = this.#functions;
      if (loaded === null) {
        this.#missesSandbox = true;
        throw new Error("the sandbox has not loaded yet");
      }
      return loaded.callFunction(source, thisJson, argumentsJson, limitMillis, this.#watch);
    },
  };

  /** The engine calls this before each command: the functions of the one before must leave nothing to the next. */
  readonly begins = (): void => this.#functions.loaded?.begin();

  /** Runs a command; `watch` ends it. Rejects only where no engine can be had, or the sandbox that it needs. */
  run(bytes: Uint8Array, watch: StopWatch | null = null): Promise<Uint8Array> {
    return new Promise((resolve, reject) => this.start(bytes, watch, resolve, reject));
  }

  /** As `run`; a command that can be answered at once is answered before this returns. */
  start(
    bytes: Uint8Array,
    watch: StopWatch | null,
    answered: (reply: Uint8Array) => void,
    failed: (error: Error) => void,
  ): void {
    this.#turn(
      bytes,
      watch,
      (turn) => {
        const { patience } = turn.result;
        if (patience === undefined) answered(judged(turn));
        else this.#wait(bytes, watch, performance.now() + patience, judged(turn)).then(answered, failed);
      },
      failed,
      false,
    );
  }

  /** Runs a `getMore` again whenever something was written, until it finds something or its time is over. */
  async #wait(bytes: Uint8Array, watch: StopWatch | null, deadline: number, first: Uint8Array): Promise<Uint8Array> {
    let reply = first;
    for (let left = deadline - performance.now(); left > 0; left = deadline - performance.now()) {
      await this.#keeper().nextWrite(left);
      const turn = await new Promise<Turn<Reply>>((resolve, reject) => this.#turn(bytes, watch, resolve, reject, true));
      reply = judged(turn);
      if (turn.result.patience === undefined) break;
    }
    return reply;
  }

  #turn(
    bytes: Uint8Array,
    watch: StopWatch | null,
    ended: (turn: Turn<Reply>) => void,
    failed: (error: Error) => void,
    quiet: boolean,
  ): void {
    let keeper: Keeper;
    try {
      keeper = this.#keeper();
    } catch (error) {
      return failed(error as Error);
    }
    keeper.command(() => this.#work(bytes, watch), ended, failed, quiet);
  }

  #work(bytes: Uint8Array, watch: StopWatch | null): Reply | Promise<Reply> {
    const { loaded } = this.#functions;
    const withSandbox = (): Promise<Reply> => this.#functions.load().then(() => this.#work(bytes, watch));
    // Loaded before the command, which cannot wait.
    if (loaded === null && holdsFunction(bytes)) return withSandbox();
    if (watch?.look() === true) return { reply: encode(INTERRUPTED), patience: undefined, asked: false };
    // Asked for within the turn, before which it may have been replaced.
    const { engine } = this.#keeper();
    this.#watch = watch;
    this.#missesSandbox = false;
    const done = (reply: Uint8Array): Reply | Promise<Reply> => {
      this.#watch = null;
      // The function stands in a view that is stored: the command failed, changed nothing, and is run again.
      if (this.#missesSandbox) return withSandbox();
      // Documents that earlier commands deleted keep their memory until the deletion is stored; then the command is run
      // again.
      const stored = lacksMemory(reply) && !readsCursor(bytes) ? this.#keeper().settled() : undefined;
      if (stored !== undefined) return stored.then(() => this.#work(bytes, watch));
      return { reply, patience: engine.awaitDataMillis, asked: engine.askedJournal };
    };
    const reply = engine.commandBytes(bytes, this.mostBytes);
    if (!(reply instanceof Promise)) return done(reply);
    return reply.then(done).finally(() => {
      this.#watch = null;
    });
  }
}
