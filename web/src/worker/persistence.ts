/**
 * Keeps one deployment: opens it, takes turns with other tabs, flushes, and tells its state.
 *
 * This is the only module that knows of Web Locks, the BroadcastChannel and the engine's `flush`/`reload`; the
 * rest of the worker runs its work inside `Keeper.exclusive` and knows nothing of tabs.
 *
 * One turn: take the deployment's Web Lock → `reload()` pages which another tab stored → work → flush → tell the
 * other tabs. The lock is kept for the next turn as long as no other tab wants it (it says so on the channel)
 * and for at most a moment of idleness; while it is kept nobody else can have written, so a turn that finds it
 * kept reads nothing again. Invariants: no command runs outside a turn; a turn is not over before its last
 * batch is confirmed or has failed; turns of one tab follow one another in order. In memory there is no lock
 * and nothing to flush.
 */
import { Engine } from "../engine/engine.ts";
import type { EngineHost, WasmEngine } from "../engine/bindings.ts";
import type { LoadedModule } from "../engine/load.ts";
import { openStored } from "../engine/store.ts";
import type { Deployment } from "../protocol/messages.ts";
import type { DeploymentMode, DeploymentState } from "../protocol/state.ts";
import { lockName, seizeLock } from "./deployment-lock.ts";

/** How long an opening of IndexedDB may hang before the deployment is opened in memory; a busy machine needs its ten seconds. */
const OPEN_PATIENCE_MILLIS = 30_000;
/** How long an answer waits for its flush, so that most scripts are shown as saved at once. */
const ANSWER_PATIENCE_MILLIS = 250;

export interface KeeperEvents {
  state(state: DeploymentState): void;
  /** Another tab committed. */
  changed(sequence: number): void;
}

/** How long the lock is kept after a turn for a next one, in milliseconds. */
const KEEP_LOCK_MILLIS = 50;
/** How often a tab that waits for the lock says so again: the holder may not have listened yet. */
const ASK_AGAIN_MILLIS = 100;
/** How long an opening may keep other tabs from writing. */
const OPENING_LOCK_MILLIS = 1000;

/** What was begun before the opening: the database is awake once it resolves to what closes it, and the lock taken, to what lets it go. */
export interface OpenedAhead {
  readonly awake?: Promise<() => void>;
  readonly lock?: Promise<(() => void) | null>;
}

/** What tabs tell one another: a commit, or the wish for the lock. */
type Announcement = { readonly sequence: number } | { readonly wantsLock: true };

export class Keeper {
  readonly #deployment: Deployment;
  readonly #events: KeeperEvents;
  readonly #engine: Engine;
  readonly #gentleStop: boolean;
  #mode: DeploymentMode;
  #reason: string | null;
  #channel: BroadcastChannel | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #flushing: Promise<void> = Promise.resolve();
  #saved = true;
  #lastState = "";
  /** Gives the kept lock back; null while there is none. */
  #letGo: (() => void) | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #wanted = false;
  #working = false;
  /** Who waits for something to be written. */
  readonly #waiting = new Set<() => void>();

  private constructor(deployment: Deployment, engine: Engine, mode: DeploymentMode, reason: string | null, gentleStop: boolean, events: KeeperEvents, letGo: (() => void) | null) {
    this.#deployment = deployment;
    this.#engine = engine;
    this.#mode = mode;
    this.#reason = reason;
    this.#gentleStop = gentleStop;
    this.#events = events;
    if (mode === "indexeddb" && typeof BroadcastChannel !== "undefined") {
      this.#channel = new BroadcastChannel(`quire:${deployment.name}`);
      this.#channel.addEventListener("message", (event: MessageEvent<Announcement>) => {
        if ("sequence" in event.data) {
          events.changed(event.data.sequence);
          this.#wake();
        } else {
          this.#wanted = true;
          this.#letGoWhenIdle(0);
        }
      });
    }
    this.#letGo = letGo;
    this.#letGoWhenIdle(KEEP_LOCK_MILLIS);
  }

  /**
   * Opens the deployment, in memory when it cannot be opened in IndexedDB; the state then says why. Its lock is taken before it is read
   * where no other tab has it, and kept for a first turn, which need not read again.
   */
  static async open(deployment: Deployment, loading: Promise<LoadedModule>, host: EngineHost, gentleStop: boolean, events: KeeperEvents, ahead: OpenedAhead = {}): Promise<Keeper> {
    let mode: DeploymentMode = "memory";
    let reason: string | null = null;
    let opened: WasmEngine | null = null;
    let letGo: (() => void) | null = null;
    const unlock = (): void => {
      letGo?.();
      letGo = null;
    };
    if (deployment.storage === "indexeddb") {
      try {
        if (typeof indexedDB === "undefined") throw new Error("this browser gives the page no IndexedDB");
        letGo = await (ahead.lock ?? seizeLock(deployment.name));
        void loading.then(() => setTimeout(() => opened === null && unlock(), OPENING_LOCK_MILLIS), unlock);
        opened = await patiently(loading, openStored(deployment.name, loading, host, ahead.awake));
        mode = "indexeddb";
      } catch (error) {
        unlock();
        reason = `Kept in this tab only: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    const { module, memory } = await loading;
    opened ??= module.QuireEngine.openMemory(host);
    return new Keeper(deployment, new Engine(opened, memory), mode, reason, gentleStop, events, letGo);
  }

  get engine(): Engine {
    return this.#engine;
  }

  state(): DeploymentState {
    const status = this.#engine.status();
    if (status.mode === "read-only") {
      this.#mode = "read-only";
      this.#reason = status.reason ?? "storage failed";
    }
    return {
      name: this.#deployment.name,
      mode: this.#mode,
      reason: this.#reason,
      saved: this.#mode === "indexeddb" && this.#saved && !this.#engine.hasUnsaved,
      sequence: Number(status.sequence ?? 0),
      memoryBytes: this.#engine.memoryBytes,
      pageBytes: Number(status.pageBytes ?? 0),
      clockOffsetMillis: Number(status.clockOffsetMillis ?? 0),
      gentleStop: this.#gentleStop,
    };
  }

  /** Tells the page the state if it is not what the page last heard. */
  tell(): void {
    const state = this.state();
    const text = JSON.stringify(state);
    if (text === this.#lastState) return;
    this.#lastState = text;
    this.#events.state(state);
  }

  /**
   * Runs `work` in a turn. The answer comes when the work is done and its writes are confirmed, or, where that
   * takes long and nothing asked to be journaled, before: `saved` tells which. The next turn waits for the confirmation in any case. A quiet turn only
   * looks whether there is something new, and wakes nobody.
   */
  exclusive<Result>(work: () => Result | Promise<Result>, quiet = false): Promise<{ result: Result; saved: boolean }> {
    return new Promise((resolve, reject) => {
      const turn = async (): Promise<void> => {
        const before = this.#sequence();
        let result: Result;
        try {
          result = await work();
        } catch (error) {
          await this.#flush(before);
          reject(error as Error);
          return;
        }
        const strict = this.#engine.wantsStrict;
        const flushed = this.#flush(before);
        await (strict ? flushed : Promise.race([flushed, new Promise((done) => setTimeout(done, ANSWER_PATIENCE_MILLIS))]));
        resolve({ result, saved: this.state().saved });
        if (!quiet) this.#wake();
        await flushed;
      };
      this.#turn = this.#turn.then(() => this.#locked(turn)).catch(reject);
    });
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
    clearTimeout(this.#idle);
    this.#working = true;
    let current = false;
    try {
      if (this.#letGo === null) await this.#takeLock();
      current = true;
      await turn();
    } finally {
      this.#working = false;
      // What could not be read is asked for again before the next command: the lock is not kept meanwhile.
      if (!current) this.#wanted = true;
      this.#letGoWhenIdle(this.#wanted ? 0 : KEEP_LOCK_MILLIS);
    }
  }

  /** Waits for the deployment's lock, then reads what other tabs stored meanwhile. */
  async #takeLock(): Promise<void> {
    if (this.#mode !== "indexeddb") return;
    if (typeof navigator !== "undefined" && navigator.locks !== undefined) {
      const wish: Announcement = { wantsLock: true };
      const ask = (): void => this.#channel?.postMessage(wish);
      ask();
      const asking = setInterval(ask, ASK_AGAIN_MILLIS);
      await new Promise<void>((granted, failed) => {
        navigator.locks
          .request(lockName(this.#deployment.name), () => {
            granted();
            return new Promise<void>((letGo) => {
              this.#letGo = letGo;
            });
          })
          .catch(failed);
      }).finally(() => clearInterval(asking));
      this.#wanted = false;
    }
    await this.#reload();
  }

  #letGoWhenIdle(millis: number): void {
    clearTimeout(this.#idle);
    if (this.#working || this.#letGo === null) return;
    const letGo = (): void => {
      this.#letGo?.();
      this.#letGo = null;
    };
    if (millis === 0) letGo();
    else this.#idle = setTimeout(letGo, millis);
  }

  async #reload(): Promise<void> {
    if (this.#mode === "indexeddb" && (await this.#engine.reload())) this.tell();
  }
  #sequence(): number {
    return Number(this.#engine.status().sequence ?? 0);
  }

  /** Writes out what the turn changed; a failure shows in the state, not in the script. */
  async #flush(before: number): Promise<void> {
    if (this.#mode !== "indexeddb") {
      this.tell();
      return;
    }
    if (!this.#engine.hasUnsaved && this.#sequence() === before) return;
    this.#saved = false;
    this.tell();
    this.#flushing = this.#engine.flush(false).then(
      () => {
        this.#saved = true;
        const announcement: Announcement = { sequence: this.#sequence() };
        this.#channel?.postMessage(announcement);
      },
      (error: unknown) => {
        this.#mode = "read-only";
        this.#reason = `Not saved: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
    await this.#flushing;
    this.tell();
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#flushing;
    this.#letGoWhenIdle(0);
    this.#channel?.close();
    this.#engine.close();
  }
}

/** Patience begins once the engine is there: a slow network is no fault of storage. */
async function patiently<Result>(loading: Promise<unknown>, opening: Promise<Result>): Promise<Result> {
  await Promise.race([loading, opening]);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("opening IndexedDB takes too long; is another tab upgrading it?")), OPEN_PATIENCE_MILLIS);
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
