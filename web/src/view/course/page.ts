/**
 * The page of courses, `course.html?course=modelling&lesson=documents`: a course under the playground's running head.
 *
 * Invariant: the address always names the open lesson, and the step that was asked for.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { courseMessagesOf } from "../../messages/course/words.ts";
import type { Language } from "../../state/settings.ts";
import { siteAddress } from "../guides.ts";
import { keepOffline, LessonPage, type HeadLink } from "../lesson-page.ts";
import { QuireCourse } from "./quire-course.ts";

/** The course of an address that names none, as the build found it (`scripts/course-files.ts`). */
declare const QUIRE_COURSE: string;

if (customElements.get("quire-course") === undefined) customElements.define("quire-course", QuireCourse);

QuireCourse.site = "./";

/** The book of problems beside the tutorial. */
const PRACTICE = "practice";

@customElement("course-page")
export class CoursePage extends LessonPage {
  @state() private place = location.hash.slice(1);

  constructor() {
    super();
    addEventListener("hashchange", () => (this.place = location.hash.slice(1)));
  }

  private get course(): string {
    return this.wished.get("course") ?? QUIRE_COURSE;
  }

  protected override titleIn(language: Language): string {
    return courseMessagesOf(language)["page.title"];
  }

  protected override links(): readonly HeadLink[] {
    const c = courseMessagesOf(this.settings.language);
    const isPractice = this.course === PRACTICE;
    return [
      isPractice
        ? { href: "./course.html", text: c["page.tutorial"] }
        : { href: `./course.html?course=${PRACTICE}`, text: c["page.practice"] },
      { href: "./lab.html", text: c["page.lab"] },
      { href: "./reference.html", text: c["page.reference"] },
      { href: "./index.html", text: c["page.playground"] },
    ];
  }

  protected override main(): TemplateResult {
    const c = courseMessagesOf(this.settings.language);
    const id = this.course;
    return /^[a-z][a-z0-9-]*$/.test(id)
      ? html`<quire-course eager src=${`./courses/${id}/course.json`} lang=${this.settings.language}
        lesson=${this.wished.get("lesson") ?? nothing} place=${this.place}
        page=${siteAddress(`./course.html?course=${id}`)}
        @quire-lesson=${({ detail }: CustomEvent<{ readonly lesson: string; readonly place: string }>) =>
          this.address("lesson", detail.lesson, detail.place)}></quire-course>`
      : html`<p class="unknown">${c["page.unknown"]}</p>`;
  }
}

document.body.append(document.createElement("course-page"));
keepOffline();
