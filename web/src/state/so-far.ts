/**
 * How a cursor was answered as far as it was fetched: the plan with the figures of all batches, where they can be told
 * stage by stage, and the reading for the line above the result.
 *
 * The plan that a run tells is that of its first batch; a `getMore` tells all that it examined. Invariants: pure; a
 * figure is put at a stage only where it can be no other, since each document that went on must have passed it once;
 * of any other plan the sentence stays that of the first batch and says so, and the later batches' figures follow it.
 */
import type { Fetched } from "./fetched.ts";
import { readInsight, type Counted, type KnownIndex, type Note, type Reading } from "./insight.ts";
import type { Plan, PlanStage } from "./plan.ts";
import { ofRun } from "./plan.ts";
import { repeatsOf } from "./repeats.ts";

export interface SoFar {
  readonly plan: Plan;
  readonly reading: Reading;
  /** The plan's figures are those of the first batch alone. */
  readonly isFirstOnly: boolean;
}

/**
 * The plan and its reading, as far as the cursor was fetched.
 *
 * @param isEnd the cursor gave its last document
 * @param indexes the collection's indexes
 */
export function readSoFar(
  plan: Plan,
  first: Counted | null,
  fetched: Fetched | null,
  isEnd: boolean,
  indexes: readonly KnownIndex[] = [],
): SoFar {
  if (fetched === null || first === null) {
    const known = ofRun(plan, first) ?? plan;
    return { plan: known, reading: readInsight(known, first, indexes), isFirstOnly: false };
  }
  const counted: Counted = {
    keysExamined: first.keysExamined + fetched.keysExamined,
    documentsExamined: first.documentsExamined + fetched.documentsExamined,
    pagesRead: fetched.differentPages ?? first.pagesRead + fetched.pagesRead,
    millis: (first.millis ?? 0) + fetched.millis,
  };
  const arePagesRepeated = fetched.differentPages === null;
  const repeated = repeatsOf(plan, counted);
  const whole = followed(plan, fetched, isEnd);
  if (whole !== null) {
    const known = ofRun(whole, counted) ?? whole;
    const reading = readInsight(known, counted, indexes);
    const notes = repeated === null ? reading.notes : [repeated, ...withoutRepeats(reading.notes)];
    return { plan: known, reading: { ...reading, notes, arePagesRepeated }, isFirstOnly: false };
  }
  const known = ofRun(plan, first) ?? plan;
  // With the first batch's figures: keys of later batches must not be taken for reads of stages without figures.
  const reading = readInsight(known, first, indexes);
  return {
    plan: known,
    reading: {
      ...reading,
      ...counted,
      notes: repeated === null ? reading.notes : withoutRepeats(reading.notes),
      returned: reading.returned === null ? null : reading.returned + fetched.documents,
      arePagesRepeated,
      since: repeated === null ? fetched : { ...fetched, repeated },
    },
    isFirstOnly: true,
  };
}

const withoutRepeats = (notes: readonly Note[]): readonly Note[] => notes.filter(({ kind }) => kind !== "repeated");

/** The plan with the figures of all batches; null where they cannot be told stage by stage. */
function followed(plan: Plan, fetched: Fetched, isEnd: boolean): Plan | null {
  const { execution } = plan;
  if (plan.isPipeline || execution === null) return null;
  const total = {
    returned: execution.returned + fetched.documents,
    keysExamined: execution.keysExamined + fetched.keysExamined,
    documentsExamined: execution.documentsExamined + fetched.documentsExamined,
  };
  const root = follow(plan.root, total.returned, { ...total, isEnd, isIdle: isIdle(fetched) });
  return root === null ? null : { ...plan, root, execution: { ...execution, ...total } };
}

const isIdle = ({ keysExamined, documentsExamined }: Fetched): boolean => keysExamined === 0 && documentsExamined === 0;

interface Totals {
  readonly keysExamined: number;
  readonly documentsExamined: number;
  readonly isEnd: boolean;
  /** Nothing was examined after the first batch. */
  readonly isIdle: boolean;
}

/** Counters of a stage that are known for the first batch alone, and left out of the whole. */
const passing = ["works", "advanced", "needTime", "needYield", "saveState", "restoreState", "isEOF", "seeks"].concat([
  "dupsTested",
  "dupsDropped",
]);

/** A stage and the stages below it with the figures of all batches, after it gave `returned`; null where unknown. */
function follow(stage: PlanStage, returned: number, totals: Totals): PlanStage | null {
  const [input] = stage.inputs;
  if (stage.inputs.length > 1) return null;
  const now: PlanStage = {
    ...stage,
    returned,
    // Measured in the first batch only.
    millis: null,
    own: null,
    internals: stage.internals.filter(([name]) => !passing.includes(name)),
    counts: Object.fromEntries(Object.entries(stage.counts).filter(([name]) => !passing.includes(name))),
    ended: stage.ended === null ? null : totals.isEnd,
  };
  const over = (given: number, limits = totals): PlanStage | null => {
    const below = input === undefined ? null : follow(input, given, limits);
    return below === null ? null : { ...now, inputs: [below] };
  };
  switch (stage.name) {
    case "PROJECTION_SIMPLE":
    case "PROJECTION_DEFAULT":
    case "PROJECTION_COVERED":
    case "RETURN_KEY":
    case "SORT_KEY_GENERATOR":
    case "SUBPLAN":
      return over(returned);
    case "LIMIT": {
      const limit = stage.counts["limitAmount"];
      // A limit that gave all it may ends without asking whether there is more.
      return over(returned, { ...totals, isEnd: totals.isEnd && limit !== undefined && returned < limit });
    }
    case "SKIP": {
      const skipped = stage.counts["skipAmount"];
      return skipped === undefined ? null : over(returned + skipped);
    }
    case "SORT":
      // A sort has read all of its input before it gives the first document.
      return totals.isIdle ? { ...now, inputs: stage.inputs } : null;
    case "FETCH": {
      if (input?.name !== "IXSCAN") return null;
      const below = over(totals.documentsExamined);
      return below === null ? null : { ...below, documentsExamined: totals.documentsExamined };
    }
    case "IXSCAN":
      return input === undefined ? { ...now, keysExamined: totals.keysExamined } : null;
    case "COLLSCAN":
    case "CLUSTERED_IXSCAN":
      return input === undefined ? { ...now, documentsExamined: totals.documentsExamined } : null;
    default:
      return null;
  }
}
