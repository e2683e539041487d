/**
 * The thread of a server's engine: commands in, replies out.
 *
 * Invariant: a command to which the engine cannot answer yet (`awaitData`, pages in a file) holds up no other.
 */
import { parentPort, workerData } from "node:worker_threads";
import { encode } from "../../codec/encode.ts";
import { nameOf } from "../../codec/members.ts";
import { CURSOR_READERS } from "../../engine/commands.generated.ts";
import { errorReply } from "../../engine/engine.ts";
import { StopWatch, type StopReason } from "../../worker/stop.ts";
import type { ServedAs } from "../../engine/served.ts";
import { open } from "./open.ts";
import { credentials } from "./scram.ts";
import type { ServedEngine } from "./served.ts";
import type { FromThread, ThreadSettings, ToThread } from "./thread-messages.ts";

const INTERRUPTED = errorReply(11601, "Interrupted", "operation was interrupted");

/** Ends a command whose byte is set. */
class SharedStop extends StopWatch {
  readonly #stops: Uint8Array;
  readonly #slot: number;

  constructor(stops: Uint8Array, slot: number) {
    super(null, undefined);
    this.#stops = stops;
    this.#slot = slot;
  }
  override get reason(): StopReason | null {
    return this.shouldStop() ? "stopped" : null;
  }
  override shouldStop(): boolean {
    return Atomics.load(this.#stops, this.#slot) !== 0;
  }
}

const settings = workerData as ThreadSettings;
const stops = new Uint8Array(settings.stops);
const port = parentPort;
if (port === null) throw new Error("this module is started as a thread by quiredb/server");

const say = (message: FromThread, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);

/** Commands whose replies are held back, by their numbers: they can be ended without the engine. */
const held = new Map<number, Uint8Array>();

function answer(id: number, reply: Uint8Array): void {
  const own = reply.byteLength === reply.buffer.byteLength ? reply : reply.slice();
  say({ id, reply: own }, [own.buffer as ArrayBuffer]);
}

function run(served: ServedEngine, { id, slot, bytes }: Extract<ToThread, { bytes: Uint8Array }>): void {
  const replied = served.command(bytes, new SharedStop(stops, slot));
  if (!(replied instanceof Promise)) return answer(id, replied);
  held.set(id, bytes);
  replied.then(
    (reply) => {
      if (held.delete(id)) answer(id, reply);
    },
    (error: unknown) => {
      if (held.delete(id)) say({ id, failed: error instanceof Error ? error.message : String(error) });
    },
  );
}

/** Answers a `getMore` that waits for data; any other command ends by its byte. */
function stop(id: number): void {
  const bytes = held.get(id);
  if (bytes === undefined || !CURSOR_READERS.includes(nameOf(bytes))) return;
  held.delete(id);
  answer(id, encode(INTERRUPTED));
}

const servedAs: ServedAs = { credentials };
try {
  const served = await open(settings, servedAs);
  port.on("message", (message: ToThread) => {
    if ("bytes" in message) run(served, message);
    else if ("stop" in message) stop(message.stop);
    else if ("name" in message) servedAs.name = message.name;
    else
      served.close().then(
        () => say({ closed: null }),
        (error: unknown) => say({ closed: error instanceof Error ? error.message : String(error) }),
      );
  });
  say({ open: null });
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  say({ open: { message, code } });
}
