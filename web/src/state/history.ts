/**
 * The scripts that were run, newest first, kept in `localStorage` so that they can be opened again. Fetched with the
 * first run's end.
 *
 * Invariants: running the same once more moves it to the front; the oldest are let go first, by number and by length;
 * the list read back is checked field by field.
 */
import { historyKey } from "../start/kept-keys.ts";
import type { Leaf } from "./model.ts";

export interface PastRun {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly source: string;
  readonly database: string;
  readonly outcome: "done" | "failed" | "stopped";
  readonly millis: number | null;
}

export const keptRuns = 100;
/** Characters of all sources together, and of one: a longer one is not kept. */
export const keptCharacters = 400_000;
export const longestSource = 50_000;

type Place = Pick<Storage, "getItem" | "setItem"> | null;

/** A finished run as it is kept. */
export function pastRun(leaf: Leaf): PastRun {
  const outcome = leaf.error === null ? "done" : leaf.error.name === "ScriptStopped" ? "stopped" : "failed";
  return {
    at: leaf.ranAt,
    source: leaf.source,
    database: leaf.database,
    outcome,
    millis: leaf.statistics?.elapsedMillis ?? null,
  };
}

/** Puts a run in front. */
export function addRun(runs: readonly PastRun[], run: PastRun): readonly PastRun[] {
  if (run.source.length > longestSource) return runs;
  let room = keptCharacters;
  const others = runs.filter((other) => other.source !== run.source || other.database !== run.database);
  return [run, ...others].slice(0, keptRuns).filter((one) => (room -= one.source.length) >= 0);
}

export function parseRuns(stored: string | null): readonly PastRun[] {
  let raw: unknown;
  try {
    raw = JSON.parse(stored ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(raw)) return [];
  return (raw as unknown[]).flatMap((entry) => {
    const { at, source, database, outcome, millis } = (
      typeof entry === "object" && entry !== null ? entry : {}
    ) as Partial<Record<keyof PastRun, unknown>>;
    if (typeof at !== "number" || typeof source !== "string" || typeof database !== "string") return [];
    if (outcome !== "done" && outcome !== "failed" && outcome !== "stopped") return [];
    return [{ at, source, database, outcome, millis: typeof millis === "number" ? millis : null }];
  });
}

/** The kept runs; none where storage is blocked. */
export function readRuns(place: Place): readonly PastRun[] {
  try {
    return parseRuns(place?.getItem(historyKey) ?? null);
  } catch {
    return [];
  }
}

/** Keeps these runs; a storage that is full or blocked keeps its old list. */
export function keepRuns(place: Place, runs: readonly PastRun[]): void {
  try {
    place?.setItem(historyKey, JSON.stringify(runs));
  } catch {
    // The list is a convenience: the page goes on without.
  }
}

/** Adds a finished run to the kept list, read afresh since other windows add theirs. */
export function rememberRun(place: Place, leaf: Leaf): void {
  keepRuns(place, addRun(readRuns(place), pastRun(leaf)));
}
