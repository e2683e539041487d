/**
 * How many keys of all batches led to a document that had been seen, where that follows from what was examined.
 *
 * A `getMore` tells how many keys and documents it examined, and not how many of the keys were repeated. But a key of a
 * run of keys leads to a document that is read, or to one that was seen: the rest are the repeated ones. Between the
 * runs of a scan, keys are examined which only tell where to go on, one a gap at most. Invariants: pure; what is told
 * is certain, and is so many at most where it says so.
 */
import type { Counted, Note } from "./insight.ts";
import { stagesOf, type Plan, type PlanStage } from "./plan.ts";

type Examined = Pick<Counted, "keysExamined" | "documentsExamined">;

/** The note of all that was examined so far; null where there is nothing that is known. */
export function repeatsOf({ root, isPipeline, execution }: Plan, total: Examined): Note | null {
  if (isPipeline || execution === null) return null;
  const stages = stagesOf(root);
  const fetch = stages.find(({ name }) => name === "FETCH");
  const [input] = fetch?.inputs ?? [];
  if (input === undefined || stages.some((stage) => stage !== fetch && stage.documentsExamined !== null)) return null;
  const others = othersOf(input);
  if (others === null) return null;
  const dropped = stages.reduce((sum, { counts }) => sum + (counts["dupsDropped"] ?? 0), 0);
  const tested = stages.reduce((sum, { counts }) => sum + (counts["dupsTested"] ?? 0), 0);
  const first = execution.keysExamined - execution.documentsExamined;
  const all = total.keysExamined - total.documentsExamined;
  // The first batch tells both: a plan that does not fit the reckoning is not reckoned.
  if (tested === 0 || first < dropped || first > dropped + others || all <= others) return null;
  return { kind: "repeated", count: all, ...(others === 0 ? {} : { isMost: true }) };
}

/** How many keys were examined at most that led to no document; null where that is not known. */
function othersOf({ name, inputs, filter, bounds }: PlanStage): number | null {
  switch (name) {
    case "OR":
      return inputs.map(othersOf).reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
    case "IXSCAN": {
      if (filter !== undefined || bounds.length === 0) return null;
      const ranges = bounds.map(([, each]) => each);
      if (ranges.length === 1) return (ranges[0]?.length ?? 0) - 1;
      return isOneRun(ranges) ? 0 : null;
    }
    default:
      return null;
  }
}

/** Whether the bounds of several fields are one run of keys: single values, then a range, then everything. */
function isOneRun(fields: readonly (readonly string[])[]): boolean {
  const behind = fields.findIndex((ranges) => !isPoint(ranges)) + 1;
  return fields.every(
    (ranges, at) =>
      ranges.length === 1 && (behind === 0 || at < behind || /^\[M..Key, M..Key\]$/.test(ranges[0] ?? "")),
  );
}

/** Whether it is one value: a range from it to itself. */
function isPoint([range = ""]: readonly string[]): boolean {
  const inside = /^\[(.*)\]$/s.exec(range)?.[1] ?? "";
  const half = (inside.length - ", ".length) / 2;
  return half > 0 && inside.slice(0, half) === inside.slice(-half);
}
