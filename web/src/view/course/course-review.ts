/**
 * `<quire-course-review>`: a student's file as a teacher sees it: which checks pass when its scripts are run again.
 *
 * Invariant: the file's claims are shown as claims, and never in the place of the outcome of running its scripts.
 */
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Work } from "../../lessons/course/progress.ts";
import type { Reviewed } from "../../lessons/course/replay.ts";
import type { CourseSession } from "../../lessons/course/session.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { drawCode } from "./course-code.ts";
import { courseStyles } from "./course-styles.ts";
import { SnippetStyled } from "./snippet-styled.ts";

type Row = { readonly title: string; readonly reviewed: Reviewed } | { readonly failure: string };

export class CourseReview extends SnippetStyled {
  @property({ attribute: false }) session!: CourseSession;
  @property({ attribute: false }) work!: Work;
  @property({ attribute: false }) c!: CourseMessages;
  @state() private rows: ReadonlyMap<string, Row> = new Map();
  @state() private working: string | null = null;

  static override styles = courseStyles;

  protected override firstUpdated(): void {
    void this.reviewAll();
    this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }

  private async reviewAll(): Promise<void> {
    for (const { id } of this.session.course?.lessons ?? []) {
      if (!this.isConnected) return;
      if (this.work.lessons[id] === undefined) continue;
      this.working = id;
      let row: Row;
      try {
        const { lesson, reviewed } = await this.session.review(this.work, id);
        row = { title: lesson.title, reviewed };
      } catch (error) {
        row = { failure: error instanceof Error ? error.message : String(error) };
      }
      this.rows = new Map([...this.rows, [id, row]]);
    }
    this.working = null;
  }

  protected override render(): TemplateResult {
    const { c, session } = this;
    return html`<div class="review" aria-busy=${String(this.working !== null)}>
      <h2 tabindex="-1">${c["teacher.title"](this.work.name)}</h2>
      <p class="about">${c["teacher.about"]}</p>
      <table><thead><tr><th scope="col">${c["teacher.lesson"]}</th><th scope="col">${c["teacher.checks"]}</th>
        <th scope="col">${c["teacher.answers"]}</th></tr></thead>
        <tbody>${session.list.map(
          ({ id, title }) => html`<tr data-review=${id}><th scope="row">${title}</th>${this.cells(id)}</tr>`,
        )}</tbody></table>
      <div class="under"><button type="button" class="button"
        @click=${() => this.dispatchEvent(new CustomEvent("done"))}>${c["teacher.close"]}</button></div>
    </div>`;
  }

  private cells(id: string): TemplateResult {
    const { c } = this;
    const row = this.rows.get(id);
    const isBegun = this.work.lessons[id] !== undefined;
    if (row === undefined) return html`<td colspan="2">${isBegun ? c["teacher.working"] : c["teacher.none"]}</td>`;
    if ("failure" in row) return html`<td colspan="2" class="fails">${c["teacher.failed"](row.failure)}</td>`;
    const { tasks, questions, right } = row.reviewed;
    return html`<td><ul>${tasks.map(
      ({
        id: task,
        passes,
        claimed,
        attempts,
        seen,
        source,
      }) => html`<li data-check=${task} data-passes=${String(passes)}>
        <b class=${passes ? "passes" : "fails"}>${passes ? "✓" : "✗"}</b> <code>${task}</code>
        ${passes ? c["teacher.passes"] : c["teacher.fails"]}${
          claimed && !passes ? html` (${c["teacher.claimed"]})` : nothing
        }${attempts === 0 ? nothing : html` · ${c["teacher.attempts"](String(attempts))}`}${
          seen ? html` · ${c["teacher.seen"]}` : nothing
        }
        ${
          source === ""
            ? nothing
            : html`<details><summary><span class="line">${c["teacher.script"]}</span></summary><pre class="plain"
              tabindex="0">${drawCode(source)}</pre></details>`
        }</li>`,
    )}</ul></td><td>${questions === 0 ? nothing : c["teacher.answers.of"](String(right), String(questions))}</td>`;
  }
}
