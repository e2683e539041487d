/**
 * A TTL index under a dial: when each document expires, by the dates it holds and the seconds of the index.
 *
 * Invariants: the rule is the engine's: an array expires by its earliest date, a value that is no date never does, and
 * a partial index expires only the documents that it holds. Nothing is changed unless the reader sets the clock.
 */
import type { Document } from "bson";
import { ask, cursorOf, type Commander } from "../data/ask.ts";
import { fieldOf, numberOf, partsOf } from "../values.ts";

export interface Expiring {
  readonly id: unknown;
  readonly expires: number;
}

export interface Expiry {
  readonly database: string;
  readonly collection: string;
  readonly index: string;
  readonly field: string;
  readonly seconds: number;
  /** The engine's time when it was asked, and by how much it differs from the host's. */
  readonly now: number;
  readonly offset: number;
  /** The soonest to expire first. */
  readonly documents: readonly Expiring[];
  /** The number of documents that will expire some day; more than `documents` holds in a large collection. */
  readonly dated: number;
  /** The number of documents that never expire. */
  readonly lasting: number;
  /** The filter that finds the documents which will expire. */
  readonly filter: Document;
}

/** The most documents that are drawn one by one. */
export const expiringShown = 200;

/** Reads the documents of a TTL index. */
export async function readExpiry(
  commander: Commander,
  database: string,
  collection: string,
  index: string,
): Promise<Expiry> {
  const indexes = cursorOf(await ask(commander, database, { listIndexes: collection })).documents;
  const definition = indexes.find((each) => fieldOf(each, "name") === index);
  const field = partsOf((fieldOf(definition, "key") ?? {}) as Document)[0]?.[0] ?? "";
  const seconds = numberOf(fieldOf(definition, "expireAfterSeconds")) ?? 0;
  const partial = fieldOf(definition, "partialFilterExpression") as Document | undefined;
  const filter: Document = { $and: [{ [field]: { $type: "date" } }, ...(partial === undefined ? [] : [partial])] };
  const clock = await ask(commander, "admin", { quireClock: 1 });
  const rows = cursorOf(
    await ask(commander, database, {
      aggregate: collection,
      pipeline: [
        { $match: filter },
        { $sort: { [field]: 1 } },
        { $limit: expiringShown },
        { $project: { _id: 0, id: "$_id", at: `$${field}` } },
      ],
      cursor: { batchSize: expiringShown },
    }),
  ).documents;
  const dated = await countOf(commander, database, collection, filter);
  const all = await countOf(commander, database, collection, {});
  return {
    database,
    collection,
    index,
    field,
    seconds,
    now: timeOf(clock["now"]) ?? 0,
    offset: numberOf(clock["offsetMillis"]) ?? 0,
    documents: rows.flatMap((row) => {
      const at = earliest(fieldOf(row, "at"));
      return at === null ? [] : [{ id: fieldOf(row, "id"), expires: at + 1000 * seconds }];
    }),
    dated,
    lasting: all - dated,
    filter,
  };
}

async function countOf(commander: Commander, database: string, collection: string, query: Document): Promise<number> {
  return numberOf((await ask(commander, database, { count: collection, query }))["n"]) ?? 0;
}

function timeOf(value: unknown): number | null {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.getTime() : null;
}

/** The earliest date of a value; arrays along the path give arrays of arrays. */
function earliest(value: unknown): number | null {
  if (!Array.isArray(value)) return timeOf(value);
  const dates = value.map(earliest).filter((date) => date !== null);
  return dates.length === 0 ? null : Math.min(...dates);
}

/** The number of documents expired once the engine's clock shows `time`; null where only the engine can tell. */
export function goneBy(expiry: Expiry, time: number): number | null {
  const gone = expiry.documents.filter(({ expires }) => expires <= time).length;
  return gone < expiry.documents.length || expiry.documents.length === expiry.dated ? gone : null;
}

/** The same, asked of the engine, for a collection that is not drawn whole. */
export function countGone(commander: Commander, expiry: Expiry, time: number): Promise<number> {
  const latest = new Date(time - 1000 * expiry.seconds);
  return countOf(commander, expiry.database, expiry.collection, {
    $and: [expiry.filter, { [expiry.field]: { $lte: latest } }],
  });
}

/** The time at which the dial ends: a little after the last document drawn, and an hour from now at least. */
export function dialEnd(expiry: Expiry): number {
  const last = expiry.documents.at(-1)?.expires ?? expiry.now;
  return Math.max(expiry.now + 3_600_000, Math.ceil(last + (last - expiry.now) * 0.05));
}

/** Sets the engine's clock forward to a time. */
export async function setClock(commander: Commander, expiry: Expiry, time: number): Promise<void> {
  const clock = await ask(commander, "admin", { quireClock: 1 });
  const now = timeOf(clock["now"]) ?? expiry.now;
  await ask(commander, "admin", { quireClock: 1, advanceMillis: BigInt(Math.round(time - now)) });
  // The engine deletes expired documents before it runs the next command, whichever that is.
  await ask(commander, "admin", { ping: 1 });
}

/** Lets the engine's clock show the host's time again. */
export async function resetClock(commander: Commander): Promise<void> {
  await ask(commander, "admin", { quireClock: 1, reset: true });
}
