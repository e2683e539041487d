/**
 * An open engine: BSON in, BSON out, encoded straight into wasm memory and decoded straight out of it.
 *
 * Invariants: views over wasm memory live only within one call, because memory moves when it grows. A trap
 * never reaches the caller: it becomes an error reply, and the engine answers nothing but errors from then on. A
 * deployment that is stored may miss pages: `command` and `commandBytes` fetch them, the synchronous calls cannot.
 */
import type { Document } from "bson";
import { Decoder, type DecodeOptions } from "../codec/decode.ts";
import { Encoder, encode, type ByteTarget, type EncodeOptions } from "../codec/encode.ts";
import type { EngineStatus, WasmEngine } from "./bindings.ts";

/** Longest command taken: a message of 48 MB, as the server's `maxMessageSizeBytes`. */
const MAX_COMMAND_BYTES = 48_000_000;

/** Longer room is given back after the next command that does with less; it is kept for others like it until then. */
const KEPT_ROOM = 1 << 19;

/** A reply that says the command could not be run at all. */
export function errorReply(code: number, codeName: string, errmsg: string): Document {
  return { ok: 0, errmsg, code, codeName };
}

/** What a synchronous command is told that met a page which is not in memory: `resident` was not awaited. */
const UNREAD = errorReply(39, "FileStreamFailed", "the deployment is still being read");

const NO_OPTIONS: EncodeOptions & DecodeOptions = {};
const NO_BYTES = new Uint8Array(0);

export class Engine implements ByteTarget {
  readonly #wasm: WasmEngine;
  readonly #memory: WebAssembly.Memory;
  readonly #encoder: Encoder;
  readonly #decoder: Decoder;
  /** All of wasm memory; empty once memory moved. */
  #bytes: Uint8Array = NO_BYTES;
  /** The room for commands. */
  #target: Uint8Array = NO_BYTES;
  #pointer = 0;
  #room = 0;
  /** Wasm memory holds more room than `#room` says. */
  #bulky = false;
  #broken: string | null = null;
  #closed = false;

  constructor(wasm: WasmEngine, memory: WebAssembly.Memory) {
    this.#wasm = wasm;
    this.#memory = memory;
    this.#encoder = new Encoder(this);
    this.#decoder = new Decoder(true);
  }

  /** All of wasm memory, as it is now: a view over memory that moved is empty. */
  #all(): Uint8Array {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  /** Room in wasm memory for a command; what was written before is carried over. */
  grow(length: number): Uint8Array {
    if (length > this.#room) {
      this.#pointer = this.#wasm.commandBuffer(length);
      this.#room = length;
      this.#target = NO_BYTES;
    }
    if (this.#target.length === 0) this.#target = new Uint8Array(this.#memory.buffer, this.#pointer, this.#room);
    return this.#target;
  }

  #usable(): void {
    if (this.#closed) throw new Error("the engine is closed");
  }

  /** Runs the command in the room; gives where its reply lies. */
  #call(length: number): number {
    const reply = this.#wasm.run(length);
    if (this.#room > KEPT_ROOM) {
      this.#bulky = true;
      this.#room = 0;
    } else if (this.#bulky) {
      this.#bulky = false;
      this.#room = 0;
      this.#wasm.commandBuffer(0);
    }
    return reply;
  }

  /** The reply after something was thrown: a trap is told, anything else is thrown on. */
  #failed(error: unknown): Document {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    this.#broken = `the engine stopped: ${error.message}; open it again`;
    return errorReply(1, "InternalError", this.#broken);
  }

  /** Runs a command given as bytes of any kind; what is no command gets an error reply. To be used where all pages are there. */
  runBytes(command: Uint8Array): Uint8Array {
    return this.#tryBytes(command) ?? encode(UNREAD);
  }

  /** As `runBytes`, wherever the pages are. */
  async commandBytes(command: Uint8Array): Promise<Uint8Array> {
    return this.#tryBytes(command) ?? (await this.#repeat(() => this.#tryBytes(command), encode));
  }

  /** Fetches the page at which a command stopped and runs it again, until it comes to its end. */
  async #repeat<Reply>(run: () => Reply | null, refuse: (reply: Document) => Reply): Promise<Reply> {
    for (;;) {
      try {
        await this.#wasm.fetchMissing();
      } catch (error) {
        return refuse(errorReply(39, "FileStreamFailed", error instanceof Error ? error.message : String(error)));
      }
      const reply = run();
      if (reply !== null) return reply;
    }
  }

  /** Null when a page is missing. */
  #tryBytes(command: Uint8Array): Uint8Array | null {
    if (command.length > MAX_COMMAND_BYTES) return encode(errorReply(10334, "BSONObjectTooLarge", `the command is ${command.length} bytes long; the limit is ${MAX_COMMAND_BYTES}`));
    this.#usable();
    if (this.#broken !== null) return encode(errorReply(1, "InternalError", this.#broken));
    try {
      this.grow(Math.max(command.length, 1)).set(command);
      const pointer = this.#call(command.length);
      if (pointer === 0) return null;
      return this.#all().slice(pointer, pointer + this.#wasm.replyLength());
    } catch (error) {
      return encode(this.#failed(error));
    }
  }

  /** As `runDocument`, wherever the pages are; a promise only when one had to be fetched. */
  command(database: string, command: Document, options: EncodeOptions & DecodeOptions = NO_OPTIONS): Document | Promise<Document> {
    const run = (): Document | null => {
      const reply = this.runDocument(database, command, options);
      return reply === UNREAD ? null : reply;
    };
    return run() ?? this.#repeat(run, (reply) => reply);
  }

  /** Runs a command on a database and decodes the reply, ok or not. To be used where all pages are there. */
  runDocument(database: string, command: Document, options: EncodeOptions & DecodeOptions = NO_OPTIONS): Document {
    this.#usable();
    if (this.#broken !== null) return errorReply(1, "InternalError", this.#broken);
    try {
      const pointer = this.#call(this.#encoder.encodeCommand(command, database, options));
      if (pointer === 0) return UNREAD;
      return this.#decoder.decode(this.#all(), options, pointer);
    } catch (error) {
      return this.#failed(error);
    }
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
  /** Whether a command asked for journaling that it has not got yet. */
  get wantsStrict(): boolean {
    return !this.#closed && this.#broken === null && this.#wasm.wantsStrict();
  }
  /** A batch for another worker to store; see `worker/slices.ts`. */
  lendBatch(): Uint8Array<ArrayBuffer> | undefined {
    return this.#closed || this.#broken !== null ? undefined : (this.#wasm.lendBatch() as Uint8Array<ArrayBuffer> | undefined);
  }
  lentStored(sequence: number): void {
    if (!this.#closed && this.#broken === null) this.#wasm.lentStored(sequence);
  }
  endLending(stored: boolean): void {
    if (!this.#closed && this.#broken === null) this.#wasm.endLending(stored);
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
  /** Resolves once all pages are there, to be awaited before anything synchronous; a `reload` may make some miss again. */
  resident(): Promise<void> {
    this.#usable();
    return this.#wasm.resident();
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
