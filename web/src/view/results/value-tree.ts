/**
 * `<value-tree>`: values as a collapsible tree, their BSON types at the end of each line.
 *
 * Invariants: a short tree wraps its lines and is as high as they are; a long one scrolls by itself, each line on one
 * row, and only the rows in sight are in the document. The tree has the focus and names its current line, so scrolling
 * never loses it. Tells the current line by the event `picked`, for the actions on its value, and by `edit-asked` that
 * its value is to be changed.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { GoneDocument } from "../../state/model.ts";
import { isGenerated, Leading, summaryOf } from "../../state/lead.ts";
import { cutText, lineCharacters } from "../../state/long-text.ts";
import { TreeLines, type TreeLine } from "../../state/tree-lines.ts";
import { familyOf, fieldOf, isNested, partsOf, preview, typeOf, wordLeaf } from "../../state/values.ts";
import { properties } from "../../look/cssom.ts";
import { isolated } from "../../look/isolated.ts";
import { shared } from "../../look/shared.ts";
import { ResultElement } from "./result-element.ts";
import { shortId, shortIdStyles } from "./short-id.ts";
import type { Picked } from "./value-bar.ts";
import { unprinted } from "./unprinted.ts";
import { EvenRows, RowWindow } from "./window.ts";

/** A tree of more lines than this scrolls by itself. */
const short = 200;
/** Characters of a value in a tree whose lines are one row each. */
const rowCharacters = 400;

@customElement("value-tree")
export class ValueTree extends ResultElement {
  /** The drawn value: the documents of a batch, or one value. */
  @property({ attribute: false }) values: readonly unknown[] = [];
  /** The deleted documents among the values; they keep their places. */
  @property({ attribute: false }) gone: readonly GoneDocument[] = [];
  /** `documents` numbers them; `value` opens the only one. */
  @property() shape: "documents" | "value" = "documents";
  @state() private current = "0";
  @query(".scroll") private scroller!: HTMLElement | null;
  readonly #lines = new TreeLines();
  readonly #leading = new Leading();
  readonly #rows = new EvenRows();
  readonly #window = new RowWindow(
    this,
    this.#rows,
    () => (this.#long ? this.scroller : null),
    () => this.dispatchEvent(new CustomEvent("near-end", { bubbles: true, composed: true })),
  );
  #long = false;
  /** The most rows that were ever drawn at once: a row that leaves at one end comes back at the other. */
  #span = 1;

  static override styles = [
    shared,
    shortIdStyles,
    css`
      :host { font: 400 var(--code)/1.6 var(--mono); }
      .scroll:focus-visible { outline: none; }
      .scroll.long {
        max-height: var(--room, 32rem); overflow: auto; overflow-anchor: none; border: 1px solid var(--rule);
        border-radius: var(--radius);
      }
      .line {
        display: flex; align-items: baseline; gap: 0.35rem; padding: 0 0.5rem; border-radius: 3px; cursor: default;
        min-width: 0;
      }
      .line[aria-expanded] { cursor: pointer; }
      .line:hover { background: var(--paper-2); }
      .line[aria-selected="true"] { background: var(--paper-2); box-shadow: inset 2px 0 var(--thread); }
      .scroll:focus-visible .line[aria-selected="true"] { outline: 2px solid var(--focus); outline-offset: -2px; }
      .twist { flex: none; width: 1rem; align-self: center; color: var(--ink-3); }
      .twist svg { width: 0.8rem; height: 0.8rem; transition: transform 0.12s; }
      [aria-expanded="true"] .twist svg { transform: rotate(90deg); }
      .content {
        min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; padding-left: 1.2em; text-indent: -1.2em;
      }
      .content.nest, .long .content { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .gone .content > :not(.mark, .index) { text-decoration: line-through; color: var(--ink-3); }
      .mark { margin-right: 0.4rem; font: italic 400 var(--small)/1 var(--serif); color: var(--rubric); }
      .mark:lang(zh) { font-style: normal; }
      .name { color: var(--ink); unicode-bidi: isolate; }
      .name::after { content: ": "; color: var(--ink-3); }
      .index {
        font: italic 400 1rem/1 var(--serif); font-variant-numeric: oldstyle-nums; color: var(--ink-3);
        margin-right: 0.5rem;
      }
      .content small { margin-left: 0.5rem; font-size: 0.75rem; color: var(--ink-3); }
      .type { margin-left: auto; padding-left: 0.75rem; flex: none; font-size: 0.75rem; color: var(--ink-3); }
      .document + .document { border-top: 1px solid var(--rule); border-radius: 0; }
      .long .line {
        height: 1.6rem; line-height: 1.6rem; align-items: center; overflow: hidden; border: 0; contain: strict;
      }
      .long .document + .document { box-shadow: inset 0 1px var(--rule); }
      @media (pointer: coarse) {
        .line { padding-block: 0.15rem; }
        .line[aria-expanded] { min-height: 2.25rem; align-items: center; }
        .long .line { height: 2.25rem; }
      }
      .unprinted { display: none; }
      @media print {
        .scroll.long { max-height: none; overflow: visible; border: 0; }
        .long .line { height: auto; line-height: inherit; contain: none; overflow: visible; align-items: baseline; }
        .line { padding-block: 0; break-inside: avoid; }
        .line[aria-selected="true"] { box-shadow: none; }
        .long .content:not(.nest) { white-space: pre-wrap; overflow: visible; }
        .unprinted { display: block; font-style: italic; }
      }
      @media (max-width: 480px) { .type { padding-left: 0.4rem; } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("values")) {
      this.#lines.become(this.values);
      this.#leading.become(this.shape === "documents" ? this.values : []);
      // Not at each scroll: asking makes the browser settle every style first.
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      this.#rows.height = (matchMedia("(pointer: coarse)").matches ? 2.25 : 1.6) * rem;
    }
    this.#rows.count = this.#lines.count;
    this.#long = this.#lines.count > short;
  }

  protected override render(): TemplateResult {
    const long = this.#long;
    const [from, to] = long ? [this.#window.first, this.#window.last] : [0, this.#lines.count];
    const lines: TreeLine[] = [];
    for (let number = from; number < to; number++) {
      const line = this.#lines.lineAt(number);
      if (line !== undefined) lines.push(line);
    }
    this.#span = Math.max(this.#span, lines.length);
    const isDrawn = lines.some((line) => line.key === this.current);
    return html`<div class="scroll ${long ? "long" : ""}" role="tree" tabindex="0" aria-label=${this.m["tree.label"]}
      aria-activedescendant=${isDrawn ? `line-${this.current}` : nothing}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)} @focus=${() => this.onFocus()}>
      <div role="presentation"
        ${properties({
          "padding-top": long ? `${this.#window.above}px` : "0",
          "padding-bottom": long ? `${this.#window.below}px` : "0",
        })}>
        ${repeat(
          lines,
          // Rows are used again, since making new ones is most of scrolling's cost. A short tree's rows keep to
          // their lines.
          (line, index) => (long ? (from + index) % this.#span : line.key),
          (line) => this.line(line),
        )}
      </div>
    </div>${unprinted(this.r, this.words, this.#window, this.#lines.count)}`;
  }

  private line(line: TreeLine): TemplateResult {
    const type = typeOf(line.value);
    const isDocument = line.depth === 0 && this.shape === "documents";
    const nested = isNested(line.value);
    return html`<div
      role="treeitem"
      id="line-${line.key}"
      class="line ${isDocument ? "document" : ""} ${this.isGone(line.top) ? "gone" : ""}"
      aria-level=${line.depth + 1}
      aria-setsize=${line.siblings}
      aria-posinset=${line.position}
      aria-expanded=${line.open === null ? nothing : String(line.open)}
      aria-selected=${String(line.key === this.current)}
      tabindex="-1"
      ${properties({ "padding-inline-start": `min(${0.25 + line.depth * 1.1}rem, 45%)` })}
      @click=${() => this.onClick(line)} @dblclick=${() => this.askEdit(line)}
    >
      <span class="twist"
        aria-hidden="true">${
          line.open === null ? nothing : html`<svg viewBox="0 0 16 16"><path d="M6 3.5 10.5 8 6 12.5" /></svg>`
        }</span>
      <span class="content ${nested ? "nest" : ""}">${this.label(line, isDocument)}${
        line.open === true
          ? nothing
          : html`<span class=${familyOf(type)}>${nested ? this.nest(line) : this.leaf(line.value)}</span>`
      }</span>
      <span class="type">${
        line.open === true
          ? this.count(line.value, type)
          : isDocument && type === "Object"
            ? this.generatedId(line.value)
            : type
      }</span>
    </div>`;
  }

  private isGone(top: number): boolean {
    return this.gone.length > 0 && this.gone.some(({ shown }) => shown === this.values[top]);
  }

  private nest({ value, depth }: TreeLine): ReturnType<typeof isolated> {
    const isDocument = depth === 0 && this.shape === "documents" && !Array.isArray(value);
    return isolated(isDocument ? summaryOf(value, this.#leading.lead) : preview(value, 160));
  }

  /** A generated `_id` at the end of a document's row, behind the fields that tell the document apart. */
  private generatedId(document: unknown): TemplateResult | typeof nothing {
    const id = fieldOf(document, "_id");
    return this.#leading.lead.shortId && isGenerated(id) ? shortId(id) : nothing;
  }

  /**
   * A value in words, of which a long text has its beginning: the chosen value is shown whole below. In a long tree
   * each line is one row.
   */
  private leaf(value: unknown): TemplateResult | ReturnType<typeof isolated> {
    const most = this.#long ? rowCharacters : lineCharacters;
    const worded = wordLeaf(value, most);
    if (worded.length <= most) return isolated(worded);
    const line = worded.endsWith("…") ? worded : `${cutText(worded, most)}…`;
    const length = typeof value === "string" ? value.length : wordLeaf(value).length;
    return html`${isolated(line)}<small>${this.r["text.cut"](this.words.number(length))}</small>`;
  }

  private label(line: TreeLine, isDocument: boolean): TemplateResult | typeof nothing {
    if (line.depth === 0)
      return isDocument
        ? html`<span class="index">${this.words.number(line.position)}</span>${
            this.isGone(line.top) ? html`<span class="mark">${this.r["gone"]}</span> ` : nothing
          }`
        : nothing;
    return html`<span class="name">${line.name}</span>`;
  }

  private count(value: unknown, type: string): string {
    const count = isNested(value) ? partsOf(value).length : 0;
    const key = type === "Array" ? "tree.elements" : "tree.fields";
    return this.m[key](this.words.number(count), count === 1);
  }

  /**
   * Reached by the keyboard, the tree chooses its current line. A press chooses the line that it hits; choosing another
   * one first would move the rows under the pointer.
   */
  private onFocus(): void {
    if (this.scroller?.matches(":focus-visible") === true) this.pick(this.current);
  }

  private onClick(line: TreeLine): void {
    // A reader selecting text to copy does not mean to fold it.
    if (String(getSelection()) !== "") return;
    this.scroller?.focus({ preventScroll: true });
    this.pick(line.key);
    if (line.open !== null) this.toggle(line, !line.open);
  }

  /** Asks for a line's value to be changed where it is shown whole; a value with parts opens and closes instead. */
  private askEdit(line: TreeLine): void {
    if (line.open !== null) return;
    this.pick(line.key);
    getSelection()?.removeAllRanges();
    this.dispatchEvent(new CustomEvent("edit-asked", { bubbles: true, composed: true }));
  }

  private pick(key: string): void {
    const line = this.#lines.lineAt(this.#lines.numberOf(key));
    if (line === undefined) return;
    this.current = key;
    const detail: Picked = { top: line.top, path: line.path, value: line.value };
    this.dispatchEvent(new CustomEvent<Picked>("picked", { detail, bubbles: true, composed: true }));
  }

  private toggle(line: TreeLine, open: boolean): void {
    this.#lines.toggle(line, open);
    this.requestUpdate();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = Math.max(0, this.#lines.numberOf(this.current));
    const line = this.#lines.lineAt(at);
    if (line === undefined) return;
    const page = Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / this.#rows.height) - 1);
    let next = -1;
    switch (event.key) {
      case "ArrowDown":
        next = at + 1;
        break;
      case "ArrowUp":
        next = at - 1;
        break;
      case "PageDown":
        next = Math.min(this.#lines.count - 1, at + page);
        break;
      case "PageUp":
        next = Math.max(0, at - page);
        break;
      case "Home":
        next = 0;
        break;
      case "End":
        next = this.#lines.count - 1;
        break;
      case "ArrowRight":
        if (line.open === false) this.toggle(line, true);
        else if (line.open === true) next = at + 1;
        break;
      case "ArrowLeft":
        if (line.open === true) this.toggle(line, false);
        else next = this.#lines.numberOf(line.key.slice(0, Math.max(0, line.key.lastIndexOf("."))) || "-");
        break;
      case "Enter":
      case " ":
        if (line.open !== null) this.toggle(line, !line.open);
        else if (event.key === "Enter") this.askEdit(line);
        break;
      case "F2":
        this.askEdit(line);
        break;
      default:
        return;
    }
    event.preventDefault();
    if (next >= 0 && next < this.#lines.count) void this.goTo(next);
  }

  private async goTo(number: number): Promise<void> {
    const line = this.#lines.lineAt(number);
    if (line === undefined) return;
    if (this.#long) this.#window.reveal(number);
    this.pick(line.key);
    await this.updateComplete;
    if (!this.#long) this.renderRoot.querySelector(`[id="line-${line.key}"]`)?.scrollIntoView({ block: "nearest" });
  }
}
