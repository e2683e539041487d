/** The tables of the editor's search by language, fetched with it. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type SearchMessages = typeof en;

const tables: Readonly<Record<Language, SearchMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function searchMessagesOf(language: Language): SearchMessages {
  return tables[language];
}
