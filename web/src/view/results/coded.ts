/** Draws sentences whose names and values are marked as code (`messages/coded.ts`). */
import { html, type TemplateResult } from "lit";
import { codedPieces } from "../../messages/coded.ts";

export { coded, uncoded } from "../../messages/coded.ts";

/** Draws a sentence. */
export function drawCoded(sentence: string): readonly (string | TemplateResult)[] {
  return codedPieces(sentence).map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`));
}
