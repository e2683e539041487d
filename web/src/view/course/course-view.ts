/**
 * `<quire-course-view>`: a course: its lessons with their progress, and the open lesson with its text, snippets,
 * questions, tasks and charts.
 *
 * Invariants: it draws the session's state and passes the reader's wishes on to it; a lesson's title gets the focus
 * when the reader opened it, and nothing takes it while one reads.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { property, state } from "lit/decorators.js";
import { tableFor } from "../../embed/words.ts";
import { plainText } from "../../lessons/course/blocks.ts";
import { wordFault } from "../../lessons/course/faults.ts";
import { questionsOfRun, type Lesson, type Part } from "../../lessons/course/lesson.ts";
import type { Question, Task } from "../../lessons/course/parts.ts";
import { isTruth, type Work } from "../../lessons/course/progress.ts";
import { wordFigure } from "../../lessons/course/figures.ts";
import type { Checked } from "../../lessons/course/run.ts";
import type { CourseSession, Listed } from "../../lessons/course/session.ts";
import { courseMessagesOf, type CourseMessages } from "../../messages/course/words.ts";
import { saveFile } from "../data/save-file.ts";
import { drawChart } from "./course-chart.ts";
import { drawRace } from "./course-race.ts";
import type { CourseScript } from "./course-script.ts";
import { courseStyles } from "./course-styles.ts";
import { drawBlocks, drawInline, type TextContext } from "./course-text.ts";
import { SessionView } from "./snippet-styled.ts";

/** The width in pixels from which the list of lessons stands beside the open one, as `course-styles.ts` has it. */
const WIDE_PIXELS = 928;

export class CourseView extends SessionView {
  @property({ attribute: false }) session!: CourseSession;
  @state() private asking = false;
  @state() private note = "";
  @state() private student: Work | null = null;
  #openedBy: string | null = null;

  static override styles = courseStyles;

  private get c(): CourseMessages {
    return courseMessagesOf(tableFor(this.session.language));
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
      ...(words === undefined ? {} : { words }),
    };
  }

  protected override updated(_changed: PropertyValues<this>): void {
    const { lesson, phase } = this.session;
    if (this.#openedBy === null || (lesson?.id !== this.#openedBy && phase !== "failed")) return;
    this.#openedBy = null;
    const article = this.renderRoot.querySelector<HTMLElement>("article");
    article?.focus({ preventScroll: true });
    article?.scrollIntoView({ block: "start" });
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

  private open(id: string): void {
    this.#openedBy = id;
    // On a narrow page the list stands above the lesson, which the reader wants to see.
    if (this.isNarrow) this.renderRoot.querySelector(".contents")?.removeAttribute("open");
    this.asking = false;
    this.student = null;
    this.note = "";
    void this.session.open(id);
    this.dispatchEvent(new CustomEvent("quire-lesson", { detail: { lesson: id }, bubbles: true, composed: true }));
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
        <details class="contents" ?open=${!this.isNarrow}>
          <summary>${c.lessons}</summary>
          <nav aria-label=${c.lessons}><ol class="lessons">${session.list.map((one, at) =>
            this.listed(one, at),
          )}</ol></nav>
        </details>
        ${this.tools()}
      </aside>
      ${this.student === null ? this.article() : this.review(this.student)}
    </div>`;
  }

  private listed({ id, title, minutes, passed, tasks, begun }: Listed, at: number): TemplateResult {
    const { c, session } = this;
    const done = tasks !== null && tasks > 0 && passed === tasks;
    const mark = done
      ? html`<span class="mark whole" aria-hidden="true">✓</span><span class="unseen">${c["lessons.done"]}</span>`
      : begun && tasks !== null && tasks > 0
        ? html`<span class="mark" aria-hidden="true">${passed}/${tasks}</span><span class="unseen">${c[
            "lessons.passed"
          ](this.number(passed), this.number(tasks))}</span>`
        : html`<span class="mark">${c["lessons.minutes"](this.number(minutes))}</span>`;
    return html`<li><button type="button" data-lesson=${id} aria-current=${session.wanted === id ? "true" : nothing}
      @click=${() => this.open(id)}><span class="number">${at + 1}</span><span class="title">${
        title
      }</span>${mark}</button></li>`;
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
      session.missing !== null
        ? html`<p class="failure" role="alert">${c["lesson.missing"](session.missing)}</p>`
        : session.failure === null
          ? nothing
          : html`<div class="failure" role="alert">${c["lesson.failed"]}\n${this.why()}
          <div class="under"><button type="button" class="button" @click=${() => this.open(session.wanted)}>${
            c["lesson.again"]
          }</button></div></div>`;
    if (lesson === null || phase === "files") return html`<article tabindex="-1">${status}${failure}</article>`;
    return html`<article tabindex="-1" data-phase=${phase} data-lesson=${lesson.id} aria-label=${lesson.title}>
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
            ${title.length === 0 ? nothing : html`<h3>${drawInline(title, this.text())}</h3>`}
            ${this.readable(lesson, parts).map((part) => this.drawPart(lesson, part))}
          </section>`,
        )}`,
      )}
      ${this.footer(lesson)}
    </article>`;
  }

  private why(): string {
    const { missingFile, failure } = this.session;
    return missingFile === null ? (failure ?? "") : this.c["lesson.file"](missingFile.file, missingFile.why);
  }

  private footer(lesson: Lesson): TemplateResult {
    const { c, session } = this;
    const { list } = session;
    const next = list[list.findIndex(({ id }) => id === lesson.id) + 1];
    return html`<footer>
      ${
        this.asking
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
            }}>${c.reset}</button>`
      }
      ${
        next === undefined
          ? nothing
          : html`<button type="button" class="button main" id="next" @click=${() => this.open(next.id)}>${c.next}: ${
              next.title
            }</button>`
      }
    </footer>`;
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
    const { key, answer, text } = question;
    const given = session.work.answers[key];
    const send = (event: SubmitEvent): void => {
      event.preventDefault();
      const said = new FormData(event.target as HTMLFormElement).get("answer");
      if (typeof said === "string" && said.trim() !== "") this.answer(question, said);
    };
    const name = `q-${key.replace("/", "-")}`;
    const asks = html`<div class="text">${drawBlocks(text, this.text())}</div>`;
    if (given !== undefined)
      return html`<section class="box question" data-question=${key}><header>${c.question}</header>${asks}${this.truth(
        question,
        given,
      )}</section>`;
    return html`<section class="box question" data-question=${key}><form @submit=${send}><fieldset>
      <legend>${c.question}</legend>${asks}
      ${
        answer.kind === "choices"
          ? html`<div class="choices">${answer.choices.map(
              ({ label }, at) =>
                html`<label><input type="radio" name="answer" value=${at} required /><span>${drawInline(
                  label,
                  this.text(),
                )}</span></label>`,
            )}</div>`
          : nothing
      }
      <div class="answering">
        ${
          answer.kind === "figure"
            ? html`<input type="text" id=${name} name="answer" required autocomplete="off" inputmode="text"
              aria-label=${c["question.answer"]} placeholder=${c["question.answer"]} />`
            : nothing
        }
        <button type="submit" class="button">${c["question.send"]}</button>
        <button type="button" class="quiet" data-skip @click=${() => this.answer(question, null)}>${
          c["question.skip"]
        }</button>
      </div></fieldset></form></section>`;
  }

  /** The reader's answer beside the run's own. */
  private truth({ key, answer }: Question, given: string | null): TemplateResult {
    const { session, c } = this;
    const label = (at: number): unknown =>
      answer.kind === "choices" ? drawInline(answer.choices[at]?.label ?? [], this.text()) : "";
    const said = given === null ? null : answer.kind === "choices" ? label(Number(given)) : given;
    const found = session.run?.answered(key) ?? null;
    if (found === null) {
      const plain =
        given !== null && answer.kind === "choices" ? plainText(answer.choices[Number(given)]?.label ?? []) : given;
      return html`<p class="status">${plain === null ? c["question.waits.skipped"] : c["question.waits"](plain)}</p>`;
    }
    if (found.kind === "broken") return html`<p class="failure">${c["question.broken"](found.message)}</p>`;
    const right =
      found.kind === "figure" ? isTruth(given, found.truth) : given !== null && found.right[Number(given)] === true;
    const truth =
      found.kind === "figure"
        ? (wordFigure(found.truth, session.language) ?? String(found.truth))
        : found.right.flatMap((one, at) => (one ? [html`<span>${label(at)}</span> `] : []));
    return html`<div class="truth ${right ? "right" : given === null ? "" : "wrong"}" role="status">
      ${
        given === null
          ? nothing
          : html`<p class="verdict">${right ? `✓ ${c["question.right"]}` : c["question.wrong"]}</p>`
      }
      <dl><dt>${c["question.said"]}</dt><dd>${said ?? c["question.skipped"]}</dd>
      <dt>${c["question.was"]}</dt><dd class="figure">${truth}</dd></dl></div>`;
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
      ${this.solution(task)}
    </section>`;
  }

  private said(task: Task, checked: Checked): TemplateResult {
    const { c } = this;
    if (checked.kind === "passed")
      return html`<div class="done text" data-passed>${
        checked.alone ? html`<p data-alone>${c["task.alone"]}</p>` : nothing
      }${drawBlocks(task.passed, this.text(task.id, checked.words))}</div>`;
    if (checked.kind === "broken") return html`<p class="failure">${c["task.broken"](checked.message)}</p>`;
    const earlier = checked.other || checked.shown !== undefined ? false : this.session.run?.hasEarlier(task.id);
    return html`<div class="hint" data-hint=${checked.key}>${
      checked.other ? html`<p data-other>${c["task.other"]}</p>` : nothing
    }<p><b>${c["task.hint"]}</b>  ${this.hint(task, checked)}</p>${
      checked.shown === undefined ? nothing : drawRace(checked.shown, c, (value) => this.number(value))
    }${checked.error === undefined ? nothing : html`<p data-error>${c["task.error"](checked.error)}</p>`}</div>${
      earlier ? html`<p class="hint earlier" data-earlier>${c["task.earlier"]}</p>` : nothing
    }`;
  }

  private hint(task: Task, { key, words }: Extract<Checked, { readonly kind: "hint" }>): unknown {
    const { c } = this;
    const hint = task.hints.get(key);
    const word = (name: string): string => wordFigure(words[name], this.session.language) ?? "";
    if (hint !== undefined) return drawInline(hint, this.text(task.id, words));
    if (key === "syntax") return c["task.syntax"](word("message"), word("line"));
    if (key === "uncalled") return c["task.uncalled"](word("call"), word("message"));
    return c["task.unknown"](key);
  }

  /** A solution, for a reader whose check did not pass a few times. */
  private solution(task: Task): TemplateResult | typeof nothing {
    const { session, c } = this;
    const solution = session.lesson?.scripts.solutions.get(task.id);
    if (solution === undefined || !session.offersSolution(task.id)) return nothing;
    return html`<details class="solution" data-solution @toggle=${(event: Event) => {
      if ((event.target as HTMLDetailsElement).open) session.see(task.id);
    }}><summary>${c["task.solution"]}</summary>
      <pre class="plain" tabindex="0" role="group" aria-label=${c["task.solution.is"]}>${solution.source}</pre>
      <div class="text">${drawBlocks(task.why, this.text(task.id))}</div>
      <button type="button" class="button" data-use @click=${() => {
        session.draft(task.id, solution.source);
        void this.refocus(`[data-script="${task.id}"]`);
      }}>${c["task.solution.use"]}</button></details>`;
  }
}
