/**
 * Whether a command leaves a field out of the documents that it gives: then nothing is known of the places there.
 *
 * Invariant: pure; judged by the command alone, never by the documents. Manual: reference/operator/aggregation/project,
 * tutorial/project-fields-from-query-results.
 */
import { fieldOf, isNested, numberOf, partsOf, typeOf } from "../values.ts";

/** The paths of a projection and what each is to be, nested ones with dots. */
function leavesOf(projection: unknown, prefix = ""): readonly (readonly [string, unknown])[] {
  if (!isNested(projection)) return [];
  return partsOf(projection).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const path = `${prefix}${name}`.replace(/\.\$$/, "");
    const isPath =
      typeOf(value) === "Object" && isNested(value) && !partsOf(value).some(([key]) => key.startsWith("$"));
    return isPath ? leavesOf(value, `${path}.`) : [[path, value]];
  });
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);

/** Expressions that add to whole documents, and choose no fields. */
const adding = new Set(["$meta", "$slice"]);
const isAdding = (value: unknown): boolean =>
  typeOf(value) === "Object" && isNested(value) && partsOf(value).some(([name]) => adding.has(name));
const isExcluded = (value: unknown): boolean => value === false || numberOf(value) === 0;

/** Whether a projection leaves out a field, or so much of it that there is no place left. */
function projectsOut(projection: unknown, field: string): boolean {
  const leaves = leavesOf(projection);
  const others = leaves.filter(([path]) => path !== "_id");
  const excluded = leaves.filter(([, value]) => isExcluded(value));
  const isExclusion =
    others.length === 0
      ? excluded.length === leaves.length
      : others.every(([, value]) => isExcluded(value) || isAdding(value));
  // Without its type or its coordinates GeoJSON is no place either.
  if (isExclusion) return excluded.some(([path]) => isWithin(field, path) || isWithin(path, field));
  const kept = leaves.filter(([, value]) => !isExcluded(value));
  const inside = kept.filter(([path]) => path !== field && isWithin(path, field));
  return !kept.some(([path]) => isWithin(field, path)) && inside.length < 2;
}

/** Whether a stage writes a field anew. */
const writes = (body: unknown, field: string): boolean => leavesOf(body).some(([path]) => isWithin(field, path));

/** Whether a command's projection, or its pipeline's `$project` and `$unset` stages, leave a field out. */
export function leavesOut(command: unknown, field: string): boolean {
  const pipeline = fieldOf(command, "pipeline");
  if (!Array.isArray(pipeline)) return projectsOut(fieldOf(command, "projection"), field);
  let isOut = false;
  for (const stage of pipeline as readonly unknown[])
    for (const [name, body] of isNested(stage) ? partsOf(stage) : [])
      switch (name) {
        case "$project":
          isOut ||= projectsOut(body, field);
          break;
        case "$unset":
          isOut ||= (Array.isArray(body) ? (body as readonly unknown[]) : [body]).some(
            (path) => typeof path === "string" && (isWithin(field, path) || isWithin(path, field)),
          );
          break;
        case "$addFields":
        case "$set":
          isOut &&= !writes(body, field);
          break;
        case "$group":
        case "$replaceRoot":
        case "$replaceWith":
          // Documents of another shape, in which a field of the name is another one.
          isOut = false;
      }
  return isOut;
}
