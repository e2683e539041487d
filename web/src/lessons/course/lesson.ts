/**
 * A lesson: its scripts and its text in one language, ready for a page to draw and run.
 *
 * Invariants: pure; everything that the text names is there, or a fault names file and line; a question stands before
 * its run; every script is placed.
 */
import type { Token, Tokens } from "marked";
import { blocksOf, fencedOf, plainText, walk, type Placement } from "./blocks.ts";
import { Faults, type Fault } from "./faults.ts";
import { figuresOf, isAccountField } from "./figures.ts";
import { readQuestion, readTask, type Question, type Task } from "./parts.ts";
import { readScripts, SCRIPTS_FILE, type Script, type Scripts } from "./scripts.ts";

export type Part =
  | { readonly kind: "text"; readonly tokens: readonly Token[] }
  | { readonly kind: "run"; readonly script: Script; readonly line: number }
  | { readonly kind: "chart"; readonly id: string; readonly line: number }
  | Question
  | Task;

export interface Step {
  /** Empty for the parts before the first step's heading. */
  readonly title: readonly Token[];
  readonly parts: readonly Part[];
}

export interface Lesson {
  readonly id: string;
  readonly language: string;
  readonly title: string;
  readonly steps: readonly Step[];
  readonly scripts: Scripts;
}

/** The text of a file of a lesson. */
export interface LessonText {
  readonly scripts: string;
  readonly text: string;
}

/** The tasks of a lesson, in the order of its text. */
export const tasksOf = (lesson: Pick<Lesson, "steps">): readonly Task[] =>
  lesson.steps.flatMap(({ parts }) => parts.filter((part) => part.kind === "task"));

/** The questions of a lesson, in the order of its text. */
export const questionsOf = (lesson: Pick<Lesson, "steps">): readonly Question[] =>
  lesson.steps.flatMap(({ parts }) => parts.filter((part) => part.kind === "question"));

/** The questions that are to be answered before a run. */
export const questionsOfRun = (lesson: Pick<Lesson, "steps">, run: string): readonly Question[] =>
  questionsOf(lesson).filter((question) => question.run === run);

/** Reads a lesson; the faults are of both files. */
export function readLesson(
  id: string,
  language: string,
  { scripts: scriptsText, text }: LessonText,
): { readonly lesson: Lesson; readonly faults: readonly Fault[] } {
  const { scripts, faults: scriptFaults } = readScripts(scriptsText, `${id}/${SCRIPTS_FILE}`);
  const faults = new Faults(`${id}/${language}.md`);
  const reading = new Reading(scripts, faults);
  const { title, steps } = reading.read(text);
  reading.checkPlaced(scriptFaults.length > 0);
  return { lesson: { id, language, title, steps, scripts }, faults: [...scriptFaults, ...faults.found] };
}

class Reading {
  readonly #scripts: Scripts;
  readonly #faults: Faults;
  readonly #placed = new Set<string>();
  /** How many questions each run has so far. */
  readonly #asked = new Map<string, number>();

  constructor(scripts: Scripts, faults: Faults) {
    this.#scripts = scripts;
    this.#faults = faults;
  }

  read(text: string): { title: string; steps: readonly Step[] } {
    let title: string | null = null;
    const steps: { title: readonly Token[]; parts: Part[] }[] = [{ title: [], parts: [] }];
    for (const block of blocksOf(text)) {
      const { token, line } = block;
      if (token.type === "heading" && (token as Tokens.Heading).depth === 1) {
        if (title !== null) this.#faults.add(line, "a lesson has one title: steps begin with ##");
        title ??= plainText((token as Tokens.Heading).tokens);
        continue;
      }
      if (title === null) {
        this.#faults.add(line, "a lesson begins with its title: # Title");
        title = "";
      }
      if (token.type === "heading" && (token as Tokens.Heading).depth === 2) {
        this.#checkText(token, line, null);
        steps.push({ title: (token as Tokens.Heading).tokens, parts: [] });
        continue;
      }
      const parts = (steps.at(-1) as { parts: Part[] }).parts;
      const fenced = fencedOf(block);
      const [kind, ...words] = fenced?.words ?? [];
      if (token.type === "placement") this.#place(token as Placement, line, parts);
      else if (fenced !== null && kind === "question") this.#question(words, fenced.text, line, parts);
      else if (fenced !== null && kind === "task") this.#task(words, fenced.text, line, parts);
      else {
        this.#checkText(token, line, null);
        const last = parts.at(-1);
        if (last?.kind === "text") parts[parts.length - 1] = { kind: "text", tokens: [...last.tokens, token] };
        else parts.push({ kind: "text", tokens: [token] });
      }
    }
    if (title === null) this.#faults.add(1, "a lesson begins with its title: # Title");
    if (title?.trim() === "") this.#faults.add(1, "the lesson has no title");
    return { title: title ?? "", steps: steps.filter((step) => step.title.length > 0 || step.parts.length > 0) };
  }

  #place({ what, id }: Placement, line: number, parts: Part[]): void {
    const key = `${what} ${id}`;
    if (what !== "run" && what !== "chart")
      return this.#faults.add(line, `\`::${what}\` places nothing: it is \`::run ID\` or \`::chart ID\``);
    const script = this.#scripts[what === "run" ? "runs" : "charts"].get(id);
    if (script === undefined) return this.#faults.add(line, `${SCRIPTS_FILE} has no \`js ${key}\``);
    if (this.#placed.has(key)) return this.#faults.add(line, `\`::${key}\` stands here a second time`);
    this.#placed.add(key);
    parts.push(what === "run" ? { kind: "run", script, line } : { kind: "chart", id, line });
  }

  #question(words: readonly string[], text: string, line: number, parts: Part[]): void {
    const run = words[0] ?? "";
    if (words.length !== 1) return this.#faults.add(line, "a question names its run: ```question RUN");
    if (!this.#scripts.runs.has(run)) return this.#faults.add(line, `${SCRIPTS_FILE} has no \`js run ${run}\``);
    if (this.#placed.has(`run ${run}`))
      return this.#faults.add(
        line,
        `this question stands behind its run, and is to be answered before \`::run ${run}\``,
      );
    const number = (this.#asked.get(run) ?? 0) + 1;
    const question = readQuestion(run, number, text, line, this.#faults);
    if (question === null) return;
    this.#asked.set(run, number);
    for (const token of question.text) this.#checkText(token, line, null);
    if (question.answer.kind === "choices")
      for (const { label, line: at } of question.answer.choices)
        for (const one of label) this.#checkText(one, at, null);
    parts.push(question);
  }

  #task(words: readonly string[], text: string, line: number, parts: Part[]): void {
    const id = words[0] ?? "";
    if (words.length !== 1) return this.#faults.add(line, "a task has one name: ```task ID");
    const { checks, starts, wrongs } = this.#scripts;
    const check = checks.get(id);
    if (check === undefined) return this.#faults.add(line, `${SCRIPTS_FILE} has no \`js check ${id}\``);
    if (this.#placed.has(`task ${id}`)) return this.#faults.add(line, `the task \`${id}\` stands here a second time`);
    this.#placed.add(`task ${id}`);
    const task = readTask(id, { start: starts.get(id)?.source ?? "", check }, text, line, this.#faults);
    for (const token of [...task.text, ...task.passed]) this.#checkText(token, line, id);
    for (const [, hint] of task.hints) for (const token of hint) this.#checkText(token, line, id);
    for (const { key } of wrongs.get(id) ?? [])
      if (!task.hints.has(key)) this.#faults.add(line, `the wrong answer \`${id} ${key}\` needs a hint \`${key}\``);
    parts.push(task);
  }

  /** Adds faults for markup that cannot be drawn and for figures that nothing computes. */
  #checkText(token: Token, line: number, task: string | null): void {
    for (const inside of walk(token)) {
      if (inside.type === "html") this.#faults.add(line, `HTML is not drawn: ${inside.raw.trim()}`);
      if (inside.type === "text" && !("tokens" in inside) && inside.raw.includes("**"))
        this.#faults.add(
          line,
          "`**` stands in the text as it is: emphasis begins or ends between a letter and a mark; put the mark outside",
        );
      const fenced = fencedOf({ token: inside, line });
      const { text } = inside as { readonly text?: string };
      if (fenced !== null && /^(?:run|chart|value|check|solution|wrong|setup|start)$/.test(fenced.words[1] ?? ""))
        this.#faults.add(line, `scripts stand in ${SCRIPTS_FILE}, and the text places them`);
      if (text === undefined || "tokens" in inside || inside.type === "list" || inside.type === "table") continue;
      for (const figure of figuresOf(text)) this.#checkFigure(figure, line, task);
    }
  }

  #checkFigure(figure: string, line: number, task: string | null): void {
    const [name = "", ...path] = figure.split(".");
    const field = path.join(".");
    if (this.#scripts.values.has(figure)) {
      this.#placed.add(`value ${figure}`);
      return;
    }
    if (name === "account" && task !== null) {
      if (!isAccountField(field)) this.#faults.add(line, `an account has no \`${field}\``);
      return;
    }
    if (!this.#scripts.runs.has(name) && !this.#scripts.checks.has(name))
      this.#faults.add(line, `nothing computes \`{{${figure}}}\`: ${SCRIPTS_FILE} has no \`js value ${figure}\``);
    else if (!isAccountField(field)) this.#faults.add(line, `an account has no \`${field}\``);
  }

  /** Scripts that the text leaves out. */
  checkPlaced(isBroken: boolean): void {
    if (isBroken) return;
    const missing = (kind: string, ids: Iterable<string>, how: (id: string) => string): void => {
      for (const id of ids)
        if (!this.#placed.has(`${kind} ${id}`)) this.#faults.add(null, `the text leaves out ${how(id)}`);
    };
    missing("run", this.#scripts.runs.keys(), (id) => `\`::run ${id}\``);
    missing("chart", this.#scripts.charts.keys(), (id) => `\`::chart ${id}\``);
    missing("task", this.#scripts.checks.keys(), (id) => `the task \`${id}\``);
    missing("value", this.#scripts.values.keys(), (id) => `the value {{${id}}}`);
  }
}
