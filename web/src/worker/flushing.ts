/**
 * When what commands changed is stored, and what became of it. Nothing else has the engine flush.
 *
 * What was applied since the last write began is a group. The group is either empty, or due: later (for what asked only
 * to be applied), or now (somebody waits for it, or it is large). Its write then takes all of it, while the next group
 * gathers: at most one write is under way. Invariants: who waits is told once, by the write of its own group; a group
 * that could not be written goes into the next one; nothing is written while it is held (a script is at work).
 */
import { Trouble } from "../engine/bindings.ts";
import type { Engine } from "../engine/engine.ts";

/**
 * Writes that nobody waits for take no more than this part of the time: so many times as long as the last write took
 * nothing is written...
 */
const PAUSE_FACTOR = 4;
/** ...but no longer than this, in milliseconds; a server's journal has the same interval. */
const LONGEST_PAUSE_MILLIS = 100;
/** So much is written without a pause, in bytes. */
const EAGER_BYTES = 16 << 20;
/**
 * With so much to be written commands wait, in bytes: memory holds these pages twice, and another tab waits until they
 * are stored.
 */
const MOST_UNSAVED_BYTES = 128 << 20;
/** When missing room is looked for again, in milliseconds: first, and at most. */
const FIRST_RETRY_MILLIS = 1000;
const LAST_RETRY_MILLIS = 30_000;

/**
 * What became of changes. `displaced`: another tab took over before they were stored, and they are gone; `broken`: they
 * went with an engine that ended in a trap.
 */
export type StoredEnd = "saved" | "unsaved" | "displaced" | "broken";

/** Somebody who is to be told what became of the group. */
export interface Waiter {
  over(end: StoredEnd): void;
  /** It was answered before the end: what is lost then was acknowledged. */
  isAnswered?: boolean;
}

/** What is stored, or lost, together. */
export interface Group {
  readonly waiting: readonly Waiter[];
  /** Some of it was acknowledged already. */
  readonly acknowledged: boolean;
}

export interface FlushEvents {
  /** What the page is told of may have changed. */
  told(): void;
  /** A batch is stored. */
  stored(): void;
  /** The engine ended, or another tab took over: nothing is written before `take`. */
  stuck(): void;
  /** Nothing is to be written for now. */
  quiet(): void;
  /** Room is to be looked for again. */
  retry(): void;
}

export class Flushing {
  readonly #engine: () => Engine;
  readonly #events: FlushEvents;
  #waiting: Waiter[] = [];
  #acknowledged = false;
  #due: "no" | "later" | "now" = "no";
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The write under way. */
  #writing: Promise<void> | null = null;
  #held = false;
  /** Somebody waits until nothing is left. */
  #hurried = false;
  #ended = 0;
  #took = 0;
  #failed = false;
  /** Who waits for the end of a write, whatever becomes of it. */
  #relieved: (() => void)[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMillis = FIRST_RETRY_MILLIS;
  #retryDue = 0;

  constructor(engine: () => Engine, events: FlushEvents) {
    this.#engine = engine;
    this.#events = events;
  }

  /** Whether the last write succeeded, and nothing has been applied since. */
  get isSaved(): boolean {
    return !this.#failed && this.#writing === null && !this.#engine().hasUnsaved;
  }

  /** Nothing is to be written, or nothing can be. */
  get isQuiet(): boolean {
    return this.#writing === null && this.#due === "no";
  }

  /** Something was applied that is to be stored; `acknowledged`: and who asked for it has been answered. */
  note(acknowledged: boolean): void {
    this.#acknowledged ||= acknowledged;
    this.#want("later");
  }

  /** Tells somebody what becomes of all that was applied so far. */
  join(waiter: Waiter): void {
    this.#waiting.push(waiter);
    this.#want("now");
  }

  /** Resolves when there is less to be written, where there is too much; undefined where there is not. */
  relief(): Promise<void> | undefined {
    return this.#engine().unsavedBytes > MOST_UNSAVED_BYTES ? this.#nextEnd() : undefined;
  }

  /** Resolves when nothing is to be written any more, or nothing can be; undefined where it is so. */
  settled(): Promise<void> | undefined {
    if (this.isQuiet) return undefined;
    this.hurry();
    return this.#settle();
  }

  async #settle(): Promise<void> {
    while (!this.isQuiet && !this.#held) {
      this.hurry();
      await this.#nextEnd();
    }
  }

  #nextEnd(): Promise<void> | undefined {
    if (this.isQuiet || this.#held) return undefined;
    this.#want("now");
    return new Promise((resolve) => this.#relieved.push(resolve));
  }

  /** Writes what is due without a pause. */
  hurry(): void {
    if (this.isQuiet) return;
    this.#hurried = true;
    if (this.#due !== "no") this.#want("now");
  }

  /** Begins no write before `release`. To be called while it is quiet. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#arm();
  }

  #want(when: "later" | "now"): void {
    if (this.#due === "now") return;
    const soon = when === "now" || this.#hurried || this.#engine().unsavedBytes >= EAGER_BYTES;
    if (!soon && this.#due === "later") return;
    const isFirst = this.#due === "no" && this.#writing === null;
    this.#due = soon ? "now" : "later";
    this.#arm();
    if (isFirst) this.#events.told();
  }

  /** Has a write begin when it is due. */
  #arm(): void {
    if (this.#writing !== null || this.#held || this.#due === "no") return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#due === "now") return queueMicrotask(() => void this.#begin(false));
    const pause = Math.min(this.#took * PAUSE_FACTOR, LONGEST_PAUSE_MILLIS);
    this.#timer = setTimeout(() => void this.#begin(false), Math.max(0, this.#ended + pause - performance.now()));
  }

  /** Whether it is time to look for room again. */
  get wantsRetry(): boolean {
    return this.#retryDue !== 0 && performance.now() >= this.#retryDue && this.#engine().trouble === Trouble.Full;
  }

  /** Looks for room. */
  async retry(): Promise<void> {
    await this.settled();
    await this.#begin(true);
  }

  #begin(again: boolean): Promise<void> | null {
    // More than one may have been asked for by the time that the first of them begins.
    if (this.#writing === null && !this.#held && (this.#due !== "no" || again))
      this.#writing = this.#write(this.#takeGroup(), again);
    return this.#writing;
  }

  async #write(group: Group, again: boolean): Promise<void> {
    const engine = this.#engine();
    const began = performance.now();
    let stored = true;
    try {
      await engine.flush(false, again);
    } catch {
      stored = false;
    }
    this.#writing = null;
    this.#ended = performance.now();
    this.#took = this.#ended - began;
    this.#failed = !stored;
    if (stored) this.#succeed(group);
    else this.#fail(group, again);
    for (const relieved of this.#relieved.splice(0)) relieved();
    if (!this.isQuiet) return this.#arm();
    this.#hurried = false;
    this.#events.quiet();
  }

  #takeGroup(): Group {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = "no";
    const group = { waiting: this.#waiting, acknowledged: this.#acknowledged };
    this.#waiting = [];
    this.#acknowledged = false;
    return group;
  }

  #succeed({ waiting }: Group): void {
    this.#retryMillis = FIRST_RETRY_MILLIS;
    this.#retryDue = 0;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#events.stored();
    // What became free by it is released in one more batch.
    if (this.#due === "no" && this.#engine().hasUnsaved) this.#due = this.#hurried ? "now" : "later";
    this.#events.told();
    for (const waiter of waiting) waiter.over("saved");
  }

  #fail(group: Group, again: boolean): void {
    const engine = this.#engine();
    if (engine.broken !== null || engine.trouble === Trouble.Displaced) {
      this.#waiting.unshift(...group.waiting);
      this.#acknowledged ||= group.acknowledged;
      this.#due = "no";
      this.#events.told();
      this.#events.stuck();
      return;
    }
    // It goes into the next group, after some were told that it is not stored.
    this.#acknowledged ||= group.acknowledged || group.waiting.length > 0;
    if (engine.trouble === Trouble.Full && (again || this.#retry === undefined)) this.#retryLater();
    this.#events.told();
    for (const waiter of group.waiting) waiter.over("unsaved");
  }

  /**
   * All that is not stored, and is lost: nobody who waits was told yet. A write under way comes to its end first, which
   * may be a good one.
   */
  async take(): Promise<Group> {
    await this.#writing;
    const { waiting, acknowledged } = this.#takeGroup();
    this.#failed = false;
    return { waiting, acknowledged: acknowledged || waiting.some(({ isAnswered }) => isAnswered === true) };
  }

  /** Looks for room by itself, ever less often; a write that frees some looks at once. */
  #retryLater(): void {
    const millis = Math.max(this.#retryMillis, 10 * this.#took);
    // Less than the timer's, which may fire early.
    this.#retryDue = performance.now() + FIRST_RETRY_MILLIS / 2;
    this.#retryMillis = Math.min(2 * this.#retryMillis, LAST_RETRY_MILLIS);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#events.retry();
    }, millis);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
  }
}
