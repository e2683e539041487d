/** The link past a page's head and names, on the pages of courses, labs and the reference. */
import type { Language } from "../state/settings.ts";

export const skipWords: Readonly<Record<Language, string>> = { en: "Skip to the text", "zh-Hans": "跳到正文" };
