/**
 * The timeline's moments: reading them, their changes and their documents, and naming, dropping and restoring them.
 *
 * Pure but for the commands, which go by the page's controller. Invariants: a moment that only an undo or redo left is
 * no entry of the list, but says where the present is. The difference between two moments never changes, so it is
 * asked for once.
 */
import type { Document } from "bson";
import type { Commander as CatalogCommander } from "../../client/catalog.ts";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { CURSOR_READERS } from "../../engine/commands.generated.ts";
import { Knots, noteOf, whatOf, type ChangeCounts, type Deed, type KeptMoment } from "../../protocol/moments.ts";
import type { Leaf } from "../model.ts";
import { titleOf } from "../title.ts";
import { change, judged, type Changer, type Commander } from "../data/ask.ts";

/** The kept moments, and the pages that they take. */
export interface Kept {
  /** The oldest first, those left by undo and redo too. */
  readonly moments: readonly KeptMoment[];
  /** Pages that only moments have, and those that dropping every unnamed one would free. */
  readonly pages: number;
  readonly unnamedPages: number;
  readonly pageBytes: number;
}

/** A moment in the list. */
export interface Entry {
  readonly moment: KeptMoment;
  /** The moment it was made on; null where that is not kept, or it is the first. */
  readonly before: number | null;
  /** The moment is the oldest that is kept. */
  readonly isFirst: boolean;
  /** The present has its data, but for changes since the last moment. */
  readonly isHere: boolean;
}

/** Documents are many or large: a command's reply with plain numbers. */
async function askPlain(commander: Commander, database: string, command: Document): Promise<Document> {
  const bytes = await commander.commandBytes(encode({ ...command, $db: database }));
  judged(bytes);
  return decode(bytes);
}

export async function readKept(commander: Commander): Promise<Kept> {
  const reply = await askPlain(commander, "admin", { quireMoments: 1 });
  const moments = (reply["moments"] as readonly Document[]).map(
    (one): KeptMoment => ({
      number: Number(one["number"]),
      time: one["time"] as Date,
      name: (one["name"] as string | undefined) ?? null,
      note: noteOf(one["what"] as string | undefined, one["from"]),
      pages: Number(one["pages"]),
    }),
  );
  const [pages, unnamedPages, pageBytes] = [reply["pages"], reply["unnamedPages"], reply["pageBytes"]].map(Number);
  return { moments, pages: pages ?? 0, unnamedPages: unnamedPages ?? 0, pageBytes: pageBytes ?? 0 };
}

/**
 * The moments of runs from before a reload that are kept still: of this tab, with the note of that run. Another
 * deployment's moment, or one of the memory that a reload emptied, is none of them.
 */
export function foundMoments(
  leaves: readonly Pick<Leaf, "number" | "source" | "moment">[],
  { moments }: Kept,
  tab: string,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { number, source, moment } of leaves) {
    const { note } = moments.find((one) => one.number === moment) ?? {};
    const { text } = noteOf(whatOf({ did: "run", text: titleOf(source) }));
    if (note?.did === "run" && note.tab === tab && note.text === text && moment != null) found.set(number, moment);
  }
  return found;
}

/** The list, the oldest first. */
export function entriesOf({ moments }: Kept): readonly Entry[] {
  const knots = new Knots(moments);
  const { newest } = knots;
  const here = newest === null ? null : knots.origin(newest).number;
  return moments
    .filter((moment) => moment.name !== null || knots.origin(moment).number === moment.number)
    .map((moment, index) => ({
      moment,
      isFirst: index === 0,
      before: knots.before(moment)?.number ?? null,
      isHere: moment.number === here,
    }));
}

/** The difference in one collection between two states. */
export interface CollectionDifference extends ChangeCounts {
  readonly ns: string;
  readonly state: "added" | "removed" | "changed";
  /** Its options or indexes differ, or it is another one of the same name. */
  readonly definition: boolean;
}

/** The numbers of `quireDifference`: `to` null is the present. */
const between = (from: number, to: number | null): Document => (to === null ? { from } : { from, to });

export async function readDifference(
  commander: Commander,
  from: number,
  to: number | null,
): Promise<readonly CollectionDifference[]> {
  const reply = await askPlain(commander, "admin", { quireDifference: 1, ...between(from, to) });
  return (reply["collections"] as readonly Document[]).map((one) => ({
    ns: String(one["ns"]),
    state: one["state"] as CollectionDifference["state"],
    definition: one["definition"] === true,
    added: Number(one["added"]),
    removed: Number(one["removed"]),
    changed: Number(one["changed"]),
    pages: Number(one["pages"]),
  }));
}

export function sumOf(all: readonly CollectionDifference[]): ChangeCounts {
  const sum = { added: 0, removed: 0, changed: 0, pages: 0 };
  for (const one of all) {
    sum.added += one.added;
    sum.removed += one.removed;
    sum.changed += one.changed;
    sum.pages += one.pages;
  }
  return sum;
}

/** A field that differs; `undefined`: that side lacks it. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A document that differs: whole, where only one side has it. */
export type DocumentChange =
  | { readonly change: "added" | "removed"; readonly id: unknown; readonly document: Document }
  | { readonly change: "changed"; readonly id: unknown; readonly fields: readonly FieldChange[] };

export interface DocumentChanges {
  readonly documents: readonly DocumentChange[];
  /** The position to give to the next call; null where these documents were the last. */
  readonly next: unknown;
}

/** How many documents of a difference are asked for at once. */
const DIFFERENCE_LIMIT = 50;

/** The next documents that differ in a collection; `after` null: the first ones. */
export async function readDocuments(
  commander: Commander,
  ns: string,
  from: number,
  to: number | null,
  after: unknown,
): Promise<DocumentChanges> {
  const dot = ns.indexOf(".");
  const reply = judged(
    await commander.commandBytes(
      encode({
        quireDifference: ns.slice(dot + 1),
        ...between(from, to),
        limit: DIFFERENCE_LIMIT,
        ...(after === null ? {} : { after }),
        $db: ns.slice(0, dot),
      }),
    ),
  );
  const documents = (reply["documents"] as readonly Document[]).map((one): DocumentChange => {
    const id = one["_id"] as unknown;
    if (one["change"] !== "changed")
      return { change: one["change"] as "added" | "removed", id, document: one["document"] as Document };
    const fields = (one["fields"] as readonly Document[]).map((field) => ({
      field: String(field["field"]),
      before: field["before"] as unknown,
      after: field["after"] as unknown,
    }));
    return { change: "changed", id, fields };
  });
  return { documents, next: (reply["next"] as unknown) ?? null };
}

/** Runs commands that read as of a moment, to list its databases and collections. `getMore` goes on without it. */
export function atMoment(commander: Commander, number: number): CatalogCommander {
  return {
    command: (database, command) =>
      askPlain(
        commander,
        database,
        CURSOR_READERS.some((name) => name in command) ? command : { quireAt: number, command },
      ),
  };
}

/** Some documents of a moment's collection. */
export interface DocumentPage {
  readonly documents: readonly Document[];
  readonly cursorId: bigint;
}

const FIRST_DOCUMENTS = 50;
const MORE_DOCUMENTS = 200;

function pageOf(reply: Document): DocumentPage {
  const cursor = reply["cursor"] as Document;
  return {
    documents: (cursor["firstBatch"] ?? cursor["nextBatch"]) as readonly Document[],
    cursorId: BigInt(String(cursor["id"])),
  };
}

/** The first documents that a collection had, with their types. */
export async function readFirst(
  commander: Commander,
  number: number,
  database: string,
  collection: string,
): Promise<DocumentPage> {
  const command = { find: collection, batchSize: FIRST_DOCUMENTS };
  return pageOf(judged(await commander.commandBytes(encode({ quireAt: number, command, $db: database }))));
}

export async function readMore(
  commander: Commander,
  cursorId: bigint,
  database: string,
  collection: string,
): Promise<DocumentPage> {
  const command = { getMore: cursorId, collection, batchSize: MORE_DOCUMENTS, $db: database };
  return pageOf(judged(await commander.commandBytes(encode(command))));
}

/** The part of a moment to bring back: without a database everything, without a collection the whole database. */
export interface Part {
  readonly database?: string;
  readonly collection?: string;
}

/** Brings a part of a moment back, as a change that can be undone; `text` names the moment in the change's note. */
export async function restorePart(
  changer: Changer,
  number: number,
  { database, collection }: Part,
  text: string,
): Promise<readonly string[]> {
  const on = database === undefined ? {} : { on: collection === undefined ? database : `${database}.${collection}` };
  const deed: Deed = { did: "restore", text, ...on };
  const parts = {
    ...(database === undefined ? {} : { database }),
    ...(collection === undefined ? {} : { collection }),
  };
  const reply = await change(changer, "admin", { quireRestore: number, ...parts }, deed);
  return (reply["restored"] as readonly unknown[]).map(String);
}

/** Gives a moment a name, or takes it away. */
export async function nameMoment(commander: Commander, number: number, name: string | null): Promise<void> {
  await askPlain(commander, "admin", { quireNameMoment: number, name });
}

/** Keeps the present under a name. */
export async function bookmark(commander: Commander, name: string): Promise<number> {
  return Number((await askPlain(commander, "admin", { quireMoment: 1, name }))["number"]);
}

/** Drops a moment; gives the pages that this freed. */
export async function dropMoment(commander: Commander, number: number): Promise<number> {
  return Number((await askPlain(commander, "admin", { quireDropMoment: number }))["pagesFreed"]);
}
