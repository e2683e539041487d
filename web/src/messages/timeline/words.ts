/** The tables of moments, undo and the timeline by language, fetched with the first of them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type TimelineMessages = typeof en;

const tables: Readonly<Record<Language, TimelineMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function timelineMessagesOf(language: Language): TimelineMessages {
  return tables[language];
}
