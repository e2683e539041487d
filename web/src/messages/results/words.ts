/** The tables of results by language, fetched with the code that draws them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type ResultMessages = typeof en;

const tables: Readonly<Record<Language, ResultMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function resultMessagesOf(language: Language): ResultMessages {
  return tables[language];
}
