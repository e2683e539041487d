/**
 * An explain reply as a tree of stages with their figures, whichever of explain's shapes it came in.
 *
 * Invariants: pure; a field it does not know is kept as a detail rather than dropped; a reply which is no explain
 * gives null. Shapes: https://www.mongodb.com/docs/v8.0/reference/explain-results/
 */
import { cutText, lineCharacters } from "./long-text.ts";
import { fieldOf, isNested, numberOf, partsOf, typeOf, wordShortLine } from "./values.ts";

export interface PlanStage {
  /** `COLLSCAN`, `IXSCAN`, `$group`, … */
  readonly name: string;
  readonly returned: number | null;
  readonly keysExamined: number | null;
  readonly documentsExamined: number | null;
  /** Milliseconds up to and with this stage; null where it was not measured. */
  readonly millis: number | null;
  /** The stage's own time and pages, without its inputs; null where the engine did not watch the stage. */
  readonly own: { readonly millis: number; readonly pagesRead: number } | null;
  readonly indexName: string | null;
  /** Field and bounds, as explain words them: `["author", ["[\"alex\", \"alex\"]"]]`. */
  readonly bounds: readonly (readonly [string, readonly string[]])[];
  /** The filter, sort pattern, limit and whatever else the stage carries, each as one line. */
  readonly details: readonly (readonly [string, string])[];
  /** Figures for the planner's makers: units of work, seeks, spill counters. Each as one line. */
  readonly internals: readonly (readonly [string, string])[];
  /** Every whole number the stage carries, by explain's name: `limitAmount`, `nCounted`, `dupsDropped`, … */
  readonly counts: Readonly<Record<string, number>>;
  /** Whether it came to the end of its input; null where it was not run or does not say. */
  readonly ended: boolean | null;
  /** Sorted or grouped through temporary pages. */
  readonly usedDisk: boolean;
  /** The indexes that a join went through. */
  readonly indexesUsed: readonly string[];
  /** The same stage's raw filter, to suggest an index from. */
  readonly filter: unknown;
  readonly sortPattern: unknown;
  /** The raw key pattern of the stage's index, and the rings of a search for the nearest. */
  readonly keyPattern: unknown;
  readonly searchIntervals: unknown;
  /** The words of a search, as the text index knows them. */
  readonly parsedText: unknown;
  /** The argument of a pipeline's stage, as explain gives it; undefined for a stage of a plan. */
  readonly body: unknown;
  /** The stages that feed this one. */
  readonly inputs: readonly PlanStage[];
}

/** A plan that the planner made and did not take. */
export interface RejectedPlan {
  readonly root: PlanStage;
  /** The outcome of the plan's trial; null where none was made, or explain was not asked for it. */
  readonly trial: Trial | null;
}

/** The outcome of a plan in the short race that the planner has its candidates run. */
export interface Trial {
  readonly returned: number;
  readonly keysExamined: number;
  readonly documentsExamined: number;
  readonly works: number | null;
  readonly score: number | null;
}

export interface Plan {
  /** The stage that answers; its inputs are below it. */
  readonly root: PlanStage;
  readonly namespace: string | null;
  /** Figures of the whole command; null where only the plan was asked for. */
  readonly execution: PlanExecution | null;
  readonly rejected: readonly RejectedPlan[];
  /** The outcome of the chosen plan in the same race. */
  readonly trial: Trial | null;
  /** The filter as the planner understood it. */
  readonly parsedQuery: unknown;
  /** Stages of a pipeline follow the read. */
  readonly isPipeline: boolean;
  /** The command that was explained; undefined where the reply does not tell it. */
  readonly command: unknown;
}

export interface PlanExecution {
  /** Documents returned; for a pipeline the number that its read gave to the stages behind it. */
  readonly returned: number;
  readonly keysExamined: number;
  readonly documentsExamined: number;
  readonly millis: number | null;
  /** Pages read by the command; null where the engine did not say. */
  readonly pagesRead: number | null;
  readonly bytesRead: number | null;
  /** The plan in one line, as the engine words it; null where it did not say. */
  readonly text: string | null;
  /** Why the run ended early, as the engine words it. */
  readonly failure: string | null;
}

/** A namespace without its database. */
export function collectionOf(namespace: string | null): string | null {
  return namespace === null ? null : namespace.slice(namespace.indexOf(".") + 1);
}

/** Reads an explain reply. */
export function readPlan(explain: unknown): Plan | null {
  const plan = readReply(explain);
  return plan === null ? null : { ...plan, command: fieldOf(explain, "command") };
}

function readReply(explain: unknown): Plan | null {
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
  const trials = readTrials(fieldOf(statistics, "allPlansExecution"));
  return {
    root,
    namespace: typeof namespace === "string" ? namespace : null,
    execution: readExecution(statistics),
    rejected: (Array.isArray(rejected) ? (rejected as readonly unknown[]) : [])
      .map((plan) => readStage(plan, plan))
      .filter((stage) => stage !== null)
      .map((stage) => ({ root: stage, trial: trials.get(signatureOf(stage)) ?? null })),
    trial: trialOf(root, trials),
    parsedQuery: fieldOf(planner, "parsedQuery"),
    isPipeline: false,
    command: undefined,
  };
}

/** A plan with the time and the pages of the run itself, where those were counted. */
export function ofRun(
  plan: Plan | null,
  counted: { readonly pagesRead: number; readonly millis: number | null } | null,
): Plan | null {
  if (plan?.execution == null || counted === null) return plan;
  const { pagesRead, millis } = counted;
  return { ...plan, execution: { ...plan.execution, pagesRead, millis: millis ?? plan.execution.millis } };
}

/** An aggregation's explain: a `$cursor` or `$geoNearCursor` holding a find's explain, then the pipeline's stages. */
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
    const millis = numberOf(fieldOf(entry, "executionTimeMillisEstimate"));
    if (name === "$cursor" || name === "$geoNearCursor") {
      plan = readPlan(body);
      // The read's own stages are not measured one by one, but the read as a whole is.
      if (plan !== null) plan = { ...plan, root: { ...plan.root, millis } };
      continue;
    }
    const { details, internals } = sortOut(entry, new Set([name, "totalKeysExamined", "totalDocsExamined"]));
    const plain = plainly(body);
    const worded = wordShortLine(plain);
    const stage: PlanStage = {
      name,
      returned: numberOf(fieldOf(entry, "nReturned")),
      keysExamined: numberOf(fieldOf(entry, "totalKeysExamined")),
      documentsExamined: numberOf(fieldOf(entry, "totalDocsExamined")),
      millis,
      own: ownOf(entry),
      indexName: null,
      bounds: [],
      details: [[name, worded], ...details],
      internals: [...(worded === wordShortLine(body) ? [] : [[name, wordShortLine(body)] as const]), ...internals],
      counts: countsOf(entry),
      ended: null,
      usedDisk: fieldOf(entry, "usedDisk") === true,
      indexesUsed: namesIn(fieldOf(entry, "indexesUsed")),
      filter: undefined,
      sortPattern: name === "$sort" ? (fieldOf(body, "sortKey") ?? body) : undefined,
      keyPattern: undefined,
      searchIntervals: undefined,
      parsedText: undefined,
      body,
      inputs: plan === null ? [] : [plan.root],
    };
    plan =
      plan === null
        ? {
            root: stage,
            namespace: null,
            execution: null,
            rejected: [],
            trial: null,
            parsedQuery: undefined,
            isPipeline: true,
            command: undefined,
          }
        : { ...plan, root: stage, isPipeline: true };
  }
  return plan;
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** An expression as a script would write it: without the marks that the engine's optimizer leaves in it. */
function plainly(value: unknown): unknown {
  if (!isNested(value)) return value;
  if (Array.isArray(value)) return value.map(plainly);
  const parts = partsOf(value);
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.[0] === "$const") {
    const held = only[1];
    const isMeant = (typeof held === "string" && held.startsWith("$")) || isNested(held);
    return isMeant ? { $literal: held } : held;
  }
  return Object.fromEntries(
    parts.filter(([name]) => name !== "$willBeMerged").map(([name, part]) => [name, plainly(part)]),
  );
}

function readExecution(statistics: unknown): PlanExecution | null {
  const returned = numberOf(fieldOf(statistics, "nReturned"));
  if (returned === null) return null;
  // The engine's own field, with figures that MongoDB does not tell.
  const own = fieldOf(statistics, "quire");
  const text = fieldOf(own, "plan");
  const failure = fieldOf(statistics, "errorMessage");
  return {
    returned,
    keysExamined: numberOf(fieldOf(statistics, "totalKeysExamined")) ?? 0,
    documentsExamined: numberOf(fieldOf(statistics, "totalDocsExamined")) ?? 0,
    millis: numberOf(fieldOf(statistics, "executionTimeMillis")),
    pagesRead: numberOf(fieldOf(own, "pagesRead")),
    bytesRead: numberOf(fieldOf(own, "bytesRead")),
    text: typeof text === "string" ? text : null,
    failure: typeof failure === "string" ? failure : null,
  };
}

function readTrials(all: unknown): ReadonlyMap<string, Trial> {
  const trials = new Map<string, Trial>();
  for (const entry of Array.isArray(all) ? (all as readonly unknown[]) : []) {
    const stages = fieldOf(entry, "executionStages");
    const root = readStage(stages, stages);
    if (root === null) continue;
    trials.set(signatureOf(root), {
      returned: numberOf(fieldOf(entry, "nReturned")) ?? 0,
      keysExamined: numberOf(fieldOf(entry, "totalKeysExamined")) ?? 0,
      documentsExamined: numberOf(fieldOf(entry, "totalDocsExamined")) ?? 0,
      works: root.counts["works"] ?? null,
      score: numberOf(fieldOf(entry, "score")),
    });
  }
  return trials;
}

/** The trial of a plan, which may be wrapped into the stages of the command itself. */
function trialOf(root: PlanStage, trials: ReadonlyMap<string, Trial>): Trial | null {
  for (let stage: PlanStage | undefined = root; stage !== undefined; stage = stage.inputs[0]) {
    const trial = trials.get(signatureOf(stage));
    if (trial !== undefined) return trial;
  }
  return null;
}

/** A text that is the same for equal plans of a query: stages, indexes and bounds. */
function signatureOf(stage: PlanStage): string {
  return JSON.stringify([stage.name, stage.indexName, stage.bounds, stage.inputs.map(signatureOf)]);
}

/** Fields that are drawn as a figure, a bound or an input. */
const shownElsewhere = new Set([
  "stage",
  "inputStage",
  "inputStages",
  "nReturned",
  "keysExamined",
  "docsExamined",
  "executionTimeMillisEstimate",
  "indexName",
  "indexBounds",
  "quire",
]);

/** Fields that most readers do not need; a reader who knows the server well may look for them. */
const internalFields = new Set([
  "planNodeId",
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
  "isMultiKey",
  "multiKeyPaths",
  "alreadyHasObj",
  "isCached",
  "isUnique",
  "isSparse",
  "isPartial",
  "memLimit",
  "type",
  "usedDisk",
  "spills",
  "spilledBytes",
  "spilledRecords",
  "spilledDataStorageSize",
  "spilledUncompressedDataSize",
  "numBytesSpilledEstimate",
  "maxAccumulatorMemoryUsageBytes",
  "totalOutputDataSizeBytes",
  "startKeyInclusive",
  "endKeyInclusive",
]);

function sortOut(source: unknown, known: ReadonlySet<string>): Pick<PlanStage, "details" | "internals"> {
  const details: (readonly [string, string])[] = [];
  const internals: (readonly [string, string])[] = [];
  if (!isNested(source)) return { details, internals };
  for (const [field, value] of partsOf(source)) {
    if (shownElsewhere.has(field) || known.has(field)) continue;
    const worded = [
      field,
      typeOf(value) === "String" ? cutText(String(value), lineCharacters) : wordShortLine(value),
    ] as const;
    if (internalFields.has(field) || value === false || value === "forward") internals.push(worded);
    else details.push(worded);
  }
  return { details, internals };
}

/** This engine's own figures of one stage. */
function ownOf(stage: unknown): PlanStage["own"] {
  const own = fieldOf(stage, "quire");
  const [millis, pagesRead] = [numberOf(fieldOf(own, "millis")), numberOf(fieldOf(own, "pagesRead"))];
  return millis === null || pagesRead === null ? null : { millis, pagesRead };
}

function countsOf(...sources: readonly unknown[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const source of sources) {
    if (!isNested(source)) continue;
    for (const [field, value] of partsOf(source)) {
      const number = typeof value === "boolean" ? null : numberOf(value);
      if (number !== null && counts[field] === undefined) counts[field] = number;
    }
  }
  return counts;
}

/** `plan` is the same stage in the winning plan: its fields stand in where the execution's figures leave them out. */
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
  const own = sortOut(stage, new Set());
  const planned = sortOut(plan, new Set([...own.details, ...own.internals].map(([field]) => field)));
  const ended = numberOf(fieldOf(stage, "isEOF")) ?? fieldOf(stage, "isEOF");
  return {
    name,
    returned: numberOf(fieldOf(stage, "nReturned")),
    keysExamined: numberOf(fieldOf(stage, "keysExamined")),
    documentsExamined: numberOf(fieldOf(stage, "docsExamined")),
    // This engine measures a read's stages together and says 0 for each of them.
    millis: numberOf(fieldOf(stage, "executionTimeMillisEstimate")) || null,
    own: ownOf(stage),
    indexName: typeof indexName === "string" ? indexName : null,
    bounds: isNested(bounds) ? partsOf(bounds).map(([field, ranges]) => [field, wordRanges(ranges)] as const) : [],
    details: [...own.details, ...planned.details],
    internals: [...own.internals, ...planned.internals],
    counts: countsOf(stage, plan),
    ended: ended === undefined || ended === null ? null : ended === true || ended === 1,
    usedDisk: fieldOf(stage, "usedDisk") === true,
    indexesUsed: [],
    filter: either("filter"),
    sortPattern: either("sortPattern"),
    keyPattern: either("keyPattern"),
    searchIntervals: fieldOf(stage, "searchIntervals"),
    parsedText: fieldOf(stage, "parsedTextQuery"),
    body: undefined,
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
    ? ranges.map((range) => (typeof range === "string" ? cutText(range, lineCharacters) : wordShortLine(range)))
    : [wordShortLine(ranges)];
}

/** Database and collection of a plan's namespace; empty where the plan reads no collection. */
export function partsOfNamespace(namespace: string | null): readonly [string, string] {
  const [database = "", ...rest] = (namespace ?? "").split(".");
  return [database, rest.join(".")];
}

/** Every stage of a plan, the answering one first. */
export function stagesOf(root: PlanStage): readonly PlanStage[] {
  return [root, ...root.inputs.flatMap(stagesOf)];
}
