/**
 * An explain reply as a tree of stages with their figures, whichever of explain's shapes it came in.
 *
 * Invariants: pure; a field it does not know is kept as a detail rather than dropped; a reply which is no explain
 * gives null. Shapes: https://www.mongodb.com/docs/v8.0/reference/explain-results/
 */
import { fieldOf, isNested, numberOf, partsOf, typeOf, wordLine } from "./values.ts";

export interface PlanStage {
  /** `COLLSCAN`, `IXSCAN`, `$group`, … */
  readonly name: string;
  readonly returned: number | null;
  readonly keysExamined: number | null;
  readonly documentsExamined: number | null;
  readonly millis: number | null;
  readonly indexName: string | null;
  /** Field and bounds, as explain words them: `["author", ["[\"alex\", \"alex\"]"]]`. */
  readonly bounds: readonly (readonly [string, readonly string[]])[];
  /** The filter, sort pattern, limit and whatever else the stage carries, each as one line. */
  readonly details: readonly (readonly [string, string])[];
  /** The same stage's raw filter, to suggest an index from. */
  readonly filter: unknown;
  readonly sortPattern: unknown;
  /** The stages that feed this one. */
  readonly inputs: readonly PlanStage[];
}

export interface Plan {
  /** The stage that answers; its inputs are below it. */
  readonly root: PlanStage;
  readonly namespace: string | null;
  /** Figures of the whole command; null where only the plan was asked for. */
  readonly execution: PlanExecution | null;
  readonly rejected: readonly PlanStage[];
  /** The filter as the planner understood it. */
  readonly parsedQuery: unknown;
}

export interface PlanExecution {
  readonly returned: number;
  readonly keysExamined: number;
  readonly documentsExamined: number;
  readonly millis: number | null;
  /** Pages read by the command; null where the engine did not say. */
  readonly pagesRead: number | null;
  readonly bytesRead: number | null;
  /** The plan in one line, as the engine words it; null where it did not say. */
  readonly text: string | null;
}

/** Reads an explain reply. */
export function readPlan(explain: unknown): Plan | null {
  const stages = fieldOf(explain, "stages");
  if (Array.isArray(stages)) return readPipeline(stages as readonly unknown[]);
  const planner = fieldOf(explain, "queryPlanner");
  if (planner === undefined) return null;
  const statistics = fieldOf(explain, "executionStats");
  const winning = fieldOf(planner, "winningPlan");
  const root = readStage(
    fieldOf(statistics, "executionStages") ?? fieldOf(winning, "queryPlan") ?? winning,
    fieldOf(winning, "queryPlan") ?? winning,
  );
  if (root === null) return null;
  const rejected = fieldOf(planner, "rejectedPlans");
  const namespace = fieldOf(planner, "namespace");
  return {
    root,
    namespace: typeof namespace === "string" ? namespace : null,
    execution: readExecution(statistics),
    rejected: Array.isArray(rejected)
      ? rejected.map((plan) => readStage(plan, plan)).filter((stage) => stage !== null)
      : [],
    parsedQuery: fieldOf(planner, "parsedQuery"),
  };
}

/** An aggregation's explain: a `$cursor` stage holding a find's explain, then the pipeline's stages. */
function readPipeline(stages: readonly unknown[]): Plan | null {
  let plan: Plan | null = null;
  for (const entry of stages) {
    const name = isNested(entry)
      ? partsOf(entry)
          .map(([key]) => key)
          .find((key) => key.startsWith("$"))
      : undefined;
    if (name === undefined) continue;
    const body = fieldOf(entry, name);
    if (name === "$cursor") {
      plan = readPlan(body);
      continue;
    }
    const stage: PlanStage = {
      name,
      returned: numberOf(fieldOf(entry, "nReturned")),
      keysExamined: numberOf(fieldOf(entry, "totalKeysExamined")),
      documentsExamined: numberOf(fieldOf(entry, "totalDocsExamined")),
      millis: numberOf(fieldOf(entry, "executionTimeMillisEstimate")),
      indexName: null,
      bounds: [],
      details: [[name, wordLine(body)]],
      filter: undefined,
      sortPattern: undefined,
      inputs: plan === null ? [] : [plan.root],
    };
    plan =
      plan === null
        ? { root: stage, namespace: null, execution: null, rejected: [], parsedQuery: undefined }
        : { ...plan, root: stage };
  }
  return plan;
}

function readExecution(statistics: unknown): PlanExecution | null {
  const returned = numberOf(fieldOf(statistics, "nReturned"));
  if (returned === null) return null;
  // What this engine tells beyond MongoDB's own fields.
  const own = fieldOf(statistics, "quire");
  const text = fieldOf(own, "plan");
  return {
    returned,
    keysExamined: numberOf(fieldOf(statistics, "totalKeysExamined")) ?? 0,
    documentsExamined: numberOf(fieldOf(statistics, "totalDocsExamined")) ?? 0,
    millis: numberOf(fieldOf(statistics, "executionTimeMillis")),
    pagesRead: numberOf(fieldOf(own, "pagesRead")),
    bytesRead: numberOf(fieldOf(own, "bytesRead")),
    text: typeof text === "string" ? text : null,
  };
}

/** Fields that are drawn as a figure, a bound or an input, or say nothing a reader needs. */
const shownElsewhere = new Set([
  "stage",
  "planNodeId",
  "inputStage",
  "inputStages",
  "nReturned",
  "keysExamined",
  "docsExamined",
  "executionTimeMillisEstimate",
  "indexName",
  "indexBounds",
  "works",
  "advanced",
  "needTime",
  "needYield",
  "saveState",
  "restoreState",
  "isEOF",
  "seeks",
  "dupsTested",
  "dupsDropped",
  "indexVersion",
  "multiKeyPaths",
  "alreadyHasObj",
  "isCached",
  "isUnique",
  "isSparse",
  "isPartial",
  "memLimit",
  "type",
]);

/** `plan` is the same stage in the winning plan, for what execution figures may leave out. */
function readStage(stage: unknown, plan: unknown): PlanStage | null {
  const name = fieldOf(stage, "stage");
  if (typeof name !== "string") return null;
  const inputs: PlanStage[] = [];
  const planInputs = inputsOf(plan);
  for (const [index, input] of inputsOf(stage).entries()) {
    const read = readStage(input, planInputs[index]);
    if (read !== null) inputs.push(read);
  }
  const either = (field: string): unknown => fieldOf(stage, field) ?? fieldOf(plan, field);
  const indexName = either("indexName");
  const bounds = either("indexBounds");
  const details: (readonly [string, string])[] = [];
  for (const source of [stage, plan]) {
    if (!isNested(source)) continue;
    for (const [field, value] of partsOf(source)) {
      if (
        shownElsewhere.has(field) ||
        details.some(([known]) => known === field) ||
        value === false ||
        value === "forward"
      )
        continue;
      details.push([field, typeOf(value) === "String" ? String(value) : wordLine(value)]);
    }
  }
  return {
    name,
    returned: numberOf(fieldOf(stage, "nReturned")),
    keysExamined: numberOf(fieldOf(stage, "keysExamined")),
    documentsExamined: numberOf(fieldOf(stage, "docsExamined")),
    millis: numberOf(fieldOf(stage, "executionTimeMillisEstimate")),
    indexName: typeof indexName === "string" ? indexName : null,
    bounds: isNested(bounds) ? partsOf(bounds).map(([field, ranges]) => [field, wordRanges(ranges)] as const) : [],
    details,
    filter: either("filter"),
    sortPattern: either("sortPattern"),
    inputs,
  };
}

function inputsOf(stage: unknown): readonly unknown[] {
  const one = fieldOf(stage, "inputStage");
  if (one !== undefined) return [one];
  const many = fieldOf(stage, "inputStages");
  return Array.isArray(many) ? (many as readonly unknown[]) : [];
}

function wordRanges(ranges: unknown): readonly string[] {
  return Array.isArray(ranges)
    ? ranges.map((range) => (typeof range === "string" ? range : wordLine(range)))
    : [wordLine(ranges)];
}

/** Every stage of a plan, the answering one first. */
export function stagesOf(root: PlanStage): readonly PlanStage[] {
  return [root, ...root.inputs.flatMap(stagesOf)];
}
