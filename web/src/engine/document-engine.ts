/**
 * An engine in the caller's own thread: objects are encoded straight into wasm memory, and replies decoded straight out
 * of it.
 *
 * Invariant: a module of its own, so that the worker, whose commands and replies are bytes, loads no decoder.
 */
import type { Document } from "bson";
import { MAX_COMMAND_BYTES } from "../codec/cut.ts";
import { makeDecoder, type DecodeOptions } from "../codec/decode.ts";
import { Encoder, HeapTarget, type EncodeOptions } from "../codec/encode.ts";
import { InvalidText } from "../codec/error.ts";
import type { WasmEngine } from "./bindings.ts";
import { Engine, errorReply, NoRoom, tooLarge } from "./engine.ts";

/** How a command is written and its reply read. */
export type CodecOptions = EncodeOptions & DecodeOptions;

const NO_OPTIONS: CodecOptions = {};

export class DocumentEngine extends Engine {
  #encoder: Encoder;
  #decoder = makeDecoder(true);

  /** See `Engine`. */
  constructor(wasm: WasmEngine, memory: WebAssembly.Memory, begins?: () => void) {
    super(wasm, memory, begins);
    this.#encoder = new Encoder(this);
  }

  /** Runs a command on a database and decodes the reply, ok or not. To be used where all pages are there. */
  runDocument(database: string, command: Document, options: CodecOptions = NO_OPTIONS): Document {
    return this.#run(command, database, options) ?? this.unread();
  }

  /** As `runDocument`, but null where pages or languages are missing: `commandBytes` waits for them. */
  tryDocument(database: string, command: Document, options: CodecOptions = NO_OPTIONS): Document | null {
    return this.#run(command, database, options);
  }

  /** As `runDocument`, of a command that names its database itself (`$db`). */
  runWhole(command: Document, options: CodecOptions = NO_OPTIONS): Document {
    return this.#run(command, undefined, options) ?? this.unread();
  }

  #run(command: Document, database: string | undefined, options: CodecOptions): Document | null {
    this.usable();
    if (this.broken !== null) return errorReply(1, "InternalError", this.broken);
    let length: number;
    try {
      length =
        database === undefined
          ? this.#encoder.encode(command, options)
          : this.#encoder.encodeCommand(command, database, options);
    } catch (error) {
      // A value that BSON cannot hold is the caller's error. Only a trap, or no room for the command, is the engine's.
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof NoRoom)) throw error;
      return this.failed(error);
    }
    if (length > MAX_COMMAND_BYTES) return tooLarge(length);
    try {
      const pointer = this.call(length);
      if (pointer === 0) return null;
      return this.#decoder.decode(this.all(), options, pointer);
    } catch (error) {
      // A reply that the caller wants no text of is no fault of the engine's.
      if (error instanceof InvalidText) throw error;
      return this.failed(error);
    }
  }

  override close(): void {
    super.close();
    // A reference to a closed engine must not keep its memory alive.
    this.#encoder = new Encoder(new HeapTarget());
    this.#decoder = makeDecoder(true);
  }
}
