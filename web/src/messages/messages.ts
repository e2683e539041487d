/**
 * The message tables by language, and how numbers, times and sizes are worded in each.
 *
 * Invariants: English is always there, another language's table is fetched before it is drawn and English stands in for one
 * that is not; a word needs its language's table and nothing else, so views redraw when the language changes.
 */
import type { Language } from "../state/settings.ts";
import { en } from "./en.ts";

export type Messages = typeof en;

/** A table with its language's ways of writing numbers. */
export interface Words {
  readonly language: Language;
  readonly m: Messages;
  /** `1,234`. */
  number(value: number): string;
  /** Whether a count takes the singular. */
  one(value: number): boolean;
  /** Milliseconds in the unit a reader would use. */
  duration(millis: number): string;
  /** Bytes in KiB or MiB, as `12.3 KiB`. */
  size(bytes: number): string;
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

function makeWords(language: Language): Words {
  const m = fetched[language] ?? en;
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const fine = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  const short = (value: number): string => (Math.abs(value) < 10 ? fine : whole).format(value);
  return {
    language,
    m,
    number: (value) => whole.format(value),
    one: (value) => value === 1,
    duration(millis) {
      if (millis < 1000) return m["time.ms"](short(millis));
      const seconds = millis / 1000;
      if (seconds < 120) return m["time.s"](short(seconds));
      if (seconds < 7200) return m["time.min"](short(seconds / 60));
      if (seconds < 172_800) return m["time.h"](short(seconds / 3600));
      return m["time.d"](short(seconds / 86_400));
    },
    size(bytes) {
      if (bytes < 1024) return `${whole.format(bytes)} B`;
      if (bytes < 1024 * 1024) return `${short(bytes / 1024)} KiB`;
      if (bytes < 1024 * 1024 * 1024) return `${short(bytes / (1024 * 1024))} MiB`;
      return `${short(bytes / (1024 * 1024 * 1024))} GiB`;
    },
    clock: (at) => time.format(at),
  };
}
