/**
 * `<plan-flow>`: a plan as its stages from left to right, or down where there is little room, with bands between them
 * as wide as the keys and documents that passed. A stage opens its details below; a table says the same in words.
 *
 * Invariant: draws the flow that `state/plan-flow.ts` laid out, and computes nothing but curves.
 */
import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { joinSentences } from "../messages/sentences.ts";
import type { Plan, RejectedPlan } from "../state/plan.ts";
import {
  documentsOf,
  flowOf,
  type Flow,
  type FlowBand,
  type FlowNode,
  type FlowSource,
  type Passing,
} from "../state/plan-flow.ts";
import { properties } from "../look/cssom.ts";
import { shared } from "../look/shared.ts";
import { flowStyles } from "./flow-styles.ts";
import { PlanElement } from "./plan-element.ts";
import "./plan-stage.ts";
import { xrayElement } from "./xray-element.ts";

@xrayElement("plan-flow")
export class PlanFlow extends PlanElement {
  @property({ attribute: false }) plan: Plan | null = null;
  /** The stage whose details are open. */
  @state() private opened: number | null = null;
  #flow: Flow | null = null;

  static override styles = [shared, flowStyles];

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("plan")) return;
    this.#flow = this.plan === null ? null : flowOf(this.plan);
    this.opened = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { plan, p } = this;
    const flow = this.#flow;
    if (plan === null || flow === null) return nothing;
    const opened = flow.nodes.find((node) => node.id === this.opened)?.stage ?? null;
    // Down as soon as the columns would be too narrow to read.
    const room = flow.steps <= 4 ? "short" : flow.steps <= 6 ? "middling" : "long";
    const text = plan.root.inputs.length === 0 ? null : (plan.execution?.text ?? null);
    return html`
      <div class="frame ${room}">
        <ol class="flow" aria-label=${p["flow.label"]} @keydown=${(event: KeyboardEvent) => this.walk(event)}
          ${properties({ "--pairs": String(flow.steps - 1), "--lanes": String(flow.lanes) })}>
          ${flow.nodes.map((node) => this.node(node, flow))}
          ${flow.bands.map((band) => this.band(band, flow))}
        </ol>
      </div>
      ${
        opened === null
          ? nothing
          : html`<plan-stage id="details" .host=${this.host} .stage=${opened} lang=${this.language}
              @closed=${() => this.close()}></plan-stage>`
      }
      ${this.legend(flow, plan)}
      ${
        text === null
          ? nothing
          : html`<p class="text"><span class="unseen">${p["flow.text"]}: </span><code>${text}</code></p>`
      }
      ${this.rejected(plan)} ${this.table(flow)}`;
  }

  private count(value: number | null): string {
    return value === null ? "–" : this.words.number(value);
  }

  /** So many documents, or buckets. */
  private documents(passing: Passing, count: number): string {
    return this.p[passing === "buckets" ? "flow.buckets" : "flow.documents"](this.count(count));
  }

  private node(node: FlowNode, flow: Flow): TemplateResult {
    const place = properties({
      "--step": String(2 * node.step - 1),
      "--lane": String(node.lane),
      "--span": String(node.lanes),
    });
    switch (node.kind) {
      case "source":
        return html`<li class="source" ${place}>${this.source(node.source)}</li>`;
      case "result":
        return html`<li class="result" ${place}><span>${this.p["flow.result"]}</span>${
          node.given === null ? nothing : html`<b>${this.count(node.given)}</b>`
        }</li>`;
      case "stage":
        return html`<li class="stage" ${place}>${this.stage(node, flow)}</li>`;
    }
  }

  private source(source: FlowSource | null): TemplateResult | typeof nothing {
    if (source === null) return nothing;
    return html`<span class="sort">${this.p[`flow.source.${source.kind}`]}</span><code>${source.name ?? ""}</code>`;
  }

  private stage(node: FlowNode, flow: Flow): TemplateResult | typeof nothing {
    const { stage } = node;
    if (stage === null) return nothing;
    const { p } = this;
    const { keysExamined, documentsExamined } = stage;
    const figures: readonly (string | null)[] = [
      keysExamined === null ? null : p["flow.read"](p["flow.keys"](this.count(keysExamined))),
      documentsExamined === null ? null : p["flow.read"](this.documents(node.passing, documentsExamined)),
      node.dropped === null || node.dropped === 0 ? null : p["flow.dropped"](this.count(node.dropped)),
      node.ownMillis === null || node.ownMillis === 0 ? null : p["flow.own"](this.words.duration(node.ownMillis)),
      stage.own === null || stage.own.pagesRead === 0 ? null : p["flow.pages"](this.count(stage.own.pagesRead)),
    ];
    const first = flow.nodes.find((other) => other.kind === "stage");
    const reachable = this.opened === null ? node === first : node.id === this.opened;
    return html`<button data-stage=${node.id} tabindex=${reachable ? 0 : -1}
      aria-expanded=${String(this.opened === node.id)} aria-controls="details"
      class=${stage.name === "COLLSCAN" ? "scan" : ""}
      @click=${() => (this.opened = this.opened === node.id ? null : node.id)}>
      <span class="name">${stage.name}</span>
      ${figures.map((figure) => (figure === null ? nothing : html`<span class="figure">${figure}</span>`))}
      <span class="unseen">${node.given === null ? "" : p["flow.given"](this.count(node.given))}</span>
    </button>`;
  }

  /** A band is drawn twice, across and down; the style sheet shows the one that fits. */
  private band(band: FlowBand, flow: Flow): TemplateResult {
    const last = flow.nodes.find((node) => node.id === band.to)?.kind === "result";
    return html`<li class="band ${band.passing}" role="presentation" aria-hidden="true"
      ${properties({
        "--step": String(2 * band.step),
        "--lane": String(band.lane),
        "--span": String(band.lanes),
        "--start": String(band.start),
        "--half": `${band.width / 2}px`,
      })}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">${curve(band)}</svg>
      ${band.figure === null || last ? nothing : html`<span class="passed">${this.count(band.figure)}</span>`}
    </li>`;
  }

  /** Left and right, and up and down, go along the flow; Escape closes the details. */
  private walk(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.opened !== null) {
      event.stopPropagation();
      this.close();
      return;
    }
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    const stages = [...this.renderRoot.querySelectorAll<HTMLElement>("[data-stage]")];
    const at = stages.indexOf(event.target as HTMLElement);
    const to = stages[Math.min(stages.length - 1, Math.max(0, at + by))];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    to.focus();
    if (this.opened !== null) this.opened = Number(to.dataset["stage"]);
  }

  private close(): void {
    const { opened } = this;
    this.opened = null;
    this.renderRoot.querySelector<HTMLElement>(`[data-stage="${opened}"]`)?.focus();
  }

  private legend(flow: Flow, plan: Plan): TemplateResult {
    const { p } = this;
    const kinds = [...new Set(flow.bands.map((band) => band.passing))].sort();
    const planned = flow.bands.every((band) => band.figure === null);
    const time = plan.execution?.millis ?? null;
    const pages = plan.execution?.pagesRead ?? null;
    return html`<p class="legend">
      ${kinds.map((kind) => html`<span class="kind ${kind}">${p[`flow.legend.${kind}`]}</span>`)}
      <span>${planned ? p["flow.legend.planned"] : p["flow.legend.scale"](this.count(flow.most))}</span>
      ${
        time === null || planned
          ? nothing
          : html`<span title=${plan.root.own === null ? p["flow.time.unsplit"] : nothing}>${p["flow.time"](
              [...(pages === null ? [] : [p["flow.pages"](this.count(pages))]), this.words.duration(time)].join(", "),
            )}</span>`
      }
    </p>`;
  }

  private rejected(plan: Plan): TemplateResult | typeof nothing {
    if (plan.rejected.length === 0) return nothing;
    return html`<details class="rejected">
      <summary>${this.p["rejected.title"](this.count(plan.rejected.length))}</summary>
      <ul>${plan.rejected.map((rejected) => html`<li>${this.lost(rejected, plan)}</li>`)}</ul>
    </details>`;
  }

  private lost({ root, trial }: RejectedPlan, plan: Plan): TemplateResult {
    const { p } = this;
    const winner = plan.trial;
    const why: string[] = [];
    if (trial === null || winner === null) why.push(p["rejected.unraced"]);
    else {
      const works = this.count(trial.works ?? 0);
      why.push(
        trial.returned === winner.returned
          ? p["rejected.tied"](works, this.count(trial.returned))
          : p["rejected.raced"](works, this.count(trial.returned), this.count(winner.returned)),
      );
      const documents = this.documents(documentsOf(plan), trial.documentsExamined);
      why.push(p["rejected.examined"](p["flow.keys"](this.count(trial.keysExamined)), documents));
      if (trial.score !== null && winner.score !== null)
        why.push(p["rejected.score"](trial.score.toFixed(4), winner.score.toFixed(4)));
    }
    return html`<code>${lineOf(root)}</code><p>${joinSentences(why)}</p>`;
  }

  /** The flow as a table, for readers who cannot see the bands or want the figures under one another. */
  private table(flow: Flow): TemplateResult {
    const { p } = this;
    const stages = flow.nodes.flatMap((node) => (node.stage === null ? [] : [{ node, stage: node.stage }]));
    const timed = stages.some(({ node }) => node.ownMillis !== null);
    const paged = stages.some(({ stage }) => stage.own !== null);
    // A join may read documents where the plan's own read is of buckets: then each cell says which.
    const examined = stages.filter(({ stage }) => stage.documentsExamined !== null);
    const isOfBuckets = examined.length > 0 && examined.every(({ node }) => node.passing === "buckets");
    const documents = p[isOfBuckets ? "column.buckets" : "column.documents"];
    return html`<details class="table"><summary>${p["flow.table"]}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label=${p["flow.table"]}><table>
        <thead><tr><th scope="col">${p["column.stage"]}</th><th scope="col">${p["column.keys"]}</th><th
          scope="col">${documents}</th><th scope="col">${p["column.taken"]}</th><th
          scope="col">${p["column.given"]}</th>${
            timed ? html`<th scope="col">${p["column.time"]}</th>` : nothing
          }${paged ? html`<th scope="col">${p["trial.pages"]}</th>` : nothing}</tr></thead>
        <tbody>${stages.map(
          ({ node, stage }) => html`<tr>
            <th scope="row"><code>${stage.name}</code>${
              stage.indexName === null ? nothing : html` <span>${stage.indexName}</span>`
            }</th>
            <td>${this.count(stage.keysExamined)}</td><td>${
              stage.documentsExamined === null || isOfBuckets || node.passing !== "buckets"
                ? this.count(stage.documentsExamined)
                : this.documents(node.passing, stage.documentsExamined)
            }</td>
            <td>${this.count(node.taken)}</td><td>${this.count(node.given)}</td>
            ${
              timed ? html`<td>${node.ownMillis === null ? "–" : this.words.duration(node.ownMillis)}</td>` : nothing
            }${paged ? html`<td>${this.count(stage.own?.pagesRead ?? null)}</td>` : nothing}</tr>`,
        )}</tbody>
      </table></div>
    </details>`;
  }
}

/** A plan in one line, as the engine words one: `FETCH(IXSCAN price_1)`. */
function lineOf(stage: RejectedPlan["root"]): string {
  const inputs = stage.inputs.map(lineOf).join(", ");
  return `${stage.name}${stage.indexName === null ? "" : ` ${stage.indexName}`}${inputs === "" ? "" : `(${inputs})`}`;
}

/** The band in a square that is stretched over its cell; the stroke keeps its width in pixels. */
function curve(band: FlowBand): SVGTemplateResult {
  const [from, to] = [100 * band.start, 100 * band.end];
  const kind = band.width === 0 ? (band.figure === 0 ? "none" : "unknown") : "";
  return svg`<path class="across ${kind}" stroke-width=${Math.max(1, band.width)}
      d="M0 ${from}C50 ${from} 50 ${to} 100 ${to}"></path>
    <path class="down ${kind}" stroke-width=${Math.max(1, band.width)}
      d="M${from} 0C${from} 50 ${to} 50 ${to} 100"></path>`;
}
