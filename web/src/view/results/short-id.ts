/**
 * A generated `_id` in a row: its last digits, dim; the whole of it where the row is pointed at or current.
 *
 * Invariant: the whole of it is in the document at all times, so that selecting it copies all of it, and a screen
 * reader reads it.
 */
import { css, html, type TemplateResult } from "lit";
import { digitsOf } from "../../state/lead.ts";

/** Digits shown of an id whose row is not looked at. */
const shown = 6;

export function shortId(id: unknown): TemplateResult {
  const digits = digitsOf(id);
  const [front, end] = [digits.slice(0, -shown), digits.slice(-shown)];
  return html`<span class="short-id"><span class="front">${front}</span>${end}</span>`;
}

export const shortIdStyles = css`
  .short-id { color: var(--ink-3); white-space: nowrap; }
  .short-id::before { content: "…"; }
  .front { display: inline-block; width: 0; height: 1em; overflow: hidden; vertical-align: bottom; }
  :is(.line, td):hover > * .front, :is(.line, td)[aria-selected="true"] > * .front { display: inline; }
  :is(.line, td):hover .short-id::before, :is(.line, td)[aria-selected="true"] .short-id::before { content: none; }
`;
