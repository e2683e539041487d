/** Draws a value's words so that a text written from right to left turns no more than itself. */
import { html, type TemplateResult } from "lit";
import { quotedPieces } from "../state/right-to-left.ts";

/** The words to be put into a template; usual ones as they are. */
export function isolated(text: string): string | readonly (string | TemplateResult)[] {
  const pieces = quotedPieces(text);
  return pieces.length === 1 ? text : pieces.map((piece, at) => (at % 2 === 0 ? piece : html`<bdi>${piece}</bdi>`));
}
