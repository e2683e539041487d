/**
 * `<schema-view>`: a pane beside the data with the fields of a collection as a sample shows them: how often, of which
 * types, with which values.
 *
 * Invariants: every bar has its figure in words; colours only repeat it. A sample is drawn again after each run and
 * whatever else may have changed the data, never two at once; the sample before stays until the new one is there.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import { drawSample, schemaOf, type Schema, type SchemaField, type Spread } from "../../state/data/schema.ts";
import { familyOf } from "../../state/values.ts";
import { properties } from "../../look/cssom.ts";
import { closeIcon, refreshIcon } from "../../look/icons.ts";
import type { AppState } from "../../state/model.ts";
import { shared } from "../../look/shared.ts";
import { formStyles } from "../../look/dialog.ts";
import { DataElement } from "./data-element.ts";

@customElement("schema-view")
export class SchemaView extends DataElement {
  @property({ attribute: false }) app!: AppState;
  @property() database = "";
  @property() collection = "";
  @state() private schema: Schema | null = null;
  @state() private working = false;
  @state() private failure = "";
  /** The collection, or its data, may have changed since the sample under way was begun. */
  #again = false;

  static override styles = [
    shared,
    formStyles,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; }
      .top { display: flex; align-items: center; gap: 0.25rem; min-height: 2.75rem; padding: 0 0.5rem 0 1rem; }
      .top h2 { flex: 1; min-width: 0; overflow-wrap: anywhere; line-height: 1.25; }
      .top h2:focus { outline: none; }
      .inside {
        flex: 1; min-height: 0; overflow: auto; padding: 0 0.75rem 1.25rem 1rem; container: schema / inline-size;
      }
      .inside:focus-visible { outline-offset: -2px; }
      .head {
        display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: baseline; justify-content: space-between;
        color: var(--ink-2); font-size: var(--small);
      }
      table { width: 100%; border-collapse: collapse; table-layout: fixed; margin-top: 0.5rem; }
      th {
        padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; font-size: var(--small); font-weight: 500;
        font-style: italic; color: var(--ink-2); border-bottom: 1px solid var(--rule-strong);
      }
      th:lang(zh) { font-style: normal; }
      td, tbody th {
        padding: 0.45rem 0.75rem 0.45rem 0; vertical-align: top; border-bottom: 1px solid var(--rule);
        font-style: normal; overflow-wrap: anywhere;
      }
      tbody th { font: 400 var(--code)/1.5 var(--mono); color: var(--ink); }
      .share { font-size: var(--small); font-variant-numeric: tabular-nums; }
      .bar {
        display: flex; height: 3px; margin-top: 0.35rem; border-radius: 2px; background: var(--paper-3);
        overflow: hidden; max-width: 8rem;
      }
      .bar i { display: block; height: 100%; background: var(--rule-strong); }
      .bar.part i { background: var(--thread); }
      .bar.types { max-width: none; gap: 1px; background: none; }
      .bar.types i { background: currentColor; min-width: 3px; }
      .types li { display: flex; gap: 0.5rem; font: 400 0.8125rem/1.45 var(--mono); }
      .types span { color: var(--ink-2); }
      .values { font-size: var(--small); }
      .values code { font-size: 0.8125rem; color: var(--ink-2); }
      .histogram {
        display: flex; align-items: flex-end; gap: 1px; height: 2.2rem; max-width: 14rem;
        border-bottom: 1px solid var(--rule-strong); margin-bottom: 0.15rem;
      }
      .histogram i { flex: 1; min-height: 1px; background: color-mix(in srgb, var(--thread) 62%, var(--paper)); }
      @container schema (max-width: 640px) {
        table, tbody, tr, td, tbody th { display: block; border: 0; padding: 0; }
        thead { display: none; }
        .head .quiet { padding-inline: 0; }
        tr {
          display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: 1rem; padding: 0.6rem 0;
          border-bottom: 1px solid var(--rule);
        }
        td { margin-top: 0.15rem; }
        tr > :nth-child(n + 3) { grid-column: 1 / -1; }
        .share { text-align: right; }
        .share .bar { width: 5rem; }
      }
    `,
  ];

  protected override updated(changed: PropertyValues): void {
    const before = changed.get("app") as AppState | undefined;
    const other = changed.has("database") || changed.has("collection");
    if (other) {
      this.schema = null;
      this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
    }
    if (other || (before !== undefined && before.catalog !== this.app.catalog)) void this.draw();
  }

  private async draw(): Promise<void> {
    this.#again = true;
    if (this.working) return;
    this.working = true;
    try {
      while (this.#again) {
        this.#again = false;
        const { database, collection } = this;
        const documents = await drawSample(this.controller, database, collection);
        // Meanwhile another collection may have been chosen.
        if (database !== this.database || collection !== this.collection) continue;
        this.schema = schemaOf(documents);
        this.failure = "";
      }
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  private close(): void {
    this.store.dispatch({ kind: "schema-shown", schema: null });
    this.dispatchEvent(new CustomEvent("focus-lost", { bubbles: true, composed: true }));
  }

  protected override render(): TemplateResult {
    const { d, collection } = this;
    return html`<div class="top"><h2 class="running-head" tabindex="-1">${d["schema.title"](collection)}</h2>
        <button class="quiet icon" aria-label=${d["schema.again"]} title=${d["schema.again"]}
          @click=${() => void this.draw()}>${refreshIcon()}</button>
        <button class="quiet icon" aria-label=${d["schema.close"]} title=${d["close"]}
          @click=${() => this.close()}>${closeIcon()}</button></div>
      <div class="inside" tabindex="0" role="region" aria-label=${d["schema.title"](collection)}
        @keydown=${(event: KeyboardEvent) => event.key === "Escape" && this.close()}>${this.content()}</div>`;
  }

  private content(): TemplateResult {
    const { d, words, schema } = this;
    if (this.failure !== "") return html`<p class="failure" role="alert">${this.failure}</p>`;
    if (schema === null) return html`<p role="status">${d["schema.reading"]}</p>`;
    if (schema.documents === 0) return html`<p role="status">${d["schema.empty"]}</p>`;
    return html`<p class="head"
      role="status"><span>${d["schema.drawn"](words.number(schema.documents), schema.documents === 1)}</span></p>
      <table aria-label=${d["schema.label"]}>
        <colgroup><col ${properties({ width: "28%" })} /><col ${properties({ width: "14%" })} /><col
          ${properties({ width: "22%" })} /><col /></colgroup>
        <thead><tr><th scope="col">${d["schema.field"]}</th><th scope="col">${d["schema.present"]}</th><th
          scope="col">${d["schema.types"]}</th><th scope="col">${d["schema.values"]}</th></tr></thead>
        <tbody>${schema.fields.map((field) => this.row(field))}</tbody>
      </table>
      ${
        schema.omittedFields === 0
          ? nothing
          : html`<p class="head">${d["schema.omitted"](words.number(schema.omittedFields))}</p>`
      }`;
  }

  private percent(part: number, of: number): string {
    const share = of === 0 ? 0 : (100 * part) / of;
    return `${share > 0 && share < 1 ? "<1" : this.words.number(share > 99 && share < 100 ? 99 : Math.round(share))} %`;
  }

  private row(field: SchemaField): TemplateResult {
    const all = field.types.reduce((sum, { count }) => sum + count, 0);
    return html`<tr>
      <th scope="row" ${properties({ "padding-inline-start": `${field.depth}rem` })} title=${field.path}><span
        class="unseen">${field.path.slice(0, field.path.length - field.name.length)}</span>${
          field.name === "[]" ? html`<em>${this.d["schema.elements"]}</em>` : field.name
        }</th>
      <td class="share">${
        field.name === "[]"
          ? this.words.number(field.present)
          : html`${this.percent(field.present, field.of)}<div class="bar ${field.present < field.of ? "part" : ""}"
        aria-hidden="true"><i
        ${properties({ width: `${(100 * field.present) / Math.max(1, field.of)}%` })}></i></div>`
      }</td>
      <td>
        <ul class="types">${field.types.map(
          ({ type, count }) =>
            html`<li class=${familyOf(type)}>${type}${
              field.types.length > 1 ? html`<span>${this.percent(count, all)}</span>` : nothing
            }</li>`,
        )}</ul>
        ${
          field.types.length > 1
            ? html`<div class="bar types"
          aria-hidden="true">${field.types.map(
            ({ type, count }) =>
              html`<i class=${familyOf(type)} ${properties({ width: `${(100 * count) / all}%` })}></i>`,
          )}</div>`
            : nothing
        }
      </td>
      <td class="values">${this.spread(field.spread)}${
        field.examples.length === 0 || field.spread?.kind === "words"
          ? nothing
          : html`<code>${field.examples.join(" · ")}</code>`
      }</td>
    </tr>`;
  }

  private spread(spread: Spread | null): TemplateResult | typeof nothing {
    const { d, words } = this;
    if (spread === null) return nothing;
    switch (spread.kind) {
      case "lengths":
        return html`<div>${d["schema.lengths"](words.number(spread.from), words.number(spread.to))}</div>`;
      case "words": {
        const others = spread.different - spread.words.length;
        return html`<div>${spread.words
          .map(([word, count]) => d["schema.word"](word, words.number(count)))
          .join(", ")}${others > 0 ? ` ${d["schema.more"](words.number(others))}` : ""}</div>`;
      }
      case "numbers":
      case "dates": {
        const worded = (value: number): string =>
          spread.kind === "dates"
            ? new Date(value).toISOString().replace(/T00:00:00\.000Z$|\.\d+Z$/, "")
            : Number.isInteger(value)
              ? words.number(value)
              : String(Number(value.toPrecision(6)));
        if (spread.from === spread.to) return html`<div>${d["schema.only"](worded(spread.from))}</div>`;
        const most = Math.max(...spread.bars);
        const step = (spread.to - spread.from) / spread.bars.length;
        const middle = spread.from + (spread.bars.indexOf(most) + 0.5) * step;
        return html`<div class="histogram" role="img"
          aria-label=${d["schema.bars"](
            worded(spread.from),
            worded(spread.to),
            worded(spread.kind === "dates" ? Math.round(middle) : middle),
          )}>
            ${spread.bars.map((count) => html`<i ${properties({ height: `${(100 * count) / most}%` })}></i>`)}
          </div>
          <div>${d["schema.range"](worded(spread.from), worded(spread.to))}</div>`;
      }
    }
  }
}
