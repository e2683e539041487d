/**
 * Keeps one deployment: opens it, takes turns with other tabs, flushes, opens it again after a trap, and tells its state.
 *
 * This and `tab-lock.ts` are the only modules that know of Web Locks, the BroadcastChannel and the engine's `flush`/`reload`; the
 * rest of the worker runs its work inside `Keeper.exclusive` and knows nothing of tabs.
 *
 * One turn: take the deployment's Web Lock → `reload()` pages which another tab stored → work → flush → tell the
 * other tabs. The lock is kept for the next turn as long as no other tab wants it; while it is kept nobody else can have written, so a turn
 * that finds it kept reads nothing again. Invariants: no command runs outside a turn; a turn is not over before its last
 * batch is confirmed or has failed; turns of one tab follow one another in order. What a turn changed is stored, or the turn's end says that it
 * is not, or not any more. In memory there is no lock and nothing to flush.
 */
import { Engine } from "../engine/engine.ts";
import type { EngineHost } from "../engine/bindings.ts";
import type { LoadedModule } from "../engine/load.ts";
import { openStored } from "../engine/store.ts";
import type { Deployment } from "../protocol/messages.ts";
import type { DeploymentState, Loss } from "../protocol/state.ts";
import { seizeLock, type HeldLock } from "./deployment-lock.ts";
import { TabLock } from "./tab-lock.ts";

/** How long an opening of IndexedDB may hang; a busy machine needs its ten seconds. */
const OPEN_PATIENCE_MILLIS = 30_000;
/** How long an answer waits for its flush, so that most scripts are shown as saved at once. */
const ANSWER_PATIENCE_MILLIS = 250;
/** How long an opening may keep other tabs from writing. */
const OPENING_LOCK_MILLIS = 1000;
/** When missing room is looked for again, in milliseconds: first, and at most. */
const FIRST_RETRY_MILLIS = 1000;
const LAST_RETRY_MILLIS = 30_000;

/** The `writeConcernError` of a command whose write was not journaled as it asked. */
export const NOT_JOURNALED = { code: 64, codeName: "WriteConcernFailed", errmsg: "the write was applied, but storage has not confirmed it" } as const;

export interface KeeperEvents {
  state(state: DeploymentState): void;
  /** Another tab committed. */
  changed(sequence: number): void;
}

/** What was begun before the opening: the database is awake once it resolves to what closes it, and the lock taken. */
export interface OpenedAhead {
  readonly awake?: Promise<() => void>;
  readonly lock?: Promise<HeldLock | null>;
}

/**
 * What became of a turn's changes. `displaced`: another tab took over before they were stored, and they are gone; `broken`: they went with an
 * engine that ended in a trap.
 */
export type TurnEnd = "saved" | "unsaved" | "displaced" | "broken";

export interface Turn<Result> {
  readonly result: Result;
  readonly end: TurnEnd;
  /** Why it is not saved, for a person; null where it is, or is only not saved yet. */
  readonly reason: string | null;
}

export interface KeeperOptions {
  readonly deployment: Deployment;
  readonly host: EngineHost;
  /** Gives the engine's code; a second call an instance that no trap of the first has touched. */
  readonly load: () => Promise<LoadedModule>;
  readonly gentleStop: boolean;
  readonly events: KeeperEvents;
  readonly ahead?: OpenedAhead;
}

export class Keeper {
  readonly #options: KeeperOptions;
  #engine: Engine;
  /** Null in memory. */
  readonly #lock: TabLock | null;
  /** Why this is memory although it was to be stored. */
  readonly #fallen: Error | null;
  #turn: Promise<unknown> = Promise.resolve();
  #saved = true;
  #lost: Loss | null = null;
  /** How the last engine ended that had to be replaced. */
  #broke: string | null = null;
  #lastState = "";
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMillis = FIRST_RETRY_MILLIS;
  #retryDue = 0;
  #closed = false;
  /** Who waits for something to be written. */
  readonly #waiting = new Set<() => void>();

  private constructor(options: KeeperOptions, engine: Engine, fallen: Error | null, lock: TabLock | null) {
    this.#options = options;
    this.#engine = engine;
    this.#fallen = fallen;
    this.#lock = lock;
  }

  /**
   * Opens the deployment; rejects where it cannot be opened as asked, unless memory may take its place: the state then says why. Its lock is
   * taken before it is read where no other tab has it, and kept for a first turn, which need not read again.
   */
  static async open(options: KeeperOptions): Promise<Keeper> {
    const { deployment, host, ahead, events } = options;
    const loading = options.load();
    if (deployment.storage === "memory") return Keeper.#inMemory(options, await loading, null);
    if (deployment.salvage === true) return Keeper.#salvaged(options, await loading);
    let held: HeldLock | null = null;
    let settled = false;
    try {
      if (typeof indexedDB === "undefined") throw new Error("this browser gives the page no IndexedDB");
      held = await (ahead?.lock ?? seizeLock(deployment.name));
      const unlock = (): void => {
        if (settled) return;
        held?.release();
        held = null;
      };
      void loading.then(() => setTimeout(unlock, OPENING_LOCK_MILLIS), unlock);
      const wasm = await patiently(loading, openStored(deployment.name, loading, host, ahead?.awake), deployment.patienceMillis);
      const { memory } = await loading;
      settled = true;
      const keeper: Keeper = new Keeper(options, new Engine(wasm, memory), null, new TabLock(deployment.name, held, (sequence) => {
        events.changed(sequence);
        keeper.#wake();
      }));
      return keeper;
    } catch (error) {
      (held as HeldLock | null)?.release();
      settled = true;
      if (deployment.orMemory !== true) throw error;
      // An instance of its own: the failed opening may have ended the other in a trap.
      return Keeper.#inMemory(options, await options.load(), error instanceof Error ? error : new Error(String(error)));
    }
  }

  static #inMemory(options: KeeperOptions, { module, memory }: LoadedModule, fallen: Error | null): Keeper {
    return new Keeper(options, new Engine(module.QuireEngine.openMemory(options.host), memory), fallen, null);
  }

  /** All that can be read of a damaged deployment. */
  static async #salvaged(options: KeeperOptions, { module, memory }: LoadedModule): Promise<Keeper> {
    return new Keeper(options, new Engine(await module.QuireEngine.openDamaged(options.deployment.name, options.host), memory), null, null);
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Where what is written goes; `fallen`: to memory, though it was to be stored. */
  get storage(): "indexeddb" | "memory" | "fallen" {
    return this.#lock !== null ? "indexeddb" : this.#fallen === null ? "memory" : "fallen";
  }

  state(): DeploymentState {
    const status = this.#engine.status();
    const mode = status.mode === "displaced" ? "read-only" : (status.mode ?? "memory");
    return {
      name: this.#options.deployment.name,
      mode,
      reason: this.#engine.broken ?? this.#fallen?.message ?? status.reason ?? null,
      damaged: this.#fallen?.name === "DataCorruptionDetected",
      lost: this.#lost,
      saved: mode === "indexeddb" && this.#isSaved(),
      sequence: Number(status.sequence ?? 0),
      memoryBytes: this.#engine.memoryBytes,
      pageBytes: Number(status.pageBytes ?? 0),
      clockOffsetMillis: Number(status.clockOffsetMillis ?? 0),
      gentleStop: this.#options.gentleStop,
    };
  }

  #isSaved(): boolean {
    return this.#saved && this.#engine.broken === null && !this.#engine.hasUnsaved;
  }

  /** Tells the page the state if it is not what the page last heard. */
  tell(): void {
    if (this.#closed) return;
    const state = this.state();
    const text = JSON.stringify(state);
    if (text === this.#lastState) return;
    this.#lastState = text;
    this.#options.events.state(state);
  }

  /**
   * Runs `work` in a turn. The answer comes when the work is done and its writes are confirmed, or, where that
   * takes long and nothing asked to be journaled, before: `end` tells which. The next turn waits for the confirmation in any case. A quiet turn only
   * looks whether there is something new, and wakes nobody.
   */
  exclusive<Result>(work: () => Result | Promise<Result>, quiet = false): Promise<Turn<Result>> {
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const before = this.#sequence();
        // Whether the end of this turn is the only one to tell what becomes of all that is not stored.
        let alone = this.#isSaved();
        let result: Result;
        try {
          result = await work();
        } catch (error) {
          this.#tellLost(await this.#flush(before));
          reject(error as Error);
          return;
        }
        const strict = this.#engine.wantsStrict || this.#engine.askedJournal;
        const flushed = this.#flush(before).then((end) => {
          if (!alone) this.#tellLost(end);
          return end;
        });
        const end = await (strict ? flushed : Promise.race([flushed, new Promise<TurnEnd>((done) => setTimeout(done, ANSWER_PATIENCE_MILLIS, "unsaved"))]));
        alone = false;
        resolve({ result, end, reason: this.#reasonOf(end) });
        if (!quiet) this.#wake();
        await flushed;
      };
      this.#turn = this.#turn.then(() => this.#locked(turn)).catch(reject);
    });
  }

  #reasonOf(end: TurnEnd): string | null {
    if (end === "saved") return null;
    if (end === "displaced") return DISPLACED;
    return this.#broke ?? this.state().reason;
  }

  /** What was acknowledged already is gone. */
  #tellLost(end: TurnEnd): void {
    if (end !== "displaced" && end !== "broken") return;
    this.#lost = { how: end, times: (this.#lost?.times ?? 0) + 1 };
    this.tell();
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

  async #locked(turn: () => Promise<void>): Promise<void> {
    if (this.#lock === null) return turn();
    let current = false;
    try {
      const othersMayHaveWritten = await this.#lock.begin();
      await this.#recover();
      if (othersMayHaveWritten && (await this.#engine.reload())) this.tell();
      current = true;
      await turn();
    } finally {
      // What could not be read is asked for again before the next command: the lock is not kept meanwhile.
      this.#lock.end(!current);
    }
  }

  /** Goes on after what a turn before could not: a trap, another tab's taking over, missing room. */
  async #recover(): Promise<void> {
    if (this.#engine.broken !== null) await this.#reopen();
    const { mode } = this.#engine.status();
    if (mode === "displaced") await this.#engine.startAnew();
    if (mode === "full" && performance.now() >= this.#retryDue) this.#tellLost(await this.#store(true));
  }

  /** Another engine over what is stored, in the place of one that ended in a trap. */
  async #reopen(): Promise<void> {
    const { deployment, load, host } = this.#options;
    const loading = load();
    const wasm = await patiently(loading, openStored(deployment.name, loading, host), deployment.patienceMillis);
    this.#engine.close();
    this.#engine = new Engine(wasm, (await loading).memory);
    this.#saved = true;
  }

  /** The engine's code ended in a trap in a task of its own. False when it is no error of the engine. */
  trapped(error: unknown): boolean {
    if (!(error instanceof WebAssembly.RuntimeError)) return false;
    this.#engine.trapped(error);
    return true;
  }

  #sequence(): number {
    return Number(this.#engine.status().sequence ?? 0);
  }

  /** Writes out what the turn changed. */
  async #flush(before: number): Promise<TurnEnd> {
    if (this.#lock === null) {
      this.tell();
      return this.#fallen === null ? "saved" : "unsaved";
    }
    if (this.#engine.broken !== null) return this.#replace();
    if (!this.#engine.hasUnsaved && !this.#engine.wantsStrict && this.#sequence() === before) return "saved";
    return this.#store(false);
  }

  async #store(again: boolean): Promise<TurnEnd> {
    this.#saved = false;
    this.tell();
    const began = performance.now();
    try {
      await this.#engine.flush(false, again);
      this.#saved = true;
      this.#retryMillis = FIRST_RETRY_MILLIS;
      clearTimeout(this.#retry);
      this.#retry = undefined;
      this.#lock?.committed(this.#sequence());
    } catch {
      if (this.#engine.broken !== null) return this.#replace();
      const { mode } = this.#engine.status();
      if (mode === "displaced") return this.#giveWay();
      if (mode === "full" && (again || this.#retry === undefined)) this.#retryLater(performance.now() - began);
    }
    this.tell();
    return this.#isSaved() ? "saved" : "unsaved";
  }

  /** Another tab took over: what was not stored here is gone, and what is stored is read. */
  async #giveWay(): Promise<TurnEnd> {
    try {
      await this.#engine.startAnew();
      this.#saved = true;
    } catch {
      // Tried again before the next command, which is refused meanwhile.
    }
    this.tell();
    return "displaced";
  }

  /** After a trap: what the engine held and had not stored is gone with it. */
  async #replace(): Promise<TurnEnd> {
    this.#broke = this.#engine.broken;
    this.tell();
    try {
      await this.#reopen();
    } catch {
      // Tried again before the next command.
    }
    this.tell();
    return "broken";
  }

  /** Looks for room by itself, ever less often; a write that frees some looks at once. */
  #retryLater(took: number): void {
    const millis = Math.max(this.#retryMillis, 10 * took);
    // Less than the timer's, which may fire early.
    this.#retryDue = performance.now() + FIRST_RETRY_MILLIS / 2;
    this.#retryMillis = Math.min(2 * this.#retryMillis, LAST_RETRY_MILLIS);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.exclusive(() => undefined, true).catch(() => undefined);
    }, millis);
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#lock?.close();
    this.#engine.close();
  }
}

const DISPLACED = "another tab took over while this one was held up, and nothing of this was stored; try it again";

/** Patience begins once the engine is there: a slow network is no fault of storage. */
async function patiently<Result>(loading: Promise<unknown>, opening: Promise<Result>, millis = OPEN_PATIENCE_MILLIS): Promise<Result> {
  await Promise.race([loading, opening]);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("opening IndexedDB takes too long; is another tab upgrading it?")), millis);
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
