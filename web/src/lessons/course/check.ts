/**
 * Tries a lesson as `check-course` does: every script, every question, every check with its solution and its wrong
 * answers.
 *
 * Invariants: the lesson is run as a page runs it (`run.ts`); each wrong answer meets the data as the solution does;
 * every fault names the place that is to be mended.
 */
import { plainValue, type ScriptAccount } from "./account.ts";
import { Faults, type Fault } from "./faults.ts";
import { wordFigure } from "./figures.ts";
import { wordsOfHint } from "./agree.ts";
import { questionsOf, questionsOfRun, tasksOf, type Lesson } from "./lesson.ts";
import type { RunOptions } from "../../protocol/run.ts";
import type { Question, Task } from "./parts.ts";
import { mutantsOf, probe, PROBED, withConstant, type Mutant } from "./mutants.ts";
import { leadUp, solvedWork } from "./replay.ts";
import { LessonRun, SetupError, type Checked, type LessonHost, type Made } from "./run.ts";
import {
  ANSWERS_FILE,
  NO_ANSWERS,
  SCRIPTS_FILE,
  showsError,
  type Answers,
  type Computed,
  type Wrong,
} from "./scripts.ts";

export type OpenHost = () => Promise<LessonHost & { close(): void }>;

/** How long each script may take, trials' scripts too. */
type Limit = Pick<RunOptions, "timeLimitMillis">;

/** The numbers of things tried, to be told where there is no fault. */
export interface Tried {
  readonly runs: number;
  readonly questions: number;
  readonly tasks: number;
  readonly wrongs: number;
  readonly rights: number;
  readonly mutants: number;
  readonly figures: number;
}

/**
 * `lessons` is one lesson in each of its languages, which agree; the first is run. Of a project's release, `earlier`
 * are the releases before it, whose solutions leave the data with which it begins. `limit`: how long each script may
 * take.
 */
export async function tryLesson(
  lessons: readonly [Lesson, ...Lesson[]],
  database: string,
  openHost: OpenHost,
  answers: Answers = NO_ANSWERS,
  earlier: readonly Lesson[] = [],
  limit: Limit = {},
): Promise<{ readonly tried: Tried; readonly faults: readonly Fault[] }> {
  const trial = new Trial(lessons, database, openHost, answers, earlier, limit);
  await trial.make();
  const { scripts } = lessons[0];
  return {
    tried: {
      runs: scripts.runs.size,
      questions: questionsOf(lessons[0]).length,
      tasks: scripts.checks.size,
      wrongs: [...scripts.wrongs.values(), ...answers.wrongs.values()].flat().length,
      rights: scripts.solutions.size + [...answers.rights.values()].flat().length,
      mutants: trial.mutants,
      figures: scripts.values.size + scripts.charts.size,
    },
    faults: trial.faults,
  };
}

class Trial {
  readonly #lessons: readonly [Lesson, ...Lesson[]];
  readonly #database: string;
  readonly #openHost: OpenHost;
  readonly #scripts: Faults;
  readonly #text: Faults;
  readonly #answerFaults: Faults;
  readonly #answers: Answers;
  readonly #earlier: readonly Lesson[];
  readonly #limit: Limit;
  /** How many mutants were tried. */
  mutants = 0;

  constructor(
    lessons: readonly [Lesson, ...Lesson[]],
    database: string,
    openHost: OpenHost,
    answers: Answers,
    earlier: readonly Lesson[],
    limit: Limit,
  ) {
    this.#answers = answers;
    this.#earlier = earlier;
    this.#limit = limit;
    this.#lessons = lessons;
    this.#database = database;
    this.#openHost = openHost;
    const [{ id, language }] = lessons;
    this.#scripts = new Faults(`${id}/${SCRIPTS_FILE}`);
    this.#answerFaults = new Faults(`${id}/${ANSWERS_FILE}`);
    this.#text = new Faults(`${id}/${language}.md`);
  }

  get faults(): readonly Fault[] {
    return [...this.#scripts.found, ...this.#answerFaults.found, ...this.#text.found];
  }

  async make(): Promise<void> {
    const host = await this.#openHost();
    try {
      const [lesson] = this.#lessons;
      const run = new LessonRun(lesson, this.#database, host, this.#limit);
      try {
        const releases = this.#earlier.map((one) => ({ lesson: one, work: solvedWork(one) }));
        await leadUp(releases, this.#database, host, this.#limit);
        await run.begin();
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        this.#scripts.add(error.line, `the setup fails: ${error.message}`);
        return;
      }
      this.#begun(run);
      await this.#walk(run, true);
      this.#computed(run);
      // A reader may leave out the snippets: a task needs the setup and the tasks before it, and nothing else.
      if (this.faults.length > 0 || tasksOf(lesson).length === 0) return;
      await run.reset();
      await this.#walk(run, false);
    } finally {
      host.close();
    }
  }

  /** From the first line to the last; `whole`: with the snippets and the wrong answers. */
  async #walk(run: LessonRun, whole: boolean): Promise<void> {
    for (const part of this.#lessons[0].steps.flatMap(({ parts }) => parts)) {
      if (part.kind === "run" && whole) await this.#run(run, part.script.id);
      else if (part.kind === "task") await this.#task(run, part, whole);
    }
  }

  async #run(run: LessonRun, id: string): Promise<void> {
    const [lesson] = this.#lessons;
    const { line, source } = lesson.scripts.runs.get(id) as { line: number; source: string };
    const { outcome } = await run.run(id);
    const { error } = outcome;
    if (error !== null && !showsError(source))
      this.#scripts.add(
        line + (error.line ?? 1) - 1,
        `run ${id} fails: ${error.text} (a comment that says "error" lets it)`,
      );
    for (const question of questionsOfRun(lesson, id)) this.#question(run, question);
  }

  #question(run: LessonRun, { key, answer, line }: Question): void {
    const answered = run.answered(key);
    if (answered === null) this.#text.add(line, `run ${key.split("/")[0]} gives no answer to this question`);
    else if (answered.kind === "broken") this.#text.add(line, `the answer cannot be computed: ${answered.message}`);
    else if (answered.kind === "figure") {
      if (typeof answered.truth !== "number")
        this.#text.add(line, `the answer is no number: ${JSON.stringify(answered.truth)}`);
    } else if (answer.kind === "choices") {
      const right = answered.right.filter(Boolean).length;
      if (right === 1) return;
      const account = run.made(key.split("/")[0] ?? "")?.account;
      const told = account === undefined ? "" : `; the run: ${wordAccount(account)}`;
      this.#text.add(line, `exactly one choice has to be right, and ${right} of ${answered.right.length} are${told}`);
    }
  }

  async #task(run: LessonRun, task: Task, whole: boolean): Promise<void> {
    const { wrongs, solutions } = this.#lessons[0].scripts;
    if (whole) {
      await this.#wrong(run, task, wrongs.get(task.id) ?? [], this.#scripts);
      await this.#wrong(run, task, this.#answers.wrongs.get(task.id) ?? [], this.#answerFaults);
      await this.#right(run, task);
      await this.#mutants(run, task);
    }
    const solution = solutions.get(task.id);
    if (solution === undefined) return;
    const { outcome } = await run.attempt(task.id, solution.source);
    if (outcome.error !== null && !showsError(solution.source))
      this.#scripts.add(
        solution.line + (outcome.error.line ?? 1) - 1,
        `solution ${task.id} fails: ${outcome.error.text}`,
      );
    const checked = await run.check(task);
    const without = whole ? "" : " without the snippets before it";
    if (checked.kind !== "passed")
      this.#scripts.add(solution.line, `solution ${task.id}${without}: the check says ${wordChecked(checked)}`);
    else this.#passed(task, checked, solution.line);
  }

  /** An answer and its check, of which nothing stays. */
  async #tried(
    run: LessonRun,
    task: Task,
    source: string,
  ): Promise<{ readonly outcome: Made["outcome"]; readonly checked: Checked }> {
    return run.aside(task.id, async () => {
      const { outcome } = await run.attempt(task.id, source);
      return { outcome, checked: await run.check(task) };
    });
  }

  async #wrong(run: LessonRun, task: Task, wrongs: readonly Wrong[], faults: Faults): Promise<void> {
    for (const wrong of wrongs) {
      const { outcome, checked } = await this.#tried(run, task, wrong.source);
      if (checked.kind !== "hint" || checked.key !== wrong.key) {
        const failed = outcome.error === null ? "" : ` (the script failed: ${outcome.error.text})`;
        faults.add(
          wrong.line,
          `wrong ${task.id} ${wrong.key}: the check says ${wordChecked(checked)} instead${failed}`,
        );
      } else this.#hint(task, checked, wrong.line);
    }
  }

  async #right(run: LessonRun, task: Task): Promise<void> {
    for (const { source, line } of this.#answers.rights.get(task.id) ?? []) {
      const { outcome, checked } = await this.#tried(run, task, source);
      const failed = outcome.error === null ? "" : ` (the script failed: ${outcome.error.text})`;
      if (checked.kind !== "passed")
        this.#answerFaults.add(line, `right ${task.id}: the check says ${wordChecked(checked)}${failed}`);
      else this.#passed(task, checked, line);
    }
  }

  /** Tries the solution with one fault each; an author who finds a mutant right lists it among the right answers. */
  async #mutants(run: LessonRun, task: Task): Promise<void> {
    const solution = this.#lessons[0].scripts.solutions.get(task.id);
    if (solution === undefined) return;
    const plain = (source: string): string => source.replace(/\s+/g, " ").trim();
    const rights = (this.#answers.rights.get(task.id) ?? []).map(({ source }) => plain(source));
    for (const mutant of mutantsOf(solution.source, asksValue(task.check.source))) {
      const source = mutant.source ?? (await this.#constant(run, task, solution.source, mutant));
      if (source === null || rights.includes(plain(source))) continue;
      this.mutants += 1;
      if ((await this.#tried(run, task, source)).checked.kind === "passed")
        this.#scripts.add(solution.line + mutant.line - 1, `check ${task.id} passes a mutant: ${mutant.what}`);
    }
  }

  /** A solution with a constant in the place of one read, as that read gives it; null where it gives none. */
  async #constant(run: LessonRun, task: Task, source: string, mutant: Mutant): Promise<string | null> {
    const { outcome } = await run.aside(task.id, async () => {
      await run.attempt(task.id, probe(source, mutant));
      return run.attempt(task.id, PROBED);
    });
    const json = plainValue(outcome.value);
    return typeof json === "string" ? withConstant(source, mutant, json) : null;
  }

  /** Whether a check that passes has all the words that its text wants, in every language. */
  #passed({ id }: Task, { words }: Extract<Checked, { readonly kind: "passed" }>, line: number): void {
    for (const lesson of this.#lessons) {
      const { passed } = tasksOf(lesson).find((task) => task.id === id) ?? { passed: [] };
      for (const word of wordsOfHint(passed))
        if (wordFigure(words[word], "en") === null)
          this.#scripts.add(line, `check ${id} passes without the \`${word}\` that ${lesson.language}.md wants`);
    }
  }

  /** Whether the hint has all the words that its text wants, in every language. */
  #hint({ id }: Task, { key, words }: Extract<Checked, { readonly kind: "hint" }>, line: number): void {
    for (const lesson of this.#lessons) {
      const hint = tasksOf(lesson)
        .find((task) => task.id === id)
        ?.hints.get(key);
      for (const word of wordsOfHint(hint ?? []))
        if (wordFigure(words[word], "en") === null)
          this.#scripts.add(line, `check ${id} gives no \`${word}\` for the hint \`${key}\` of ${lesson.language}.md`);
    }
  }

  /** Looks for faults in values and charts that need no run: a page shows them, or their failure, at once. */
  #begun(run: LessonRun): void {
    const { values, charts } = this.#lessons[0].scripts;
    for (const { id, line, needs } of values.values()) {
      const fault = needs.length === 0 ? run.valueFault(id) : null;
      if (fault !== null) this.#scripts.add(line, `value ${id} cannot be computed at the start: ${fault}`);
    }
    for (const { id, line, needs } of charts.values()) {
      const chart = needs.length === 0 ? run.chart(id) : null;
      if (typeof chart === "string") this.#scripts.add(line, `chart ${id} at the start: ${chart}`);
    }
  }

  /** Whether all numbers and charts came to be known. */
  #computed(run: LessonRun): void {
    const { values, charts } = this.#lessons[0].scripts;
    const waits = ({ needs }: Computed): string => (needs.length === 0 ? "" : ` after ${needs.join(", ")}`);
    for (const one of values.values()) {
      const fault = run.valueFault(one.id);
      const value = run.figure(one.id);
      if (fault !== null) this.#scripts.add(one.line, `value ${one.id} cannot be computed${waits(one)}: ${fault}`);
      else if (wordFigure(value, "en") === null)
        this.#scripts.add(one.line, `value ${one.id} is no number, text or list of these: ${JSON.stringify(value)}`);
    }
    for (const one of charts.values()) {
      const chart = run.chart(one.id);
      if (chart === null) this.#scripts.add(one.line, `chart ${one.id} is not computed${waits(one)}`);
      else if (typeof chart === "string") this.#scripts.add(one.line, `chart ${one.id}: ${chart}`);
    }
  }
}

/** Whether a check looks at the value of the reader's script. */
const asksValue = (check: string): boolean => {
  const code = check.replace(/^\s*\/\/.*$/gm, "");
  return /\breader\.value\b|\{[^{}]*\bvalue\b[^{}]*\}\s*=\s*reader\b/.test(code);
};

const wordChecked = (checked: Checked): string =>
  checked.kind === "passed"
    ? "that it is passed"
    : checked.kind === "hint"
      ? `\`${checked.key}\`${checked.other ? " on other data" : ""}${
          checked.shown === undefined ? "" : ` in a race (${checked.shown.kind})`
        }`
      : `nothing, since it failed: ${checked.message}`;

/** The figures that the expressions of answers mostly read, for an author who writes one. */
function wordAccount({
  documentsReturned,
  documentsExamined,
  keysExamined,
  pagesRead,
  stage,
  index,
}: ScriptAccount): string {
  return JSON.stringify({ documentsReturned, documentsExamined, keysExamined, pagesRead, stage, index });
}
