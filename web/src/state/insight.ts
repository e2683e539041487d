/**
 * What a plan means for a reader: one verdict, the figures behind it, and the index that would help.
 *
 * Invariants: pure; says nothing about words, which are the messages'; suggests an index only where a whole
 * collection was read to answer less than all of it, or a sort was made in memory.
 */
import { stagesOf, type Plan } from "./plan.ts";
import { fieldOf, isNested, partsOf } from "./values.ts";

export type Verdict =
  /** Answered out of an index alone. */
  | "covered"
  /** One document by its `_id`. */
  | "by-id"
  /** An index led to the answer and nothing else. */
  | "exact"
  /** An index led to more documents than were needed. */
  | "index-and-more"
  /** Every document was read, and every document was wanted. */
  | "whole"
  /** Every document was read to find some. */
  | "scan"
  /** The plan alone, without figures, through an index or not. */
  | "planned-index"
  | "planned-scan"
  /** Nothing could match: the collection does not exist or the filter is never true. */
  | "nothing";

export interface Reading {
  readonly verdict: Verdict;
  readonly indexes: readonly string[];
  readonly returned: number | null;
  readonly keysExamined: number | null;
  readonly documentsExamined: number | null;
  readonly pagesRead: number | null;
  readonly sortedInMemory: boolean;
  /** The key pattern of an index that would help, in the order equality, sort, range; null when none would. */
  readonly suggestion: readonly (readonly [string, 1 | -1])[] | null;
}

/** Reads a plan. */
export function readInsight(plan: Plan): Reading {
  const stages = stagesOf(plan.root);
  const names = new Set(stages.map((stage) => stage.name));
  const indexes = [...new Set(stages.flatMap((stage) => (stage.indexName === null ? [] : [stage.indexName])))];
  const scans = names.has("COLLSCAN");
  const sortedInMemory = names.has("SORT") || names.has("$sort");
  const execution = plan.execution;
  const verdict = judge(plan, names, indexes, scans);
  const scan = stages.find((stage) => stage.name === "COLLSCAN");
  const sort = stages.find((stage) => stage.name === "SORT");
  const wanted = verdict === "scan" || verdict === "planned-scan" || (sort !== undefined && scans);
  return {
    verdict,
    indexes,
    returned: execution?.returned ?? null,
    keysExamined: execution?.keysExamined ?? null,
    documentsExamined: execution?.documentsExamined ?? null,
    pagesRead: execution?.pagesRead ?? null,
    sortedInMemory,
    suggestion: wanted ? suggestIndex(scan?.filter ?? plan.parsedQuery, sort?.sortPattern) : null,
  };
}

function judge(plan: Plan, names: ReadonlySet<string>, indexes: readonly string[], scans: boolean): Verdict {
  if (names.has("EOF")) return "nothing";
  if (
    ["IDHACK", "EXPRESS_IXSCAN", "EXPRESS_UPDATE", "EXPRESS_DELETE", "CLUSTERED_IXSCAN"].some((name) =>
      names.has(name),
    ) ||
    (!scans && indexes.length === 1 && indexes[0] === "_id_" && plan.execution?.documentsExamined === 1)
  )
    return "by-id";
  const execution = plan.execution;
  if (execution === null) return scans ? "planned-scan" : "planned-index";
  if (!scans && execution.documentsExamined === 0 && execution.keysExamined > 0) return "covered";
  if (!scans) return execution.documentsExamined > execution.returned ? "index-and-more" : "exact";
  const limited = names.has("LIMIT");
  return execution.documentsExamined > execution.returned && !limited ? "scan" : filtered(plan) ? "scan" : "whole";
}

function filtered(plan: Plan): boolean {
  const filter = stagesOf(plan.root).find((stage) => stage.name === "COLLSCAN")?.filter;
  return isNested(filter) && partsOf(filter).length > 0;
}

const rangeOperators = new Set([
  "$gt",
  "$gte",
  "$lt",
  "$lte",
  "$regex",
  "$in",
  "$exists",
  "$type",
  "$ne",
  "$nin",
  "$mod",
  "$not",
]);

/** Equality fields first, then the sort's, then ranges; null when there is nothing to index. */
export function suggestIndex(filter: unknown, sortPattern: unknown): readonly (readonly [string, 1 | -1])[] | null {
  const equal: string[] = [];
  const ranged: string[] = [];
  collect(filter, equal, ranged);
  const key = new Map<string, 1 | -1>();
  for (const field of equal) key.set(field, 1);
  if (isNested(sortPattern))
    for (const [field, direction] of partsOf(sortPattern))
      if (!key.has(field)) key.set(field, String(direction).startsWith("-") ? -1 : 1);
  for (const field of ranged) if (!key.has(field)) key.set(field, 1);
  const fields = [...key].filter(([field]) => !field.startsWith("$"));
  return fields.length === 0 || fields.length > 4 ? null : fields;
}

function collect(filter: unknown, equal: string[], ranged: string[]): void {
  if (!isNested(filter)) return;
  for (const [name, condition] of partsOf(filter)) {
    if (name === "$and" && Array.isArray(condition)) for (const part of condition) collect(part, equal, ranged);
    // The branches of `$or` each want an index of their own: no one key pattern would serve.
    else if (name.startsWith("$")) continue;
    else if (
      isNested(condition) &&
      !Array.isArray(condition) &&
      partsOf(condition).some(([operator]) => rangeOperators.has(operator))
    )
      ranged.push(name);
    else if (isNested(condition) && fieldOf(condition, "$elemMatch") !== undefined) ranged.push(name);
    else equal.push(name);
  }
}
