/**
 * `<page-insight>`: beside a result, how it was answered: one line with a sentence and the figures, and on demand the
 * plan. Where something could be better, it says so at once.
 *
 * Invariant: the sentence and the suggestion come from `state/insight.ts`; nothing here judges a plan.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { CollectionSummary } from "../../client/client.ts";
import { documentsWord, pagesWord, sentencesOf } from "../../messages/xray/insight-sentence.ts";
import { joinSentences } from "../../messages/sentences.ts";
import { insightMessagesOf, type InsightMessages } from "../../messages/xray/insight-words.ts";
import type { ScriptCursor } from "../../protocol/run.ts";
import type { Judged } from "../../state/doubts/doubt.ts";
import type { Fetched } from "../../state/fetched.ts";
import { countedIn, type Counted, type Reading, type Suggestion } from "../../state/insight.ts";
import { shownCommand, type Insight } from "../../state/model.ts";
import { partsOfNamespace, readPlan, type Plan } from "../../state/plan.ts";
import { readerNamespace } from "../../state/series.ts";
import { readSoFar } from "../../state/so-far.ts";
import { fieldOf } from "../../state/values.ts";
import { wordCreateIndexes } from "../../state/xray/index-key.ts";
import { insidesOf } from "../../state/xray/insides.ts";
import { callOfInside } from "../../xray/inside-view.ts";
import { PageElement } from "../element.ts";
import { xrayHost } from "../xray-host.ts";
import { shared } from "../../look/shared.ts";

@customElement("page-insight")
export class PageInsight extends PageElement {
  @property({ attribute: false }) insight: Insight = { kind: "none" };
  /** The figures of the batches after the first; null where there are none. */
  @property({ attribute: false }) fetched: Fetched | null = null;
  /** The cursor gave its last document. */
  @property({ type: Boolean }) ended = false;
  /** The run it is of; null for a plan that is itself the value. */
  @property({ attribute: false }) leaf: number | null = null;
  /** What is likely to be wrong in the statement; undefined until that is known, and no index is advised before. */
  @property({ attribute: false }) judged: Judged | undefined = undefined;
  /** Open the plan at once: the reader asked for an explain. */
  @property({ type: Boolean }) opened = false;
  @state() private unfolded = false;
  @state() private trying = false;

  static override styles = [
    shared,
    css`
      :host { container: insight / inline-size; }
      .note {
        padding: 0.25rem 0.85rem; border-left: 3px solid var(--thread); background: var(--paper-2);
        border-radius: 0 var(--radius) var(--radius) 0;
      }
      .note.good { border-left-color: var(--good); }
      h3 { font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2); }
      h3:lang(zh) { font-style: normal; }
      .quietly { color: var(--ink-2); font-size: var(--small); }
      summary {
        display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 0.9rem; min-height: 1.6rem;
        cursor: pointer; list-style: none;
      }
      summary::-webkit-details-marker { display: none; }
      .verdict {
        flex: 1 1 10rem; min-width: 0; line-height: 1.4; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
      }
      .verdict::before {
        content: ""; display: inline-block; width: 0.34rem; height: 0.34rem; margin: 0 0.55rem 0.13rem 0.1rem;
        border: solid var(--ink-2); border-width: 0 1.5px 1.5px 0; rotate: -45deg;
      }
      [open] > summary .verdict::before { rotate: 45deg; }
      [open] > summary .verdict, .wrong .verdict { white-space: normal; text-wrap: pretty; }
      .wrong .verdict, [open] > summary .verdict { flex-basis: 18rem; }
      .figures {
        display: flex; flex-wrap: wrap; flex: 0 1 auto; min-width: 0; gap: 0 0.8rem; font-size: var(--tiny);
        color: var(--ink-2); font-variant-numeric: tabular-nums;
      }
      summary:hover .verdict::before { border-color: var(--rubric); }
      .suggest {
        display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 0.6rem; margin: 0.2rem 0 0.15rem;
        font-size: var(--small);
      }
      .suggest code {
        padding: 0.05rem 0.35rem; background: var(--paper); border: 1px solid var(--rule); border-radius: 3px;
        overflow-wrap: anywhere;
      }
      .suggest .quiet { padding: 0; color: var(--rubric); text-decoration: underline; text-underline-offset: 3px; }
      index-trial { margin: 0.4rem 0 0.3rem; }
      plan-flow { margin: 0.35rem 0 0.3rem; }
      @container insight (max-width: 30rem) { details:not([open]) .spare { display: none; } }
      @media (pointer: coarse) { summary { align-items: center; min-height: 2.5rem; } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("opened") && this.opened) this.unfolded = true;
    // The element upgrades in place when its code comes.
    if (this.unfolded) import("../../xray/plan-flow.ts").catch(this.fold);
  }

  /** Without the code of a drawing there is nothing below the line; the next unfolding asks for it again. */
  private readonly fold = (): void => {
    this.unfolded = false;
    this.trying = false;
  };

  private get i(): InsightMessages {
    return insightMessagesOf(this.store.state.settings.language);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { insight, i } = this;
    switch (insight.kind) {
      case "none":
        return nothing;
      case "asking":
        return html`<section class="note"><h3 class="unseen">${i["insight.title"]}</h3><p
          class="quietly">${i["insight.asking"]}</p></section>`;
      case "refused":
        return html`<section class="note"><h3 class="unseen">${i["insight.title"]}</h3><p
          class="quietly">${i["insight.refused"](insight.message)}</p></section>`;
      case "explained":
        return this.explained(insight.explain, countedIn(insight.observed));
    }
  }

  private explained(explain: unknown, counted: Counted | null): TemplateResult | typeof nothing {
    const found = readPlan(explain);
    if (found === null) return nothing;
    const { plan, reading, isFirstOnly } = readSoFar(
      found,
      counted,
      this.fetched,
      this.ended,
      this.collectionAt(readerNamespace(found.namespace ?? ""))?.indexes,
    );
    const advised = this.judged?.doubts.length === 0 ? reading.suggestion : null;
    const sentences = sentencesOf(reading, this.i, (value) => this.words.number(value));
    return html`<section class="note ${reading.isWrong ? "wrong" : "good"}">
      <h3 class="unseen">${this.i["insight.title"]}</h3>
      <details ?open=${this.unfolded}
        @toggle=${(event: Event) => (this.unfolded = (event.target as HTMLDetailsElement).open)}>
        <summary title=${this.unfolded ? nothing : this.i["insight.open"]}><span
          class="verdict">${joinSentences(sentences)}</span>${this.figures(reading)}</summary>
        ${this.unfolded && isFirstOnly ? html`<p class="quietly">${this.i["since.drawn"]}</p>` : nothing}
        ${
          this.unfolded
            ? html`<plan-flow .host=${xrayHost(this.controller, this.words)} .plan=${plan}
                lang=${this.store.state.settings.language}></plan-flow>`
            : nothing
        }
        ${this.unfolded ? this.insides(plan) : nothing}
      </details>
      ${this.suggestion(advised)}
      ${this.trial(plan, advised)}
    </section>`;
  }

  /** The collection of a namespace, as the catalog has it. */
  private collectionAt(namespace: string): CollectionSummary | undefined {
    const [database, name] = partsOfNamespace(namespace);
    return this.store.state.catalog.databases
      .find((each) => each.summary.name === database)
      ?.collections.find((each) => each.name === name);
  }

  /** The buttons for the drawings of the insides: trees, pages, a ring or a dial, the pipeline. */
  private insides(plan: Plan): TemplateResult | typeof nothing {
    const { leaf, i } = this;
    if (leaf === null) return nothing;
    const summary = this.collectionAt(plan.namespace ?? "");
    const views = insidesOf(plan, {
      isCapped: summary?.capped === true,
      expiringIndex: summary?.indexes.find((index) => index.expireAfterSeconds !== null)?.name ?? null,
    });
    const shown = this.tried === null ? views.filter(({ kind }) => kind !== "pipeline") : views;
    return html`<p class="suggest">${shown.map((inside) => {
      const { kind } = inside;
      const dialog = kind === "pipeline" || kind === "pages" || kind === "lookup" ? { ...inside, leaf } : inside;
      return html`<button class="button"
        @click=${() => this.store.dispatch({ kind: "data-dialog-changed", dialog })}>${callOfInside(
          inside,
          i,
        )}</button>`;
    })}</p>`;
  }

  private figures(reading: Reading): TemplateResult | typeof nothing {
    if (reading.returned === null) return nothing;
    const { i, words } = this;
    const figures = [
      { value: reading.keysExamined, word: i["figure.keys"], spare: reading.keysExamined === 0 },
      { value: reading.documentsExamined, word: documentsWord(reading, i), spare: false },
      { value: reading.returned, word: i["figure.returned"], spare: true },
      { value: reading.pagesRead, word: pagesWord(reading, i), spare: true },
    ];
    return html`<span class="figures"><span class="unseen">${i["figure.label"]}: </span>${figures.map(
      ({ value, word, spare }) =>
        value === null || (value === 0 && spare && word === i["figure.keys"])
          ? nothing
          : html`<span class=${spare ? "spare" : ""}>${word(words.number(value))}</span>`,
    )}</span>`;
  }

  /** The command that can be run again; null where there is none, or it writes. */
  private get tried(): Pick<ScriptCursor, "command"> | null {
    const leaf = this.store.state.leaves.find(({ number }) => number === this.leaf);
    return leaf === undefined ? null : shownCommand(leaf);
  }

  /** How many documents of the cursor are shown. */
  private get given(): number {
    const value = this.store.state.leaves.find(({ number }) => number === this.leaf)?.value;
    return value?.kind === "cursor" ? value.documents.length : 1;
  }

  private suggestion(suggestion: Suggestion | null): TemplateResult | typeof nothing {
    if (suggestion === null) return nothing;
    const call = wordCreateIndexes(suggestion);
    const { keys, isForBranches } = suggestion;
    const words = isForBranches ? this.i["insight.suggest.branches"](keys.length === 1) : this.i["insight.suggest"];
    return html`<p class="suggest">
      <span>${words}</span><code>${call}</code>
      <button class="quiet" @click=${() => this.services.insert(call)}>${this.i["insight.try"]}</button>
      ${
        this.tried === null || this.trying
          ? nothing
          : html`<button class="quiet" @click=${() => (this.trying = true)}>${this.i["insight.compare"]}</button>`
      }
    </p>`;
  }

  /** An index tried on a fork: the one suggested, or any that the reader types. */
  private trial(plan: Plan, suggestion: Suggestion | null): TemplateResult | typeof nothing {
    const { tried } = this;
    if (tried === null || plan.namespace === null || !(this.trying || this.unfolded)) return nothing;
    // It draws plans too, so its code fails where theirs does.
    import("../../xray/index-trial.ts").catch(this.fold);
    return html`<index-trial .host=${xrayHost(this.controller, this.words)} .cursor=${tried}
      .documents=${this.ended ? null : this.given}
      .namespace=${readerNamespace(plan.namespace)} .suggestion=${suggestion}
      @run-wanted=${() => this.services.act("run")}
      lang=${this.store.state.settings.language}></index-trial>`;
  }
}

/** Whether a value is an explain reply that can be drawn. */
export function isPlan(value: unknown): boolean {
  return (
    (fieldOf(value, "queryPlanner") !== undefined || fieldOf(value, "stages") !== undefined) && readPlan(value) !== null
  );
}
