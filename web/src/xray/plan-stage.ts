/**
 * `<plan-stage>`: one stage of a plan opened: a sentence on such stages, its index and bounds, its filter and other
 * arguments, and, folded, the engine's own counters.
 *
 * Invariant: draws explain's figures alone. Tells `closed` when the reader has seen enough.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { PlanMessages } from "../messages/xray/plan-words.ts";
import type { PlanStage } from "../state/plan.ts";
import { closeIcon } from "../look/icons.ts";
import { shared } from "../look/shared.ts";
import { PlanElement } from "./plan-element.ts";
import { xrayElement } from "./xray-element.ts";

@xrayElement("plan-stage")
export class PlanStageView extends PlanElement {
  @property({ attribute: false }) stage: PlanStage | null = null;

  static override styles = [
    shared,
    css`
      section {
        padding: 0.5rem 0.75rem; border: 1px solid var(--thread); border-radius: var(--radius);
        background: var(--paper);
      }
      header { display: flex; align-items: baseline; gap: 0.75rem; }
      .name { flex: 1; min-width: 0; font: 600 0.9rem/1.5 var(--mono); overflow-wrap: anywhere; }
      .about { font-size: var(--small); color: var(--ink-2); text-wrap: pretty; }
      dl {
        display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 0 0.75rem; margin-top: 0.25rem;
        font-size: var(--small);
      }
      dt { color: var(--ink-3); font-style: italic; overflow-wrap: anywhere; }
      dt:lang(zh) { font-style: normal; }
      dd { font: 400 var(--code)/1.6 var(--mono); overflow-wrap: anywhere; }
      details { margin-top: 0.3rem; font-size: var(--small); color: var(--ink-2); }
      summary { width: fit-content; cursor: pointer; }
    `,
  ];

  protected override render(): TemplateResult | typeof nothing {
    const { stage, p } = this;
    if (stage === null) return nothing;
    const about = this.about(stage.name);
    return html`<section aria-label=${p["flow.details"]}>
      <header><p class="name">${stage.name}</p><button class="quiet icon"
        aria-label=${p["flow.close"]} title=${p["flow.close"]}
        @click=${() => this.dispatchEvent(new CustomEvent("closed"))}>${closeIcon()}</button></header>
      ${about === null ? nothing : html`<p class="about">${about}</p>`}
      <dl>
        ${stage.indexName === null ? nothing : html`<dt>${p["flow.index"]}</dt><dd>${stage.indexName}</dd>`}
        ${stage.bounds.map(
          ([field, ranges]) => html`<dt>${p["flow.bounds"]}</dt><dd>${field}: ${ranges.join("  ")}</dd>`,
        )}
        ${stage.details.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      </dl>
      ${
        stage.internals.length === 0
          ? nothing
          : html`<details><summary>${p["flow.internals"]}</summary><dl>${stage.internals.map(
              ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`,
            )}</dl></details>`
      }
    </section>`;
  }

  /** A sentence on the work of stages with this name; null where the messages have none. */
  private about(name: string): string | null {
    const family =
      /^EXPRESS_(?!CLUSTERED)|^PROJECTION_/.exec(name)?.[0].replace(/_$/, "") ?? name.replace(/^EXPRESS_/, "");
    return isToldOf(family, this.p) ? this.p[`about.${family}`] : null;
  }
}

type Told<Key = keyof PlanMessages> = Key extends `about.${infer Name}` ? Name : never;

function isToldOf(name: string, messages: PlanMessages): name is Told {
  return Object.hasOwn(messages, `about.${name}`);
}
