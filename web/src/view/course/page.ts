/**
 * The page of courses, `course.html?course=modelling&lesson=documents`: a course under the playground's running head.
 *
 * Invariant: the address always names the open lesson.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { courseMessagesOf } from "../../messages/course/words.ts";
import type { Language } from "../../state/settings.ts";
import { keepOffline, LessonPage, type HeadLink } from "../lesson-page.ts";
import { QuireCourse } from "./quire-course.ts";

/** The course of an address that names none, as the build found it (`scripts/course-files.ts`). */
declare const QUIRE_COURSE: string;

if (customElements.get("quire-course") === undefined) customElements.define("quire-course", QuireCourse);

@customElement("course-page")
export class CoursePage extends LessonPage {
  protected override titleIn(language: Language): string {
    return courseMessagesOf(language)["page.title"];
  }

  protected override links(): readonly HeadLink[] {
    const c = courseMessagesOf(this.settings.language);
    return [
      { href: "./lab.html", text: c["page.lab"] },
      { href: "./reference.html", text: c["page.reference"] },
      { href: "./index.html", text: c["page.playground"] },
    ];
  }

  protected override main(): TemplateResult {
    const c = courseMessagesOf(this.settings.language);
    const id = this.wished.get("course") ?? QUIRE_COURSE;
    return /^[a-z][a-z0-9-]*$/.test(id)
      ? html`<quire-course eager src=${`./courses/${id}/course.json`} lang=${this.settings.language}
        lesson=${this.wished.get("lesson") ?? nothing}
        @quire-lesson=${(event: CustomEvent<{ readonly lesson: string }>) =>
          this.address("lesson", event.detail.lesson)}></quire-course>`
      : html`<p class="unknown">${c["page.unknown"]}</p>`;
  }
}

document.body.append(document.createElement("course-page"));
keepOffline();
