/**
 * `<capped-ring>`: a capped collection as a ring that turns under a pen: its documents, the room that is left, and the
 * documents that the next one overwrites.
 *
 * Invariant: the pieces are those of `state/xray/capped.ts`; a list gives the ring's figures in words.
 */
import { css, html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { joinSentences } from "../messages/sentences.ts";
import { wordFailure } from "../state/controller.ts";
import {
  anotherLike,
  beginningOf,
  measureOf,
  newestOf,
  overwrittenBy,
  readRing,
  sectorsOf,
  writeInto,
  type Ring,
  type RingDocument,
  type Sector,
} from "../state/xray/capped.ts";
import { fieldOf, preview, wordLine } from "../state/values.ts";
import { shared } from "../look/shared.ts";
import { PlanElement } from "./plan-element.ts";
import { xrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

/** Inner and outer radius of the ring in the drawing's own units. */
const inside = 62;
const outside = 92;

@xrayElement("capped-ring")
export class CappedRing extends PlanElement {
  @property() database = "";
  @property() collection = "";
  @state() private ring: Ring | null = null;
  @state() private failure = "";
  @state() private writing = false;
  /** The document that the button inserts: one like the newest; null in an empty collection. */
  private next: ReturnType<typeof anotherLike> | null = null;
  /** Bytes of the next document, once the reader said so. */
  @state() private size: number | null = null;
  @query(".turning") private turning!: SVGGElement | null;

  static override styles = [
    shared,
    xrayStyles,
    css`
      path { stroke: var(--paper); stroke-width: 0.6; }
      .free { fill: var(--paper-3); }
      .document { fill: color-mix(in srgb, var(--thread) 45%, var(--paper-3)); }
      .document.odd { fill: color-mix(in srgb, var(--thread) 60%, var(--paper-3)); }
      .between { fill: color-mix(in srgb, var(--thread) 30%, var(--paper-3)); }
      .document.next { fill: var(--rubric-fill); }
      .pen { fill: var(--ink); stroke: none; }
      .mark { stroke: var(--ink); stroke-width: 2; }
      text { fill: var(--ink); stroke: none; font: 500 13px var(--serif); text-anchor: middle; }
      text.small { fill: var(--ink-2); font-size: 9px; }
    `,
  ];

  protected override firstUpdated(): void {
    void this.read();
  }

  private async read(): Promise<void> {
    try {
      this.ring = await readRing(this.host.changer, this.database, this.collection);
      const newest = newestOf(this.ring);
      this.next = newest === null ? null : anotherLike(newest);
      this.failure = "";
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  /** Turns the ring by the room of the documents written since it was last drawn, unless motion is to be reduced. */
  protected override updated(changed: PropertyValues): void {
    const before = changed.get("ring") as Ring | null | undefined;
    const last = newestOf(before ?? null);
    if (this.ring === null || last === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const id = wordLine(fieldOf(last.document, "_id"));
    const sector = sectorsOf(this.ring, 0).find(
      ({ document }) => document !== null && wordLine(fieldOf(document.document, "_id")) === id,
    );
    if (sector === undefined || sector.to > 0.9999) return;
    this.turning?.animate([{ transform: `rotate(${360 * (1 - sector.to)}deg)` }, { transform: "rotate(0deg)" }], {
      duration: 700,
      easing: "ease-in-out",
    });
  }

  private async write(): Promise<void> {
    const { ring } = this;
    const { next } = this;
    if (ring === null || next === null || this.writing) return;
    this.writing = true;
    try {
      await writeInto(this.host.changer, ring, next.document);
      this.size = null;
      await this.host.wrote();
      await this.read();
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.writing = false;
    }
  }

  protected override render(): TemplateResult {
    const { ring, p } = this;
    return html`<p class="failure" role="alert">${this.failure}</p>
      ${ring === null ? (this.failure === "" ? html`<p>${p["xray.reading"]}</p>` : nothing) : this.drawn(ring)}`;
  }

  private drawn(ring: Ring): TemplateResult {
    const { p, words } = this;
    const size = this.size ?? this.next?.bytes ?? 0;
    const [oldest, newest] = [ring.oldest[0]?.record ?? 0, newestOf(ring)?.record ?? 0];
    const beginning = beginningOf(ring);
    const gone = overwrittenBy(ring, size);
    const sectors = sectorsOf(ring, gone ?? ring.count);
    const next = ring.oldest.slice(0, gone ?? ring.oldest.length);
    const byBytes = measureOf(ring) === "bytes";
    return html`<div class="beside">
      <svg class="drawing" viewBox="-100 -108 200 208" aria-hidden="true">
        <g class="turning">${sectors.map((sector) => piece(sector))}${
          beginning === null ? nothing : mark(beginning)
        }</g>
        <path class="pen" d="M-5 -107H5L0 -94z"></path>
        <text y="0">${words.number(ring.count)}</text>
        <text class="small" y="13">${words.size(ring.bytes)} / ${words.size(ring.maxBytes)}</text>
      </svg>
      <div>
        <p class="said">${joinSentences([
          p["ring.holds"](words.number(ring.count), words.number(ring.bytes), words.number(ring.maxBytes)),
          ...(ring.maxCount === null ? [] : [p["ring.most"](words.number(ring.maxCount))]),
          ...(ring.count === 0 ? [] : [p["ring.records"](words.number(oldest), words.number(newest), oldest > 1)]),
        ])}</p>
        <p class="said quietly">${joinSentences([
          byBytes ? p["ring.byBytes"] : p["ring.byDocuments"],
          p["ring.pen"],
          ...(beginning === null ? [] : [p["ring.begins"](words.number(ring.maxCount ?? 0))]),
        ])}</p>
        ${
          ring.count === 0
            ? html`<p class="said">${p["ring.empty"]}</p>`
            : html`<p class="said"><label>${p["ring.size"]}
                <input type="number" min="5" .value=${String(size)} @input=${(event: Event) => {
                  this.size = Math.max(0, (event.target as HTMLInputElement).valueAsNumber || 0);
                }}></label></p>
              <p class="said" role="status">${
                gone === null
                  ? p["ring.next.many"](words.number(ring.oldest.length))
                  : gone === 0
                    ? p["ring.next.none"]
                    : p["ring.next"](words.number(gone))
              }</p>`
        }
        <p class="buttons">
          ${
            ring.count === 0
              ? nothing
              : html`<button class="button" aria-disabled=${String(this.writing)}
                @click=${() => void this.write()}>${p["ring.write"](words.number(this.next?.bytes ?? 0))}</button>`
          }
          <button class="button" @click=${() => void this.read()}>${p["xray.again"]}</button>
        </p>
      </div>
    </div>
    <ol class="list" tabindex="0" aria-label=${p["ring.list"]} ?hidden=${ring.count === 0}>
      ${[...ring.oldest.entries()].map(([at, each]) => this.line(each, at < next.length))}
      ${
        ring.between.count === 0
          ? nothing
          : html`<li><span>${p["ring.between"](words.number(ring.between.count))}</span>
            <span>${words.size(ring.between.bytes)}</span></li>`
      }
      ${ring.newest.map((each) => this.line(each, false))}
    </ol>`;
  }

  private line({ document, bytes, record }: RingDocument, isNext: boolean): TemplateResult {
    return html`<li class=${isNext ? "next" : ""}><span>#${this.words.number(record)}</span>
      <code>${preview(document, 90)}</code>
      <span>${isNext ? `${this.p["ring.overwritten"]} · ` : ""}${this.words.size(bytes)}</span></li>`;
  }
}

/** The mark of the ring's beginning, on its outer rim; `turn` is a share of the whole turn. */
function mark(turn: number): SVGTemplateResult {
  const way = `M0 ${-outside - 6}V${-outside}`;
  return svg`<path class="mark" d=${way} transform="rotate(${(360 * turn).toFixed(3)})"></path>`;
}

/** A piece of the ring, clockwise from the top. */
function piece({ kind, place, from, to, isNext }: Sector): SVGTemplateResult {
  // An arc that ends where it begins would be none.
  const end = Math.min(to, from + 0.9999);
  const at = (turn: number, radius: number): string =>
    `${(radius * Math.sin(2 * Math.PI * turn)).toFixed(3)} ${(-radius * Math.cos(2 * Math.PI * turn)).toFixed(3)}`;
  const large = end - from > 0.5 ? 1 : 0;
  const look = `${kind}${isNext ? " next" : ""}${place !== null && place % 2 === 1 ? " odd" : ""}`;
  return svg`<path class=${look} d="M${at(from, outside)}A${outside} ${outside} 0 ${large} 1 ${at(end, outside)}L${at(
    end,
    inside,
  )}A${inside} ${inside} 0 ${large} 0 ${at(from, inside)}z"></path>`;
}
