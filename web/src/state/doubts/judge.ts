/**
 * Judges a statement's command by the data: which of its names and values no document has, and of an empty result which
 * condition left nothing.
 *
 * Invariants: every figure is of a command on the data, after the run; each takes a bounded time, and a figure that
 * took longer is not known. Nothing is judged of a collection without documents.
 */
import type { Document } from "bson";
import { ask, cursorOf, type Commander } from "../data/ask.ts";
import { fieldsOf, sampleDocuments, type Field } from "../fields.ts";
import { fieldOf, numberOf } from "../values.ts";
import { suspectsInCommand, targetOf, type Target } from "./command-suspects.ts";
import { undoubted, type Doubt, type Judged, type Why } from "./doubt.ts";
import { conditionsOf, type Suspect } from "./filter-suspects.ts";
import { isOfOption, meantBy } from "./series-names.ts";
import { joinedBy, type Others } from "./join-suspects.ts";

/** Documents whose fields are looked at before a name is called unknown. */
const sample = 40;
/** Milliseconds for one figure, and for each more once one took too long. */
const patience = 500;
const impatience = 60;
/** Collections of a database whose names are asked for. */
const mostNames = 10_000;
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
  const sampled = (name: string): Promise<readonly Document[]> => {
    const namespace = `${database}.${name}`;
    const asked = samples.get(namespace) ?? sampleDocuments(commander, database, name, sample);
    samples.set(namespace, asked);
    return asked;
  };
  const documents = await sampled(collection);
  if (documents.length === 0) return undoubted;
  const others = await othersOf(commander, database, fieldOf(command, "pipeline"), sampled).catch(() => null);
  const counter = new Counter(commander, target);
  const doubts: Doubt[] = [];
  const fields = fieldsOf(documents);
  const suspects = suspectsInCommand(command, fields, others);
  const options = suspects.some(isOfOption) ? await seriesOptions(commander, database, collection) : null;
  for (const told of suspects) {
    const suspect = options === null ? told : meantBy(told, options, fields);
    if (doubts.length === mostDoubts) break;
    if (suspect.whenEmpty === true && !isEmpty) continue;
    const { length } = suspect.collection === undefined ? documents : await sampled(suspect.collection);
    const doubt = await proved(suspect, counter, length);
    if (doubt !== null) doubts.push(doubt);
  }
  return { doubts, why: isEmpty ? await explainEmpty(target, counter) : null };
}

/** How a time series was made, where the collection is one. */
async function seriesOptions(commander: Commander, database: string, collection: string): Promise<unknown> {
  const listed = await ask(commander, database, { listCollections: 1, filter: { name: collection } }).catch(() => null);
  const info = listed === null ? undefined : cursorOf(listed).documents[0];
  return fieldOf(fieldOf(info, "options"), "timeseries") ?? null;
}

/** The collections that a pipeline takes in, and the names of all; null where it takes in none. */
async function othersOf(
  commander: Commander,
  database: string,
  pipeline: unknown,
  sampled: (name: string) => Promise<readonly Document[]>,
): Promise<Others | null> {
  const joined = joinedBy(pipeline);
  if (joined.length === 0) return null;
  const cursor = cursorOf(
    await ask(commander, database, { listCollections: 1, nameOnly: true, cursor: { batchSize: mostNames } }),
  );
  // A name may be among those that were not told.
  if (cursor.id !== 0n) return null;
  const names = cursor.documents.map((one) => String(one["name"]));
  const fields = new Map<string, readonly Field[]>();
  for (const name of joined) if (names.includes(name)) fields.set(name, fieldsOf(await sampled(name)));
  return { names, fields };
}

async function proved({ doubt, proof, collection }: Suspect, counter: Counter, seen: number): Promise<Doubt | null> {
  if (proof === null) return doubt;
  const count = await counter.count(proof, 1, collection);
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

  /**
   * How many documents match, `limit` of them at most; null where that takes too long or is refused. `other`: of that
   * collection.
   */
  async count(filter: Document, limit: number | null, other?: string): Promise<number | null> {
    const { database, collection, collation } = this.#target;
    try {
      const reply = await ask(this.#commander, database, {
        count: other ?? collection,
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
