/**
 * Finds names by a few letters of them, as a palette does.
 *
 * Invariant: pure; every word of the query must be found; a match at the beginning of a word counts for more than one
 * inside, and letters that merely follow one another count least.
 */

/** How well a text answers a query; 0 when it does not. */
export function matchScore(query: string, text: string): number {
  const folded = text.toLowerCase();
  let score = 1;
  for (const word of query
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== "")) {
    const found = wordScore(word, folded);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function wordScore(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 60;
  if (at > 0) {
    for (let next = at; next >= 0; next = text.indexOf(word, next + 1))
      if (!/[a-z0-9]/.test(text[next - 1] ?? " ")) return 40;
    return 20;
  }
  // Letters in order, close to one another: `ncol` finds `new collection`.
  let from = 0;
  let gaps = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, from);
    if (next < 0) return 0;
    if (next > from) gaps += 1;
    from = next + 1;
  }
  return gaps > Math.max(2, word.length / 2) ? 0 : 5;
}

/** The items that answer a query, best first and otherwise in their order. */
export function searchBy<Item>(
  query: string,
  items: readonly Item[],
  texts: (item: Item) => readonly string[],
): readonly Item[] {
  if (query.trim() === "") return items;
  return items
    .map((item, index) => ({ item, index, score: Math.max(...texts(item).map((text) => matchScore(query, text))) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .map(({ item }) => item);
}
