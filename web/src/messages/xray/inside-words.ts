/** The tables of the index tree and the map of pages by language, fetched when one is opened. */
import type { Language } from "../../state/settings.ts";
import { en } from "./inside-en.ts";
import { zhHans } from "./inside-zh-hans.ts";

export type InsideMessages = typeof en;

const tables: Readonly<Record<Language, InsideMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function insideMessagesOf(language: Language): InsideMessages {
  return tables[language];
}
