/**
 * Keeps moments of what is changed: one of the state before the first change, unless that is kept already, and one of
 * the state after.
 *
 * Invariants: what only reads costs nothing but a look at each command's name; who calls this does so in one turn, so
 * that nobody else's change lies between the two; a moment that cannot be kept refuses no change, and is told.
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

/** Commands that change no data. An aggregation does where it has a stage for that; what is not here may. */
const READERS = new Set([
  "buildInfo",
  "buildinfo",
  "collStats",
  "connectionStatus",
  "count",
  "currentOp",
  "dataSize",
  "datasize",
  "dbStats",
  "dbstats",
  "distinct",
  "endSessions",
  "explain",
  "find",
  "getMore",
  "hello",
  "isMaster",
  "ismaster",
  "killCursors",
  "killSessions",
  "listCollections",
  "listCommands",
  "listDatabases",
  "listIndexes",
  "ping",
  "planCacheClear",
  "planCacheClearFilters",
  "planCacheListFilters",
  "planCacheSetFilter",
  "quireAt",
  "quireClock",
  "quireDifference",
  "quireDropMoment",
  "quireMoments",
  "quireNameMoment",
  "refreshSessions",
  "serverStatus",
  "startSession",
  "validate",
]);

const mayWrite = (name: string, text: () => string): boolean =>
  !READERS.has(name) && (name !== "aggregate" || /\$(?:out|merge)\b/.test(text()));

const latin = new TextDecoder("latin1");
/** The length and the first field's type come before a command's name. */
const NAME_AT = 5;

/** Whether a command as BSON may change data. */
export const bytesMayWrite = (command: Uint8Array): boolean => {
  const name = latin.decode(command.subarray(NAME_AT, command.indexOf(0, NAME_AT)));
  return mayWrite(name, () => latin.decode(command));
};

/** The same of one in Extended JSON. */
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

  /** Keeps the state as it is now; `reused`: it is kept already. */
  async keep(note: Note): Promise<Made> {
    return readMade(await this.command(momentCommand(note, await this.limit())));
  }

  /** Keeps the state after a change that was made on `from`. */
  async after({ deed, tab }: MomentWish, from: number | null, unkept: string | null): Promise<KeptChange> {
    const made = await this.keep({ ...deed, tab, ...(from === null ? {} : { from }) });
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
  #from: number | null = null;
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
    if (made.ok === 1) this.#from = made.number;
    else this.#unkept = made.errmsg ?? "";
  }

  /** The script ended. */
  async after(): Promise<KeptChange | null> {
    return this.#begun ? this.#moments.after(this.#wish, this.#from, this.#unkept) : null;
  }
}
