/**
 * The column beside a lesson: the lessons of the course with their progress, and the search over all of them.
 *
 * Invariants: pure templates; the list of lessons is one stop of the tabulator, and arrows go from lesson to lesson.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Finding } from "../../lessons/course/search.ts";
import type { Listed } from "../../lessons/course/listing.ts";
import type { Beside } from "../../lessons/course/shelf.ts";
import type { CourseMessages } from "../../messages/course/words.ts";

export interface Contents {
  readonly c: CourseMessages;
  readonly list: readonly Listed[];
  /** The id of the open lesson; empty where another page of the course is open. */
  readonly open: string;
  /** How the list is called: lessons, problems or releases. */
  readonly name: string;
  /** How far the reader is with a problem of a book; absent of lessons. */
  markOf?(one: Listed): string;
  number(value: number): string;
  go(lesson: string): void;
}

export function drawLessons(contents: Contents): TemplateResult {
  const { list, open, name } = contents;
  const reachable = list.some(({ id }) => id === open) ? open : list[0]?.id;
  return html`<nav aria-label=${name} @keydown=${walkButtons}><ol class="lessons">${list.map((one, at) =>
    drawLesson(one, at, one.id === reachable, contents),
  )}</ol></nav>`;
}

function drawLesson(one: Listed, at: number, isReachable: boolean, contents: Contents): TemplateResult {
  const { id, title, minutes, passed, tasks, begun } = one;
  const { c, open, number, go, markOf } = contents;
  const done = tasks !== null && tasks > 0 && passed === tasks;
  const mark = done
    ? html`<span class="mark whole" aria-hidden="true">✓</span><span class="unseen">${c["lessons.done"]}</span>`
    : markOf !== undefined
      ? html`<span class="mark">${markOf(one)}</span>`
      : begun && tasks !== null && tasks > 0
        ? html`<span class="mark" aria-hidden="true">${passed}/${tasks}</span><span class="unseen">${c[
            "lessons.passed"
          ](number(passed), number(tasks))}</span>`
        : html`<span class="mark">${c["lessons.minutes"](number(minutes))}</span>`;
  return html`<li><button type="button" data-lesson=${id} tabindex=${isReachable ? 0 : -1}
    aria-current=${open === id ? "true" : nothing}
    @click=${() => go(id)}><span class="number">${at + 1}</span><span class="title">${
      title
    }</span>${mark}</button></li>`;
}

/** Arrows, Home and End go from button to button. */
export function walkButtons(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")];
  const at = buttons.indexOf(event.composedPath().find((one) => buttons.includes(one as HTMLElement)) as HTMLElement);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const to = buttons[moves[event.key] ?? -1];
  if (at < 0 || to === undefined) return;
  to.focus();
  event.preventDefault();
}

export interface Searching {
  readonly c: CourseMessages;
  readonly query: string;
  readonly found: readonly Finding[];
  number(value: number): string;
  titleOf(lesson: string): string;
  ask(query: string): void;
  go(finding: Finding): void;
}

export function drawSearch({ c, query, found, number, titleOf, ask, go }: Searching): TemplateResult {
  return html`<div class="search" role="search">
    <input type="search" aria-label=${c.search} placeholder=${c.search} autocomplete="off" .value=${query}
      @input=${(event: Event) => ask((event.target as HTMLInputElement).value)} />
    <p class="unseen" role="status">${query.trim() === "" ? "" : c["search.found"](number(found.length))}</p>
    ${query.trim() !== "" && found.length === 0 ? html`<p class="about">${c["search.none"]}</p>` : nothing}
    ${
      found.length === 0
        ? nothing
        : html`<ol class="found">${found.map(
            (one) =>
              html`<li><button type="button" data-step=${one.step} @click=${() => go(one)}><span class="where">${
                one.lesson === null ? c.glossary : titleOf(one.lesson)
              }</span><span class="title">${one.title}</span><span class="around">${one.around[0]}<mark>${
                one.around[1]
              }</mark>${one.around[2]}</span></button></li>`,
          )}</ol>`
    }
  </div>`;
}

/** The courses beside this one. */
export function drawBesides(
  besides: readonly Beside[],
  c: CourseMessages,
  addressOf: (course: string) => string | null,
  number: (value: number) => string,
): TemplateResult | typeof nothing {
  const links = besides.flatMap((one) => {
    const href = addressOf(one.id);
    return href === null ? [] : [{ ...one, href }];
  });
  if (links.length === 0) return nothing;
  return html`<nav class="besides" aria-label=${c["beside.title"]}><ul>${links.map(
    ({ id, href, title, recalls }) =>
      html`<li><a data-course=${id} href=${href}>${title}</a>${
        recalls === 0 ? nothing : html`<span class="about">${c["beside.recalls"](number(recalls))}</span>`
      }</li>`,
  )}</ul></nav>`;
}

/** The predictions that come back, above the list of a book and on the page after the last lesson. */
export function drawRecalls(
  { due, all }: { readonly due: number; readonly all: number },
  c: CourseMessages,
  number: (value: number) => string,
  practise: () => void,
): TemplateResult | typeof nothing {
  if (all === 0) return nothing;
  return html`<div class="recalls" data-due=${due}><p>${
    due > 0 ? c["recall.due"](number(due)) : c["recall.later"](number(all))
  }</p><button type="button" class="button" id="recall" @click=${practise}>${c["recall.now"]}</button></div>`;
}
