/**
 * `<value-text>`: a value as text to read, select and copy, in mongosh's wording or as Extended JSON.
 *
 * Invariant: at most `limit` documents are worded before the reader asks for all; copying always copies all.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { textFormats, type TextFormat } from "../../state/settings.ts";
import { wordAs } from "../../state/wording.ts";
import { PageElement } from "../element.ts";
import { copyIcon } from "../icons.ts";
import { shared } from "../styles/shared.ts";

const limit = 100;

@customElement("value-text")
export class ValueText extends PageElement {
  /** A batch's documents, or the only element is the value. */
  @property({ attribute: false }) values: readonly unknown[] = [];
  @property() shape: "documents" | "value" = "documents";
  @property() format: TextFormat = "shell";
  @state() private all = false;

  static override styles = [
    shared,
    css`
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; margin-bottom: 0.25rem; font-size: var(--small); color: var(--ink-2); }
      select { min-height: 1.75rem; padding: 0 0.25rem; border: 1px solid var(--rule-strong); border-radius: var(--radius); background: var(--paper); color: var(--ink); }
      .copy { margin-left: auto; }
      pre { margin: 0; padding: 0.6rem 0.75rem; max-height: 32rem; overflow: auto; background: var(--paper-2); border-radius: var(--radius); font: 400 var(--code)/1.55 var(--mono); tab-size: 2; }
      @media (pointer: coarse) { select { min-height: 2.5rem; font-size: 1rem; } }
    `,
  ];

  private text(values: readonly unknown[]): string {
    return wordAs(this.format, this.shape === "value" ? values[0] : values);
  }

  protected override render(): TemplateResult {
    const drawn = this.all ? this.values : this.values.slice(0, limit);
    const hidden = this.values.length - drawn.length;
    return html`<div class="bar">
        <label>${this.m["leaf.text.format"]} <select @change=${(event: Event) => this.onFormat(event)}>
            ${textFormats.map((format) => html`<option value=${format} ?selected=${format === this.format}>${this.m[`leaf.text.${format}`]}</option>`)}
          </select></label>
        <button class="quiet copy" @click=${() => void this.copy()}>${copyIcon()}${this.m["leaf.copy"]}</button>
      </div>
      <pre tabindex="0" role="region" aria-label=${this.m["text.label"]}>${this.text(drawn)}</pre>
      ${hidden > 0 ? html`<button class="quiet" @click=${() => (this.all = true)}>${this.m["leaf.showMore"](this.words.number(hidden))}</button>` : nothing}`;
  }

  private onFormat(event: Event): void {
    const format = textFormats.find((name) => name === (event.target as HTMLSelectElement).value);
    if (format !== undefined) this.store.dispatch({ kind: "settings-changed", change: { textFormat: format } });
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text(this.values));
      this.controller.notice("good", this.m["leaf.copied"]);
    } catch {
      this.controller.notice("bad", this.m["leaf.copyFailed"]);
    }
  }
}
