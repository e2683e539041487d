/**
 * `<quire-course-recall>`: the predictions that were wrong come back, one after the other.
 *
 * Invariants: the lesson is walked in an engine of its own, and the reader's work in it stays as it is; only a
 * prediction that was compared with a run counts.
 */
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { isRight } from "../../lessons/course/recall.ts";
import type { RecalledQuestion } from "../../lessons/course/apart.ts";
import type { CourseSession } from "../../lessons/course/session.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import type { Recall } from "../../state/recall.ts";
import { drawFields, drawTruth, sentAnswer } from "./course-question.ts";
import { drawCode } from "./course-code.ts";
import { courseStyles } from "./course-styles.ts";
import { drawBlocks, type TextContext } from "./course-text.ts";
import { SnippetStyled } from "./snippet-styled.ts";

export class CourseRecall extends SnippetStyled {
  @property({ attribute: false }) session!: CourseSession;
  @property({ attribute: false }) c!: CourseMessages;
  /** What is left of this round, the question that is asked first. */
  @state() private round: readonly Recall[] = [];
  @state() private asked: RecalledQuestion | null = null;
  @state() private failure = "";
  @state() private working = false;
  /** The prediction that was compared with the run. */
  @state() private said: string | null = null;

  static override styles = courseStyles;

  protected override firstUpdated(): void {
    const { due, recalls } = this.session;
    // Practised on demand, all come back that are kept.
    this.round = due.length > 0 ? due : recalls;
    void this.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.asked?.close();
    this.asked = null;
  }

  private async ask(): Promise<void> {
    this.asked?.close();
    this.asked = null;
    this.said = null;
    this.failure = "";
    const [first] = this.round;
    if (first === undefined) return;
    this.working = true;
    try {
      const opened = await this.session.openRecall(first);
      if (!this.isConnected) return opened?.close();
      if (opened === null) {
        this.round = this.round.slice(1);
        return await this.ask();
      }
      this.asked = opened;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.working = false;
    }
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("h3")?.focus();
  }

  private async compare(given: string): Promise<void> {
    const { asked } = this;
    const [recall] = this.round;
    if (asked === null || recall === undefined || this.working) return;
    this.working = true;
    try {
      await asked.run.run(asked.question.run);
      if (asked !== this.asked) return;
      const right = isRight(asked.question, given, asked.run.answered(asked.question.key)) ?? false;
      this.session.settle(recall, right);
      this.said = given;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.working = false;
    }
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#recall-next")?.focus();
  }

  private async next(): Promise<void> {
    this.round = this.round.slice(1);
    await this.ask();
    if (this.round.length > 0) return;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }

  private text(run: RecalledQuestion["run"]): TextContext & { readonly c: CourseMessages } {
    return { c: this.c, language: this.session.language, figure: (name) => run.figure(name) };
  }

  protected override render(): TemplateResult {
    const { c, asked, round, failure } = this;
    return html`<h2 tabindex="-1">${c["recall.title"]}</h2>
      <div class="text"><p>${c["recall.about"]}</p></div>
      <p class="status" role="status">${
        round.length === 0
          ? c["recall.none"]
          : this.working && asked === null
            ? c["phase.setup"]
            : c["recall.left"](String(round.length))
      }</p>
      ${failure === "" ? nothing : html`<p class="failure" role="alert">${failure}</p>`}
      ${asked === null ? nothing : this.question(asked)}
      <div class="under start">${
        asked === null && failure !== ""
          ? html`<button type="button" class="button" @click=${() => void this.next()}>${c["recall.skip"]}</button>`
          : nothing
      }<button type="button" class="button" id="recall-close"
        @click=${() => this.dispatchEvent(new CustomEvent("done"))}>${c["recall.close"]}</button></div>`;
  }

  private question({ lesson, question, run }: RecalledQuestion): TemplateResult {
    const { c, said } = this;
    const send = (event: SubmitEvent): void => {
      const given = sentAnswer(event, question, c);
      if (given !== null) void this.compare(given);
    };
    const found = run.answered(question.key);
    const text = this.text(run);
    const source = lesson.scripts.runs.get(question.run)?.source ?? "";
    return html`<h3 tabindex="-1">${lesson.title}</h3>
      <section class="box question" data-recall=${question.key}><form @submit=${send}><fieldset>
      <legend>${c.question}</legend>
      <div class="text">${drawBlocks(question.text, text)}</div>
      <pre class="plain" tabindex="0" role="group" aria-label=${c["script.of"]}>${drawCode(source)}</pre>
      ${
        said === null || found === null
          ? drawFields(question, text, c["recall.send"])
          : drawTruth(question, said, found, text, html`<p class="about">${c["recall.when"](this.days())}</p>`)
      }</fieldset></form></section>
      ${
        said === null
          ? nothing
          : html`<div class="under start"><button type="button" class="button main" id="recall-next" @click=${() =>
              void this.next()}>${this.round.length > 1 ? c["recall.next"] : c["recall.end"]}</button></div>`
      }`;
  }

  /** In how many days the question comes back; null where it does not. */
  private days(): string | null {
    const [first] = this.round;
    const kept = this.session.recalls.find((one) => one.lesson === first?.lesson && one.key === first.key);
    return kept === undefined ? null : String(this.session.daysUntil(kept));
  }
}
