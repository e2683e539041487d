/**
 * A book of problems: how far the reader is with each, and which comes next under a filter.
 *
 * Invariant: pure; the order is that of `course.json`.
 */
import type { Difficulty } from "./course.ts";

/** How far a reader is with a problem; a solution that was looked at is told besides. */
export type Standing = "new" | "tried" | "solved";

/** The parts of a listed lesson that the book needs. */
export interface Standable {
  readonly id: string;
  readonly problem: { readonly topic: string; readonly difficulty: Difficulty } | null;
  /** Checks passed, and how many there are; null before the text was read. */
  readonly passed: number;
  readonly tasks: number | null;
  readonly tried: boolean;
}

export interface BookFilter {
  readonly topic: string | null;
  readonly difficulty: Difficulty | null;
  readonly standing: Standing | null;
}

export const NO_FILTER: BookFilter = { topic: null, difficulty: null, standing: null };

export function standingOf({ passed, tasks, tried }: Pick<Standable, "passed" | "tasks" | "tried">): Standing {
  if (passed > 0 && passed >= (tasks ?? 1)) return "solved";
  return tried ? "tried" : "new";
}

/** The problems that a filter lets through. */
export function filtered<Problem extends Standable>(
  problems: readonly Problem[],
  { topic, difficulty, standing }: BookFilter,
): readonly Problem[] {
  return problems.filter(
    (one) =>
      (topic === null || one.problem?.topic === topic) &&
      (difficulty === null || one.problem?.difficulty === difficulty) &&
      (standing === null || standingOf(one) === standing),
  );
}

/** The next problem behind one that is not solved, from the beginning again at the end; null where all are solved. */
export function nextUnsolved<Problem extends Standable>(
  problems: readonly Problem[],
  after: string | null,
): Problem | null {
  const at = problems.findIndex(({ id }) => id === after);
  const order = [...problems.slice(at + 1), ...problems.slice(0, at + 1)];
  return order.find((one) => one.id !== after && standingOf(one) !== "solved") ?? null;
}
