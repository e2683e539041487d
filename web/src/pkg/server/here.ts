/**
 * A server's engine in the caller's thread: the program's own `Engine`, which it may go on using beside the server.
 *
 * Commands have the thread to themselves while they run: `maxTimeMS` ends one, `killOp` and a closed socket are heard
 * when it has ended.
 */
import { encode } from "../../codec/encode.ts";
import { nameOf } from "../../codec/members.ts";
import { WAITING } from "../../engine/commands.generated.ts";
import { errorReply } from "../../engine/engine.ts";
import type { ServedAs } from "../../engine/served.ts";
import type { Topology } from "../../engine/topology.ts";
import { MAX_JOINED_BYTES } from "../../wire/msg.ts";
import { insideOf, type Engine } from "../engine.ts";
import { Waiting } from "../waiting.ts";
import type { Runner, Running } from "./runner.ts";

const INTERRUPTED = errorReply(11601, "Interrupted", "operation was interrupted");

/** What a program's engine presents itself as; undefined: as engines do by themselves. */
export const topologyOf = (engine: Engine | undefined): Topology | undefined =>
  engine === undefined ? undefined : insideOf(engine).topology;

export class EngineHere implements Runner {
  readonly #engine: Engine;
  readonly #waiting = new Waiting();

  /** `credentials` makes the proofs by which users of the engine sign in, where they can. */
  constructor(engine: Engine, credentials?: ServedAs["credentials"]) {
    this.#engine = engine;
    if (credentials !== undefined) insideOf(engine).served.credentials = credentials;
  }

  start(command: Uint8Array): Running {
    const { open } = insideOf(this.#engine);
    const ending = new AbortController();
    const run = (): { reply: Uint8Array; patience: number | undefined } => {
      const reply = open.runBytes(command, MAX_JOINED_BYTES);
      return { reply, patience: open.awaitDataMillis };
    };
    const work = async (): Promise<Uint8Array> => {
      const { reply, patience = 0 } = run();
      if (patience <= 0 || !WAITING.includes(nameOf(command))) {
        this.#waiting.wake();
        return reply;
      }
      const last = await this.#waiting.whenThereIsData(reply, patience, ending.signal, () => {
        const ran = run();
        return { reply: ran.reply, waits: ran.patience !== undefined };
      });
      return ending.signal.aborted ? encode(INTERRUPTED) : last;
    };
    return { reply: work(), stop: () => ending.abort() };
  }

  present(name: string | undefined): void {
    insideOf(this.#engine).served.name = name;
  }

  /** The engine stays the program's. */
  close(): Promise<void> {
    this.#waiting.wake();
    return Promise.resolve();
  }
}
