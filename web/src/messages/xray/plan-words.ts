/** The tables of the plan and its kin by language, fetched when one is opened. */
import type { Language } from "../../state/settings.ts";
import { en } from "./plan-en.ts";
import { zhHans } from "./plan-zh-hans.ts";

export type PlanMessages = typeof en;

const tables: Readonly<Record<Language, PlanMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function planMessagesOf(language: Language): PlanMessages {
  return tables[language];
}
