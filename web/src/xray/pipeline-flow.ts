/**
 * `<pipeline-flow>`: documents flowing through a pipeline: each stage with the number that comes out of it, as a band,
 * and the first of them beside it.
 *
 * Invariant: draws the previews of `state/pipeline/preview.ts`, which runs the pipeline's beginnings.
 */
import { css, html, nothing, svg, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { ScriptCursor } from "../protocol/run.ts";
import { wordFailure } from "../state/controller.ts";
import { pipelineOfCursor } from "../state/decode.ts";
import { previewPipeline, type StagePreview } from "../state/pipeline/preview.ts";
import { bandWidth } from "../state/plan-flow.ts";
import { preview, wordLine } from "../state/values.ts";
import { shared } from "../look/shared.ts";
import { PlanElement } from "./plan-element.ts";
import { xrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

@xrayElement("pipeline-flow")
export class PipelineFlow extends PlanElement {
  /** The cursor whose pipeline it is. */
  @property({ attribute: false }) cursor: Pick<ScriptCursor, "command"> | null = null;
  @state() private previews: readonly StagePreview[] = [];
  @state() private failure = "";
  @state() private reading = false;
  #turn = 0;

  static override styles = [
    shared,
    xrayStyles,
    css`
      .stages { margin-top: 0.6rem; }
      .stages > li {
        display: grid; grid-template-columns: minmax(9rem, 1fr) minmax(0, 2fr); gap: 0 1.25rem; align-items: stretch;
      }
      @container xray (max-width: 599.98px) { .stages > li { grid-template-columns: minmax(0, 1fr); } }
      .stage { display: grid; grid-template-rows: auto minmax(2rem, 1fr); }
      .card { padding: 0.35rem 0.6rem; border: 1px solid var(--rule-strong); border-radius: var(--radius); }
      .name { font: 600 0.875rem/1.5 var(--mono); }
      .spec {
        display: block; font: 400 0.8125rem/1.4 var(--mono); color: var(--ink-2); overflow-wrap: anywhere;
        max-height: 5.6em; overflow: auto;
      }
      .out { position: relative; display: flex; align-items: center; min-height: 2.2rem; padding-left: 4.2rem; }
      .out svg { position: absolute; left: 2rem; top: 0; width: 32px; height: 100%; overflow: visible; }
      .out path {
        stroke: light-dark(#7d8f6b, #66794f); fill: none; stroke-linecap: butt; vector-effect: non-scaling-stroke;
      }
      .out b { font: 400 0.875rem/1.4 var(--mono); font-variant-numeric: tabular-nums; }
      .sample { padding: 0.2rem 0 0.75rem; min-width: 0; }
      .sample code {
        display: block; padding: 0.1rem 0.4rem; border-left: 2px solid var(--rule); font-size: 0.8125rem;
        overflow-wrap: anywhere;
      }
      .sample code + code { margin-top: 0.2rem; }
      .sample .quietly { padding-left: 0.4rem; }
    `,
  ];

  protected override firstUpdated(): void {
    void this.read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // No further beginning is run.
    this.#turn += 1;
  }

  private async read(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.previews = [];
    this.failure = "";
    this.reading = true;
    try {
      const source = this.cursor === null ? null : pipelineOfCursor(this.cursor);
      if (source !== null)
        for await (const one of previewPipeline(this.host.changer, source)) {
          if (turn !== this.#turn) return;
          this.previews = [...this.previews, one];
        }
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      if (turn === this.#turn) this.reading = false;
    }
  }

  protected override render(): TemplateResult {
    const { p } = this;
    const most = Math.max(1, ...this.previews.map(({ count }) => count ?? 0));
    return html`<p class="failure" role="alert">${this.failure}</p>
      <p class="quietly">${p["pipe.about"]} ${p["flow.legend.scale"](this.words.number(most))}</p>
      <ol class="stages" aria-busy=${String(this.reading)}>${this.previews.map((one) => this.stage(one, most))}</ol>
      <p class="unseen" role="status">${
        this.reading ? p["xray.reading"] : p["pipe.done"](this.words.number(this.previews.length))
      }</p>
      <p class="buttons"><button class="button" aria-disabled=${String(this.reading)}
        @click=${() => (this.reading ? undefined : void this.read())}>${p["xray.again"]}</button></p>`;
  }

  private stage({ name, stage, documents, count, refusal }: StagePreview, most: number): TemplateResult {
    const { p } = this;
    const body = name === null || stage === null ? null : (stage[name] as unknown);
    const width = bandWidth(count, most);
    return html`<li>
      <div class="stage">
        <div class="card"><span class="name">${name ?? p["pipe.collection"]}</span>${
          body === null ? nothing : html`<code class="spec" tabindex="0">${wordLine(body)}</code>`
        }</div>
        <p class="out"><svg viewBox="0 0 32 100" preserveAspectRatio="none" aria-hidden="true">${
          width === 0 ? nothing : svg`<path d="M16 0V100" stroke-width=${width}></path>`
        }</svg>${
          refusal !== null
            ? nothing
            : count === null
              ? html`<span class="quietly">${p["pipe.uncounted"]}</span>`
              : html`<b>${p["flow.documents"](this.words.number(count))}</b>`
        }</p>
      </div>
      <div class="sample">${
        refusal === null
          ? documents.length === 0
            ? html`<p class="quietly">${p["pipe.nothing"]}</p>`
            : documents.map((document) => html`<code>${preview(document, 220)}</code>`)
          : html`<p class=${refusal.kind === "failed" ? "failure" : "quietly"}>${
              refusal.kind === "failed" ? refusal.message : p["pipe.writes"]
            }</p>`
      }</div>
    </li>`;
  }
}
