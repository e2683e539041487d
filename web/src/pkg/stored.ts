/**
 * An engine in this thread over a deployment in IndexedDB: the option `thread: "this"` in a page or worker of a
 * browser. Fetched when it is asked for.
 *
 * The same `Keeper` and `Commands` as in a worker of this package, so that clients of either kind are to one another as
 * tabs are. Invariants: a command is encoded when it is given, as one that goes to a worker is, and its caller may
 * change it afterwards; commands that follow one another without a pause let the thread's other tasks in between, on
 * which storing and other tabs depend.
 */
import { makeDecoder } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { Transport } from "../driver/connection.ts";
import type { EngineFile } from "../engine/bindings.ts";
import { makeHost } from "../engine/host.ts";
import { limited, loadEngine, type LoadedModule } from "../engine/load.ts";
import type { ServedAs } from "../engine/served.ts";
import type { SalvageSource } from "../state/data/salvaging.ts";
import { Commands } from "../worker/commands.ts";
import { Keeper } from "../worker/persistence.ts";
import { StopWatch, type StopReason } from "../worker/stop.ts";
import type { Topology } from "../engine/topology.ts";
import { engineWasm, languagesWasm } from "./defaults.ts";
import { Functions } from "./functions.ts";

export interface StoredOptions {
  readonly now?: (() => number) | undefined;
  readonly maxMemoryBytes?: number | undefined;
  readonly topology?: Topology | undefined;
  /** How long the browser may take to open the stored deployment, in milliseconds. */
  readonly patienceMillis?: number | undefined;
  /** Open a copy in memory of all that can be read. */
  readonly salvage?: boolean;
  /** Put it in the place of all that is stored first, where something was lost. */
  readonly repair?: boolean;
}

/** How a deployment is kept by this thread. */
interface KeepingOptions extends StoredOptions {
  readonly storage?: "indexeddb" | "memory" | undefined;
  /** The file that has the pages, in the place of `storage`. */
  readonly file?: EngineFile | undefined;
  /** Where the engine's code is; default: beside the package's modules. */
  readonly source?: (() => unknown) | undefined;
  /** How long a command may be, in bytes. */
  readonly mostBytes?: number | undefined;
  /** The server that the deployment is kept for. */
  readonly served?: ServedAs | undefined;
}

/** How long commands may keep the thread without a pause, in milliseconds. */
const BREATH_MILLIS = 8;

/** Lets the thread's other tasks in when commands have kept it for long. */
class Breath {
  #began = 0;
  #task: Promise<void> | null = null;

  /** The promise to wait for before the next command; null where there is none. */
  take(): Promise<void> | null {
    if (this.#task !== null) return performance.now() - this.#began < BREATH_MILLIS ? null : this.#task;
    this.#began = performance.now();
    this.#task = new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        this.#task = null;
        resolve();
      };
      port2.postMessage(null);
    });
    return null;
  }
}

/** Ends a command that is aborted before its turn comes. Nothing is heard while it runs: there is one thread. */
export class Abortion extends StopWatch {
  readonly #signal: AbortSignal;
  constructor(signal: AbortSignal) {
    super(null, undefined);
    this.#signal = signal;
  }
  override get reason(): StopReason | null {
    return this.#signal.aborted ? "stopped" : null;
  }
  override shouldStop(): boolean {
    return this.#signal.aborted;
  }
}

/** A deployment that is kept by this thread, in bytes. */
export interface KeptHere {
  run(command: Uint8Array, watch?: StopWatch | null): Promise<Uint8Array>;
  /** Stores what is to be stored; gives why not all of it is, null where all is. */
  unsaved(): Promise<string | null>;
  close(): Promise<void>;
}

/** Has this thread keep a deployment; its commands follow one another as they are given. */
export async function keep(
  name: string,
  {
    now,
    maxMemoryBytes,
    topology,
    patienceMillis,
    salvage,
    repair,
    storage = "indexeddb",
    source = engineWasm,
    mostBytes,
    file,
    served,
  }: KeepingOptions,
): Promise<KeptHere> {
  let keeper: Keeper | null = null;
  const opened = (): Keeper => {
    if (keeper === null) throw new Error("the deployment is closed");
    return keeper;
  };
  const load = async (): Promise<LoadedModule> => {
    const loaded = limited(await loadEngine(source), maxMemoryBytes, topology);
    loaded.onTrap((error) => keeper?.trapped(error));
    return loaded;
  };
  const functions = new Functions();
  const commands = new Commands(opened, functions, mostBytes);
  const host = makeHost({ ...(now === undefined ? {} : { now }), ...commands.host, languages: languagesWasm, served });
  const deployment = {
    name,
    storage,
    ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
    ...(patienceMillis === undefined ? {} : { patienceMillis }),
    ...(salvage === undefined ? {} : { salvage }),
    ...(repair === undefined ? {} : { repair }),
  } as const;
  keeper = await Keeper.open({
    deployment,
    file,
    load,
    host,
    begins: commands.begins,
    gentleStop: false,
    events: { state: () => undefined, changed: () => undefined },
  });

  return {
    run: (command, watch) => commands.run(command, watch),
    unsaved: () => opened().unsaved(),
    async close() {
      const closing = keeper;
      keeper = null;
      await closing?.close();
      functions.close();
    },
  };
}

/** The same, and lets the thread's other tasks in between. */
async function keepHere(name: string, options: StoredOptions): Promise<KeptHere> {
  const kept = await keep(name, options);
  const breath = new Breath();
  return {
    run(command, watch) {
      const pause = breath.take();
      return pause === null ? kept.run(command, watch) : pause.then(() => kept.run(command, watch));
    },
    unsaved: kept.unsaved,
    close: kept.close,
  };
}

/** A client's way to a deployment that is kept by this thread. */
export async function openStoredHere(name: string, options: StoredOptions): Promise<Transport> {
  const kept = await keepHere(name, options);
  const decoder = makeDecoder();
  return {
    run(database, command, codec, signal) {
      const bytes = encode({ ...command, $db: database }, codec);
      const reply = kept.run(bytes, signal === undefined ? null : new Abortion(signal));
      return reply.then((answer) => decoder.decode(answer, codec));
    },
    close: () => kept.close(),
  };
}

/** A copy in memory of all that can be read of a damaged deployment, in this thread. */
export async function openSalvagedHere(name: string, repair: boolean): Promise<SalvageSource> {
  const kept = await keepHere(name, { salvage: true, repair });
  return { commandBytes: (command) => kept.run(command), close: () => kept.close() };
}
