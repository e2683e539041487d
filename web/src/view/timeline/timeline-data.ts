/**
 * `<timeline-data>`: the data as it was at a moment: databases and collections, and the documents of one in the views
 * that results have.
 *
 * Invariant: everything is read on the moment; nothing of the present is shown here.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Document } from "bson";
import { listCollections, listDatabases } from "../../client/catalog.ts";
import { wordFailure } from "../../state/controller.ts";
import type { CatalogDatabase } from "../../state/model.ts";
import { atMoment, readFirst, readMore } from "../../state/timeline/timeline.ts";
import "../results/value-table.ts";
import "../results/value-tree.ts";
import { shared } from "../../look/shared.ts";
import { TimelineElement, timelineStyles } from "./timeline-element.ts";

interface Shown {
  readonly database: string;
  readonly collection: string;
  readonly documents: readonly Document[];
  readonly cursorId: bigint;
  readonly reading: boolean;
}

@customElement("timeline-data")
export class TimelineData extends TimelineElement {
  @property({ attribute: false }) number = 0;
  /** The moment's data cannot be brought back, since the deployment is read-only. */
  @property({ type: Boolean }) fixed = false;
  @state() private databases: readonly CatalogDatabase[] | null = null;
  @state() private shown: Shown | null = null;
  @state() private failure = "";
  @state() private view: "tree" | "table" = "tree";

  static override styles = [
    shared,
    timelineStyles,
    css`
      .two { display: grid; grid-template-columns: minmax(9rem, 15rem) minmax(0, 1fr); gap: 1.25rem; }
      .database { padding: 0.35rem 0; }
      .database > .row { display: flex; align-items: center; justify-content: space-between; gap: 0.5rem; }
      .collections button {
        display: flex; justify-content: space-between; gap: 0.75rem; width: 100%; min-height: 1.9rem;
        align-items: baseline; padding: 0.2rem 0.5rem; border-left: 2px solid transparent; font-size: var(--small);
      }
      .collections button:hover { background: var(--paper-2); }
      .collections [aria-current="true"] { background: var(--paper-3); border-left-color: var(--rubric); }
      .collections span:first-child { overflow-wrap: anywhere; }
      .collections .facts { white-space: nowrap; font-size: var(--tiny); }
      .one > * + * { margin-top: 0.5rem; }
      .bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.35rem 1rem; }
      @media (max-width: 759px) { .two { grid-template-columns: minmax(0, 1fr); } }
      @media (pointer: coarse) { .collections button { min-height: 2.5rem; align-items: center; } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("number")) void this.read();
  }

  private async read(): Promise<void> {
    const { number } = this;
    const before = this.shown;
    this.failure = "";
    try {
      const at = atMoment(this.controller, number);
      const databases: CatalogDatabase[] = [];
      for (const summary of await listDatabases(at))
        databases.push({ summary, collections: await listCollections(at, summary.name) });
      if (number !== this.number) return;
      this.databases = databases;
      // The collection in sight stays in sight from moment to moment, where the next one has it.
      const all = databases.flatMap(({ summary, collections }) =>
        collections.map(({ name }) => ({ database: summary.name, collection: name })),
      );
      const same = all.find((one) => one.database === before?.database && one.collection === before.collection);
      const first = same ?? all[0];
      if (first === undefined) this.shown = null;
      else await this.open(first.database, first.collection);
    } catch (error) {
      if (number === this.number) this.failure = wordFailure(error);
    }
  }

  private async open(database: string, collection: string): Promise<void> {
    const { number } = this;
    try {
      const page = await readFirst(this.controller, number, database, collection);
      if (number === this.number) this.shown = { database, collection, ...page, reading: false };
    } catch (error) {
      if (number === this.number) this.failure = wordFailure(error);
    }
  }

  private async more(): Promise<void> {
    const { shown } = this;
    if (shown === null || shown.cursorId === 0n || shown.reading) return;
    const reading = { ...shown, reading: true };
    this.shown = reading;
    try {
      const page = await readMore(this.controller, shown.cursorId, shown.database, shown.collection);
      if (this.shown !== reading) return;
      const documents = [...shown.documents, ...page.documents];
      this.shown = { ...shown, documents, cursorId: page.cursorId, reading: false };
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  private restore(database: string, collection?: string): void {
    const detail = collection === undefined ? { database } : { database, collection };
    this.dispatchEvent(new CustomEvent("restore", { detail }));
  }

  protected override render(): TemplateResult {
    const { t, databases, shown } = this;
    if (this.failure !== "") return html`<p class="failure" role="alert">${this.failure}</p>`;
    if (databases === null) return html`<p class="quietly" role="status">${t["timeline.reading"]}</p>`;
    if (databases.length === 0) return html`<p class="quietly" role="status">${t["data.empty"]}</p>`;
    return html`<div class="two"><div>${databases.map((one) => this.database(one))}</div>
      <div class="one">${shown === null ? nothing : this.documents(shown)}</div></div>`;
  }

  private database({ summary, collections }: CatalogDatabase): TemplateResult {
    const { t, words, shown } = this;
    const { name } = summary;
    return html`<div class="database"><div class="row"><h4>${name}</h4>${
      this.fixed
        ? nothing
        : html`<button class="quiet" aria-label=${t["moment.restore.one"](name)}
          @click=${() => this.restore(name)}>${t["moment.restore"]}</button>`
    }</div><ul class="collections">${collections.map(
      (one) => html`<li><button
        aria-current=${String(shown?.database === name && shown.collection === one.name)}
        @click=${() => void this.open(name, one.name)}><span>${one.name}</span><span class="facts">${
          one.type === "view" ? t["data.view"] : words.number(one.count)
        }</span></button></li>`,
    )}</ul></div>`;
  }

  private documents({ database, collection, documents, cursorId, reading }: Shown): TemplateResult {
    const { t, m, words } = this;
    const ns = `${database}.${collection}`;
    return html`<div class="bar"><h4><code>${ns}</code></h4>${
      this.fixed
        ? nothing
        : html`<button class="button" @click=${() => this.restore(database, collection)}>${
            t["moment.restore.collection"]
          }</button>`
    }</div>
      <div class="views" role="group" aria-label=${t["data.views"]}>${(["tree", "table"] as const).map(
        (view) =>
          html`<button aria-pressed=${String(view === this.view)}
            @click=${() => (this.view = view)}>${m[`leaf.view.${view}`]}</button>`,
      )}</div>
      ${
        documents.length === 0
          ? html`<p class="quietly">${t["data.noDocuments"]}</p>`
          : this.view === "tree"
            ? html`<value-tree .values=${documents} shape="documents"
              @near-end=${() => void this.more()}></value-tree>`
            : html`<value-table .rows=${documents} ?more=${cursorId !== 0n}
              @near-end=${() => void this.more()}></value-table>`
      }
      <p class="buttons facts"><span>${t["data.shown"](words.number(documents.length))}</span>${
        cursorId === 0n
          ? nothing
          : html`<button class="button" aria-disabled=${String(reading)} @click=${() => void this.more()}>${
              t["data.more"]
            }</button>`
      }</p>`;
  }
}
