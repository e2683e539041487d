/**
 * Moments as page and worker speak of them: the note on each in its field `what`, the moments of an action, and
 * undoing.
 *
 * A note is data, worded by the page that shows it. A moment's own field `from` is the moment that the change was made
 * on, so that moments are a tree: after an undo, other changes begin another branch. A moment with `is` has the data of
 * an earlier one, to which an undo or redo went. Invariant: a `what` that is no note of this kind (a driver's)
 * is read as its text.
 */

/** The kinds of changes. `elsewhere`: a change outside pages that keep moments, such as a driver's. */
export const deeds = [
  "run",
  "edit",
  "delete",
  "insert",
  "import",
  "dump",
  "sample",
  "create",
  "rename",
  "drop",
  "drop-database",
  "erase",
  "create-index",
  "drop-index",
  "hide-index",
  "show-index",
  "validate",
  "images",
  "restore",
  "elsewhere",
] as const;
export type DeedKind = (typeof deeds)[number];

/** A change of the data, for the page to word: `{ did: "drop", on: "shop.teas" }`. */
export interface Deed {
  readonly did: DeedKind;
  /** The script's first line, the field, the file or the new name of the change. */
  readonly text?: string;
  /** The database, the collection or the index that it was done to. */
  readonly on?: string;
}

/** What a moment tells of itself: its field `what`, and `from`. */
export interface Note extends Deed {
  /** The moment that the change was made on. */
  readonly from?: number;
  readonly is?: number;
  /** The id of the tab that made it. */
  readonly tab?: string;
}

/** Longest text of a note, in characters: of four bytes each they are within the length that the engine takes. */
const LONGEST_TEXT = 160;
/** Names are longer where a script makes them so; a note needs them only to be read. */
const cut = (text: string): string => {
  const letters = [...text];
  return letters.length <= LONGEST_TEXT ? text : `${letters.slice(0, LONGEST_TEXT - 1).join("")}…`;
};

/** A note as the text of the field `what`; texts beyond `LONGEST_TEXT` characters are cut. */
export function whatOf({ text, on, ...rest }: Note): string {
  return JSON.stringify({
    ...rest,
    ...(text === undefined ? {} : { text: cut(text) }),
    ...(on === undefined ? {} : { on: cut(on) }),
  });
}

const isDeed = (kind: unknown): kind is DeedKind => (deeds as readonly unknown[]).includes(kind);

/**
 * The note in the text of a field `what`; a text that is no note is its own note, of the kind `elsewhere`.
 *
 * @param madeOn the moment's field `from`; older moments have it in the note
 */
export function noteOf(what: string | undefined, madeOn?: unknown): Note {
  const note = textOf(what);
  return madeOn === undefined ? note : { ...note, from: Number(madeOn) };
}

function textOf(what: string | undefined): Note {
  if (what === undefined) return { did: "elsewhere" };
  try {
    const { did, text, on, from, is, tab } = JSON.parse(what) as Record<string, unknown>;
    if (isDeed(did))
      return {
        did,
        ...(typeof text === "string" ? { text } : {}),
        ...(typeof on === "string" ? { on } : {}),
        ...(typeof from === "number" ? { from } : {}),
        ...(typeof is === "number" ? { is } : {}),
        ...(typeof tab === "string" ? { tab } : {}),
      };
  } catch {
    // The text is no JSON: the words of a driver or a script.
  }
  return { did: "elsewhere", text: what };
}

/** A moment that is kept. */
export interface KeptMoment {
  readonly number: number;
  readonly time: Date;
  /** The reader's name for it; a moment without one, null, is dropped first when room is needed. */
  readonly name: string | null;
  readonly note: Note;
  /** Pages that would be free if this moment alone were dropped. */
  readonly pages: number;
}

/** The change, and the tab that made it, for the note of its moment. */
export interface MomentWish {
  readonly deed: Deed;
  readonly tab: string;
}

/** Documents and pages by which a moment differs from the one before it. */
export interface ChangeCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly pages: number;
}

/** The moment after a change, or why none was kept. */
export interface KeptChange {
  /** The number of the moment after the change; null where nothing changed, or it could not be kept. */
  readonly number: number | null;
  /** The difference from the moment before; null where there is none. */
  readonly changes: ChangeCounts | null;
  /** Why the change cannot be undone, as the engine words it; null where it can. */
  readonly unkept: string | null;
}

/** A change that is more than a script: one command, or the beginning or the end of many. */
export interface Act extends MomentWish {
  /** `whole`: `command` is the whole change. */
  readonly part: "whole" | "begin" | "end";
  /** A BSON command with `$db`. */
  readonly command: Uint8Array | null;
  /** For an end: the number of the moment before, as the answer to the beginning had it in `from`. */
  readonly from: number | null;
}

export interface Acted {
  readonly reply: Uint8Array | null;
  readonly kept: KeptChange;
  /** The number of the moment before the change. */
  readonly from: number | null;
}

/** Going back to the state before a change, or on to the one after. */
export interface Travel {
  readonly to: "undo" | "redo";
  /** The moment of the change to undo, with all that came after it; null: the last one. */
  readonly of: number | null;
  /** Moments that the reader agreed to take back, though they are another tab's or were not asked for. */
  readonly sure: readonly number[];
  readonly tab: string;
}

/** A change by the moment after it. */
export interface Knot {
  readonly number: number;
  readonly name: string | null;
  readonly note: Note;
}

/** The moments that are kept, as a tree by the changes between them. */
export class Knots {
  readonly #all: readonly Knot[];
  readonly #by: ReadonlyMap<number, Knot>;

  /** The oldest first. */
  constructor(all: readonly Knot[]) {
    this.#all = all;
    this.#by = new Map(all.map((knot) => [knot.number, knot]));
  }

  /**
   * The moment whose data a moment has: the earlier one that an undo or redo went to, where that is kept; else itself.
   */
  origin(knot: Knot): Knot {
    const { is } = knot.note;
    return (is === undefined ? undefined : this.#by.get(is)) ?? knot;
  }

  /** The present, after it was kept. */
  get newest(): Knot | null {
    return this.#all.at(-1) ?? null;
  }

  /** The moment that a change was made on: the one it names, else the one before it in time. Null: that one is gone. */
  before({ number, note }: Knot): Knot | null {
    if (note.from !== undefined) {
      const from = this.#by.get(note.from);
      return from === undefined ? null : this.origin(from);
    }
    if (note.is !== undefined) return null;
    const before = this.#all.filter((other) => other.number < number).at(-1);
    return before === undefined ? null : this.origin(before);
  }

  /** The newest change that was made on a moment. */
  next(knot: Knot): Knot | null {
    const made = this.#all.filter(({ note }) => {
      if (note.is !== undefined || note.from === undefined) return false;
      const from = this.#by.get(note.from);
      return from !== undefined && this.origin(from).number === knot.number;
    });
    return made.at(-1) ?? null;
  }
}

export type Travelled =
  /** `changes`: the changes that were taken back, the last one first, or the one that was done again. */
  | { readonly kind: "done"; readonly changes: readonly Knot[]; readonly counts: ChangeCounts }
  /**
   * It would take back these changes, some of which are another tab's, or were made after the change that the reader
   * named.
   */
  | { readonly kind: "asks"; readonly changes: readonly Knot[] }
  /** `gone`: the state before is not kept any more; `not-here`: the change was undone already. */
  | { readonly kind: "nothing"; readonly why: "first" | "gone" | "not-here" };

/** The divisor of the browser's quota: unnamed moments may keep a tenth of it. */
const QUOTA_SHARE = 10;
export const MOMENT_PAGE_BYTES = 16_384;
const LEAST_LIMIT_PAGES = 1024;
const MOST_LIMIT_PAGES = 65_536;
/** The limit in pages where the browser tells no quota: 256 MiB. */
const USUAL_LIMIT_PAGES = 16_384;

/** How many pages unnamed moments may keep: a tenth of the quota, at least 16 MiB and at most 1 GiB. */
export function limitPages(quotaBytes: number | null): number {
  if (quotaBytes === null) return USUAL_LIMIT_PAGES;
  const share = Math.floor(quotaBytes / QUOTA_SHARE / MOMENT_PAGE_BYTES);
  return Math.min(MOST_LIMIT_PAGES, Math.max(LEAST_LIMIT_PAGES, share));
}
