/**
 * `<page-leaf>`: one run on the page: what it printed, its value in the view the reader chose, its error, what it cost.
 *
 * Invariants: a leaf draws only what is visible of it; an older leaf is folded to one line and draws nothing else.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { DeploymentState } from "../../protocol/state.ts";
import type { Leaf, RunningScript } from "../../state/model.ts";
import type { ResultView, Settings } from "../../state/settings.ts";
import { isTabular } from "../../state/table.ts";
import { isNested } from "../../state/values.ts";
import { PageElement } from "../element.ts";
import { chevronDown, chevronRight, closeIcon } from "../icons.ts";
import { shared } from "../styles/shared.ts";
import { leafStyles } from "./leaf-styles.ts";
import { isPlan } from "./page-insight.ts";
import "./page-insight.ts";
import "./plan-tree.ts";
import "./value-table.ts";
import "./value-text.ts";
import "./value-tree.ts";

/** Printed lines drawn before the reader asks for the earlier ones. */
const printedShown = 200;
/** Text laid out in columns, as help is: it is scrolled to the side rather than wrapped. */
const COLUMNS = /^ +\S.* {2,}\S/m;

type View = ResultView | "plan";

interface Drawable {
  readonly values: readonly unknown[];
  readonly shape: "documents" | "value";
  readonly views: readonly View[];
}

@customElement("page-leaf")
export class PageLeaf extends PageElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) settings!: Settings;
  @property({ attribute: false }) deployment: DeploymentState | null = null;
  @property({ attribute: false }) running: RunningScript | null = null;
  @state() private allPrinted = false;

  static override styles = [shared, leafStyles];

  protected override render(): TemplateResult {
    const { leaf, m } = this;
    const number = this.words.number(leaf.number);
    return html`<article class=${leaf.folded ? "folded" : ""} aria-label=${m["leaf.label"](number)}>
      <header>
        <button
          class="title"
          aria-expanded=${String(!leaf.folded)}
          title=${leaf.folded ? m["leaf.unfold"] : m["leaf.fold"]}
          @click=${() => this.store.dispatch({ kind: "leaf-folded", leaf: leaf.number, folded: !leaf.folded })}
        >
          <span class="folio" aria-hidden="true">${number}</span><span class="unseen">${m["leaf.label"](number)}:</span>
          <code>${firstLine(leaf.source)}</code>
          ${leaf.folded ? chevronRight() : chevronDown()}
        </button>
        ${this.cost()}
        ${leaf.state === "running"
          ? nothing
          : html`<button class="quiet icon" aria-label="${m["leaf.remove"]}: ${m["leaf.label"](number)}" title=${m["leaf.remove"]} @click=${() => this.store.dispatch({ kind: "leaf-removed", leaf: leaf.number })}>${closeIcon()}</button>`}
      </header>
      ${leaf.folded ? nothing : html`<div class="body">${this.printed()} ${this.value()} ${this.error()}</div>`}
    </article>`;
  }

  private cost(): TemplateResult {
    const { leaf, m, words } = this;
    if (leaf.state === "running") return html`<p class="cost"><span class="state">${m["leaf.running"]}</span></p>`;
    const statistics = leaf.statistics;
    const status = leaf.error === null ? null : leaf.error.name === "ScriptStopped" ? m["leaf.stopped"] : m["leaf.failed"];
    return html`<p class="cost">
      ${status === null ? nothing : html`<span class="state bad">${status}</span>`}
      ${statistics === null || leaf.folded
        ? nothing
        : html`<span title=${m["leaf.engine"](words.duration(statistics.engineMillis))}>${words.duration(statistics.elapsedMillis)}</span>
            <span class="roomy">${m["run.commands"](words.number(statistics.commands), statistics.commands === 1)}</span>`}
      ${leaf.folded || this.deployment?.mode === "read-only" ? nothing : this.saved()}
      <time class="roomy" datetime=${new Date(leaf.ranAt).toISOString()}>${words.clock(leaf.ranAt)}</time>
    </p>`;
  }

  private saved(): TemplateResult | typeof nothing {
    const { leaf, m } = this;
    if ((leaf.statistics?.commands ?? 0) === 0) return nothing;
    if (this.deployment?.mode === "memory") return html`<span class="roomy">${m["leaf.inMemory"]}</span>`;
    return leaf.saved ? html`<span class="saved">${m["leaf.saved"]}</span>` : html`<span class="unsaved">${m["leaf.unsaved"]}</span>`;
  }

  private printed(): TemplateResult | typeof nothing {
    const lines = this.leaf.printed;
    if (lines.length === 0) return nothing;
    const drawn = this.allPrinted ? lines : lines.slice(-printedShown);
    const hidden = lines.length - drawn.length;
    const dropped = this.leaf.printedDropped;
    return html`${dropped > 0 && hidden === 0 ? html`<p class="nothing"><span>${this.m["leaf.printed.dropped"](this.words.number(dropped))}</span></p>` : nothing}
      ${hidden > 0 ? html`<button class="quiet" @click=${() => (this.allPrinted = true)}>${this.m["leaf.printed.more"](this.words.number(hidden))}</button>` : nothing}
      <pre class="printed" tabindex="0" role="region" aria-label=${this.m["leaf.printed"]}>${drawn.join("\n")}</pre>`;
  }

  private value(): TemplateResult | typeof nothing {
    const { leaf, m } = this;
    const value = leaf.value;
    switch (value.kind) {
      case "none":
        if (leaf.state === "running" || leaf.error !== null || leaf.printed.length > 0) return nothing;
        return html`<p class="nothing">${m["leaf.none"]} <span>${m["leaf.none.hint"]}</span></p>`;
      case "text":
        return html`<pre class="worded ${COLUMNS.test(value.text) ? "columns" : ""}" tabindex="0" role="region" aria-label=${m["text.label"]}>${value.text}</pre>`;
      case "value":
        return this.drawn(drawableValue(value.value));
      case "cursor":
        return html`<page-insight .insight=${leaf.insight} lang=${this.settings.language}></page-insight>
        ${value.documents.length === 0
          ? html`<p class="nothing">${m["leaf.noDocuments"]} <span>${m["leaf.noDocuments.hint"]}</span></p>`
          : this.drawn({ values: value.documents, shape: "documents", views: ["tree", "table", "text"] })}
        ${this.paging()}`;
    }
  }

  private drawn(drawable: Drawable): TemplateResult {
    const { leaf, settings } = this;
    const wanted: View = leaf.view ?? (drawable.views.includes("plan") ? "plan" : settings.resultView);
    const view = drawable.views.includes(wanted) ? wanted : (drawable.views[0] ?? "text");
    return html`${drawable.views.length < 2 ? nothing : this.chooser(drawable.views, view)} ${this.inView(view, drawable)}`;
  }

  private chooser(views: readonly View[], chosen: View): TemplateResult {
    return html`<div class="views" role="group" aria-label=${this.m["leaf.views"]}>
      ${views.map(
        (view) => html`<button aria-pressed=${String(view === chosen)} @click=${() => this.store.dispatch({ kind: "leaf-viewed", leaf: this.leaf.number, view })}>${this.m[`leaf.view.${view}`]}</button>`,
      )}
    </div>`;
  }

  private inView(view: View, { values, shape }: Drawable): TemplateResult {
    switch (view) {
      case "tree":
        return html`<value-tree .values=${values} .shape=${shape}></value-tree>`;
      case "table":
        return html`<value-table .rows=${values}></value-table>`;
      case "text":
        return html`<value-text .values=${values} .shape=${shape} .format=${this.settings.textFormat}></value-text>`;
      case "plan":
        return html`<page-insight opened .insight=${{ kind: "explained" as const, explain: values[0] as object }} lang=${this.settings.language}></page-insight>`;
    }
  }

  private paging(): TemplateResult | typeof nothing {
    const value = this.leaf.value;
    if (value.kind !== "cursor" || value.documents.length === 0) return nothing;
    const { m, words } = this;
    const count = words.number(value.documents.length);
    const more = value.batch.cursorId !== 0n;
    return html`<p class="paging">
      <span>${more ? m["leaf.documents.soFar"](count) : m["leaf.documents"](count, value.documents.length === 1)}</span>
      ${more
        ? html`<button class="button" ?disabled=${value.fetching} @click=${() => void this.controller.more(this.leaf.number)}>
            ${value.fetching ? m["leaf.fetching"] : m["leaf.next"](words.number(this.settings.batchSize))}
          </button>`
        : nothing}
      ${value.failure === null ? nothing : html`<span class="failure" role="alert">${value.failure}</span>`}
    </p>`;
  }

  private error(): TemplateResult | typeof nothing {
    const { leaf, m } = this;
    const error = leaf.error;
    if (error === null) return nothing;
    if (error.name === "ScriptStopped") return html`<p class="stopped">${m["leaf.error.stopped"]}</p>`;
    const line = error.line === null ? null : error.line + leaf.offset.line;
    const column = error.column === null ? 1 : error.column + (error.line === 1 ? leaf.offset.column : 0);
    return html`<div class="error">
      <p class="message">${error.text}</p>
      ${line === null && error.code === null
        ? nothing
        : html`<p class="where">
            ${line === null ? nothing : html`<button class="quiet" @click=${() => this.services.goTo(line, column)}>${m["leaf.errorAt"]} ${m["leaf.goToError"](String(line), String(column))}</button>`}
            ${error.code === null ? nothing : html`<span>${m["leaf.error.code"](String(error.code))}${error.codeName === null ? nothing : html` <code>${error.codeName}</code>`}</span>`}
          </p>`}
    </div>`;
  }
}

/** How one value can be drawn: an explain as a plan, an array of documents as a table too, a leaf as text alone. */
function drawableValue(value: unknown): Drawable {
  if (isPlan(value)) return { values: [value], shape: "value", views: ["plan", "tree", "text"] };
  if (Array.isArray(value) && isTabular(value)) return { values: value, shape: "documents", views: ["tree", "table", "text"] };
  return { values: [value], shape: "value", views: isNested(value) ? ["tree", "text"] : ["tree"] };
}

/** What a folded run is known by: the comment its script begins with, or the first line that does something. */
function firstLine(source: string): string {
  const lines = source.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const title = /^\/\/\s*(.+)$/.exec(lines[0] ?? "")?.[1];
  return title ?? lines.find((line) => !/^(\/\/|\/?\*|use\s)/.test(line)) ?? lines[0] ?? "";
}
