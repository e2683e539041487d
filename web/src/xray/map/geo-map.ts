/**
 * `<geo-map>`: documents with places as a map: the places, the shape of the query, the cells of the index that were
 * read, and the documents that were examined and not returned; the same in words, and the places as a list.
 *
 * Invariants: no figure is estimated; a document that waits to be fetched is not told as examined and not returned;
 * documents that are not drawn are told with the reason; whatever the map leads to the list leads to as well, for
 * keyboards and screen readers. Says with `place-chosen` which document is current.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { closeIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { coded, codedPieces } from "../../messages/coded.ts";
import { joinSentences } from "../../messages/sentences.ts";
import { wordFailure } from "../../state/controller.ts";
import type { Area } from "../../state/map/area.ts";
import { trueLatitude } from "../../state/map/camera.ts";
import { canTell, MOST, notAmong, readExamined, readGrid, type Examined } from "../../state/map/examined.ts";
import { PLAIN_GRID, type Grid } from "../../state/map/grid.ts";
import { readLand } from "../../state/map/land.ts";
import { cellsOf, lookupsOf, type Cells, type Lookup } from "../../state/map/lookup.ts";
import {
  distancesFrom,
  extentOf,
  fieldsOnMap,
  placesIn,
  type Extent,
  type Place,
  type Places,
} from "../../state/map/places.ts";
import { leavesOut } from "../../state/map/projection.ts";
import { askedBy, type Asked } from "../../state/map/query.ts";
import { cornersOfDrawn, drawAsked, drawShapes, together, type Drawn } from "../../state/map/scene.ts";
import { EARTH, type Point } from "../../state/map/sphere.ts";
import { digitsFor, wordDegrees } from "../../state/map/told.ts";
import { stagesOf, type Plan } from "../../state/plan.ts";
import { placeAgain } from "../../state/map/identity.ts";
import { labelOf } from "../../state/map/label.ts";
import { wordValue } from "../../state/wording.ts";
import { xrayElement } from "../xray-element.ts";
import { MapElement } from "./map-element.ts";
import { land, marks } from "./land-110m.ts";
import { mapStyles } from "./map-styles.ts";
import { swatch, type Layer } from "./swatch.ts";
import type { PlaceList } from "./place-list.ts";
import "./place-list.ts";
import type { MapSheet, Scene } from "./map-sheet.ts";
import "./map-sheet.ts";

let read: Area | null = null;

/** The coast lines, read by the first map of the sphere. */
const coast = (): Area => (read ??= readLand(land, marks));

/** The parts of the map, for one field. */
interface Content {
  readonly field: string;
  readonly places: Places;
  readonly drawn: readonly Drawn[];
  readonly asked: readonly Asked[];
  readonly lookup: Lookup | null;
  readonly cells: Cells | null;
  readonly isPlane: boolean;
}

@xrayElement("geo-map")
export class GeoMap extends MapElement {
  @property({ attribute: false }) values: readonly unknown[] = [];
  /** The command that found them; undefined where it is not known. */
  @property({ attribute: false }) command: unknown = undefined;
  /** The plan that answered it; null where that is not known. */
  @property({ attribute: false }) plan: Plan | null = null;
  /** Fields that are known to hold places: of geospatial indexes. */
  @property({ attribute: false }) known: readonly string[] = [];
  /** More documents can be fetched. */
  @property({ type: Boolean }) more = false;
  /** The plan is that of the first batch alone. */
  @property({ type: Boolean }) isFirstOnly = false;
  /** Whether the chosen document is shown here, and not by the page. */
  @property({ type: Boolean }) shows = false;
  /** Ask at once for the documents that were examined and not returned. */
  @property({ type: Boolean }) examining = false;
  @state() private field = "";
  @state() private chosen: number | null = null;
  @state() private failure = "";
  @state() private examined: Examined | null = null;
  @state() private grid: Grid = PLAIN_GRID;
  @state() private off: ReadonlySet<string> = new Set();
  /** Whether the map shows coast lines: it does not when it is too near for them. */
  @state() private isCoastal = true;
  @query("map-sheet") private sheet!: MapSheet | null;
  @query("place-list") private list!: PlaceList | null;
  #content: Content | null = null;
  #scene: Scene | null = null;
  #fields: readonly string[] = [];
  #asked = 0;

  static override styles = [
    shared,
    mapStyles,
    css`
      :host { container: map / inline-size; }
      .both { display: grid; grid-template-columns: minmax(0, 1fr) minmax(11rem, 17rem); gap: 0.75rem; }
      map-sheet, place-list { height: clamp(15rem, var(--room, 24rem), 44rem); }
      .top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 1.1rem; margin-bottom: 0.5rem; }
      .top label { display: inline-flex; align-items: center; gap: 0.4rem; font-size: var(--small); }
      .top label select {
        max-width: 14rem; min-height: 1.8rem; padding: 0 0.4rem; border: 1px solid var(--rule-strong);
        border-radius: var(--radius); background: var(--paper); font: 400 var(--code)/1.4 var(--mono);
      }
      .top input { margin: 0; accent-color: var(--rubric-fill); }
      .top label { min-height: 1.6rem; }
      .mark { width: 1.1rem; height: 0.9rem; flex: none; overflow: visible; stroke-width: 1; }
      .told { margin-top: 0.6rem; font-size: var(--small); line-height: 1.5; text-wrap: pretty; max-width: 72ch; }
      .told p + p { margin-top: 0.15rem; }
      .told .left { color: var(--warn); }
      .scale { color: var(--ink-2); font-size: var(--tiny); }
      .document { margin-top: 0.6rem; border: 1px solid var(--rule); border-left: 3px solid var(--thread); }
      .document header { display: flex; align-items: center; justify-content: space-between; padding-left: 0.75rem; }
      .document h3 { font-size: var(--small); font-weight: 500; overflow-wrap: anywhere; }
      pre {
        margin: 0; padding: 0 0.75rem 0.5rem; max-height: 14rem; overflow: auto;
        font: 400 var(--code)/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere;
      }
      .failure { color: var(--rubric); font-size: var(--small); }
      .quiet { text-decoration: underline; text-underline-offset: 3px; white-space: normal; text-align: left; }
      @container map (max-width: 639.98px) {
        .both { grid-template-columns: minmax(0, 1fr); }
        map-sheet { height: clamp(13rem, 78cqi, 24rem); }
        place-list { height: auto; max-height: 11rem; }
      }
      @media (pointer: coarse) { .top label { min-height: 2.5rem; } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    const isOther = ["values", "command", "plan", "known", "field", "grid"].some((name) =>
      changed.has(name as keyof GeoMap),
    );
    // A result that is another now, as after a deletion, is not compared with what was read before.
    if (changed.has("plan") || changed.has("command") || changed.has("values")) {
      this.examined = null;
      this.#asked += 1;
    }
    if (changed.has("values") || changed.has("command") || changed.has("known")) {
      this.#fields = fieldsOnMap(this.values, [
        ...askedBy(this.command).map(({ field }) => field),
        ...(this.plan === null ? [] : lookupsOf(this.plan).map(({ field }) => field)),
        ...this.known,
      ]);
      if (!this.#fields.includes(this.field)) this.field = this.#fields[0] ?? "";
    }
    const before = this.#content;
    if (isOther || changed.has("field")) this.#content = this.contentOf(this.field);
    if (isOther || changed.has("field") || changed.has("examined") || changed.has("off")) this.#scene = this.sceneOf();
    if (changed.has("values")) this.chosen = this.chosenAgain(before, changed.get("values") as readonly unknown[]);
  }

  /** The number of the chosen place among the documents that there are now; null where it went with its document. */
  private chosenAgain(before: Content | null, values: readonly unknown[]): number | null {
    const place = this.chosen === null ? undefined : before?.places.places[this.chosen];
    if (place === undefined) return null;
    return placeAgain(values[place.index], this.values, this.#content?.places.places ?? []);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("plan") || changed.has("field")) void this.readGridAgain();
    if (this.examining && this.examined === null && (changed.has("plan") || changed.has("values"))) void this.examine();
  }

  private contentOf(field: string): Content {
    const places = placesIn(this.values, field);
    const asked = askedBy(this.command).filter((one) => one.field === field || one.field === "");
    const lookup = (this.plan === null ? [] : lookupsOf(this.plan)).find((one) => one.field === field) ?? null;
    // Pairs are places of the sphere where they are asked for as such.
    const isPlane =
      (places.arePairs || places.places.length === 0) &&
      (lookup?.isPlane ?? asked.every((one) => one.isPlane)) &&
      (lookup !== null || asked.length > 0 || places.arePairs);
    return {
      field,
      places,
      drawn: places.places.map(({ shapes }) => drawShapes(shapes, isPlane)),
      asked,
      lookup,
      cells: lookup === null ? null : cellsOf(lookup, this.grid),
      isPlane,
    };
  }

  private sceneOf(): Scene | null {
    const content = this.#content;
    if (content === null) return null;
    const { drawn, asked, cells, isPlane, field } = content;
    const has = (layer: string): boolean => !this.off.has(layer);
    const query = asked.length === 0 ? null : together(asked.map(drawAsked));
    const others = this.others();
    const examined =
      others === null || others.length === 0
        ? null
        : together(placesIn(others, field).places.map(({ shapes }) => drawShapes(shapes, isPlane)));
    return {
      isPlane,
      extent: extentOf([...drawn, ...(query === null ? [] : [query])].flatMap(cornersOfDrawn), isPlane),
      cells: has("cells") ? cells : null,
      query: has("query") ? query : null,
      examined: has("examined") ? examined : null,
      places: has("places") ? drawn : [],
    };
  }

  /** The documents that were examined and not returned; null where they are not known. */
  private others(): readonly object[] | null {
    return this.examined === null ? null : notAmong(this.examined.documents, this.values);
  }

  private async readGridAgain(): Promise<void> {
    const { plan } = this;
    const lookup = this.#content?.lookup;
    if (plan === null || lookup == null || !lookup.isPlane) return;
    try {
      const grid = await readGrid(this.host.changer, plan, lookup.index);
      if (plan === this.plan) this.grid = grid ?? PLAIN_GRID;
    } catch {
      // It cannot be asked for: the cells are drawn as those of an index without options.
    }
  }

  private async examine(): Promise<void> {
    const { plan } = this;
    const lookup = this.#content?.lookup ?? null;
    if (plan === null || lookup === null || !canTell(lookup, this.command, this.more)) return;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const examined = await readExamined(this.host.changer, plan, lookup, this.isFirstOnly ? null : this.values);
      if (asked === this.#asked) this.examined = examined;
    } catch (error) {
      if (asked === this.#asked) this.failure = wordFailure(error);
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const content = this.#content;
    const scene = this.#scene;
    if (content === null || scene === null) return nothing;
    const { m, words } = this;
    const { places } = content.places;
    return html`<div class="top">${this.fields()}${this.layers(content)}</div>
      <div class="both">
        <map-sheet .host=${this.host} .scene=${scene} .land=${content.isPlane ? null : coast()} .chosen=${this.chosen}
          label=${m["map.label"](words.number(places.length), content.field)}
          @coast-changed=${({ detail }: CustomEvent<boolean>) => (this.isCoastal = detail)}
          @place-hit=${({ detail }: CustomEvent<number>) => this.choose(detail, false)}></map-sheet>
        <place-list .host=${this.host} .places=${places} .values=${this.values} .field=${content.field}
          .center=${centerOf(content.asked)} .isPlane=${content.isPlane} .chosen=${this.chosen}
          @place-hit=${({ detail }: CustomEvent<number>) => this.choose(detail)}></place-list>
      </div>
      ${this.failure === "" ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`}
      ${this.document(content)}
      <div class="told" role="group" aria-label=${m["told.label"]}>${this.told(content, scene)}</div>`;
  }

  private fields(): TemplateResult | typeof nothing {
    if (this.#fields.length < 2) return nothing;
    return html`<label>${this.m["map.field"]}<select
      @change=${(event: Event) => {
        this.chosen = null;
        this.examined = null;
        this.field = (event.target as HTMLSelectElement).value;
      }}>${this.#fields.map(
        (field) => html`<option value=${field} ?selected=${field === this.field}>${field}</option>`,
      )}</select></label>`;
  }

  /** The legend, in which each kind of thing can be taken off the map. */
  private layers({ asked, lookup, cells }: Content): TemplateResult {
    const { m } = this;
    const has = [
      "places",
      ...(asked.length > 0 ? ["query"] : []),
      ...(cells !== null && cells.whole.length + cells.alone.length > 0 ? ["cells"] : []),
      ...((this.others()?.length ?? 0) > 0 ? ["examined"] : []),
    ] as readonly Layer[];
    const canAsk = lookup !== null && this.examined === null && canTell(lookup, this.command, this.more);
    if (has.length === 1 && !canAsk) return html``;
    return html`${has.map(
      (layer) => html`<label><input type="checkbox" .checked=${!this.off.has(layer)}
        @change=${() => this.toggle(layer)}>${swatch(layer)}${m[`layer.${layer}`]}</label>`,
    )}${
      canAsk
        ? html`<button class="quiet" @click=${() => void this.examine()}>${m["layer.examined.ask"]}</button>`
        : nothing
    }`;
  }

  private toggle(layer: string): void {
    const hidden = new Set(this.off);
    if (!hidden.delete(layer)) hidden.add(layer);
    this.off = hidden;
  }

  private nameOf({ index }: Place): string {
    return labelOf(this.values[index], this.field);
  }

  /** Makes a place the current one: it stands out on the map and in the list, and its document is told. */
  private choose(at: number, reveals = true): void {
    const place = this.#content?.places.places[at];
    if (place === undefined) return;
    this.chosen = at;
    const drawn = this.#content?.drawn[at];
    if (reveals && drawn !== undefined) this.sheet?.reveal(drawn);
    this.dispatchEvent(new CustomEvent("place-chosen", { detail: place.index }));
  }

  private document({ places: { places } }: Content): TemplateResult | typeof nothing {
    const place = this.chosen === null ? undefined : places[this.chosen];
    if (!this.shows || place === undefined) return nothing;
    const shown = wordValue(this.values[place.index]);
    return html`<section class="document">
      <header><h3>${this.nameOf(place)}</h3><button class="quiet icon"
        aria-label=${this.m["map.close"]} title=${this.m["map.close"]}
        @click=${() => {
          this.chosen = null;
          this.list?.focus();
        }}>${closeIcon()}</button></header>
      <pre tabindex="0" role="region" aria-label=${this.m["map.document"]}>${shown}</pre></section>`;
  }

  private told(content: Content, { extent }: Scene): TemplateResult {
    const { m } = this;
    const number = (value: number): string => this.words.number(value);
    const { places, field, asked, lookup, isPlane } = content;
    const found = places.places.length;
    const own = extentOf(content.drawn.flatMap(cornersOfDrawn), isPlane);
    const box = own === null ? [] : [this.wordBox(own, isPlane)];
    const center = centerOf(asked);
    const far = center === null ? null : distancesFrom(center, places.places, isPlane);
    const from = (length: number): string => this.distance(length, isPlane);
    // Of a projection's documents none is known to have no value.
    const isOut = found === 0 && leavesOut(this.command, field);
    const left = isOut ? [] : [...places.leftOut].map(([reason, count]) => m[`left.${reason}`](number(count)));
    const others = this.others();
    const sentences = [
      isOut
        ? m["told.projected"](coded(field))
        : found === 0
          ? m["told.none"](coded(field))
          : m["told.places"](number(found), coded(field)),
      ...box,
      ...(far === null
        ? []
        : [
            far.nearest === far.farthest
              ? m["told.distance"](from(far.nearest))
              : m["told.distances"](from(far.nearest), from(far.farthest)),
          ]),
      ...(this.more ? [m["told.more"]] : []),
    ];
    const looked = lookup === null ? [] : this.lookedAt(lookup, content.cells);
    const examined =
      this.examined === null
        ? []
        : this.examined.isChanged
          ? [m["examined.changed"]]
          : others === null
            ? [m["examined.unknown"]]
            : [
                others.length === 0 ? m["examined.none"] : m["examined.count"](number(others.length)),
                ...(this.examined.isCut ? [m["examined.cut"](number(MOST))] : []),
              ];
    return html`<p>${prose(sentences)}</p>
      ${left.length === 0 ? nothing : html`<p class="left">${prose(left)}</p>`}
      ${asked.length === 0 ? nothing : html`<p>${prose(asked.map((one) => this.wordAsked(one)))}</p>`}
      ${looked.length === 0 ? nothing : html`<p>${prose([...looked, ...examined])}</p>`}
      <p class="scale">${
        isPlane
          ? m["scale.plane"]
          : m[this.isCoastal ? "scale.sphere" : "scale.near"](wordDegrees(trueLatitude(extent), "NS", 1))
      }</p>`;
  }

  private wordBox({ west, south, east, north }: Extent, isPlane: boolean): string {
    const { m } = this;
    const word = (value: number, signs: "EW" | "NS", span: number): string =>
      isPlane ? String(value) : wordDegrees(value, signs, digitsFor(span));
    const [one, other] = [word(south, "NS", north - south), word(north, "NS", north - south)];
    if (!isPlane && east - west >= 360) return m["told.round"](one, other);
    if (west === east && south === north) return m["told.spot"](word(west, "EW", 0), word(south, "NS", 0));
    const key = isPlane ? "told.box.plane" : "told.box";
    return m[key](word(west, "EW", east - west), word(east, "EW", east - west), one, other);
  }

  private wordAsked({ operator: name, figure, isPlane }: Asked): string {
    const { m } = this;
    const operator = coded(name);
    if (figure.kind === "shapes") return m["asked.plain"](operator);
    const [least, most] = [figure.least, figure.most].map((limit) =>
      limit === null ? null : this.distance(isPlane ? limit : limit * EARTH, isPlane),
    );
    if (least == null) return most == null ? m["asked.plain"](operator) : m["asked.most"](operator, most);
    return most == null ? m["asked.least"](operator, least) : m["asked.between"](operator, least, most);
  }

  private lookedAt(
    { index: name, ranges, rings, keysExamined, documentsExamined }: Lookup,
    cells: Cells | null,
  ): readonly string[] {
    const { m } = this;
    const index = coded(name);
    const number = (value: number): string => this.words.number(value);
    if (ranges.length === 0) return [m["cells.planned"](index)];
    // The keys by which a search for the nearest finds how far to look are not those of any cell.
    const isOnly = this.plan !== null && new Set(stagesOf(this.plan.root).map((stage) => stage.indexName)).size <= 2;
    const keys = isOnly ? (this.plan?.execution?.keysExamined ?? keysExamined) : keysExamined;
    return [
      cells?.isAll === true ? m["cells.all"](index) : m["cells.read"](index, number(cells?.whole.length ?? 0)),
      ...(cells?.levels == null ? [] : [m["cells.levels"](String(cells.levels[0]), String(cells.levels[1]))]),
      ...(cells === null || cells.alone.length === 0 ? [] : [m["cells.alone"](number(cells.alone.length))]),
      ...(rings.length === 0 ? [] : [m["cells.rings"](number(rings.length))]),
      ...(keys === null || documentsExamined === null
        ? []
        : [m["cells.looked"](number(keys), number(documentsExamined))]),
      ...(this.isFirstOnly ? [m["cells.batch"]] : []),
    ];
  }
}

/** Sentences, with the names in them as code. */
function prose(sentences: readonly string[]): readonly (TemplateResult | string)[] {
  return codedPieces(joinSentences(sentences)).map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece));
}

/** The point of a search for the nearest. */
function centerOf(asked: readonly Asked[]): Point | null {
  for (const { figure } of asked) if (figure.kind === "circle" && figure.isNear) return figure.center;
  return null;
}
