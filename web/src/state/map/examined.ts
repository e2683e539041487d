/**
 * The documents whose keys a command read in a geospatial index, whether it returned them or not.
 *
 * Invariants: a document is told as examined only where its key, computed from its point, lies in the bounds that were
 * read; lines and areas, whose keys only the engine computes, are left out. The index is read again, in its order, by
 * an ordinary `find`, and no further than so many keys. Where what is read then cannot be what the run read, the data
 * have changed since, and nothing is told.
 */
import type { Document } from "bson";
import { ask, cursorOf, Refusal, type Commander } from "../data/ask.ts";
import { partsOfNamespace, stagesOf, type Plan, type PlanStage } from "../plan.ts";
import { fieldOf, isNested, numberOf, partsOf } from "../values.ts";
import { leafAt } from "./cells.ts";
import { hashAt, PLAIN_GRID, type Grid } from "./grid.ts";
import { idOf } from "./identity.ts";
import { keyTest, type Lookup } from "./lookup.ts";
import { placesIn, pointsOf } from "./places.ts";

/** The most keys of an index that are looked through. */
export const MOST = 20_000;

/** The documents whose keys were read. */
export interface Examined {
  readonly documents: readonly Document[];
  /** The index has more keys than were looked through. */
  readonly isCut: boolean;
  /** The data are no longer those of the run: which documents it examined cannot be told. */
  readonly isChanged: boolean;
}

/** The error's code where a collection is not there. */
const NO_NAMESPACE = 26;

/** The grid of a `2d` index, as its options have it; the plain one of another index, null where there is none. */
export async function readGrid(commander: Commander, { namespace }: Plan, index: string): Promise<Grid | null> {
  const [database, collection] = partsOfNamespace(namespace);
  const reply = await ask(commander, database, { listIndexes: collection }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === NO_NAMESPACE) return null;
    throw error;
  });
  const indexes = reply === null ? [] : cursorOf(reply).documents;
  const found = indexes.find((one) => fieldOf(one, "name") === index);
  if (found === undefined) return null;
  const option = (name: keyof Grid): number => numberOf(fieldOf(found, name)) ?? PLAIN_GRID[name];
  return { min: option("min"), max: option("max"), bits: option("bits") };
}

/** The predicates on some fields, which every match must pass, out of a filter as the planner words it. */
function conjunctsOn(filter: unknown, fields: readonly string[]): readonly Document[] {
  if (!isNested(filter) || Array.isArray(filter)) return [];
  return partsOf(filter).flatMap(([name, condition]): readonly Document[] => {
    if (name === "$and" && Array.isArray(condition)) return condition.flatMap((one) => conjunctsOn(one, fields));
    return fields.includes(name) ? [{ [name]: condition } as Document] : [];
  });
}

/**
 * Reads the documents again whose keys were read, and judges whether they are still those of the run.
 *
 * @param returned the documents that the run returned; null where the plan is of the first batch of them alone
 */
export async function readExamined(
  commander: Commander,
  plan: Plan,
  lookup: Lookup,
  returned: readonly unknown[] | null,
): Promise<Examined> {
  const [database, collection] = partsOfNamespace(plan.namespace);
  const grid = await readGrid(commander, plan, lookup.index);
  // Without the index nothing can be read as the run did.
  if (grid === null) return changed;
  const conjuncts = conjunctsOn(plan.parsedQuery, lookup.others);
  const command = {
    find: collection,
    filter: conjuncts.length === 0 ? {} : { $and: conjuncts },
    hint: lookup.index,
    limit: MOST + 1,
    batchSize: MOST + 1,
    singleBatch: true,
  };
  const { documents } = cursorOf(await ask(commander, database, command));
  const isCut = documents.length > MOST;
  const again = keysAgain(documents.slice(0, MOST), lookup, grid);
  const { found } = again;
  // A read that was stopped early, as by a limit, got so far in the index's order.
  const most = lookup.rings.length > 0 ? found.length : (lookup.documentsExamined ?? found.length);
  const examined = found.slice(0, most);
  if (!isCut && isOther(again, examined, plan, lookup, returned)) return changed;
  return { documents: examined, isCut, isChanged: false };
}

const changed: Examined = { documents: [], isCut: false, isChanged: true };

/** The documents of an index, judged by the keys of their points. */
interface Again {
  /** Those whose key was read. */
  readonly found: readonly Document[];
  /** Those with lines or areas, whose keys only the engine computes. */
  readonly unjudged: readonly Document[];
  /** How many of those that were found have several keys: they need not stand in the order of the read. */
  readonly severalKeys: number;
}

function keysAgain(documents: readonly Document[], lookup: Lookup, grid: Grid): Again {
  const isRead = keyTest(lookup);
  const found: Document[] = [];
  const unjudged: Document[] = [];
  let severalKeys = 0;
  for (const { index, shapes } of placesIn(documents, lookup.field).places) {
    const document = documents[index];
    if (document === undefined) continue;
    if (shapes.some(({ kind }) => kind !== "point")) {
      unjudged.push(document);
      continue;
    }
    const points = shapes.flatMap(pointsOf);
    const keys = points.map((point) => (lookup.isPlane ? hashAt(point, grid) : leafAt(point)));
    if (!keys.some((key) => key !== null && isRead(key))) continue;
    found.push(document);
    if (points.length > 1) severalKeys += 1;
  }
  return { found, unjudged, severalKeys };
}

/** Whether the data cannot be those of the run: another number of documents was examined, or others returned. */
function isOther(
  { found, unjudged, severalKeys }: Again,
  examined: readonly Document[],
  plan: Plan,
  { documentsExamined, rings, others }: Lookup,
  returned: readonly unknown[] | null,
): boolean {
  const stages = stagesOf(plan.root);
  const readers = stages.filter(({ name, indexName }) => indexName !== null || name === "COLLSCAN");
  // Of several reads each has its own part of the result. A search for the nearest has one for each ring.
  if (rings.length === 0 && readers.length !== 1) return false;
  if (new Set(readers.map(({ indexName }) => indexName)).size !== 1) return false;
  if (documentsExamined !== null) {
    // A document with several keys is examined once by a scan, and by a search once for each ring that has one of them.
    const often = Math.max(1, rings.length) * (severalKeys + unjudged.length);
    if (found.length - severalKeys + often < documentsExamined) return true;
    const isNarrowed = others.length > 0 && hasBranches(plan.parsedQuery);
    if (returned !== null && !mayStop(plan, stages) && !isNarrowed && found.length > documentsExamined) return true;
  }
  if (returned === null) return false;
  if ((severalKeys > 0 && examined.length < found.length) || returned.some((one) => idOf(one) === null)) return false;
  return (notAmong(returned as readonly Document[], [...examined, ...unjudged])?.length ?? 0) > 0;
}

/** Whether a filter has branches, which may narrow the read of an index by more than the predicates on its fields. */
const hasBranches = (filter: unknown): boolean =>
  isNested(filter) &&
  partsOf(filter).some(
    ([name, value]) => name === "$or" || (name === "$and" && Array.isArray(value) && value.some(hasBranches)),
  );

/** Whether a read may have ended before its bounds did. */
function mayStop({ command }: Plan, stages: readonly PlanStage[]): boolean {
  if (stages.some(({ name }) => name === "SORT" || name === "$sort")) return false;
  const pipeline = fieldOf(command, "pipeline");
  if (Array.isArray(pipeline)) return pipeline.some((stage) => fieldOf(stage, "$limit") !== undefined);
  return fieldOf(command, "limit") !== undefined || fieldOf(command, "singleBatch") === true;
}

/** The documents that are not among others, by their `_id`; null where the others do not have one. */
export function notAmong(documents: readonly Document[], others: readonly unknown[]): readonly Document[] | null {
  const ids = new Set(others.map(idOf));
  return ids.has(null) ? null : documents.filter((document) => !ids.has(idOf(document)));
}

/** Stages behind which a document is still the one that was read, if it is there. */
const passing = new Set(
  "$geoNear $match $sort $limit $skip $sample $project $addFields $set $unset $lookup".split(" "),
);

/** Those of them that can give a document another `_id`. */
const rewriting = new Set(["$project", "$addFields", "$set"]);

/** Whether documents keep their own `_id` in a projection, or lose it. */
function leavesIds(body: unknown): boolean {
  const id = fieldOf(body, "_id");
  return id === undefined || typeof id === "boolean" || numberOf(id) !== null;
}

/** Whether the documents that a command gives are those that it read, so that the others can be told. */
export function givesWhatItReads(command: unknown): boolean {
  const pipeline = fieldOf(command, "pipeline");
  if (Array.isArray(pipeline))
    return pipeline.every(
      (stage) =>
        isNested(stage) &&
        partsOf(stage).every(([name, body]) => passing.has(name) && (!rewriting.has(name) || leavesIds(body))),
    );
  return (
    fieldOf(command, "find") !== undefined &&
    fieldOf(command, "returnKey") !== true &&
    leavesIds(fieldOf(command, "projection"))
  );
}

/**
 * Whether it can be told what a look-up examined and did not return. While more can be fetched it cannot: the documents
 * that wait were examined too.
 */
export function canTell({ ranges }: Pick<Lookup, "ranges">, command: unknown, more: boolean): boolean {
  return ranges.length > 0 && !more && givesWhatItReads(command);
}
