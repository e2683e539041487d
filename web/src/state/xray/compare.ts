/**
 * A command before and after an index, or several: both runs on a fork of the data, which is gone afterwards.
 *
 * Invariants: nothing of the reader's data changes until the indexes are kept, all together; both sides are the
 * engine's own accounting of one run each, the indexes made between them, and read as far as the reader's run did.
 */
import type { Document } from "bson";
import { EXPLAINED_CURSORS } from "../../engine/commands.generated.ts";
import { ask, change, Refusal, type Changer, type Commander } from "../data/ask.ts";
import { countedIn, readInsight, type Reading } from "../insight.ts";
import { ofRun, readPlan, type Plan } from "../plan.ts";
import { fieldOf, numberOf, partsOf } from "../values.ts";
import { nameOf } from "./index-key.ts";

export interface Side {
  readonly plan: Plan;
  readonly reading: Reading;
  readonly millis: number;
}

export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  /** The new indexes that the second run did not go through, by name. */
  readonly unused: readonly string[];
  /** How many documents both runs gave. */
  readonly documents: number;
}

export interface TriedIndexes {
  readonly database: string;
  readonly collection: string;
  readonly keys: readonly Document[];
}

/** Fields of a command that belong to the request around it, and have no place in a command inside a fork. */
const outer = new Set(["$db", "lsid", "$clusterTime", "$readPreference", "maxTimeMS", "writeConcern"]);

const specifications = (keys: readonly Document[]): Document[] => keys.map((key) => ({ key, name: nameOf(key) }));

/** Documents that a run gives at most where not all are read: each run's reply holds them. */
const mostDocuments = 1000;

/**
 * Runs a command without and with indexes.
 *
 * @param documents how many documents are read, where that is not all of them
 */
export async function compareIndexes(
  commander: Commander,
  command: Document,
  { database, collection, keys }: TriedIndexes,
  documents: number | null = null,
): Promise<Comparison> {
  const inner = Object.fromEntries(partsOf(command).filter(([name]) => !outer.has(name)));
  const observed = { quireObserve: 1, command: documents === null ? wholly(inner) : limited(inner, documents) };
  const reply = await ask(commander, database, {
    // The first run of each pair brings its pages and plan into memory; the second is the one that counts.
    quireFork: 1,
    commands: [observed, observed, { createIndexes: collection, indexes: specifications(keys) }, observed, observed],
  });
  const replies = reply["replies"] as readonly Document[];
  for (const one of replies) if (numberOf(one["ok"]) !== 1) throw new Refusal(one);
  const [before, after] = [sideOf(replies[1]), sideOf(replies[4])];
  if (before === null || after === null) throw new Error("the engine explained neither run");
  const used = [
    ...after.reading.indexes,
    ...after.reading.notes.flatMap((note) => (note.kind === "joined" ? note.indexes : [])),
  ];
  const unused = keys.map(nameOf).filter((name) => !used.includes(name));
  return { before, after, unused, documents: before.reading.returned ?? 0 };
}

/** A command that is run to its end: an explain does that, and gives no documents. */
function wholly(command: Document): Document {
  const { batchSize: _batchSize, singleBatch: _singleBatch, ...whole } = command;
  const explained = "pipeline" in whole ? { ...whole, cursor: {} } : whole;
  return { explain: explained, verbosity: "executionStats" };
}

/** A command whose first batch has so many documents. */
function limited(command: Document, documents: number): Document {
  const [name] = partsOf(command)[0] ?? [""];
  const batchSize = Math.max(1, Math.min(documents, mostDocuments));
  if ("pipeline" in command) return { ...command, cursor: { batchSize } };
  return EXPLAINED_CURSORS.includes(name) ? { ...command, batchSize } : command;
}

function sideOf(reply: Document | undefined): Side | null {
  const observed = fieldOf(reply, "observed");
  const counted = countedIn(observed);
  const plan = ofRun(readPlan(fieldOf(observed, "explain") ?? fieldOf(reply, "reply")), counted);
  if (plan === null || counted === null) return null;
  return { plan, reading: readInsight(plan, counted), millis: numberOf(fieldOf(observed, "millis")) ?? 0 };
}

/** Makes the indexes for good. */
export async function keepIndexes(changer: Changer, { database, collection, keys }: TriedIndexes): Promise<void> {
  await change(
    changer,
    database,
    { createIndexes: collection, indexes: specifications(keys) },
    { did: "create-index", on: collection, text: keys.map(nameOf).join(", ") },
  );
}

/** One figure without and with the index. */
export interface Change {
  readonly before: number;
  readonly after: number;
  /** The figure before divided by the one after: above 1 where it fell; null where it fell to 0. */
  readonly less: number | null;
}

export function changeOf(before: number, after: number): Change {
  return { before, after, less: after === 0 ? null : before / after };
}
