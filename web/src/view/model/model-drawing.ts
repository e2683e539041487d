/**
 * `<model-drawing>`: a model's boxes and lines, on a sheet that is scrolled and scaled.
 *
 * Invariants: draws a scene and computes nothing of it; every box and line is reached by keys, one of them by Tab;
 * a box that is dragged or moved by keys says where it wants to be, and lies where the scene has it.
 */
import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Scene, SceneBox, SceneLine } from "../../state/model-view/scene.ts";
import { properties } from "../../look/cssom.ts";
import { fillIcon, minusIcon, plusIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { drawFrame, drawInside, drawLabel, drawWay } from "./drawn-shapes.ts";
import { drawingShapes, drawingStyles } from "./drawing-styles.ts";
import { isChosen, ModelElement, type ModelChoice } from "./model-element.ts";

/** The place to which a box is dragged, as the choices keep it; `done` once it was let go. */
export interface BoxMove {
  readonly collection: string;
  readonly x: number;
  readonly y: number;
  readonly done: boolean;
}

const smallest = 0.12;
/** The scale below which letters cannot be read: of a larger drawing a part is shown first. */
const readable = 0.75;
const readableOnPhone = 0.6;
const largest = 2;
/** Pixels that a pointer moves before a press is a drag. */
const slack = 4;
const step = 10;

interface Drag {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  /** The box that is dragged; null where the sheet is. */
  readonly box: SceneBox | null;
  readonly left: number;
  readonly top: number;
  isMoving: boolean;
}

@customElement("model-drawing")
export class ModelDrawing extends ModelElement {
  @property({ attribute: false }) scene!: Scene;
  @property({ attribute: false }) chosen: ModelChoice | null = null;
  /** The reader wants all of it in sight, however small. */
  @state() private isWhole = false;
  /** The scale; null for the one at which the drawing fits its pane. */
  @state() private zoom: number | null = null;
  @state() private fitting = 1;
  @state() private panning = false;
  /** The drawing's position while a box is dragged in it: centred it would move as it grows. */
  @state() private pinned: { readonly left: number; readonly top: number } | null = null;
  /** The id of the box or line that Tab comes to. */
  @state() private current = "";
  @query(".scroller") private scroller!: HTMLElement;
  #drag: Drag | null = null;
  #resized: ResizeObserver | null = null;

  static override styles = [shared, drawingShapes, drawingStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized = new ResizeObserver(() => this.fit());
    this.#resized.observe(this);
    this.addEventListener("wheel", this.onWheel, { passive: false });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized?.disconnect();
    this.removeEventListener("wheel", this.onWheel);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("scene")) return;
    this.fit();
    const known = this.order();
    if (!known.includes(this.current)) this.current = known[0] ?? "";
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this;
    if (clientWidth === 0) return;
    const { width, height } = this.scene;
    const wanted = Math.min(clientWidth / width, (clientHeight - 4) / height);
    const least = this.isWhole ? smallest : clientWidth < 500 ? readableOnPhone : readable;
    this.fitting = Math.min(1, Math.max(least, wanted));
  }

  private showWhole(): void {
    this.isWhole = true;
    this.zoom = null;
    this.fit();
  }

  private get scale(): number {
    return this.zoom ?? this.fitting;
  }

  /** Boxes in reading order, each with the lines that begin at it. */
  private order(): readonly string[] {
    const boxes = [...this.scene.boxes].sort((one, other) => one.x - other.x || one.y - other.y);
    return boxes.flatMap(({ name }) => [
      idOf("collection", name),
      ...this.scene.lines.filter(({ reference }) => reference.from === name).map(({ id }) => idOf("reference", id)),
    ]);
  }

  protected override render(): TemplateResult {
    const { t, scene, scale } = this;
    return html`<div class="scroller ${this.panning ? "panning" : ""}" role="group"
        aria-label=${t["model.drawing.label"]} aria-describedby="keys"
        @keydown=${(event: KeyboardEvent) => this.onKey(event)}
        @pointerdown=${(event: PointerEvent) => this.onPress(event)}
        @pointermove=${(event: PointerEvent) => this.onMove(event)}
        @pointerup=${(event: PointerEvent) => this.onRelease(event)}
        @pointercancel=${() => this.cancelDrag()}
        @focusin=${(event: FocusEvent) => this.onFocus(event)}>
        <div class="sheet ${this.pinned === null ? "" : "pinned"}"><svg role="presentation"
          viewBox="0 0 ${scene.width} ${scene.height}"
          ${properties({
            width: `${scene.width * scale}px`,
            height: `${scene.height * scale}px`,
            "margin-left": `${this.pinned?.left ?? 0}px`,
            "margin-top": `${this.pinned?.top ?? 0}px`,
          })}>
          ${scene.views.map(({ d }) => svg`<path class="source" d=${d}></path>`)}
          ${scene.lines.map((line) => this.line(line))}
          ${scene.lines.map((line) => this.label(line))}
          ${scene.boxes.map((box) => this.box(box))}
        </svg></div>
      </div>
      <p id="keys" hidden>${t["model.drawing.keys"]}</p>
      <div class="zoom">
        <button class="quiet icon" aria-label=${t["model.smaller"]} title=${t["model.smaller"]}
          ?disabled=${scale <= smallest} @click=${() => this.scaleTo(scale / 1.25)}>${minusIcon()}</button>
        <button class="quiet icon" aria-label=${t["model.whole"]} title=${t["model.whole"]}
          @click=${() => this.showWhole()}>${fillIcon()}</button>
        <button class="quiet icon" aria-label=${t["model.larger"]} title=${t["model.larger"]}
          ?disabled=${scale >= largest} @click=${() => this.scaleTo(scale * 1.25)}>${plusIcon()}</button>
      </div>`;
  }

  private box(box: SceneBox): SVGTemplateResult {
    const id = idOf("collection", box.name);
    // The frame alone is the button: with the texts in it, all of them would be the button's name.
    return svg`<g class="box ${box.kind} ${isChosen(this.chosen, "collection", box.name) ? "chosen" : ""}"
      transform="translate(${box.x} ${box.y})">
      <g role="button" data-id=${id} tabindex=${id === this.current ? 0 : -1}
        aria-label=${`${box.name}, ${box.caption}`}>${drawFrame(box)}</g>
      <g data-id=${id} aria-hidden="true">${drawInside(box)}</g>
    </g>`;
  }

  private looksOf(line: SceneLine): string {
    return [
      line.isConfirmed ? "confirmed" : "",
      line.dangles ? "dangles" : "",
      isChosen(this.chosen, "reference", line.id) ? "chosen" : "",
    ].join(" ");
  }

  private line(line: SceneLine): SVGTemplateResult {
    const { t } = this;
    const id = idOf("reference", line.id);
    const { from, path, to, key } = line.reference;
    const kind = line.reference.cardinality?.kind;
    const spoken = [
      line.name,
      t["line.spoken"](from, path, to, key),
      kind === undefined ? t["line.unmeasured"] : t[`kind.${kind}`],
      line.figures,
    ].filter((text) => text !== "");
    return svg`<g class="line ${this.looksOf(line)}" role="button" data-id=${id}
      tabindex=${id === this.current ? 0 : -1} aria-label=${spoken.join(", ")}>
      <path class="target" d=${line.d}></path>${drawWay(line)}
    </g>`;
  }

  /** A line's name and figures, drawn above all lines: another line would strike them out. */
  private label(line: SceneLine): SVGTemplateResult | typeof nothing {
    const drawn = drawLabel(line);
    if (drawn === null) return nothing;
    return svg`<g class="line ${this.looksOf(line)}" data-id=${idOf("reference", line.id)}
      aria-hidden="true">${drawn}</g>`;
  }

  private scaleTo(scale: number, at: { readonly x: number; readonly y: number } | null = null): void {
    const before = this.scale;
    this.zoom = Math.min(largest, Math.max(smallest, scale));
    const { scroller } = this;
    const box = scroller.getBoundingClientRect();
    const [x, y] = at === null ? [box.width / 2, box.height / 2] : [at.x - box.left, at.y - box.top];
    const [left, top] = [scroller.scrollLeft + x, scroller.scrollTop + y];
    const by = this.zoom / before;
    // The drawing's point at `at`, or in the pane's middle, stays where it was.
    void this.updateComplete.then(() => scroller.scrollTo(left * by - x, top * by - y));
  }

  private readonly onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.scaleTo(this.scale * Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
  };

  private onFocus(event: FocusEvent): void {
    const id = (event.target as Element).closest("[data-id]")?.getAttribute("data-id");
    if (id != null) this.current = id;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") return this.scaleTo(this.scale * 1.25);
    if (event.key === "-") return this.scaleTo(this.scale / 1.25);
    if (event.key === "0") return this.showWhole();
    const box = this.scene.boxes.find(({ name }) => idOf("collection", name) === this.current);
    const ways: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const way = ways[event.key];
    if (event.shiftKey) {
      if (way === undefined || box === undefined) return;
      event.preventDefault();
      this.tellMove(box, box.x + way[0] * step, box.y + way[1] * step, true);
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return this.choose(this.current, true);
    }
    const order = this.order();
    const at = order.indexOf(this.current);
    const to =
      way !== undefined ? at + way[0] + way[1] : event.key === "Home" ? 0 : event.key === "End" ? order.length - 1 : -1;
    const next = order[to];
    if (next === undefined) return;
    event.preventDefault();
    this.current = next;
    void this.updateComplete.then(() => this.focusCurrent());
  }

  /** Brings the focus to the box or line that Tab comes to. */
  focusCurrent(): void {
    this.renderRoot.querySelector<SVGElement>(`[data-id="${CSS.escape(this.current)}"]`)?.focus();
  }

  private choose(id: string, byKey: boolean): void {
    const choice = choiceOf(id);
    if (choice !== null) this.dispatchEvent(new CustomEvent("chose", { detail: { choice, byKey } }));
  }

  private onPress(event: PointerEvent): void {
    if (event.button !== 0) return;
    const target = event.target as Element;
    const id = target.closest("[data-id]")?.getAttribute("data-id") ?? null;
    const box = this.scene.boxes.find(({ name }) => idOf("collection", name) === id) ?? null;
    // Fingers scroll the sheet by themselves.
    if (event.pointerType !== "mouse" && box === null) return;
    if (id !== null && box === null) return;
    this.#drag = {
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      box,
      left: this.scroller.scrollLeft,
      top: this.scroller.scrollTop,
      isMoving: false,
    };
  }

  private onMove(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === null || drag.pointer !== event.pointerId) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoving) {
      if (Math.abs(x) + Math.abs(y) < slack) return;
      // A finger that moves over a box scrolls; boxes are for the mouse and the pen.
      if (event.pointerType === "touch") return void (this.#drag = null);
      drag.isMoving = true;
      this.scroller.setPointerCapture(event.pointerId);
      this.panning = true;
      if (drag.box !== null) this.pin();
    }
    if (drag.box === null) this.scroller.scrollTo(drag.left - x, drag.top - y);
    else this.tellMove(drag.box, drag.box.x + x / this.scale, drag.box.y + y / this.scale, false);
  }

  private onRelease(event: PointerEvent): void {
    const drag = this.#drag;
    this.cancelDrag();
    if (drag?.isMoving === true) {
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
      if (drag.box !== null) this.tellMove(drag.box, drag.box.x + x / this.scale, drag.box.y + y / this.scale, true);
      return;
    }
    const target = event.target as Element;
    const id = target.closest("[data-id]")?.getAttribute("data-id");
    if (id == null) return;
    const choice = choiceOf(id);
    if (target.closest("[data-more]") !== null && choice !== null)
      this.dispatchEvent(new CustomEvent("expanded", { detail: choice.id }));
    else this.choose(id, false);
  }

  private cancelDrag(): void {
    this.#drag = null;
    this.panning = false;
    this.pinned = null;
  }

  private pin(): void {
    const { scroller } = this;
    const [own, inside] = [
      scroller.getBoundingClientRect(),
      (this.renderRoot.querySelector(".sheet svg") as Element).getBoundingClientRect(),
    ];
    this.pinned = {
      left: inside.left - own.left - scroller.clientLeft + scroller.scrollLeft,
      top: inside.top - own.top - scroller.clientTop + scroller.scrollTop,
    };
  }

  private tellMove({ name }: SceneBox, x: number, y: number, done: boolean): void {
    const { origin } = this.scene;
    // The scale stays, however large the drawing becomes by that.
    this.zoom = this.scale;
    const detail: BoxMove = { collection: name, x: x - origin.x, y: y - origin.y, done };
    this.dispatchEvent(new CustomEvent("moved", { detail }));
  }
}

const idOf = (kind: ModelChoice["kind"], id: string): string => `${kind} ${id}`;

function choiceOf(id: string): ModelChoice | null {
  const [kind = "", ...rest] = id.split(" ");
  return kind === "reference" || kind === "collection" ? { kind, id: rest.join(" ") } : null;
}
