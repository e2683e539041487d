/**
 * Keeps moments of changes: one of the state before the first change, unless that is kept already, and one of the state
 * after.
 *
 * Invariants: a script that only reads costs nothing but a look at each command's name. Both moments are kept in one
 * turn, so that no other tab's or command's change lies between the two. A moment that cannot be kept refuses no
 * change, and the outcome says why. None is kept whose data is that of the one before, though a write that was refused
 * has touched pages.
 */
import type { Document } from "bson";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { BY_PIPELINE, KEEPING_DATA } from "../engine/commands.generated.ts";
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

const keeping = new Set(KEEPING_DATA);

/** An aggregation changes data where it has a stage for that. */
const mayWrite = (name: string, text: () => string): boolean =>
  !keeping.has(name) && (!BY_PIPELINE.includes(name) || /\$(?:out|merge)\b/.test(text()));

const latin = new TextDecoder("latin1");
/** The length and the first field's type come before a command's name. */
const NAME_AT = 5;

/** Whether a command as BSON may change data. */
export const bytesMayWrite = (command: Uint8Array): boolean => {
  const name = latin.decode(command.subarray(NAME_AT, command.indexOf(0, NAME_AT)));
  return mayWrite(name, () => latin.decode(command));
};

/** Whether a command in Extended JSON may change data. */
export const textMayWrite = (command: string): boolean =>
  mayWrite(/^\s*\{\s*"([^"]*)"/.exec(command)?.[1] ?? "", () => command);

/** The reply to `quireMoment`. */
interface Made {
  readonly ok: number;
  readonly errmsg?: string;
  readonly number: number;
  readonly reused: boolean;
  readonly changes?: ChangeCounts;
}

const momentCommand = (note: Note, limit: number): Uint8Array =>
  encode({ quireMoment: 1, what: whatOf(note), limitPages: limit, $db: "admin" });
const readMade = (reply: Uint8Array): Made => decode(reply) as Made;
const ELSEWHERE: Note = { did: "elsewhere" };

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

  /** A script is about to be run; all its pages are there. */
  script(wish: MomentWish): ScriptMoments {
    return new ScriptMoments(this, (command) => this.#engine().runBytes(command), wish);
  }

  /** Keeps the state as it is now, unless `before`, or else the newest moment, has it; `reused`: it is kept already. */
  async keep(note: Note, before: number | null = null): Promise<Made> {
    return this.unlessAlike(readMade(await this.command(momentCommand(note, await this.limit()))), before);
  }

  /**
   * Gives a moment that was just made. Where its data is that of the moment before, it is dropped and that one given.
   *
   * The engine makes a moment whenever pages were touched. A write that is refused touches some: its beginning is
   * undone on pages of its own.
   *
   * @param before null: the one before it by number
   */
  async unlessAlike(made: Made, before: number | null): Promise<Made> {
    const { changes, number } = made;
    if (made.ok !== 1 || made.reused || changes === undefined) return made;
    if (changes.added + changes.removed + changes.changed > 0) return made;
    const from = before ?? (await this.#before(number));
    if (from === null) return made;
    // No document differs; this command also tells of changed options and indexes.
    const difference = await this.#ask({ quireDifference: 1, from, to: number });
    if (difference["ok"] !== 1 || (difference["collections"] as readonly unknown[]).length > 0) return made;
    const dropped = await this.#ask({ quireDropMoment: number });
    return dropped["ok"] === 1 ? { ...made, number: from, reused: true } : made;
  }

  /** The moment before another one; null where there is none, or the other one has got a name meanwhile. */
  async #before(number: number): Promise<number | null> {
    const { moments = [] } = (await this.#ask({ quireMoments: 1 })) as { moments?: readonly Document[] };
    const at = moments.findIndex((one) => Number(one["number"]) === number);
    return at < 1 || moments[at]?.["name"] !== undefined ? null : Number(moments[at - 1]?.["number"]);
  }

  async #ask(command: Document): Promise<Document> {
    return decode(await this.command(encode({ ...command, $db: "admin" })));
  }

  /** Keeps the state after a change that was made on `from`. */
  async after({ deed, tab }: MomentWish, from: number | null, unkept: string | null): Promise<KeptChange> {
    const made = await this.keep({ ...deed, tab, ...(from === null ? {} : { from }) }, from);
    if (made.ok !== 1) return { number: null, changes: null, unkept: unkept ?? made.errmsg ?? "" };
    return made.number === from
      ? { number: null, changes: null, unkept: null }
      : { number: made.number, changes: made.changes ?? null, unkept };
  }

  /** Does a change of one command, or begins or ends one of many. */
  async act({ part, command, deed, tab, from }: Act): Promise<Acted> {
    let base = from;
    let unkept: string | null = null;
    if (part !== "end") {
      const before = await this.keep(ELSEWHERE);
      base = before.ok === 1 ? before.number : null;
      unkept = before.ok === 1 ? null : (before.errmsg ?? "");
    }
    const reply = command === null ? null : await this.command(command);
    const kept =
      part === "begin" ? { number: null, changes: null, unkept } : await this.after({ deed, tab }, base, unkept);
    return { reply, kept, from: base };
  }
}

/** The moments of one script. */
export class ScriptMoments {
  readonly #moments: Moments;
  readonly #run: (command: Uint8Array) => Uint8Array;
  readonly #wish: MomentWish;
  #begun = false;
  /** The moment of the state before. */
  #before: Made | null = null;
  #unkept: string | null = null;

  constructor(moments: Moments, run: (command: Uint8Array) => Uint8Array, wish: MomentWish) {
    this.#moments = moments;
    this.#run = run;
    this.#wish = wish;
  }

  /** Whether no change was begun yet: commands are to be looked at. */
  get isUntouched(): boolean {
    return !this.#begun;
  }

  /** A change is about to be made. Older moments are dropped by the moment after it, when the limit is known. */
  before(): void {
    this.#begun = true;
    void this.#moments.limit();
    const made = readMade(this.#run(momentCommand(ELSEWHERE, Number.MAX_SAFE_INTEGER)));
    if (made.ok === 1) this.#before = made;
    else this.#unkept = made.errmsg ?? "";
  }

  /** The script ended. */
  async after(): Promise<KeptChange | null> {
    if (!this.#begun) return null;
    // Not asked before the change: pages may have to be fetched for it.
    const before = this.#before === null ? null : await this.#moments.unlessAlike(this.#before, null);
    return this.#moments.after(this.#wish, before?.number ?? null, this.#unkept);
  }
}
