/**
 * `<snippet-xray>`: the plan of a snippet's result as a flow, and from there the drawings of the data that the command
 * read: trees, pages, a ring, a dial, the pipeline stage by stage, an index tried on a fork.
 *
 * Invariants: colours, type and measures are the snippet's own, whose host it stands in; a drawing opens in a modal
 * dialog of this shadow root, so that a narrow column does not cramp it.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { dialogStyles } from "../look/dialog.ts";
import { closeIcon } from "../look/icons.ts";
import { shared } from "../look/shared.ts";
import { insightMessagesOf, type InsightMessages } from "../messages/xray/insight-words.ts";
import type { ScriptCursor } from "../protocol/run.ts";
import type { Suggestion } from "../state/insight.ts";
import type { Plan } from "../state/plan.ts";
import { readerNamespace } from "../state/series.ts";
import { wordCreateIndexes } from "../state/xray/index-key.ts";
import { insidesOf, PLAIN, readNature, type Inside, type Nature } from "../state/xray/insides.ts";
import "../xray/index-trial.ts";
import { callOfInside, titleOfInside, type InsideOf } from "../xray/inside-view.ts";
import { PlanElement } from "../xray/plan-element.ts";
import "../xray/plan-flow.ts";
import { xrayElement } from "../xray/xray-element.ts";
import type { QuireSnippet } from "./snippet.ts";

@xrayElement("snippet-xray")
export class SnippetXray extends PlanElement {
  @property({ attribute: false }) plan!: Plan;
  @property({ attribute: false }) suggestion: Suggestion | null = null;
  /** The plan's figures are those of the first batch alone. */
  @property({ type: Boolean }) isFirstOnly = false;
  /** The cursor whose run the plan is of; null for a plan that was not run for its result. */
  @property({ attribute: false }) cursor: Pick<ScriptCursor, "command"> | null = null;
  /** How many documents of the result are shown. */
  @property({ attribute: false }) given = 0;
  /** All of the result was read. */
  @property({ type: Boolean }) isEnded = false;
  /** The pages that the run touched, as far as they are known by now. */
  @property({ attribute: false }) pages: () => Uint32Array | null = () => null;
  /** Whether drawings may change the data; without it there is no ring, no dial and no index to keep. */
  @property({ type: Boolean }) changes = true;
  @state() private nature: Nature = PLAIN;
  @state() private opened: Inside | null = null;
  @state() private trying = false;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("h2") private heading!: HTMLElement | null;

  static override styles = [
    shared,
    dialogStyles,
    css`
      :host {
        --rubric-fill: var(--fill); --on-rubric: var(--on-fill);
        --rubric-fill-2: color-mix(in srgb, var(--fill) 82%, var(--ink));
        --thread: light-dark(#b0452f, #c65d47); --good: light-dark(#3a5f33, #a3c590);
        --small: 0.875rem; --tiny: 0.8125rem; --code: 0.8125rem; --radius: 4px;
        padding-block: 0.3rem 0.5rem; font-size: 0.875rem; line-height: 1.45; color: var(--ink);
      }
      dialog { width: min(58rem, calc(100vw - 2rem)); font-size: 0.9375rem; line-height: 1.5; }
      .top { align-items: flex-start; }
      h2 { margin: 0; line-height: 1.25; text-wrap: balance; }
      h2:focus-visible { outline: none; }
      .insides { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 0.6rem; }
      .insides .button { white-space: normal; }
      .suggest { margin-top: 0.5rem; font-size: var(--small); }
      .suggest code { overflow-wrap: anywhere; }
      index-trial { margin-top: 0.6rem; }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.style.setProperty("--serif", getComputedStyle(this).fontFamily);
  }

  protected override firstUpdated(): void {
    void this.wrote();
  }

  /** Reads the collection's kind again (capped, with a TTL index), which a drawing may have changed. */
  async wrote(): Promise<void> {
    if (!this.changes) return;
    try {
      this.nature = await readNature(this.host.changer, this.plan);
    } catch {
      // The engine went with a script that was stopped: the drawings say so.
    }
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("opened") || this.opened === null) return;
    if (this.dialog.open) this.heading?.focus();
    else this.dialog.showModal();
  }

  protected override render(): TemplateResult {
    const { plan, host, language, suggestion } = this;
    const i = insightMessagesOf(language);
    return html`${this.isFirstOnly ? html`<p class="suggest">${i["since.drawn"]}</p>` : nothing}
      <plan-flow .host=${host} .plan=${plan}></plan-flow>
      ${suggestion === null ? nothing : html`<p class="suggest">${this.suggest(suggestion, i)}</p>`}
      <p class="insides">${this.insides.map(
        (inside) =>
          html`<button class="button" @click=${() => (this.opened = inside)}>${callOfInside(inside, i)}</button>`,
      )}${this.trial()}</p>
      ${
        this.trying
          ? html`<index-trial .host=${host} .cursor=${this.cursor} .namespace=${readerNamespace(plan.namespace ?? "")}
              .documents=${this.isEnded ? null : this.given}
              .suggestion=${this.suggestion} @run-wanted=${() => this.runAgain()}></index-trial>`
          : nothing
      }
      <dialog aria-labelledby="title" @close=${() => (this.opened = null)}
        @click=${(event: MouseEvent) => event.target === this.dialog && this.dialog.close()}
        @page-wanted=${({ detail }: CustomEvent<number>) => (this.opened = { kind: "pages", page: detail })}>
        ${this.opened === null ? nothing : this.inside(this.opened)}
      </dialog>`;
  }

  /**
   * The drawings that this result has. A plan without a cursor shows neither pages it read nor documents that passed:
   * there was no run of it, or a run that wrote, which is not run again.
   */
  private get insides(): readonly Inside[] {
    const all = insidesOf(this.plan, this.nature);
    if (this.cursor !== null) return all;
    const hasPages = this.pages() !== null;
    return all.filter(({ kind }) => kind !== "pipeline" && (kind !== "pages" || hasPages));
  }

  private suggest(suggestion: Suggestion, i: InsightMessages): TemplateResult {
    const { keys, isForBranches } = suggestion;
    const words = isForBranches ? i["insight.suggest.branches"](keys.length === 1) : i["insight.suggest"];
    return html`${words} <code>${wordCreateIndexes(suggestion)}</code>`;
  }

  /** Opens the place where an index is tried. */
  private trial(): TemplateResult | typeof nothing {
    if (this.plan.namespace === null || this.cursor === null || !this.changes) return nothing;
    return html`<button class="button" aria-expanded=${String(this.trying)}
      @click=${() => (this.trying = !this.trying)}>${this.p["trial.key"]}</button>`;
  }

  private inside(inside: Inside): TemplateResult {
    const i = insightMessagesOf(this.language);
    // A page of a tree is opened for its own sake; without one, the map frames those of the run.
    const run: InsideOf | null =
      inside.kind === "pages" && inside.page !== null
        ? null
        : { number: null, pages: this.pages(), cursor: this.cursor, given: this.given };
    return html`<div class="top"><h2 id="title" tabindex="-1">${titleOfInside(inside, i)}</h2><button
        class="quiet icon" aria-label=${i["insight.close"]} title=${i["insight.close"]}
        @click=${() => this.dialog.close()}>${closeIcon()}</button></div>
      <div class="inside">${keyed(
        inside,
        html`<inside-view .host=${this.host} .inside=${inside} .run=${run}></inside-view>`,
      )}</div>`;
  }

  private runAgain(): void {
    const root = this.getRootNode();
    if (root instanceof ShadowRoot) void (root.host as QuireSnippet).run();
  }
}
