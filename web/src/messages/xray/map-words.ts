/** The tables of the map of places by language, fetched when one is opened. */
import type { Language } from "../../state/settings.ts";
import { en } from "./map-en.ts";
import { zhHans } from "./map-zh-hans.ts";

export type MapMessages = typeof en;

const tables: Readonly<Record<Language, MapMessages>> = { en, "zh-Hans": zhHans };

/** The messages of a language. */
export function mapMessagesOf(language: Language): MapMessages {
  return tables[language];
}
