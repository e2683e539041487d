/**
 * `<page-leaf>`: one run on the page: its printed lines, its value in the view the reader chose, its error, its cost.
 *
 * Invariants: a leaf draws only its visible part; an older leaf is folded to one line and draws nothing else.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { originOf, type Origin } from "../../state/data/edit.ts";
import type { DeploymentState } from "../../protocol/state.ts";
import { startOfLast, type Leaf, type RunningScript } from "../../state/model.ts";
import type { ResultView, Settings } from "../../state/settings.ts";
import { isTabular } from "../../state/table.ts";
import { titleOf } from "../../state/title.ts";
import { isNested } from "../../state/values.ts";
import { DataElement } from "../data/data-element.ts";
import { chevronDown, chevronRight, closeIcon } from "../icons.ts";
import { shared } from "../styles/shared.ts";
import { leafStyles } from "./leaf-styles.ts";
import { isPlan } from "./page-insight.ts";
import "./page-insight.ts";
import "./plan-tree.ts";
import type { Picked } from "./value-bar.ts";
import "./value-bar.ts";
import "./value-table.ts";
import "./value-text.ts";
import "./value-tree.ts";

/** Printed lines drawn before the reader asks for the earlier ones. */
const printedShown = 200;
const charactersShown = 60_000;
/** Documents fetched when a reader scrolls to the end. */
const scrolledBatch = 500;
/** Text laid out in columns, as help is: it is scrolled to the side rather than wrapped. */
const COLUMNS = /^ +\S.* {2,}\S/m;

type View = ResultView | "plan";

interface Drawable {
  readonly values: readonly unknown[];
  readonly shape: "documents" | "value";
  readonly views: readonly View[];
}

@customElement("page-leaf")
export class PageLeaf extends DataElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) settings!: Settings;
  @property({ attribute: false }) deployment: DeploymentState | null = null;
  @property({ attribute: false }) running: RunningScript | null = null;
  @state() private allPrinted = false;
  /** The current value of the result, once the reader went to one. */
  @state() private picked: Picked | null = null;
  /** All batches are being fetched, until this says that they are enough. */
  @state() private fetchingAll = false;
  #origin: Origin | null = null;

  static override styles = [shared, leafStyles];

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("leaf") as Leaf | undefined;
    if (!changed.has("leaf") || before?.value === this.leaf.value) return;
    const { value } = this.leaf;
    this.#origin = value.kind === "cursor" ? originOf(value.cursor, this.store.state.catalog.databases) : null;
  }

  protected override render(): TemplateResult {
    const { leaf, m } = this;
    const number = this.words.number(leaf.number);
    return html`<article class=${leaf.folded ? "folded" : ""} aria-label=${m["leaf.label"](number)}>
      <header>
        <button
          class="title"
          aria-expanded=${String(!leaf.folded)}
          title=${leaf.folded ? this.d["leaf.unfold"] : this.d["leaf.fold"]}
          @click=${() => this.store.dispatch({ kind: "leaf-folded", leaf: leaf.number, folded: !leaf.folded })}
        >
          <span class="folio" aria-hidden="true">${number}</span><span class="unseen">${m["leaf.label"](number)}:</span>
          <code>${titleOf(leaf.source)}</code>
          ${leaf.folded ? chevronRight() : chevronDown()}
        </button>
        ${this.cost()}
        ${
          leaf.state === "running"
            ? nothing
            : html`<button class="quiet icon" aria-label="${this.d["leaf.remove"]}: ${m["leaf.label"](number)}"
              title=${this.d["leaf.remove"]}
              @click=${() => this.store.dispatch({ kind: "leaf-removed", leaf: leaf.number })}>${closeIcon()}</button>`
        }
      </header>
      ${leaf.folded ? nothing : html`<div class="body">${this.printed()} ${this.value()} ${this.error()}</div>`}
    </article>`;
  }

  private cost(): TemplateResult {
    const { leaf, m, words } = this;
    if (leaf.state === "running") return html`<p class="cost"><span class="state">${this.d["leaf.running"]}</span></p>`;
    const statistics = leaf.statistics;
    const status =
      leaf.error === null ? null : leaf.error.name === "ScriptStopped" ? this.d["leaf.stopped"] : this.d["leaf.failed"];
    return html`<p class="cost">
      ${status === null ? nothing : html`<span class="state bad">${status}</span>`}
      ${
        statistics === null || leaf.folded
          ? nothing
          : html`<span title=${this.d["leaf.engine"](words.duration(statistics.engineMillis))}>${words.duration(
              statistics.elapsedMillis,
            )}</span>
            <span class="roomy">${m["run.commands"](
              words.number(statistics.commands),
              statistics.commands === 1,
            )}</span>`
      }
      ${leaf.folded || this.deployment?.mode === "read-only" ? nothing : this.saved()}
      <time class="roomy" datetime=${new Date(leaf.ranAt).toISOString()}>${words.clock(leaf.ranAt)}</time>
    </p>`;
  }

  private saved(): TemplateResult | typeof nothing {
    const { leaf } = this;
    if ((leaf.statistics?.commands ?? 0) === 0) return nothing;
    if (this.deployment?.mode === "memory") return html`<span class="roomy">${this.d["leaf.inMemory"]}</span>`;
    return leaf.saved
      ? html`<span class="saved">${this.d["leaf.saved"]}</span>`
      : html`<span class="unsaved">${this.d["leaf.unsaved"]}</span>`;
  }

  private printed(): TemplateResult | typeof nothing {
    const lines = this.leaf.printed;
    if (lines.length === 0) return nothing;
    const drawn = this.allPrinted ? lines : lines.slice(startOfLast(lines, printedShown, charactersShown));
    const hidden = lines.length - drawn.length;
    const dropped = this.leaf.printedDropped;
    return html`${
      dropped > 0 && hidden === 0
        ? html`<p class="nothing"><span>${this.d["leaf.printed.dropped"](this.words.number(dropped))}</span></p>`
        : nothing
    }
      ${
        hidden > 0
          ? html`<button class="quiet"
        @click=${() => (this.allPrinted = true)}>${this.d["leaf.printed.more"](this.words.number(hidden))}</button>`
          : nothing
      }
      <pre class="printed" tabindex="0" role="region" aria-label=${this.d["leaf.printed"]}>${drawn.join("\n")}</pre>`;
  }

  private value(): TemplateResult | typeof nothing {
    const { leaf, m } = this;
    const value = leaf.value;
    switch (value.kind) {
      case "none":
        if (leaf.state === "running" || leaf.error !== null || leaf.printed.length > 0) return nothing;
        return html`<p class="nothing">${this.d["leaf.none"]} <span>${this.d["leaf.none.hint"]}</span></p>`;
      case "text":
        return html`<pre class="worded ${COLUMNS.test(value.text) ? "columns" : ""}" tabindex="0" role="region"
          aria-label=${m["text.label"]}>${value.text}</pre>`;
      case "value":
        return this.drawn(drawableValue(value.value));
      case "cursor":
        return html`<page-insight .insight=${leaf.insight} lang=${this.settings.language}></page-insight>
        ${
          value.documents.length === 0
            ? html`<p class="nothing">${this.d["leaf.noDocuments"]} <span>${this.d["leaf.noDocuments.hint"]}</span></p>`
            : this.drawn({ values: value.documents, shape: "documents", views: ["tree", "table", "text"] })
        }
        ${this.paging()}`;
    }
  }

  private drawn(drawable: Drawable): TemplateResult {
    const { leaf, settings } = this;
    const wanted: View = leaf.view ?? (drawable.views.includes("plan") ? "plan" : settings.resultView);
    const view = drawable.views.includes(wanted) ? wanted : (drawable.views[0] ?? "text");
    return html`${drawable.views.length < 2 ? nothing : this.chooser(drawable.views, view)}
      <div class="drawn" @picked=${(event: CustomEvent<Picked>) => (this.picked = event.detail)}
        @near-end=${() => this.nearEnd()}>${this.inView(view, drawable)}</div>
      ${
        this.picked === null || view === "text" || view === "plan"
          ? nothing
          : html`<value-bar .leaf=${leaf} .values=${drawable.values} .picked=${this.picked}
            .origin=${this.deployment?.mode === "read-only" ? null : this.#origin} lang=${settings.language}
            @unpicked=${() => (this.picked = null)}></value-bar>`
      }`;
  }

  /** The reader scrolled to the end of what there is. */
  private nearEnd(): void {
    void this.controller.more(this.leaf.number, Math.max(scrolledBatch, this.settings.batchSize));
  }

  private async fetchAll(): Promise<void> {
    this.fetchingAll = true;
    await this.controller.all(this.leaf.number, () => !this.fetchingAll);
    this.fetchingAll = false;
  }

  private chooser(views: readonly View[], chosen: View): TemplateResult {
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

  private inView(view: View, { values, shape }: Drawable): TemplateResult {
    switch (view) {
      case "tree":
        return html`<value-tree .values=${values} .shape=${shape}></value-tree>`;
      case "table":
        return html`<value-table .rows=${values}
          ?more=${this.leaf.value.kind === "cursor" && this.leaf.value.batch.cursorId !== 0n}></value-table>`;
      case "text":
        return html`<value-text .values=${values} .shape=${shape} .format=${this.settings.textFormat}></value-text>`;
      case "plan":
        return html`<page-insight opened .insight=${{ kind: "explained" as const, explain: values[0] as object }}
          lang=${this.settings.language}></page-insight>`;
    }
  }

  private paging(): TemplateResult | typeof nothing {
    const value = this.leaf.value;
    if (value.kind !== "cursor" || value.documents.length === 0) return nothing;
    const { words } = this;
    const count = words.number(value.documents.length);
    const more = value.batch.cursorId !== 0n;
    return html`<p class="paging">
      <span>${
        more ? this.d["leaf.documents.soFar"](count) : this.d["leaf.documents"](count, value.documents.length === 1)
      }</span>
      ${
        more
          ? html`<button class="button" ?disabled=${value.fetching}
            @click=${() => void this.controller.more(this.leaf.number)}>
            ${value.fetching ? this.d["leaf.fetching"] : this.d["leaf.next"](words.number(this.settings.batchSize))}
          </button>
          <button class="button" ?disabled=${value.fetching && !this.fetchingAll}
            @click=${() => (this.fetchingAll ? (this.fetchingAll = false) : void this.fetchAll())}>${
              this.fetchingAll ? this.d["leaf.all.stop"] : this.d["leaf.all"]
            }</button>`
          : nothing
      }
      <button class="quiet"
        @click=${() =>
          this.store.dispatch({
            kind: "data-dialog-changed",
            dialog: { kind: "export-result", leaf: this.leaf.number },
          })}>${this.d["leaf.export"]}</button>
      ${value.failure === null ? nothing : html`<span class="failure" role="alert">${value.failure}</span>`}
    </p>`;
  }

  private error(): TemplateResult | typeof nothing {
    const { leaf } = this;
    const error = leaf.error;
    if (error === null) return nothing;
    if (error.name === "ScriptStopped") return html`<p class="stopped">${this.d["leaf.error.stopped"]}</p>`;
    const line = error.line === null ? null : error.line + leaf.offset.line;
    const column = error.column === null ? 1 : error.column + (error.line === 1 ? leaf.offset.column : 0);
    return html`<div class="error">
      <p class="message">${error.text}</p>
      ${
        line === null && error.code === null
          ? nothing
          : html`<p class="where">
            ${
              line === null
                ? nothing
                : html`<button class="quiet"
              @click=${() => this.services.goTo(leaf.tab, line, column)}>${this.d["leaf.errorAt"]} ${this.d[
                "leaf.goToError"
              ](String(line), String(column))}</button>`
            }
            ${
              error.code === null
                ? nothing
                : html`<span>${this.d["leaf.error.code"](String(error.code))}${
                    error.codeName === null ? nothing : html` <code>${error.codeName}</code>`
                  }</span>`
            }
          </p>`
      }
    </div>`;
  }
}

/** How one value can be drawn: an explain as a plan, an array of documents as a table too, a leaf as text alone. */
function drawableValue(value: unknown): Drawable {
  if (isPlan(value)) return { values: [value], shape: "value", views: ["plan", "tree", "text"] };
  if (Array.isArray(value) && isTabular(value))
    return { values: value, shape: "documents", views: ["tree", "table", "text"] };
  return { values: [value], shape: "value", views: isNested(value) ? ["tree", "text"] : ["tree"] };
}
