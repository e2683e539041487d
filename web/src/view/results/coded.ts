/**
 * Names and values inside a sentence, so that a message table can put them where its language wants them and they are
 * still drawn as code.
 *
 * Invariant: what is marked is told by a character that no sentence holds, and that is taken out of what is marked.
 */
import { html, type TemplateResult } from "lit";

const MARK = "\u0001";

/** Marks a text as code. */
export const coded = (text: string): string => `${MARK}${text.replaceAll(MARK, "")}${MARK}`;

/** A sentence as plain text. */
export const uncoded = (sentence: string): string => sentence.replaceAll(MARK, "");

/** Draws a sentence. */
export function drawCoded(sentence: string): readonly (string | TemplateResult)[] {
  return sentence.split(MARK).map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`));
}
