/**
 * `<value-text>`: a value as text to read, select and copy, in mongosh's wording or as Extended JSON.
 *
 * Invariants: of many documents only those in sight are worded and in the page; copying always copies all.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Blocks } from "../../state/blocks.ts";
import { textFormats, type TextFormat } from "../../state/settings.ts";
import { firstCharacters, type LongText } from "../../state/long-text.ts";
import { wordAs, wordStart } from "../../state/wording.ts";
import { properties } from "../../look/cssom.ts";
import { copyIcon } from "../../look/icons.ts";
import { isolated } from "../../look/isolated.ts";
import { shared } from "../../look/shared.ts";
import { drawText } from "./long-text.ts";
import { ResultElement } from "./result-element.ts";
import { unprinted } from "./unprinted.ts";
import { RowWindow } from "./window.ts";

/** The most documents that are worded at once, as one text. */
const few = 60;

@customElement("value-text")
export class ValueText extends ResultElement {
  /** A batch's documents, or the only element is the value. */
  @property({ attribute: false }) values: readonly unknown[] = [];
  @property() shape: "documents" | "value" = "documents";
  @property() format: TextFormat = "shell";
  @query("pre") private scroller!: HTMLElement | null;
  #start: { readonly format: TextFormat; readonly text: LongText } | null = null;
  readonly #blocks = new Blocks();
  readonly #window = new RowWindow(
    this,
    this.#blocks,
    () => (this.#long ? this.scroller : null),
    () => this.dispatchEvent(new CustomEvent("near-end", { bubbles: true, composed: true })),
  );

  static override styles = [
    shared,
    css`
      .bar {
        display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; margin-bottom: 0.25rem;
        font-size: var(--small); color: var(--ink-2);
      }
      select {
        min-height: 1.75rem; padding: 0 0.25rem; border: 1px solid var(--rule-strong); border-radius: var(--radius);
        background: var(--paper); color: var(--ink);
      }
      .copy { margin-left: auto; }
      pre {
        margin: 0; padding: 0.6rem 0.75rem; max-height: var(--room, 32rem); overflow: auto; overflow-anchor: none;
        background: var(--paper-2); border-radius: var(--radius); font: 400 var(--code)/1.5rem var(--mono); tab-size: 2;
      }
      span { display: block; }
      .unprinted { display: none; }
      @media print {
        .bar { display: none; }
        pre {
          max-height: none; overflow: visible; padding: 0; line-height: 1.45; white-space: pre-wrap;
          overflow-wrap: anywhere;
        }
        .unprinted { display: block; font-style: italic; }
      }
      @media (pointer: coarse) { select { min-height: 2.5rem; font-size: 1rem; } }
    `,
  ];

  get #long(): boolean {
    return this.shape === "documents" && this.values.length > few;
  }

  private text(values: readonly unknown[]): string {
    return wordAs(this.format, this.shape === "value" ? values[0] : values);
  }

  /** The text of few documents, worded once. */
  private start(): LongText {
    const value = this.shape === "value" ? this.values[0] : this.values;
    const { format } = this;
    if (this.#start === null || this.#start.format !== format || this.#start.text.of !== value)
      this.#start = { format, text: wordStart(format, value) };
    return this.#start.text;
  }

  /** The text of one document among many, with the comma or bracket that stands around it in the list. */
  private block(index: number): string {
    // Of a long one there is the beginning: choosing it in the tree shows it whole.
    const { start, isWhole } = wordStart(this.format, this.values[index], firstCharacters, 2);
    const worded = isWhole ? start : `${start}…`;
    return `${index === 0 ? "[\n" : ""}  ${worded}${index === this.values.length - 1 ? "\n]" : ","}`;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("format")) this.#blocks.count = 0;
    this.#blocks.count = this.values.length;
  }

  protected override render(): TemplateResult {
    return html`<div class="bar">
        <label>${this.m["leaf.text.format"]} <select @change=${(event: Event) => this.onFormat(event)}>
            ${textFormats.map(
              (format) => html`<option value=${format}
              ?selected=${format === this.format}>${this.m[`leaf.text.${format}`]}</option>`,
            )}
          </select></label>
        <button class="quiet copy" @click=${() => void this.copy()}>${copyIcon()}${this.m["leaf.copy"]}</button>
      </div>
      ${
        this.#long
          ? this.blocks()
          : html`<pre tabindex="0" role="region" aria-label=${this.m["text.label"]}>${drawText(this.start())}</pre>`
      }`;
  }

  private blocks(): TemplateResult {
    const { first, last, above, below } = this.#window;
    const line = 1.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const drawn: { readonly index: number; readonly text: string }[] = [];
    let learned = false;
    for (let index = first; index < last; index++) {
      const text = this.block(index);
      learned ||= !this.#blocks.isKnown(index);
      this.#blocks.set(index, text.split("\n").length * line);
      drawn.push({ index, text });
    }
    // Lines above stay where they were drawn; heights just learned count from the next drawing on.
    if (learned) queueMicrotask(() => this.requestUpdate());
    return html`<pre tabindex="0" role="region" aria-label=${this.m["text.label"]}><span
      ${properties({ height: `${above}px` })}></span>${repeat(
        drawn,
        ({ index }) => index,
        ({ text }) => html`<span>${isolated(text)}</span>`,
      )}<span ${properties({ height: `${below}px` })}></span>${nothing}</pre>${unprinted(
        this.r,
        this.words,
        this.#window,
        this.values.length,
      )}`;
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
