/**
 * `<xray-pages>`: the map of a deployment: a square for each page in the colour of its owner, pages that a run read or
 * wrote framed, pages that a moment has too dotted; and one page opened to its bytes.
 *
 * Invariant: the canvas shows the pages that the table of owners counts, and each page can be reached and opened by
 * keyboard.
 */
import type { Document } from "bson";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import type { ScriptCursor } from "../protocol/run.ts";
import { joinSentences } from "../messages/sentences.ts";
import { wordFailure } from "../state/controller.ts";
import { planQuestion } from "../state/decode.ts";
import {
  countTouched,
  hexRows,
  nextTouched,
  OF_A_MOMENT,
  readPage,
  readPages,
  readTouched,
  touchedBy,
  UNSEALED,
  type OpenPage,
  type PageMap,
  type PageOwner,
  type PagePiece,
  type Touched,
  type TouchedCounts,
} from "../state/xray/pages.ts";
import { properties } from "../look/cssom.ts";
import { shared } from "../look/shared.ts";
import { InsideElement } from "./inside-element.ts";
import { xrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

/** The cells of a page that are listed at once. */
const CELLS = 40;
/** The owners that are no trees of the catalog have no hue. */
const QUIET = 7;

/** The colour of an owner: free pages as paper, other pages outside the catalog's trees grey, each tree in its hue. */
function colourOf(at: number): string {
  if (at < 2) return "light-dark(#e4dccb, #3a352e)";
  if (at < QUIET) return "light-dark(#a99f8d, #6f675b)";
  const hue = Math.round(((at - QUIET) * 137.5 + 205) % 360);
  return `light-dark(hsl(${hue} 42% 48%), hsl(${hue} 38% 58%))`;
}

@xrayElement("xray-pages")
export class XrayPages extends InsideElement {
  /** The page to open at once; 0 is the header. */
  @property({ attribute: false }) page: number | null = null;
  /** The run whose pages are framed, where runs have numbers, and these: `RunOutcome.touched`. */
  @property({ attribute: false }) run: number | null = null;
  @property({ attribute: false }) pages: Uint32Array | null = null;
  /** Where the pages are not known: the cursor that is read once more, and how many documents it gave. */
  @property({ attribute: false }) cursor: Pick<ScriptCursor, "command"> | null = null;
  @property({ attribute: false }) given = 0;
  @state() private map: PageMap | null = null;
  @state() private touched: Touched | null = null;
  @state() private opened: OpenPage | null = null;
  @state() private piece: PagePiece | null = null;
  @state() private all = false;
  @state() private current = 1;
  @state() private failure = "";
  @query("canvas") private canvas!: HTMLCanvasElement | null;
  #columns = 1;
  #side = 8;
  #watch: ResizeObserver | null = null;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");

  static override styles = [
    shared,
    xrayStyles,
    css`
      .map { max-height: 20rem; margin-top: 0.5rem; overflow: auto; border: 1px solid var(--rule); }
      canvas { display: block; width: 100%; cursor: pointer; }
      .where { min-height: 1.5em; margin-top: 0.4rem; font-size: var(--small); }
      .marks { display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; margin-top: 0.4rem; font-size: var(--small); }
      .marks li { display: flex; align-items: center; gap: 0.4rem; }
      .marks i {
        position: relative; width: 0.9rem; height: 0.9rem; background: var(--paper-3); outline: 1px solid var(--rule);
      }
      .marks .read { border: 2px solid var(--ink); outline: 0; }
      .marks .written { border: 2px solid var(--rubric); outline: 0; }
      .marks .dotted::after { position: absolute; inset: 0.3rem; background: var(--ink); content: ""; }
      .marks .unsealed { border-bottom: 2px solid var(--ink); }
      .owners { display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; margin-top: 0.5rem; font-size: var(--small); }
      .owners li { padding-left: 1.2rem; text-indent: -1.2rem; }
      .owners span { white-space: nowrap; }
      .owners i {
        display: inline-block; width: 0.8rem; height: 0.8rem; margin-right: 0.4rem; vertical-align: -0.05rem;
        border: 1px solid var(--rule-strong); background: var(--colour);
      }
      .open { margin-top: 0.9rem; padding-top: 0.5rem; border-top: 1px solid var(--rule-strong); }
      .go { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-top: 0.5rem; }
      h3 { font: 600 1rem/1.4 var(--serif); }
      .scroll { max-height: 18rem; margin-top: 0.4rem; overflow: auto; border-top: 1px solid var(--rule); }
      table { width: 100%; border-collapse: collapse; font-size: var(--small); }
      th { text-align: left; font-weight: 500; color: var(--ink-2); }
      th, td { padding: 0.1rem 0.6rem 0.1rem 0.25rem; border-bottom: 1px solid var(--rule); vertical-align: top; }
      td:first-child, td:nth-child(2) { white-space: nowrap; font-variant-numeric: tabular-nums; }
      td:last-child { font-family: var(--mono); overflow-wrap: anywhere; }
      td button {
        padding: 0; border: 0; background: none; color: var(--ink); cursor: pointer; font: inherit;
        text-decoration: underline; text-underline-offset: 3px;
      }
      tr.chosen { background: var(--rubric-wash); }
      pre { margin-top: 0.4rem; max-height: 12rem; overflow: auto; font: 400 0.8125rem/1.45 var(--mono); }
    `,
  ];

  protected override firstUpdated(): void {
    void this.read();
    this.#dark.addEventListener("change", this.#redraw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch?.disconnect();
    this.#watch = null;
    this.#dark.removeEventListener("change", this.#redraw);
  }

  readonly #redraw = (): void => this.requestUpdate();

  private async read(): Promise<void> {
    try {
      this.map = await readPages(this.host.changer);
      this.failure = "";
      this.touched = await this.observe();
      if (this.page !== null) await this.open(this.page);
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  /** The pages of the run that the dialog was opened from. */
  private async observe(): Promise<Touched | null> {
    if (this.pages !== null) return touchedBy(this.run, this.pages);
    const asked = this.cursor === null ? null : planQuestion(this.cursor);
    if (asked === null) return null;
    const command = asked.command["explain"] as Document;
    const batchSize = Math.max(1, this.given);
    const sized = "pipeline" in command ? { ...command, cursor: { batchSize } } : { ...command, batchSize };
    return readTouched(this.host.changer, asked.database, sized);
  }

  private async open(page: number): Promise<void> {
    try {
      this.opened = await readPage(this.host.changer, page);
      this.piece = null;
      this.all = false;
      if (page > 0) this.current = page;
      this.failure = "";
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  protected override updated(_changed: PropertyValues): void {
    const { canvas, map } = this;
    if (canvas === null || map === null) return;
    if (this.#watch === null) {
      this.#watch = new ResizeObserver(() => this.draw(map));
      this.#watch.observe(canvas.parentElement ?? canvas);
    }
    this.draw(map);
  }

  private draw(map: PageMap): void {
    const { canvas } = this;
    const context = canvas?.getContext("2d");
    if (canvas === null || context === null || context === undefined) return;
    const width = canvas.parentElement?.clientWidth ?? 600;
    const side = map.pages > 20_000 ? 5 : map.pages > 4000 ? 8 : map.pages > 500 ? 13 : 20;
    const columns = Math.max(1, Math.floor(width / side));
    [this.#columns, this.#side] = [columns, side];
    const height = Math.ceil(map.pages / columns) * side;
    const scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = height * scale;
    context.scale(scale, scale);
    const ink = getComputedStyle(this).getPropertyValue("--ink") || "#222";
    const rubric = getComputedStyle(this).getPropertyValue("--rubric") || "#a33";
    const focus = getComputedStyle(this).getPropertyValue("--focus") || "#15c";
    const frame = (x: number, y: number, inset: number, colour: string): void => {
      context.strokeStyle = colour;
      context.lineWidth = side > 16 ? 2 : 1;
      const at = inset + context.lineWidth / 2;
      context.strokeRect(x + at, y + at, side - 1 - 2 * at, side - 1 - 2 * at);
    };
    // The colours as the browser resolves them in the table of owners, in the light or the dark scheme.
    const colours = new Map<string, string>();
    for (const swatch of this.renderRoot.querySelectorAll<HTMLElement>("[data-owner]"))
      colours.set(swatch.dataset["owner"] ?? "", getComputedStyle(swatch).backgroundColor);
    for (let at = 0; at < map.pages; at++) {
      const [x, y] = [(at % columns) * side, Math.floor(at / columns) * side];
      context.fillStyle = colours.get(String(map.ownerOf[at])) ?? ink;
      context.fillRect(x, y, side - 1, side - 1);
      const flags = map.flags[at] ?? 0;
      if ((flags & OF_A_MOMENT) !== 0) {
        context.fillStyle = ink;
        context.fillRect(x + side / 2 - 1.5, y + side / 2 - 1.5, 2, 2);
      }
      if ((flags & UNSEALED) !== 0) {
        context.fillStyle = ink;
        context.fillRect(x, y + side - 2.5, side - 1, 1.5);
      }
      const isWritten = this.touched?.written.has(at + 1) === true;
      if (isWritten) frame(x, y, 0, rubric);
      // Inside of the other frame, where there is room for two.
      if (this.touched?.read.has(at + 1) === true && (!isWritten || side > 12))
        frame(x, y, isWritten ? context.lineWidth : 0, ink);
    }
    const now = this.current - 1;
    context.strokeStyle = focus;
    context.lineWidth = 2;
    context.strokeRect((now % columns) * side - 0.5, Math.floor(now / columns) * side - 0.5, side, side);
  }

  private move(event: KeyboardEvent, map: PageMap): void {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns }[event.key];
    if (event.key === "Enter") void this.open(this.current);
    else if (by !== undefined) this.current = Math.max(1, Math.min(map.pages, this.current + by));
    else if (event.key === "Home") this.current = 1;
    else if (event.key === "End") this.current = map.pages;
    else return;
    event.preventDefault();
  }

  private choose(event: MouseEvent, map: PageMap): void {
    const page = Math.floor(event.offsetY / this.#side) * this.#columns + Math.floor(event.offsetX / this.#side) + 1;
    if (page >= 1 && page <= map.pages) void this.open(page);
  }

  private owner({ kind, namespace, index }: PageOwner): string {
    const { x } = this;
    if (kind === "collection") return x["pages.owner.collection"](namespace);
    if (kind === "index") return x["pages.owner.index"](namespace, index);
    if (kind === "labels") return x["pages.owner.labels"](namespace, index);
    return x[`pages.owner.${kind}`];
  }

  private toNext(map: PageMap): void {
    if (this.touched === null) return;
    this.current = nextTouched(map, this.touched, this.current) ?? this.current;
  }

  /** The page whose square the arrow keys have marked, in words: its number, its owner, its marks. */
  private where(map: PageMap): string {
    const { x, touched } = this;
    const owner = map.owners[map.ownerOf[this.current - 1] ?? 0];
    const flags = map.flags[this.current - 1] ?? 0;
    return [
      x["pages.opened"](this.words.number(this.current)),
      ...(owner === undefined ? [] : [this.owner(owner)]),
      ...(touched?.read.has(this.current) === true ? [x["pages.is.read"]] : []),
      ...(touched?.written.has(this.current) === true ? [x["pages.is.written"]] : []),
      ...((flags & OF_A_MOMENT) === 0 ? [] : [x["pages.is.shared"]]),
      ...((flags & UNSEALED) === 0 ? [] : [x["pages.is.unsealed"]]),
    ].join(" · ");
  }

  /** A sentence with the numbers of pages that the run read and wrote. */
  private said(touched: Touched, counts: TouchedCounts): TemplateResult {
    const { x, words } = this;
    const [read, written] = [words.number(touched.read.size), words.number(touched.written.size)];
    return html`<p class="said">${joinSentences([
      touched.isAgain
        ? x["pages.touched"](read, written)
        : touched.run === null
          ? x["pages.ofScript"](read, written)
          : x["pages.ofRun"](words.number(touched.run), read, written),
      ...(counts.shared === 0 ? [] : [x["pages.touchedShared"](words.number(counts.shared))]),
      ...(touched.more === 0 ? [] : [x["pages.touchedMore"](words.number(touched.more))]),
    ])}</p>`;
  }

  /** The legend of the squares' frames and marks, each with the number of its pages; only marks that are on the map. */
  private marks(map: PageMap, touched: Touched | null): TemplateResult | typeof nothing {
    const { x, words } = this;
    const marks = [
      ["read", x["pages.is.read"], touched?.read.size ?? 0],
      ["written", x["pages.is.written"], touched?.written.size ?? 0],
      ["dotted", x["pages.is.shared"], map.shared],
      ["unsealed", x["pages.is.unsealed"], map.unsealed],
    ] as const;
    const shown = marks.filter(([, , count]) => count > 0);
    if (shown.length === 0) return nothing;
    return html`<ul class="marks" aria-label=${x["pages.marks"]}>${shown.map(
      ([look, label, count]) => html`<li><i class=${look}></i>${label} <b>${words.number(count)}</b></li>`,
    )}</ul>`;
  }

  /** How many pages of an owner the run touched. */
  private touchedOf(counts: TouchedCounts | null, at: number): TemplateResult | typeof nothing {
    const { x, words } = this;
    const { read = 0, written = 0 } = counts?.owners[at] ?? {};
    if (read === 0 && written === 0) return nothing;
    const [reads, writes] = [words.number(read), words.number(written)];
    return html`<span class="quietly">${
      written === 0
        ? x["pages.count.read"](reads)
        : read === 0
          ? x["pages.count.written"](writes)
          : x["pages.count.both"](reads, writes)
    }</span>`;
  }

  protected override render(): TemplateResult {
    const { map, x } = this;
    return html`<p class="failure" role="alert">${this.failure}</p>
      ${map === null ? (this.failure === "" ? html`<p>${x["inside.reading"]}</p>` : nothing) : this.drawn(map)}`;
  }

  private drawn(map: PageMap): TemplateResult {
    const { x, words, touched } = this;
    const counts = touched === null ? null : countTouched(map, touched);
    const where = this.where(map);
    return html`<p class="said">${x["pages.measures"](
      words.number(map.pages),
      words.size(map.pageBytes),
      words.number(map.sequence),
    )} <span class="quietly">${x["pages.memory"](words.number(map.inMemory))}</span></p>
      ${touched === null || counts === null ? nothing : this.said(touched, counts)}
      <div class="map" role="application" tabindex="0" aria-label=${x["pages.map"](where)}
        @keydown=${(event: KeyboardEvent) => this.move(event, map)}>
        <canvas aria-hidden="true" @click=${(event: MouseEvent) => this.choose(event, map)}></canvas></div>
      <p class="where" role="status">${where}</p>
      ${this.marks(map, touched)}
      <ul class="owners" aria-label=${x["pages.owners"]}>${map.owners.map((each, at) =>
        each.pages === 0
          ? nothing
          : html`<li><i data-owner=${at} ${properties({ "--colour": colourOf(at) })}></i>${this.owner(each)}
            <b>${words.number(each.pages)}</b> ${this.touchedOf(counts, at)}</li>`,
      )}</ul>
      <form class="go" @submit=${(event: Event) => {
        event.preventDefault();
        const number = this.renderRoot.querySelector<HTMLInputElement>("#number")?.valueAsNumber ?? 0;
        if (Number.isInteger(number)) void this.open(number);
      }}><label for="number">${x["pages.number"]}</label>
        <input id="number" type="number" min="0" max=${map.pages} .value=${String(this.current)}>
        <button class="button" type="submit">${x["pages.go"]}</button>
        <button class="button" type="button" @click=${() => void this.open(0)}>${x["pages.header"]}</button>
        ${
          counts === null || (touched?.read.size === 0 && touched.written.size === 0)
            ? nothing
            : html`<button class="button" type="button" @click=${() => this.toNext(map)}>${x["pages.next"]}</button>`
        }
        <button class="button" type="button" @click=${() => void this.read()}>${x["inside.again"]}</button>
      </form>
      ${this.opened === null ? nothing : this.inside(this.opened)}`;
  }

  private inside(page: OpenPage): TemplateResult {
    const { x, words } = this;
    const shown = this.all ? page.cells : page.cells.slice(0, CELLS);
    const left = page.cells.length - shown.length;
    const title = page.page === 0 ? x["pages.header"] : x["pages.opened"](words.number(page.page));
    const notes = [
      ...(page.bytes.length === 0 ? [x["pages.isFree"]] : page.isSealed ? [] : [x["pages.isUnsealed"]]),
      ...(page.isOfMoment ? [x["pages.isOfMoment"]] : []),
    ];
    return html`<section class="open" aria-label=${title}>
      <h3>${page.page === 0 ? title : x["pages.title"](words.number(page.page), this.owner(page.owner))}</h3>
      ${notes.length === 0 ? nothing : html`<p class="quietly">${joinSentences(notes)}</p>`}
      ${page.fields.length === 0 ? nothing : this.table(x["pages.fields"], x["pages.name"], page.fields)}
      ${
        page.cells.length === 0
          ? nothing
          : this.table(x["pages.cells"](words.number(page.cells.length)), x["pages.slot"], shown)
      }
      ${
        left === 0
          ? nothing
          : html`<p class="buttons"><button class="button"
              @click=${() => (this.all = true)}>${x["pages.moreCells"](words.number(left))}</button></p>`
      }
      ${page.bytes.length === 0 ? nothing : this.hex(page)}
    </section>`;
  }

  private table(caption: string, name: string, pieces: readonly PagePiece[]): TemplateResult {
    const { x } = this;
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${caption}><table>
      <thead><tr><th scope="col">${x["pages.place"]}</th><th scope="col">${name}</th>
        <th scope="col">${x["pages.value"]}</th></tr></thead>
      <tbody>${pieces.map(
        (piece) => html`<tr class=${piece === this.piece ? "chosen" : ""}>
          <td><button @click=${() => (this.piece = piece)}
            aria-pressed=${String(piece === this.piece)}>${piece.at}–${piece.at + piece.length - 1}</button></td>
          <td>${piece.name}</td><td>${piece.value}</td></tr>`,
      )}</tbody></table></div>`;
  }

  private hex(page: OpenPage): TemplateResult {
    const { x, words, piece } = this;
    const [at, length] = piece === null ? [0, 48] : [piece.at, piece.length];
    const { rows, left } = hexRows(page.bytes, at, length);
    const place = x["pages.bytes"](words.number(at), words.number(at + length - 1));
    return html`<p class="said">${place}</p>
      <pre tabindex="0" role="region" aria-label=${place}>${rows
        .map((row) => `${row.at}  ${row.hex.padEnd(47)}  ${row.text}`)
        .join("\n")}</pre>
      ${left === 0 ? nothing : html`<p class="quietly">${x["pages.moreBytes"](words.number(left))}</p>`}`;
  }
}
