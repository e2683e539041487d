/** The tables of the reference by language, fetched with it. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type ReferenceMessages = typeof en;

const tables: Readonly<Record<Language, ReferenceMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function referenceMessagesOf(language: Language): ReferenceMessages {
  return tables[language];
}
