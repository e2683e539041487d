/**
 * When missing room is looked for again: by itself, ever less often. A write that frees some looks at once, and is none
 * of this.
 */

/** Milliseconds until the first look, and at most between two. */
const FIRST_MILLIS = 1000;
const LAST_MILLIS = 30_000;
/** Each wait is at least this many times as long as the last try took. */
const TRY_FACTOR = 10;

export class RoomSearch {
  readonly #look: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #millis = FIRST_MILLIS;
  /** When the next look is due, by `performance.now()`; 0 while none is to come. */
  #dueAt = 0;

  /** `look` is called when it is time. */
  constructor(look: () => void) {
    this.#look = look;
  }

  /** Whether it is time to look. */
  get isDue(): boolean {
    return this.#dueAt !== 0 && performance.now() >= this.#dueAt;
  }

  /** There was no room; `again`: it had been looked for. A look that is to come already stays. */
  missed(tookMillis: number, again: boolean): void {
    if (!again && this.#timer !== undefined) return;
    // Less than the timer's, which may fire early.
    this.#dueAt = performance.now() + FIRST_MILLIS / 2;
    const millis = Math.max(this.#millis, TRY_FACTOR * tookMillis);
    this.#millis = Math.min(2 * this.#millis, LAST_MILLIS);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, millis);
  }

  /** There is room, or nobody wants any. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#millis = FIRST_MILLIS;
    this.#dueAt = 0;
  }
}
