/** The tables of a run's errors by language, fetched with the code that draws them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type ErrorMessages = typeof en;

const tables: Readonly<Record<Language, ErrorMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function errorMessagesOf(language: Language): ErrorMessages {
  return tables[language];
}
