/**
 * The reader's scripts and settings, kept in `localStorage` over a reload.
 *
 * Invariants: the page works the same without storage; a failed write is not an error, since nothing of the
 * database is kept here. A window's scripts are in its `sessionStorage` too, and are read from there first, so that two
 * windows never take each other's away.
 */
import { mainDeployment } from "../start/deployment.ts";
import { defaultSettings, parseSettings, type Settings } from "./settings.ts";
import { parseTabs, wordTabs, type Tabs } from "./tabs.ts";

const settingsKey = "quire.settings";
const tabsKey = "quire.tabs";
/** Each deployment has a database in use of its own, and results. */
const databaseKey = (deployment: string): string =>
  deployment === mainDeployment ? "quire.database" : `quire.database.${deployment}`;
const resultsKey = (deployment: string): string =>
  deployment === mainDeployment ? "quire.results" : `quire.results.${deployment}`;
const tabKey = "quire.tab";

export interface Kept {
  readonly settings: Settings;
  /** The kept tabs; null on a first visit. */
  readonly tabs: Tabs | null;
  readonly database: string | null;
}

/** The browser's two storages for what the page keeps; null where the browser blocks one. */
export interface Places {
  readonly local: Pick<Storage, "getItem" | "setItem"> | null;
  readonly session: Pick<Storage, "getItem" | "setItem"> | null;
}

/** The browser's storage, each kind null where it is blocked. */
export function browserStorage(): Places {
  const attempt = (open: () => Storage): Storage | null => {
    try {
      return open();
    } catch {
      return null;
    }
  };
  return { local: attempt(() => globalThis.localStorage), session: attempt(() => globalThis.sessionStorage) };
}

export function restore(
  { local, session }: Places,
  preferredLanguages: readonly string[],
  deployment = mainDeployment,
): Kept {
  const get = (storage: Places["local"], key: string): string | null => {
    try {
      return storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  };
  return {
    settings: parseSettings(get(local, settingsKey), defaultSettings(preferredLanguages)),
    tabs: parseTabs(get(session, tabsKey)) ?? parseTabs(get(local, tabsKey)),
    database: get(session, databaseKey(deployment)) ?? get(local, databaseKey(deployment)),
  };
}

/** Writes the differences from `before`, the state that was written last. */
export function keep({ local, session }: Places, now: Kept, before: Kept | null, deployment = mainDeployment): void {
  const set = (storages: readonly Places["local"][], key: string, value: string): void => {
    for (const storage of storages) {
      try {
        storage?.setItem(key, value);
      } catch {
        // Full or blocked: the page goes on, and only a reload would miss it.
      }
    }
  };
  if (now.settings !== before?.settings) set([local], settingsKey, JSON.stringify(now.settings));
  if (now.tabs !== null && (now.tabs.tabs !== before?.tabs?.tabs || now.tabs.openTab !== before.tabs.openTab))
    set([local, session], tabsKey, wordTabs(now.tabs));
  if (now.database !== null && now.database !== before?.database)
    set([local, session], databaseKey(deployment), now.database);
}

/** This tab's name among the tabs that change the same data, the same after a reload: eight random characters. */
export function tabName(session: Places["session"]): string {
  try {
    const known = session?.getItem(tabKey);
    if (known != null) return known;
  } catch {
    // A name of its own, then, for as long as the page is there.
  }
  const name = Math.random().toString(36).slice(2, 10);
  try {
    session?.setItem(tabKey, name);
  } catch {
    // Likewise.
  }
  return name;
}

/** Which records of `results-store` are this window's, and whether there are any. */
export interface ResultsMark {
  readonly id: string;
  readonly leaves: number;
  readonly runs: number;
}

/** The mark of the results that this window kept before a reload; null where it kept none. */
export function resultsMark(session: Places["session"], deployment: string): ResultsMark | null {
  try {
    const found = JSON.parse(session?.getItem(resultsKey(deployment)) ?? "null") as Partial<ResultsMark> | null;
    return typeof found?.id === "string" && Number.isSafeInteger(found.leaves) && Number.isSafeInteger(found.runs)
      ? (found as ResultsMark)
      : null;
  } catch {
    return null;
  }
}

export function markResults(session: Places["session"], deployment: string, mark: ResultsMark): void {
  try {
    session?.setItem(resultsKey(deployment), JSON.stringify(mark));
  } catch {
    // A reload will not know of them.
  }
}
