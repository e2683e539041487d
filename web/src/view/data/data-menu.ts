/**
 * `<data-menu>`: the menu of a database, a collection or an index, by the ARIA pattern of a menu button.
 *
 * Invariants: a popover, so that it lies above everything and a press elsewhere closes it; arrows, Home, End and first
 * letters move; Escape and choosing give the focus back to the button before anything else opens.
 */
import { css, html, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import { hideIndex } from "../../state/data/administer.ts";
import type { DataDialog } from "../../state/model.ts";
import { shared } from "../styles/shared.ts";
import { referenceTo, type MenuTarget } from "./menu-target.ts";
import { DataElement } from "./data-element.ts";

interface Item {
  readonly label: string;
  readonly does: () => void;
  /** Begins a group of its own. */
  readonly apart?: boolean;
  readonly dangerous?: boolean;
}

@customElement("data-menu")
export class DataMenu extends DataElement {
  @property({ attribute: false }) target!: MenuTarget;
  @property({ attribute: false }) anchor!: HTMLElement;
  /** Keys pressed before the menu was there. */
  @property({ attribute: false }) keys: readonly string[] = [];
  @query("[popover]") private menu!: HTMLElement;

  static override styles = [
    shared,
    css`
      [popover] {
        position: fixed; inset: auto; margin: 0; padding: 0.3rem; min-width: 12rem; max-width: calc(100vw - 1rem);
        border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink);
        box-shadow: 0 0.5rem 1.75rem var(--shade); overflow: auto;
      }
      button {
        display: block; width: 100%; min-height: 2rem; padding: 0.15rem 0.75rem; border-radius: var(--radius);
        font-size: var(--small); white-space: nowrap;
      }
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
    this.items()[0]?.focus();
    for (const key of this.keys) {
      if (key !== "Enter" && key !== " ") this.move(key);
      else
        return this.items()
          .find((item) => item.matches(":focus"))
          ?.click();
    }
  }

  private items(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  protected override render(): TemplateResult {
    const { target } = this;
    const name =
      target.kind === "list"
        ? this.m["data.create"]
        : target.kind === "database"
          ? target.database
          : target.kind === "index"
            ? target.index.name
            : target.collection.name;
    return html`<div popover role="menu" aria-label=${target.kind === "list" ? name : this.d["menu.label"](name)}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}>
      ${this.entries().map(
        (item) =>
          html`${item.apart === true ? html`<div role="separator"></div>` : ""}<button role="menuitem" tabindex="-1"
            class=${item.dangerous === true ? "dangerous" : ""}
            @click=${() => this.choose(item)}>${item.label}</button>`,
      )}
    </div>`;
  }

  private choose(item: Item): void {
    this.close();
    item.does();
  }

  private close(): void {
    this.anchor.focus();
    if (this.menu.matches(":popover-open")) this.menu.hidePopover();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || !this.move(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Does what a key asks for; false for one that means nothing here. */
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

  private open(dialog: DataDialog): void {
    this.store.dispatch({ kind: "data-dialog-changed", dialog });
  }

  private entries(): readonly Item[] {
    const { target } = this;
    switch (target.kind) {
      case "list":
        return [
          {
            label: this.d["menu.createCollection"],
            does: () => this.open({ kind: "create-collection", database: target.database }),
          },
          {
            label: this.d["menu.import"],
            does: () => this.open({ kind: "import", database: target.database, collection: "", files: [] }),
          },
          { label: this.d["menu.samples"], does: () => this.open({ kind: "samples" }) },
          ...(this.store.state.catalog.databases.length === 0
            ? []
            : [
                { label: this.d["menu.dumpAll"], apart: true, does: () => this.open({ kind: "dump", database: null }) },
              ]),
        ];
      case "database":
        return this.ofDatabase(target.database);
      case "collection":
        return this.ofCollection(target);
      case "index":
        return this.ofIndex(target);
    }
  }

  private ofDatabase(database: string): readonly Item[] {
    const { d } = this;
    return [
      { label: d["menu.use"], does: () => this.store.dispatch({ kind: "database-chosen", database }) },
      { label: d["menu.createCollection"], does: () => this.open({ kind: "create-collection", database }) },
      { label: d["menu.import"], does: () => this.open({ kind: "import", database, collection: "", files: [] }) },
      { label: d["menu.export"], does: () => this.open({ kind: "dump", database }) },
      { label: d["menu.copyName"], does: () => void this.copy(database) },
      {
        label: d["menu.dropDatabase"],
        apart: true,
        dangerous: true,
        does: () => this.open({ kind: "drop-database", database }),
      },
    ];
  }

  private ofCollection({
    database,
    collection: { name: collection, type },
  }: Extract<MenuTarget, { kind: "collection" }>): readonly Item[] {
    const { d } = this;
    const find = (): void => {
      this.use(database);
      void this.controller.run(`${referenceTo(collection)}.find()`);
    };
    const write = (): void => {
      this.use(database);
      this.services.insert(`${referenceTo(collection)}.`);
    };
    const isView = type === "view";
    return [
      { label: d["menu.find"], does: find },
      { label: d["menu.schema"], does: () => this.open({ kind: "schema", database, collection }) },
      { label: d["menu.script"], does: write },
      { label: d["menu.copyName"], does: () => void this.copy(collection) },
      ...(isView
        ? [{ label: d["menu.export"], apart: true, does: () => this.open({ kind: "export", database, collection }) }]
        : [
            {
              label: d["menu.import"],
              apart: true,
              does: () => this.open({ kind: "import", database, collection, files: [] }),
            },
            { label: d["menu.export"], does: () => this.open({ kind: "export", database, collection }) },
            {
              label: d["menu.createIndex"],
              apart: true,
              does: () => this.open({ kind: "create-index", database, collection }),
            },
            { label: d["menu.rename"], does: () => this.open({ kind: "rename-collection", database, collection }) },
          ]),
      {
        label: isView ? d["menu.dropView"] : d["menu.dropCollection"],
        apart: true,
        dangerous: true,
        does: () => this.open({ kind: "drop-collection", database, collection }),
      },
    ];
  }

  private ofIndex({
    database,
    collection: { name: collection },
    index,
  }: Extract<MenuTarget, { kind: "index" }>): readonly Item[] {
    const { d } = this;
    const hide = async (): Promise<void> => {
      try {
        await hideIndex(this.controller, database, collection, index.name, !index.hidden);
        await this.controller.wrote();
      } catch (error) {
        this.controller.notice("bad", wordFailure(error));
      }
    };
    return [
      { label: index.hidden ? d["menu.showIndex"] : d["menu.hideIndex"], does: () => void hide() },
      { label: d["menu.copyName"], does: () => void this.copy(index.name) },
      {
        label: d["menu.dropIndex"],
        apart: true,
        dangerous: true,
        does: () => this.open({ kind: "drop-index", database, collection, index: index.name }),
      },
    ];
  }

  private use(database: string): void {
    if (database !== this.store.state.database) this.store.dispatch({ kind: "database-chosen", database });
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.controller.notice("good", this.d["menu.copied"]);
    } catch {
      this.controller.notice("bad", this.d["menu.copyFailed"]);
    }
  }
}
