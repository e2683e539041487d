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
import type { ServedAs } from "../../engine/served.ts";
import { StopWatch, type StopReason } from "../../worker/stop.ts";
import { MAX_JOINED_BYTES } from "../../wire/msg.ts";
import { keep, type KeptHere } from "../stored.ts";
import type { Runner, Running } from "./runner.ts";
import { credentials } from "./scram.ts";
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
  readonly #kept: KeptHere;

  readonly #served: ServedAs;

  private constructor(kept: KeptHere, served: ServedAs) {
    this.#kept = kept;
    this.#served = served;
  }

  /** Opens an empty deployment in memory: what is stored in a file waits for the disk, in a thread of its own. */
  static async open({ topology, maxMemoryBytes }: Omit<ThreadOptions, "data">): Promise<ServedHere> {
    const served: ServedAs = { credentials };
    const options = { topology, maxMemoryBytes, mostBytes: MAX_JOINED_BYTES, served };
    return new ServedHere(await keep("memory", { ...options, storage: "memory" }), served);
  }

  start(command: Uint8Array): Running {
    const bytes = new Uint8Array(command);
    const flag = new Flag();
    let answered: (reply: Uint8Array) => void = () => undefined;
    const reply = new Promise<Uint8Array>((resolve, reject) => {
      answered = resolve;
      this.#kept.run(bytes, flag).then(resolve, reject);
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

  present(name: string | undefined): void {
    this.#served.name = name;
  }

  close(): Promise<void> {
    return this.#kept.close();
  }
}
