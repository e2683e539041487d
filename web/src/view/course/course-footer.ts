/**
 * The foot of a lesson, a problem or a release: back, start again, forward.
 *
 * Invariant: pure; a problem that the filter leaves out leads to the first that it lets through.
 */
import { html, nothing, type TemplateResult } from "lit";
import { nextUnsolved } from "../../lessons/course/book.ts";
import type { CourseKind } from "../../lessons/course/course.ts";
import type { Listed } from "../../lessons/course/listing.ts";
import type { CoursePage } from "../../lessons/course/session.ts";
import type { CourseMessages } from "../../messages/course/words.ts";

export interface Foot {
  readonly c: CourseMessages;
  readonly kind: CourseKind;
  /** The id of what is open. */
  readonly open: string;
  /** All of the course, and those that a book's filter lets through. */
  readonly list: readonly Listed[];
  readonly shown: readonly Listed[];
  /** The button that starts the lesson again. */
  readonly reset: TemplateResult;
  go(id: string): void;
  turnTo(page: Exclude<CoursePage, "lesson">): void;
}

export function drawFoot({ c, kind, open, list, shown, reset, go, turnTo }: Foot): TemplateResult {
  const at = shown.findIndex(({ id }) => id === open);
  const [previous, next] = at < 0 ? [undefined, shown[0]] : [shown[at - 1], shown[at + 1]];
  const unsolved = kind === "problems" ? nextUnsolved(list, open) : null;
  // Where the next problem is the next unsolved one, one button leads there.
  const isNext = unsolved === null || unsolved.id === next?.id;
  const words = {
    lessons: [c.previous, c.next, c.end, "end"],
    problems: [c["book.previous"], c["book.following"], c["book.list"], "book"],
    project: [c["release.previous"], c["release.next"], c["card.link"], "card"],
  } as const;
  const [backward, forward, finish, last] = words[kind];
  return html`<footer>
    ${
      previous === undefined
        ? nothing
        : html`<button type="button" class="button" id="previous" @click=${() => go(previous.id)}>${c["go.named"](
            backward,
            previous.title,
          )}</button>`
    }
    ${reset}
    ${
      next === undefined
        ? html`<button type="button" class="button main" id="next" @click=${() => turnTo(last)}>${finish}</button>`
        : html`<button type="button" class=${isNext ? "button main" : "button"} id="next"
          @click=${() => go(next.id)}>${c["go.named"](forward, next.title)}</button>`
    }
    ${
      isNext
        ? nothing
        : html`<button type="button" class="button main" id="next-unsolved" @click=${() => go(unsolved.id)}>${c[
            "go.named"
          ](c["book.next"], unsolved.title)}</button>`
    }
  </footer>`;
}
