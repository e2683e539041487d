/**
 * Lines with words that are written from right to left. Unless each stands by itself, a browser takes two of them for
 * one phrase, and shows what is between them in the opposite order.
 *
 * Invariants: pure; the pieces of a line joined are the line.
 */

/** Hebrew, Arabic and the scripts beside them, and the signs that turn a text by themselves. */
const turning = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/;

/** A quoted text, or its beginning where it was cut. A mark behind a letter is a part of its word (`צה"ל`). */
const quoted = /(?<![\p{L}\p{N}])("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/u;

/** The pieces of a worded value, of which every second one is a quoted text that is to stand by itself. */
export function quotedPieces(text: string): readonly string[] {
  return turning.test(text) ? text.split(quoted) : [text];
}
