/** Documents added, removed and changed, as signs with numbers, and in words for readers who cannot see the signs. */
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../messages/messages.ts";
import type { TimelineMessages } from "../../messages/timeline/words.ts";
import type { ChangeCounts } from "../../protocol/moments.ts";

/** The counts as one line of text. */
export function countsText(
  t: TimelineMessages,
  words: Words,
  { added, removed, changed, pages }: ChangeCounts,
): string {
  const parts = [
    ...(added > 0 ? [t["counts.added"](words.number(added))] : []),
    ...(removed > 0 ? [t["counts.removed"](words.number(removed))] : []),
    ...(changed > 0 ? [t["counts.changed"](words.number(changed))] : []),
  ];
  const documents = parts.length === 0 ? t["counts.none"] : parts.join(", ");
  return `${documents}; ${t["counts.pages"](words.number(pages), words.one(pages))}`;
}

export function countsView(t: TimelineMessages, words: Words, counts: ChangeCounts): TemplateResult {
  const part = (count: number, sign: string, name: string): TemplateResult | typeof nothing =>
    count === 0 ? nothing : html`<span class=${name}>${sign}${words.number(count)}</span>`;
  const text = countsText(t, words, counts);
  return html`<span class="counts" title=${text}><span class="unseen">${text}</span><span aria-hidden="true"
      >${part(counts.added, "+", "plus")} ${part(counts.removed, "−", "minus")} ${part(
        counts.changed,
        "~",
        "tilde",
      )}</span></span>`;
}
