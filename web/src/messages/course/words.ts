/** The tables of courses by language, fetched with them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type CourseMessages = typeof en;

const tables: Readonly<Record<Language, CourseMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function courseMessagesOf(language: Language): CourseMessages {
  return tables[language];
}
