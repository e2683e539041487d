/**
 * Keeps moments of changes: one of the state before the first change, unless that is kept already, and one of the state
 * after.
 *
 * The engine makes both for a run: it knows which command is the first that writes, and whether two states are the
 * same. Invariants: a run costs two commands, its beginning and its end. Both moments are kept in one turn, so that no
 * other tab's or command's change lies between the two. A moment that cannot be kept refuses no change, and the outcome
 * says why.
 */
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { Engine } from "../engine/engine.ts";
import {
  limitPages,
  whatOf,
  type Act,
  type Acted,
  type ChangeCounts,
  type KeptChange,
  type MomentWish,
  type Note,
} from "../protocol/moments.ts";

/** The reply to `quireMoment`. */
interface Made {
  readonly ok: number;
  readonly errmsg?: string;
  readonly number: number;
  readonly reused: boolean;
  readonly changes?: ChangeCounts;
}

/** The reply to the end of a `quireRun`. */
interface Ended {
  readonly ok: number;
  readonly errmsg?: string;
  /** Some command of it may have written. */
  readonly begun: boolean;
  readonly from?: number;
  readonly number?: number;
  readonly changes?: ChangeCounts;
  readonly unkept?: string;
}

const ELSEWHERE: Note = { did: "elsewhere" };
const NOTHING: KeptChange = { number: null, changes: null, unkept: null };

export class Moments {
  readonly #engine: () => Engine;
  #limit: Promise<number> | null = null;

  constructor(engine: () => Engine) {
    this.#engine = engine;
  }

  /** How many pages unnamed moments may keep; asked of the browser once, with the first change. */
  limit(): Promise<number> {
    const storage = (globalThis.navigator as Partial<Navigator> | undefined)?.storage;
    this.#limit ??= Promise.resolve(storage?.estimate?.()).then(
      (estimate) => limitPages(estimate?.quota ?? null),
      () => limitPages(null),
    );
    return this.#limit;
  }

  /** Runs a command whose pages may have to be fetched. */
  async command(command: Uint8Array): Promise<Uint8Array> {
    return this.#engine().commandBytes(command);
  }

  /** A script is about to be run. */
  script(wish: MomentWish): ScriptMoments {
    return new ScriptMoments(this, (command) => this.#engine().runBytes(command), wish);
  }

  /** Keeps the state as it is now, unless it is that of `from`, on which it was made, or of the newest moment. */
  async keep(note: Note, from: number | null = null): Promise<Made> {
    const wish = { what: whatOf(note), limitPages: await this.limit(), ...(from === null ? {} : { from }) };
    return decode(await this.command(encode({ quireMoment: 1, ...wish, $db: "admin" }))) as Made;
  }

  /** Does a change of one command, or begins or ends one of many. */
  async act({ part, command, deed, tab, from }: Act): Promise<Acted> {
    switch (part) {
      case "whole": {
        const run = this.script({ deed, tab });
        const reply = command === null ? null : await this.command(command);
        return { reply, kept: (await run.after()) ?? NOTHING, from: null };
      }
      case "begin": {
        const made = await this.keep(ELSEWHERE);
        if (made.ok !== 1) return { reply: null, kept: { ...NOTHING, unkept: made.errmsg ?? "" }, from: null };
        return { reply: null, kept: NOTHING, from: made.number };
      }
      case "end": {
        const made = await this.keep({ ...deed, tab }, from);
        if (made.ok !== 1) return { reply: null, kept: { ...NOTHING, unkept: made.errmsg ?? "" }, from };
        if (made.number === from) return { reply: null, kept: NOTHING, from };
        return { reply: null, kept: { number: made.number, changes: made.changes ?? null, unkept: null }, from };
      }
    }
  }
}

/** The moments of one script, whose commands are run behind this. */
export class ScriptMoments {
  readonly #moments: Moments;
  readonly #wish: MomentWish;

  constructor(moments: Moments, run: (command: Uint8Array) => Uint8Array, wish: MomentWish) {
    this.#moments = moments;
    this.#wish = wish;
    void moments.limit();
    run(encode({ quireRun: "begin", what: whatOf(ELSEWHERE), $db: "admin" }));
  }

  /** The script ended; null: it wrote nothing. */
  async after(): Promise<KeptChange | null> {
    const { deed, tab } = this.#wish;
    const what = whatOf({ ...deed, tab });
    const end = { quireRun: "end", what, limitPages: await this.#moments.limit(), $db: "admin" };
    const ended = decode(await this.#moments.command(encode(end))) as Ended;
    if (ended.ok !== 1) return { ...NOTHING, unkept: ended.errmsg ?? "" };
    if (!ended.begun) return null;
    return { number: ended.number ?? null, changes: ended.changes ?? null, unkept: ended.unkept ?? null };
  }
}
