/**
 * `<quire-course-card>`: the card of a project's model, to be printed and to be handed to a teacher.
 *
 * Invariant: every figure was measured when the card was made, by running the reader's scripts again.
 */
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { tableFor } from "../../embed/words.ts";
import type { CourseSession } from "../../lessons/course/session.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { saveFile } from "../data/save-file.ts";
import { drawingShapes } from "../model/drawing-styles.ts";
import { drawModel } from "./card-drawing.ts";
import { drawCard } from "./card-tables.ts";
import { courseStyles } from "./course-styles.ts";
import { SnippetStyled } from "./snippet-styled.ts";

export class CourseCard extends SnippetStyled {
  @property({ attribute: false }) session!: CourseSession;
  @property({ attribute: false }) c!: CourseMessages;
  /** The address of the page that verifies files; empty where there is none. */
  @property() verify = "";
  @state() private made: Awaited<ReturnType<CourseSession["card"]>> | null = null;
  @state() private done = 0;
  @state() private failure = "";

  static override styles = [courseStyles, drawingShapes];

  protected override firstUpdated(): void {
    void this.make();
  }

  private async make(): Promise<void> {
    this.made = null;
    this.failure = "";
    try {
      this.made = await this.session.card((done) => (this.done = done));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  protected override render(): TemplateResult {
    const { c, made, session } = this;
    const number = (value: number): string => new Intl.NumberFormat(session.language).format(value);
    const all = session.course?.lessons.length ?? 0;
    const today = new Intl.DateTimeFormat(session.language, { dateStyle: "long" }).format(new Date());
    return html`<div class="card" aria-busy=${String(made === null && this.failure === "")}>
      <h2 tabindex="-1">${c["card.title"]}</h2>
      <p class="about">${session.course?.title[session.language] ?? ""}${
        session.name === "" ? "" : html` · ${c["card.of"](session.name)}`
      } · <span data-date>${today}</span></p>
      <p class="status" role="status">${
        made === null && this.failure === "" ? c["card.making"](number(this.done + 1), number(all)) : ""
      }</p>
      ${this.failure === "" ? nothing : html`<p class="failure" role="alert">${c["card.failed"](this.failure)}</p>`}
      ${
        made === null
          ? nothing
          : html`<div class="text"><p>${c["card.about"]}</p></div>
            <div class="under start">
              <button type="button" class="button main" id="card-save" @click=${() =>
                saveFile(new Blob([made.text], { type: "application/json" }), made.name)}>${c["card.save"]}</button>
              <button type="button" class="button" id="card-print" @click=${() => print()}>${c["card.print"]}</button>
              ${this.verify === "" ? nothing : html`<a class="link" href=${this.verify}>${c["card.verify"]}</a>`}
            </div>
            ${made.model === null ? nothing : drawModel(made.model, c, tableFor(session.language), number)}
            ${drawCard(made.card, c, number)}`
      }
      ${
        this.failure === ""
          ? nothing
          : html`<button type="button" class="button" @click=${() => void this.make()}>${c["card.again"]}</button>`
      }
    </div>`;
  }
}
