/**
 * A capped collection as a ring under a pen: its documents in stored order, the room that is left, and which documents
 * the next one will overwrite.
 *
 * Invariants: sizes are those of the documents themselves, limits those of `collStats`; what is overwritten follows the
 * engine's own rule: the oldest go until bytes and number are within the limits, the new one never does.
 */
import { ObjectId, type Document } from "bson";
import { ask, change, cursorOf, type Changer, type Commander } from "../data/ask.ts";
import { fieldOf, numberOf } from "../values.ts";

export interface RingDocument {
  readonly document: Document;
  readonly bytes: number;
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
  /** How many lie between, and their bytes: they are drawn as one. */
  readonly between: { readonly count: number; readonly bytes: number };
}

/** Documents asked for at each end of a long ring. */
export const ringEnds = 120;

/** Reads a capped collection. */
export async function readRing(commander: Commander, database: string, collection: string): Promise<Ring> {
  const statistics = await ask(commander, database, { collStats: collection });
  const count = numberOf(statistics["count"]) ?? 0;
  const bytes = numberOf(statistics["size"]) ?? 0;
  const maxCount = numberOf(statistics["max"]) ?? 0;
  const some = async (...stages: Document[]): Promise<readonly RingDocument[]> => {
    const reply = await ask(commander, database, {
      aggregate: collection,
      pipeline: [...stages, { $project: { _id: 0, document: "$$ROOT", bytes: { $bsonSize: "$$ROOT" } } }],
      hint: { $natural: 1 },
      cursor: { batchSize: 2 * ringEnds },
    });
    return cursorOf(reply).documents.map((row) => ({
      document: fieldOf(row, "document") as Document,
      bytes: numberOf(fieldOf(row, "bytes")) ?? 0,
    }));
  };
  const isLong = count > 2 * ringEnds;
  const oldest = await some({ $limit: isLong ? ringEnds : 2 * ringEnds });
  const newest = isLong ? await some({ $skip: count - ringEnds }) : [];
  const shown = [...oldest, ...newest].reduce((sum, each) => sum + each.bytes, 0);
  return {
    database,
    collection,
    bytes,
    maxBytes: numberOf(statistics["maxSize"]) ?? 0,
    count,
    maxCount: maxCount > 0 ? maxCount : null,
    oldest,
    newest,
    between: { count: Math.max(0, count - oldest.length - newest.length), bytes: Math.max(0, bytes - shown) },
  };
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
  /** As shares of the whole turn. */
  readonly from: number;
  readonly to: number;
  /** The next document takes its place. */
  readonly isNext: boolean;
}

/** Which of its two limits a ring is drawn by: the one that is nearer. */
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

/** Writes a copy of a document with an `_id` of its own, as a logger writes one more line. */
export async function writeAnother(changer: Changer, ring: Ring, like: RingDocument): Promise<void> {
  const document: Document = { ...like.document, _id: new ObjectId() };
  await change(
    changer,
    ring.database,
    { insert: ring.collection, documents: [document] },
    { did: "insert", on: ring.collection },
  );
}
