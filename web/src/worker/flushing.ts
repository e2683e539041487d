/**
 * When the changes of commands are stored, and whether that succeeds: one state machine, and the only one that has the
 * engine flush. The changes applied since the last write began are the group. A write takes the whole group, and the
 * next group gathers meanwhile.
 *
 *               something is applied          the pause is over, somebody
 *     saved ──────────────────────────▶ pausing ──────────────────────────▶ due ──▶ writing
 *      ▲ ▲                                ▲  ▲       waits, or it is large            │ │ │
 *      │ │                                │  └──────── stored, and more was applied ──┘ │ │
 *      │ └────────────────────────────────┼──────────── stored, and nothing was ────────┘ │
 *      │                                  │                                               │
 *      │       something is applied, or room is looked for                                │
 *      │                               unsaved ◀─────────────────────────── not stored ───┤
 *      └── take ── stuck ◀──────────────────── another tab took over, or the engine ended ┘
 *
 *                          some time is over, or a command waits for its journal
 *     saved or unsaved ── hold ──▶ held ─────────▶ lent ──┐ the same again, ever more seldom
 *                                    │             │ ▲    │
 *                                    │             │ └────┘
 *                                    └── release ──┴──▶ saved or unsaved, or pausing where something was applied
 *
 * In the state `held` a script is at work and keeps this worker from writing. The script's writes since the last slice
 * are the next one, which `slices.ts` lends to another worker to be stored, when it is told so here. Invariants: at
 * most one write is under way; each waiter is told once, by the write of its own group; a group that could not be
 * written goes into the next one; nothing is written in the states `held`, `lent` and `stuck`.
 */
import type { Engine } from "../engine/engine.ts";
import { Trouble } from "../engine/bindings.ts";
import { RoomSearch } from "./room-search.ts";

/**
 * Writes that nobody waits for take no more than this part of the time: so many times as long as the last write took
 * nothing is written...
 */
const PAUSE_FACTOR = 4;
/** ...but no longer than this, in milliseconds; a server's journal has the same interval. */
const LONGEST_PAUSE_MILLIS = 100;
/** Changes of at least so many bytes are written without a pause. */
const EAGER_BYTES = 16 << 20;
/**
 * With so much to be written commands wait, in bytes: memory holds these pages twice, and another tab waits until they
 * are stored.
 */
const MOST_UNSAVED_BYTES = 128 << 20;

/** When the first slice of a script is lent, in milliseconds of the script's time: most scripts have ended by then. */
const FIRST_SLICE_MILLIS = 250;
/** A slice comes at the latest when so much of the script's time so far has gone by again. */
const SLICE_GROWTH = 0.2;

/**
 * The end of a group of changes. `displaced`: another tab took over before they were stored, and they are gone;
 * `broken`: they went with an engine that ended in a trap.
 */
export type StoredEnd = "saved" | "unsaved" | "displaced" | "broken";

/** A command or a request that waits for the end of its group of changes. */
export interface Waiter {
  over(end: StoredEnd): void;
  /** The waiter was answered before the end: a write that is lost after that was acknowledged. */
  isAnswered?: boolean;
}

export interface FlushEvents {
  /** The state that the page shows (saved, unsaved, full, …) may have changed. */
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

/** Changes that are stored, or lost, together. */
export interface Lost {
  readonly waiting: readonly Waiter[];
  /** Some of the changes were acknowledged already: losing them is told to the reader. */
  readonly acknowledged: boolean;
}

/** The changes applied since the last write began. */
interface Group {
  waiting: Waiter[];
  /** Some of the changes were acknowledged already. */
  acknowledged: boolean;
  /** When it is to be written; `never`: there is nothing to be written, or it cannot be. */
  due: "never" | "later" | "now";
}

type Rest = "saved" | "unsaved";
/** `before`: how the last write ended. `since`: when the script began; `next`: when a slice of it is due. */
type State =
  | { readonly name: Rest | "stuck" }
  | { readonly name: "pausing"; readonly before: Rest; readonly timer: ReturnType<typeof setTimeout> }
  | { readonly name: "due"; readonly before: Rest }
  | { readonly name: "held" | "lent"; readonly before: Rest; readonly since: number; readonly next: number }
  | { readonly name: "writing"; readonly over: Promise<void> };

/** When slices of a script's writes are lent (`slices.ts`). Times are those of `performance.now`, in milliseconds. */
export interface SlicePlan {
  /**
   * Whether the script's writes since the last slice are to be lent now; `awaited`: one of its commands waits for its
   * journal.
   */
  isSliceDue(now: number, awaited: boolean): boolean;
  /** Notes that a slice was lent, or that there were no writes to lend. */
  sliced(now: number): void;
}

const emptyGroup = (): Group => ({ waiting: [], acknowledged: false, due: "never" });

export class Flushing implements SlicePlan {
  readonly #engine: () => Engine;
  readonly #events: FlushEvents;
  #state: State = { name: "saved" };
  #group = emptyGroup();
  /** Somebody waits until nothing is left: no group pauses before that. */
  #hurried = false;
  /** When the last write ended, and how long it took. */
  #ended = 0;
  #took = 0;
  /** Resolves the promises of `#nextEnd`: each waits for the end of a write, stored or not. */
  #relieved: (() => void)[] = [];
  readonly #room: RoomSearch;

  constructor(engine: () => Engine, events: FlushEvents) {
    this.#engine = engine;
    this.#events = events;
    this.#room = new RoomSearch(() => events.retry());
  }

  /** Whether the last write succeeded, and nothing has been applied since. */
  get isSaved(): boolean {
    return this.#state.name !== "writing" && this.#before === "saved" && !this.#engine().hasUnsaved;
  }

  /** Nothing is to be written, or nothing can be. */
  get isQuiet(): boolean {
    return this.#state.name !== "writing" && this.#group.due === "never";
  }

  /**
   * A command was run, and its changes are to be stored. `tell` is called at once with null. Where the command asked to
   * be journaled or its changes may be lost, it is called once their end is known, with that end.
   */
  applied(tell: (end: StoredEnd | null) => void): void {
    const engine = this.#engine();
    if (engine.broken !== null || engine.trouble === Trouble.Displaced || engine.askedJournal) {
      return this.#join({ over: tell });
    }
    tell(null);
    if (engine.hasChanged) this.#note(true);
    // The engine's own deletion, before the command, of documents whose time to live is over.
    else if (this.isQuiet && engine.hasUnsaved && engine.trouble === Trouble.None) this.#note(false);
  }

  /** A job that held the writes failed in the middle: its changes are to be stored all the same. */
  abandoned(): void {
    if (this.#engine().hasUnsaved) this.#note(true);
  }

  /**
   * The end of all changes applied so far. Where it is not known after `patienceMillis`, and no command asked to be
   * journaled, they count as acknowledged and the end is `unsaved`.
   */
  async outcome(patienceMillis: number): Promise<StoredEnd> {
    const engine = this.#engine();
    const strict = engine.wantsStrict || engine.askedJournal;
    if (engine.broken === null && !engine.hasUnsaved && !strict && engine.trouble === Trouble.None) return "saved";
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const waiter: Waiter = {
        over: (end) => {
          clearTimeout(timer);
          resolve(end);
        },
      };
      this.#join(waiter);
      if (strict) return;
      timer = setTimeout(() => {
        waiter.isAnswered = true;
        resolve("unsaved");
      }, patienceMillis);
    });
  }

  /** Changes were applied that are to be stored; `acknowledged`: their command has been answered already. */
  #note(acknowledged: boolean): void {
    this.#group.acknowledged ||= acknowledged;
    this.#want("later");
  }

  /** Tells the waiter the end of all changes applied so far, which are written now. */
  #join(waiter: Waiter): void {
    this.#group.waiting.push(waiter);
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
    while (!this.isQuiet && !this.#isHeld) {
      this.hurry();
      await this.#nextEnd();
    }
  }

  #nextEnd(): Promise<void> | undefined {
    if (this.isQuiet || this.#isHeld) return undefined;
    this.#want("now");
    return new Promise((resolve) => this.#relieved.push(resolve));
  }

  /** Writes the group that is due, without a pause. */
  hurry(): void {
    if (this.isQuiet) return;
    this.#hurried = true;
    if (this.#group.due !== "never") this.#want("now");
  }

  /** Begins no write before `release`. To be called while it is quiet. */
  hold(): void {
    const since = performance.now();
    this.#become({ name: "held", before: this.#before, since, next: since + FIRST_SLICE_MILLIS });
  }

  release(): void {
    if (this.#isHeld) this.#become({ name: this.#before });
    this.#go();
  }

  isSliceDue(now: number, awaited: boolean): boolean {
    const state = this.#state;
    return (state.name === "held" || state.name === "lent") && (awaited || now >= state.next);
  }

  sliced(now: number): void {
    const state = this.#state;
    if (state.name !== "held" && state.name !== "lent") return;
    const { before, since } = state;
    this.#become({
      name: "lent",
      before,
      since,
      next: now + Math.max(FIRST_SLICE_MILLIS, (now - since) * SLICE_GROWTH),
    });
  }

  /** The group is to be written. */
  #want(when: "later" | "now"): void {
    const group = this.#group;
    if (this.#state.name === "stuck" || group.due === "now") return;
    const soon = when === "now" || this.#hurried || this.#engine().unsavedBytes >= EAGER_BYTES;
    if (!soon && group.due === "later") return;
    const isFirst = this.isQuiet;
    group.due = soon ? "now" : "later";
    this.#go();
    if (isFirst) this.#events.told();
  }

  /** From rest or a pause: on to the pause or the write that the group wants. */
  #go(): void {
    const { due } = this.#group;
    if (due === "never" || this.#isShut) return;
    if (due === "now") {
      this.#become({ name: "due", before: this.#before });
      return queueMicrotask(() => this.#begin(false));
    }
    const pause = Math.min(this.#took * PAUSE_FACTOR, LONGEST_PAUSE_MILLIS);
    const timer = setTimeout(() => this.#begin(false), Math.max(0, this.#ended + pause - performance.now()));
    this.#become({ name: "pausing", before: this.#before, timer });
  }

  /** A script is at work. */
  get #isHeld(): boolean {
    const { name } = this.#state;
    return name === "held" || name === "lent";
  }

  /** No write may begin. */
  get #isShut(): boolean {
    const { name } = this.#state;
    return name === "writing" || name === "stuck" || this.#isHeld;
  }

  /** How the last write ended. */
  get #before(): Rest {
    const state = this.#state;
    if ("before" in state) return state.before;
    return state.name === "saved" ? "saved" : "unsaved";
  }

  #become(state: State): void {
    if (this.#state.name === "pausing") clearTimeout(this.#state.timer);
    this.#state = state;
  }

  /** Whether it is time to look for room again. */
  get wantsRetry(): boolean {
    return this.#room.isDue && this.#engine().trouble === Trouble.Full;
  }

  /** Looks for room. */
  async retry(): Promise<void> {
    await this.settled();
    this.#begin(true);
    if (this.#state.name === "writing") await this.#state.over;
  }

  /** Begins a write, unless another trigger of the same group was first; `again`: although nothing has changed. */
  #begin(again: boolean): void {
    if (this.#isShut || (this.#group.due === "never" && !again)) return;
    const group = this.#group;
    this.#group = emptyGroup();
    this.#become({ name: "writing", over: this.#write(group, again) });
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
    this.#ended = performance.now();
    this.#took = this.#ended - began;
    if (stored) this.#succeed(group);
    else this.#fail(group, again);
    for (const relieved of this.#relieved.splice(0)) relieved();
    if (!this.isQuiet) return this.#go();
    this.#hurried = false;
    this.#events.quiet();
  }

  #succeed({ waiting }: Group): void {
    this.#become({ name: "saved" });
    this.#room.end();
    this.#events.stored();
    // Pages that became free by this write are released in one more batch.
    if (this.#group.due === "never" && this.#engine().hasUnsaved) this.#group.due = this.#hurried ? "now" : "later";
    this.#events.told();
    for (const waiter of waiting) waiter.over("saved");
  }

  #fail(group: Group, again: boolean): void {
    const engine = this.#engine();
    if (engine.broken !== null || engine.trouble === Trouble.Displaced) {
      this.#become({ name: "stuck" });
      this.#group.waiting.unshift(...group.waiting);
      this.#group.acknowledged ||= group.acknowledged;
      this.#group.due = "never";
      this.#events.told();
      this.#events.stuck();
      return;
    }
    this.#become({ name: "unsaved" });
    // These changes go into the next group. Their waiters are told that they are not stored, so the loss of them
    // counts.
    this.#group.acknowledged ||= group.acknowledged || group.waiting.length > 0;
    if (engine.trouble === Trouble.Full) this.#room.missed(this.#took, again);
    this.#events.told();
    for (const waiter of group.waiting) waiter.over("unsaved");
  }

  /**
   * The changes that are not stored, and are lost now: their waiters were told nothing yet. Waits for the end of a
   * write under way, which may still succeed.
   */
  async take(): Promise<Lost> {
    while (this.#state.name === "writing") await this.#state.over;
    const { waiting, acknowledged } = this.#group;
    this.#group = emptyGroup();
    this.#become({ name: "saved" });
    return { waiting, acknowledged: acknowledged || waiting.some(({ isAnswered }) => isAnswered === true) };
  }

  close(): void {
    this.#become({ name: "stuck" });
    this.#room.end();
  }
}
