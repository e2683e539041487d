/**
 * A capped collection as a ring under a pen: its documents in stored order, the room that is left, and which documents
 * the next one will overwrite.
 *
 * Invariants: sizes are those of the documents themselves, limits those of `collStats`. Overwriting follows the
 * engine's rule: the oldest documents go until bytes and number are within the limits, the new one never does.
 */
import { ObjectId, type Document } from "bson";
import { encode } from "../../codec/encode.ts";
import { ask, change, cursorOf, type Changer, type Commander } from "../data/ask.ts";
import { fieldOf, numberOf } from "../values.ts";

export interface RingDocument {
  readonly document: Document;
  readonly bytes: number;
  /** Its record's number, which grows by one with each document written. */
  readonly record: number;
}

export interface Ring {
  readonly database: string;
  readonly collection: string;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly count: number;
  /** Null where only bytes are limited. */
  readonly maxCount: number | null;
  /** The oldest documents, the very oldest first: all of them unless `between` says otherwise. */
  readonly oldest: readonly RingDocument[];
  /** The newest documents, the very newest last; empty where `oldest` has them all. */
  readonly newest: readonly RingDocument[];
  /** The documents between the oldest and the newest read: their number and bytes, drawn as one piece. */
  readonly between: { readonly count: number; readonly bytes: number };
}

/** Documents asked for at each end of a long ring. */
export const ringEnds = 120;

/** Reads a capped collection: figures and documents of one state. */
export async function readRing(commander: Commander, database: string, collection: string): Promise<Ring> {
  const some = (limit: number, natural: 1 | -1): Document => ({
    find: collection,
    projection: { _id: 0, document: "$$ROOT", bytes: { $bsonSize: "$$ROOT" } },
    hint: { $natural: natural },
    showRecordId: true,
    limit,
    batchSize: limit,
  });
  // All commands of a fork see the same data, even where another tab writes meanwhile.
  const commands = [{ collStats: collection }, some(2 * ringEnds, 1), some(ringEnds, -1)];
  const replies = fieldOf(await ask(commander, database, { quireFork: 1, commands }), "replies") as readonly Document[];
  const failed = replies.find((reply) => Number(fieldOf(reply, "ok")) !== 1);
  if (failed !== undefined) throw new Error(String(fieldOf(failed, "errmsg") ?? ""));
  const documents = (reply: Document | undefined): readonly RingDocument[] =>
    cursorOf(reply ?? {}).documents.map((row) => ({
      document: fieldOf(row, "document") as Document,
      bytes: numberOf(fieldOf(row, "bytes")) ?? 0,
      record: numberOf(fieldOf(row, "$recordId")) ?? 0,
    }));
  const [statistics = {}, first, last] = replies;
  const figure = (name: string): number => numberOf(fieldOf(statistics, name)) ?? 0;
  const [count, bytes, maxCount] = [figure("count"), figure("size"), figure("max")];
  const isLong = count > 2 * ringEnds;
  const oldest = documents(first).slice(0, isLong ? ringEnds : 2 * ringEnds);
  const newest = isLong ? documents(last).toReversed() : [];
  const shown = [...oldest, ...newest].reduce((sum, each) => sum + each.bytes, 0);
  return {
    database,
    collection,
    bytes,
    maxBytes: figure("maxSize"),
    count,
    maxCount: maxCount > 0 ? maxCount : null,
    oldest,
    newest,
    between: { count: Math.max(0, count - oldest.length - newest.length), bytes: Math.max(0, bytes - shown) },
  };
}

/** The newest document; null where there is none. */
export function newestOf(ring: Ring | null): RingDocument | null {
  return ring === null ? null : (ring.newest.at(-1) ?? ring.oldest.at(-1) ?? null);
}

/**
 * Where the ring begins, as a share of the turn from the pen: the place of record 1, and of each record a whole round
 * later. Null where places are not fixed: where bytes are the limit, or records between the oldest and the newest are
 * gone.
 */
export function beginningOf(ring: Ring): number | null {
  const [first, last] = [ring.oldest[0]?.record, newestOf(ring)?.record];
  if (measureOf(ring) !== "documents" || first === undefined || last === undefined) return null;
  const round = ring.maxCount ?? 0;
  if (last - first + 1 !== ring.count || ring.count > round) return null;
  const free = (round - ring.count) / round;
  const at = free - ((first - 1) % round) / round;
  return at < 0 ? at + 1 : at;
}

/** How many of the oldest documents a new one of so many bytes overwrites; null where it goes beyond those known. */
export function overwrittenBy(ring: Ring, newBytes: number): number | null {
  let bytes = ring.bytes + newBytes;
  let count = ring.count + 1;
  const exceeds = (): boolean => bytes > ring.maxBytes || (ring.maxCount !== null && count > ring.maxCount);
  for (let gone = 0; ; gone += 1) {
    if (!exceeds() || gone === ring.count) return gone;
    const next = ring.oldest[gone];
    if (next === undefined) return null;
    bytes -= next.bytes;
    count -= 1;
  }
}

/** A piece of the ring, clockwise from the pen: the free room, then the oldest, at last the newest. */
export interface Sector {
  readonly kind: "free" | "document" | "between";
  readonly document: RingDocument | null;
  /** 1 is the oldest; null for a piece that is no document. */
  readonly place: number | null;
  /** The piece's beginning and end, from the pen, as shares of the whole turn. */
  readonly from: number;
  readonly to: number;
  /** The next document takes its place. */
  readonly isNext: boolean;
}

/** The limit by which a ring is drawn, bytes or documents: the one that is nearer to being reached. */
export function measureOf(ring: Ring): "bytes" | "documents" {
  return ring.maxCount !== null && ring.count / ring.maxCount >= ring.bytes / ring.maxBytes ? "documents" : "bytes";
}

/** The ring's pieces; `overwritten` of the oldest are marked. */
export function sectorsOf(ring: Ring, overwritten: number): readonly Sector[] {
  const measure = measureOf(ring);
  // One document may be larger than the ring, which it then fills alone.
  const whole = measure === "bytes" ? Math.max(ring.maxBytes, ring.bytes) : Math.max(ring.maxCount ?? 0, ring.count);
  const used = measure === "bytes" ? ring.bytes : ring.count;
  const sectors: Sector[] = [];
  let at = 0;
  const put = (kind: Sector["kind"], size: number, document: RingDocument | null, place: number | null): void => {
    if (size <= 0) return;
    const to = at + size / whole;
    sectors.push({ kind, document, place, from: at, to, isNext: place !== null && place <= overwritten });
    at = to;
  };
  put("free", whole - used, null, null);
  const each = (document: RingDocument): number => (measure === "bytes" ? document.bytes : 1);
  for (const [index, document] of ring.oldest.entries()) put("document", each(document), document, index + 1);
  put("between", measure === "bytes" ? ring.between.bytes : ring.between.count, null, null);
  for (const [index, document] of ring.newest.entries())
    put("document", each(document), document, ring.count - ring.newest.length + index + 1);
  return sectors;
}

/** A copy of a document with an `_id` of its own, as a logger writes one more line; and its bytes. */
export function anotherLike(like: RingDocument): { readonly document: Document; readonly bytes: number } {
  const document: Document = { ...like.document, _id: new ObjectId() };
  return { document, bytes: encode(document).length };
}

/** Writes a document. */
export async function writeInto(changer: Changer, ring: Ring, document: Document): Promise<void> {
  await change(
    changer,
    ring.database,
    { insert: ring.collection, documents: [document] },
    { did: "insert", on: ring.collection },
  );
}
