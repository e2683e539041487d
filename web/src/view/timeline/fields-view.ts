/** The fields that differ between two states of a document, each with its value before and after. */
import { css, html, type TemplateResult } from "lit";
import type { TimelineMessages } from "../../messages/timeline/words.ts";
import type { FieldChange } from "../../state/timeline/timeline.ts";

/** Words a value, cut as the place wants it. */
type WordOne = (value: unknown) => string;

function side(t: TimelineMessages, value: unknown, name: "del" | "ins", word: WordOne): TemplateResult {
  if (value === undefined) return html`<span class="lacking">${t["changes.noField"]}</span>`;
  return name === "del" ? html`<del>${word(value)}</del>` : html`<ins>${word(value)}</ins>`;
}

export function fieldsView(t: TimelineMessages, fields: readonly FieldChange[], word: WordOne): TemplateResult {
  return html`<dl class="fields">${fields.map(
    ({ field, before, after }) =>
      html`<dt>${field}</dt><dd>${side(t, before, "del", word)} <span class="arrow" aria-hidden="true">→</span><span
      class="unseen">${t["changes.becomes"]}</span> ${side(t, after, "ins", word)}</dd>`,
  )}</dl>`;
}

/** The same where the state before is not known: `value` is the new one, or else `note` tells what was done. */
export type Told = { readonly field: string } & ({ readonly value: string } | { readonly note: string });

export function toldView(fields: readonly Told[]): TemplateResult {
  return html`<dl class="fields">${fields.map(
    (one) =>
      html`<dt>${one.field}</dt><dd>${
        "value" in one ? html`<ins>${one.value}</ins>` : html`<span class="lacking">${one.note}</span>`
      }</dd>`,
  )}</dl>`;
}

export const fieldStyles = css`
  .fields { display: grid; grid-template-columns: minmax(4rem, auto) minmax(0, 1fr); gap: 0.05rem 1rem; }
  .fields :is(dt, del, ins) { unicode-bidi: isolate; }
  .fields dt { color: var(--ink-2); }
  .fields del { text-decoration: none; color: var(--rubric); }
  .fields ins { text-decoration: none; color: var(--good); }
  .arrow { color: var(--ink-3); }
  .lacking { font-style: italic; color: var(--ink-3); }
  .lacking:lang(zh) { font-style: normal; }
`;
