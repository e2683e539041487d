/** The tables of syntax errors by language, fetched with the code that finds the errors. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type SyntaxMessages = typeof en;

const tables: Readonly<Record<Language, SyntaxMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function syntaxMessagesOf(language: Language): SyntaxMessages {
  return tables[language];
}
