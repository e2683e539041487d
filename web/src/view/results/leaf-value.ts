/**
 * `<leaf-value>`: a run's value, in the view the reader chose, with the actions on all of it below.
 *
 * Invariant: the views draw values; the views that a value can be shown in are decided here.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { DeploymentState } from "../../protocol/state.ts";
import { originOf, type Origin } from "../../state/data/edit.ts";
import type { Judged } from "../../state/doubts/doubt.ts";
import { foundBy, type AppState, type CatalogDatabase, type GoneDocument, type Leaf } from "../../state/model.ts";
import type { MapSource } from "../../state/map/source.ts";
import type { LeafView, Settings } from "../../state/settings.ts";
import { sortedStatement } from "../../state/sorted-statement.ts";
import { isTabular } from "../../state/table.ts";
import { isNested, typeOf } from "../../state/values.ts";
import { longText } from "../../state/long-text.ts";
import { shared } from "../../look/shared.ts";
import { xrayHost } from "../xray-host.ts";
import { mapOf } from "./leaf-map.ts";
import { drawText } from "./long-text.ts";
import { isPlan } from "./page-insight.ts";
import "./page-insight.ts";
import { ResultElement } from "./result-element.ts";
import type { Picked, ValueBar } from "./value-bar.ts";
import "./value-bar.ts";
import { valueStyles } from "./value-styles.ts";
import type { Sorting } from "./value-table.ts";
import "./value-table.ts";
import "./value-text.ts";
import "./value-tree.ts";

/** Documents fetched when a reader scrolls to the end. */
const scrolledBatch = 500;
/** Text laid out in columns, as help is: it is scrolled to the side rather than wrapped. */
const COLUMNS = /^ +\S.* {2,}\S/m;

interface Drawable {
  readonly values: readonly unknown[];
  readonly shape: "documents" | "value";
  readonly views: readonly LeafView[];
  readonly gone?: readonly GoneDocument[];
}

@customElement("leaf-value")
export class LeafValueView extends ResultElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) settings!: Settings;
  @property({ attribute: false }) deployment: DeploymentState | null = null;
  /** The current value of the result, once the reader went to one. */
  @state() private picked: Picked | null = null;
  /** All batches are being fetched, until this says that they are enough. */
  @state() private fetchingAll = false;
  @state() private sorting: Sorting | null = null;
  #origin: Origin | null = null;
  #databases: readonly CatalogDatabase[] = [];
  #map: { readonly of: readonly unknown[]; readonly source: MapSource | null } | null = null;

  static override styles = [shared, valueStyles];

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("leaf") as Leaf | undefined;
    const isAnother = changed.has("leaf") && before?.value !== this.leaf.value;
    const { databases } = this.store.state.catalog;
    if (!isAnother && databases === this.#databases) return;
    this.#databases = databases;
    const { value } = this.leaf;
    const origin = value.kind === "cursor" ? originOf(value.cursor, databases) : null;
    // The catalog only tells views from collections: an origin that is still there is kept, and nothing is drawn again.
    if (isAnother || (origin === null) !== (this.#origin === null)) this.#origin = origin;
  }

  /** The catalog comes after the result of a page's first run. */
  protected override follows(now: AppState, before: AppState): boolean {
    return now.catalog !== before.catalog || super.follows(now, before);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { leaf, m } = this;
    const value = leaf.value;
    switch (value.kind) {
      case "none":
        return html`<p class="nothing">${this.d["leaf.none"]} <span>${this.d["leaf.none.hint"]}</span></p>`;
      case "text":
        return html`${this.plainInsight()}<pre
          class="worded ${COLUMNS.test(value.text) ? "columns" : ""}" tabindex="0" role="region"
          aria-label=${m["text.label"]}>${drawText(longText(value.text))}</pre>`;
      case "value":
        return html`${this.plainInsight()}${this.drawn(drawableValue(value.value))} ${this.paging()}`;
      case "lost":
        return html`<p class="nothing ended"><span>${this.r["lost"]}</span> ${this.again()}</p>`;
      case "cursor":
        return html`<page-insight .insight=${leaf.insight} .leaf=${leaf.number} .judged=${this.judged} .fetched=${
          value.fetched ?? null
        }
          ?ended=${value.batch.cursorId === 0n && value.ended?.more !== true}
          lang=${this.settings.language}></page-insight>
        ${
          value.documents.length === 0
            ? this.nothing(foundBy(value))
            : this.drawn({
                values: value.documents,
                shape: "documents",
                views: ["tree", "table", "text"],
                gone: value.gone,
              })
        }
        ${this.paging()}`;
    }
  }

  /** What is likely to be wrong in the open statement; undefined until that is known. */
  private get judged(): Judged | undefined {
    const { statements, open } = this.leaf;
    return statements[open ?? -1]?.judged;
  }

  /** A result without documents: it found none, or none of those that it found could be kept over a reload. */
  private nothing({ count, isCut }: ReturnType<typeof foundBy>): TemplateResult {
    if (isCut)
      return html`<p class="nothing ended"><span>${this.r["lost.documents"](this.words.number(count))}</span>
        ${this.again()}</p>`;
    return html`<p class="nothing">${this.d["leaf.noDocuments"]} <span>${this.d["leaf.noDocuments.hint"]}</span></p>`;
  }

  /** How a value that is no cursor was read, where its statement was one command with a plan. */
  private plainInsight(): TemplateResult | typeof nothing {
    const { insight, number } = this.leaf;
    if (insight.kind !== "explained" || insight.plain === undefined) return nothing;
    return html`<page-insight .insight=${insight} .leaf=${number} .judged=${this.judged}
      .fetched=${insight.plain.fetched}
      ?ended=${insight.plain.ended} lang=${this.settings.language}></page-insight>`;
  }

  private drawn(drawn: Drawable): TemplateResult {
    const { leaf, settings } = this;
    const hasMap = !drawn.views.includes("plan") && this.mapOf(drawn) !== null;
    const drawable: Drawable = hasMap ? { ...drawn, views: [...drawn.views, "map"] } : drawn;
    const wanted: LeafView = leaf.view ?? (drawable.views.includes("plan") ? "plan" : settings.resultView);
    const view = drawable.views.includes(wanted) ? wanted : (drawable.views[0] ?? "text");
    return html`${drawable.views.length < 2 ? nothing : this.chooser(drawable.views, view)}
      <div class="drawn" @picked=${(event: CustomEvent<Picked>) => (this.picked = event.detail)}
        @edit-asked=${() => void this.edit()}
        @near-end=${() => this.nearEnd()}>${this.inView(view, drawable)}</div>
      ${
        this.picked === null || view === "text" || view === "plan"
          ? nothing
          : html`<value-bar .leaf=${leaf} .values=${drawable.values} .gone=${drawable.gone ?? []} .picked=${this.picked}
            .origin=${this.deployment?.mode === "read-only" ? null : this.#origin} lang=${settings.language}
            @unpicked=${() => (this.picked = null)}></value-bar>`
      }`;
  }

  /** The source of the result's map, found once for each state of the result. */
  private mapOf({ values, gone = [] }: Drawable): MapSource | null {
    const { value, insight } = this.leaf;
    const of = [value, insight];
    if (this.#map === null || of.some((one, at) => one !== this.#map?.of[at])) {
      this.#map = { of, source: mapOf(this.leaf, values, gone, this.store.state.catalog.databases) };
    }
    return this.#map.source;
  }

  /** Changes the current value, where that can be. */
  private async edit(): Promise<void> {
    await this.updateComplete;
    await this.renderRoot.querySelector<ValueBar>("value-bar")?.editNow();
  }

  /** Fetches a batch more: the reader scrolled to the end of the documents fetched so far. */
  private nearEnd(): void {
    void this.controller.more(this.leaf.number, Math.max(scrolledBatch, this.settings.batchSize));
  }

  private async fetchAll(): Promise<void> {
    this.fetchingAll = true;
    await this.controller.all(this.leaf.number, () => !this.fetchingAll);
    this.fetchingAll = false;
  }

  private chooser(views: readonly LeafView[], chosen: LeafView): TemplateResult {
    return html`<div class="views" role="group" aria-label=${this.d["leaf.views"]}>
      ${views.map(
        (view) =>
          html`<button aria-pressed=${String(view === chosen)}
            @click=${() => this.store.dispatch({ kind: "leaf-viewed", leaf: this.leaf.number, view })}>${
              this.m[`leaf.view.${view}`]
            }</button>`,
      )}
    </div>`;
  }

  private inView(view: LeafView, { values, shape, gone = [] }: Drawable): TemplateResult {
    switch (view) {
      case "tree":
        return html`<value-tree .values=${values} .shape=${shape} .gone=${gone}></value-tree>`;
      case "table":
        return this.table(values, gone);
      case "text":
        return html`<value-text .values=${values} .shape=${shape} .format=${this.settings.textFormat}></value-text>`;
      case "map":
        return this.map(values, gone);
      case "plan":
        return html`<page-insight opened .insight=${{ kind: "explained" as const, explain: values[0] as object }}
          .judged=${this.judged}
          lang=${this.settings.language}></page-insight>`;
    }
  }

  private map(values: readonly unknown[], gone: readonly GoneDocument[]): TemplateResult {
    const source = this.mapOf({ values, gone, shape: "documents", views: [] });
    // The element upgrades in place when its code comes; where it cannot be had, the page tells so.
    import("../../xray/map/geo-lookup.ts").catch(() => undefined);
    return html`<geo-map .host=${xrayHost(this.controller, this.words)} .values=${source?.values ?? values}
      .command=${source?.command} .plan=${source?.plan ?? null} .known=${source?.known ?? []}
      ?more=${source?.more === true} ?isFirstOnly=${source?.isFirstOnly === true} lang=${this.settings.language}
      @place-chosen=${({ detail }: CustomEvent<number>) => this.pick(values, source?.values[detail])}></geo-map>`;
  }

  private pick(values: readonly unknown[], value: unknown): void {
    this.picked = { top: values.indexOf(value), path: [], value };
  }

  private table(values: readonly unknown[], gone: readonly GoneDocument[]): TemplateResult {
    const { value } = this.leaf;
    const cursor = value.kind === "cursor" ? value : null;
    const { sorting } = this;
    const sorted =
      cursor === null || sorting === null ? null : sortedStatement(cursor.cursor, sorting.column, sorting.direction);
    return html`<value-table .rows=${values} .gone=${gone} ?more=${cursor !== null && cursor.batch.cursorId !== 0n}
      .collection=${cursor?.batch.namespace ?? ""} .sorting=${sorting} ?askable=${sorted !== null}
      @sorted=${(event: CustomEvent<Sorting | null>) => (this.sorting = event.detail)}
      @ask-sorted=${() => sorted !== null && this.ask(sorted)}></value-table>`;
  }

  /** Runs a statement in the database that it was made for. */
  private ask({ database, script }: { readonly database: string; readonly script: string }): void {
    if (this.store.state.running !== null) return;
    if (database !== this.store.state.database) this.store.dispatch({ kind: "database-chosen", database });
    void this.controller.run(script);
  }

  /** The actions on all of a result, a cursor's documents or the elements of an array: fetch more, export. */
  private paging(): TemplateResult | typeof nothing {
    const { value } = this.leaf;
    const { d, r, words } = this;
    if (value.kind === "value" && Array.isArray(value.value) && value.value.length > 0) {
      const elements = value.value as readonly unknown[];
      const key = elements.every((element) => typeOf(element) === "Object") ? "array.documents" : "array.values";
      const count = words.number(elements.length);
      return html`<p class="paging"><span>${r[key](count, elements.length === 1)}</span> ${this.exporting()}</p>`;
    }
    if (value.kind !== "cursor" || value.documents.length === 0) return nothing;
    const left = value.documents.length - value.gone.length;
    const count = words.number(left);
    const more = value.batch.cursorId !== 0n;
    return html`<p class="paging">
      <span>${more ? d["leaf.documents.soFar"](count) : d["leaf.documents"](count, left === 1)}</span>
      ${value.gone.length === 0 ? nothing : html`<span>${r["gone.count"](words.number(value.gone.length))}</span>`}
      ${
        more
          ? html`<button class="button" ?disabled=${value.fetching}
            @click=${() => void this.controller.more(this.leaf.number)}>
            ${value.fetching ? d["leaf.fetching"] : d["leaf.next"](words.number(this.settings.batchSize))}
          </button>
          <button class="button" ?disabled=${value.fetching && !this.fetchingAll}
            @click=${() => (this.fetchingAll ? (this.fetchingAll = false) : void this.fetchAll())}>${
              this.fetchingAll ? d["leaf.all.stop"] : d["leaf.all"]
            }</button>`
          : nothing
      }
      ${this.exporting()} ${this.ended()}
      ${value.failure === null ? nothing : html`<span class="failure" role="alert">${value.failure}</span>`}
    </p>`;
  }

  /** A sentence on a cursor that a reload closed: how many of its documents are left. */
  private ended(): TemplateResult | typeof nothing {
    const { value } = this.leaf;
    const { r, words } = this;
    if (value.kind !== "cursor" || value.ended == null) return nothing;
    const { of, more } = value.ended;
    const isCut = of > value.documents.length;
    return html`<span class="ended">${
      isCut ? `${r["ended.cut"](words.number(value.documents.length), words.number(of))} ` : ""
    }${more ? r["ended.more"] : ""} ${this.again()}</span>`;
  }

  /** Runs the script that gave it, in its tab where that is still open. */
  private again(): TemplateResult {
    const { leaf } = this;
    const run = (): void => {
      if (this.store.state.running !== null) return;
      this.store.dispatch({ kind: "tab-opened", tab: leaf.tab });
      if (leaf.database !== this.store.state.database)
        this.store.dispatch({ kind: "database-chosen", database: leaf.database });
      void this.controller.run(leaf.source, leaf.offset);
    };
    return html`<button class="button" @click=${run}>${this.r["again"]}</button>`;
  }

  private exporting(): TemplateResult {
    const dialog = { kind: "export-result", leaf: this.leaf.number } as const;
    return html`<button class="quiet"
      @click=${() => this.store.dispatch({ kind: "data-dialog-changed", dialog })}>${this.d["leaf.export"]}</button>`;
  }
}

/** How one value can be drawn: an explain as a plan, an array of documents as a table too, a leaf as text alone. */
function drawableValue(value: unknown): Drawable {
  if (isPlan(value)) return { values: [value], shape: "value", views: ["plan", "tree", "text"] };
  if (Array.isArray(value) && isTabular(value))
    return { values: value, shape: "documents", views: ["tree", "table", "text"] };
  return { values: [value], shape: "value", views: isNested(value) ? ["tree", "text"] : ["tree"] };
}
