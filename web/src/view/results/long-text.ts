/**
 * `<long-text>`: a text too long to be laid out at once: its beginning, and all of it when the reader asks.
 *
 * Invariants: the text is drawn in pieces, a few in each frame, so that the page answers meanwhile; a piece out of
 * sight is not laid out (`content-visibility`). Texts of the usual length are plain text without this element.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { pieceAt, type LongText } from "../../state/long-text.ts";
import { isolated } from "../../look/isolated.ts";
import { shared } from "../../look/shared.ts";
import { ResultElement } from "./result-element.ts";

/** Pieces that are added in one frame. */
const piecesInFrame = 64;

@customElement("long-text")
export class LongTextView extends ResultElement {
  @property({ attribute: false }) text!: LongText;
  /** The reader asked for all of it. */
  @state() private all = false;
  @query(".pieces") private pieces!: HTMLElement;
  #drawing = 0;

  static override styles = [
    shared,
    css`
      .piece { display: block; min-height: 1lh; content-visibility: auto; contain-intrinsic-size: auto 8lh; }
      .rest {
        position: sticky; bottom: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem;
        padding: 0.3rem 0; background: var(--paper);
      }
      .rest span { font: italic 400 var(--small)/1.4 var(--serif); color: var(--ink-2); white-space: normal; }
      .rest span:lang(zh) { font-style: normal; }
      @media print { .button { display: none; } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("text") as LongText | undefined;
    if (changed.has("text") && (before?.of !== this.text.of || before?.start !== this.text.start)) this.all = false;
  }

  protected override render(): TemplateResult {
    const { r, text, words } = this;
    return html`<div class="pieces"></div>${
      this.all
        ? nothing
        : html`<p class="rest"><span>${r["text.start"](words.number(text.start.length))}</span><button class="button"
          @click=${() => this.showAll()}>${r["text.all"]}</button></p>`
    }`;
  }

  protected override updated(changed: PropertyValues): void {
    const before = changed.get("text") as LongText | undefined;
    const isOther = changed.has("text") && (before?.of !== this.text.of || before?.start !== this.text.start);
    if (isOther || (changed.has("all") && !this.all)) void this.draw(this.text.start);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#drawing += 1;
  }

  private showAll(): void {
    // The button goes, and the focus with it, were it not given to the text.
    this.closest<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
    this.all = true;
    void this.draw(this.text.whole());
  }

  /** Draws a text in place of what is drawn. */
  private async draw(text: string): Promise<void> {
    const drawing = ++this.#drawing;
    const { pieces } = this;
    const drawn = document.createDocumentFragment();
    let end = 0;
    let count = 0;
    let isFirst = true;
    while (end < text.length && drawing === this.#drawing) {
      const piece = pieceAt(text, end);
      end = piece.end;
      const span = document.createElement("span");
      span.className = "piece";
      span.textContent = piece.text;
      drawn.append(span);
      if (++count % piecesInFrame !== 0 && end < text.length) continue;
      if (isFirst) pieces.replaceChildren(drawn);
      else pieces.append(drawn);
      isFirst = false;
      if (end < text.length) await new Promise((frame) => requestAnimationFrame(frame));
    }
  }
}

/** A text to be put into a template: as it is, or as the element for long ones. */
export function drawText(text: LongText): ReturnType<typeof isolated> | TemplateResult {
  return text.isWhole ? isolated(text.start) : html`<long-text .text=${text}></long-text>`;
}
