/**
 * Whether the texts of a lesson say the same in each language, as far as a program can see.
 *
 * Invariant: pure; a difference is told in the file of the second language, at the line where it is.
 */
import type { Token } from "marked";
import { insideOf, walk } from "./blocks.ts";
import { Faults, type Fault } from "./faults.ts";
import { figuresOf, wordsWanted } from "./figures.ts";
import { tasksOf, type Lesson, type Part, type Step } from "./lesson.ts";

/** The name of a part, the same in every language: `::run first`. */
function nameOf(part: Part): string {
  switch (part.kind) {
    case "text":
      return "text";
    case "run":
      return `::run ${part.script.id}`;
    case "chart":
      return `::chart ${part.id}`;
    case "question":
      return `question ${part.run}`;
    case "task":
      return `task ${part.id}`;
  }
}

const placements = (step: Step): readonly Exclude<Part, { readonly kind: "text" }>[] =>
  step.parts.filter((part) => part.kind !== "text");

/** All texts of a token that have no parts of their own. */
function leaves(tokens: readonly Token[]): readonly string[] {
  return tokens
    .flatMap((token) => [...walk(token)])
    .filter((token) => insideOf(token).length === 0)
    .map((token) => (token as { readonly text?: string }).text ?? "");
}

const figuresIn = (tokens: readonly Token[]): readonly string[] =>
  [...new Set(leaves(tokens).flatMap(figuresOf))].sort();

/** The words that a hint wants from its check. */
export const wordsOfHint = (tokens: readonly Token[]): readonly string[] =>
  [...new Set(leaves(tokens).flatMap(wordsWanted))].sort();

const textsOf = (lesson: Lesson): readonly Token[] =>
  lesson.steps.flatMap(({ title, parts }) => [
    ...title,
    ...parts.flatMap((part): readonly Token[] => {
      if (part.kind === "text") return part.tokens;
      if (part.kind === "question")
        return [
          ...part.text,
          ...(part.answer.kind === "choices" ? part.answer.choices.flatMap((one) => one.label) : []),
        ];
      return part.kind === "task" ? [...part.text, ...part.passed] : [];
    }),
  ]);

/** The differences of a lesson's second language from its first. */
export function disagreements(first: Lesson, second: Lesson): readonly Fault[] {
  const faults = new Faults(`${second.id}/${second.language}.md`);
  const other = `${first.language}.md`;
  if (first.steps.length !== second.steps.length) {
    faults.add(null, `there are ${second.steps.length} steps here and ${first.steps.length} in ${other}`);
    return faults.found;
  }
  for (const [at, step] of first.steps.entries()) {
    const [ours, theirs] = [placements(second.steps[at] as Step), placements(step)];
    for (let place = 0; place < Math.max(ours.length, theirs.length); place++) {
      const [one, model] = [ours[place], theirs[place]];
      const wanted = model === undefined ? "nothing" : `\`${nameOf(model)}\``;
      const found = one === undefined ? "nothing" : `\`${nameOf(one)}\``;
      if (wanted !== found) {
        faults.add(one?.line ?? null, `step ${at + 1} has ${found} where ${other} has ${wanted}`);
        break;
      }
      if (one?.kind === "question" && model?.kind === "question" && answerOf(one) !== answerOf(model))
        faults.add(one.line, `the answer is computed in another way than in ${other}: ${answerOf(model)}`);
    }
  }
  const others = new Map(tasksOf(first).map((task) => [task.id, task]));
  for (const task of tasksOf(second)) {
    const model = others.get(task.id);
    if (model === undefined) continue;
    for (const key of model.hints.keys())
      if (!task.hints.has(key)) faults.add(task.line, `the hint \`${key}\` of ${other} is missing`);
    for (const [key, tokens] of task.hints) {
      const words = model.hints.get(key);
      if (words === undefined) faults.add(task.line, `${other} has no hint \`${key}\``);
      else if (String(wordsOfHint(words)) !== String(wordsOfHint(tokens)))
        faults.add(task.line, `the hint \`${key}\` has other words in {braces} than in ${other}`);
    }
  }
  const [ours, theirs] = [figuresIn(textsOf(second)), figuresIn(textsOf(first))];
  const missing = theirs.filter((name) => !ours.includes(name));
  const more = ours.filter((name) => !theirs.includes(name));
  if (missing.length > 0) faults.add(null, `the text leaves out ${missing.map((name) => `{{${name}}}`).join(", ")}`);
  if (more.length > 0) faults.add(null, `${other} leaves out ${more.map((name) => `{{${name}}}`).join(", ")}`);
  return faults.found;
}

function answerOf({ answer }: Extract<Part, { readonly kind: "question" }>): string {
  return answer.kind === "figure"
    ? `= ${answer.expression}`
    : answer.choices.map(({ expression }) => `- ${expression}`).join(" ");
}
