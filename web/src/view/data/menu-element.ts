/**
 * The base class of menus, by the ARIA pattern of a menu button.
 *
 * Invariants: a popover, so that it lies above everything and a press elsewhere closes it; arrows, Home, End and first
 * letters move; Escape and choosing give the focus back to where it came from before anything else opens.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { property, query } from "lit/decorators.js";
import { shared } from "../../look/shared.ts";
import { DataElement } from "./data-element.ts";

export interface MenuItem {
  readonly label: string;
  readonly does: () => void;
  /** Begins a group of its own. */
  readonly apart?: boolean;
  readonly dangerous?: boolean;
  /** Whether the item is the chosen one of several; undefined for an item that is no choice. */
  readonly checked?: boolean;
}

export abstract class MenuElement extends DataElement {
  /** The button below which the menu is laid out. */
  @property({ attribute: false }) anchor!: HTMLElement;
  /** Keys pressed before the menu was there. */
  @property({ attribute: false }) keys: readonly string[] = [];
  @query("[popover]") private menu!: HTMLElement;

  static override styles = [
    shared,
    css`
      [popover] {
        position: fixed; inset: auto; margin: 0; padding: 0.3rem; min-width: 12rem; width: max-content;
        max-width: min(28rem, calc(100vw - 1rem));
        border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink);
        box-shadow: 0 0.5rem 1.75rem var(--shade); overflow: auto;
      }
      button {
        display: block; width: 100%; min-height: 2rem; padding: 0.15rem 0.75rem; border-radius: var(--radius);
        font-size: var(--small); overflow-wrap: anywhere;
      }
      button[aria-checked="true"] { color: var(--rubric); font-style: italic; }
      button[aria-checked="true"]:lang(zh) { font-style: normal; }
      button:hover, button:focus-visible { background: var(--paper-3); }
      button:focus-visible { outline-offset: -2px; }
      button.dangerous { color: var(--rubric); }
      [role="separator"] { height: 1px; margin: 0.3rem 0.5rem; background: var(--rule); }
      @media (pointer: coarse) { button { min-height: 2.75rem; } }
    `,
  ];

  protected override firstUpdated(): void {
    const { menu } = this;
    menu.addEventListener("toggle", (event) => {
      if ((event as ToggleEvent).newState === "closed") this.dispatchEvent(new CustomEvent("closed"));
    });
    menu.showPopover();
    const at = this.anchor.getBoundingClientRect();
    const size = menu.getBoundingClientRect();
    const below = at.bottom + 4;
    menu.style.setProperty("left", `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`);
    menu.style.setProperty(
      "top",
      `${Math.max(8, below + size.height > innerHeight - 8 ? at.top - size.height - 4 : below)}px`,
    );
    menu.style.setProperty("max-height", `${innerHeight - 16}px`);
    (this.renderRoot.querySelector<HTMLElement>("[aria-checked=true]") ?? this.items()[0])?.focus();
    for (const key of this.keys) {
      if (key !== "Enter" && key !== " ") this.move(key);
      else
        return this.items()
          .find((item) => item.matches(":focus"))
          ?.click();
    }
  }

  private items(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  }

  protected abstract get label(): string;

  protected abstract entries(): readonly MenuItem[];

  /** The element that gets the focus when the menu closes. */
  protected get origin(): HTMLElement {
    return this.anchor;
  }

  protected override render(): TemplateResult {
    return html`<div popover role="menu" aria-label=${this.label}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}>
      ${this.entries().map(
        (item) =>
          html`${item.apart === true ? html`<div role="separator"></div>` : ""}<button
            role=${item.checked === undefined ? "menuitem" : "menuitemradio"} tabindex="-1"
            aria-checked=${item.checked === undefined ? nothing : String(item.checked)}
            class=${item.dangerous === true ? "dangerous" : ""}
            @click=${() => this.choose(item)}>${item.label}</button>`,
      )}
    </div>`;
  }

  private choose(item: MenuItem): void {
    this.close();
    item.does();
  }

  private close(): void {
    this.origin.focus();
    if (this.menu.matches(":popover-open")) this.menu.hidePopover();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || !this.move(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves, chooses or closes by a key; false for a key without a meaning in a menu. */
  private move(key: string): boolean {
    const items = this.items();
    const at = items.findIndex((item) => item.matches(":focus"));
    const to = (index: number): void => items[(index + items.length) % items.length]?.focus();
    if (key === "ArrowDown") to(at + 1);
    else if (key === "ArrowUp") to(at - 1);
    else if (key === "Home") to(0);
    else if (key === "End") to(items.length - 1);
    else if (key === "Escape" || key === "Tab") this.close();
    else if (key.length === 1 && key !== " ") {
      const wanted = key.toLocaleLowerCase();
      const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      rotated.find((item) => (item.textContent ?? "").trim().toLocaleLowerCase().startsWith(wanted))?.focus();
    } else return false;
    return true;
  }
}
