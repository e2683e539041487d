/**
 * Turns between the tabs of one deployment: its Web Lock, and the channel on which tabs ask for it.
 *
 * A tab that wants the lock says so again and again; the holder lets go as soon as it may, or answers that it is at
 * work. A holder that does neither (frozen by the browser, stopped, or inside one long command) loses the lock: the
 * fence refuses its next write, so that the batches of other tabs are safe. Invariants: the lock is kept only as long
 * as nobody else wants it, and for a moment of idleness; a tab that is at work and can answer is waited for.
 */
import { hasLocks, requestLock, type HeldLock } from "./deployment-lock.ts";
import type { TurnLock } from "./turn-lock.ts";

/** How long the lock is kept after a turn for a next one, in milliseconds. */
const KEEP_MILLIS = 50;
/** How often a tab that waits for the lock says so again: the holder may not have listened yet. */
const ASK_AGAIN_MILLIS = 100;
/** How long a holder may leave the wish unanswered before the lock is taken away. */
const UNANSWERED_MILLIS = 1500;
/**
 * After how long a silence of its own a tab reads the stored pages again, although nobody told it that its lock is
 * gone: less than others wait.
 */
const DOUBTFUL_MILLIS = 1000;

/** The messages between tabs: a commit, the wish for the lock, or that its holder lives and is at work. */
export type Announcement = { readonly sequence: number } | { readonly wantsLock: true } | { readonly atWork: true };

/** The listeners of a tab's lock to other tabs. */
export interface LockEvents {
  /** Another tab committed. */
  changed(sequence: number): void;
  /** Another tab wants the lock, which this one holds and is at work with. */
  wanted(): void;
}

export class TabLock implements TurnLock {
  readonly #name: string;
  readonly #events: LockEvents;
  readonly #channel: BroadcastChannel | null;
  #held: HeldLock | null = null;
  #working = false;
  #wanted = false;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** When the holder was last heard, by `performance.now()`. */
  #lastAnswerMillis = 0;
  /** When this tab last could have answered another one. */
  #awake = performance.now();
  /** The lock may have been taken away, and this tab not told yet. */
  #doubted = false;

  constructor(name: string, held: HeldLock | null, events: LockEvents) {
    this.#name = name;
    this.#events = events;
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`quire:${name}`);
    this.#channel?.addEventListener("message", ({ data }: MessageEvent<Announcement>) => {
      if ("sequence" in data) events.changed(data.sequence);
      else if ("atWork" in data) this.#lastAnswerMillis = performance.now();
      else this.#answer();
    });
    if (held !== null) this.#hold(held);
    this.#rest();
  }

  get isOurs(): boolean {
    return this.#held !== null || !hasLocks();
  }

  get isWanted(): boolean {
    return this.#wanted && this.#held !== null;
  }

  /** Another tab wants the lock: it gets it, or hears that this one is at work. */
  #answer(): void {
    this.#wakeUp();
    if (this.#held === null) return;
    this.#wanted = true;
    if (!this.#working) return this.#release();
    this.#say({ atWork: true });
    this.#events.wanted();
  }

  committed(sequence: number): void {
    this.#say({ sequence });
  }

  #say(announcement: Announcement): void {
    this.#channel?.postMessage(announcement);
  }

  #hold(lock: HeldLock): void {
    this.#held = lock;
    void lock.robbed.then(() => {
      if (this.#held === lock) this.#held = null;
    });
  }

  /**
   * Notes that this tab is at work again. A tab that stood still, or was inside one command, for `DOUBTFUL_MILLIS` may
   * have lost the lock.
   */
  #wakeUp(): void {
    const now = performance.now();
    if (now - this.#awake >= DOUBTFUL_MILLIS) this.#doubted = true;
    this.#awake = now;
  }

  begin(): boolean | Promise<boolean> {
    this.#working = true;
    this.#wakeUp();
    const doubted = this.#doubted;
    this.#doubted = false;
    return this.#held === null ? this.#begin() : doubted;
  }

  async #begin(): Promise<boolean> {
    this.#wanted = false;
    if (hasLocks()) this.#hold(await this.#take());
    this.#awake = performance.now();
    return true;
  }

  /** Waits for the lock, and takes it away from a holder that does not answer. */
  async #take(): Promise<HeldLock> {
    const waiting = new AbortController();
    const ask = (): void => this.#say({ wantsLock: true });
    this.#lastAnswerMillis = performance.now();
    let stealing: Promise<HeldLock> | null = null;
    let steal: (lock: Promise<HeldLock>) => void;
    const stolen = new Promise<HeldLock>((resolve) => (steal = resolve));
    const granted = requestLock(this.#name, { signal: waiting.signal }) as Promise<HeldLock>;
    ask();
    const asking = setInterval(() => {
      if (performance.now() - this.#lastAnswerMillis < UNANSWERED_MILLIS) return ask();
      clearInterval(asking);
      stealing = requestLock(this.#name, { steal: true }) as Promise<HeldLock>;
      steal(stealing);
    }, ASK_AGAIN_MILLIS);
    try {
      let lock = await Promise.race([granted, stolen]);
      // A stolen lock is stolen from its holder, and from this tab's own request too.
      if (stealing !== null) lock = await (stealing as Promise<HeldLock>);
      this.#say({ atWork: true });
      // The wish that was overtaken; where it was granted all the same, it is let go.
      waiting.abort();
      granted.then(
        (other) => other !== lock && other.release(),
        () => undefined,
      );
      return lock;
    } finally {
      clearInterval(asking);
    }
  }

  /** False when this tab was still for so long that it cannot be sure of the lock. */
  goesOn(): boolean {
    this.#wakeUp();
    return !this.#doubted;
  }

  end(letGo: boolean): void {
    this.#working = false;
    this.#wakeUp();
    if (letGo || this.#wanted) this.#release();
    else this.#rest();
  }

  /** Keeps the lock for a moment. One timer serves many turns. */
  #rest(): void {
    if (this.#held === null || this.#idle !== undefined) return;
    const rested = (): void => {
      this.#idle = undefined;
      const left = this.#awake + KEEP_MILLIS - performance.now();
      if (this.#working || this.#held === null) return;
      if (left > 0) this.#idle = setTimeout(rested, left);
      else this.#release();
    };
    this.#idle = setTimeout(rested, KEEP_MILLIS);
  }

  #release(): void {
    this.#held?.release();
    this.#held = null;
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#release();
    this.#channel?.close();
  }
}
