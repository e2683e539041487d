/**
 * `<page-insight>`: beside a result, how it was answered: one sentence, the figures, and the plan to open.
 *
 * Invariant: the sentence and the suggestion come from `state/insight.ts`; nothing here judges a plan.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { readInsight, type Reading } from "../../state/insight.ts";
import type { Insight } from "../../state/model.ts";
import { readPlan } from "../../state/plan.ts";
import { fieldOf, wordKey } from "../../state/values.ts";
import { properties } from "../cssom.ts";
import { PageElement } from "../element.ts";
import { shared } from "../styles/shared.ts";
import "./plan-tree.ts";

@customElement("page-insight")
export class PageInsight extends PageElement {
  @property({ attribute: false }) insight: Insight = { kind: "none" };
  /** Open the plan at once: the reader asked for an explain. */
  @property({ type: Boolean }) opened = false;

  static override styles = [
    shared,
    css`
      
      .note {
        padding: 0.45rem 0.85rem 0.55rem; border-left: 3px solid var(--thread); background: var(--paper-2);
        border-radius: 0 var(--radius) var(--radius) 0;
      }
      .note.good { border-left-color: var(--good); }
      h3 { font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2); }
      h3:lang(zh) { font-style: normal; }
      .verdict { line-height: 1.35; text-wrap: pretty; }
      .quietly { color: var(--ink-2); font-size: var(--small); }
      .figures {
        display: flex; flex-wrap: wrap; gap: 0 0.9rem; margin-top: 0.1rem; font-size: var(--small); color: var(--ink-2);
      }
      .figures b { font: 400 0.95rem var(--mono); color: var(--ink); font-variant-numeric: tabular-nums; }
      .bar {
        position: relative; height: 5px; margin-top: 0.3rem; border-radius: 3px; background: var(--paper-3);
        overflow: hidden; max-width: 22rem;
      }
      .bar i { position: absolute; inset: 0 auto 0 0; min-width: 3px; background: var(--thread); border-radius: 3px; }
      .good .bar i { background: var(--good); }
      .suggest {
        display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 0.6rem; margin-top: 0.5rem;
        font-size: var(--small);
      }
      .suggest code {
        padding: 0.05rem 0.35rem; background: var(--paper); border: 1px solid var(--rule); border-radius: 3px;
        overflow-wrap: anywhere;
      }
      .suggest .quiet { padding: 0; color: var(--rubric); text-decoration: underline; text-underline-offset: 3px; }
      details { margin-top: 0.2rem; }
      summary { width: fit-content; cursor: pointer; font-size: var(--small); color: var(--ink-2); }
      plan-tree { margin-top: 0.3rem; }
    `,
  ];

  protected override render(): TemplateResult | typeof nothing {
    const { insight, m } = this;
    switch (insight.kind) {
      case "none":
        return nothing;
      case "asking":
        return html`<section class="note"><h3>${m["insight.title"]}</h3><p
          class="quietly">${m["insight.asking"]}</p></section>`;
      case "refused":
        return html`<section class="note"><h3>${m["insight.title"]}</h3><p
          class="quietly">${m["insight.refused"](insight.message)}</p></section>`;
      case "explained":
        return this.explained(insight.explain);
    }
  }

  private explained(explain: unknown): TemplateResult | typeof nothing {
    const plan = readPlan(explain);
    if (plan === null) return nothing;
    const reading = readInsight(plan);
    const good = reading.verdict !== "scan" && reading.verdict !== "planned-scan" && reading.suggestion === null;
    return html`<section class="note ${good ? "good" : ""}">
      <h3 class="unseen">${this.m["insight.title"]}</h3>
      <p class="verdict">${this.verdict(reading)}${reading.sortedInMemory ? ` ${this.m["insight.sorted"]}` : ""}</p>
      ${this.figures(reading)} ${this.suggestion(reading, plan.namespace)}
      <details ?open=${this.opened}><summary>${this.m["insight.stages"]}</summary><plan-tree
        .plan=${plan}></plan-tree></details>
    </section>`;
  }

  private verdict(reading: Reading): string {
    const { m } = this;
    const count = (value: number | null): string => this.words.number(value ?? 0);
    const index = reading.indexes.length === 0 ? m["insight.noIndexName"] : reading.indexes.join(", ");
    switch (reading.verdict) {
      case "covered":
      case "exact":
      case "planned-index":
        return m[`insight.${reading.verdict}`](index);
      case "index-and-more":
        return m["insight.index-and-more"](index, count(reading.documentsExamined), count(reading.returned));
      case "whole":
        return m["insight.whole"](count(reading.documentsExamined));
      case "scan":
        return m["insight.scan"](count(reading.documentsExamined), count(reading.returned));
      case "by-id":
      case "planned-scan":
      case "nothing":
        return m[`insight.${reading.verdict}`];
    }
  }

  private figures(reading: Reading): TemplateResult | typeof nothing {
    if (reading.returned === null) return nothing;
    const figures: readonly (readonly [string, number | null])[] = [
      [this.m["plan.keys"](reading.keysExamined === 1), reading.keysExamined],
      [this.m["plan.documents"](reading.documentsExamined === 1), reading.documentsExamined],
      [this.m["plan.returned"], reading.returned],
      [this.m["plan.pages"](reading.pagesRead === 1), reading.pagesRead],
    ];
    const examined = Math.max(reading.documentsExamined ?? 0, reading.returned);
    // The share of the documents read that were wanted: full is ideal.
    const share = examined === 0 ? 100 : (100 * reading.returned) / examined;
    return html`<p
      class="figures">${figures.map(([name, value]) =>
        value === null ? nothing : html`<span><b>${this.words.number(value)}</b> ${name}</span>`,
      )}</p>
      ${
        examined === 0
          ? nothing
          : html`<div class="bar" aria-hidden="true"><i ${properties({ width: `${share}%` })}></i></div>`
      }`;
  }

  private suggestion(reading: Reading, namespace: string | null): TemplateResult | typeof nothing {
    if (reading.suggestion === null) return nothing;
    const collection = namespace?.slice(namespace.indexOf(".") + 1) ?? "";
    const target = /^[A-Za-z_]\w*$/.test(collection)
      ? `db.${collection}`
      : `db.getCollection(${JSON.stringify(collection)})`;
    const keys = reading.suggestion.map(([field, direction]) => `${wordKey(field)}: ${direction}`).join(", ");
    const call = `${target}.createIndex({ ${keys} })`;
    return html`<p class="suggest">
      <span>${this.m["insight.suggest"]}</span><code>${call}</code>
      <button class="quiet" @click=${() => this.services.insert(call)}>${this.m["insight.try"]}</button>
    </p>`;
  }
}

/** Whether a value is an explain reply that can be drawn. */
export function isPlan(value: unknown): boolean {
  return (
    (fieldOf(value, "queryPlanner") !== undefined || fieldOf(value, "stages") !== undefined) && readPlan(value) !== null
  );
}
