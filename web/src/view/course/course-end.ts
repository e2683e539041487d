/**
 * The page after a course's last lesson: what the reader has passed, what is left, and where to go on.
 *
 * Invariant: pure; it counts the checks that the session counts.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Listed } from "../../lessons/course/listing.ts";
import type { CourseMessages } from "../../messages/course/words.ts";

export interface End {
  readonly c: CourseMessages;
  readonly title: string;
  readonly list: readonly Listed[];
  /** Where the pages beside the course lie; empty where there are none. */
  readonly site: string;
  readonly hasGlossary: boolean;
  /** The predictions that come back, and the courses beside this one. */
  readonly recalls: TemplateResult | typeof nothing;
  readonly besides: TemplateResult | typeof nothing;
  number(value: number): string;
  go(lesson: string): void;
  glossary(): void;
}

export function drawEnd({
  c,
  title,
  list,
  site,
  hasGlossary,
  recalls,
  besides,
  number,
  go,
  glossary,
}: End): TemplateResult {
  // How many checks there are is known once all lessons were read.
  if (list.some(({ tasks }) => tasks === null))
    return html`<h2>${c["end.title"]}</h2><p class="status" role="status">${c["phase.files"]}</p>`;
  const all = list.reduce((sum, { tasks }) => sum + (tasks ?? 0), 0);
  const passed = list.reduce((sum, one) => sum + one.passed, 0);
  const left = list.filter(({ tasks, passed: some }) => (tasks ?? 0) > some);
  return html`<h2>${c["end.title"]}</h2>
    <div class="text"><p>${c["end.passed"](title, number(passed), number(all))}</p></div>
    ${
      left.length === 0
        ? nothing
        : html`<h3>${c["end.left"]}</h3><ul class="left">${left.map(
            (one) =>
              html`<li><button type="button" class="link" data-lesson=${one.id} @click=${() => go(one.id)}>${
                one.title
              }</button> ${c["lessons.passed"](number(one.passed), number(one.tasks ?? 0))}</li>`,
          )}</ul>`
    }
    ${recalls}
    <h3>${c["end.on"]}</h3>
    ${besides}
    <ul class="left">
      ${
        site === ""
          ? nothing
          : html`<li><a href=${new URL("lab.html", site).href}>${c["page.lab"]}</a>${c["end.lab"]}</li>
            <li><a href=${new URL("reference.html", site).href}>${c["page.reference"]}</a>${c["end.reference"]}</li>
            <li><a href=${new URL("index.html", site).href}>${c["page.playground"]}</a>${c["end.playground"]}</li>`
      }
      ${
        hasGlossary
          ? html`<li><button type="button" class="link" @click=${glossary}>${c.glossary}</button>${
              c["end.glossary"]
            }</li>`
          : nothing
      }
      <li>${c["end.export"]}</li>
    </ul>`;
}
