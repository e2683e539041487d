/** The tables of doubts by language, fetched with the code that draws them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type DoubtMessages = typeof en;

const tables: Readonly<Record<Language, DoubtMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function doubtMessagesOf(language: Language): DoubtMessages {
  return tables[language];
}
