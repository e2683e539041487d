/** The tables of what went wrong by language, fetched with what draws it. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type ErrorMessages = typeof en;

const tables: Readonly<Record<Language, ErrorMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function errorMessagesOf(language: Language): ErrorMessages {
  return tables[language];
}
