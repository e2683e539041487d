/**
 * `<quire-lab-script>`: a script of a design, which the reader may change.
 *
 * Invariant: it draws and tells; the session holds the text.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { icon, RESET_ICON } from "../../embed/styles.ts";
import type { DesignFault } from "../../lessons/lab/measure.ts";
import type { LabMessages } from "../../messages/lab/words.ts";
import type { Language } from "../../state/settings.ts";
import type { Around } from "../course/course-completion.ts";
import { type Editing, ScriptElement } from "../course/script-element.ts";
import { wordFault } from "./lab-words.ts";

export class LabScript extends ScriptElement {
  @property({ attribute: false }) l!: LabMessages;
  @property() language: Language = "en";
  /** The script's name for a screen reader. */
  @property() label = "";
  /** The script as the lab's author wrote it. */
  @property() author = "";
  /** The script as it stands, with the reader's changes. */
  @property() source = "";
  /** The fault of the script's last run; null without one. */
  @property({ attribute: false }) fault: DesignFault | null = null;

  static override styles = css`
    :host { display: block; margin: 0; }
    .code { max-block-size: 22rem; overflow: auto; font-size: 0.8125rem; }
    .bar { padding-block: 0.15rem; }
    .error { margin: 0; border-radius: 0; }
    @media (pointer: coarse) { .code { font-size: 1rem; } }
  `;

  protected override around(): Around {
    return { client: () => Promise.resolve(null), database: "test", language: this.language };
  }

  protected override editing(): Editing {
    return {
      text: this.source,
      missing: [this.l["script.uneditable"], this.l["script.again"]],
      label: this.label,
      onChange: (text) => this.dispatchEvent(new CustomEvent("edited", { detail: text })),
      onRun: () => this.dispatchEvent(new CustomEvent("run")),
      onLeave: () => this.dispatchEvent(new CustomEvent("leave")),
    };
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("source")) this.editor?.setText(this.source);
    this.paint(this.source);
    if (!changed.has("fault")) return;
    // The line of a fault is marked in the editor, which is fetched for it.
    if (this.fault?.error.line != null) void this.ensureEditor().then(() => this.mounted());
    else this.mounted();
  }

  /** Marks the line of the fault. */
  protected override mounted(): void {
    const error = this.fault?.error ?? null;
    this.editor?.mark(
      error === null || error.line === null
        ? null
        : { line: error.line, column: error.column ?? 1, message: error.text },
    );
  }

  protected override render(): TemplateResult {
    const { l, fault } = this;
    return html`<div class="frame">
      <div class="code" tabindex="-1"><pre></pre><span class="unseen" id="keys">${l.keys}</span></div>
      ${
        fault === null
          ? nothing
          : html`<div class="error">${wordFault(fault, l)}${
              fault.error.line === null
                ? nothing
                : html`<button type="button" class="place" @click=${() =>
                    this.ensureEditor().then((editor) =>
                      editor?.goTo(fault.error.line ?? 1, fault.error.column ?? 1),
                    )}>${l["failed.place"](String(fault.error.line), String(fault.error.column ?? 1))}</button>`
            }</div>`
      }
      ${
        this.source === this.author
          ? nothing
          : html`<div class="bar"><button type="button" class="quiet" title=${l["script.reset.hint"]}
            @click=${() => this.dispatchEvent(new CustomEvent("edited", { detail: this.author }))}>${icon(RESET_ICON)}${
              l["script.reset"]
            }</button></div>`
      }
    </div>`;
  }
}
