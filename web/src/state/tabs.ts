/**
 * The open scripts: which there are, in which order, which one is in the editor, and which were closed.
 *
 * Invariants: pure; there is always one tab at least and one of them is open; an id is never used twice while its tab
 * or its closed tab is there. Stored tabs are checked field by field.
 */

export interface ScriptTab {
  readonly id: number;
  /** The reader's own name; null goes by the lesson's title or the number. */
  readonly name: string | null;
  readonly script: string;
  /** The example it was opened from. */
  readonly lesson: string | null;
}

/** A tab that can come back where it was. */
export interface ClosedTab {
  readonly tab: ScriptTab;
  readonly at: number;
}

export interface Tabs {
  readonly tabs: readonly ScriptTab[];
  /** The id of the tab in the editor. */
  readonly openTab: number;
  /** Newest first. */
  readonly closedTabs: readonly ClosedTab[];
}

/** How many closed tabs can come back. */
export const keptClosed = 10;
/** Characters of a tab's name; longer names are cut, since a strip of tabs is narrow. */
export const longestName = 60;

export function oneTab(script: string, lesson: string | null): Tabs {
  return { tabs: [{ id: 1, name: null, script, lesson }], openTab: 1, closedTabs: [] };
}

/** The tab in the editor. */
export function openTabOf(tabs: Tabs): ScriptTab {
  const open = tabs.tabs.find((tab) => tab.id === tabs.openTab) ?? tabs.tabs[0];
  if (open === undefined) throw new Error("there is always one tab at least");
  return open;
}

function freeId({ tabs, closedTabs }: Tabs): number {
  return 1 + Math.max(0, ...tabs.map((tab) => tab.id), ...closedTabs.map(({ tab }) => tab.id));
}

/** Adds a tab behind the open one and opens it. */
export function addTab(tabs: Tabs, added: Omit<ScriptTab, "id">): Tabs {
  const id = freeId(tabs);
  const at = tabs.tabs.findIndex((tab) => tab.id === tabs.openTab) + 1;
  return { ...tabs, tabs: tabs.tabs.toSpliced(at, 0, { ...added, id }), openTab: id };
}

/** Opens an example: the tab which shows it unchanged, or a new one. */
export function openLesson(tabs: Tabs, lesson: string, script: string): Tabs {
  const same = tabs.tabs.find((tab) => tab.lesson === lesson && tab.script === script);
  return same === undefined ? addTab(tabs, { name: null, script, lesson }) : { ...tabs, openTab: same.id };
}

export function changeTab(tabs: Tabs, id: number, change: Partial<Pick<ScriptTab, "name" | "script">>): Tabs {
  const name = change.name?.trim().slice(0, longestName);
  const changed = name === undefined ? change : { ...change, name: name === "" ? null : name };
  return { ...tabs, tabs: tabs.tabs.map((tab) => (tab.id === id ? { ...tab, ...changed } : tab)) };
}

/** Closes a tab; its neighbour opens, or an empty one when it was the last. */
export function closeTab(tabs: Tabs, id: number): Tabs {
  const at = tabs.tabs.findIndex((tab) => tab.id === id);
  const tab = tabs.tabs[at];
  if (tab === undefined) return tabs;
  const closedTabs = [{ tab, at }, ...tabs.closedTabs].slice(0, keptClosed);
  const left = tabs.tabs.toSpliced(at, 1);
  if (left.length === 0) return addTab({ tabs: [], openTab: 0, closedTabs }, { name: null, script: "", lesson: null });
  return { tabs: left, openTab: tabs.openTab === id ? (left[at] ?? left[at - 1] ?? tab).id : tabs.openTab, closedTabs };
}

/** Brings the newest closed tab back where it was, in place of an empty tab that stood in for it. */
export function reopenTab(tabs: Tabs): Tabs {
  const [last, ...closedTabs] = tabs.closedTabs;
  if (last === undefined) return tabs;
  const [only] = tabs.tabs;
  const kept = tabs.tabs.length === 1 && only?.script === "" && only.name === null ? [] : tabs.tabs;
  return { tabs: kept.toSpliced(last.at, 0, last.tab), openTab: last.tab.id, closedTabs };
}

/** Moves a tab to the left (negative) or to the right, as far as there is room. */
export function moveTab(tabs: Tabs, id: number, by: number): Tabs {
  const at = tabs.tabs.findIndex((tab) => tab.id === id);
  const tab = tabs.tabs[at];
  const to = Math.min(tabs.tabs.length - 1, Math.max(0, at + by));
  return tab === undefined || to === at ? tabs : { ...tabs, tabs: tabs.tabs.toSpliced(at, 1).toSpliced(to, 0, tab) };
}

/** The tabs as text to keep; closed ones are let go. */
export function wordTabs({ tabs, openTab }: Tabs): string {
  return JSON.stringify({ tabs, open: openTab });
}

/** Reads kept tabs; null where there are none that can be used. */
export function parseTabs(stored: string | null): Tabs | null {
  let raw: unknown;
  try {
    raw = JSON.parse(stored ?? "null");
  } catch {
    return null;
  }
  const { tabs: found, open } = (typeof raw === "object" && raw !== null ? raw : {}) as {
    tabs?: unknown;
    open?: unknown;
  };
  if (!Array.isArray(found)) return null;
  const tabs: ScriptTab[] = [];
  for (const entry of found as unknown[]) {
    const { id, name, script, lesson } = (typeof entry === "object" && entry !== null ? entry : {}) as Partial<
      Record<keyof ScriptTab, unknown>
    >;
    if (!Number.isSafeInteger(id) || typeof script !== "string" || tabs.some((tab) => tab.id === id)) continue;
    tabs.push({
      id: id as number,
      name: typeof name === "string" ? name.slice(0, longestName) : null,
      script,
      lesson: typeof lesson === "string" ? lesson : null,
    });
  }
  const [first] = tabs;
  if (first === undefined) return null;
  return { tabs, openTab: tabs.some((tab) => tab.id === open) ? (open as number) : first.id, closedTabs: [] };
}
