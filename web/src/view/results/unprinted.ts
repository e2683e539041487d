/** The line on paper below a view too long to be printed whole. Invariant: on the screen it is not seen. */
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../messages/messages.ts";
import type { ResultMessages } from "../../messages/results/words.ts";
import { printedRows, type RowWindow } from "./window.ts";

export function unprinted(
  r: ResultMessages,
  words: Words,
  { printing }: Pick<RowWindow, "printing">,
  count: number,
): TemplateResult | typeof nothing {
  if (!printing || count <= printedRows) return nothing;
  return html`<p class="unprinted">${r["print.more"](words.number(count - printedRows))}</p>`;
}
