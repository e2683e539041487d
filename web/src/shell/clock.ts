/**
 * The shell's clock: the host's time plus the virtual offset which `clock.advance` moves.
 *
 * Invariant: everything in a script that reads the time (`new Date()`, `Date.now()`, new ObjectIds) reads it
 * here, so that a document stamped by a script is not an hour old to an engine whose clock was moved an hour.
 */

let offsetMillis = 0;
let readHost: () => number = Date.now.bind(Date);

/** Milliseconds since the epoch by the engine's clock. */
export function now(): number {
  return readHost() + offsetMillis;
}

/** The offset as the engine last answered it. */
export function setOffset(millis: number): void {
  offsetMillis = millis;
}

export function offset(): number {
  return offsetMillis;
}

/** Reads the time elsewhere than from the realm's `Date` (a host's fixed clock, in tests). */
export function useHostClock(read: () => number): void {
  readHost = read;
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
};

/** `"1h"`, `"90 minutes"`, `"1d 2h"` or a number of milliseconds, in milliseconds; throws on anything else. */
export function parseDuration(text: unknown): number {
  if (typeof text === "number" && Number.isFinite(text)) return Math.trunc(text);
  const parts = [...String(text).matchAll(/([+-]?\d+(?:\.\d+)?)\s*([a-z]+)/gi)];
  const rest = String(text)
    .replace(/([+-]?\d+(?:\.\d+)?)\s*([a-z]+)/gi, "")
    .trim();
  let total = 0;
  for (const [, amount, name] of parts) {
    const unit = (name ?? "").toLowerCase();
    const millis = UNITS[unit] ?? UNITS[unit.replace(/s$/, "")];
    if (millis === undefined)
      throw new TypeError(`"${String(text)}" is not a duration: write for example "90s", "30m", "1h", "2 days"`);
    total += Number(amount) * millis;
  }
  if (parts.length === 0 || rest !== "")
    throw new TypeError(`"${String(text)}" is not a duration: write for example "90s", "30m", "1h", "2 days"`);
  return Math.trunc(total);
}

/** A `Date` constructor that reads this clock where the realm's own would read the host's. */
export function virtualDate(): DateConstructor {
  const Real = Date;
  const construct = function (this: unknown, ...parts: unknown[]): unknown {
    if (new.target === undefined) return new Real(now()).toString();
    return Reflect.construct(Real, parts.length === 0 ? [now()] : parts, new.target === construct ? Real : new.target);
  };
  Object.defineProperties(construct, {
    prototype: { value: Real.prototype },
    name: { value: "Date" },
    length: { value: 7 },
    now: { value: now, writable: true, configurable: true },
    parse: { value: Real.parse, writable: true, configurable: true },
    UTC: { value: Real.UTC, writable: true, configurable: true },
  });
  return construct as unknown as DateConstructor;
}
