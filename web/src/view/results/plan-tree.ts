/**
 * `<plan-tree>`: a query plan as its stages, the answering one first, sewn to those that feed it, each with its
 * figures, its index and its bounds.
 *
 * Invariant: draws what explain said and computes nothing but widths.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Plan, PlanStage } from "../../state/plan.ts";
import { PageElement } from "../element.ts";
import { shared } from "../styles/shared.ts";

@customElement("plan-tree")
export class PlanTree extends PageElement {
  @property({ attribute: false }) plan: Plan | null = null;

  static override styles = [
    shared,
    css`
      ol ol { margin-left: 0.9rem; padding-left: 1.1rem; border-left: 2px dashed var(--thread); }
      li > .stage {
        position: relative; margin: 0.3rem 0; padding: 0.45rem 0.75rem; border: 1px solid var(--rule);
        border-radius: var(--radius); background: var(--paper);
      }
      ol ol > li > .stage::before {
        content: ""; position: absolute; left: -1.1rem; top: 1.1rem; width: 1.05rem;
        border-top: 2px dashed var(--thread);
      }
      .top { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.9rem; }
      .name { font: 600 0.9rem/1.5 var(--mono); }
      .name.bad { color: var(--rubric); }
      .figures { display: flex; flex-wrap: wrap; gap: 0 0.9rem; font-size: var(--small); color: var(--ink-2); }
      .figures b { font: 400 var(--code) var(--mono); color: var(--ink); font-variant-numeric: tabular-nums; }
      dl {
        display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 0.75rem; margin-top: 0.2rem;
        font-size: var(--small);
      }
      dt { color: var(--ink-3); font-style: italic; }
      dt:lang(zh) { font-style: normal; }
      dd { font: 400 var(--code)/1.6 var(--mono); overflow-wrap: anywhere; }
      .text { margin-bottom: 0.3rem; color: var(--ink-2); }
      .text code { overflow-wrap: anywhere; white-space: pre-wrap; }
      .rejected { margin-top: 0.4rem; font-size: var(--small); color: var(--ink-2); }
      summary { cursor: pointer; width: fit-content; }
      @media (max-width: 480px) {
        ol ol { margin-left: 0.3rem; padding-left: 0.8rem; }
        ol ol > li > .stage::before { left: -0.8rem; width: 0.75rem; }
      }
    `,
  ];

  protected override render(): TemplateResult {
    if (this.plan === null) return html``;
    const rejected = this.plan.rejected;
    const text = this.plan.root.inputs.length === 0 ? null : (this.plan.execution?.text ?? null);
    return html`${
      text === null
        ? nothing
        : html`<p class="text"><span class="unseen">${this.m["plan.asText"]}: </span><code>${text}</code></p>`
    }<ol
      aria-label=${this.m["plan.label"]}>${this.stage(this.plan.root)}</ol>
      ${
        rejected.length === 0
          ? nothing
          : html`<details
            class="rejected"><summary>${this.m["plan.rejected"](
              this.words.number(rejected.length),
              rejected.length === 1,
            )}</summary>
            <ol>${rejected.map((stage) => this.stage(stage))}</ol></details>`
      }`;
  }

  private stage(stage: PlanStage): TemplateResult {
    const figures: readonly (readonly [string, number | null])[] = [
      [this.m["plan.returned"], stage.returned],
      [this.m["plan.keys"](stage.keysExamined === 1), stage.keysExamined],
      [this.m["plan.documents"](stage.documentsExamined === 1), stage.documentsExamined],
      [this.m["plan.millis"], stage.millis],
    ];
    return html`<li>
      <div class="stage">
        <div class="top">
          <span class="name ${stage.name === "COLLSCAN" ? "bad" : ""}">${stage.name}</span>
          <span class="figures">${figures.map(([name, value]) =>
            value === null ? nothing : html`<span><b>${this.words.number(value)}</b> ${name}</span>`,
          )}</span>
        </div>
        ${this.details(stage)}
      </div>
      ${stage.inputs.length === 0 ? nothing : html`<ol>${stage.inputs.map((input) => this.stage(input))}</ol>`}
    </li>`;
  }

  private details(stage: PlanStage): TemplateResult | typeof nothing {
    if (stage.indexName === null && stage.bounds.length === 0 && stage.details.length === 0) return nothing;
    return html`<dl>
      ${stage.indexName === null ? nothing : html`<dt>${this.m["plan.index"]}</dt><dd>${stage.indexName}</dd>`}
      ${stage.bounds.map(
        ([field, ranges]) => html`<dt>${this.m["plan.bounds"]}</dt><dd>${field}: ${ranges.join("  ")}</dd>`,
      )}
      ${stage.details.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
    </dl>`;
  }
}
