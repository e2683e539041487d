/**
 * `quiredb/engine`: the engine in this thread, in memory: commands in, replies out, as BSON bytes or as objects.
 *
 * Invariants: `command` takes any bytes at all and answers with a reply or an error reply; nothing runs between
 * two commands, so an engine with a `now` of its own is deterministic.
 */
import type { Document } from "bson";
import type { DecodeOptions } from "../codec/decode.ts";
import type { EncodeOptions } from "../codec/encode.ts";
import { Engine as OpenEngine } from "../engine/engine.ts";
import { memoryLimitFault } from "../engine/heap.ts";
import { makeHost } from "../engine/host.ts";
import { limited, loadEngine } from "../engine/load.ts";
import { engineWasm } from "./defaults.ts";
import { useFunctions } from "./functions.ts";

export interface EngineOptions {
  /** The engine's clock: milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * How many bytes of memory the engine may have in use, from 16 MiB to 3 GiB; default 2 GiB. A command that would keep more is
   * refused with code 146, `ExceededMemoryLimit`, and changes nothing; reads and deletes go on.
   */
  readonly maxMemoryBytes?: number;
}

/** How `Engine.run` writes a command and reads its reply. */
export type RunOptions = EncodeOptions & DecodeOptions;

const inner = new WeakMap<Engine, { open: OpenEngine; now: () => number }>();

/** What the other entry points need of an engine and its users do not. */
export function insideOf(engine: Engine): { readonly open: OpenEngine; readonly now: () => number } {
  const found = inner.get(engine);
  if (found === undefined) throw new TypeError("this is no Engine of this package");
  return found;
}

export class Engine {
  private constructor() {
    // Only `create` makes engines: loading WebAssembly is asynchronous.
  }

  /** Opens an empty deployment in memory. Throws a `RangeError` for a `maxMemoryBytes` that cannot be had. */
  static async create(options: EngineOptions = {}): Promise<Engine> {
    const fault = memoryLimitFault(options.maxMemoryBytes);
    if (fault !== null) throw new RangeError(fault);
    const { module, memory } = limited(await loadEngine(engineWasm), options.maxMemoryBytes);
    const now = options.now ?? Date.now;
    const engine = new Engine();
    inner.set(engine, { open: new OpenEngine(module.QuireEngine.openMemory(makeHost({ now, callFunction: useFunctions() })), memory), now });
    return engine;
  }

  /**
   * Runs one command: an OP_MSG body with `$db`. The reply is BSON; a failed command's has `ok: 0`.
   * Throws only when the engine is closed.
   */
  command(bson: Uint8Array): Uint8Array {
    return insideOf(this).open.runBytes(bson);
  }

  /**
   * Runs one command, an object with `$db`, and gives its reply as an object: `command` without bytes in between, which takes less than half the
   * time. A failed command's reply has `ok: 0`, as with `command`; single writes that failed are in its `writeErrors`. `options` are those of
   * `encode` and `decode`: without them an int64 within 2^53 is a number, as in the Node driver. Throws a `CodecError` for what BSON cannot
   * hold, and an `Error` when the engine is closed.
   */
  run(command: Document, options?: RunOptions): Document {
    return insideOf(this).open.runWhole(command, options);
  }

  /** Ends the engine; its memory goes back once nothing refers to it. */
  close(): void {
    insideOf(this).open.close();
  }
}
