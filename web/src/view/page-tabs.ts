/**
 * `<page-tabs>`: the open scripts as tabs. Arrows go from one to the next and open it; Delete closes, F2 names, and the
 * command key with Shift and an arrow moves. A pointer drags a tab to another place (`tab-drag.ts`, fetched by the
 * first press). Where they do not fit, arrows scroll them, and a menu lists them all (`tab-list.ts`).
 *
 * Invariants: one tab is in the order of focus, the open one; the cross is for a pointer only, as a tab can hold no
 * other control; a closed script can be brought back from the notice.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { AppState } from "../state/model.ts";
import { longestName, type ScriptTab } from "../state/tabs.ts";
import { PageElement } from "./element.ts";
import { chevronDown, chevronLeft, chevronRight, plusIcon } from "../look/icons.ts";
import { shared } from "../look/shared.ts";
import { tabTitle } from "./tab-title.ts";

@customElement("page-tabs")
export class PageTabs extends PageElement {
  @property({ attribute: false }) app!: AppState;
  /** The tab whose name is being written. */
  @state() private naming: number | null = null;
  /** How the strip can be scrolled; the arrows are there where it can be at all. */
  @state() private scrolls = { left: false, right: false };
  /** The button of the list of all scripts, while that is open. */
  @state() private listed: HTMLElement | null = null;
  readonly #resized = new ResizeObserver(() => this.measure());
  @query("input") private input!: HTMLInputElement | null;
  @query("[role=tablist]") private list!: HTMLElement;
  @query(".mark") private mark!: HTMLElement;
  @query("[aria-selected=true]") private open!: HTMLElement | null;

  static override styles = [
    shared,
    css`
      :host { position: relative; display: flex; min-width: 0; flex: 1; align-self: stretch; align-items: stretch; }
      [role="tablist"] {
        position: relative; display: flex; min-width: 0; overflow-x: auto; scrollbar-width: none;
        overscroll-behavior-x: contain;
      }
      [role="tab"] {
        display: flex; align-items: center; gap: 0.15rem; flex: none; max-width: 13rem; padding: 0 0.2rem 0 0.85rem;
        font-size: var(--small); color: var(--ink-2); border-right: 1px solid var(--rule);
        box-shadow: inset 0 -1px var(--rule);
      }
      [role="tab"]:hover { background: var(--paper-2); }
      [role="tab"]:focus-visible { outline-offset: -3px; }
      [role="tab"][aria-selected="true"] {
        color: var(--ink); font-style: italic; box-shadow: inset 0 2px var(--thread);
      }
      :lang(zh) [role="tab"][aria-selected="true"] { font-style: normal; }
      [role="tab"] b { min-width: 0; font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .cross {
        display: grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: var(--radius);
        color: var(--ink-3); font-style: normal; visibility: hidden;
      }
      [role="tab"]:hover .cross, [aria-selected="true"] .cross { visibility: visible; }
      [role="tab"][data-dragged] {
        z-index: 2; background: var(--paper); box-shadow: 0 2px 0.6rem var(--shade), inset 0 2px var(--thread);
        cursor: grabbing;
      }
      .mark {
        position: absolute; inset-block: 0.35rem; z-index: 3; width: 2px; background: var(--thread);
        pointer-events: none;
      }
      .cross:hover { background: var(--paper-3); color: var(--ink); }
      .add { align-self: center; margin: 0 0.15rem; flex: none; }
      .scroll { align-self: center; flex: none; width: 1.4rem; }
      .scroll:disabled { color: var(--rule-strong); }
      .all { align-self: center; flex: none; }
      .all svg { width: 0.8rem; height: 0.8rem; }
      input {
        position: absolute; inset-block: 0.45rem; z-index: 3; min-width: 9rem; padding: 0 0.5rem;
        font-size: var(--small); border: 1px solid var(--rule-strong); border-radius: var(--radius);
        background: var(--paper); color: var(--ink);
      }
      @media (pointer: coarse) { .cross { width: 2rem; height: 2rem; } input { font-size: 1rem; } }
    `,
  ];

  protected override firstUpdated(): void {
    // A finger that drags must not scroll; whether it does is known only once it moves.
    this.list.addEventListener(
      "touchmove",
      (event) => event.cancelable && this.list.querySelector("[data-dragged]") !== null && event.preventDefault(),
      { passive: false },
    );
    this.list.addEventListener("scroll", () => this.measure(), { passive: true });
    this.#resized.observe(this.list);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  /** Whether tabs lie beyond the ends of the strip. */
  private measure(): void {
    const { scrollLeft, scrollWidth, clientWidth } = this.list;
    const left = scrollLeft > 1;
    const right = scrollLeft + clientWidth < scrollWidth - 1;
    if (left !== this.scrolls.left || right !== this.scrolls.right) this.scrolls = { left, right };
  }

  private scroll_(by: number): void {
    this.list.scrollLeft += by * Math.max(80, this.list.clientWidth * 0.8);
  }

  private async openList(anchor: HTMLElement): Promise<void> {
    await import("./tab-list.ts");
    this.listed = anchor;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("app")) return;
    const before = changed.get("app") as AppState | undefined;
    // The first time with the first frame: measuring would make the browser lay the page out once more.
    if (before === undefined) requestAnimationFrame(() => this.show());
    else if (before.tabs !== this.app.tabs || before.openTab !== this.app.openTab) this.show();
  }

  /** Scrolls to the open tab, by hand: `scrollIntoView` would move where the Tab key begins. */
  private show(): void {
    const { open } = this;
    const list = open?.parentElement;
    if (open == null || list == null) return;
    list.scrollLeft = Math.min(
      open.offsetLeft,
      Math.max(list.scrollLeft, open.offsetLeft + open.offsetWidth - list.clientWidth),
    );
    this.measure();
  }

  protected override render(): TemplateResult {
    const { m, app, scrolls } = this;
    const arrow = (name: "left" | "right", icon: () => TemplateResult): TemplateResult | typeof nothing =>
      scrolls.left || scrolls.right
        ? html`<button class="quiet icon scroll" tabindex="-1" aria-label=${m[`tabs.scroll.${name}`]}
            title=${m[`tabs.scroll.${name}`]} ?disabled=${!scrolls[name]}
            @click=${() => this.scroll_(name === "left" ? -1 : 1)}>${icon()}</button>`
        : nothing;
    return html`${arrow("left", chevronLeft)}<div role="tablist" aria-label=${m["tabs.label"]}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}>
        ${repeat(
          app.tabs,
          (tab) => tab.id,
          (tab) => this.tab(tab),
        )}<i class="mark" aria-hidden="true" hidden></i>
      </div>
      ${arrow("right", chevronRight)} ${this.naming === null ? nothing : this.nameField()}
      <button class="quiet icon add" aria-label=${m["tabs.add"]} title=${m["tabs.add"]}
        @click=${() => this.services.act("tab.new")}>${plusIcon()}</button>
      ${
        app.tabs.length < 2
          ? nothing
          : html`<button class="quiet icon all" aria-haspopup="menu" aria-expanded=${String(this.listed !== null)}
              aria-label=${m["tabs.all"]} title=${m["tabs.all"]}
              @click=${(event: Event) => void this.openList(event.currentTarget as HTMLElement)}
              @keydown=${(event: KeyboardEvent) => {
                if (event.key !== "ArrowDown") return;
                event.preventDefault();
                void this.openList(event.currentTarget as HTMLElement);
              }}>${chevronDown()}</button>`
      }
      ${
        this.listed === null
          ? nothing
          : html`<tab-list .app=${app} .anchor=${this.listed} @closed=${() => (this.listed = null)}></tab-list>`
      }`;
  }

  private tab(tab: ScriptTab): TemplateResult {
    const { m, app } = this;
    const open = tab.id === app.openTab;
    return html`<button
      role="tab"
      data-tab=${tab.id}
      aria-selected=${open ? "true" : "false"}
      aria-keyshortcuts="Delete F2"
      tabindex=${open ? "0" : "-1"}
      title=${m["tabs.hint"](tabTitle(m, tab))}
      @click=${(event: Event) =>
        (event.target as HTMLElement).closest(".cross") === null
          ? this.go(tab.id)
          : this.services.act("tab.close", tab.id)}
      @pointerdown=${(event: PointerEvent) => void this.press(event, tab.id)}
      @auxclick=${(event: MouseEvent) => event.button === 1 && this.services.act("tab.close", tab.id)}
      @dblclick=${() => void this.name(tab.id)}
    ><b>${tabTitle(m, tab)}</b><span class="cross" aria-hidden="true">×</span></button>`;
  }

  private nameField(): TemplateResult {
    const tab = this.app.tabs.find(({ id }) => id === this.naming);
    const end = (save: boolean): void => {
      const { naming, input } = this;
      this.naming = null;
      if (save && naming !== null && input !== null)
        this.store.dispatch({ kind: "tab-renamed", tab: naming, name: input.value });
    };
    return html`<input
      maxlength=${longestName}
      aria-label=${this.m["tabs.name"]}
      .value=${tab === undefined ? "" : tabTitle(this.m, tab)}
      @blur=${() => end(true)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        end(event.key === "Enter");
        void this.updateComplete.then(() => this.open?.focus());
      }}
    />`;
  }

  /** Opens the field for a tab's name, over the tab. */
  async name(id: number): Promise<void> {
    this.naming = id;
    await this.updateComplete;
    const tab = this.renderRoot.querySelector<HTMLElement>(`[data-tab="${id}"]`);
    if (this.input === null || tab === null) return;
    const left = tab.getBoundingClientRect().left - this.getBoundingClientRect().left;
    this.input.style.setProperty("left", `${Math.max(0, left)}px`);
    this.input.select();
  }

  /** A press on a tab may become a drag. */
  private async press(event: PointerEvent, id: number): Promise<void> {
    const tab = event.currentTarget as HTMLElement;
    if (event.button !== 0 || this.app.tabs.length < 2 || (event.target as HTMLElement).closest(".cross") !== null)
      return;
    const over = new AbortController();
    for (const end of ["pointerup", "pointercancel"])
      addEventListener(end, () => over.abort(), { signal: over.signal });
    if (event.pointerType !== "mouse")
      addEventListener(
        "pointermove",
        ({ clientX, clientY }) => Math.hypot(clientX - event.clientX, clientY - event.clientY) > 5 && over.abort(),
        { signal: over.signal },
      );
    const { followDrag } = await import("./tab-drag.ts");
    // The press may be over before the code that follows it was fetched, or the finger may have begun to scroll.
    if (over.signal.aborted) return;
    over.abort();
    followDrag(
      {
        list: this.list,
        tab,
        mark: this.mark,
        begun: () => this.go(id),
        moved: (by) => this.store.dispatch({ kind: "tab-moved", tab: id, by }),
      },
      event,
    );
  }

  private go(tab: number): void {
    this.store.dispatch({ kind: "tab-opened", tab });
  }

  private onKey(event: KeyboardEvent): void {
    const { tabs, openTab } = this.app;
    const at = tabs.findIndex((tab) => tab.id === openTab);
    const arrow = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (arrow !== 0 && event.shiftKey && (event.ctrlKey || event.metaKey))
      this.store.dispatch({ kind: "tab-moved", tab: openTab, by: arrow });
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (arrow !== 0) this.go(tabs[(at + arrow + tabs.length) % tabs.length]?.id ?? openTab);
    else if (event.key === "Home") this.go(tabs[0]?.id ?? openTab);
    else if (event.key === "End") this.go(tabs.at(-1)?.id ?? openTab);
    else if (event.key === "Delete") this.services.act("tab.close", openTab);
    else if (event.key === "F2") void this.name(openTab);
    else return;
    event.preventDefault();
    void this.updateComplete.then(() => this.naming === null && this.open?.focus());
  }
}
