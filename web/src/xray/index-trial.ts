/**
 * `<index-trial>`: an index, or several together, tried on a fork of the data: the same run without and with them, side
 * by side, to keep them or not.
 *
 * Invariant: draws the figures of `state/xray/compare.ts`; indexes are made for good by the button alone. Tells
 * `run-wanted` when the reader wants the script run again.
 */
import type { Document } from "bson";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { joinSentences } from "../messages/sentences.ts";
import { sentencesOf } from "../messages/xray/insight-sentence.ts";
import { insightMessagesOf } from "../messages/xray/insight-words.ts";
import type { ScriptCursor } from "../protocol/run.ts";
import { wordFailure } from "../state/controller.ts";
import { decodeCommand } from "../state/decode.ts";
import type { Suggestion } from "../state/insight.ts";
import { wordLine } from "../state/values.ts";
import {
  changeOf,
  compareIndexes,
  keepIndexes,
  type Comparison,
  type Side,
  type TriedIndexes,
} from "../state/xray/compare.ts";
import { patternOf, readKeys, wordPattern } from "../state/xray/index-key.ts";
import { shared } from "../look/shared.ts";
import "./plan-flow.ts";
import { PlanElement } from "./plan-element.ts";
import { xrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

@xrayElement("index-trial")
export class IndexTrial extends PlanElement {
  /** The cursor whose command is tried. */
  @property({ attribute: false }) cursor: Pick<ScriptCursor, "command"> | null = null;
  /** How many documents the run gave, where that is not all of them: both sides then read as many. */
  @property({ attribute: false }) documents: number | null = null;
  @property() namespace = "";
  @property({ attribute: false }) suggestion: Suggestion | null = null;
  @state() private typed = "";
  @state() private failure = "";
  @state() private working = false;
  @state() private tried: TriedIndexes | null = null;
  @state() private comparison: Comparison | null = null;
  @state() private kept = false;

  static override styles = [
    shared,
    xrayStyles,
    css`
      .ask { display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; align-items: center; }
      .ask input[type="text"] { flex: 1 1 12rem; max-width: 24rem; }
      table {
        margin-top: 0.5rem; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: var(--small);
      }
      th, td {
        padding: 0.15rem 1rem 0.15rem 0; border-bottom: 1px solid var(--rule); text-align: right; font-weight: 400;
      }
      th:first-child { text-align: left; color: var(--ink-2); }
      thead th { font-style: italic; color: var(--ink-2); }
      thead th:lang(zh) { font-style: normal; }
      td { font-family: var(--mono); font-size: 0.8125rem; }
      .better { color: var(--good); }
      .worse { color: var(--rubric); }
      .sides {
        display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem 1.25rem; margin-top: 0.6rem;
      }
      @container xray (max-width: 599.98px) { .sides { grid-template-columns: minmax(0, 1fr); } }
      .side { font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2); }
      .side:lang(zh) { font-style: normal; }
      .good { color: var(--good); }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("suggestion") && this.suggestion !== null && this.typed === "")
      this.typed = this.suggestion.keys.map(wordPattern).join(", ");
  }

  private async attempt(): Promise<void> {
    if (this.working) return;
    const keys = readKeys(this.typed);
    this.comparison = null;
    this.kept = false;
    if (keys === null) {
      this.failure = this.p["trial.unread"];
      return;
    }
    const [database = "", ...rest] = this.namespace.split(".");
    // A suggestion for a joined collection is for that one.
    const isSuggested = this.suggestion !== null && wordLine(this.suggestion.keys.map(patternOf)) === wordLine(keys);
    const collection = isSuggested && this.suggestion !== null ? this.suggestion.collection : rest.join(".");
    const tried = { database, collection, keys };
    this.working = true;
    this.failure = "";
    try {
      this.comparison = await compareIndexes(this.host.changer, this.command(), tried, this.documents);
      this.tried = tried;
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  private command(): Document {
    return this.cursor === null ? {} : decodeCommand(this.cursor);
  }

  private async keep(): Promise<void> {
    const { tried } = this;
    if (tried === null || this.working) return;
    this.working = true;
    try {
      await keepIndexes(this.host.changer, tried);
      await this.host.wrote();
      this.kept = true;
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  protected override render(): TemplateResult {
    const { p } = this;
    return html`<form class="ask" @submit=${(event: Event) => {
      event.preventDefault();
      void this.attempt();
    }}>
        <label for="key">${p["trial.key"]}</label>
        <input id="key" type="text" spellcheck="false" autocomplete="off" .value=${this.typed}
          placeholder="{ field: 1 }"
          @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value)}>
        <button class="button"
          aria-disabled=${String(this.working)}>${this.working ? p["trial.running"] : p["trial.try"]}</button>
      </form>
      <p class="failure" role="alert">${this.failure}</p>
      <div role="status">${this.comparison === null ? nothing : this.compared(this.comparison)}</div>`;
  }

  private compared(comparison: Comparison): TemplateResult {
    const { p, words } = this;
    const { before, after, unused } = comparison;
    const many = (this.tried?.keys.length ?? 1) > 1;
    const rows: readonly (readonly [string, number, number])[] = [
      [p["column.keys"], before.reading.keysExamined ?? 0, after.reading.keysExamined ?? 0],
      [p["column.documents"], before.reading.documentsExamined ?? 0, after.reading.documentsExamined ?? 0],
      [p["trial.pages"], before.reading.pagesRead ?? 0, after.reading.pagesRead ?? 0],
    ];
    const sorts = (side: Side): boolean => side.reading.notes.some((note) => note.kind === "sorted");
    const time = changeOf(before.millis, after.millis);
    return html`<table>
        <thead><tr><td></td><th scope="col">${p["trial.before"](many)}</th><th
          scope="col">${p["trial.after"](many)}</th><td></td></tr></thead>
        <tbody>
          ${rows.map(
            ([name, was, is]) => html`<tr><th scope="row">${name}</th><td>${words.number(was)}</td>
            <td>${words.number(is)}</td><td>${this.ratio(was, is)}</td></tr>`,
          )}
          <tr><th scope="row">${p["column.time"]}</th><td>${words.duration(time.before)}</td>
            <td>${words.duration(time.after)}</td><td>${this.ratio(time.before, time.after)}</td></tr>
          ${
            sorts(before) || sorts(after)
              ? html`<tr><th scope="row">${p["trial.sort"]}</th><td>${this.yes(sorts(before))}</td>
                <td>${this.yes(sorts(after))}</td><td>${
                  sorts(before) && !sorts(after) ? html`<span class="better">${p["trial.spared"]}</span>` : nothing
                }</td></tr>`
              : nothing
          }
        </tbody>
      </table>
      <p class="quietly">${p[this.documents === null ? "trial.whole" : "trial.first"](
        words.number(comparison.documents),
      )}</p>
      ${unused.length === 0 ? nothing : html`<p class="said">${p["trial.unused"](unused.join(", "))}</p>`}
      <p class="buttons">${
        this.kept
          ? html`<span class="good">${p["trial.kept"](many)}</span>
            <button class="button"
              @click=${() => this.dispatchEvent(new CustomEvent("run-wanted"))}>${p["trial.again"]}</button>`
          : html`<button class="button main" aria-disabled=${String(this.working)}
              @click=${() => void this.keep()}>${p["trial.keep"](many)}</button>
            <button class="button" @click=${() => (this.comparison = null)}>${p["trial.leave"](many)}</button>
            <span class="quietly">${p["trial.fork"](many)}</span>`
      }</p>
      <div class="sides">${this.side(p["trial.before"](many), before)}${this.side(
        p["trial.after"](many),
        after,
      )}</div>`;
  }

  private yes(value: boolean): string {
    return value ? this.p["trial.yes"] : this.p["trial.no"];
  }

  private ratio(was: number, is: number): TemplateResult | typeof nothing {
    const { less } = changeOf(was, is);
    if (less === null || was === is) return nothing;
    const times = (value: number): string => (value >= 10 ? this.words.number(Math.round(value)) : value.toFixed(1));
    return less >= 1
      ? html`<span class="better">${this.p["trial.less"](times(less))}</span>`
      : html`<span class="worse">${was === 0 ? this.p["trial.more"] : this.p["trial.moreBy"](times(1 / less))}</span>`;
  }

  private side(title: string, { plan, reading }: Side): TemplateResult {
    const { language } = this;
    const said = sentencesOf(reading, insightMessagesOf(language), (value) => this.words.number(value));
    return html`<section aria-label=${title}><p class="side">${title}</p><p class="said">${joinSentences(said)}</p>
      <plan-flow .host=${this.host} .plan=${plan} lang=${language}></plan-flow></section>`;
  }
}
