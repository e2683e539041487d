/** The tables of labs by language, fetched with them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type LabMessages = typeof en;

const tables: Readonly<Record<Language, LabMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function labMessagesOf(language: Language): LabMessages {
  return tables[language];
}
