/**
 * `<doubt-lines>`: what is likely to be wrong in a statement, each with a button that mends it, and why nothing was
 * found: each condition of the filter with the number of documents that it alone leaves.
 *
 * Invariant: the script is changed only where it still is as it ran; the reader can undo that in the editor.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { doubtLines, wordAlone, wordChange, wordCount, wordTogether } from "../../messages/doubts/doubt-sentence.ts";
import { doubtMessagesOf, type DoubtMessages } from "../../messages/doubts/words.ts";
import type { Change, Judged, Why } from "../../state/doubts/doubt.ts";
import { mendingOf } from "../../state/doubts/places.ts";
import type { Leaf, LeafStatement } from "../../state/model.ts";
import { PageElement } from "../element.ts";
import { shared } from "../../look/shared.ts";
import { coded, drawCoded } from "./coded.ts";
import { errorStyles } from "./error-styles.ts";
import { mend } from "./hint-line.ts";

@customElement("doubt-lines")
export class DoubtLines extends PageElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) statement!: LeafStatement;

  static override styles = [
    shared,
    errorStyles,
    css`
      section {
        display: grid; gap: 0.3rem; padding: 0.4rem 0.85rem; border-left: 3px solid var(--rubric);
        background: var(--paper-2); border-radius: 0 var(--radius) var(--radius) 0;
      }
      .hint code { font-size: 0.8125rem; }
      .alone { font-size: var(--small); color: var(--ink-2); }
      ul { margin: 0.1rem 0 0; padding: 0; list-style: none; }
      li { display: flex; gap: 0.2rem 1rem; align-items: baseline; padding: 0.1rem 0; }
      li code { flex: 1 1 auto; min-width: 0; font-size: 0.8125rem; color: var(--ink); overflow-wrap: anywhere; }
      li span {
        flex: none; max-width: 55%; text-align: end; color: var(--ink); font-variant-numeric: tabular-nums;
      }
      li.none span { color: var(--rubric); font-weight: 500; }
      ul { max-width: 34rem; }
    `,
  ];

  protected override render(): TemplateResult | typeof nothing {
    const { judged } = this.statement;
    if (judged === undefined) return nothing;
    const { language } = this.store.state.settings;
    const t = doubtMessagesOf(language);
    return html`<section aria-label=${t["title"]}>
      ${this.doubts(judged, t)}${judged.why === null ? nothing : this.why(judged.why, t)}
    </section>`;
  }

  private doubts({ doubts }: Judged, t: DoubtMessages): readonly TemplateResult[] {
    const changes = doubts.flatMap(({ change }) => change ?? []);
    const lines = doubtLines(doubts, t, (count) => this.words.number(count)).map(
      ([sentence, own]) =>
        html`<p class="hint"><span>${drawCoded(sentence)}</span>${own.map((change) =>
          this.button([change], t["mend"](coded(wordChange(change)))),
        )}</p>`,
    );
    return changes.length < 2 ? lines : [...lines, html`<p class="hint">${this.button(changes, t["mend.all"])}</p>`];
  }

  /** A button that makes the changes in the script; nothing where they have no place there. */
  private button(changes: readonly Change[], text: string): TemplateResult | typeof nothing {
    const { leaf, statement } = this;
    const mending = mendingOf(leaf.source, statement, changes);
    return mending === null
      ? nothing
      : html`<button class="quiet" @click=${() => mend(this.services, leaf, mending)}>
          <span>${drawCoded(text)}</span></button>`;
  }

  private why(why: Why, t: DoubtMessages): TemplateResult {
    const count = (value: number): string => this.words.number(value);
    const together = wordTogether(why, t, count);
    return html`<div class="alone"><p id="alone">${wordAlone(why, t, count)}</p>
      <ul aria-labelledby="alone">${why.conditions.map(
        (one) =>
          html`<li class=${one.count === 0 ? "none" : ""}><code>${one.text}</code><span>${wordCount(
            one.count,
            t,
            count,
          )}</span></li>`,
      )}</ul>
      ${together === "" ? nothing : html`<p>${together}</p>`}</div>`;
  }
}
