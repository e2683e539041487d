/** A tab's title. Invariant: pure; every place of the page has the same title for it. */
import { lessonIds } from "../lessons/lessons.ts";
import type { Messages } from "../messages/messages.ts";
import type { ScriptTab } from "../state/tabs.ts";

/** A tab's title: the reader's name, the example's title, or its number. */
export function tabTitle(m: Messages, tab: ScriptTab): string {
  const lesson = lessonIds.find((id) => id === tab.lesson);
  return tab.name ?? (lesson === undefined ? m["tabs.number"](String(tab.id)) : m[`lesson.${lesson}`]);
}
