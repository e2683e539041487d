/** The tables of the desk's panels by language, fetched with them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type DeskMessages = typeof en;

const tables: Readonly<Record<Language, DeskMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function deskMessagesOf(language: Language): DeskMessages {
  return tables[language];
}
