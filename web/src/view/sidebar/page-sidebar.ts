/**
 * `<page-sidebar>`: databases, their collections with counts, sizes and what is special about them, and their indexes.
 *
 * Invariants: nested lists of plain buttons, so every reader's keyboard and screen reader knows them; which collections
 * are open is all it remembers.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { CollectionSummary, IndexSummary } from "../../client/client.ts";
import { lessons } from "../../lessons/lessons.ts";
import type { AppState, CatalogDatabase } from "../../state/model.ts";
import { preview } from "../../state/values.ts";
import { PageElement } from "../element.ts";
import { chevronRight, databaseIcon, penIcon, refreshIcon } from "../icons.ts";
import { shared } from "../styles/shared.ts";
import { sidebarStyles } from "./sidebar-styles.ts";

@customElement("page-sidebar")
export class PageSidebar extends PageElement {
  @property({ attribute: false }) app!: AppState;
  @state() private open: ReadonlySet<string> = new Set();

  static override styles = [shared, sidebarStyles];

  protected override render(): TemplateResult {
    const { m } = this;
    return html`<div class="head">
        <h2 class="running-head">${m["data.title"]}</h2>
        <button class="quiet icon" aria-label=${m["data.refresh"]} title=${m["data.refresh"]} @click=${() => void this.controller.refresh()}>${refreshIcon()}</button>
      </div>
      <div class="list">${this.content()}</div>`;
  }

  private content(): TemplateResult {
    const { m, app } = this;
    const catalog = app.catalog;
    if (app.engine.kind === "failed") return html`<p class="failure">${m["storage.explain.failed"]}</p>`;
    if (catalog.failure !== null) return html`<p class="failure" role="alert">${m["data.failed"]}<br /><code>${catalog.failure}</code></p>`;
    if (!catalog.loaded) return html`<p class="note">${m["data.loading"]}</p>`;
    if (catalog.databases.length === 0) return this.empty();
    return html`<ul>${catalog.databases.map((database) => this.database(database))}</ul>`;
  }

  private empty(): TemplateResult {
    const { m } = this;
    return html`<div class="empty">
      <h3>${m["data.empty.title"]}</h3>
      <p>${m["data.empty.body"]}</p>
      <ul>${lessons.slice(0, 3).map((lesson) => html`<li><button @click=${() => this.dispatchEvent(new CustomEvent("lesson", { detail: lesson.id, bubbles: true, composed: true }))}>${m[`lesson.${lesson.id}`]}</button></li>`)}</ul>
    </div>`;
  }

  private database({ summary, collections }: CatalogDatabase): TemplateResult {
    const { m, app } = this;
    const current = summary.name === app.database;
    return html`<li class="database">
      <button class="dbname" aria-current=${current ? "true" : nothing} title=${m["data.use"](summary.name)} @click=${() => this.store.dispatch({ kind: "database-chosen", database: summary.name })}>
        ${databaseIcon()}<span>${summary.name}</span>${current ? html`<em>${m["data.current"]}</em>` : nothing}
        <small>${this.words.size(summary.sizeOnDisk)}</small>
      </button>
      ${collections.length === 0 ? html`<p class="note">${m["data.noCollections"]}</p>` : html`<ul>${collections.map((collection) => this.collection(summary.name, collection))}</ul>`}
    </li>`;
  }

  private collection(database: string, collection: CollectionSummary): TemplateResult {
    const { m, words } = this;
    const key = `${database}.${collection.name}`;
    const opened = this.open.has(key);
    const ttl = collection.indexes.find((index) => index.expireAfterSeconds !== null);
    const count = m["data.count"](words.number(collection.count), collection.count === 1);
    return html`<li class="collection">
      <div class="row">
        ${collection.indexes.length === 0
          ? html`<span class="twist"></span>`
          : html`<button class="twist" aria-expanded=${String(opened)} aria-label=${m["data.indexes"](collection.name)} title=${m["data.indexes"](collection.name)} @click=${() => this.toggle(key)}>${chevronRight()}</button>`}
        <button class="name" title="${count}, ${words.size(collection.sizeBytes)}" @click=${() => this.find(database, collection.name)}>
          <span class="label">${collection.name}</span>
          ${collection.type === "view" ? html`<span class="badge">${m["data.view"]}</span>` : nothing}
          ${collection.capped ? html`<span class="badge capped" title=${m["data.capped.hint"]}>${m["data.capped"]}</span>` : nothing}
          ${ttl === undefined ? nothing : html`<span class="badge ttl" title=${this.ttlHint(ttl)}>${m["data.ttl"]}</span>`}
          <span class="count">${collection.type === "view" ? "" : words.number(collection.count)}</span>
          <span class="unseen">${m["data.find"](collection.name)}</span>
        </button>
        <button class="quiet icon pen" aria-label=${m["data.insert"](collection.name)} title=${m["data.insert"](collection.name)} @click=${() => this.services.insert(`${reference(collection.name)}.`)}>${penIcon()}</button>
      </div>
      ${opened ? html`<ul class="indexes"><li class="sizes">${m["data.size"](words.size(collection.sizeBytes))}</li>${collection.indexes.map((index) => this.index(index))}</ul>` : nothing}
    </li>`;
  }

  private index(index: IndexSummary): TemplateResult {
    const { m } = this;
    const badges: readonly (readonly [boolean, string])[] = [
      [index.unique, m["data.unique"]],
      [index.sparse, m["data.sparse"]],
      [index.partial, m["data.partial"]],
      [index.hidden, m["data.hidden"]],
    ];
    return html`<li>
      <code>${preview(index.key, 60)}</code>
      <span class="flags">
        ${badges.map(([has, name]) => (has ? html`<span class="badge">${name}</span>` : nothing))}
        ${index.expireAfterSeconds === null ? nothing : html`<span class="badge ttl" title=${this.ttlHint(index)}>${m["data.ttl"]} ${this.words.duration(index.expireAfterSeconds * 1000)}</span>`}
      </span>
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

  private find(database: string, collection: string): void {
    if (database !== this.app.database) this.store.dispatch({ kind: "database-chosen", database });
    void this.controller.run(`${reference(collection)}.find()`);
  }
}

/** How a script names a collection: by a property where that works. */
function reference(collection: string): string {
  return /^[A-Za-z]\w*$/.test(collection) ? `db.${collection}` : `db.getCollection(${JSON.stringify(collection)})`;
}
