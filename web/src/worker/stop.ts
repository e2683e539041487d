/**
 * How a running script learns that it should stop, although its worker is busy and takes no message.
 *
 * The page makes a blob URL for each run and revokes it to say stop; the script's worker asks for the blob
 * synchronously now and then: once it is gone, so is the script. This needs no SharedArrayBuffer and so no
 * special headers of the site. Where a policy forbids it, the page ends the worker instead.
 */
import { isThere } from "./is-there.ts";

/** Nothing is asked before a script has run so long, in milliseconds: most have ended by then. */
const FIRST_LOOK_MILLIS = 150;
/** Shortest time between two looks, in milliseconds. */
const LOOK_EVERY_MILLIS = 75;

/** How long a script may take to end by itself once it should; then it is ended where it is. */
const GRACE_MILLIS = 60;

export type StopReason = "stopped" | "time limit";

/** Watches one script: asked often and cheaply, looks seldom. */
export class StopWatch {
  readonly #url: string | null;
  readonly #whole: StopWatch | null;
  readonly #deadline: number;
  #nextLook: number;
  #reason: StopReason | null = null;
  #patience = Infinity;
  #insisted = false;

  /** `whole` watches the script that this is a part of: the part ends with it. `started` is by `performance.now()`. */
  constructor(
    url: string | null,
    timeLimitMillis: number | undefined,
    started = performance.now(),
    whole: StopWatch | null = null,
  ) {
    this.#url = url;
    this.#whole = whole;
    this.#deadline = timeLimitMillis === undefined ? Infinity : started + timeLimitMillis;
    this.#nextLook = started + FIRST_LOOK_MILLIS;
  }

  /** Why the script ended, if this ended it. */
  get reason(): StopReason | null {
    return this.#reason;
  }

  /** Whether `insist` has thrown: the interrupted call left its memory in an unknown state. */
  get insisted(): boolean {
    return this.#insisted;
  }

  /**
   * Throws once a script that should end has not ended for `GRACE_MILLIS`: for code that nothing else can end. The
   * instance that it runs in is lost then.
   */
  insist(): void {
    if (!this.shouldStop() || performance.now() < this.#patience) return;
    this.#insisted = true;
    throw new Error(`the script did not end: ${String(this.#reason)}`);
  }

  /** Whether the script should end before it has begun; looks for the signal at once. */
  look(): boolean {
    this.#nextLook = 0;
    return this.shouldStop();
  }

  /** Whether the script should end now. */
  shouldStop(): boolean {
    if (this.#reason !== null) return true;
    const now = performance.now();
    if (this.#whole?.shouldStop() === true) {
      this.#reason = this.#whole.reason;
    } else if (now >= this.#deadline) {
      this.#reason = "time limit";
    } else if (this.#url !== null && now >= this.#nextLook) {
      if (!isThere(this.#url)) this.#reason = "stopped";
      this.#nextLook = performance.now() + LOOK_EVERY_MILLIS;
    }
    if (this.#reason === null) return false;
    this.#patience = performance.now() + GRACE_MILLIS;
    return true;
  }
}
