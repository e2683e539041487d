/** The tables of the pipeline's cards by language, fetched with them. */
import type { Language } from "../../state/settings.ts";
import { en } from "./en.ts";
import { zhHans } from "./zh-hans.ts";

export type PipelineMessages = typeof en;

const tables: Readonly<Record<Language, PipelineMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function pipelineMessagesOf(language: Language): PipelineMessages {
  return tables[language];
}
