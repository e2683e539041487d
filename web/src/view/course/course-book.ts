/**
 * The list of a book's problems by topic and difficulty, with filters and the reader's marks; and what a problem shows
 * besides a lesson: the cost of its answer beside that of the solution.
 *
 * Invariants: pure templates; the list is one stop of the tabulator, and arrows go from problem to problem; figures of
 * costs are those of runs.
 */
import { html, nothing, type TemplateResult } from "lit";
import {
  filtered,
  nextUnsolved,
  NO_FILTER,
  standingOf,
  type BookFilter,
  type Standing,
} from "../../lessons/course/book.ts";
import { DIFFICULTIES, type Course, type Difficulty } from "../../lessons/course/course.ts";
import type { Comparison } from "../../lessons/course/run.ts";
import type { Listed } from "../../lessons/course/listing.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { walkButtons } from "./course-contents.ts";

export interface Book {
  readonly c: CourseMessages;
  readonly course: Course;
  readonly language: string;
  readonly list: readonly Listed[];
  readonly filter: BookFilter;
  /** The problem that was open last. */
  readonly last: string;
  /** What comes back, above the list. */
  readonly recalls: TemplateResult | typeof nothing;
  number(value: number): string;
  choose(filter: BookFilter): void;
  go(problem: string): void;
}

const STANDINGS: readonly Standing[] = ["new", "tried", "solved"];

const wordStanding = (c: CourseMessages, standing: Standing): string =>
  ({ new: c["book.new"], tried: c["book.tried"], solved: c["book.solved"] })[standing];

export const wordDifficulty = (c: CourseMessages, difficulty: Difficulty): string =>
  ({ 1: c["book.easy"], 2: c["book.medium"], 3: c["book.hard"] })[difficulty];

export function drawBook(book: Book): TemplateResult {
  const { c, course, language, list, filter, last, recalls, number, go } = book;
  const shown = filtered(list, filter);
  const solved = list.filter((one) => standingOf(one) === "solved").length;
  const next = nextUnsolved(list, null);
  const reachable = shown.some(({ id }) => id === last) ? last : shown[0]?.id;
  return html`<h2>${course.title[language]}</h2>
    <div class="text"><p>${course.about[language]}</p><p data-solved>${c["book.progress"](
      number(solved),
      number(list.length),
    )}</p></div>
    <div class="under start">${
      next === null
        ? html`<p class="passed">✓ ${c["book.all"]}</p>`
        : html`<button type="button" class="button main" id="next-unsolved" @click=${() => go(next.id)}>${c["go.named"](
            c["book.next"],
            next.title,
          )}</button>`
    }</div>
    ${recalls}
    ${drawFilters(book)}
    <p class="status" role="status">${c["book.shown"](number(shown.length))}</p>
    ${
      shown.length > 0
        ? nothing
        : html`<button type="button" class="button" id="unfiltered" @click=${() => book.choose(NO_FILTER)}>${
            c["book.unfiltered"]
          }</button>`
    }
    <nav class="problems" aria-label=${c["book.by"]} @keydown=${walkButtons}>${course.topics.map((topic) => {
      const own = shown.filter(({ problem }) => problem?.topic === topic.id);
      return own.length === 0
        ? nothing
        : html`<section data-topic=${topic.id}><h3>${topic.title[language]}</h3><ul>${own.map((one) =>
            drawProblem(one, one.id === reachable, book),
          )}</ul></section>`;
    })}</nav>`;
}

function drawProblem(one: Listed, isReachable: boolean, { c, number, go }: Book): TemplateResult {
  const standing = standingOf(one);
  return html`<li><button type="button" data-lesson=${one.id} data-standing=${standing}
    tabindex=${isReachable ? 0 : -1} @click=${() => go(one.id)}><span class="title">${one.title}</span>
    <span class="about">${one.problem === null ? "" : wordDifficulty(c, one.problem.difficulty)} · ${c[
      "lessons.minutes"
    ](
      number(one.minutes),
    )}</span><span class=${standing === "solved" ? "mark whole" : "mark"}>${drawMark(one, c)}</span></button></li>`;
}

/** How far the reader is with a problem, in words. */
export function drawMark(one: Listed, c: CourseMessages): string {
  const standing = standingOf(one);
  return [
    ...(standing === "new" ? [] : [`${standing === "solved" ? "✓ " : ""}${wordStanding(c, standing)}`]),
    ...(one.seen ? [c["book.seen"]] : []),
  ].join(" · ");
}

function drawFilters({ c, course, language, filter, choose }: Book): TemplateResult {
  const select = <Value extends string>(
    name: string,
    label: string,
    chosen: Value | null,
    options: readonly (readonly [Value, string])[],
    take: (value: Value | null) => void,
  ): TemplateResult => html`<label><span>${label}</span><select data-filter=${name}
    @change=${(event: Event) => {
      const { value } = event.target as HTMLSelectElement;
      take(options.find(([one]) => one === value)?.[0] ?? null);
    }}><option value="" ?selected=${chosen === null}>${c["book.any"]}</option>${options.map(
      ([value, word]) => html`<option value=${value} ?selected=${chosen === value}>${word}</option>`,
    )}</select></label>`;
  return html`<div class="filters" role="group" aria-label=${c["book.filter"]}>
    ${select(
      "topic",
      c["book.topic"],
      filter.topic,
      course.topics.map(({ id, title }) => [id, title[language] ?? id]),
      (topic) => choose({ ...filter, topic }),
    )}
    ${select(
      "difficulty",
      c["book.difficulty"],
      filter.difficulty === null ? null : String(filter.difficulty),
      DIFFICULTIES.map((one) => [String(one), wordDifficulty(c, one)]),
      (value) => choose({ ...filter, difficulty: DIFFICULTIES.find((one) => String(one) === value) ?? null }),
    )}
    ${select(
      "standing",
      c["book.standing"],
      filter.standing,
      STANDINGS.map((one) => [one, wordStanding(c, one)]),
      (standing) => choose({ ...filter, standing }),
    )}
  </div>`;
}

const COSTS = ["documentsExamined", "keysExamined", "pagesRead", "pagesWritten", "commands"] as const;

/** The cost of the reader's answer beside that of the solution. */
export function drawComparison(
  { yours, solution, whole }: Comparison,
  c: CourseMessages,
  number: (value: number) => string,
): TemplateResult {
  const rows = COSTS.filter((name) => name === "documentsExamined" || yours[name] > 0 || solution[name] > 0);
  const words = {
    documentsExamined: c["cost.documents"],
    keysExamined: c["cost.keys"],
    pagesRead: c["cost.read"],
    pagesWritten: c["cost.written"],
    commands: c["cost.commands"],
  };
  return html`<div class="costs" data-costs>
    <p>${c["cost.says"](number(yours.documentsExamined), number(solution.documentsExamined))}</p>
    <div class="scroller" tabindex="0" role="group" aria-label=${c["cost.title"]}><table>
      <thead><tr><th scope="col">${c["cost.title"]}</th><th scope="col" class="right">${c["cost.yours"]}</th><th
        scope="col" class="right">${c["cost.solution"]}</th></tr></thead>
      <tbody>${rows.map(
        (name) =>
          html`<tr data-cost=${name}><th scope="row">${words[name]}</th><td class="right figure">${number(
            yours[name],
          )}</td><td class="right figure">${number(solution[name])}</td></tr>`,
      )}</tbody></table></div>
    ${whole ? nothing : html`<p class="about" data-part>${c["cost.part"]}</p>`}
  </div>`;
}
