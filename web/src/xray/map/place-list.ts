/**
 * `<place-list>`: the places of a map as a list box, by which a keyboard and a screen reader go.
 *
 * Invariants: only some of a long list are in the document, those around the current one or in sight; it says with
 * `place-hit` which place was chosen. The list has the focus itself and names its current option.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { shared } from "../../look/shared.ts";
import { labelOf } from "../../state/map/label.ts";
import { distanceBetween, type Place } from "../../state/map/places.ts";
import type { Point } from "../../state/map/sphere.ts";
import { wordDegrees } from "../../state/map/told.ts";
import { xrayElement } from "../xray-element.ts";
import { MapElement } from "./map-element.ts";
import { mapStyles } from "./map-styles.ts";
import { swatch } from "./swatch.ts";

/** Places that are in the document at first, before and behind the current one, and with each step to more. */
const STEP = 100;
/** Pixels before an end of the list at which more are drawn. */
const AHEAD = 400;

@xrayElement("place-list")
export class PlaceList extends MapElement {
  @property({ attribute: false }) places: readonly Place[] = [];
  /** The documents that the places are of. */
  @property({ attribute: false }) values: readonly unknown[] = [];
  @property() field = "";
  /** The point that distances are told from. */
  @property({ attribute: false }) center: Point | null = null;
  @property({ type: Boolean }) isPlane = false;
  @property({ attribute: false }) chosen: number | null = null;
  /** The first place that is in the document, and the one behind the last. */
  @state() private drawn: readonly [number, number] = [0, 2 * STEP];
  @query("[role=listbox]") private list!: HTMLElement | null;

  static override styles = [
    shared,
    mapStyles,
    css`
      .list {
        height: 100%; max-height: inherit; overflow: auto; border: 1px solid var(--rule); border-radius: var(--radius);
        background: var(--paper);
      }
      [role="option"] {
        display: grid; gap: 0 0.5rem; grid-template-columns: 0.7rem minmax(0, 1fr); align-items: baseline;
        padding: 0.28rem 0.6rem 0.32rem; border-bottom: 1px solid var(--rule); cursor: pointer; line-height: 1.3;
      }
      [role="option"]:hover { background: var(--paper-2); }
      [role="option"][aria-selected="true"] { background: var(--rubric-wash); }
      .list:focus-visible [aria-selected="true"] { box-shadow: inset 3px 0 0 var(--focus); }
      .list:focus-visible { outline-offset: -2px; }
      .mark { width: 0.75rem; height: 0.75rem; align-self: center; }
      .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .where {
        grid-column: 2; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink-2);
        font: 400 var(--tiny)/1.4 var(--mono);
      }
      .empty { padding: 0.75rem; color: var(--ink-2); font-size: var(--small); }
      @media (pointer: coarse) { [role="option"] { padding-block: 0.55rem; } }
      @media print { .list { height: auto; max-height: none; } }
    `,
  ];

  override focus(options?: FocusOptions): void {
    this.list?.focus(options);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { chosen } = this;
    const [first, end] = this.drawn;
    if (changed.has("chosen") && chosen !== null && (chosen < first || chosen >= end))
      this.drawn = [Math.max(0, chosen - STEP), chosen + STEP];
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("chosen") && this.chosen !== null)
      this.list?.querySelector(`#place-${this.chosen}`)?.scrollIntoView({ block: "nearest" });
  }

  protected override render(): TemplateResult {
    const { places, m, chosen } = this;
    if (places.length === 0) return html`<p class="list empty">${m["map.list.empty"]}</p>`;
    const [first, end] = this.drawn;
    const drawn = places.slice(first, end).map((place, row) => this.option(place, first + row));
    return html`<div class="list" role="listbox" tabindex="0" aria-label=${m["map.list"]}
      aria-activedescendant=${chosen === null ? nothing : `place-${chosen}`}
      @keydown=${(event: KeyboardEvent) => this.walk(event)}
      @scroll=${() => this.reach()}>${drawn}</div>`;
  }

  private option(place: Place, at: number): TemplateResult {
    const name = labelOf(this.values[place.index], this.field);
    return html`<div role="option" id=${`place-${at}`} aria-selected=${String(at === this.chosen)}
      aria-setsize=${this.places.length} aria-posinset=${at + 1}
      @click=${() => this.tell(at)}>${swatch("places")}<span class="name" title=${name}>${name}</span><span
        class="where">${this.whereOf(place)}</span></div>`;
  }

  /** The distance from the query's point, or the coordinates of a point, or the type of another shape. */
  private whereOf({ shapes, type }: Place): string {
    const { center, isPlane } = this;
    const [first] = shapes;
    if (shapes.length !== 1 || first?.kind !== "point")
      return type === "several" || type === "pair" ? this.m[`map.type.${type}`] : type;
    if (center !== null) return this.distance(distanceBetween(center, first.at, isPlane), isPlane);
    const [x, y] = first.at;
    return isPlane ? `${x}, ${y}` : `${wordDegrees(x, "EW")}, ${wordDegrees(y, "NS")}`;
  }

  /** Draws more where the reader scrolled to; the browser keeps what is in sight where it is. */
  private reach(): void {
    const { list } = this;
    if (list === null) return;
    const [first, end] = this.drawn;
    const isHigh = first > 0 && list.scrollTop < AHEAD;
    const isLow = end < this.places.length && list.scrollTop + list.clientHeight > list.scrollHeight - AHEAD;
    if (isHigh || isLow) this.drawn = [isHigh ? Math.max(0, first - STEP) : first, isLow ? end + STEP : end];
  }

  private walk(event: KeyboardEvent): void {
    const last = this.places.length - 1;
    const at = this.chosen ?? -1;
    const keys = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: last };
    const to = (keys as Readonly<Record<string, number>>)[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.tell(Math.min(last, Math.max(0, to)));
  }

  private tell(at: number): void {
    this.dispatchEvent(new CustomEvent("place-hit", { detail: at }));
  }
}
