/**
 * The documents whose keys a command read in a geospatial index, whether it returned them or not.
 *
 * Invariants: a document is told as examined only where its key, computed from its point, lies in the bounds that were
 * read; lines and areas, whose keys only the engine computes, are left out. The index is read again, in its order, by
 * an ordinary `find`, and no further than so many keys.
 */
import type { Document } from "bson";
import { ask, cursorOf, type Commander } from "../data/ask.ts";
import type { Plan } from "../plan.ts";
import { fieldOf, isNested, numberOf, partsOf } from "../values.ts";
import { leafAt } from "./cells.ts";
import { hashAt, PLAIN_GRID, type Grid } from "./grid.ts";
import { idOf } from "./identity.ts";
import { keyTest, type Lookup } from "./lookup.ts";
import { placesIn, pointsOf } from "./places.ts";

/** Keys of an index that are looked through. */
export const MOST = 20_000;

export interface Examined {
  readonly documents: readonly Document[];
  /** The index has more keys than were looked through. */
  readonly isCut: boolean;
}

/** Database and collection of a plan. */
export function partsOfNamespace(namespace: string | null): readonly [string, string] {
  const [database = "", ...rest] = (namespace ?? "").split(".");
  return [database, rest.join(".")];
}

/** The grid of a `2d` index, as its options have it. */
export async function readGrid(commander: Commander, { namespace }: Plan, index: string): Promise<Grid> {
  const [database, collection] = partsOfNamespace(namespace);
  const indexes = cursorOf(await ask(commander, database, { listIndexes: collection })).documents;
  const found = indexes.find((one) => fieldOf(one, "name") === index);
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

/** Reads the documents again whose keys were read. */
export async function readExamined(commander: Commander, plan: Plan, lookup: Lookup, grid: Grid): Promise<Examined> {
  const [database, collection] = partsOfNamespace(plan.namespace);
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
  const isRead = keyTest(lookup);
  const { places } = placesIn(documents.slice(0, MOST), lookup.field);
  const found = places.flatMap(({ index, shapes }): readonly Document[] => {
    const document = documents[index];
    const points = shapes.every(({ kind }) => kind === "point") ? shapes.flatMap(pointsOf) : [];
    const keys = points.map((point) => (lookup.isPlane ? hashAt(point, grid) : leafAt(point)));
    return document !== undefined && keys.some((key) => key !== null && isRead(key)) ? [document] : [];
  });
  // A read that was stopped early, as by a limit, got so far in the index's order.
  const most = lookup.rings.length > 0 ? found.length : (lookup.documentsExamined ?? found.length);
  return { documents: found.slice(0, most), isCut: documents.length > MOST };
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

/** Whether the documents that a command gives are those that it read, so that the others can be told. */
export function givesWhatItReads(command: unknown): boolean {
  const pipeline = fieldOf(command, "pipeline");
  if (Array.isArray(pipeline))
    return pipeline.every((stage) => isNested(stage) && partsOf(stage).every(([name]) => passing.has(name)));
  return fieldOf(command, "find") !== undefined && fieldOf(command, "returnKey") !== true;
}
