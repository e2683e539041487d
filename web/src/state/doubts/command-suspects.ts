/**
 * A command as its parts that can be doubted: the collection, the filter, and the suspicions in all of it.
 *
 * Invariant: pure; a command that is not known, or makes what is not there (an upsert), is not doubted.
 */
import type { Document } from "bson";
import { PLANNED } from "../../engine/commands.generated.ts";
import type { Field } from "../fields.ts";
import { fieldOf, isNested, numberOf, partsOf, typeOf } from "../values.ts";
import { suspectsInFilter, unknownPath, type Suspect } from "./filter-suspects.ts";
import { suspectsInJoins, type Others } from "./join-suspects.ts";
import { KnownFields, plainPath } from "./known-fields.ts";
import { suspectsInPipeline } from "./pipeline-suspects.ts";

/** A command that reads a collection by a filter. */
export interface Target {
  readonly database: string;
  readonly collection: string;
  /** The filter, or the leading `$match` of a pipeline; several of them as one `$and`. */
  readonly filter: unknown;
  readonly collation: unknown;
}

/** The collection and filter of a command; null where it has none. */
export function targetOf(command: Document): Target | null {
  const [name, collection] = partsOf(command)[0] ?? [];
  const database = fieldOf(command, "$db");
  if (name === undefined || typeof collection !== "string" || typeof database !== "string") return null;
  if (!PLANNED.includes(name)) return null;
  const of = (filter: unknown, from: unknown = command): Target => ({
    database,
    collection,
    filter: typeOf(filter) === "Object" ? filter : {},
    collation: fieldOf(from, "collation"),
  });
  const pipeline: unknown = fieldOf(command, "pipeline");
  if (pipeline !== undefined) return of(leadingFilter(pipeline));
  const write = writeOf(command);
  if (write === null || isTrue(fieldOf(write, "upsert"))) return null;
  return write === command
    ? of(fieldOf(command, "filter") ?? fieldOf(command, "query"))
    : of(fieldOf(write, "q"), write);
}

const isTrue = (value: unknown): boolean => value === true || (numberOf(value) ?? 0) !== 0;

/** The only statement of a command that has a list of them, null where it has several; of others the command itself. */
function writeOf(command: Document): unknown {
  const writes: unknown = fieldOf(command, "updates") ?? fieldOf(command, "deletes");
  if (writes === undefined) return command;
  return Array.isArray(writes) && writes.length === 1 ? (writes[0] as unknown) : null;
}

function leadingFilter(pipeline: unknown): unknown {
  if (!Array.isArray(pipeline)) return {};
  const filters: unknown[] = [];
  for (const stage of pipeline) {
    const filter: unknown = fieldOf(stage, "$match");
    if (filter === undefined) break;
    filters.push(filter);
  }
  return filters.length === 1 ? filters[0] : filters.length === 0 ? {} : { $and: filters };
}

/**
 * The suspicions in a command over a collection whose documents have these fields; `others`: what its pipeline takes
 * in, null where that is not known.
 */
export function suspectsInCommand(
  command: Document,
  fields: readonly Field[],
  others: Others | null,
): readonly Suspect[] {
  const target = targetOf(command);
  if (target === null || fields.length === 0) return [];
  const known = new KnownFields(fields);
  const pipeline: unknown = fieldOf(command, "pipeline");
  const all =
    pipeline !== undefined
      ? [
          ...suspectsInPipeline(pipeline as readonly unknown[], fields),
          ...(others === null ? [] : suspectsInJoins(pipeline, others)),
        ]
      : [
          ...suspectsInFilter(target.filter, known),
          ...suspectsInSort(fieldOf(command, "sort"), known),
          ...suspectsInProjection(fieldOf(command, "projection"), known),
          ...suspectsInKey(fieldOf(command, "key"), known),
          ...suspectsInUpdate(writeOf(command), known),
        ];
  return withoutTwins(all);
}

/** Once where the same is suspected in several places. */
function withoutTwins(suspects: readonly Suspect[]): readonly Suspect[] {
  const seen = new Set<string>();
  return suspects.filter(({ doubt }) => {
    const key = JSON.stringify(doubt);
    return !seen.has(key) && seen.add(key);
  });
}

const isUnknown = (path: string, known: KnownFields): boolean => plainPath(path) !== "_id" && !known.has(path);

function suspectsInSort(sort: unknown, known: KnownFields): readonly Suspect[] {
  if (typeOf(sort) !== "Object") return [];
  return partsOf(sort as Document)
    .filter(([path, way]) => !path.startsWith("$") && numberOf(way) !== null && isUnknown(path, known))
    .map(([path]) => unknownPath(path, path, known));
}

function suspectsInProjection(projection: unknown, known: KnownFields): readonly Suspect[] {
  if (typeOf(projection) !== "Object") return [];
  return partsOf(projection as Document)
    .filter(([path, value]) => (typeof value === "boolean" || numberOf(value) !== null) && isUnknown(path, known))
    .map(([path]) => unknownPath(path, path, known));
}

function suspectsInKey(key: unknown, known: KnownFields): readonly Suspect[] {
  if (typeof key !== "string" || key === "" || !isUnknown(key, known)) return [];
  const { doubt, proof } = unknownPath(key, key, known);
  const { change } = doubt;
  const change_ = change === null ? null : ({ at: "text", wrong: key, right: change.right } as const);
  return [{ doubt: { ...doubt, change: change_ } as typeof doubt, proof }];
}

/** Operators of an update that do nothing to a field which is not there. */
const needing = new Set(["$unset", "$rename", "$pull", "$pullAll", "$pop"]);

function suspectsInUpdate(write: unknown, known: KnownFields): readonly Suspect[] {
  const update: unknown = fieldOf(write, "u") ?? fieldOf(write, "update");
  if (typeOf(update) !== "Object") return [];
  const operators = partsOf(update as Document).filter(([operator]) => operator.startsWith("$"));
  const paths = operators.flatMap(([operator, members]) =>
    isNested(members) ? partsOf(members).map(([path]) => ({ operator, path })) : [],
  );
  const missing = paths
    .filter(({ operator, path }) => needing.has(operator) && isUnknown(path, known))
    .map(({ path }) => unknownPath(path, path, known));
  const filters: unknown = fieldOf(write, "arrayFilters");
  const inside = (Array.isArray(filters) ? (filters as readonly unknown[]) : []).flatMap((filter) =>
    suspectsInArrayFilter(
      filter,
      paths.map(({ path }) => path),
      known,
    ),
  );
  return [...missing, ...inside];
}

/** An array filter `{ "line.qty": { $lt: 2 } }` by the paths that name its elements `$[line]`. */
function suspectsInArrayFilter(filter: unknown, paths: readonly string[], known: KnownFields): readonly Suspect[] {
  if (typeOf(filter) !== "Object") return [];
  return partsOf(filter as Document).flatMap(([name, condition]): readonly Suspect[] => {
    if (name.startsWith("$"))
      return Array.isArray(condition) ? condition.flatMap((one) => suspectsInArrayFilter(one, paths, known)) : [];
    const [identifier = "", ...rest] = name.split(".");
    const marker = `.$[${identifier}]`;
    const path = paths.find((one) => one.includes(`${marker}.`) || one.endsWith(marker));
    if (path === undefined) return [];
    const array = plainPath(path.slice(0, path.indexOf(marker)));
    const whole = [array, ...rest].join(".");
    if (!known.has(array)) return [];
    return suspectsInFilter({ [whole]: condition }, known).map(({ doubt, proof, ...more }): Suspect => {
      const { change } = doubt;
      if (change === null || (change.at !== "key" && change.at !== "members")) return { doubt, proof, ...more };
      const isBelow = change.wrong === whole && change.right.startsWith(`${array}.`);
      const own =
        change.wrong !== whole
          ? change
          : isBelow
            ? { ...change, wrong: name, right: identifier + change.right.slice(array.length) }
            : null;
      return { doubt: { ...doubt, change: own }, proof, ...more };
    });
  });
}
