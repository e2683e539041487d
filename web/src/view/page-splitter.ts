/**
 * `<page-splitter>`: the fold between script and results, drawn as a sewn fold, which can be dragged or moved by arrows.
 *
 * Invariant: says where it was put; the page decides what that means for its layout.
 */
import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { clampSplit } from "../state/settings.ts";
import { PageElement } from "./element.ts";
import { shared } from "./styles/shared.ts";

@customElement("page-splitter")
export class PageSplitter extends PageElement {
  /** The share of the script, from 0.2 to 0.8. */
  @property({ type: Number }) split = 0.5;
  /** `vertical`: script to the left; `horizontal`: script above. */
  @property({ reflect: true }) orientation: "vertical" | "horizontal" = "vertical";

  static override styles = [
    shared,
    css`
      :host { position: relative; touch-action: none; z-index: 2; cursor: col-resize; background: linear-gradient(to right, transparent, var(--shade-2) 30%, var(--shade) 50%, var(--shade-2) 70%, transparent) var(--paper); }
      :host([orientation="horizontal"]) { cursor: row-resize; background: linear-gradient(to bottom, transparent, var(--shade-2) 30%, var(--shade) 50%, var(--shade-2) 70%, transparent) var(--paper); }
      :host(:focus-visible) { outline-offset: -2px; }
      i { position: absolute; pointer-events: none; inset: 1.25rem auto 1.25rem 50%; width: 2px; margin-left: -1px; background: repeating-linear-gradient(to bottom, var(--thread) 0 16px, transparent 16px 30px); border-radius: 1px; }
      :host([orientation="horizontal"]) i { inset: 50% 1.25rem auto 1.25rem; width: auto; height: 2px; margin: -1px 0 0; background: repeating-linear-gradient(to right, var(--thread) 0 16px, transparent 16px 30px); }
      :host(:hover) i, :host(:focus-visible) i { filter: brightness(1.15) saturate(1.3); }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("role", "separator");
    this.tabIndex = 0;
    this.addEventListener("pointerdown", this.onPointerDown);
    this.addEventListener("keydown", this.onKey);
    this.addEventListener("dblclick", () => this.put(0.5));
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.setAttribute("aria-orientation", this.orientation);
    this.setAttribute("aria-label", this.m[this.orientation === "vertical" ? "script.splitter" : "script.splitterRows"]);
    this.setAttribute("aria-valuemin", "20");
    this.setAttribute("aria-valuemax", "80");
    this.setAttribute("aria-valuenow", String(Math.round(this.split * 100)));
  }

  protected override render(): TemplateResult {
    return html`<i></i>`;
  }

  private readonly onPointerDown = (event: PointerEvent): void => {
    const area = this.parentElement?.getBoundingClientRect();
    if (area === undefined || event.button !== 0) return;
    event.preventDefault();
    this.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void =>
      this.put(this.orientation === "vertical" ? (moved.clientX - area.left) / area.width : (moved.clientY - area.top) / area.height);
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
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02, Home: -1, End: 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.put(this.split + step);
  };

  private put(split: number): void {
    this.store.dispatch({ kind: "settings-changed", change: { split: clampSplit(split) } });
  }
}
