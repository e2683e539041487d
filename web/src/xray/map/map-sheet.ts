/**
 * `<map-sheet>`: the drawing of a map with its buttons: moved by the pointer, the wheel, touches and keys.
 *
 * Invariants: draws paths of `state/map` and judges nothing; says with `place-hit` which place was pointed at, and with
 * `coast-changed` whether coast lines are drawn. The wheel is the page's own until the reader has chosen the map or
 * holds Ctrl, and so is a finger that goes up or down.
 */
import { css, html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { fillIcon, minusIcon, plusIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import type { Area } from "../../state/map/area.ts";
import {
  centered,
  fitted,
  gridLines,
  hasCoast,
  isInSight,
  pan,
  resized,
  toScreen,
  zoom,
  type Camera,
} from "../../state/map/camera.ts";
import { areaPaths, diamondPath, dotsOf, fillPath, linePath, pointPath } from "../../state/map/paths.ts";
import type { Extent } from "../../state/map/places.ts";
import { cornersOfDrawn, hit, nothingDrawn, together, type Drawn } from "../../state/map/scene.ts";
import type { Point } from "../../state/map/sphere.ts";
import { wordDegrees } from "../../state/map/told.ts";
import { xrayElement } from "../xray-element.ts";
import { MapElement } from "./map-element.ts";
import { mapStyles } from "./map-styles.ts";

/** The layers of a map, from below to above. */
export interface Scene {
  readonly isPlane: boolean;
  /** The part of the world that the map shows at first; null for all of it. */
  readonly extent: Extent | null;
  readonly cells: { readonly whole: readonly Area[]; readonly alone: readonly Area[] } | null;
  readonly query: Drawn | null;
  readonly examined: Drawn | null;
  /** The returned places, in their order. */
  readonly places: readonly Drawn[];
}

/** Pixels by which a key moves the map. */
const STEP = 48;
/** Pixels that a press may move and still be one. */
const STILL = 5;

@xrayElement("map-sheet")
export class MapSheet extends MapElement {
  @property({ attribute: false }) scene!: Scene;
  @property() label = "";
  @property({ attribute: false }) land: Area | null = null;
  /** The number of the chosen place. */
  @property({ attribute: false }) chosen: number | null = null;
  @state() private camera: Camera | null = null;
  @query(".sheet") private sheet!: HTMLElement;
  /** Whether coast lines are drawn, as it was said last. */
  #hasCoast = true;
  readonly #sizes = new ResizeObserver(() => this.measure());
  #pointers = new Map<number, Point>();
  #moved = 0;
  /** All places as one. */
  #all: Drawn = nothingDrawn;

  static override styles = [
    shared,
    mapStyles,
    css`
      :host { position: relative; }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes.disconnect();
  }

  private measure(): void {
    const { clientWidth: width, clientHeight: height } = this;
    if (width === 0 || height === 0) return;
    const { camera, scene } = this;
    this.camera = camera === null ? this.whole(width, height) : resized(camera, scene.extent, width, height);
  }

  private whole(width: number, height: number): Camera {
    return fitted(this.scene.extent, this.scene.isPlane, width, height);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("scene")) this.#all = together(this.scene.places);
    const before = changed.get("scene") as Scene | undefined;
    if (before === undefined || this.camera === null) return;
    // Other data are shown whole; more of the same do not move the map under the reader.
    const { extent, isPlane } = this.scene;
    if (isPlane !== before.isPlane || JSON.stringify(extent) !== JSON.stringify(before.extent)) this.showAll();
  }

  /** Shows the scene's whole extent. */
  showAll(): void {
    if (this.camera !== null) this.camera = this.whole(this.camera.width, this.camera.height);
  }

  /** Brings a place into sight. */
  reveal(place: Drawn): void {
    const [corner] = cornersOfDrawn(place);
    if (this.camera === null || corner === undefined || isInSight(this.camera, corner)) return;
    this.camera = centered(this.camera, corner);
  }

  private nearer(factor: number, at?: Point): void {
    if (this.camera !== null) this.camera = zoom(this.camera, factor, at);
  }

  private moved(by: Point): void {
    if (this.camera !== null) this.camera = pan(this.camera, by);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 4 * STEP : STEP;
    const act: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.moved([far, 0]),
      ArrowRight: () => this.moved([-far, 0]),
      ArrowUp: () => this.moved([0, far]),
      ArrowDown: () => this.moved([0, -far]),
      "+": () => this.nearer(1.5),
      "=": () => this.nearer(1.5),
      "-": () => this.nearer(1 / 1.5),
      "0": () => this.showAll(),
    };
    const does = act[event.key];
    if (does === undefined || event.composedPath()[0] !== this.sheet) return;
    event.preventDefault();
    does();
  };

  private at(event: MouseEvent): Point {
    const { left, top } = this.sheet.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  private readonly onWheel = (event: WheelEvent): void => {
    const isChosen = this.shadowRoot?.activeElement === this.sheet;
    if (!isChosen && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.nearer(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) / 240), this.at(event));
  };

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.#pointers.set(event.pointerId, this.at(event));
    if (this.#pointers.size === 1) this.#moved = 0;
    this.sheet.setPointerCapture(event.pointerId);
  };

  private readonly onMove = (event: PointerEvent): void => {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const here = this.at(event);
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    this.#pointers.set(event.pointerId, here);
    const [dx, dy] = [here[0] - before[0], here[1] - before[1]];
    this.#moved += Math.hypot(dx, dy);
    if (this.#moved < STILL) return;
    const other = others[0]?.[1];
    if (other === undefined) return this.moved([dx, dy]);
    const span = (from: Point): number => Math.max(20, Math.hypot(from[0] - other[0], from[1] - other[1]));
    this.moved([dx / 2, dy / 2]);
    this.nearer(span(here) / span(before), [(here[0] + other[0]) / 2, (here[1] + other[1]) / 2]);
  };

  private readonly onUp = (event: PointerEvent): void => {
    const was = this.#pointers.delete(event.pointerId);
    if (!was || event.type === "pointercancel" || this.#moved >= STILL || this.camera === null) return;
    const index = hit(this.scene.places, this.at(event), this.camera);
    if (index !== null) this.dispatchEvent(new CustomEvent("place-hit", { detail: index }));
  };

  protected override updated(): void {
    const has = this.camera === null || hasCoast(this.camera);
    if (has !== this.#hasCoast) {
      this.#hasCoast = has;
      this.dispatchEvent(new CustomEvent("coast-changed", { detail: has }));
    }
    // A passive listener could not keep the page from scrolling.
    this.sheet.addEventListener("wheel", this.onWheel, { passive: false });
  }

  protected override render(): TemplateResult {
    const { m } = this;
    return html`<div class="sheet" tabindex="0" role="group" aria-label=${this.label} aria-describedby="keys"
        title=${m["map.wheel"]}
        @keydown=${this.onKey} @pointerdown=${this.onDown} @pointermove=${this.onMove} @pointerup=${this.onUp}
        @pointercancel=${this.onUp}>${this.camera === null ? nothing : this.drawing(this.camera)}</div>
      <p class="unseen" id="keys">${m["map.keys"]}</p>
      <div class="zoom">
        <button class="button icon" aria-label=${m["map.nearer"]} title=${m["map.nearer"]}
          @click=${() => this.nearer(1.6)}>${plusIcon()}</button>
        <button class="button icon" aria-label=${m["map.farther"]} title=${m["map.farther"]}
          @click=${() => this.nearer(1 / 1.6)}>${minusIcon()}</button>
        <button class="button icon" aria-label=${m["map.all"]} title=${m["map.all"]}
          @click=${() => this.showAll()}>${fillIcon()}</button>
      </div>`;
  }

  private drawing(camera: Camera): TemplateResult {
    const { width, height } = camera;
    const { isPlane, cells, query: asked, examined, places } = this.scene;
    const all = this.#all;
    const dots = dotsOf(all.points, camera);
    const lines = linePath(all.lines, camera);
    const chosen = this.chosen === null ? null : (places[this.chosen] ?? null);
    return html`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">
      ${isPlane ? nothing : this.world(camera)}
      <path class="grid" d=${this.gridPath(camera)}></path>
      ${
        cells === null
          ? nothing
          : svg`<g class="cells alone"><path class="line" d=${areaPaths(cells.alone, camera).line}></path></g>
            ${this.area("cells", cells.whole, camera)}`
      }
      ${
        asked === null
          ? nothing
          : svg`${this.area("query", asked.areas, camera)}
            <g class="query"><path class="line" d=${linePath(asked.lines, camera)}></path>${this.crosses(
              asked.points,
              camera,
            )}</g>`
      }
      ${
        examined === null
          ? nothing
          : svg`<g class="examined"><path class="line" d=${areaPaths(examined.areas, camera).line}></path><path
              class="line" d=${linePath(examined.lines, camera)}></path><path class="diamond"
              d=${diamondPath(examined.points, camera, dots.isCrowd ? 4 : 5.5)}></path></g>`
      }
      ${this.area("places", all.areas, camera)}
      <g class=${dots.isCrowd ? "places crowd" : "places"} stroke-width=${dots.size}>
        <path class="line under" d=${lines}></path>
        <path class="line" d=${lines}></path>
        ${dots.isCrowd ? nothing : svg`<path class="halo" stroke-width=${dots.size + 3} d=${dots.path}></path>`}
        <path class="dot" d=${dots.path}></path>
      </g>
      ${this.gridWords(camera)}
      ${chosen === null ? nothing : this.ring(chosen, camera)}
    </svg>`;
  }

  private area(look: string, areas: readonly Area[], camera: Camera): SVGTemplateResult {
    const { fill, line } = areaPaths(areas, camera);
    return svg`<g class=${look}><path class="fill" d=${fill}></path><path class="line" d=${line}></path></g>`;
  }

  /** Land and sea, or so near that they are not known one colour that is neither. */
  private world(camera: Camera): SVGTemplateResult {
    const [, top] = toScreen(camera, [0, 90]);
    const [, bottom] = toScreen(camera, [0, -90]);
    const isCoastal = hasCoast(camera);
    const land = isCoastal ? this.land : null;
    return svg`<rect class=${isCoastal ? "sea" : "near"} x="0" y=${Math.max(-2, top)} width=${camera.width}
        height=${Math.min(camera.height + 2, bottom) - Math.max(-2, top)}></rect>
      ${
        land === null
          ? nothing
          : svg`<path class="land" d=${fillPath(land.fill, camera)}></path><path class="coast"
              d=${linePath(land.outline, camera)}></path>`
      }`;
  }

  /** The lines that a reader counts by, each with its place on the screen. */
  private grid(camera: Camera): Record<"across" | "down", readonly { readonly value: number; readonly at: number }[]> {
    const { xs, ys } = gridLines(camera);
    return {
      across: ys.map((y) => ({ value: y, at: toScreen(camera, [0, y])[1] })),
      down: xs.map((x) => ({ value: x, at: toScreen(camera, [x, 0])[0] })),
    };
  }

  private gridPath(camera: Camera): string {
    const { across, down } = this.grid(camera);
    const { width, height } = camera;
    return [
      ...across.map(({ at }) => `M0 ${at.toFixed(1)}H${width}`),
      ...down.map(({ at }) => `M${at.toFixed(1)} 0V${height}`),
    ].join("");
  }

  /** Above the places, which may be many. */
  private gridWords(camera: Camera): SVGTemplateResult {
    const { across, down } = this.grid(camera);
    const { width, height, isPlane } = camera;
    const word = (value: number, signs: "EW" | "NS"): string =>
      isPlane ? String(value) : wordDegrees(value, signs, 4);
    return svg`${down
      .filter(({ at }) => at > 48 && at < width - 32)
      .map(({ value, at }) => svg`<text x=${at} y=${height - 6} class="x">${word(value, "EW")}</text>`)}
      ${across
        .filter(({ at }) => at > 14 && at < height - 22)
        .map(({ value, at }) => svg`<text x="6" y=${at - 3}>${word(value, "NS")}</text>`)}`;
  }

  private crosses(points: readonly Point[], camera: Camera): SVGTemplateResult {
    const d = points
      .map((point) => toScreen(camera, point))
      .map(([x, y]) => `M${x.toFixed(1)} ${(y - 9).toFixed(1)}v18m-9 -9h18`)
      .join("");
    return svg`<path class="cross under" d=${d}></path><path class="cross" d=${d}></path>`;
  }

  private ring({ points, lines, areas }: Drawn, camera: Camera): SVGTemplateResult {
    const line = areaPaths(areas, camera).line + linePath(lines, camera);
    return svg`<g class="chosen"><path class="line" d=${line}></path>
      <path class="ring" stroke-width="20" d=${pointPath(points, camera)}></path>
      <path class="gap" stroke-width="15" d=${pointPath(points, camera)}></path>
      <path class="dot" stroke-width="10" d=${pointPath(points, camera)}></path></g>`;
  }
}
