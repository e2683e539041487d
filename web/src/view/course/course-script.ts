/**
 * `<quire-course-script>`: a script of a lesson: editor, Run, output; of a task, Check besides.
 *
 * Invariant: it draws and passes on the reader's wishes; the session runs.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { SnippetView } from "../../embed/attributes.ts";
import { icon, RESET_ICON, RUN_ICON, STOP_ICON } from "../../embed/styles.ts";
import { wordsFor } from "../../embed/words.ts";
import type { Made } from "../../lessons/course/run.ts";
import type { CourseSession } from "../../lessons/course/session.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { isRead, worded } from "../../messages/syntax/told.ts";
import type { ScriptError } from "../../protocol/run.ts";
import type { Language } from "../../state/settings.ts";
import type { Around } from "./course-completion.ts";
import { type Editing, ScriptElement } from "./script-element.ts";
import { drawOutput } from "./script-output.ts";

/** So long after the last key a script is told. */
const TELL_AFTER_MILLIS = 400;

export class CourseScript extends ScriptElement {
  @property({ attribute: false }) session!: CourseSession;
  @property({ attribute: false }) c!: CourseMessages;
  @property() words: Language = "en";
  @property() override id = "";
  /** The script as the author wrote it. */
  @property() original = "";
  /** The script as the reader left it. */
  @property() draft = "";
  /** A reader's own script, which can be checked. */
  @property({ type: Boolean }) task = false;
  /** A question is to be answered first. */
  @property({ type: Boolean }) waits = false;
  @property({ type: Boolean }) ready = false;
  @property() busy: string | null = null;
  @property({ attribute: false }) made: Made | null = null;
  @state() private view: SnippetView = "text";
  @state() private printed: readonly string[] = [];
  #source: string | null = null;
  #telling: ReturnType<typeof setTimeout> | undefined;
  #drawn: readonly unknown[] = [];

  static override styles = css`
    :host { display: block; margin-block: 1.1rem; }
    .code { min-block-size: 3.2rem; }
    .check {
      min-block-size: 1.9rem; padding: 0 0.85rem; border: 1px solid var(--rule-strong); border-radius: 4px;
      background: var(--paper); color: var(--ink); font-weight: 600;
    }
    .check:hover:not([aria-disabled="true"]) { border-color: var(--ink-2); background: var(--paper-3); }
    [aria-disabled="true"] { cursor: default; }
    .run[aria-disabled="true"], .check[aria-disabled="true"] {
      background: var(--paper-3); color: var(--ink-2); border-color: transparent;
    }
    .run[aria-disabled="true"]:hover { filter: none; }
    @media (pointer: coarse) { .check { min-block-size: 2.5rem; } }
  `;

  get source(): string {
    return this.#source ?? this.draft;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#telling);
    removeEventListener("pagehide", this.#leave);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.#leave);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // A lesson that was reset, or work that was imported.
    if (changed.has("draft") && this.draft !== this.#source && (this.#source !== null || this.hasUpdated)) {
      this.#source = null;
      this.editor?.setText(this.draft);
    }
  }

  protected override updated(): void {
    this.paint(this.source);
    const { made, view, words } = this;
    const wanted = [made, view, words, this.printed];
    if (wanted.every((one, at) => one === this.#drawn[at]) && this.#drawn.length > 0) return;
    this.#drawn = wanted;
    const output = this.renderRoot.querySelector<HTMLElement>(".output");
    if (output === null) return;
    if (this.busy === this.id && this.printed.length > 0) {
      const live = document.createElement("pre");
      live.className = "printed";
      live.textContent = this.printed.join("\n");
      output.replaceChildren(live);
    } else if (made !== null) {
      const { error } = made.outcome;
      if (error === null || !isRead(error)) this.#show(made, error, output);
      else
        void worded(error, made.source, words).then((told) => {
          if (this.#drawn === wanted) this.#show(made, told, output);
        });
      return;
    } else output.replaceChildren();
    this.#reach(output);
  }

  /** Draws what a run gave, with its error as the reader is told it. */
  #show(made: Made, error: ScriptError | null, output: HTMLElement): void {
    void this.#mark(error);
    const had = output.querySelector(".views [aria-pressed]") !== null && this.#focusIn(output);
    const script = this;
    output.replaceChildren(
      ...drawOutput(made, error, {
        get script() {
          return script.source;
        },
        beginsAnew: false,
        mend: (mended, runs) => this.#mend(mended, runs),
        language: this.words,
        view: this.view,
        choose: (chosen) => (this.view = chosen),
        more: (batch) =>
          this.session.client?.more(batch, undefined, true) ?? Promise.reject(new Error("the lesson is closed")),
        commandBytes: (command) =>
          this.session.client?.commandBytes(command) ?? Promise.reject(new Error("the lesson is closed")),
        goTo: (line, column) => void this.ensureEditor().then((editor) => editor?.goTo(line, column)),
      }),
    );
    if (had) output.querySelector<HTMLElement>(".views [aria-pressed=true]")?.focus();
    this.#reach(output);
  }

  /** Marks the place of an error, for which the editor is fetched. */
  async #mark(error: ScriptError | null): Promise<void> {
    const place =
      error === null || error.line === null
        ? null
        : { line: error.line, column: error.column ?? 1, message: error.text };
    const editor = place === null ? this.editor : await this.ensureEditor();
    editor?.mark(place);
  }

  /** What scrolls can be focused, so that keys scroll it. */
  #reach(output: HTMLElement): void {
    output.hidden = output.childNodes.length === 0;
    if (output.scrollHeight > output.clientHeight + 1) output.tabIndex = 0;
    else output.removeAttribute("tabindex");
  }

  #focusIn(output: HTMLElement): boolean {
    const focused = (this.renderRoot as ShadowRoot).activeElement;
    return focused !== null && output.contains(focused);
  }

  protected override around(): Around {
    const { session, words: language } = this;
    return { client: () => session.begun(), database: session.database, language };
  }

  protected override editing(): Editing {
    return {
      text: this.source,
      missing: [this.c["script.uneditable"], this.c["script.again"]],
      label: `${this.task ? this.c["script.task"] : this.c["script.of"]} ${this.id}`,
      onChange: (text) => this.#edited(text),
      onRun: () => this.#run(),
      onLeave: () => this.renderRoot.querySelector<HTMLElement>(".run")?.focus(),
    };
  }

  #edited(text: string): void {
    this.#source = text;
    clearTimeout(this.#telling);
    // Each text told is written to storage, so the pause keeps a key from being a write.
    this.#telling = setTimeout(() => this.#tell(), TELL_AFTER_MILLIS);
    this.requestUpdate();
  }

  /** Takes a mended script. Its button goes with the output, so that the focus goes on to Run. */
  #mend(script: string, runs: boolean): void {
    this.#write(script);
    this.focus();
    if (runs && this.busy !== this.id) this.#run();
  }

  /** Takes a text that was not typed. */
  #write(text: string): void {
    if (this.editor === null) this.#edited(text);
    else this.editor.setText(text);
  }

  /** Puts the focus on its Run, for a view whose focused part is gone. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".run")?.focus();
  }

  /** Tells the script as it stands, where that was not told yet. */
  #tell(): void {
    clearTimeout(this.#telling);
    if (this.#source !== null && this.#source !== this.draft)
      this.dispatchEvent(new CustomEvent("edited", { detail: this.#source }));
  }

  get #mayRun(): boolean {
    return this.ready && !this.waits && this.busy === null;
  }

  readonly #leave = (): void => this.#tell();

  readonly #listen = (lines: readonly string[]): void => {
    this.printed = lines;
  };

  #run(): void {
    if (this.busy === this.id) return this.session.stop();
    if (!this.#mayRun) return;
    this.#tell();
    this.printed = [];
    void (this.task
      ? this.session.attempt(this.id, this.source, this.#listen)
      : this.session.make(this.id, this.source, this.#listen));
  }

  #check(): void {
    if (!this.#mayRun) return;
    this.#tell();
    this.dispatchEvent(new CustomEvent("check", { detail: this.#listen }));
  }

  private says(): string {
    const { c } = this;
    if (this.busy === this.id) return c.running;
    if (this.waits) return c["run.answer"];
    if (this.made === null) return "";
    const words = wordsFor(this.words);
    const { error, statistics } = this.made.outcome;
    if (error?.name === "ScriptStopped") return words.stopped;
    return error === null ? words.took(Math.max(1, Math.round(statistics.elapsedMillis))) : words.failed;
  }

  protected override render(): TemplateResult {
    const { c, busy, task } = this;
    const mine = busy === this.id;
    const may = this.#mayRun;
    return html`<div class="frame" @focusout=${this.#leave}>
      <div class="code"><pre></pre><span class="unseen" id="keys">${c.keys}</span></div>
      <div class="bar">
        <button type="button" class=${mine ? "run busy" : "run"} aria-disabled=${String(!may && !mine)}
          @click=${() => this.#run()}>${icon(mine ? STOP_ICON : RUN_ICON)}${mine ? c.stop : c.run}</button>
        ${
          task
            ? html`<button type="button" class="check" aria-disabled=${String(!may)}
              @click=${() => this.#check()}>${c.check}</button>`
            : nothing
        }
        <span class="state" role="status">${this.says()}</span>
        ${
          this.source === this.original
            ? nothing
            : html`<button type="button" class="quiet" title=${c["script.reset.hint"]}
                @click=${() => this.#write(this.original)}>${icon(RESET_ICON)}${c["script.reset"]}</button>`
        }
      </div>
      <div class="output" role="group" aria-label=${wordsFor(this.words).result} hidden></div>
    </div>`;
  }
}
