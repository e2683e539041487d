/** The tables of the line above a result by language, fetched with the code that draws results. */
import type { Language } from "../../state/settings.ts";
import { en } from "./insight-en.ts";
import { zhHans } from "./insight-zh-hans.ts";

export type InsightMessages = typeof en;

const tables: Readonly<Record<Language, InsightMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function insightMessagesOf(language: Language): InsightMessages {
  return tables[language];
}
