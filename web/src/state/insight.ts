/**
 * A plan read for a reader: one verdict, notes on other things worth saying, the figures behind them, and the index
 * that would help.
 *
 * Invariants: pure; says nothing about words, which are the messages'; every figure is one of the run that explain
 * describes; suggests an index only where documents were read for nothing, a sort was made in memory, or a join read a
 * whole collection for each document.
 */
import type { IndexSummary } from "../client/client.ts";
import { givenBy, joinedCollection } from "./plan-flow.ts";
import { collectionOf, stagesOf, type Plan, type PlanStage } from "./plan.ts";
import type { Document } from "bson";
import { searchedIn, wordless } from "./searched.ts";
import { isOfBuckets, readerField, seriesOf, type PlanSeries } from "./series.ts";
import { fieldOf, isNested, numberOf, partsOf, typeOf } from "./values.ts";

export type Verdict =
  /** Answered out of an index alone. */
  | "covered"
  /** Counted by walking an index, or by jumping from value to value in it. */
  | "counted"
  | "distinct"
  /** The collection's own count. */
  | "counter"
  /** One document by its `_id`, or by another unique key; and there was none. */
  | "by-id"
  | "by-key"
  | "by-id-missing"
  /** An index led to the answer and nothing else. */
  | "exact"
  /** An index led to the answer and nothing else, through more keys than documents. */
  | "exact-keys"
  /** The whole of an index, for its order. */
  | "ordered"
  /** An index was walked for its order, and led to more documents than were needed. */
  | "ordered-and-more"
  /** An index led to more documents than were needed. */
  | "index-and-more"
  /** An index was looked into, and there was no such key. */
  | "index-none"
  /** Every document was read, and every document was wanted. */
  | "whole"
  /** The first documents were read, and no more were wanted. */
  | "part"
  /** Every document was read to find some. */
  | "scan"
  /** Documents were read until enough were found. */
  | "scan-part"
  /** A part of a collection that is stored in the order of its `_id`. */
  | "clustered"
  /** The plan alone, without figures, through an index or not. */
  | "planned-index"
  | "planned-scan"
  /** Nothing could match: the collection does not exist or the filter is never true. */
  | "nothing"
  /** A search for words has stop words alone, or words that must not occur. */
  | "stop-words"
  | "excluded-words"
  | "empty"
  /** A pipeline that reads no collection. */
  | "made";

/** A remark beside the verdict, as that the result was sorted in memory. */
export type Note =
  | { readonly kind: "sorted"; readonly documents: number | null; readonly kept: number | null }
  | { readonly kind: "spilled" }
  /** Readings that came out of a time series' buckets; `isChosen`: each was looked at, and those told matched. */
  | { readonly kind: "unpacked"; readonly count: number; readonly isChosen: boolean }
  | { readonly kind: "skipped"; readonly count: number }
  /** Keys which led to a document that had been seen: so many at most, where it says so. */
  | { readonly kind: "repeated"; readonly count: number; readonly isMost?: boolean }
  | { readonly kind: "sampled"; readonly size: number; readonly of: number }
  | {
      readonly kind: "joined";
      readonly collection: string;
      readonly times: number;
      readonly keys: number;
      readonly documents: number;
      /** The number of times that the whole collection was read. */
      readonly scans: number;
      readonly indexes: readonly string[];
    }
  /** Keys and documents that stages examined beside the read itself; the plan tells no figures of those stages. */
  | { readonly kind: "beside"; readonly stages: readonly string[]; readonly keys: number; readonly documents: number }
  | { readonly kind: "failed"; readonly message: string };

export type IndexKey = readonly (readonly [string, 1 | -1 | "2dsphere"])[];

/** Indexes that would help, all of them together. */
export interface Suggestion {
  readonly collection: string;
  /** Each in the order equality, sort, range. */
  readonly keys: readonly IndexKey[];
  /** The keys are for branches of an `$or`, each of which needs an index; branches that have one are left out. */
  readonly isForBranches: boolean;
}

/** An index that the collection has. */
export type KnownIndex = Pick<IndexSummary, "key" | "hidden" | "partial" | "sparse">;

export interface Reading {
  readonly verdict: Verdict;
  readonly notes: readonly Note[];
  readonly indexes: readonly string[];
  /** The text that was searched for; null where none was. */
  readonly searched: string | null;
  /** The documents of the read are the buckets of a time series. */
  readonly isOfBuckets: boolean;
  /**
   * The figures of the verdict: keys and documents of the read itself, without those of joins, and each document once
   * that one stage opened and a later one looked at again.
   */
  readonly keys: number;
  readonly documents: number;
  readonly found: number;
  /** The figures of the whole command, joins included; `returned` is the number of documents of its last stage. */
  readonly returned: number | null;
  readonly keysExamined: number | null;
  readonly documentsExamined: number | null;
  readonly pagesRead: number | null;
  readonly millis: number | null;
  readonly suggestion: Suggestion | null;
  /** Whether it could be done better, or went wrong. */
  readonly isWrong: boolean;
  /** Some pages may be counted more than once: once in each batch that read them. */
  readonly arePagesRepeated?: boolean;
  /** The verdict and the notes are of the first batch; so much came after it, which the figures have too. */
  readonly since?: Since;
}

/** The figures of the batches after the first. */
export interface Since {
  readonly documents: number;
  readonly keysExamined: number;
  readonly documentsExamined: number;
  /** The note of repeated keys, of the first batch too; absent where it is not known, and among the notes. */
  readonly repeated?: Note;
}

/** Counts of the engine while a command ran, some of which no explain tells: pages, and the reads of every join. */
export interface Counted {
  readonly keysExamined: number;
  readonly documentsExamined: number;
  readonly pagesRead: number;
  readonly millis: number | null;
}

/** The counts of an observation, as `quireObserve` gives it. */
export function countedIn(observed: unknown): Counted | null {
  const [keysExamined, documentsExamined, pagesRead] = ["keysExamined", "documentsExamined", "pagesRead"].map((name) =>
    numberOf(fieldOf(observed, name)),
  );
  if (keysExamined == null || documentsExamined == null || pagesRead == null) return null;
  return { keysExamined, documentsExamined, pagesRead, millis: numberOf(fieldOf(observed, "millis")) };
}

/**
 * Reads a plan.
 *
 * @param counted the accounting of the run itself, where there is one
 * @param known the indexes that the collection has, which are not suggested
 */
export function readInsight(plan: Plan, counted: Counted | null = null, known: readonly KnownIndex[] = []): Reading {
  const stages = stagesOf(plan.root);
  const indexes = [...new Set(stages.flatMap((stage) => (stage.indexName === null ? [] : [stage.indexName])))];
  const { execution } = plan;
  const { verdict, found, documents = execution?.documentsExamined ?? 0 } = judge(plan, stages, indexes);
  const series = seriesOf(plan);
  const suggestion = suggest(plan, series, stages, verdict, known);
  const joins = stages.filter((stage) => stage.name.startsWith("$"));
  const sum = (of: (stage: PlanStage) => number | null): number =>
    joins.reduce((total, stage) => total + (of(stage) ?? 0), 0);
  const told = {
    keys: (execution?.keysExamined ?? 0) + sum((stage) => stage.keysExamined),
    documents: (execution?.documentsExamined ?? 0) + sum((stage) => stage.documentsExamined),
  };
  const notes = [
    ...(found === 0 ? [] : unpackedOf(series)),
    ...notesOf(plan, stages),
    ...besideOf(joins, told, counted),
  ];
  const isRun = execution !== null || plan.root.returned !== null;
  return {
    verdict,
    notes,
    indexes,
    searched: searchedIn(plan.parsedQuery),
    isOfBuckets: series !== null,
    keys: execution?.keysExamined ?? 0,
    documents,
    found,
    returned: isRun ? givenBy(plan.root) : null,
    keysExamined: counted?.keysExamined ?? (isRun ? told.keys : null),
    documentsExamined: counted?.documentsExamined ?? (isRun ? told.documents : null),
    pagesRead: counted?.pagesRead ?? execution?.pagesRead ?? null,
    millis: counted?.millis ?? execution?.millis ?? null,
    suggestion,
    isWrong:
      verdict === "scan" ||
      verdict === "planned-scan" ||
      suggestion !== null ||
      notes.some(
        (note) => note.kind === "failed" || note.kind === "spilled" || (note.kind === "joined" && note.scans > 0),
      ),
  };
}

function judge(
  plan: Plan,
  stages: readonly PlanStage[],
  indexes: readonly string[],
): { readonly verdict: Verdict; readonly found: number; readonly documents?: number } {
  const has = (name: string): boolean => stages.some((stage) => stage.name === name);
  const { execution } = plan;
  const keys = execution?.keysExamined ?? 0;
  const documents = execution?.documentsExamined ?? 0;
  const scan = stages.find((stage) => stage.name === "COLLSCAN");
  const given = (stage: PlanStage | undefined): number => givenBy(stage ?? null) ?? 0;
  const of = (verdict: Verdict, found = execution?.returned ?? 0) => ({ verdict, found });

  if (plan.namespace === null && execution === null && scan === undefined && indexes.length === 0) return of("made");
  if (has("EOF")) return of(wordless(plan, stages) ?? "nothing");
  if (execution === null) return of(scan === undefined ? "planned-index" : "planned-scan");
  if (has("RECORD_STORE_FAST_COUNT")) return of("counter", given(plan.root));
  if (scan !== undefined) {
    const isFiltered = isNested(scan.filter) && partsOf(scan.filter).length > 0;
    const found = scan.returned ?? execution.returned;
    const isPart = scan.ended === false;
    if (documents === 0 && !isPart) return of("empty", found);
    if (isFiltered) return of(isPart ? "scan-part" : "scan", found);
    return of(isPart ? "part" : "whole", found);
  }
  const direct = stages.find((stage) => /^(IDHACK|EXPRESS_)/.test(stage.name));
  const clustered = stages.find((stage) => /^(EXPRESS_)?CLUSTERED_IXSCAN$/.test(stage.name));
  if (direct !== undefined || (indexes.length === 1 && indexes[0] === "_id_" && documents === 1 && keys === 1)) {
    if (documents === 0) return of(indexes.every((name) => name === "_id_") ? "by-id-missing" : "index-none");
    return of(indexes.every((name) => name === "_id_") ? "by-id" : "by-key");
  }
  if (clustered !== undefined) {
    const one = clustered.details.filter(([name]) => name === "minRecord" || name === "maxRecord").map(([, at]) => at);
    return of(one.length === 2 && one[0] === one[1] ? (documents === 0 ? "by-id-missing" : "by-id") : "clustered");
  }
  const found = given(stages.find((stage) => stage.name === "FETCH")) || given(bottomOf(plan.root));
  if (keys === 0 && documents === 0) return of("index-none", 0);
  if (has("DISTINCT_SCAN")) return of("distinct", given(stages.find((stage) => stage.name === "DISTINCT_SCAN")));
  if (has("COUNT_SCAN")) return of("counted", given(stages.find((stage) => stage.name === "COUNT_SCAN")));
  if (documents === 0) return of("covered");
  const scans = stages.filter((stage) => stage.name === "IXSCAN");
  const isWalked = scans.length > 0 && scans.every(isUnbounded);
  // A search for the nearest fetches in each of its rings, and an `$or` in its branches.
  const fetched = fetchedIn(plan.root);
  const read = fetched.read === 0 ? documents : fetched.read;
  const told = (verdict: Verdict, given: number) => ({ ...of(verdict, given), documents: read });
  if (fetched.read > fetched.given) return told(isWalked ? "ordered-and-more" : "index-and-more", fetched.given);
  if (keys > read) return told("exact-keys", found);
  return told(isWalked ? "ordered" : "exact", found);
}

/** The documents that the innermost `FETCH` stages opened, and those which the outermost ones let pass. */
function fetchedIn(stage: PlanStage): { readonly read: number; readonly given: number } {
  const below = stage.inputs.map(fetchedIn);
  const sum = (of: "read" | "given"): number => below.reduce((total, each) => total + each[of], 0);
  if (stage.name !== "FETCH") return { read: sum("read"), given: sum("given") };
  return { read: sum("read") || (stage.documentsExamined ?? 0), given: givenBy(stage) ?? 0 };
}

/** The first stage of a plan to do anything. */
function bottomOf(root: PlanStage): PlanStage {
  let stage = root;
  for (let next = stage.inputs[0]; next !== undefined; next = stage.inputs[0]) stage = next;
  return stage;
}

function isUnbounded(scan: PlanStage): boolean {
  const all = /^\[(MinKey, MaxKey|MaxKey, MinKey)\]$/;
  return scan.bounds.length > 0 && scan.bounds.every(([, ranges]) => ranges.length === 1 && all.test(ranges[0] ?? ""));
}

function notesOf(plan: Plan, stages: readonly PlanStage[]): readonly Note[] {
  const notes: Note[] = [];
  const before = (stage: PlanStage): number | null => (stage.inputs[0] === undefined ? null : givenBy(stage.inputs[0]));
  let repeated = 0;
  // The first stage to act is the last of the list.
  for (const stage of stages.toReversed()) {
    repeated += stage.counts["dupsDropped"] ?? 0;
    switch (stage.name) {
      case "SORT":
      case "$sort":
        notes.push({
          kind: "sorted",
          documents: before(stage),
          kept: stage.counts["limitAmount"] ?? numberOf(fieldOf(stage.body, "limit")),
        });
        break;
      case "SKIP":
      case "$skip": {
        const came = before(stage);
        const passed = givenBy(stage);
        if (came !== null && passed !== null && came > passed) notes.push({ kind: "skipped", count: came - passed });
        break;
      }
      case "$sample": {
        const came = before(stage);
        if (came !== null) notes.push({ kind: "sampled", size: givenBy(stage) ?? 0, of: came });
        break;
      }
      default: {
        const from = joinedCollection(stage);
        if (from === null || stage.documentsExamined === null) break;
        notes.push({
          kind: "joined",
          collection: from,
          times: before(stage) ?? 0,
          keys: stage.keysExamined ?? 0,
          documents: stage.documentsExamined,
          scans: stage.counts["collectionScans"] ?? 0,
          indexes: stage.indexesUsed,
        });
      }
    }
    if (stage.usedDisk) notes.push({ kind: "spilled" });
  }
  if (repeated > 0) notes.unshift({ kind: "repeated", count: repeated });
  if (plan.execution?.failure != null) notes.unshift({ kind: "failed", message: plan.execution.failure });
  return notes;
}

/** Stages that read collections by themselves. */
const readers = new Set(["$graphLookup", "$unionWith", "$facet"]);

/** A note of the keys and documents counted beyond the plan's own figures, where stages in `readers` are the reason. */
function besideOf(
  joins: readonly PlanStage[],
  told: Pick<Reading, "keys" | "documents">,
  counted: Counted | null,
): readonly Note[] {
  const silent = joins.filter(({ name, documentsExamined }) => readers.has(name) && documentsExamined === null);
  if (counted === null || silent.length === 0) return [];
  const keys = counted.keysExamined - told.keys;
  const documents = counted.documentsExamined - told.documents;
  if (keys < 0 || documents < 0 || keys + documents === 0) return [];
  // The first stage to act is the last of the list.
  return [{ kind: "beside", stages: [...new Set(silent.map(({ name }) => name).toReversed())], keys, documents }];
}

const unpackedOf = (series: PlanSeries | null): readonly Note[] =>
  series?.unpacked == null ? [] : [{ kind: "unpacked", count: series.unpacked, isChosen: series.isChosen }];

function suggest(
  plan: Plan,
  series: PlanSeries | null,
  stages: readonly PlanStage[],
  verdict: Verdict,
  known: readonly KnownIndex[],
): Suggestion | null {
  const scan = stages.find((stage) => stage.name === "COLLSCAN");
  const sort = stages.find((stage) => stage.name === "SORT");
  // An index is made on a series, never on its buckets: who reads those alone has no index to make.
  const collection = series?.collection ?? bucketless(collectionOf(plan.namespace));
  const fetch = stages.find((stage) => stage.name === "FETCH");
  const isWalked = verdict === "ordered-and-more" && isMost(fetch);
  const isWasteful =
    verdict === "scan" || verdict === "planned-scan" || (verdict === "scan-part" && isMost(scan)) || isWalked;
  // A search for words goes through its text index, whatever else there is.
  const isOfWords = stages.some(({ name }) => name === "TEXT_MATCH");
  if (collection !== null && !isOfWords && (isWasteful || sort !== undefined)) {
    const order = isWalked ? orderOf(plan.command) : sort?.sortPattern;
    const wanted = suggestIndexes(scan?.filter ?? (isWalked ? fetch?.filter : plan.parsedQuery), order);
    const untried = wanted.indexes.filter(({ key }) => !isTried(key, stages));
    const told = series === null ? untried : indexesOfSeries(untried, series, wanted.isForBranches);
    // Where every document was read, a branch that can be looked up in an index is not the reason.
    const keys = told
      .filter((index) => !isKnown(index, known, wanted.isForBranches && isWasteful))
      .map(({ key }) => key);
    if (keys.length > 0) return { collection, keys, isForBranches: wanted.isForBranches };
  }
  for (const join of stages) {
    const from = joinedCollection(join);
    const field: unknown = fieldOf(join.body, "foreignField");
    if (from !== null && typeof field === "string" && (join.counts["collectionScans"] ?? 0) > 0)
      return { collection: from, keys: [[[field, 1]]], isForBranches: false };
  }
  return null;
}

const bucketless = (collection: string | null): string | null => (isOfBuckets(collection) ? null : collection);

/**
 * Indexes of a series' buckets in the fields of its readings. The buckets lie in the order of time, so that an index of
 * the time alone spares nothing, and a bucket's bounds of any other value are found by no index.
 */
function indexesOfSeries(
  indexes: readonly WantedIndex[],
  series: PlanSeries,
  isForBranches: boolean,
): readonly WantedIndex[] {
  const told = indexes.flatMap(({ key, conditions }): WantedIndex[] => {
    // The buckets' own `_id` begins with their time, which is how a branch on the time is looked up.
    if (isForBranches && conditions.includes("_id")) return [{ key, conditions }];
    const fields = new Map<string, IndexKey[number][1]>();
    for (const [path, way] of key) {
      const field = readerField(path, series);
      if (field !== null && !fields.has(field)) fields.set(field, way);
    }
    if ([...fields.keys()].every((field) => field === series.timeField)) return [];
    return [{ key: [...fields], conditions: conditions.flatMap((path) => readerField(path, series) ?? []) }];
  });
  return isForBranches && told.length < indexes.length ? [] : told;
}

/** Whether at least half of the documents that a stage read were read for nothing. */
const isMost = (stage: PlanStage | undefined): boolean => (stage?.documentsExamined ?? 0) >= 2 * (stage?.returned ?? 0);

/** The order that a command asks for. */
function orderOf(command: unknown): unknown {
  const pipeline = fieldOf(command, "pipeline");
  if (!Array.isArray(pipeline)) return fieldOf(command, "sort");
  const stages = pipeline as readonly unknown[];
  return fieldOf(
    stages.find((stage) => fieldOf(stage, "$match") === undefined),
    "$sort",
  );
}

/** Whether an index which begins like this is used as it is, and did not spare the sort. */
function isTried(key: IndexKey, stages: readonly PlanStage[]): boolean {
  return stages.some(
    ({ bounds }) => bounds.length >= key.length && key.every(([field], at) => bounds[at]?.[0] === field),
  );
}

/** Whether there is such an index, or for a branch any that its conditions can be looked up in. */
function isKnown({ key, conditions }: WantedIndex, known: readonly KnownIndex[], isBranch: boolean): boolean {
  if (isBranch && conditions.includes("_id")) return true;
  return known.some((index) => {
    if (index.hidden || index.partial || index.sparse) return false;
    const parts = partsOf(index.key);
    if (isBranch && parts[0] !== undefined && conditions.includes(parts[0][0])) return true;
    return key.every(([field, way], at) => {
      const [name, own] = parts[at] ?? [];
      return name === field && (way === "2dsphere" ? own : numberOf(own)) === way;
    });
  });
}

/** An index to make, and the fields of the conditions that it answers. */
export interface WantedIndex {
  readonly key: IndexKey;
  readonly conditions: readonly string[];
}

export interface WantedIndexes {
  /** The wanted indexes; empty where there is nothing to index. */
  readonly indexes: readonly WantedIndex[];
  readonly isForBranches: boolean;
}

/** More fields in an index, or more indexes for one query, cost more than they help. */
const mostFields = 4;
const mostIndexes = 6;

/**
 * One index for the conditions that must all hold: equality first, then the sort, then ranges. Where they are but an
 * `$or`, one for each of its branches: none of them is used unless every branch has one.
 */
export function suggestIndexes(filter: unknown, sortPattern: unknown, isBranch = false): WantedIndexes {
  const found: Conditions = { equal: [], ranged: [], around: [], either: [], isOther: false };
  collect(filter, found, "");
  const isBare = found.equal.length === 0 && found.ranged.length === 0;
  const [around] = found.around;
  // An index of places gives no order: where another one finds and sorts, it spares more.
  if (around !== undefined && (isBare || !isNested(sortPattern)) && found.equal.length < mostFields) {
    const key: IndexKey = [...new Set(found.equal)].map((field) => [field, 1] as const);
    const whole: IndexKey = [...key.filter(([field]) => field !== around), [around, "2dsphere"]];
    return { indexes: [{ key: whole, conditions: [...found.equal, around] }], isForBranches: false };
  }
  if (isBare)
    for (const branches of found.either) {
      const indexes = branches.map((branch) => suggestIndexes(branch, sortPattern, true).indexes);
      const all = withoutPrefixes(indexes.flat());
      if (indexes.every(({ length }) => length > 0) && all.length <= mostIndexes)
        return { indexes: all, isForBranches: true };
    }
  const conditions = [...found.equal, ...found.ranged];
  // An order alone is worth an index, but finds nothing for a branch, nor for a condition that no index answers.
  if (conditions.length === 0 && (isBranch || found.isOther)) return { indexes: [], isForBranches: false };
  const key = new Map<string, 1 | -1>();
  for (const field of found.equal) key.set(field, 1);
  if (isNested(sortPattern))
    for (const [field, direction] of partsOf(sortPattern))
      if (!key.has(field)) key.set(field, String(direction).startsWith("-") ? -1 : 1);
  for (const field of found.ranged) if (!key.has(field)) key.set(field, 1);
  const fields = [...key].filter(([field]) => !field.startsWith("$"));
  const isUseful = fields.length > 0 && fields.length <= mostFields;
  return { indexes: isUseful ? [{ key: fields, conditions }] : [], isForBranches: false };
}

/** Without those that another one begins with. */
function withoutPrefixes(indexes: readonly WantedIndex[]): readonly WantedIndex[] {
  const begins = (longer: IndexKey, key: IndexKey): boolean =>
    key.every(([field, way], at) => longer[at]?.[0] === field && longer[at]?.[1] === way);
  return indexes.filter(
    ({ key }, at) =>
      !indexes.some(
        (other, place) => place !== at && begins(other.key, key) && (other.key.length > key.length || place < at),
      ),
  );
}

interface Conditions {
  readonly equal: string[];
  readonly ranged: string[];
  /** Fields whose places are within a shape on a sphere. */
  readonly around: string[];
  /** The branches of each `$or`. */
  readonly either: (readonly unknown[])[];
  /** There are conditions for which an index would be walked whole. */
  isOther: boolean;
}

function collect(filter: unknown, found: Conditions, prefix: string): void {
  if (!isNested(filter)) return;
  for (const [name, condition] of partsOf(filter)) {
    if (name === "$and" && Array.isArray(condition)) for (const part of condition) collect(part, found, prefix);
    else if (name === "$or" && Array.isArray(condition)) {
      if (prefix === "") found.either.push(condition);
      found.isOther = true;
    } else if (name === "$comment") continue;
    else if (name.startsWith("$")) found.isOther = true;
    else collectField(prefix + name, condition, found);
  }
}

/** Sorts a field by what an index does for its condition. */
function collectField(path: string, condition: unknown, found: Conditions): void {
  const operators = typeOf(condition) === "Object" ? partsOf(condition as Document) : [];
  const isOperators = operators.some(([operator]) => operator.startsWith("$"));
  if (typeOf(condition) === "Regex") {
    const { source, flags, pattern, options } = condition as Partial<Record<string, string>>;
    if (isAnchored(pattern ?? source ?? "", options ?? flags ?? "")) found.ranged.push(path);
    else found.isOther = true;
    return;
  }
  if (!isOperators) {
    found.equal.push(path);
    return;
  }
  let isEqual = false;
  let isRanged = false;
  let isInside = false;
  let isAround = false;
  for (const [operator, value] of operators) {
    if (operator === "$geoWithin" || operator === "$geoIntersects") isAround ||= isOnSphere(value);
    else if (operator === "$eq" || operator === "$all") isEqual ||= typeOf(value) !== "Regex";
    else if (ranges.has(operator)) isRanged = true;
    else if (operator === "$regex") {
      const { source, flags, pattern, options } = (typeof value === "string" ? { pattern: value } : value) as Partial<
        Record<string, string>
      >;
      const given: unknown = fieldOf(condition, "$options");
      isRanged ||= isAnchored(pattern ?? source ?? "", typeof given === "string" ? given : (options ?? flags ?? ""));
    } else if (operator === "$elemMatch" && isNested(value)) {
      isInside = true;
      if (partsOf(value).some(([inner]) => inner.startsWith("$") && inner !== "$and" && inner !== "$or"))
        collectField(path, value, found);
      else collect(value, found, `${path}.`);
    }
  }
  if (isEqual) found.equal.push(path);
  else if (isRanged) found.ranged.push(path);
  else if (isAround) found.around.push(path);
  else if (!isInside) found.isOther = true;
}

/** Operators for whose values an index has a few ranges; for `$ne`, `$exists` and the like it is walked whole. */
const ranges = new Set(["$gt", "$gte", "$lt", "$lte", "$in"]);

/**
 * Whether a shape is one that an index of places on a sphere answers. Shapes of the plane need an index that holds
 * pairs of numbers alone, and nothing here tells whether the places are such.
 */
const isOnSphere = (shape: unknown): boolean =>
  fieldOf(shape, "$geometry") !== undefined || fieldOf(shape, "$centerSphere") !== undefined;

/** Whether all texts that match a pattern begin with the same letters. */
function isAnchored(pattern: string, options: string): boolean {
  const isFixed = /^(?:\^|\\A)(?:[^\\^$.|?*+()[\]{}]|\\[^\w\s])(?![?*{])[^|]*$/.test(pattern);
  return isFixed && !/[imx]/.test(options);
}
