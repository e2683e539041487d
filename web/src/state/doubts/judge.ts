/**
 * Judges a statement's command by the data: which of its names and values no document has, and of an empty result which
 * condition left nothing.
 *
 * Invariants: every figure is of a command on the data, after the run; each takes a bounded time, and a figure that
 * took longer is not known. Nothing is judged of a collection without documents.
 */
import type { Document } from "bson";
import { ask, type Commander } from "../data/ask.ts";
import { fieldsOf, sampleDocuments } from "../fields.ts";
import { numberOf } from "../values.ts";
import { suspectsInCommand, targetOf, type Target } from "./command-suspects.ts";
import { undoubted, type Doubt, type Judged, type Why } from "./doubt.ts";
import { conditionsOf, type Suspect } from "./filter-suspects.ts";

/** Documents whose fields are looked at before a name is called unknown. */
const sample = 40;
/** Milliseconds for one figure, and for each more once one took too long. */
const patience = 500;
const impatience = 60;
const mostDoubts = 6;
const mostConditions = 8;

/** Documents of collections that were looked at already, by namespace. */
export type Samples = Map<string, Promise<readonly Document[]>>;

/** Judges a command; `isEmpty`: it found nothing. */
export async function judge(
  commander: Commander,
  command: Document,
  isEmpty: boolean,
  samples: Samples = new Map(),
): Promise<Judged> {
  const target = targetOf(command);
  if (target === null || target.collection.startsWith("system.")) return undoubted;
  const { database, collection } = target;
  const namespace = `${database}.${collection}`;
  const asked = samples.get(namespace) ?? sampleDocuments(commander, database, collection, sample);
  samples.set(namespace, asked);
  const documents = await asked;
  if (documents.length === 0) return undoubted;
  const counter = new Counter(commander, target);
  const doubts: Doubt[] = [];
  for (const suspect of suspectsInCommand(command, fieldsOf(documents))) {
    if (doubts.length === mostDoubts) break;
    if (suspect.whenEmpty === true && !isEmpty) continue;
    const doubt = await proved(suspect, counter, documents.length);
    if (doubt !== null) doubts.push(doubt);
  }
  return { doubts, why: isEmpty ? await explainEmpty(target, counter) : null };
}

async function proved({ doubt, proof }: Suspect, counter: Counter, seen: number): Promise<Doubt | null> {
  if (proof === null) return doubt;
  const count = await counter.count(proof, 1);
  if (count === 0) return doubt;
  return count === null && doubt.kind === "unknown-path" ? { ...doubt, seen } : null;
}

async function explainEmpty(target: Target, counter: Counter): Promise<Why | null> {
  const all = conditionsOf(target.filter);
  if (all.length === 0) return null;
  // The filter is not the reason where it leaves documents: a skip, a later stage, or a write since.
  if (((await counter.count(target.filter as Document, 1)) ?? 0) > 0) return null;
  const documents = await counter.count({}, null);
  const conditions: { text: string; count: number | null }[] = [];
  for (const { text, filter } of all.slice(0, mostConditions))
    conditions.push({ text, count: await counter.count(filter, null) });
  return { documents, conditions, more: Math.max(0, all.length - mostConditions) };
}

/** Counts documents, each time within a bounded time. */
class Counter {
  readonly #commander: Commander;
  readonly #target: Target;
  #patience = patience;

  constructor(commander: Commander, target: Target) {
    this.#commander = commander;
    this.#target = target;
  }

  /** How many documents match, `limit` of them at most; null where that takes too long or is refused. */
  async count(filter: Document, limit: number | null): Promise<number | null> {
    const { database, collection, collation } = this.#target;
    try {
      const reply = await ask(this.#commander, database, {
        count: collection,
        query: filter,
        ...(limit === null ? {} : { limit }),
        ...(collation === undefined ? {} : { collation }),
        maxTimeMS: this.#patience,
      });
      return numberOf(reply["n"]);
    } catch {
      this.#patience = impatience;
      return null;
    }
  }
}
