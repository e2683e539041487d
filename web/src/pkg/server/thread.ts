/**
 * A server's engine in a thread of its own, seen from the thread of the sockets.
 *
 * The engine runs a command to its end without a pause, so that only another thread can take a `killOp`, notice a
 * closed socket or answer a `hello` meanwhile. Commands go as messages, their bytes are moved, not copied; a byte of
 * memory that both threads share says for each whether it is to end.
 */
import { Worker } from "node:worker_threads";
import { compiledEngine } from "../../engine/load.ts";
import { engineWasm } from "../defaults.ts";
import type { FromThread, ThreadOptions, ThreadSettings, ToThread } from "./thread-messages.ts";
import type { Runner, Running } from "./runner.ts";

/** The most commands at once: one a connection. */
export const MOST_COMMANDS = 1 << 16;

interface Pending {
  readonly slot: number;
  answered(reply: Uint8Array): void;
  failed(error: Error): void;
}

export class EngineThread implements Runner {
  readonly #worker: Worker;
  readonly #stops: Uint8Array<SharedArrayBuffer>;
  readonly #pending = new Map<number, Pending>();
  readonly #free: number[] = [];
  #used = 0;
  #last = 0;
  #ended: Error | null = null;
  #closed: (failed: string | null) => void = () => undefined;

  private constructor(worker: Worker, stops: Uint8Array<SharedArrayBuffer>) {
    this.#worker = worker;
    this.#stops = stops;
  }

  /** Starts the thread; resolves once its engine is open, and rejects with the reason why it could not be opened. */
  static async open(options: ThreadOptions): Promise<EngineThread> {
    const stops = new Uint8Array(new SharedArrayBuffer(MOST_COMMANDS));
    const settings: ThreadSettings = { ...options, engine: await compiledEngine(engineWasm), stops: stops.buffer };
    const worker = new Worker(new URL("./engine-thread.js", import.meta.url), { workerData: settings });
    const thread = new EngineThread(worker, stops);
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message: FromThread) => {
        if ("open" in message) {
          if (message.open === null) return resolve();
          const error = new Error(message.open.message);
          if (message.open.code !== undefined) Object.assign(error, { code: message.open.code });
          return reject(error);
        }
        thread.#hear(message);
      });
      worker.on("error", (error) => {
        reject(error);
        thread.#over(error);
      });
      worker.on("exit", () => thread.#over(new Error("the engine's thread has ended")));
    });
    return thread;
  }

  #hear(message: Exclude<FromThread, { open: unknown }>): void {
    if ("closed" in message) return this.#closed(message.closed);
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#pending.delete(message.id);
    Atomics.store(this.#stops, pending.slot, 0);
    this.#free.push(pending.slot);
    if ("reply" in message) pending.answered(message.reply);
    else pending.failed(new Error(message.failed));
  }

  #over(error: Error): void {
    this.#ended ??= error;
    for (const { failed } of this.#pending.values()) failed(error);
    this.#pending.clear();
    this.#closed(error.message);
  }

  #post(message: ToThread, moved: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, moved);
  }

  start(command: Uint8Array): Running {
    if (this.#ended !== null) return { reply: Promise.reject(this.#ended), stop: () => undefined };
    this.#last += 1;
    const id = this.#last;
    const slot = this.#free.pop() ?? this.#used++;
    const reply = new Promise<Uint8Array>((answered, failed) => this.#pending.set(id, { slot, answered, failed }));
    const bytes = new Uint8Array(command);
    this.#post({ id, slot, bytes }, [bytes.buffer as ArrayBuffer]);
    return {
      reply,
      stop: () => {
        if (!this.#pending.has(id)) return;
        Atomics.store(this.#stops, slot, 1);
        this.#post({ stop: id });
      },
    };
  }

  present(name: string | undefined): void {
    if (this.#ended === null) this.#post({ name });
  }

  async close(): Promise<void> {
    let failed: string | null = null;
    if (this.#ended === null) {
      const closed = new Promise<string | null>((resolve) => (this.#closed = resolve));
      for (const { slot } of this.#pending.values()) Atomics.store(this.#stops, slot, 1);
      this.#post({ close: true });
      failed = await closed;
    }
    await this.#worker.terminate();
    if (failed !== null) throw new Error(failed);
  }
}
