/**
 * A reader's work done again: to go on with a lesson, and for a teacher, who trusts no file.
 *
 * Invariant: a task passes only when the lesson's own check passes on the data that the reader's scripts leave.
 */
import { questionsOf, tasksOf, type Lesson } from "./lesson.ts";
import { isTruth, type LessonWork } from "./progress.ts";
import { LessonRun, type Checked, type LessonHost } from "./run.ts";

/** Runs a lesson's log after its setup; gives the checks that passed on the way, by their tasks. */
export async function replay(
  run: LessonRun,
  { log }: Pick<LessonWork, "log">,
  onEntry: (done: number) => void = () => undefined,
): Promise<ReadonlyMap<string, Checked>> {
  const tasks = new Map(tasksOf(run.lesson).map((task) => [task.id, task]));
  const passed = new Map<string, Checked>();
  for (const [at, { kind, id, source }] of log.entries()) {
    onEntry(at);
    if (kind === "run") {
      // A course may have changed since.
      if (run.lesson.scripts.runs.has(id)) await run.run(id, source);
      continue;
    }
    const task = tasks.get(id);
    if (task === undefined || source === undefined) continue;
    await run.attempt(id, source);
    const checked = await run.check(task);
    if (checked.kind === "passed") passed.set(id, checked);
  }
  return passed;
}

/** Runs a lesson's log after its setup, for the data alone: nothing is checked. */
export async function replayData(run: LessonRun, { log }: Pick<LessonWork, "log">): Promise<void> {
  for (const { kind, id, source } of log) {
    if (kind === "run" && run.lesson.scripts.runs.has(id)) await run.run(id, source);
    else if (kind === "task" && source !== undefined && run.lesson.scripts.checks.has(id))
      await run.attempt(id, source);
  }
}

/** A release of a project, and what a reader did in it. */
export interface Release {
  readonly lesson: Lesson;
  readonly work: Pick<LessonWork, "log">;
}

/** Brings an engine to the data with which a release of a project begins: those that the releases before it left. */
export async function leadUp(
  earlier: readonly Release[],
  database: string,
  host: LessonHost,
  limit?: ConstructorParameters<typeof LessonRun>[3],
): Promise<void> {
  for (const { lesson, work } of earlier) {
    const run = new LessonRun(lesson, database, host, limit);
    await run.begin();
    await replayData(run, work);
    await run.leave();
  }
}

/** The work of a reader who did nothing but the author's solutions. */
export function solvedWork({ scripts, ...lesson }: Lesson): Pick<LessonWork, "log"> {
  return {
    log: tasksOf(lesson).flatMap(({ id }) => {
      const source = scripts.solutions.get(id)?.source;
      return source === undefined ? [] : [{ kind: "task" as const, id, source, wrote: true }];
    }),
  };
}

/** One lesson's work in a teacher's table. */
export interface Reviewed {
  readonly tasks: readonly {
    readonly id: string;
    /** Its check passes when the work is done again. */
    readonly passes: boolean;
    /** The file says that it passed. */
    readonly claimed: boolean;
    readonly attempts: number;
    /** The student looked at the solution. */
    readonly seen: boolean;
    /** The script that was run last. */
    readonly source: string;
  }[];
  readonly questions: number;
  readonly answered: number;
  readonly right: number;
}

/** Does the work of a lesson again. */
export async function review(run: LessonRun, work: LessonWork): Promise<Reviewed> {
  const { lesson } = run;
  await run.begin();
  const passed = await replay(run, work);
  const questions = questionsOf(lesson);
  const right = questions.filter(({ key, answer }) => {
    const given = work.answers[key];
    const answered = run.answered(key);
    if (given === undefined || answered === null) return false;
    if (answered.kind === "figure") return isTruth(given, answered.truth);
    return answered.kind === "choices" && answer.kind === "choices" && answered.right[Number(given ?? -1)] === true;
  });
  return {
    tasks: tasksOf(lesson).map(({ id }) => {
      const attempts = work.log.filter((entry) => entry.kind === "task" && entry.id === id);
      return {
        id,
        passes: passed.has(id),
        claimed: work.passed.includes(id),
        attempts: attempts.length,
        seen: work.seen.includes(id),
        source: attempts.at(-1)?.source ?? "",
      };
    }),
    questions: questions.length,
    answered: questions.filter(({ key }) => work.answers[key] !== undefined).length,
    right: right.length,
  };
}
