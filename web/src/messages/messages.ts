/**
 * The message tables by language, and how numbers, times and sizes are worded in each.
 *
 * Invariants: English is always there, another language's table is fetched before it is drawn and English stands in for
 * one that is not; a word needs its language's table and nothing else, so views redraw when the language changes.
 */
import type { Language } from "../state/settings.ts";
import { en } from "./en.ts";
import { figuresOf, type Figures } from "./figures.ts";

export type Messages = typeof en;

/** A table with its language's ways of writing numbers. */
export interface Words extends Figures {
  readonly m: Messages;
  /** Whether a count takes the singular. */
  one(value: number): boolean;
  /** Time of day of milliseconds since 1970. */
  clock(at: number): string;
}

const fetched: Partial<Record<Language, Messages>> = { en };
const made = new Map<Language, Words>();

/** Fetches a language's words; where they cannot be had, the page stays in English. */
export async function loadWords(language: Language): Promise<void> {
  if (language !== "zh-Hans" || fetched[language] !== undefined) return;
  try {
    fetched[language] = (await import("./zh-hans.ts")).zhHans;
    made.delete(language);
  } catch {
    // Asked for again with the next choice of a language.
  }
}

/** The words of a language. */
export function wordsOf(language: Language): Words {
  let words = made.get(language);
  if (words === undefined) {
    words = makeWords(language);
    made.set(language, words);
  }
  return words;
}

/** A time of day, by the clock of 24 hours. */
export function wordClock(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

function makeWords(language: Language): Words {
  const m = fetched[language];
  return {
    // Where the table is not there, English stands in for its units, too.
    ...figuresOf(m === undefined ? "en" : language),
    language,
    m: m ?? en,
    one: (value) => value === 1,
    clock: wordClock,
  };
}
