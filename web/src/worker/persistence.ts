/**
 * Keeps one deployment: opens it, runs work over it in turns, mends it after a trap or another tab's taking over, and
 * tells its state.
 *
 * The rest of the worker gives its work to `command` and `exclusive` and knows nothing of tabs. Whose turn it is is
 * decided by `turns.ts`, over the lock of `tab-lock.ts`; the time of a write, by `flushing.ts`. These four
 * are the only modules that know of Web Locks, the BroadcastChannel and the engine's `flush` and `reload`. Invariants:
 * no command runs outside a turn; a command that asked to be journaled ends when that is done or has failed, any other
 * when it is applied; acknowledged writes that are lost are told by the state. In memory there is no lock and nothing
 * to flush. A deployment in a file has one writer, and all else as one in IndexedDB has it.
 */
import { Engine } from "../engine/engine.ts";
import { Trouble, type EngineFile, type EngineHost, type WasmEngine } from "../engine/bindings.ts";
import type { LoadedModule } from "../engine/load.ts";
import { openStored } from "../engine/store.ts";
import type { Deployment } from "../protocol/messages.ts";
import type { DeploymentState, Loss } from "../protocol/state.ts";
import { seizeLock, type HeldLock } from "./deployment-lock.ts";
import { Flushing, type SlicePlan, type StoredEnd } from "./flushing.ts";
import { TabLock } from "./tab-lock.ts";
import { soleWriter, type TurnLock } from "./turn-lock.ts";
import { Turns, type Job } from "./turns.ts";

/** How long an opening of IndexedDB may hang; a busy machine needs its ten seconds. */
const OPEN_PATIENCE_MILLIS = 30_000;
/** How long an answer waits for its flush, so that most scripts are shown as saved at once. */
const ANSWER_PATIENCE_MILLIS = 250;
/** How long an opening may keep other tabs from writing. */
const OPENING_LOCK_MILLIS = 1000;
/** How long changes of the state are gathered, in milliseconds, where nobody waits for them. */
const TELL_MILLIS = 50;
/** How often a command is run that other tabs overtake. */
const MOST_TRIES = 3;

/** The `writeConcernError` of a command whose write was not journaled as it asked. */
export const NOT_JOURNALED = {
  code: 64,
  codeName: "WriteConcernFailed",
  errmsg: "the write was applied, but storage has not confirmed it",
} as const;

/** What the page shows of each of the engine's modes. */
const MODES = {
  indexeddb: "indexeddb",
  file: "indexeddb",
  memory: "memory",
  full: "full",
  displaced: "read-only",
  "read-only": "read-only",
} as const;

export interface KeeperEvents {
  state(state: DeploymentState): void;
  /** Another tab committed. */
  changed(sequence: number): void;
}

export interface Turn<Result> {
  readonly result: Result;
  readonly end: StoredEnd;
  /** Why it is not saved, for a person; null where it is, or is only not saved yet. */
  readonly reason: string | null;
}

export interface KeeperOptions {
  readonly deployment: Deployment;
  /** The file that has the pages, in the place of IndexedDB: open, and locked against other processes. */
  readonly file?: EngineFile | undefined;
  readonly host: EngineHost;
  /** Called before each command is run. */
  readonly begins?: () => void;
  /** Gives the engine's code; a second call an instance that no trap of the first has touched. */
  readonly load: () => Promise<LoadedModule>;
  readonly gentleStop: boolean;
  readonly events: KeeperEvents;
}

export class Keeper {
  readonly #options: KeeperOptions;
  #engine: Engine;
  /** Null in memory. */
  readonly #lock: TurnLock | null;
  /** Why this is memory although it was to be stored. */
  readonly #fallen: Error | null;
  readonly #flushing: Flushing;
  readonly #turns: Turns;
  #lost: Loss | null = null;
  /** How the last engine ended that had to be replaced. */
  #broke: string | null = null;
  #lastState = "";
  #telling: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Commands that are run again, after their changes were lost. */
  #again: Job[] = [];
  /** Wakes the `getMore`s that wait for new data (`awaitData`). */
  readonly #waiting = new Set<() => void>();

  private constructor(options: KeeperOptions, engine: Engine, fallen: Error | null, held: HeldLock | null | undefined) {
    this.#options = options;
    this.#engine = engine;
    this.#fallen = fallen;
    const { deployment, events, file } = options;
    const changed = (sequence: number): void => {
      events.changed(sequence);
      this.#wake();
    };
    if (file !== undefined) this.#lock = soleWriter;
    else if (held === undefined) this.#lock = null;
    else this.#lock = new TabLock(deployment.name, held, { changed, wanted: () => this.#turns.rest() });
    this.#flushing = new Flushing(() => this.#engine, {
      told: () => this.tell(),
      stored: () => this.#lock?.committed(Number(this.#engine.status().sequence ?? 0)),
      stuck: () => this.#turns.wake(),
      quiet: () => this.#turns.rest(),
      retry: () => void this.exclusive(() => undefined, { quiet: true }).catch(() => undefined),
    });
    const isNeeded = (): boolean =>
      this.#engine.broken !== null || this.#engine.trouble === Trouble.Displaced || this.#flushing.wantsRetry;
    this.#turns = new Turns(this.#lock, this.#flushing, {
      isNeeded,
      mend: () => this.#mend(),
      reload: () => this.#reload(),
    });
  }

  /**
   * Opens the deployment; rejects where it cannot be opened as asked, unless memory may take its place: the state then
   * says why. Its lock is taken before it is read where no other tab has it, and kept for a first turn, which need not
   * read again.
   */
  static async open(options: KeeperOptions): Promise<Keeper> {
    const { deployment } = options;
    const loading = options.load();
    if (deployment.salvage === true) return Keeper.#salvaged(options, await loading);
    if (options.file !== undefined) {
      const wasm = await openedStored(options, loading);
      return new Keeper(options, new Engine(wasm, (await loading).memory, options.begins), null, null);
    }
    if (deployment.storage === "memory") return Keeper.#inMemory(options, await loading, null);
    let held: HeldLock | null = null;
    let settled = false;
    try {
      if (typeof indexedDB === "undefined") throw new Error("this browser gives the page no IndexedDB");
      held = await seizeLock(deployment.name);
      const unlock = (): void => {
        if (settled) return;
        held?.release();
        held = null;
      };
      void loading.then(() => setTimeout(unlock, OPENING_LOCK_MILLIS), unlock);
      const wasm = await openedStored(options, loading);
      const { memory } = await loading;
      settled = true;
      return new Keeper(options, new Engine(wasm, memory, options.begins), null, held);
    } catch (error) {
      (held as HeldLock | null)?.release();
      settled = true;
      if (deployment.orMemory !== true) throw error;
      // An instance of its own: the failed opening may have ended the other in a trap.
      return Keeper.#inMemory(options, await options.load(), error instanceof Error ? error : new Error(String(error)));
    }
  }

  static #inMemory(options: KeeperOptions, { module, memory }: LoadedModule, fallen: Error | null): Keeper {
    const wasm = module.QuireEngine.openMemory(options.host);
    return new Keeper(options, new Engine(wasm, memory, options.begins), fallen, undefined);
  }

  /** All that can be read of a damaged deployment. */
  static async #salvaged(options: KeeperOptions, { module, memory }: LoadedModule): Promise<Keeper> {
    const { name, repair = false } = options.deployment;
    const { file, ...others } = options;
    const wasm =
      file === undefined
        ? await module.QuireEngine.openDamaged(name, options.host, repair)
        : module.QuireEngine.openDamagedFile(file, options.host);
    // The copy is in memory.
    return new Keeper(others, new Engine(wasm, memory, options.begins), null, undefined);
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Where writes go; `fallen`: to memory, though it was to be stored. */
  get storage(): "indexeddb" | "file" | "memory" | "fallen" {
    if (this.#options.file !== undefined) return "file";
    return this.#lock !== null ? "indexeddb" : this.#fallen === null ? "memory" : "fallen";
  }

  state(): DeploymentState {
    const status = this.#engine.status();
    const mode = MODES[status.mode ?? "memory"];
    return {
      name: this.#options.deployment.name,
      mode,
      reason: this.#engine.broken ?? this.#fallen?.message ?? status.reason ?? null,
      damaged: this.#fallen?.name === "DataCorruptionDetected",
      lost: this.#lost,
      saved: mode === "indexeddb" && this.#engine.broken === null && this.#flushing.isSaved,
      sequence: Number(status.sequence ?? 0),
      memoryBytes: this.#engine.memoryBytes,
      pageBytes: Number(status.pageBytes ?? 0),
      clockOffsetMillis: Number(status.clockOffsetMillis ?? 0),
      gentleStop: this.#options.gentleStop,
    };
  }

  /** Tells the page the state if it is not the state that the page last heard. */
  tell(): void {
    if (this.#closed) return;
    const state = this.state();
    const text = JSON.stringify(state);
    if (text === this.#lastState) return;
    this.#lastState = text;
    this.#options.events.state(state);
  }

  /** Tells the page the state in `TELL_MILLIS`, so that several changes of it are one message. */
  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.tell();
    }, TELL_MILLIS);
  }

  /**
   * Runs a command in a turn; others follow it before it is stored. `ended` is told at once, or, where it asked to be
   * journaled or its changes are lost, once the end of its changes is known. A command that another tab overtook before
   * anybody was told of it is run again. A `quiet` job only looks for new commits, and wakes nobody.
   */
  command<Result>(
    work: () => Result | Promise<Result>,
    ended: (turn: Turn<Result>) => void,
    failed: (error: Error) => void,
    quiet = false,
  ): void {
    let tries = MOST_TRIES;
    const done = (result: Result): void => {
      if (!quiet) this.#wake();
      this.#tellSoon();
      if (this.#lock === null)
        return ended({
          result,
          end: this.#fallen === null ? "saved" : "unsaved",
          reason: this.#fallen === null ? null : this.#fallen.message,
        });
      this.#flushing.applied((end) => {
        if (end === null) return ended({ result, end: "unsaved", reason: null });
        tries -= 1;
        if (end === "displaced" && tries > 0) this.#again.push(job);
        else ended({ result, end, reason: this.#reasonOf(end) });
      });
    };
    const job: Job = {
      alone: false,
      run: () => {
        try {
          const result = work();
          if (result instanceof Promise) return result.then(done).catch(failed);
          done(result);
        } catch (error) {
          failed(error as Error);
        }
        return undefined;
      },
      fail: failed,
    };
    if (this.#closed) failed(new Error("the deployment is closed"));
    else this.#turns.add(job);
  }

  /**
   * Runs `work` in a turn of its own, after all before it is stored. The answer comes when the work is done and its
   * writes are confirmed, or, where that takes long and nothing asked to be journaled, before: `end` tells which.
   * `after`, which never rejects, belongs to the turn, but the answer does not wait for it.
   */
  exclusive<Result>(
    work: () => Result | Promise<Result>,
    { quiet = false, after }: { readonly quiet?: boolean; readonly after?: () => Promise<void> } = {},
  ): Promise<Turn<Result>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error("the deployment is closed"));
      const run = async (): Promise<void> => {
        this.#flushing.hold();
        try {
          const result = await work();
          void this.#outcome().then((end) => resolve({ result, end, reason: this.#reasonOf(end) }));
        } catch (error) {
          reject(error as Error);
          if (this.#lock !== null) this.#flushing.abandoned();
        }
        await after?.();
        this.#flushing.release();
        this.tell();
        if (!quiet) this.#wake();
      };
      this.#turns.add({ alone: true, run, fail: reject });
    });
  }

  /** When the writes of a script, which has a turn of its own, are lent to another worker. */
  get slicePlan(): SlicePlan {
    return this.#flushing;
  }

  /** The end of all changes that are not stored, as far as it is known in `ANSWER_PATIENCE_MILLIS`. */
  async #outcome(): Promise<StoredEnd> {
    if (this.#lock === null) return this.#fallen === null ? "saved" : "unsaved";
    return this.#flushing.outcome(ANSWER_PATIENCE_MILLIS);
  }

  /** Resolves when all that was applied is stored, or cannot be; undefined where nothing waits for that. */
  settled(): Promise<void> | undefined {
    return this.#lock === null ? undefined : this.#flushing.settled();
  }

  /** Stores what is to be stored; gives why not all of it is, null where all is. */
  async unsaved(): Promise<string | null> {
    await this.exclusive(() => undefined, { quiet: true });
    await this.#turns.idle();
    const { saved, reason } = this.state();
    return saved ? null : (reason ?? NOT_JOURNALED.errmsg);
  }

  #reasonOf(end: StoredEnd): string | null {
    if (end === "saved") return null;
    if (end === "displaced") return DISPLACED;
    return this.#broke ?? this.state().reason;
  }

  /** Resolves when this or another tab may have written, at the latest after so many milliseconds. */
  nextWrite(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(over);
        resolve();
      };
      const timer = setTimeout(over, millis);
      this.#waiting.add(over);
    });
  }
  #wake(): void {
    for (const over of [...this.#waiting]) over();
  }

  async #reload(): Promise<void> {
    if (await this.#engine.reload()) this.tell();
  }

  /** Goes on after a batch that could not be stored: a trap, another tab's taking over, missing room. */
  async #mend(): Promise<void> {
    const { broken } = this.#engine;
    if (broken === null && this.#engine.trouble !== Trouble.Displaced) return this.#flushing.retry();
    const how = broken === null ? "displaced" : "broken";
    if (broken !== null) this.#broke = broken;
    this.tell();
    const { waiting, acknowledged } = await this.#flushing.take();
    try {
      await (broken === null ? this.#engine.startAnew() : this.#reopen());
    } finally {
      // Writes that were acknowledged already are gone.
      if (acknowledged) this.#lost = { how, times: (this.#lost?.times ?? 0) + 1 };
      this.tell();
      for (const waiter of waiting) waiter.over(how);
      this.#turns.addFirst(this.#again.splice(0));
    }
  }

  /** Another engine over the stored pages, in the place of one that ended in a trap. */
  async #reopen(): Promise<void> {
    const { load, begins } = this.#options;
    const loading = load();
    const wasm = await openedStored(this.#options, loading);
    this.#engine.close();
    this.#engine = new Engine(wasm, (await loading).memory, begins);
  }

  /** The engine's code ended in a trap in a task of its own. False when it is no error of the engine. */
  trapped(error: unknown): boolean {
    if (!(error instanceof WebAssembly.RuntimeError)) return false;
    this.#engine.trapped(error);
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // Who waits for data waits for nothing now, and its clock must not keep the program alive.
    this.#wake();
    await this.#turns.idle();
    clearTimeout(this.#telling);
    this.#flushing.close();
    this.#lock?.close();
    this.#engine.close();
  }
}

const DISPLACED = "another tab took over while this one was held up, and nothing of this was stored; try it again";

/** The engine over the stored pages, in the file or in IndexedDB. */
async function openedStored(
  { deployment, file, host }: KeeperOptions,
  loading: Promise<LoadedModule>,
): Promise<WasmEngine> {
  if (file !== undefined) return (await loading).module.QuireEngine.openFile(file, host);
  return patiently(loading, openStored(deployment.name, loading, host), deployment.patienceMillis);
}

/** Patience begins once the engine is there: a slow network is no fault of storage. */
async function patiently<Result>(
  loading: Promise<unknown>,
  opening: Promise<Result>,
  millis = OPEN_PATIENCE_MILLIS,
): Promise<Result> {
  await Promise.race([loading, opening]);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("opening IndexedDB takes too long; is another tab upgrading it?")),
      millis,
    );
    opening.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}
