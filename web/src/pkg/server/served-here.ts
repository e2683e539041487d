/**
 * A server's own engine in the thread of the sockets: it begins in milliseconds and takes half a megabyte, so that a
 * process may have hundreds, and nothing of it outlives `close`.
 *
 * Commands have the thread to themselves while they run: `maxTimeMS` ends one, `killOp` and a closed socket are heard
 * when it has ended.
 */
import { encode } from "../../codec/encode.ts";
import { nameOf } from "../../codec/members.ts";
import { CURSOR_READERS } from "../../engine/commands.generated.ts";
import { errorReply } from "../../engine/engine.ts";
import { compiledEngine } from "../../engine/load.ts";
import { StopWatch, type StopReason } from "../../worker/stop.ts";
import { engineWasm } from "../defaults.ts";
import { open } from "./open.ts";
import type { Runner, Running } from "./runner.ts";
import type { ServedEngine } from "./served.ts";
import type { ThreadOptions } from "./thread-messages.ts";

const INTERRUPTED = errorReply(11601, "Interrupted", "operation was interrupted");

/** Ends the command that it was given to. */
class Flag extends StopWatch {
  isSet = false;

  constructor() {
    super(null, undefined);
  }
  override get reason(): StopReason | null {
    return this.isSet ? "stopped" : null;
  }
  override shouldStop(): boolean {
    return this.isSet;
  }
}

export class ServedHere implements Runner {
  readonly #served: ServedEngine;

  private constructor(served: ServedEngine) {
    this.#served = served;
  }

  static async open(options: ThreadOptions): Promise<ServedHere> {
    return new ServedHere(await open({ ...options, engine: await compiledEngine(engineWasm) }));
  }

  start(command: Uint8Array): Running {
    const bytes = new Uint8Array(command);
    const flag = new Flag();
    let answered: (reply: Uint8Array) => void = () => undefined;
    const reply = new Promise<Uint8Array>((resolve, reject) => {
      answered = resolve;
      Promise.resolve(this.#served.command(bytes, flag)).then(resolve, reject);
    });
    return {
      reply,
      stop() {
        flag.isSet = true;
        // A reply that is held back comes without the engine.
        if (CURSOR_READERS.includes(nameOf(bytes))) answered(encode(INTERRUPTED));
      },
    };
  }

  close(): Promise<void> {
    return this.#served.close();
  }
}
