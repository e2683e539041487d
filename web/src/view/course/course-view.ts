/**
 * `<quire-course-view>`: a course: its lessons with their progress and a search over them, and the open lesson with its
 * text, snippets, questions, tasks and charts, the glossary, or the page after the last lesson.
 *
 * Invariants: it draws the session's state and passes the reader's wishes on to it; a lesson's title, or the step that
 * was asked for, gets the focus when the reader went there, and nothing takes it while one reads.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Token, Tokens } from "marked";
import { keyed } from "lit/directives/keyed.js";
import { property, state } from "lit/decorators.js";
import { tableFor } from "../../embed/words.ts";
import { blocksOf, insideOf, plainText } from "../../lessons/course/blocks.ts";
import { wordFault } from "../../lessons/course/faults.ts";
import { questionsOfRun, type Lesson, type Part } from "../../lessons/course/lesson.ts";
import type { Question, Task } from "../../lessons/course/parts.ts";
import type { Work } from "../../lessons/course/progress.ts";
import type { Checked } from "../../lessons/course/run.ts";
import { siteAddressOf, type Beside, type Inside } from "../../lessons/course/links.ts";
import type { Listed } from "../../lessons/course/listing.ts";
import { COURSE_PAGES, type CoursePage, type CourseSession } from "../../lessons/course/session.ts";
import { courseMessagesOf, type CourseMessages } from "../../messages/course/words.ts";
import { saveFile } from "../data/save-file.ts";
import { drawChart } from "./course-chart.ts";
import { drawCode } from "./course-code.ts";
import { filtered, NO_FILTER, type BookFilter } from "../../lessons/course/book.ts";
import { drawBook, drawComparison, drawMark, wordDifficulty } from "./course-book.ts";
import { drawBesides, drawLessons, drawRecalls, drawSearch } from "./course-contents.ts";
import { drawEnd } from "./course-end.ts";
import { drawFoot } from "./course-footer.ts";
import { drawFields, drawTruth, sentAnswer } from "./course-question.ts";
import { drawSaid, ToldErrors } from "./course-said.ts";
import type { CourseScript } from "./course-script.ts";
import { courseStyles } from "./course-styles.ts";
import { drawBlocks, drawInline, type TextContext } from "./course-text.ts";
import { SessionView } from "./snippet-styled.ts";

/** So long after the page was last scrolled the step in sight is kept as the one that is read. */
const STILL_MILLIS = 400;

/** A step that is to be shown once its lesson is drawn. */
interface Goal {
  readonly lesson: string;
  readonly step: number;
  /** Whether it gets the focus, as where the reader went there. */
  readonly focus: boolean;
}

/** The width in pixels from which the list of lessons stands beside the open one, as `course-styles.ts` has it. */
const WIDE_PIXELS = 928;

export class CourseView extends SessionView {
  @property({ attribute: false }) session!: CourseSession;
  /** The address that shows this course, for links to its lessons and steps; empty where there is none. */
  @property() page = "";
  /** Where the pages of labs and of the reference lie; empty where there are none. */
  @property() site = "";
  @state() private query = "";
  @state() private asking = false;
  @state() private note = "";
  @state() private student: Work | null = null;
  @state() private filter: BookFilter = NO_FILTER;
  /** An element that is fetched when it is first shown could not be had. */
  @state() private isPartMissing = false;
  readonly #told = new ToldErrors(() => this.requestUpdate());
  #goal: Goal | null = null;
  /** The lesson that the list was last moved to. */
  #listed: string | null = null;
  #still: ReturnType<typeof setTimeout> | undefined;

  static override styles = courseStyles;

  private get c(): CourseMessages {
    return courseMessagesOf(tableFor(this.session.language), this.session.course?.kind);
  }

  private get isNarrow(): boolean {
    return this.clientWidth > 0 && this.clientWidth < WIDE_PIXELS;
  }

  private number(value: number): string {
    return new Intl.NumberFormat(this.session.language).format(value);
  }

  private text(task: string | null = null, words?: Readonly<Record<string, unknown>>): TextContext {
    return {
      c: this.c,
      language: this.session.language,
      figure: (name) => this.session.run?.figure(name, task),
      link: (link, inside) => this.drawLink(link, inside),
      ...(words === undefined ? {} : { words }),
    };
  }

  protected override updated(_changed: PropertyValues<this>): void {
    this.#showInList();
    const goal = this.#goal;
    const { lesson, phase, page } = this.session;
    if (goal === null || (page === "lesson" && lesson?.id !== goal.lesson && phase !== "failed")) return;
    this.#goal = null;
    const article = this.renderRoot.querySelector<HTMLElement>("article");
    const step = goal.step === 0 ? null : (article?.querySelector<HTMLElement>(`#step-${goal.step}`) ?? null);
    const place = step ?? article;
    if (goal.focus) place?.focus({ preventScroll: true });
    place?.scrollIntoView({ block: "start" });
  }

  /** Brings the open lesson into the sight of the list, which has a height of its own beside the text. */
  #showInList(): void {
    const { wanted } = this.session;
    const list = this.renderRoot.querySelector<HTMLElement>(".contents");
    const item = list?.querySelector<HTMLElement>('[aria-current="true"]')?.getBoundingClientRect();
    if (list === null || item === undefined || this.isNarrow || this.#listed === wanted) return;
    this.#listed = wanted;
    const sight = list.getBoundingClientRect();
    const head = list.querySelector("summary")?.getBoundingClientRect().height ?? 0;
    if (item.top < sight.top + head || item.bottom > sight.bottom)
      list.scrollTop += item.top - sight.top - (sight.height - item.height) / 2;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("scroll", this.#scrolled, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("scroll", this.#scrolled);
    clearTimeout(this.#still);
  }

  readonly #scrolled = (): void => {
    clearTimeout(this.#still);
    this.#still = setTimeout(() => {
      if (this.#goal !== null || this.session.page !== "lesson") return;
      const steps = [...this.renderRoot.querySelectorAll<HTMLElement>("article section[data-step]")];
      // The step whose beginning was last scrolled past the upper third of what is in sight.
      const read = steps.findLast((one) => one.getBoundingClientRect().top < innerHeight / 3);
      if (read !== undefined) this.session.reads(Number(read.dataset["step"]));
    }, STILL_MILLIS);
  };

  /** Shows a step of a lesson once that is drawn, as where the reader stopped. */
  show(lesson: string, step: number): void {
    this.#goal = { lesson, step, focus: false };
    this.requestUpdate();
  }

  /** Goes where a place of the address says: `step-3` of the open lesson, `glossary` or `end`. */
  turn(place: string): void {
    const step = /^step-(\d+)$/.exec(place)?.[1];
    const page = COURSE_PAGES.find((one) => one === place && one !== "lesson");
    if (page !== undefined && page !== "lesson") this.turnTo(page);
    else if (step !== undefined) this.open(this.session.wanted, Number(step));
  }

  private drawLink(link: Inside | Beside, inside: readonly unknown[]): TemplateResult {
    if (link.to !== "lesson" && link.to !== "glossary")
      return this.site === ""
        ? html`${inside}`
        : html`<a href=${new URL(siteAddressOf(link), this.site).href} data-beside=${link.to}>${inside}</a>`;
    const follow = (): void => {
      if (link.to === "glossary") this.turnTo("glossary");
      else this.open(link.lesson, link.step);
    };
    const href = link.to === "glossary" ? this.addressOf(null, "glossary") : this.addressOf(link.lesson, link.step);
    if (href === null) return html`<button type="button" class="link" @click=${follow}>${inside}</button>`;
    return html`<a href=${href} @click=${(event: MouseEvent) => {
      // A new tab is the browser's own affair.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      follow();
    }}>${inside}</a>`;
  }

  /** The address of a step, counted from 0 for the lesson's title, or of another page of the course. */
  private addressOf(lesson: string | null, place: number | CoursePage): string | null {
    if (this.page === "") return null;
    const url = new URL(this.page, this.baseURI);
    if (lesson !== null) url.searchParams.set("lesson", lesson);
    if (place !== 0) url.hash = typeof place === "number" ? `step-${place}` : place;
    return url.href;
  }

  /** Tells the page where the reader is in the course. */
  private tell(lesson: string, place: string): void {
    this.dispatchEvent(new CustomEvent("quire-lesson", { detail: { lesson, place }, bubbles: true, composed: true }));
  }

  private turnTo(page: Exclude<CoursePage, "lesson">): void {
    const { wanted } = this.session;
    this.leave({ lesson: wanted, step: 0, focus: true });
    this.session.turnTo(page);
    this.tell(wanted, page);
  }

  /** The address of a course beside this one; null where the page shows one course only. */
  private besideOf(course: string): string | null {
    if (this.page === "") return null;
    const url = new URL(this.page, this.baseURI);
    if (!url.searchParams.has("course")) return null;
    url.searchParams.set("course", course);
    return url.href;
  }

  /** Defines an element that is fetched when it is first shown. */
  private need(name: string, load: () => Promise<CustomElementConstructor>): void {
    if (customElements.get(name) !== undefined || this.isPartMissing) return;
    load().then(
      (element) => {
        if (customElements.get(name) === undefined) customElements.define(name, element);
      },
      () => (this.isPartMissing = true),
    );
  }

  /** The problems of a book that its filter lets through, in their order; all parts of another course. */
  private get shown(): readonly Listed[] {
    const { course, list } = this.session;
    return course?.kind === "problems" ? filtered(list, this.filter) : list;
  }

  private get listName(): string {
    const { c } = this;
    return { lessons: c.lessons, problems: c["book.problems"], project: c["release.list"] }[
      this.session.course?.kind ?? "lessons"
    ];
  }

  /** Puts away what belongs to the page that is left. */
  private leave(goal: Goal): void {
    this.#goal = goal;
    // On a narrow page the list stands above the lesson, which the reader wants to see.
    if (this.isNarrow) this.renderRoot.querySelector(".contents")?.removeAttribute("open");
    this.query = "";
    this.asking = false;
    this.student = null;
    this.note = "";
  }

  /** Moves the focus to another part of the lesson, when the part that had it is gone. */
  private async refocus(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }

  /** Keeps an answer; the reader goes on with the next question of the run, or with the run. */
  private answer({ key, run }: Question, answer: string | null): void {
    this.session.answer(key, answer);
    const { lesson, work } = this.session;
    const next =
      lesson === null ? undefined : questionsOfRun(lesson, run).find(({ key: one }) => !(one in work.answers));
    void this.refocus(next === undefined ? `[data-script="${run}"]` : `[data-question="${next.key}"] input`);
  }

  /** Opens a lesson, at one of its steps (0: its title); the one that is open stays as it is. */
  private open(id: string, step = 0): void {
    this.leave({ lesson: id, step, focus: true });
    const isOpen = this.session.lesson?.id === id && this.session.phase !== "failed";
    if (isOpen) this.session.turnTo("lesson");
    else void this.session.open(id);
    this.tell(id, step === 0 ? "" : `step-${step}`);
  }

  protected override render(): TemplateResult {
    const { session, c } = this;
    const { course } = session;
    if (course === null)
      return session.phase === "failed"
        ? html`<p class="failure" role="alert">${c["course.failed"]}\n${session.failure}</p>`
        : html`<p class="status" role="status">${c["phase.files"]}</p>`;
    return html`<div class="course" lang=${session.language}>
      <aside>
        <h1>${course.title[session.language]}</h1>
        <p class="about">${course.about[session.language]}</p>
        ${this.search()}
        <details class="contents" ?open=${!this.isNarrow}>
          <summary>${this.listName}</summary>
          ${drawLessons({
            c,
            list: this.shown,
            name: this.listName,
            ...(course.kind === "problems"
              ? {
                  markOf: (one: Listed) =>
                    drawMark(one, c) || (one.problem === null ? "" : wordDifficulty(c, one.problem.difficulty)),
                }
              : {}),
            open: session.page === "lesson" ? session.wanted : "",
            number: (value) => this.number(value),
            go: (id) => this.open(id),
          })}
        </details>
        ${
          course.kind === "lessons"
            ? nothing
            : html`<button type="button" class="quiet" id="whole"
              aria-current=${session.page === "book" || session.page === "card" ? "true" : nothing}
              @click=${() => this.turnTo(course.kind === "problems" ? "book" : "card")}>${
                course.kind === "problems" ? c["book.list"] : c["card.link"]
              }</button>`
        }
        ${session.page === "lesson" || session.page === "end" ? nothing : this.besides()}
        ${
          course.glossary === null
            ? nothing
            : html`<button type="button" class="quiet" id="glossary"
              aria-current=${session.page === "glossary" ? "true" : nothing}
              @click=${() => this.turnTo("glossary")}>${c.glossary}</button>`
        }
        ${this.tools()}
      </aside>
      ${this.student !== null ? this.review(this.student) : session.page === "lesson" ? this.article() : this.aside()}
    </div>`;
  }

  private search(): TemplateResult {
    const { session, query } = this;
    return drawSearch({
      c: this.c,
      query,
      found: session.shelf.find(query),
      number: (value) => this.number(value),
      titleOf: (lesson) => session.list.find(({ id }) => id === lesson)?.title ?? lesson,
      ask: (words) => (this.query = words),
      go: ({ lesson, step }) => {
        if (lesson === null) this.turnTo("glossary");
        else this.open(lesson, step);
      },
    });
  }

  private tools(): TemplateResult {
    const { c, session } = this;
    const choose = (id: string): void => this.renderRoot.querySelector<HTMLInputElement>(`#${id}`)?.click();
    const given = async (event: Event, take: (text: string) => Promise<boolean>): Promise<void> => {
      const input = event.target as HTMLInputElement;
      const file = input.files?.[0];
      input.value = "";
      if (file !== undefined) this.note = (await take(await file.text())) ? "" : c["tools.foreign"];
    };
    return html`<details class="tools" ?open=${!session.kept}>
      <summary>${c.tools}</summary>
      ${session.kept ? nothing : html`<p class="hint">${c["not-kept"]}</p>`}
      <label for="name">${c["tools.name"]}</label>
      <input type="text" id="name" autocomplete="name" .value=${session.name}
        @change=${(event: Event) => session.rename((event.target as HTMLInputElement).value)} />
      <div class="buttons">
        <button type="button" class="button" id="export" @click=${() => {
          const { name, text } = session.exported();
          saveFile(new Blob([text], { type: "application/json" }), name);
        }}>${c["tools.export"]}</button>
        <button type="button" class="button" @click=${() => choose("import")}>${c["tools.import"]}</button>
        <input type="file" id="import" accept=".json,application/json" aria-label=${c["tools.import"]} tabindex="-1"
          @change=${(event: Event) =>
            void given(event, async (text) => {
              const taken = await session.take(text);
              if (taken) setTimeout(() => (this.note = c["tools.imported"]));
              return taken;
            })} />
        <button type="button" class="button" @click=${() => choose("student")}>${c["tools.teacher"]}</button>
        <input type="file" id="student" accept=".json,application/json" aria-label=${c["tools.teacher"]} tabindex="-1"
          @change=${(event: Event) =>
            void given(event, async (text) => {
              const work = session.read(text);
              if (work !== null) this.student = work;
              return work !== null;
            })} />
      </div>
      <p class="note" role="status">${this.note}</p>
    </details>`;
  }

  private review(work: Work): TemplateResult {
    return html`<article tabindex="-1"><quire-course-review .session=${this.session} .work=${work} .c=${this.c}
      @done=${() => {
        this.student = null;
        void this.refocus("article");
      }}></quire-course-review></article>`;
  }

  /** A block of the glossary; its title stands above it already. */
  private drawEntry(token: Token): unknown {
    if (token.type !== "heading") return drawBlocks([token], this.text());
    return (token as Tokens.Heading).depth === 1 ? nothing : html`<h3>${drawInline(insideOf(token), this.text())}</h3>`;
  }

  private recalls(): TemplateResult | typeof nothing {
    const { session, c } = this;
    const counts = { due: session.due.length, all: session.recalls.length };
    return drawRecalls(
      counts,
      c,
      (value) => this.number(value),
      () => this.turnTo("recall"),
    );
  }

  /** A page of the course that is no lesson. */
  private aside(): TemplateResult {
    const { session, c } = this;
    const { course } = session;
    if (this.isPartMissing && (session.page === "recall" || session.page === "card"))
      return html`<article tabindex="-1" data-main><p class="failure" role="alert">${c["part.missing"]}</p>
        <button type="button" class="button" @click=${() => (this.isPartMissing = false)}>${c["lesson.again"]}</button>
      </article>`;
    if (session.page === "book" && course !== null)
      return html`<article tabindex="-1" data-main data-page="book" aria-label=${c["book.list"]}>${drawBook({
        c,
        course,
        language: session.language,
        list: session.list,
        filter: this.filter,
        last: session.wanted,
        recalls: this.recalls(),
        number: (value) => this.number(value),
        choose: (filter) => (this.filter = filter),
        go: (id) => this.open(id),
      })}</article>`;
    if (session.page === "recall") {
      this.need("quire-course-recall", async () => (await import("./course-recall.ts")).CourseRecall);
      return html`<article tabindex="-1" data-main data-page="recall" aria-label=${c["recall.title"]}>
        <quire-course-recall .session=${session} .c=${c} @done=${() =>
          this.turnTo(course?.kind === "problems" ? "book" : "end")}></quire-course-recall></article>`;
    }
    if (session.page === "card") {
      this.need("quire-course-card", async () => (await import("./course-card.ts")).CourseCard);
      const verify = this.page === "" ? "" : `${new URL(this.page, this.baseURI).pathname}?verify`;
      return html`<article tabindex="-1" data-main data-page="card" aria-label=${c["card.title"]}>
        <quire-course-card .session=${session} .c=${c} .verify=${verify}></quire-course-card></article>`;
    }
    return this.last();
  }

  /** The glossary, or the page after the last lesson. */
  private last(): TemplateResult {
    const { session, c, site } = this;
    if (session.page === "glossary")
      return html`<article tabindex="-1" data-main data-page="glossary" aria-label=${c.glossary}><h2>${c.glossary}</h2>
        <div class="text glossary">${
          session.shelf.glossary === null
            ? html`<p class="status">${c["phase.files"]}</p>`
            : blocksOf(session.shelf.glossary).map(({ token }) => this.drawEntry(token))
        }</div></article>`;
    return html`<article tabindex="-1" data-main data-page="end" aria-label=${c["end.title"]}>${drawEnd({
      c,
      title: session.course?.title[session.language] ?? "",
      list: session.list,
      site,
      hasGlossary: session.course?.glossary !== null,
      recalls: this.recalls(),
      besides: this.besides(),
      number: (value) => this.number(value),
      go: (id) => this.open(id),
      glossary: () => this.turnTo("glossary"),
    })}</article>`;
  }

  private article(): TemplateResult {
    const { session, c } = this;
    const { lesson, phase } = session;
    const says = {
      files: c["phase.files"],
      waiting: "",
      engine: c["phase.engine"],
      setup: c["phase.setup"],
      replay: c["phase.replay"],
      ready: "",
      failed: "",
    }[phase];
    const status = html`<p class="status" role="status">${says}</p>`;
    const failure =
      session.locked !== null
        ? this.locked(session.locked)
        : session.missing !== null
          ? html`<p class="failure" role="alert">${c["lesson.missing"](session.missing)}</p>`
          : session.failure === null
            ? nothing
            : html`<div class="failure" role="alert">${c["lesson.failed"]}\n${this.why()}
          <div class="under"><button type="button" class="button" @click=${() => this.open(session.wanted)}>${
            c["lesson.again"]
          }</button></div></div>`;
    if (lesson === null || phase === "files")
      return html`<article tabindex="-1" data-main>${status}${failure}</article>`;
    return html`<article tabindex="-1" data-main data-phase=${phase} data-lesson=${lesson.id}
      aria-label=${lesson.title}>
      <h2>${lesson.title}</h2>
      ${status}${failure}
      ${
        session.faults.length === 0
          ? nothing
          : html`<p class="failure">${c["lesson.faults"]}\n${session.faults.map(wordFault).join("\n")}</p>`
      }
      ${keyed(
        lesson.id,
        html`${lesson.steps.map(
          ({ title, parts }, at) => html`<section data-step=${at}>
            ${title.length === 0 ? nothing : this.heading(lesson, title, at)}
            ${this.readable(lesson, parts).map((part) => this.drawPart(lesson, part))}
          </section>`,
        )}`,
      )}
      ${this.footer(lesson)}
      ${this.besides()}
    </article>`;
  }

  /** A release that waits for one before it. */
  private locked(id: string): TemplateResult {
    const { c, session } = this;
    const title = session.list.find((one) => one.id === id)?.title ?? id;
    return html`<div class="hint" data-locked><p>${c["release.locked"](title)}</p>
      <div class="under start"><button type="button" class="button main" @click=${() => this.open(id)}>${
        c["release.go"]
      }</button></div></div>`;
  }

  private heading(lesson: Lesson, title: Parameters<typeof drawInline>[0], step: number): TemplateResult {
    const address = this.addressOf(lesson.id, step);
    return html`<h3 id=${`step-${step}`} tabindex="-1">${drawInline(title, this.text())}${
      address === null
        ? nothing
        : html`<a class="anchor" href=${address} aria-label=${this.c["step.link"](plainText(title))}
          @click=${(event: MouseEvent) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            this.open(lesson.id, step);
          }}>#</a>`
    }</h3>`;
  }

  private why(): string {
    const { missingFile, failure } = this.session;
    return missingFile === null ? (failure ?? "") : this.c["lesson.file"](missingFile.file, missingFile.why);
  }

  /** Once a page: behind a lesson, whose first question is to be a few stops away, and on the end; else beside. */
  private besides(): TemplateResult | typeof nothing {
    return drawBesides(
      this.session.shelf.besides,
      this.c,
      (id) => this.besideOf(id),
      (value) => this.number(value),
    );
  }

  private footer(lesson: Lesson): TemplateResult {
    const { c, session } = this;
    const reset = this.asking
      ? html`<div class="sure" role="group" aria-label=${c.reset}><span>${c["reset.sure"]}</span>
          <button type="button" class="button main" id="reset-yes" @click=${() => {
            this.asking = false;
            void session.reset();
            void this.refocus("article");
          }}>${c["reset.yes"]}</button>
          <button type="button" class="button" @click=${() => {
            this.asking = false;
            void this.refocus("#reset");
          }}>${c["reset.no"]}</button></div>`
      : html`<button type="button" class="button" id="reset" ?disabled=${!session.takesScripts}
          @click=${async () => {
            this.asking = true;
            await this.updateComplete;
            this.renderRoot.querySelector<HTMLElement>("#reset-yes")?.focus();
          }}>${c.reset}</button>`;
    return drawFoot({
      c,
      kind: session.course?.kind ?? "lessons",
      open: lesson.id,
      list: session.list,
      shown: this.shown,
      reset,
      go: (id) => this.open(id),
      turnTo: (page) => this.turnTo(page),
    });
  }

  /**
   * A step as far as the first snippet that is asked about and was not run: the text behind it would give the answer
   * away.
   */
  private readable(lesson: Lesson, parts: readonly Part[]): readonly Part[] {
    const end = parts.findIndex((part) => part.kind === "run" && this.isOpen(lesson, part.script.id));
    return end < 0 ? parts : parts.slice(0, end + 1);
  }

  /** Whether a question about a run was not answered, or is not decided yet. */
  private isOpen(lesson: Lesson, run: string): boolean {
    if (questionsOfRun(lesson, run).length === 0) return false;
    const { session } = this;
    const isRun =
      (session.run?.made(run) ?? null) !== null ||
      session.work.log.some(({ kind, id }) => kind === "run" && id === run);
    return !isRun || this.waits(lesson, run);
  }

  private waits(lesson: Lesson, run: string): boolean {
    return questionsOfRun(lesson, run).some(({ key }) => this.session.work.answers[key] === undefined);
  }

  private drawPart(lesson: Lesson, part: Part): TemplateResult {
    switch (part.kind) {
      case "text":
        return html`<div class="text">${drawBlocks(part.tokens, this.text())}</div>`;
      case "chart":
        return drawChart(part.id, this.session.run?.chart(part.id) ?? null, this.c, this.session.language);
      case "question":
        return this.question(part);
      case "run": {
        const { id, source } = part.script;
        return this.script(id, source, { task: null, waits: this.waits(lesson, id) });
      }
      case "task":
        return this.task(part);
    }
  }

  private script(
    id: string,
    original: string,
    { task, waits }: { readonly task: Task | null; readonly waits: boolean },
  ): TemplateResult {
    const { session, c } = this;
    return html`<quire-course-script data-script=${id} .id=${id} .session=${session} .c=${c}
      .words=${tableFor(session.language)} .original=${original} .draft=${session.work.drafts[id] ?? original}
      .task=${task !== null} .waits=${waits} .ready=${session.takesScripts}
      .busy=${session.busy} .made=${session.run?.made(id) ?? null}
      @edited=${(event: CustomEvent<string>) => session.draft(id, event.detail)}
      @check=${(event: CustomEvent<(lines: readonly string[]) => void>) => {
        if (task !== null) void session.check(task, (event.target as CourseScript).source, event.detail);
      }}></quire-course-script>`;
  }

  private question(question: Question): TemplateResult {
    const { session, c } = this;
    const { key, text } = question;
    const given = session.work.answers[key];
    const asks = html`<div class="text">${drawBlocks(text, this.text())}</div>`;
    if (given !== undefined)
      return html`<section class="box question" data-question=${key}><header>${c.question}</header>${asks}${this.truth(
        question,
        given,
      )}</section>`;
    const send = (event: SubmitEvent): void => {
      const said = sentAnswer(event, question, c);
      if (said !== null) this.answer(question, said);
    };
    const skip = html` <button type="button" class="quiet" data-skip @click=${() => this.answer(question, null)}>${
      c["question.skip"]
    }</button>`;
    return html`<section class="box question" data-question=${key}><form @submit=${send}><fieldset>
      <legend>${c.question}</legend>${asks}${drawFields(question, { ...this.text(), c }, c["question.send"], skip)}
      </fieldset></form></section>`;
  }

  /** The reader's answer beside the run's own, or what is to be done to see that. */
  private truth(question: Question, given: string | null): TemplateResult {
    const { c } = this;
    const { key, answer } = question;
    const found = this.session.run?.answered(key) ?? null;
    if (found !== null) return drawTruth(question, given, found, { ...this.text(), c });
    const plain =
      given !== null && answer.kind === "choices" ? plainText(answer.choices[Number(given)]?.label ?? []) : given;
    return html`<p class="status">${plain === null ? c["question.waits.skipped"] : c["question.waits"](plain)}</p>`;
  }

  private task(task: Task): TemplateResult {
    const { session, c } = this;
    const { id } = task;
    const checked = session.checked(id);
    const passed = session.work.passed.includes(id);
    const tried = (session.run?.made(id) ?? null) !== null;
    return html`<section class="box task ${passed ? "passed" : ""}" data-task=${id}>
      <header><span>${c.task}</span>${
        passed ? html`<span class="passed">✓ ${c["task.passed"]}</span>` : nothing
      }</header>
      <div class="text">${drawBlocks(task.text, this.text(id))}</div>
      ${this.script(id, task.start, { task, waits: false })}
      <div class="says" role="status">${checked === null ? nothing : this.said(task, checked)}</div>
      ${
        passed && checked === null && tried
          ? html`<div class="done text">${drawBlocks(task.passed, this.text(id))}</div>`
          : nothing
      }
      ${
        tried
          ? html`<div class="under"><button type="button" class="quiet" data-retry title=${c["task.retry.hint"]}
            ?disabled=${session.busy !== null} @click=${async () => {
              await session.retry(id);
              await this.refocus(`[data-script="${id}"]`);
            }}>${c["task.retry"]}</button></div>`
          : nothing
      }
      ${this.discussion(task)}
      ${this.solution(task)}
    </section>`;
  }

  private said(task: Task, checked: Checked): TemplateResult {
    const { session, c } = this;
    return drawSaid(task, checked, {
      c,
      language: session.language,
      made: session.run?.made(task.id) ?? null,
      errors: this.#told,
      hasEarlier: session.run?.hasEarlier(task.id) ?? false,
      text: (words) => this.text(task.id, words),
      number: (value) => this.number(value),
    });
  }

  /** The cost of a problem's answer beside that of its solution, and the discussion. */
  private discussion(task: Task): TemplateResult | typeof nothing {
    const { session, c } = this;
    const isSolved = session.course?.kind === "problems" && session.work.passed.includes(task.id);
    if (!isSolved || session.checked(task.id)?.kind !== "passed") return nothing;
    const compared = session.compared(task.id);
    return html`<div class="discussion" data-discussion>
      ${compared === null ? nothing : drawComparison(compared, c, (value) => this.number(value))}
      ${
        task.why.length === 0
          ? nothing
          : html`<h3>${c["book.discussion"]}</h3><div class="text">${drawBlocks(task.why, this.text(task.id))}</div>`
      }</div>`;
  }

  /** A solution, for a reader whose check did not pass a few times. */
  private solution(task: Task): TemplateResult | typeof nothing {
    const { session, c } = this;
    const solution = session.lesson?.scripts.solutions.get(task.id);
    if (solution === undefined || !session.offersSolution(task.id)) return nothing;
    return html`<details class="solution" data-solution @toggle=${(event: Event) => {
      if ((event.target as HTMLDetailsElement).open) session.see(task.id);
    }}><summary>${c["task.solution"]}</summary>
      <pre class="plain" tabindex="0" role="group" aria-label=${c["task.solution.is"]}>${drawCode(
        solution.source,
      )}</pre>
      ${
        // A problem that is passed has its discussion above.
        session.course?.kind === "problems" && session.checked(task.id)?.kind === "passed"
          ? nothing
          : html`<div class="text">${drawBlocks(task.why, this.text(task.id))}</div>`
      }
      <button type="button" class="button" data-use @click=${() => {
        session.draft(task.id, solution.source);
        void this.refocus(`[data-script="${task.id}"]`);
      }}>${c["task.solution.use"]}</button></details>`;
  }
}
