/**
 * A question that comes back: the lesson is walked again as far as its run, in an engine of its own, and the prediction
 * is compared with that run once more.
 *
 * Invariants: nothing of the reader's work is read or changed; the snippets before the question and the solutions of
 * the tasks before it are run as their author wrote them, so that the answer is the one that `check-course` tries.
 */
import { questionsOf, type Lesson } from "./lesson.ts";
import type { Question } from "./parts.ts";
import { isTruth } from "./progress.ts";
import { leadUp, type Release } from "./replay.ts";
import { LessonRun, type Answered, type LessonHost } from "./run.ts";

/** The question of a lesson with a key; null where it is there no longer. */
export const questionOf = (lesson: Pick<Lesson, "steps">, key: string): Question | null =>
  questionsOf(lesson).find((question) => question.key === key) ?? null;

/** Tells a question from another one under its key: its script and its answer, which all languages share. */
export function signOf({ scripts }: Pick<Lesson, "scripts">, { run, answer }: Question): string {
  const expressions =
    answer.kind === "figure" ? [answer.expression] : answer.choices.map(({ expression }) => expression);
  let sign = 0x811c9dc5;
  for (const letter of [scripts.runs.get(run)?.source ?? "", ...expressions].join("\n"))
    sign = Math.imul(sign ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (sign >>> 0).toString(16);
}

/** Whether a prediction was right; null where the truth is not known. */
export function isRight({ answer }: Question, given: string | null, answered: Answered | null): boolean | null {
  if (answered === null || answered.kind === "broken") return null;
  if (answered.kind === "figure") return isTruth(given, answered.truth);
  return answer.kind === "choices" && given !== null && answered.right[Number(given)] === true;
}

/** Brings a lesson to the point before a question's run. */
export async function walkTo(
  lesson: Lesson,
  question: Question,
  database: string,
  host: LessonHost,
  earlier: readonly Release[] = [],
): Promise<LessonRun> {
  await leadUp(earlier, database, host);
  const run = new LessonRun(lesson, database, host);
  await run.begin();
  for (const part of lesson.steps.flatMap(({ parts }) => parts)) {
    if (part.kind === "run" && part.script.id === question.run) break;
    if (part.kind === "run") await run.run(part.script.id);
    const solution = part.kind === "task" ? lesson.scripts.solutions.get(part.id) : undefined;
    if (part.kind === "task" && solution !== undefined) await run.attempt(part.id, solution.source);
  }
  return run;
}
