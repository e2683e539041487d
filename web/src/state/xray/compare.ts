/**
 * A command before and after an index: both runs on a fork of the data, which is gone afterwards.
 *
 * Invariants: nothing of the reader's data changes until the index is kept; both sides are the engine's own accounting
 * of one run each, the index made between them.
 */
import type { Document } from "bson";
import { ask, change, Refusal, type Changer, type Commander } from "../data/ask.ts";
import { countedIn, readInsight, type IndexKey, type Reading } from "../insight.ts";
import { ofRun, readPlan, type Plan } from "../plan.ts";
import { fieldOf, numberOf, partsOf } from "../values.ts";

export interface Side {
  readonly plan: Plan;
  readonly reading: Reading;
  readonly millis: number;
}

export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  /** Whether the second run went through the new index. */
  readonly isUsed: boolean;
}

export interface TriedIndex {
  readonly database: string;
  readonly collection: string;
  readonly key: Document;
}

/** What a fork's command must not carry. */
const outer = new Set(["$db", "lsid", "$clusterTime", "$readPreference", "maxTimeMS", "writeConcern"]);

/** The name an index gets that is not given one. */
export function nameOf(key: Document): string {
  return partsOf(key)
    .map(([field, kind]) => `${field}_${String(kind)}`)
    .join("_");
}

/** Runs a command without and with an index. */
export async function compareIndex(commander: Commander, command: Document, index: TriedIndex): Promise<Comparison> {
  const inner = Object.fromEntries(partsOf(command).filter(([name]) => !outer.has(name)));
  const observed = { quireObserve: 1, command: inner };
  const indexes = [{ key: index.key, name: nameOf(index.key) }];
  const reply = await ask(commander, index.database, {
    // The first run warms what both need, and is not looked at.
    quireFork: 1,
    commands: [observed, observed, { createIndexes: index.collection, indexes }, observed, observed],
  });
  const replies = reply["replies"] as readonly Document[];
  for (const one of replies) if (numberOf(one["ok"]) !== 1) throw new Refusal(one);
  const [before, after] = [sideOf(replies[1]), sideOf(replies[4])];
  if (before === null || after === null) throw new Error("the engine explained neither run");
  return { before, after, isUsed: after.reading.indexes.includes(nameOf(index.key)) || joins(after, index) };
}

function joins(side: Side, index: TriedIndex): boolean {
  return side.reading.notes.some((note) => note.kind === "joined" && note.indexes.includes(nameOf(index.key)));
}

function sideOf(reply: Document | undefined): Side | null {
  const observed = fieldOf(reply, "observed");
  const counted = countedIn(observed);
  const plan = ofRun(readPlan(fieldOf(observed, "explain")), counted);
  if (plan === null || counted === null) return null;
  return { plan, reading: readInsight(plan, counted), millis: numberOf(fieldOf(observed, "millis")) ?? 0 };
}

/** Makes the index for good. */
export async function keepIndex(changer: Changer, { database, collection, key }: TriedIndex): Promise<void> {
  const name = nameOf(key);
  await change(
    changer,
    database,
    { createIndexes: collection, indexes: [{ key, name }] },
    { did: "create-index", on: collection, text: name },
  );
}

/** How one figure changed. */
export interface Change {
  readonly before: number;
  readonly after: number;
  /** How many times less; below 1 where it became more; null where there is nothing to divide by. */
  readonly less: number | null;
}

export function changeOf(before: number, after: number): Change {
  return { before, after, less: after === 0 ? null : before / after };
}

/** A key pattern as an index's fields and directions. */
export function patternOf(key: IndexKey): Document {
  return Object.fromEntries(key);
}

/** The words that an index's kind may be beside a direction. */
const kinds = new Set(["hashed", "text", "2dsphere", "2d"]);

/**
 * A key pattern as a reader types it: `{ kind: 1, "origin.country": -1 }`, with or without braces; a field alone is
 * ascending. Null where it is none.
 */
export function readKey(text: string): Document | null {
  const inside = text.trim().replace(/^\{/, "").replace(/\}$/, "").trim();
  const key: Document = {};
  if (inside === "") return null;
  for (const part of inside.split(",")) {
    const match = /^\s*(?:"([^"]+)"|'([^']+)'|([^\s:"',]+))\s*(?::\s*(-?1|"\w+"|'\w+'))?\s*$/.exec(part);
    const field = match?.[1] ?? match?.[2] ?? match?.[3];
    if (match === null || field === undefined || Object.hasOwn(key, field)) return null;
    const kind = (match[4] ?? "1").replace(/["']/g, "");
    if (/^-?1$/.test(kind)) key[field] = Number(kind);
    else if (kinds.has(kind)) key[field] = kind;
    else return null;
  }
  return key;
}
