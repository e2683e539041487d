/**
 * Reads the model of a database: a sample of each collection first, then the references, then all documents.
 *
 * Invariants: the model so far is told after each step, so that boxes are there long before everything is counted.
 * Reading ends between two commands once it is stopped, and the command under way is asked to end. One collection that
 * cannot be read does not take the others with it.
 */
import type { Document } from "bson";
import type { CollectionSummary } from "../../client/client.ts";
import { decode } from "../../codec/decode.ts";
import { ask, cursorOf, type Commander } from "../data/ask.ts";
import { collectionSource } from "../data/exporting.ts";
import { drawSample, sampleSize } from "../data/schema.ts";
import { numberOf } from "../values.ts";
import { candidatesOf } from "./candidates.ts";
import { Census } from "./census.ts";
import { measure } from "./measure.ts";
import { referenceKey, type FoundReference, type Model, type ModelCollection } from "./model.ts";
import { findReferences, targetsOf, type Source, type Target } from "./references.ts";

/** Milliseconds after which the page gets a turn. */
const turn = 30;

/** The step under way, to be shown with how far it has come. */
export interface Progress {
  readonly step: "sample" | "match" | "count" | "measure";
  readonly collection: string;
  /** Documents, or collections, or references. */
  readonly done: number;
  readonly of: number;
}

export interface Reading {
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
  /** Takes the model as far as it is read; called after each step. */
  came(model: Model): void;
}

/** The way of a command that ends when reading is stopped. */
export interface StoppableCommander {
  commandBytes(command: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
}

const worded = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Reads a database's model. Resolves also when it was stopped: the models told to `came` until then stay true. */
export async function readModel(
  page: StoppableCommander,
  database: string,
  listed: readonly CollectionSummary[],
  kept: ReadonlySet<string>,
  { signal, progress, came }: Reading,
): Promise<void> {
  // After the stop only `killCursors` is sent: it must not be stopped too.
  const commander: Commander = {
    commandBytes: (command) => page.commandBytes(command, signal.aborted ? undefined : signal),
  };
  const collections: ModelCollection[] = [];
  const sources: Source[] = [];
  const targets: Target[] = [];
  for (const [index, summary] of listed.entries()) {
    if (signal.aborted) return;
    progress({ step: "sample", collection: summary.name, done: index, of: listed.length });
    const base = describe(summary);
    try {
      const count = await countOf(commander, database, summary);
      const documents = await lookAt(commander, database, summary.name, count);
      collections.push({ ...base, ...accountOf(documents), count, isWhole: documents.length >= count });
      // A view's documents are those of its collection, whose references are found there.
      if (base.kind === "view") continue;
      sources.push({ collection: summary.name, candidates: candidatesOf(documents) });
      targets.push(...targetsOf(summary.name, base.unique, documents));
    } catch (error) {
      if (signal.aborted) return;
      collections.push({ ...base, documents: 0, fields: [], omitted: 0, failure: worded(error) });
    }
  }
  let references: readonly FoundReference[] = [];
  let [isSearched, untold] = [false, 0];
  const tell = (): void => came({ database, collections: [...collections], references, isSearched, untold });
  tell();
  try {
    const found = await findReferences(commander, database, sources, targets, kept, (done, of, collection) =>
      progress({ step: "match", collection, done, of }),
    );
    if (signal.aborted) return;
    ({ references, untold } = found);
    isSearched = true;
    tell();
    for (const [index, collection] of collections.entries()) {
      if (collection.isWhole || collection.failure !== null) continue;
      collections[index] = await countAll(commander, database, collection, signal, progress);
      if (signal.aborted) return;
      tell();
    }
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  // Doubtful ones are measured when the reader asks for them.
  const drawn = references.filter((reference) => reference.isLikely || kept.has(referenceKey(reference)));
  for (const [index, reference] of drawn.entries()) {
    progress({ step: "measure", collection: reference.from, done: index, of: drawn.length });
    const measured = await measureOne(commander, database, reference);
    if (signal.aborted) return;
    references = references.map((other) => (other === reference ? measured : other));
    tell();
  }
}

/** A reference with its cardinality, or with the reason why it has none. */
export async function measureOne(
  commander: Commander,
  database: string,
  reference: FoundReference,
): Promise<FoundReference> {
  try {
    return { ...reference, cardinality: await measure(commander, database, reference), failure: null };
  } catch (error) {
    return { ...reference, failure: worded(error) };
  }
}

function describe({
  name,
  type,
  capped,
  options,
  count,
  indexes,
}: CollectionSummary): Omit<ModelCollection, "documents" | "fields" | "omitted"> {
  const single = indexes
    .filter(({ unique }) => unique)
    .map(({ key }) => Object.keys(key))
    .flatMap((paths) => (paths.length === 1 ? paths : []));
  return {
    name,
    kind: type === "collection" && capped ? "capped" : type,
    source: typeof options["viewOn"] === "string" ? options["viewOn"] : null,
    count,
    isWhole: false,
    unique: [...new Set(type === "view" ? [] : ["_id", ...single])],
    validated: options["validator"] !== undefined,
    failure: null,
  };
}

function accountOf(documents: readonly Document[]): ReturnType<Census["account"]> {
  const census = new Census();
  for (const document of documents) census.take(document);
  return census.account();
}

async function countOf(commander: Commander, database: string, { name }: CollectionSummary): Promise<number> {
  return numberOf((await ask(commander, database, { count: name }))["n"]) ?? 0;
}

/** Documents of a collection: all in their order where they are few, and a sample else; fewer where they are large. */
async function lookAt(
  commander: Commander,
  database: string,
  collection: string,
  count: number,
): Promise<readonly Document[]> {
  if (count > sampleSize) return drawSample(commander, database, collection);
  const { documents, id } = cursorOf(await ask(commander, database, { find: collection, batchSize: sampleSize }));
  if (id !== 0n) await ask(commander, database, { killCursors: collection, cursors: [id] });
  return documents;
}

/** Counts the fields of all documents, batch by batch; when stopped gives the collection as it was known before. */
async function countAll(
  commander: Commander,
  database: string,
  collection: ModelCollection,
  signal: AbortSignal,
  progress: (progress: Progress) => void,
): Promise<ModelCollection> {
  const census = new Census();
  const { name, count } = collection;
  progress({ step: "count", collection: name, done: 0, of: count });
  for await (const batch of collectionSource(commander, database, name)(signal)) {
    // The source closes its cursor.
    if (signal.aborted) continue;
    let begun = performance.now();
    for (const bytes of batch) {
      census.take(decode(bytes, { numbers: "typed" }));
      if (performance.now() - begun < turn) continue;
      // Large documents: the page gets its turn between two.
      await new Promise((resolve) => setTimeout(resolve));
      begun = performance.now();
    }
    progress({ step: "count", collection: name, done: census.documents, of: Math.max(count, census.documents) });
  }
  if (signal.aborted) return collection;
  const account = census.account();
  return { ...collection, ...account, count: account.documents, isWhole: true };
}
