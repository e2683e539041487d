/**
 * Stages of a pipeline that are likely to be wrong: names that no document has at that point, texts in the place of
 * expressions.
 *
 * Invariants: pure; the fields after a stage are told as completion tells them (`pipeline/shape.ts`), and a pipeline is
 * read no further than they are sure.
 */
import { fieldsAfter, type Plain } from "../pipeline/shape.ts";
import type { Field } from "../fields.ts";
import { fieldOf, isNested, numberOf, partsOf, typeOf } from "../values.ts";
import type { Document } from "bson";
import { suspectsInExpression, suspectsInFilter, unknownPath, type Suspect } from "./filter-suspects.ts";
import { namedPath } from "./join-suspects.ts";
import { KnownFields, plainPath } from "./known-fields.ts";

/** Stages after which documents have no other fields than those which the stage names. */
const closing = new Set(["$group", "$bucket", "$bucketAuto", "$count", "$sortByCount"]);
/** Stages whose effect on the fields is told by their text. */
const open = new Set("$match $sort $limit $skip $sample $addFields $set $unset $unwind $project $lookup".split(" "));

/** The suspicions in the stages of a pipeline over documents with these fields. */
export function suspectsInPipeline(stages: readonly unknown[], fields: readonly Field[]): readonly Suspect[] {
  const suspects: Suspect[] = [];
  let now = fields;
  // Names that stages made: what lies below them is not told by the sample.
  const made = new Set<string>();
  let isClosed = false;
  for (const stage of stages) {
    const [operator, argument] = isNested(stage) ? (partsOf(stage)[0] ?? ["", null]) : ["", null];
    const known = new KnownFields(now);
    const isOwn = (path: string): boolean => !made.has(plainPath(path).split(".")[0] ?? "");
    for (const suspect of suspectsInStage(operator, argument, known, isOwn)) {
      const { doubt } = suspect;
      if (doubt.kind === "constant" || doubt.kind === "unsegmented") suspects.push(suspect);
      else if (doubt.kind === "function" || doubt.kind === "unknown-collection" || !isOwn(doubt.path)) continue;
      // What the stages before made is known by their text alone.
      else if (!isClosed) suspects.push(suspect);
      else if (doubt.kind === "unknown-path") suspects.push({ ...suspect, proof: null });
    }
    if (!closing.has(operator) && !open.has(operator)) break;
    now = fieldsAfter(now, [plainOf(stage)], () => []);
    isClosed ||= closing.has(operator) || (operator === "$project" && isIncluding(argument));
    if (closing.has(operator)) made.clear();
    for (const name of madeBy(operator, argument)) made.add(name.split(".")[0] ?? name);
  }
  return suspects;
}

/** Names whose values a stage makes out of others. */
function madeBy(operator: string, argument: unknown): readonly string[] {
  const as: unknown = fieldOf(argument, "as");
  switch (operator) {
    case "$addFields":
    case "$set":
      return isNested(argument) ? partsOf(argument).map(([name]) => name) : [];
    case "$project":
      return isNested(argument)
        ? partsOf(argument).flatMap(([name, value]) =>
            typeof value === "boolean" || numberOf(value) !== null ? [] : name,
          )
        : [];
    case "$group":
      return ["_id", ...innerNames(argument)];
    case "$bucket":
    case "$bucketAuto":
      return ["_id", ...innerNames(fieldOf(argument, "output"))];
    case "$sortByCount":
      return ["_id"];
    case "$unwind": {
      const index: unknown = fieldOf(argument, "includeArrayIndex");
      return typeof index === "string" ? [index] : [];
    }
    default:
      return typeof as === "string" ? [as] : [];
  }
}

/** A group's fields that hold whole documents or lists of them, so that more lies below. */
function innerNames(argument: unknown): readonly string[] {
  if (!isNested(argument)) return [];
  return partsOf(argument).flatMap(([name, value]) =>
    isNested(value) &&
    /^\$(?:push|addToSet|concatArrays|setUnion|first|last|min|max|top|bottom|mergeObjects|accumulator)/.test(
      partsOf(value)[0]?.[0] ?? "",
    )
      ? [name]
      : [],
  );
}

function isIncluding(argument: unknown): boolean {
  if (!isNested(argument)) return false;
  const named = partsOf(argument).filter(([name]) => name !== "_id");
  return named.some(([, value]) => value !== false && numberOf(value) !== 0);
}

const accumulators = /^\$(?:sum|avg|min|max|first|last|push|addToSet|stdDevPop|stdDevSamp)$/;
/** Accumulators of numbers, to which a text adds nothing. */
const counting = /^\$(?:sum|avg|stdDevPop|stdDevSamp)$/;

function suspectsInStage(
  operator: string,
  argument: unknown,
  known: KnownFields,
  isOwn: (path: string) => boolean,
): readonly Suspect[] {
  const members = isNested(argument) && !Array.isArray(argument) ? partsOf(argument) : [];
  const paths = (names: readonly string[]): readonly Suspect[] =>
    names.filter((path) => plainPath(path) !== "_id" && !known.has(path)).map((path) => unknownPath(path, path, known));
  switch (operator) {
    case "$match":
      return suspectsInFilter(argument, known);
    case "$sort":
      return paths(members.filter(([, way]) => numberOf(way) !== null).map(([path]) => path));
    case "$group":
    case "$bucket":
    case "$bucketAuto":
      return [
        ...suspectsInExpression(argument, known, isOwn),
        ...members.flatMap(([name, value]) =>
          name === "_id" ? constants("_id", value, known, true) : accumulated(value, known),
        ),
        ...members.flatMap(([name, value]) =>
          name === "output" && isNested(value) ? partsOf(value).flatMap(([, one]) => accumulated(one, known)) : [],
        ),
      ];
    case "$addFields":
    case "$set":
      return suspectsInExpression(argument, known, isOwn);
    case "$project":
      return [
        ...suspectsInExpression(argument, known, isOwn),
        ...paths(members.filter(([, value]) => value === true || numberOf(value) === 1).map(([path]) => path)),
        ...members.flatMap(([, value]) =>
          typeof value === "string" ? constants("$project", value, known, false) : [],
        ),
      ];
    case "$unwind":
    case "$sortByCount":
      return suspectsInExpression(typeof argument === "string" ? argument : fieldOf(argument, "path"), known, isOwn);
    case "$lookup": {
      const local: unknown = fieldOf(argument, "localField");
      if (typeof local !== "string" || local.startsWith("$")) return [];
      return plainPath(local) === "_id" || known.has(local) ? [] : [namedPath(local, "localField", known)];
    }
    case "$graphLookup":
      return suspectsInExpression(fieldOf(argument, "startWith"), known, isOwn);
    default:
      return [];
  }
}

function accumulated(value: unknown, known: KnownFields): readonly Suspect[] {
  if (typeOf(value) !== "Object") return [];
  const [operator, argument] = partsOf(value as Document)[0] ?? ["", null];
  if (!accumulators.test(operator)) return [];
  return constants(operator, argument, known, counting.test(operator));
}

/** Texts without `$` that a field was meant by; `always`: any text is one, since nothing else makes sense there. */
function constants(operator: string, value: unknown, known: KnownFields, always: boolean): readonly Suspect[] {
  if (isNested(value) && typeOf(value) === "Object")
    return partsOf(value as Document).flatMap(([name, one]) =>
      name.startsWith("$") ? [] : constants(operator, one, known, always),
    );
  if (typeof value !== "string" || value === "" || value.startsWith("$")) return [];
  const isKnown = known.has(value);
  const meant = isKnown ? value : always ? known.similar(value) : null;
  if (meant === null && !always) return [];
  const change = meant === null ? null : ({ at: "text", wrong: value, right: `$${meant}` } as const);
  return [{ doubt: { kind: "constant", operator, text: value, known: isKnown, change }, proof: null }];
}

/** A stage as plain data, for the fields after it. */
function plainOf(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeOf(value) === "Object")
    return Object.fromEntries(partsOf(value as Document).map(([name, one]) => [name, plainOf(one)]));
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  return numberOf(value) ?? undefined;
}
