/**
 * An open engine: BSON in, BSON out, encoded straight into wasm memory and decoded straight out of it.
 *
 * Invariants: views over wasm memory live only within one call, because memory moves when it grows. A trap
 * never reaches the caller: it becomes an error reply, and the engine answers nothing but errors from then on.
 */
import type { Document } from "bson";
import { Decoder, type DecodeOptions } from "../codec/decode.ts";
import { Encoder, encode, type ByteTarget, type EncodeOptions } from "../codec/encode.ts";
import type { EngineStatus, WasmEngine } from "./bindings.ts";

/** Longest command taken: a message of 48 MB, as the server's `maxMessageSizeBytes`. */
const MAX_COMMAND_BYTES = 48_000_000;

/** Room for commands up to this long stays where it is between commands. */
const KEPT_ROOM = 1 << 19;

/** A reply that says the command could not be run at all. */
export function errorReply(code: number, codeName: string, errmsg: string): Document {
  return { ok: 0, errmsg, code, codeName };
}

export class Engine implements ByteTarget {
  readonly #wasm: WasmEngine;
  readonly #memory: WebAssembly.Memory;
  readonly #encoder: Encoder;
  readonly #decoder = new Decoder();
  #pointer = 0;
  #room = 0;
  #broken: string | null = null;
  #closed = false;

  constructor(wasm: WasmEngine, memory: WebAssembly.Memory) {
    this.#wasm = wasm;
    this.#memory = memory;
    this.#encoder = new Encoder(this);
  }

  /** Room in wasm memory for a command; what was written before is carried over. */
  grow(length: number): Uint8Array {
    if (length > this.#room) {
      this.#pointer = this.#wasm.commandBuffer(length);
      this.#room = length;
    }
    return new Uint8Array(this.#memory.buffer, this.#pointer, this.#room);
  }

  #usable(): void {
    if (this.#closed) throw new Error("the engine is closed");
  }

  /** Runs what `fill` puts into the room and gives what `read` takes out of the reply. */
  #run<Result>(fill: () => number, read: (memory: Uint8Array) => Result, refuse: (reply: Document) => Result): Result {
    this.#usable();
    if (this.#broken !== null) return refuse(errorReply(1, "InternalError", this.#broken));
    try {
      const length = fill();
      this.#wasm.run(length);
      // Larger room may have been given back: bindings.rs keeps a capacity of up to 1 MiB, which doubling can reach from half.
      if (this.#room > KEPT_ROOM) this.#room = 0;
      const pointer = this.#wasm.replyPointer();
      return read(new Uint8Array(this.#memory.buffer, pointer, this.#wasm.replyLength()));
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#broken = `the engine stopped: ${error.message}; open it again`;
      return refuse(errorReply(1, "InternalError", this.#broken));
    }
  }

  /** Runs a command given as bytes of any kind; what is no command gets an error reply. */
  runBytes(command: Uint8Array): Uint8Array {
    if (command.length > MAX_COMMAND_BYTES) return encode(errorReply(10334, "BSONObjectTooLarge", `the command is ${command.length} bytes long; the limit is ${MAX_COMMAND_BYTES}`));
    return this.#run(
      () => {
        this.grow(Math.max(command.length, 1)).set(command);
        return command.length;
      },
      (reply) => reply.slice(),
      (reply) => encode(reply),
    );
  }

  /** Runs a command on a database and decodes the reply, ok or not. */
  runDocument(database: string, command: Document, options: EncodeOptions & DecodeOptions = {}): Document {
    return this.#run(
      () => this.#encoder.encode({ ...command, $db: database }, options),
      (reply) => this.#decoder.decode(reply, options),
      (reply) => reply,
    );
  }

  /** Runs a command in canonical Extended JSON; the reply is the same. */
  runJson(text: string): string {
    this.#usable();
    const refuse = (reason: string): string => JSON.stringify({ ok: { $numberDouble: "0.0" }, errmsg: reason, code: { $numberInt: "1" }, codeName: "InternalError" });
    if (this.#broken !== null) return refuse(this.#broken);
    try {
      this.#room = 0;
      return this.#wasm.runJson(text);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#broken = `the engine stopped: ${error.message}; open it again`;
      return refuse(this.#broken);
    }
  }

  /**
   * Set when the last command was a `getMore` with `awaitData` that found nothing yet: for how many milliseconds its reply
   * may be held back, to run the same command again once something was written.
   */
  get awaitDataMillis(): number | undefined {
    return this.#closed || this.#broken !== null ? undefined : this.#wasm.awaitDataMillis();
  }
  get hasUnsaved(): boolean {
    return !this.#closed && this.#wasm.hasUnsaved();
  }
  /** Bytes of the whole wasm memory. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }
  status(): EngineStatus {
    this.#usable();
    return (this.#wasm.status() ?? {}) as EngineStatus;
  }
  flush(strict: boolean): Promise<void> {
    this.#usable();
    return this.#wasm.flush(strict);
  }
  reload(): Promise<boolean> {
    this.#usable();
    return this.#wasm.reload();
  }

  /** Frees the engine's memory; later calls throw. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#broken === null) this.#wasm.free();
  }
}
