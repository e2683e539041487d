/**
 * The reader's script and settings, kept in `localStorage` over a reload.
 *
 * Invariants: the page works the same without storage; a failed write is not an error, since nothing of the
 * database is kept here.
 */
import { defaultSettings, parseSettings, type Settings } from "./settings.ts";

const settingsKey = "quire.settings";
const scriptKey = "quire.script";
const lessonKey = "quire.lesson";
const databaseKey = "quire.database";

export interface Kept {
  readonly settings: Settings;
  /** Null on a first visit. */
  readonly script: string | null;
  readonly lesson: string | null;
  readonly database: string | null;
}

/** What `localStorage` gives, or null where it is blocked. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

export function restore(storage: Pick<Storage, "getItem"> | null, preferredLanguages: readonly string[]): Kept {
  const get = (key: string): string | null => {
    try {
      return storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  };
  return {
    settings: parseSettings(get(settingsKey), defaultSettings(preferredLanguages)),
    script: get(scriptKey),
    lesson: get(lessonKey),
    database: get(databaseKey),
  };
}

/** Writes what changed; `before` is what was written last. */
export function keep(storage: Pick<Storage, "setItem"> | null, now: Kept, before: Kept | null): void {
  const set = (key: string, value: string | null, old: string | null): void => {
    if (value === null || value === old) return;
    try {
      storage?.setItem(key, value);
    } catch {
      // Full or blocked: the page goes on, and only a reload would miss it.
    }
  };
  if (now.settings !== before?.settings) set(settingsKey, JSON.stringify(now.settings), null);
  set(scriptKey, now.script, before?.script ?? null);
  set(lessonKey, now.lesson, before?.lesson ?? null);
  set(databaseKey, now.database, before?.database ?? null);
}
