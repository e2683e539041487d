/**
 * Names and values inside a sentence, so that a message table can put them where its language wants them and they are
 * still drawn as code.
 *
 * Invariant: U+0001 stands around a marked text; no sentence holds that character, and it is taken out of marked texts.
 */

const MARK = "\u0001";

/** Marks a text as code. */
export const coded = (text: string): string => `${MARK}${text.replaceAll(MARK, "")}${MARK}`;

/** A sentence as plain text. */
export const uncoded = (sentence: string): string => sentence.replaceAll(MARK, "");

/** The pieces of a sentence: every second one is code. */
export const codedPieces = (sentence: string): readonly string[] => sentence.split(MARK);
