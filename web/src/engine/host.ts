/**
 * The host's services for an engine in JavaScript: clock, randomness, regular expressions, time zones.
 *
 * Invariant: no state that matters; caches only.
 */
import type { EngineHost } from "./bindings.ts";

/** Where `callFunction` runs; without one, functions of scripts are refused. */
export type FunctionCaller = EngineHost["callFunction"];

/** Removes what PCRE's `x` option ignores: white space and comments outside classes. */
function withoutComments(pattern: string): string {
  let out = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "\\") {
      out += character + pattern.charAt(++at);
    } else if (inClass) {
      inClass = character !== "]";
      out += character;
    } else if (character === "#") {
      const end = pattern.indexOf("\n", at);
      at = end < 0 ? pattern.length : end;
    } else if (!/\s/.test(character)) {
      inClass = character === "[";
      out += character;
    }
  }
  return out;
}

/** MongoDB's (PCRE2's) pattern as JavaScript's: leading `(?i)` flags, `\A`, `\z`, `\h` and POSIX classes. */
export function compileRegex(pattern: string, options: string): RegExp {
  let source = pattern;
  const flags = new Set([...options].filter((flag) => "ims".includes(flag)));
  const inline = /^\(\?([imsx]+)\)/.exec(source);
  let extended = options.includes("x");
  if (inline !== null) {
    source = source.slice(inline[0].length);
    for (const flag of inline[1] ?? "") {
      if (flag === "x") extended = true;
      else flags.add(flag);
    }
  }
  if (extended) source = withoutComments(source);
  source = source
    .replace(/\\A/g, "(?<![\\s\\S])")
    .replace(/\\z/g, "(?![\\s\\S])")
    .replace(/\\Z/g, "(?=\\n?(?![\\s\\S]))")
    .replace(/\\h/g, "[ \\t]")
    .replace(/\[:alpha:\]/g, "a-zA-Z")
    .replace(/\[:digit:\]/g, "0-9")
    .replace(/\[:alnum:\]/g, "a-zA-Z0-9")
    .replace(/\[:space:\]/g, "\\s")
    .replace(/\[:upper:\]/g, "A-Z")
    .replace(/\[:lower:\]/g, "a-z")
    .replace(/\[:punct:\]/g, "!-\\/:-@\\[-`{-~")
    .replace(/\(\?P</g, "(?<");
  const all = ["d", "g", ...flags].join("");
  // Unicode mode counts code points as MongoDB does, but refuses escapes which PCRE lets pass.
  try {
    return new RegExp(source, `${all}u`);
  } catch {
    return new RegExp(source, all);
  }
}

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

export interface HostOptions {
  readonly now?: () => number;
  readonly callFunction?: FunctionCaller;
}

/** A host of this realm. */
export function makeHost(options: HostOptions = {}): EngineHost {
  return {
    now: options.now ?? Date.now,
    monotonic: () => performance.now(),
    random: (bytes) => {
      // `getRandomValues` gives at most 64 KiB and refuses views of some memories; wasm asks for little.
      const own = new Uint8Array(bytes.length);
      for (let at = 0; at < own.length; at += 65_536) crypto.getRandomValues(own.subarray(at, at + 65_536));
      bytes.set(own);
    },
    compileRegex,
    zoneOffsetSeconds,
    callFunction:
      options.callFunction ??
      (() => {
        throw new Error("functions of scripts are not available here");
      }),
  };
}
