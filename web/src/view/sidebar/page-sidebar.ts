/**
 * `<page-sidebar>`: databases, their collections with counts, sizes and options, and their indexes; a field that finds
 * them by name.
 *
 * Invariants: nested lists of plain buttons, so every reader's keyboard and screen reader knows them; up and down go
 * through names; a name is never cut; the open collections, the open menu and the text of the search are all it
 * remembers. A menu's items are fetched when the first one is opened; keys pressed until it is there are the menu's.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { CollectionSummary, IndexSummary } from "../../client/client.ts";
import { lessons } from "../../lessons/lessons.ts";
import type { AppState, CatalogDatabase, DataDialog } from "../../state/model.ts";
import { filterCatalog, wordIndexKey, type FilteredCatalog } from "../../state/catalog.ts";
import type { DropPlace } from "../dropped.ts";
import { PageElement } from "../element.ts";
import { referenceTo, type MenuTarget } from "../data/menu-target.ts";
import { chevronRight, databaseIcon, moreIcon, plusIcon, refreshIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { sidebarStyles } from "./sidebar-styles.ts";

@customElement("page-sidebar")
export class PageSidebar extends PageElement {
  @property({ attribute: false }) app!: AppState;
  /** The database and collection that a dragged file would go to; null while none is dragged. */
  @property({ attribute: false }) dropPlace: DropPlace | null = null;
  @state() private query = "";
  @query("input") private field!: HTMLInputElement | null;
  @state() private open: ReadonlySet<string> = new Set();
  @state() private menu: {
    readonly target: MenuTarget;
    readonly anchor: HTMLElement;
    readonly keys: readonly string[];
  } | null = null;
  /** The button whose menu is being fetched, and the keys pressed on it meanwhile. */
  #awaited: { readonly anchor: HTMLElement; readonly keys: string[] } | null = null;

  static override styles = [shared, sidebarStyles];

  protected override render(): TemplateResult {
    const { m, menu } = this;
    return html`<div class="head">
        <h2 class="running-head" tabindex="-1">${m["data.title"]}</h2>
        <span class="space"></span>
        ${
          this.app.deployment === null || this.app.deployment.mode === "read-only"
            ? nothing
            : this.actions({ kind: "list", database: this.app.database }, m["data.create"], plusIcon())
        }
        <button class="quiet icon" aria-label=${m["data.refresh"]} title=${m["data.refresh"]}
          @click=${() => void this.controller.refresh()}>${refreshIcon()}</button>
      </div>
      ${this.app.catalog.databases.length === 0 ? nothing : this.filter()}
      <div class="list" @keydown=${(event: KeyboardEvent) => this.onListKey(event)}>${this.content()}</div>
      ${
        menu === null
          ? nothing
          : keyed(
              menu,
              html`<data-menu .target=${menu.target} .anchor=${menu.anchor} .keys=${menu.keys}
        @closed=${() => this.menu === menu && ((this.menu = null))}></data-menu>`,
            )
      }`;
  }

  /** Where the focus goes when the row that had it is gone. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".running-head")?.focus();
  }

  private filter(): TemplateResult {
    const { m } = this;
    return html`<input type="search" aria-label=${m["data.filter"]} placeholder=${m["data.filter"]}
      autocomplete="off" spellcheck="false" .value=${this.query}
      @input=${(event: Event) => (this.query = (event.target as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => this.onFilterKey(event)} />`;
  }

  /** Puts the focus into the field that finds names. */
  find(): void {
    if (this.field === null) this.focus();
    else this.field.select();
  }

  private onFilterKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "Escape" && this.query !== "") {
      this.query = "";
      // The page would take it as a wish to go back to the script.
      event.stopPropagation();
    } else if (event.key === "ArrowDown") this.names()[0]?.focus();
    else if (event.key === "Enter") (this.renderRoot.querySelector<HTMLElement>(".name") ?? this.names()[0])?.click();
    else return;
    event.preventDefault();
  }

  /** The buttons with the names of databases and collections, in their order. */
  private names(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>(".dbname, .name")];
  }

  private onListKey(event: KeyboardEvent): void {
    const names = this.names();
    const at = names.findIndex((name) => name.matches(":focus"));
    if (event.defaultPrevented || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to: Readonly<Record<string, HTMLElement | null | undefined>> = {
      ArrowDown: names[at + 1],
      ArrowUp: at === 0 ? this.field : names[at - 1],
      Home: names[0],
      End: names.at(-1),
    };
    const next = to[event.key];
    if (next === undefined || next === null) return;
    event.preventDefault();
    next.focus();
  }

  /** A menu button: beside a row, or, with an icon of its own, for the list as a whole. */
  private actions(target: MenuTarget, name: string, icon: TemplateResult | null = null): TemplateResult {
    const label = icon === null ? this.m["data.actions"](name) : name;
    const isOpen = this.menu?.target.kind === target.kind && this.menu.anchor.getAttribute("aria-label") === label;
    return html`<button class="quiet icon ${icon === null ? "more" : ""}" aria-haspopup="menu"
      aria-expanded=${String(isOpen)} aria-label=${label} title=${label}
      @click=${(event: Event) => void this.openMenu(target, event.currentTarget as HTMLElement)}
      @keydown=${(event: KeyboardEvent) => this.onActionsKey(event, target)}>${icon ?? moreIcon()}</button>`;
  }

  private openDialog(dialog: DataDialog): void {
    this.store.dispatch({ kind: "data-dialog-changed", dialog });
  }

  private async openMenu(target: MenuTarget, anchor: HTMLElement): Promise<void> {
    if (this.#awaited?.anchor === anchor) return;
    const awaited = { anchor, keys: [] };
    this.#awaited = awaited;
    try {
      // An import takes its time even when all is there, and the next key may come before it.
      if (customElements.get("data-menu") === undefined) await import("../data/data-menu.ts");
      if (this.#awaited === awaited) this.menu = { target, ...awaited };
    } finally {
      if (this.#awaited === awaited) this.#awaited = null;
    }
  }

  private onActionsKey(event: KeyboardEvent, target: MenuTarget): void {
    const anchor = event.currentTarget as HTMLElement;
    const awaited = this.#awaited?.anchor === anchor ? this.#awaited : null;
    if (awaited === null) {
      if (event.key !== "ArrowDown") return;
      void this.openMenu(target, anchor);
    } else if (event.key === "Tab" || event.key === "Escape") {
      this.#awaited = null;
      return;
    } else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (!event.repeat) awaited.keys.push(event.key);
    event.preventDefault();
  }

  private content(): TemplateResult {
    const { m, app } = this;
    const catalog = app.catalog;
    if (app.engine.kind === "failed") return html`<p class="failure">${m["storage.explain.failed"]}</p>`;
    if (catalog.failure !== null)
      return html`<p class="failure" role="alert">${m["data.failed"]}<br /><code>${catalog.failure}</code></p>`;
    if (!catalog.loaded) return html`<p class="note">${m["data.loading"]}</p>`;
    if (catalog.databases.length === 0) return this.empty();
    const filtered = filterCatalog(catalog.databases, this.query);
    return html`<p class="unseen" role="status">${
      this.query.trim() === "" ? "" : m["data.found"](this.words.number(filtered.found))
    }</p>${
      filtered.found === 0 ? html`<p class="note" aria-hidden="true">${m["data.found"]("0")}</p>` : nothing
    }<ul>${filtered.databases.map((database) => this.database(database, filtered))}</ul>`;
  }

  private empty(): TemplateResult {
    const { m } = this;
    return html`<div class="empty">
      <h3>${m["data.empty.title"]}</h3>
      <p>${m["data.empty.body"]}</p>
      <ul>${lessons.slice(0, 3).map(
        (lesson) => html`<li><button
        @click=${() =>
          this.dispatchEvent(new CustomEvent("lesson", { detail: lesson.id, bubbles: true, composed: true }))}>${
          m[`lesson.${lesson.id}`]
        }</button></li>`,
      )}</ul>
      <p class="or">${m["data.empty.or"]}</p>
      <ul>
        <li><button @click=${() => this.openDialog({ kind: "samples" })}>${m["data.empty.samples"]}</button></li>
        <li><button @click=${() =>
          this.openDialog({ kind: "import", database: this.app.database, collection: "", files: [] })}>${
          m["data.empty.import"]
        }</button></li>
      </ul>
    </div>`;
  }

  private database({ summary, collections }: CatalogDatabase, filtered: FilteredCatalog): TemplateResult {
    const { m, app, dropPlace } = this;
    const current = summary.name === app.database;
    const meant = dropPlace?.database === summary.name && dropPlace.collection === "";
    return html`<li class="database" data-drop-database=${summary.name}>
      <div class="row ${meant ? "meant" : ""}"><button class="dbname" aria-current=${current ? "true" : nothing}
        title=${m["data.use"](summary.name)}
        @click=${() => this.store.dispatch({ kind: "database-chosen", database: summary.name })}>
        ${databaseIcon()}<span>${summary.name}</span>${current ? html`<em>${m["data.current"]}</em>` : nothing}
        <small class="figure">${this.words.size(summary.sizeOnDisk)}</small>
      </button>${this.actions({ kind: "database", database: summary.name }, summary.name)}</div>
      ${
        collections.length === 0
          ? html`<p class="note">${m["data.noCollections"]}</p>`
          : html`<ul>${collections.map((collection) =>
              this.collection(summary.name, collection, filtered.opened),
            )}</ul>`
      }
    </li>`;
  }

  private collection(database: string, collection: CollectionSummary, found: ReadonlySet<string>): TemplateResult {
    const { m, words, dropPlace } = this;
    const key = `${database}.${collection.name}`;
    const opened = this.open.has(key) || found.has(key);
    const meant = dropPlace?.database === database && dropPlace.collection === collection.name;
    const ttl = collection.indexes.find((index) => index.expireAfterSeconds !== null);
    const count = m["data.count"](words.number(collection.count), collection.count === 1);
    return html`<li class="collection" data-drop-database=${database}
      data-drop-collection=${collection.type === "view" ? "" : collection.name}>
      <div class="row ${meant ? "meant" : ""}">
        ${
          collection.indexes.length === 0
            ? html`<span class="twist"></span>`
            : html`<button class="twist" aria-expanded=${String(opened)}
              aria-label=${m["data.indexes"](collection.name)} title=${m["data.indexes"](collection.name)}
              @click=${() => this.toggle(key)}>${chevronRight()}</button>`
        }
        <button class="name" title="${count}, ${words.size(collection.sizeBytes)}"
          @click=${() => this.choose(database, collection.name)}>
          <span class="label">${collection.name}</span>
          ${collection.type === "view" ? html`<span class="badge">${m["data.view"]}</span>` : nothing}
          ${
            collection.capped
              ? html`<span class="badge capped" title=${m["data.capped.hint"]}>${m["data.capped"]}</span>`
              : nothing
          }
          ${
            ttl === undefined
              ? nothing
              : html`<span class="badge ttl" title=${this.ttlHint(ttl)}>${m["data.ttl"]}</span>`
          }
          <span class="count figure">${collection.type === "view" ? "" : words.number(collection.count)}</span>
          <span class="unseen">${m["data.find"](collection.name)}</span>
        </button>
        ${this.actions({ kind: "collection", database, collection }, collection.name)}
      </div>
      ${
        opened
          ? html`<ul class="indexes"><li
        class="sizes">${m["data.size"](words.size(collection.sizeBytes))}</li>${collection.indexes.map((index) =>
          this.index(database, collection, index),
        )}</ul>`
          : nothing
      }
    </li>`;
  }

  private index(database: string, collection: CollectionSummary, index: IndexSummary): TemplateResult {
    const { m } = this;
    const badges: readonly (readonly [boolean, string])[] = [
      [index.unique, m["data.unique"]],
      [index.sparse, m["data.sparse"]],
      [index.partial, m["data.partial"]],
      [index.hidden, m["data.hidden"]],
    ];
    return html`<li class="row">
      <span><code title=${index.name}>${wordIndexKey(index.key)}</code>
      <span class="flags">
        ${badges.map(([has, name]) => (has ? html`<span class="badge">${name}</span>` : nothing))}
        ${
          index.expireAfterSeconds === null
            ? nothing
            : html`<span class="badge ttl"
          title=${this.ttlHint(index)}>${m["data.ttl"]} ${this.words.duration(index.expireAfterSeconds * 1000)}</span>`
        }
      </span></span>
      <small class="figure">${this.words.size(index.sizeBytes)}</small>
      ${index.name === "_id_" ? nothing : this.actions({ kind: "index", database, collection, index }, index.name)}
    </li>`;
  }

  private ttlHint(index: IndexSummary): string {
    return this.m["data.ttl.hint"](this.words.duration((index.expireAfterSeconds ?? 0) * 1000));
  }

  private toggle(key: string): void {
    const open = new Set(this.open);
    if (!open.delete(key)) open.add(key);
    this.open = open;
  }

  private choose(database: string, collection: string): void {
    if (database !== this.app.database) this.store.dispatch({ kind: "database-chosen", database });
    // An open pane of the schema follows the chosen collection.
    if (this.app.schema !== null) this.store.dispatch({ kind: "schema-shown", schema: { database, collection } });
    void this.controller.run(`${referenceTo(collection)}.find()`);
  }
}
