/**
 * The fields that documents have after the stages of a pipeline, as far as the pipeline's text tells them.
 *
 * Invariants: pure; a stage that cannot be told leaves the fields as they were, so that completion offers too much
 * rather than nothing; types are those of the sample that came in, and none where a stage computes a value.
 */
import type { Field } from "../fields.ts";
import type { BsonType } from "../values.ts";

/** Plain data of a script; `undefined` where a value is not known. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Plain[]
  | { readonly [name: string]: Plain };

type Members = Readonly<Record<string, Plain>>;
/** The fields of another collection. */
export type Foreign = (collection: string) => readonly Field[];

const isMembers = (value: Plain): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const membersOf = (value: Plain): Members => (isMembers(value) ? value : {});
const textOf = (value: Plain): string | null => (typeof value === "string" ? value : null);
const listOf = (value: Plain): readonly Plain[] => (Array.isArray(value) ? (value as readonly Plain[]) : [value]);

/** The collections whose fields the stages take in. */
export function collectionsIn(stages: readonly Plain[]): readonly string[] {
  return stages.flatMap((stage) => {
    const { $lookup, $graphLookup, $unionWith, $facet } = membersOf(stage);
    const inner = Object.values(membersOf($facet)).flatMap((one) => collectionsIn(listOf(one)));
    const union = textOf($unionWith) ?? textOf(membersOf($unionWith)["coll"]);
    const named = [textOf(membersOf($lookup)["from"]), textOf(membersOf($graphLookup)["from"]), union];
    return [...named.filter((name) => name !== null), ...inner];
  });
}

/** The fields after some stages. */
export function fieldsAfter(fields: readonly Field[], stages: readonly Plain[], foreign: Foreign): readonly Field[] {
  return stages.reduce<readonly Field[]>((before, stage) => {
    const [operator, argument] = Object.entries(membersOf(stage))[0] ?? ["", undefined];
    return afterStage(before, operator, argument, foreign);
  }, fields);
}

function afterStage(before: readonly Field[], operator: string, argument: Plain, foreign: Foreign): readonly Field[] {
  const members = membersOf(argument);
  const as = textOf(members["as"]);
  switch (operator) {
    case "$addFields":
    case "$set":
      return computed(before, members, before);
    case "$setWindowFields":
      return computed(before, membersOf(members["output"]), before);
    case "$project":
      return projected(before, members);
    case "$unset":
      return without(
        before,
        listOf(argument).map((path) => textOf(path) ?? ""),
      );
    case "$group":
      return computed(before, members, []);
    case "$bucket":
    case "$bucketAuto": {
      const output = membersOf(members["output"]);
      const made = Object.keys(output).length === 0 ? { count: { $sum: 1 } } : output;
      return computed(before, made, [{ path: "_id", types: [] }]);
    }
    case "$sortByCount":
      return [...valueOf(before, "_id", argument), { path: "count", types: [] }];
    case "$count":
      return typeof argument === "string" ? [{ path: argument, types: [] }] : before;
    case "$unwind":
      return unwound(before, argument);
    case "$lookup": {
      if (as === null) return before;
      const from = foreign(textOf(members["from"]) ?? "");
      const inner = Array.isArray(members["pipeline"]) ? fieldsAfter(from, members["pipeline"], foreign) : from;
      return put(before, [{ path: as, types: ["Array"] }, ...under(as, inner)]);
    }
    case "$graphLookup":
      return as === null
        ? before
        : put(before, [{ path: as, types: ["Array"] }, ...under(as, foreign(textOf(members["from"]) ?? ""))]);
    case "$unionWith": {
      const from = foreign(textOf(argument) ?? textOf(members["coll"]) ?? "");
      const stages = Array.isArray(members["pipeline"]) ? members["pipeline"] : [];
      return merged(before, fieldsAfter(from, stages as readonly Plain[], foreign));
    }
    case "$replaceRoot":
    case "$replaceWith":
      return replaced(before, operator === "$replaceRoot" ? members["newRoot"] : argument);
    case "$facet":
      return Object.entries(members).flatMap(([name, stages]) => [
        { path: name, types: ["Array"] as const },
        ...under(name, fieldsAfter(before, listOf(stages), foreign)),
      ]);
    case "$documents":
      return listOf(argument).reduce<readonly Field[]>((all, one) => merged(all, computed([], membersOf(one), [])), []);
    default:
      return before;
  }
}

const below = (path: string, field: Field): boolean => field.path === path || field.path.startsWith(`${path}.`);
const under = (prefix: string, fields: readonly Field[]): readonly Field[] =>
  fields.map(({ path, types }) => ({ path: `${prefix}.${path}`, types }));
const without = (fields: readonly Field[], paths: readonly string[]): readonly Field[] =>
  fields.filter((field) => !paths.some((path) => path !== "" && below(path, field)));

/** Fields put among others, in the place of those of their names. */
function put(fields: readonly Field[], more: readonly Field[]): readonly Field[] {
  const kept = fields.filter((field) => !more.some(({ path }) => below(path, field)));
  return [...kept, ...more];
}

function merged(fields: readonly Field[], more: readonly Field[]): readonly Field[] {
  return [...fields, ...more.filter(({ path }) => !fields.some((field) => field.path === path))];
}

const accumulated: Readonly<Record<string, readonly BsonType[]>> = {
  $push: ["Array"],
  $addToSet: ["Array"],
  $concatArrays: ["Array"],
  $setUnion: ["Array"],
  $firstN: ["Array"],
  $lastN: ["Array"],
  $maxN: ["Array"],
  $minN: ["Array"],
  $topN: ["Array"],
  $bottomN: ["Array"],
};
const keepsValue: ReadonlySet<string> = new Set(["$first", "$last", "$min", "$max", "$push", "$addToSet"]);

/** The fields that an expression's value is, under a name. */
function valueOf(before: readonly Field[], name: string, expression: Plain): readonly Field[] {
  if (typeof expression === "string" && /^\$[^$]/.test(expression)) {
    const path = expression.slice(1);
    const found = before.filter((field) => below(path, field));
    const moved = found.map((field) => ({ path: name + field.path.slice(path.length), types: field.types }));
    return moved.length === 0 ? [{ path: name, types: [] }] : moved;
  }
  if (expression === "$$ROOT") return [{ path: name, types: ["Object"] }, ...under(name, before)];
  if (!isMembers(expression)) return [{ path: name, types: [] }];
  const [operator = "", argument] = Object.entries(expression)[0] ?? [];
  if (!operator.startsWith("$")) {
    const inner = Object.entries(expression).flatMap(([key, value]) => valueOf(before, `${name}.${key}`, value));
    return [{ path: name, types: ["Object"] }, ...inner];
  }
  const types = accumulated[operator] ?? [];
  const inner = keepsValue.has(operator) ? valueOf(before, name, argument) : [];
  return [{ path: name, types: types.length > 0 ? types : (inner[0]?.types ?? []) }, ...inner.slice(1)];
}

function computed(before: readonly Field[], members: Members, onto: readonly Field[]): readonly Field[] {
  return Object.entries(members).reduce(
    (fields, [name, expression]) => put(fields, valueOf(before, name, expression)),
    onto,
  );
}

function projected(before: readonly Field[], members: Members): readonly Field[] {
  const entries = Object.entries(members);
  const isNo = (value: Plain): boolean => value === 0 || value === false;
  const named = entries.filter(([name]) => name !== "_id");
  if (named.length > 0 ? named.every(([, value]) => isNo(value)) : isNo(members["_id"]))
    return without(
      before,
      entries.filter(([, value]) => isNo(value)).map(([name]) => name),
    );
  const id = "_id" in members ? [] : before.filter((field) => below("_id", field));
  return entries.reduce<readonly Field[]>((fields, [name, value]) => {
    if (isNo(value)) return fields;
    const isKept = typeof value === "number" || value === true;
    if (!isKept) return put(fields, valueOf(before, name, value));
    const parents = before.filter(({ path, types }) => name.startsWith(`${path}.`) && types.length > 0);
    const kept = before.filter((field) => below(name, field));
    return merged(fields, [...parents, ...(kept.length > 0 ? kept : [{ path: name, types: [] }])]);
  }, id);
}

function unwound(before: readonly Field[], argument: Plain): readonly Field[] {
  const members = membersOf(argument);
  const path = (textOf(argument) ?? textOf(members["path"]) ?? "").slice(1);
  const index = textOf(members["includeArrayIndex"]);
  const opened = before.map((field) => {
    if (field.path !== path) return field;
    const hasParts = before.some((other) => other.path.startsWith(`${path}.`));
    return { path, types: field.types.includes("Array") ? (hasParts ? (["Object"] as const) : []) : field.types };
  });
  return index === null ? opened : put(opened, [{ path: index, types: ["Long"] }]);
}

function replaced(before: readonly Field[], root: Plain): readonly Field[] {
  const fields = valueOf(before, "it", root).filter(({ path }) => path.startsWith("it."));
  return fields.length === 0 ? before : fields.map(({ path, types }) => ({ path: path.slice(3), types }));
}
