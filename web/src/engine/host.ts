/**
 * The host's services for an engine in JavaScript: clock, randomness, Unicode's properties, time zones.
 *
 * Invariant: no state that matters; caches only.
 */
import type { EngineHost } from "./bindings.ts";
import { languages, type LanguagesSource } from "./languages.ts";
import type { ServedAs } from "./served.ts";
import { unicodeClass } from "./unicode.ts";

/** Where `callFunction` runs; without one, functions of scripts are refused. */
export type FunctionCaller = EngineHost["callFunction"];

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** A zone's offset at an instant in seconds, by the host's own time-zone data. */
export function zoneOffsetSeconds(zone: string, millis: number): number | undefined {
  let format = formats.get(zone);
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat("en-US", {
        timeZone: zone,
        hourCycle: "h23",
        era: "short",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
    } catch {
      format = null;
    }
    formats.set(zone, format);
  }
  if (format === null || !Number.isFinite(millis) || Math.abs(millis) > 8.64e15) return undefined;
  const whole = Math.floor(millis / 1000) * 1000;
  const parts = new Map(format.formatToParts(whole).map((part) => [part.type, part.value]));
  const number = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get("era")?.startsWith("B") ? 1 - number("year") : number("year");
  const local = new Date(0);
  local.setUTCFullYear(year, number("month") - 1, number("day"));
  local.setUTCHours(number("hour"), number("minute"), number("second"));
  return (local.getTime() - whole) / 1000;
}

/** A collator of just these options: a locale or a variant of one that is not known here is not replaced by another. */
export const collator: EngineHost["collator"] = (locale, sensitivity, caseFirst, numeric, ignorePunctuation) => {
  if (Intl.Collator.supportedLocalesOf([locale]).length === 0) return undefined;
  const found = new Intl.Collator(locale, { sensitivity, caseFirst, numeric, ignorePunctuation });
  const wanted = /-u-co-(\w+)/.exec(locale)?.[1];
  return wanted === undefined || found.resolvedOptions().collation === wanted ? found : undefined;
};

export interface HostOptions {
  readonly now?: () => number;
  readonly callFunction?: FunctionCaller;
  readonly shouldStop?: () => boolean;
  /** The languages of text indexes (`wasm/languages.wasm`); without it there are none. */
  readonly languages?: LanguagesSource;
  readonly served?: ServedAs | undefined;
}

/** A host of this realm. */
export function makeHost(options: HostOptions = {}): EngineHost {
  return {
    now: options.now ?? Date.now,
    monotonic: () => performance.now(),
    shouldStop: options.shouldStop ?? (() => false),
    random: (bytes) => {
      // `getRandomValues` gives at most 64 KiB and refuses views of some memories; wasm asks for little.
      const own = new Uint8Array(bytes.length);
      for (let at = 0; at < own.length; at += 65_536) crypto.getRandomValues(own.subarray(at, at + 65_536));
      bytes.set(own);
    },
    unicodeClass,
    zoneOffsetSeconds,
    collator,
    ...languages(options.languages),
    serverName: () => options.served?.name,
    credentials: (...asked) => options.served?.credentials?.(...asked),
    callFunction:
      options.callFunction ??
      (() => {
        throw new Error("functions of scripts are not available here");
      }),
  };
}
