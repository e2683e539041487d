/**
 * `<page-splitter>`: a border that can be dragged or moved by arrows: the sewn fold between script and results, or the
 * plain edge of the data.
 *
 * Invariant: tells its new place (`moved`, null for the place where it began) or that it was folded away (`folded`);
 * the page lays itself out by that.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "./element.ts";
import { shared } from "../look/shared.ts";

@customElement("page-splitter")
export class PageSplitter extends PageElement {
  @property({ type: Number }) value = 0.5;
  @property({ type: Number }) min = 0.2;
  @property({ type: Number }) max = 0.8;
  @property() label = "";
  /** `vertical`: the part that it sizes is to its left; `horizontal`: above it. */
  @property({ reflect: true }) orientation: "vertical" | "horizontal" = "vertical";
  /** An edge sized in pixels, which can be folded away; otherwise the fold, sized as a share of its parent. */
  @property({ type: Boolean, reflect: true }) edge = false;
  /** The element of whose size it takes a share; its parent unless given. */
  @property({ attribute: false }) area: HTMLElement | null = null;

  static override styles = [
    shared,
    css`
      :host {
        position: relative; touch-action: none; z-index: 2; cursor: col-resize;
        background:
          linear-gradient(to right, transparent, var(--shade-2) 30%, var(--shade) 50%, var(--shade-2) 70%, transparent)
          var(--paper);
      }
      :host([orientation="horizontal"]) {
        cursor: row-resize;
        background:
          linear-gradient(to bottom, transparent, var(--shade-2) 30%, var(--shade) 50%, var(--shade-2) 70%, transparent)
          var(--paper);
      }
      :host(:focus-visible) { outline-offset: -2px; }
      i {
        position: absolute; pointer-events: none; inset: 1.25rem auto 1.25rem 50%; width: 2px; margin-left: -1px;
        background: repeating-linear-gradient(to bottom, var(--thread) 0 16px, transparent 16px 30px);
        border-radius: 1px;
      }
      :host([orientation="horizontal"]) i {
        inset: 50% 1.25rem auto 1.25rem; width: auto; height: 2px; margin: -1px 0 0;
        background: repeating-linear-gradient(to right, var(--thread) 0 16px, transparent 16px 30px);
      }
      :host(:hover) i, :host(:focus-visible) i { filter: brightness(1.15) saturate(1.3); }
      :host([edge]) { background: none; }
      :host([edge]:hover)::after, :host([edge]:focus-visible)::after {
        content: ""; position: absolute; inset: 1rem 35%; background: var(--rule-strong); border-radius: 2px;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("role", "separator");
    this.tabIndex = 0;
    this.addEventListener("pointerdown", this.onPointerDown);
    this.addEventListener("keydown", this.onKey);
    this.addEventListener("dblclick", () => this.dispatchEvent(new CustomEvent("moved", { detail: null })));
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const worded = (value: number): string => String(Math.round(this.edge ? value : value * 100));
    this.setAttribute("aria-orientation", this.orientation);
    this.setAttribute("aria-label", this.label);
    this.setAttribute("aria-valuemin", worded(this.min));
    this.setAttribute("aria-valuemax", worded(this.max));
    this.setAttribute("aria-valuenow", worded(this.value));
  }

  protected override render(): TemplateResult | typeof nothing {
    return this.edge ? nothing : html`<i></i>`;
  }

  private readonly onPointerDown = (event: PointerEvent): void => {
    const area = (this.area ?? this.parentElement)?.getBoundingClientRect();
    if (area === undefined || event.button !== 0) return;
    event.preventDefault();
    this.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void => {
      const [at, all] =
        this.orientation === "vertical"
          ? [moved.clientX - area.left, area.width]
          : [moved.clientY - area.top, area.height];
      this.put(this.edge ? at : at / all);
    };
    const end = (): void => {
      this.removeEventListener("pointermove", move);
      this.removeEventListener("pointerup", end);
      this.removeEventListener("pointercancel", end);
    };
    this.addEventListener("pointermove", move);
    this.addEventListener("pointerup", end);
    this.addEventListener("pointercancel", end);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const step = this.edge ? 16 : 0.02;
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: this.value - step,
      ArrowUp: this.value - step,
      ArrowRight: this.value + step,
      ArrowDown: this.value + step,
      Home: this.min,
      End: this.max,
    };
    const put = to[event.key];
    if (put !== undefined) this.put(put);
    else if (event.key === "Enter" && this.edge) this.dispatchEvent(new CustomEvent("folded"));
    else return;
    event.preventDefault();
  };

  private put(value: number): void {
    this.dispatchEvent(new CustomEvent("moved", { detail: Math.min(this.max, Math.max(this.min, value)) }));
  }
}
