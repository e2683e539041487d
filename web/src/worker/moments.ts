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

/** The change behind which nothing could be kept. */
const unkept = ({ errmsg }: Pick<Made, "errmsg">): KeptChange => ({ ...NOTHING, unkept: errmsg ?? "" });

/** The change behind which a moment was kept; it cannot be undone where the state before was not. */
const keptAs = ({ number, changes, unkept }: Omit<Ended, "begun">): KeptChange => ({
  number: number ?? null,
  changes: changes ?? null,
  unkept: unkept ?? null,
});

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
    if (part === "whole") {
      const run = this.script({ deed, tab });
      const reply = command === null ? null : await this.command(command);
      return { reply, kept: (await run.after()) ?? NOTHING, from: null };
    }
    const begins = part === "begin";
    const made = await (begins ? this.keep(ELSEWHERE) : this.keep({ ...deed, tab }, from));
    if (made.ok !== 1) return { reply: null, kept: unkept(made), from };
    if (begins) return { reply: null, kept: NOTHING, from: made.number };
    return { reply: null, kept: made.number === from ? NOTHING : keptAs(made), from };
  }
}

/** The moments of one script, whose commands are run behind this. */
export class ScriptMoments {
  readonly #moments: Moments;
  readonly #wish: MomentWish;
  /** The reply to the beginning. */
  readonly #begun: Pick<Ended, "ok" | "errmsg">;

  constructor(moments: Moments, run: (command: Uint8Array) => Uint8Array, wish: MomentWish) {
    this.#moments = moments;
    this.#wish = wish;
    void moments.limit();
    const begin = encode({ quireRun: "begin", what: whatOf(ELSEWHERE), $db: "admin" });
    this.#begun = decode(run(begin)) as unknown as Ended;
  }

  /** The script ended; null: it wrote nothing. */
  async after(): Promise<KeptChange | null> {
    const { deed, tab } = this.#wish;
    const note: Note = { ...deed, tab };
    if (this.#begun.ok !== 1) return this.#withoutBeginning(note);
    const end = { quireRun: "end", what: whatOf(note), limitPages: await this.#moments.limit(), $db: "admin" };
    const ended = decode(await this.#moments.command(encode(end))) as Ended;
    if (ended.ok !== 1) return unkept(ended);
    return ended.begun ? keptAs(ended) : null;
  }

  /** The engine refused the beginning: there is no run to end, and what the script changed cannot be undone. */
  async #withoutBeginning(note: Note): Promise<KeptChange | null> {
    const made = await this.#moments.keep(note);
    if (made.ok !== 1) return unkept(made);
    return made.reused ? null : keptAs({ ...made, unkept: this.#begun.errmsg ?? "" });
  }
}
