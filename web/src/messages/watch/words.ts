/** The tables of the Watch panel by language, fetched with it. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type WatchMessages = typeof en;

const tables: Readonly<Record<Language, WatchMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function watchMessagesOf(language: Language): WatchMessages {
  return tables[language];
}
