/** The tables of the model view by language, fetched with its panel. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type ModelMessages = typeof en;

const tables: Readonly<Record<Language, ModelMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function modelMessagesOf(language: Language): ModelMessages {
  return tables[language];
}
