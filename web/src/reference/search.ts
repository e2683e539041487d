/**
 * Finds entries by a few words: of their names, of their sentences in any language, of their kinds, and by what
 * learners call them (`synonyms.ts`).
 *
 * Invariant: pure; every word of the query must be found, in whichever of these; a name counts for more than a
 * sentence, a whole name for more than that, and a question that the synonyms answer for most.
 */
import { matchScore } from "../state/search.ts";
import type { Entry } from "./entries.ts";
import { answersTo } from "./synonyms.ts";

/** The texts that an entry is found by besides its name: sentences and words for its kind, in each language. */
export type TextsOf = (entry: Entry) => readonly string[];

const WHOLE_NAME = 200;
const IN_NAME = 3;
/** Letters that merely follow one another would be found in any sentence. */
const LEAST_IN_SENTENCE = 20;

function wordScore(word: string, { name, key }: Entry, texts: readonly string[]): number {
  const bare = word.replace(/^\$(?=\w)|\(\)$/g, "");
  if ([name, key, key.replace(/^\$/, "")].some((one) => one.toLowerCase() === word || one.toLowerCase() === bare))
    return WHOLE_NAME;
  const inName = Math.max(matchScore(word, name), matchScore(word, key));
  const inTexts = Math.max(0, ...texts.map((text) => matchScore(word, text)).filter((one) => one > LEAST_IN_SENTENCE));
  return Math.max(inName * IN_NAME, inTexts);
}

/** The entries that answer a query, best first and otherwise in their order. */
export function findEntries(query: string, entries: readonly Entry[], textsOf: TextsOf): readonly Entry[] {
  const wanted = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (wanted.length === 0) return entries;
  const answers = answersTo(query);
  const scored = entries.map((entry, index) => {
    const texts = textsOf(entry);
    const scores = wanted.map((word) => wordScore(word, entry, texts));
    const byWords = Math.min(...scores) === 0 ? 0 : scores.reduce((sum, one) => sum + one);
    return { entry, index, score: Math.max(byWords, answers.get(entry.id) ?? 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .map(({ entry }) => entry);
}
