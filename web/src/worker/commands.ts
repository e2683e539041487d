/**
 * Commands over a deployment that is kept: from a command's bytes to its reply's, wherever the engine is (a worker, or the caller's thread).
 *
 * Knows what a command needs beside the engine: the sandbox for functions inside it, somebody's wish to end it, waiting for new data, and a second
 * try where another tab took over. Invariants: nothing here belongs to a worker's scope; each command gets exactly one reply, which is an error
 * where its changes are gone.
 */
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { EngineHost } from "../engine/bindings.ts";
import { errorReply } from "../engine/engine.ts";
import { holdsFunction } from "./holds-function.ts";
import { NOT_JOURNALED, type Keeper, type Turn } from "./persistence.ts";
import type { StopWatch } from "./stop.ts";

/** How often a command is run that other tabs overtake. */
const MOST_TRIES = 3;

/** Code and name of what is told where a turn's changes are gone: after `displaced` the command may be sent again. */
export const GONE = { displaced: [112, "WriteConflict"], broken: [1, "InternalError"] } as const;

/** What a command is told that was aborted before it began. */
const INTERRUPTED = errorReply(11601, "Interrupted", "operation was interrupted");

/** The sandbox, as far as commands need it. */
export interface CommandFunctions {
  /** Says that a command begins, whose functions meet nothing that those of others left. */
  begin(): void;
  /** Whether a script under way, and so its command, should end. */
  shouldStop(): boolean;
  callFunction(source: string, thisJson: string | undefined, argumentsJson: readonly string[], limitMillis: number | undefined, watch: StopWatch | null): string;
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
  readonly asked: boolean;
}

/** The reply after a turn whose changes are not stored: an error where they are gone, a `writeConcernError` where they were to be journaled. */
function judged({ result: { reply, asked }, end, reason }: Turn<Reply>): Uint8Array {
  if (end === "saved" || (end === "unsaved" && !asked)) return reply;
  const told = decode(reply, { numbers: "typed" });
  if (end === "unsaved") return encode({ ...told, writeConcernError: reason === null ? NOT_JOURNALED : { ...NOT_JOURNALED, errmsg: `${NOT_JOURNALED.errmsg}: ${reason}` } });
  const [code, codeName] = GONE[end];
  return Number(told["ok"]) === 1 ? encode(errorReply(code, codeName, reason ?? "")) : reply;
}

export class Commands {
  readonly #keeper: () => Keeper;
  readonly #functions: FunctionSource;
  /** That of the command at work, if it can be aborted. */
  #watch: StopWatch | null = null;

  /** The keeper may be made after this, whose host asks `host`. */
  constructor(keeper: () => Keeper, functions: FunctionSource) {
    this.#keeper = keeper;
    this.#functions = functions;
  }

  /** What an engine asks its host that runs these commands. */
  readonly host: Pick<EngineHost, "shouldStop" | "callFunction"> = {
    shouldStop: () => (this.#functions.loaded?.shouldStop() ?? false) || (this.#watch?.shouldStop() ?? false),
    // Code of whoever wrote the command, and so run in the sandbox.
    callFunction: (source, thisJson, argumentsJson, limitMillis) => {
      const { loaded } = this.#functions;
      if (loaded === null) throw new Error("the sandbox has not loaded yet");
      return loaded.callFunction(source, thisJson, argumentsJson, limitMillis, this.#watch);
    },
  };

  /** Runs a command; `watch` ends it. Rejects only where no engine can be had, or the sandbox that it needs. */
  async run(bytes: Uint8Array, watch: StopWatch | null = null): Promise<Uint8Array> {
    let last = await this.#turn(bytes, watch, false);
    const deadline = performance.now() + (last.patience ?? 0);
    for (let left = deadline - performance.now(); last.patience !== undefined && left > 0; left = deadline - performance.now()) {
      await this.#keeper().nextWrite(left);
      last = await this.#turn(bytes, watch, true);
    }
    return last.reply;
  }

  async #turn(bytes: Uint8Array, watch: StopWatch | null, quiet: boolean, tries = MOST_TRIES): Promise<Omit<Reply, "asked">> {
    const turn = await this.#keeper().exclusive(() => this.#work(bytes, watch), quiet);
    // Nothing of it was stored, and nobody was told of it: it is run over what the other tab stored.
    if (turn.end === "displaced" && tries > 1) return this.#turn(bytes, watch, quiet, tries - 1);
    return { reply: judged(turn), patience: turn.result.patience };
  }

  async #work(bytes: Uint8Array, watch: StopWatch | null): Promise<Reply> {
    // Loaded before the command, which cannot wait and must not be run twice.
    if (this.#functions.loaded === null && holdsFunction(bytes)) await this.#functions.load();
    this.#functions.loaded?.begin();
    // Asked for within the turn, before which it may have been replaced.
    const { engine } = this.#keeper();
    if (watch?.look() === true) return { reply: encode(INTERRUPTED), patience: undefined, asked: false };
    this.#watch = watch;
    try {
      return { reply: await engine.commandBytes(bytes), patience: engine.awaitDataMillis, asked: engine.askedJournal };
    } finally {
      this.#watch = null;
    }
  }
}
