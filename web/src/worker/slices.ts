/**
 * Slices of a long script's writes: stored by another worker while the script keeps this one busy.
 *
 * A script is synchronous, and IndexedDB answers only an idle worker. So the engine lends the changes made so far as
 * bytes, the page hands them to a second worker, which stores them behind the same fence, and the page revokes the
 * slice's blob URL once they are stored: a busy worker can see that (as it sees Stop). The worker makes these URLs
 * itself, with the slice, since most scripts end before the first and the page would make them all before each run.
 * When a slice is lent is decided by `flushing.ts`. Invariants: slices are stored in the order they were lent; writes
 * that are not known to be stored are written again by the engine's own flush, after `finish`; no URL outlives
 * `finish`.
 */
import type { Engine } from "../engine/engine.ts";
import type { SliceSignals } from "../protocol/messages.ts";
import type { SlicePlan } from "./flushing.ts";
import { isThere } from "./is-there.ts";
import type { StopWatch } from "./stop.ts";

/** How often a busy worker looks whether a slice was stored, in milliseconds. */
const LOOK_EVERY_MILLIS = 60;
/** How long a command waits for its journal. */
const JOURNAL_PATIENCE_MILLIS = 60_000;
/** How long the end of a script waits for a slice without hearing of any. */
const END_PATIENCE_MILLIS = 10_000;

export type SliceEngine = Pick<Engine, "lendBatch" | "lentStored" | "endLending" | "hasUnsaved">;

interface Lent {
  readonly number: number;
  readonly sequence: number;
  readonly signal: string;
}

export interface SliceOptions {
  readonly plan: SlicePlan;
  /** Whether slices are lent at all: they need a place to store them, and blobs that can be looked for. */
  readonly lends: boolean;
  /**
   * The end of a command with `j: true` where no slices are lent: `done` in a deployment that is in memory as asked,
   * `impossible` where its data was to be stored.
   */
  readonly journal?: "done" | "impossible";
  /** `signals` are there as long as nothing is known of the slice. */
  readonly post: (number: number, slice: Uint8Array<ArrayBuffer>, signals: SliceSignals) => void;
  /** Makes a blob URL, and takes it back. */
  readonly makeSignal?: () => string;
  readonly dropSignal?: (signal: string) => void;
  readonly now?: () => number;
  readonly isThere?: (url: string) => boolean;
  readonly pause?: (millis: number) => void;
}

function spin(millis: number): void {
  const end = performance.now() + millis;
  while (performance.now() < end);
}

export class Slices {
  readonly #engine: SliceEngine;
  #lends: boolean;
  readonly #journal: SliceOptions["journal"];
  /** The URL whose revoking says that a slice failed: one for all slices. */
  #failure: string | null = null;
  readonly #makeSignal: () => string;
  readonly #dropSignal: (signal: string) => void;
  readonly #post: SliceOptions["post"];
  readonly #now: () => number;
  readonly #isThere: (url: string) => boolean;
  readonly #pause: (millis: number) => void;
  readonly #plan: SlicePlan;
  #look = 0;
  #last = 0;
  #lent: Lent[] = [];
  #any = false;
  #failed = false;
  #heard: (() => void) | null = null;

  constructor(engine: SliceEngine, options: SliceOptions) {
    this.#engine = engine;
    this.#lends = options.lends;
    this.#journal = options.journal;
    this.#makeSignal = options.makeSignal ?? (() => URL.createObjectURL(new Blob(["slice"])));
    this.#dropSignal = options.dropSignal ?? ((signal) => URL.revokeObjectURL(signal));
    this.#post = options.post;
    this.#now = options.now ?? (() => performance.now());
    this.#isThere = options.isThere ?? isThere;
    this.#pause = options.pause ?? spin;
    this.#plan = options.plan;
  }

  /** To be called after each command of the script: lends when it is time, and notes which slices were stored. */
  afterCommand(): void {
    const now = this.#now();
    if (this.#lent.length > 0 && now >= this.#look) this.#lookAround();
    this.#lend(now, false);
  }

  /** Stores everything so far and waits for it, as `j: true` asks; false when it cannot be known to be stored. */
  journal(watch: StopWatch | null): boolean {
    if (this.#journal !== undefined) return this.#journal === "done";
    this.#lend(this.#now(), true);
    // The stored slices hold all changes; a change that could not be lent is not stored.
    if (this.#engine.hasUnsaved && this.#lent.length === 0) return false;
    const end = this.#now() + JOURNAL_PATIENCE_MILLIS;
    while (this.#lent.length > 0 && !this.#failed && this.#now() < end && watch?.shouldStop() !== true) {
      this.#pause(1);
      this.#lookAround();
    }
    return this.#lent.length === 0 && !this.#engine.hasUnsaved;
  }

  /** Lends the changes made so far, if that is due. */
  #lend(now: number, awaited: boolean): void {
    if (!this.#plan.isSliceDue(now, awaited)) return;
    this.#lendNow();
    this.#plan.sliced(this.#now());
  }

  #lendNow(): void {
    if (!this.#lends || this.#failed || !this.#engine.hasUnsaved) return;
    const signals = this.#signals();
    if (signals === null) return;
    const slice = this.#engine.lendBatch();
    if (slice === undefined) {
      this.#dropSignal(signals.stored);
      return;
    }
    const sequence = Number(new DataView(slice.buffer, slice.byteOffset).getBigUint64(0, true));
    this.#any = true;
    this.#last += 1;
    this.#lent.push({ number: this.#last, sequence, signal: signals.stored });
    this.#post(this.#last, slice, signals);
  }

  /** The blob URLs of the next slice; null where no blobs can be made, and then no slice is lent any more. */
  #signals(): SliceSignals | null {
    try {
      this.#failure ??= this.#makeSignal();
      return { stored: this.#makeSignal(), failed: this.#failure };
    } catch {
      this.#lends = false;
      return null;
    }
  }

  #lookAround(): void {
    this.#look = this.#now() + LOOK_EVERY_MILLIS;
    for (let first = this.#lent[0]; first !== undefined && !this.#isThere(first.signal); first = this.#lent[0]) {
      this.#stored(first);
    }
    if (this.#lent.length > 0 && this.#failure !== null && !this.#isThere(this.#failure)) this.#failed = true;
  }

  #stored(slice: Lent): void {
    for (const { number, signal } of this.#lent) if (number <= slice.number) this.#dropSignal(signal);
    this.#lent = this.#lent.filter((other) => other.number > slice.number);
    this.#engine.lentStored(slice.sequence);
  }

  /** The page's message about a slice, heard once the script has ended. */
  settled(number: number, stored: boolean): void {
    const slice = this.#lent.find((other) => other.number === number);
    if (!stored) this.#failed = true;
    else if (slice !== undefined) this.#stored(slice);
    this.#heard?.();
  }

  /** Waits until every slice is stored or one has failed; then the engine may write by itself again. */
  async finish(): Promise<void> {
    try {
      await this.#settle();
    } finally {
      for (const { signal } of this.#lent) this.#dropSignal(signal);
      if (this.#failure !== null) this.#dropSignal(this.#failure);
    }
  }

  async #settle(): Promise<void> {
    if (!this.#any) return;
    while (this.#lent.length > 0 && !this.#failed) {
      const heard = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), END_PATIENCE_MILLIS);
        this.#heard = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!heard) break;
    }
    this.#heard = null;
    this.#engine.endLending(this.#lent.length === 0);
  }
}
