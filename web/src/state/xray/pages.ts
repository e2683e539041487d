/**
 * The map of a deployment's pages as the engine tells it, and one page opened to its bytes.
 *
 * Invariants: a page has one owner; a page that is not in memory is said to be unknown, and never guessed.
 */
import type { Binary, Document } from "bson";
import { ask, type Commander } from "../data/ask.ts";
import { fieldOf, numberOf, partsOf, preview, wordLine } from "../values.ts";
import { wordTreeKey } from "./tree.ts";

export type OwnerKind =
  | "free"
  | "waiting"
  | "freeList"
  | "moments"
  | "lists"
  | "kept"
  | "unreached"
  | "catalog"
  | "collection"
  | "index"
  | "labels"
  | "header";

export interface PageOwner {
  readonly kind: OwnerKind;
  readonly namespace: string;
  readonly index: string;
  /** The number of the owner's pages in the map. */
  readonly pages: number;
}

export interface PageMap {
  /** How many pages there are; page n stands at n - 1 of the arrays. */
  readonly pages: number;
  readonly pageBytes: number;
  readonly sequence: number;
  readonly owners: readonly PageOwner[];
  readonly ownerOf: Uint16Array;
  readonly kinds: Uint8Array;
  readonly flags: Uint8Array;
  readonly born: Uint32Array;
  readonly inMemory: number;
  readonly shared: number;
  readonly unsealed: number;
}

const IN_MEMORY = 1;
export const OF_A_MOMENT = 2;
export const UNSEALED = 4;

const bytesOf = (reply: Document, name: string): Uint8Array => {
  const bytes = (fieldOf(reply, name) as Binary | undefined)?.buffer;
  // A copy begins where arrays of wider numbers may begin.
  return new Uint8Array(bytes ?? []);
};

const ownerFrom = (owner: unknown, pages: number): PageOwner => ({
  kind: String(fieldOf(owner, "kind") ?? "unreached") as OwnerKind,
  namespace: String(fieldOf(owner, "ns") ?? ""),
  index: String(fieldOf(owner, "index") ?? ""),
  pages,
});

/** A reply of `quirePages`. */
export function mapOf(reply: Document): PageMap {
  const owners16 = new DataView(bytesOf(reply, "owner").buffer);
  const born32 = new DataView(bytesOf(reply, "born").buffer);
  const pages = Math.floor(owners16.byteLength / 2);
  const flags = bytesOf(reply, "flags");
  const ownerOf = Uint16Array.from({ length: pages }, (_, at) => owners16.getUint16(at * 2, true));
  const counted = new Map<number, number>();
  for (const owner of ownerOf) counted.set(owner, (counted.get(owner) ?? 0) + 1);
  const having = (bit: number): number => flags.reduce((sum, flag) => sum + ((flag & bit) === 0 ? 0 : 1), 0);
  return {
    pages,
    pageBytes: numberOf(fieldOf(reply, "pageBytes")) ?? 0,
    sequence: numberOf(fieldOf(reply, "sequence")) ?? 0,
    owners: ((fieldOf(reply, "owners") ?? []) as readonly Document[]).map((owner, at) =>
      ownerFrom(owner, counted.get(at) ?? 0),
    ),
    ownerOf,
    kinds: bytesOf(reply, "kind"),
    flags,
    born: Uint32Array.from({ length: pages }, (_, at) => born32.getUint32(at * 4, true)),
    inMemory: having(IN_MEMORY),
    shared: having(OF_A_MOMENT),
    unsealed: having(UNSEALED),
  };
}

export async function readPages(commander: Commander): Promise<PageMap> {
  return mapOf(await ask(commander, "admin", { quirePages: 1 }));
}

/** The pages that a run touched. */
export interface Touched {
  /** The run's number; null where runs have none, as in snippets. */
  readonly run: number | null;
  /** The pages are of a command that was run once more to see them. */
  readonly isAgain: boolean;
  readonly read: ReadonlySet<number>;
  readonly written: ReadonlySet<number>;
  /** How many more pages there were than the engine told of. */
  readonly more: number;
}

/** Pages as a run's outcome tells them: `RunOutcome.touched`. */
export function touchedBy(run: number | null, touched: Uint32Array): Touched {
  const having = (bit: number): ReadonlySet<number> => {
    const pages = new Set<number>();
    for (const mark of touched) if ((mark & bit) !== 0) pages.add(mark >>> 2);
    return pages;
  };
  return { run, isAgain: false, read: having(1), written: having(2), more: 0 };
}

/** How many pages of each owner, by its position, a run touched; and how many of all a moment has too. */
export interface TouchedCounts {
  readonly owners: readonly { readonly read: number; readonly written: number }[];
  readonly shared: number;
}

export function countTouched(map: PageMap, { read, written }: Pick<Touched, "read" | "written">): TouchedCounts {
  const owners = map.owners.map(() => ({ read: 0, written: 0 }));
  const count = (pages: ReadonlySet<number>, name: "read" | "written"): void => {
    for (const page of pages) {
      const owner = owners[map.ownerOf[page - 1] ?? -1];
      if (owner !== undefined) owner[name] += 1;
    }
  };
  count(read, "read");
  count(written, "written");
  const isShared = (page: number): boolean => ((map.flags[page - 1] ?? 0) & OF_A_MOMENT) !== 0;
  return { owners, shared: [...new Set([...read, ...written])].filter(isShared).length };
}

/** The first touched page behind one, from the beginning again behind the last; null where there is none. */
export function nextTouched(
  map: PageMap,
  { read, written }: Pick<Touched, "read" | "written">,
  page: number,
): number | null {
  for (let step = 1; step <= map.pages; step += 1) {
    const at = ((page - 1 + step) % map.pages) + 1;
    if (read.has(at) || written.has(at)) return at;
  }
  return null;
}

/** Runs a reading command under observation, and gives the pages it touched. */
export async function readTouched(commander: Commander, database: string, command: Document): Promise<Touched> {
  const observed = fieldOf(await ask(commander, database, { quireObserve: 1, command }), "observed");
  const numbers = (name: string): ReadonlySet<number> =>
    new Set(((fieldOf(observed, name) ?? []) as readonly unknown[]).map((page) => numberOf(page) ?? 0));
  const more = (numberOf(fieldOf(observed, "readMore")) ?? 0) + (numberOf(fieldOf(observed, "writtenMore")) ?? 0);
  return { run: null, isAgain: true, read: numbers("read"), written: numbers("written"), more };
}

/** Some bytes of a page with the name and the value of the field that they hold. */
export interface PagePiece {
  readonly at: number;
  readonly length: number;
  readonly name: string;
  readonly value: string;
}

export interface OpenPage {
  readonly page: number;
  readonly owner: PageOwner;
  /** False where it was changed since the last commit: number, sequence and checksum come with the next one. */
  readonly isSealed: boolean;
  readonly isOfMoment: boolean;
  readonly fields: readonly PagePiece[];
  readonly cells: readonly PagePiece[];
  readonly bytes: Uint8Array;
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function wordValue(value: unknown): string {
  const bytes = (value as Partial<Binary> | undefined)?.buffer;
  if (bytes instanceof Uint8Array) return bytes.length > 32 ? `${hexOf(bytes.subarray(0, 32))}…` : hexOf(bytes);
  if (typeof value === "object" && value !== null && numberOf(value) === null) {
    return partsOf(value as Document)
      .map(([name, part]) => `${name} ${wordLine(part)}`)
      .join(", ");
  }
  return wordLine(value);
}

const pieceOf = (piece: Document, name: string, value: string): PagePiece => ({
  at: numberOf(fieldOf(piece, "at")) ?? 0,
  length: numberOf(fieldOf(piece, "length")) ?? 0,
  name,
  value,
});

function wordCell(cell: Document): string {
  const child = numberOf(fieldOf(cell, "child"));
  const overflow = numberOf(fieldOf(cell, "overflow"));
  const value = fieldOf(cell, "value");
  const isBytes = (value as Partial<Binary> | undefined)?.buffer instanceof Uint8Array;
  return [
    wordTreeKey(cell),
    child === null ? "" : `→ ${child}`,
    overflow === null ? "" : `⇒ ${overflow}`,
    value === undefined ? "" : isBytes ? wordValue(value) : preview(value, 200),
  ]
    .filter((part) => part !== "")
    .join("  ");
}

/** A reply of `quirePage`. */
export function pageOf(reply: Document): OpenPage {
  const list = (name: string): readonly Document[] => (fieldOf(reply, name) ?? []) as readonly Document[];
  return {
    page: numberOf(fieldOf(reply, "page")) ?? 0,
    owner: ownerFrom(fieldOf(reply, "owner"), 0),
    isSealed: fieldOf(reply, "isSealed") !== false,
    isOfMoment: fieldOf(reply, "isOfMoment") === true,
    fields: list("fields").map((field) =>
      pieceOf(field, String(fieldOf(field, "name") ?? ""), wordValue(fieldOf(field, "value"))),
    ),
    cells: list("cells").map((cell, at) => pieceOf(cell, String(at), wordCell(cell))),
    bytes: bytesOf(reply, "bytes"),
  };
}

export async function readPage(commander: Commander, page: number): Promise<OpenPage> {
  return pageOf(await ask(commander, "admin", { quirePage: page }));
}

export interface HexRow {
  readonly at: string;
  readonly hex: string;
  readonly text: string;
}

/** The most bytes shown at once. */
const hexShown = 512;

/** The bytes of a piece in rows of sixteen, and how many are left out. */
export function hexRows(bytes: Uint8Array, at: number, length: number): { rows: readonly HexRow[]; left: number } {
  const end = Math.min(bytes.length, at + length, at + hexShown);
  const rows: HexRow[] = [];
  for (let start = at; start < end; start += 16) {
    const row = bytes.subarray(start, Math.min(start + 16, end));
    rows.push({
      at: start.toString(16).padStart(4, "0"),
      hex: [...row].map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
      text: [...row].map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join(""),
    });
  }
  return { rows, left: Math.max(0, Math.min(bytes.length, at + length) - end) };
}
