/**
 * The bodies of a lesson's `question` and `task` blocks.
 *
 * Invariant: pure; a line that means nothing is a fault with its place.
 */
import type { Token } from "marked";
import { blocksOf, inlineOf } from "./blocks.ts";
import type { Faults } from "./faults.ts";
import { NAME, type Script } from "./scripts.ts";

/** One of several answers; it is right where its expression is true after the run. */
export interface Choice {
  readonly expression: string;
  readonly label: readonly Token[];
  readonly line: number;
}

/** A question that is answered before a run. */
export interface Question {
  readonly kind: "question";
  /** The run's name and the question's number among those of that run: the same in every language. */
  readonly key: string;
  readonly run: string;
  readonly text: readonly Token[];
  readonly answer:
    | { readonly kind: "figure"; readonly expression: string }
    | { readonly kind: "choices"; readonly choices: readonly Choice[] };
  readonly line: number;
}

/** A task for the reader, whose result is checked by a script. */
export interface Task {
  readonly kind: "task";
  readonly id: string;
  readonly text: readonly Token[];
  /** The script that is in the editor at first. */
  readonly start: string;
  readonly check: Script;
  /** Texts inside a paragraph, by the keys that the check gives. */
  readonly hints: ReadonlyMap<string, readonly Token[]>;
  readonly passed: readonly Token[];
  /** Why the solution is as it is; empty where the text does not say. */
  readonly why: readonly Token[];
  readonly line: number;
}

const tokensOf = (text: string): readonly Token[] => blocksOf(text).map(({ token }) => token);

/** Reads a question; `line` is that of its fence. */
export function readQuestion(run: string, number: number, text: string, line: number, faults: Faults): Question | null {
  const lines = text.split("\n");
  const words: string[] = [];
  const choices: Choice[] = [];
  let expression: string | null = null;
  for (const [at, content] of lines.entries()) {
    const place = line + 1 + at;
    const choice = /^\s*-\s+(.+?)\s+::\s+(.+?)\s*$/.exec(content);
    const figure = /^\s*=\s+(.+?)\s*$/.exec(content);
    if (choice !== null)
      choices.push({ expression: choice[1] as string, label: inlineOf(choice[2] as string), line: place });
    else if (figure !== null) {
      if (expression !== null) faults.add(place, "a question has one expression of its answer");
      expression = figure[1] as string;
    } else if (choices.length > 0 || expression !== null) {
      if (content.trim() !== "") faults.add(place, "the answers stand at the end of a question");
    } else words.push(content);
  }
  if (words.join("").trim() === "") faults.add(line, "this question asks nothing");
  if ((expression === null) === (choices.length === 0)) {
    faults.add(line, "a question has either a line `= EXPRESSION` or lines `- EXPRESSION :: answer`");
    return null;
  }
  if (choices.length === 1) faults.add(line, "a question with one answer is none");
  const answer = expression === null ? { kind: "choices" as const, choices } : { kind: "figure" as const, expression };
  return { kind: "question", key: `${run}/${number}`, run, text: tokensOf(words.join("\n")), answer, line };
}

/** Reads a task; `line` is that of its fence. */
export function readTask(
  id: string,
  { start, check }: { readonly start: string; readonly check: Script },
  text: string,
  line: number,
  faults: Faults,
): Task {
  const lines = text.split("\n");
  const found = lines.findIndex((content) => /^hints:\s*$/.test(content));
  const end = found < 0 ? lines.length : found;
  const words = lines.slice(0, end).join("\n");
  if (words.trim() === "") faults.add(line, `the task \`${id}\` asks for nothing`);
  const hints = new Map<string, string>();
  let passed: string | null = null;
  let why: string | null = null;
  let last: "passed" | string | null = null;
  if (found < 0) faults.add(line, `the task \`${id}\` has no line \`hints:\``);
  for (const [at, content] of lines.slice(end + 1).entries()) {
    const place = line + 1 + end + 1 + at;
    const hint = passed === null ? /^-\s+([^\s:]+):\s+(.+?)\s*$/.exec(content) : null;
    const ends = /^passed:\s*(.*?)\s*$/.exec(content);
    if (hint !== null) {
      const [, key = "", says = ""] = hint;
      if (!NAME.test(key)) faults.add(place, `\`${key}\` is no name of a hint`);
      if (hints.has(key)) faults.add(place, `there are two hints \`${key}\``);
      hints.set(key, says);
      last = key;
    } else if (ends !== null && passed === null) {
      passed = ends[1] ?? "";
      last = "passed";
    } else if (passed !== null && why === null && /^why:\s/.test(content)) why = content.slice("why:".length).trim();
    else if (why !== null) why += `\n${content}`;
    else if (passed !== null) passed += `\n${content}`;
    else if (content.trim() === "") continue;
    else if (last !== null && /^\s/.test(content)) hints.set(last, `${hints.get(last) ?? ""} ${content.trim()}`);
    else faults.add(place, "a hint is a line `- key: text`, and what a passed check says is `passed: text`");
  }
  if ((passed ?? "").trim() === "") faults.add(line, `the task \`${id}\` says nothing once it is passed`);
  return {
    kind: "task",
    id,
    text: tokensOf(words),
    start,
    check,
    hints: new Map([...hints].map(([key, says]) => [key, inlineOf(says)])),
    passed: tokensOf(passed ?? ""),
    why: tokensOf(why ?? ""),
    line,
  };
}
