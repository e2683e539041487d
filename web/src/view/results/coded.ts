/**
 * Names and values inside a sentence, so that a message table can put them where its language wants them and they are
 * still drawn as code.
 *
 * Invariant: U+0001 stands around a marked text; no sentence holds that character, and it is taken out of marked texts.
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
