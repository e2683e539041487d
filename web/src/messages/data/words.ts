/** The tables of the data's menus and dialogs by language. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type DataMessages = typeof en;

const tables: Readonly<Record<Language, DataMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function dataMessagesOf(language: Language): DataMessages {
  return tables[language];
}
