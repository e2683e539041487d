/**
 * Sentences one after another, in any language.
 *
 * Invariant: no space stands behind a Chinese mark, whose own width holds it.
 */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => {
    if (text === "" || next === "") return text + next;
    return /[。！？；：，]$/.test(text) ? text + next : `${text} ${next}`;
  }, "");
}
