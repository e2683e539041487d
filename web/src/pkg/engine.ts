/**
 * `quiredb/engine`: the engine in this thread, in memory: commands in, replies out, as BSON bytes or as objects.
 *
 * Invariants: `command` takes any bytes at all and answers with a reply or an error reply; nothing runs between
 * two commands, so an engine with a `now` of its own is deterministic.
 */
import type { Document } from "bson";
import type { DecodeOptions } from "../codec/decode.ts";
import type { EncodeOptions } from "../codec/encode.ts";
import type { Account } from "../engine/account.ts";
import { DocumentEngine as OpenEngine } from "../engine/document-engine.ts";
import { memoryLimitFault } from "../engine/heap.ts";
import { makeHost } from "../engine/host.ts";
import { limited, loadEngine } from "../engine/load.ts";
import type { ServedAs } from "../engine/served.ts";
import { topologyFault } from "../engine/topology.ts";
import { engineWasm, languagesWasm } from "./defaults.ts";
import { Functions, functionsFault } from "./functions.ts";
import { optionNamesFault } from "./option-names.ts";

export interface EngineOptions {
  /** The engine's clock: milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * How many bytes of memory the engine may have in use, from 16 MiB to 3 GiB; default 2 GiB. A command that would keep
   * more is refused with code 146, `ExceededMemoryLimit`, and changes nothing; reads and deletes go on.
   */
  readonly maxMemoryBytes?: number;
  /**
   * Where functions inside commands run (`$where`, `$function`, `$accumulator`, `mapReduce`): `"sandbox"` is QuickJS in
   * WebAssembly, which reaches nothing of this realm. Left out, the sandbox is not loaded and such a command is refused
   * with code 139, `JSInterpreterFailure`.
   */
  readonly functions?: "sandbox";
  /**
   * What the deployment presents itself as: the only member of replica set `quire` (the default), or a standalone,
   * which has no transactions, no retryable writes and no cluster times.
   */
  readonly topology?: "replicaSet" | "standalone";
}

const OPTION_NAMES = { now: true, maxMemoryBytes: true, functions: true, topology: true } as const;

export { accountSince, type Account } from "../engine/account.ts";

/** How `Engine.run` writes a command and reads its reply. */
export type RunOptions = EncodeOptions & DecodeOptions;

/** The parts inside an engine of this package. */
interface Inside {
  readonly open: OpenEngine;
  readonly now: () => number;
  readonly functions: Functions;
  readonly topology: EngineOptions["topology"];
  /** The server that was put before it. */
  readonly served: ServedAs;
}

const inner = new WeakMap<Engine, Inside>();

/** The engine's inside, for the package's other entry points; its users cannot reach it. */
export function insideOf(engine: Engine): Inside {
  const found = inner.get(engine);
  if (found === undefined) throw new TypeError("this is no Engine of this package");
  return found;
}

export class Engine {
  private constructor() {
    // Only `create` makes engines: loading WebAssembly is asynchronous.
  }

  /**
   * Opens an empty deployment in memory. Throws a `RangeError` for a `maxMemoryBytes`, and a `TypeError` for
   * `functions` and a `topology`, that cannot be had, and for an option of another name.
   */
  static async create(options: EngineOptions = {}): Promise<Engine> {
    const wrong = optionNamesFault(options, OPTION_NAMES) ?? functionsFault(options.functions);
    if (wrong !== null) throw new TypeError(wrong);
    const strange = topologyFault(options.topology);
    if (strange !== null) throw new TypeError(strange);
    const fault = memoryLimitFault(options.maxMemoryBytes);
    if (fault !== null) throw new RangeError(fault);
    const functions = new Functions();
    // Commands are synchronous: functions that they may call have to be there before.
    const [loaded] = await Promise.all([
      loadEngine(engineWasm),
      options.functions === undefined ? null : functions.load(),
    ]);
    const { module, memory } = limited(loaded, options.maxMemoryBytes, options.topology);
    const now = options.now ?? Date.now;
    const served: ServedAs = {};
    const engine = new Engine();
    const open = new OpenEngine(
      module.QuireEngine.openMemory(makeHost({ now, callFunction: functions.call, languages: languagesWasm, served })),
      memory,
      functions.begin,
    );
    inner.set(engine, { open, now, functions, topology: options.topology, served });
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
   * Runs one command, an object with `$db`, and gives its reply as an object: `command` without bytes in between, which
   * takes less than half the time. A failed command's reply has `ok: 0`, as with `command`; single writes that failed
   * are in its `writeErrors`. `options` are those of `encode` and `decode`: without them an int64 within 2^53 is a
   * number, as in the Node driver. Throws a `CodecError` for a value that BSON cannot hold, and an `Error` when the
   * engine is closed.
   */
  run(command: Document, options?: RunOptions): Document {
    return insideOf(this).open.runWhole(command, options);
  }

  /**
   * The totals of all commands so far: keys and documents examined, pages touched, documents changed. `accountSince` of
   * two of these gives the totals of the commands between them.
   */
  account(): Account {
    return insideOf(this).open.account();
  }

  /** Ends the engine; its memory goes back once nothing refers to it. */
  close(): void {
    const { open, functions } = insideOf(this);
    open.close();
    functions.close();
  }
}
