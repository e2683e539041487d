/**
 * Turns between the tabs of one deployment: its Web Lock, and the channel on which tabs ask for it.
 *
 * A tab that wants the lock says so again and again; the holder lets go as soon as it may, or answers that it is at work. A holder that
 * does neither (frozen by the browser, stopped, or inside one long command) loses the lock: the fence keeps what others store safe from
 * it. Invariants: the lock is kept only as long as nobody else wants it, and for a moment of idleness; a tab that is at work and can
 * answer is waited for.
 */
import { hasLocks, requestLock, type HeldLock } from "./deployment-lock.ts";

/** How long the lock is kept after a turn for a next one, in milliseconds. */
const KEEP_MILLIS = 50;
/** How often a tab that waits for the lock says so again: the holder may not have listened yet. */
const ASK_AGAIN_MILLIS = 100;
/** How long a holder may leave the wish unanswered before the lock is taken away. */
const UNANSWERED_MILLIS = 1500;
/** After how long a silence of its own a tab reads again what is stored, although nobody told it that its lock is gone: less than others wait. */
const DOUBTFUL_MILLIS = 1000;

/** What tabs tell one another: a commit, the wish for the lock, or that its holder lives and is at work. */
export type Announcement = { readonly sequence: number } | { readonly wantsLock: true } | { readonly atWork: true };

export class TabLock {
  readonly #name: string;
  readonly #channel: BroadcastChannel | null;
  #held: HeldLock | null = null;
  #working = false;
  #wanted = false;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** When the holder was last heard. */
  #heard = 0;
  /** When this tab last could have answered another one. */
  #awake = performance.now();
  /** The lock may have been taken away, and this tab not told yet. */
  #doubted = false;

  /** `changed` hears of other tabs' commits. */
  constructor(name: string, held: HeldLock | null, changed: (sequence: number) => void) {
    this.#name = name;
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`quire:${name}`);
    this.#channel?.addEventListener("message", ({ data }: MessageEvent<Announcement>) => {
      if ("sequence" in data) changed(data.sequence);
      else if ("atWork" in data) this.#heard = performance.now();
      else this.#answer();
    });
    if (held !== null) this.#hold(held);
    this.rest();
  }

  /** Whether nobody else can have stored anything since the last turn. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** Another tab wants the lock: it gets it, or hears that this one is at work. */
  #answer(): void {
    this.#wakeUp();
    if (this.#held === null) return;
    this.#wanted = true;
    if (this.#working) this.#say({ atWork: true });
    else this.#release();
  }

  /** Tells the other tabs of a commit. */
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

  /** Notes that this tab is at work again. Who stood still, or was inside one command, so long as others wait for an answer may have lost the lock. */
  #wakeUp(): void {
    const now = performance.now();
    if (now - this.#awake >= DOUBTFUL_MILLIS) this.#doubted = true;
    this.#awake = now;
  }

  /** Begins a turn; resolves to whether others may have written since the last one. */
  async begin(): Promise<boolean> {
    clearTimeout(this.#idle);
    this.#working = true;
    this.#wakeUp();
    const doubted = this.#doubted;
    this.#doubted = false;
    if (this.#held !== null) return doubted;
    this.#wanted = false;
    if (hasLocks()) this.#hold(await this.#take());
    return true;
  }

  /** Waits for the lock, and takes it away from a holder that does not answer. */
  async #take(): Promise<HeldLock> {
    const waiting = new AbortController();
    const ask = (): void => this.#say({ wantsLock: true });
    this.#heard = performance.now();
    let stealing: Promise<HeldLock> | null = null;
    let steal: (lock: Promise<HeldLock>) => void;
    const stolen = new Promise<HeldLock>((resolve) => (steal = resolve));
    const granted = requestLock(this.#name, { signal: waiting.signal }) as Promise<HeldLock>;
    ask();
    const asking = setInterval(() => {
      if (performance.now() - this.#heard < UNANSWERED_MILLIS) return ask();
      clearInterval(asking);
      stealing = requestLock(this.#name, { steal: true }) as Promise<HeldLock>;
      steal(stealing);
    }, ASK_AGAIN_MILLIS);
    try {
      let lock = await Promise.race([granted, stolen]);
      // What was stolen was stolen from whoever held it, this tab's own wish included.
      if (stealing !== null) lock = await (stealing as Promise<HeldLock>);
      this.#say({ atWork: true });
      // The wish that was overtaken; where it was granted all the same, it is let go.
      waiting.abort();
      granted.then((other) => other !== lock && other.release(), () => undefined);
      return lock;
    } finally {
      clearInterval(asking);
    }
  }

  /** Ends a turn; `letGo` lets others in although nobody asked. */
  end(letGo: boolean): void {
    this.#working = false;
    this.#wakeUp();
    if (letGo || this.#wanted) this.#release();
    else this.rest();
  }

  /** Keeps the lock for a moment. */
  rest(): void {
    clearTimeout(this.#idle);
    if (this.#held !== null) this.#idle = setTimeout(() => this.#release(), KEEP_MILLIS);
  }

  #release(): void {
    clearTimeout(this.#idle);
    this.#held?.release();
    this.#held = null;
  }

  close(): void {
    this.#release();
    this.#channel?.close();
  }
}
