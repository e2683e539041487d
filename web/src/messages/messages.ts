/**
 * The message tables by language, and how numbers, times and sizes are worded in each.
 *
 * Invariants: English is always there, another language's table is fetched before it is drawn and English stands in for
 * one that is not; a word needs its language's table and nothing else, so views redraw when the language changes.
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

/**
 * A number as both languages write it. `Intl` would, too, but making its first format takes a tenth of the page's whole
 * start.
 */
export function wordNumber(value: number, digits: 0 | 1): string {
  if (!Number.isFinite(value)) return String(value);
  const scale = digits === 0 ? 1 : 10;
  const scaled = Math.round(Math.abs(value) * scale);
  const whole = String(Math.floor(scaled / scale)).replace(/\B(?=(?:\d{3})+$)/g, ",");
  const fraction = scaled % scale;
  return `${value < 0 && scaled > 0 ? "-" : ""}${whole}${fraction === 0 ? "" : `.${fraction}`}`;
}

/** A time of day, by the clock of 24 hours. */
export function wordClock(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

const whole = (value: number): string => wordNumber(value, 0);
const short = (value: number): string => wordNumber(value, Math.abs(value) < 10 ? 1 : 0);

/** Bytes in KiB or MiB, as `12 KiB`. */
export function wordSize(bytes: number): string {
  if (bytes < 1024) return `${whole(bytes)} B`;
  if (bytes < 1024 * 1024) return `${short(bytes / 1024)} KiB`;
  if (bytes < 1024 * 1024 * 1024) return `${short(bytes / (1024 * 1024))} MiB`;
  return `${short(bytes / (1024 * 1024 * 1024))} GiB`;
}

function makeWords(language: Language): Words {
  const m = fetched[language] ?? en;
  return {
    language,
    m,
    number: whole,
    one: (value) => value === 1,
    duration(millis) {
      if (millis < 1000) return m["time.ms"](short(millis));
      const seconds = millis / 1000;
      if (seconds < 120) return m["time.s"](short(seconds));
      if (seconds < 7200) return m["time.min"](short(seconds / 60));
      if (seconds < 172_800) return m["time.h"](short(seconds / 3600));
      return m["time.d"](short(seconds / 86_400));
    },
    size: wordSize,
    clock: wordClock,
  };
}
