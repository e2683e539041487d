/** The tables of courses by language and by what a course is made of, fetched with them. */
import type { Language } from "../../state/settings.ts";
import { en, enOf } from "./en.ts";
import { zhHans, zhHansOf } from "./zh-hans.ts";

export type CourseMessages = typeof en;

/** A course is made of lessons, of problems, or of the releases of a project, and calls its parts so. */
type Kind = "lessons" | "problems" | "project";

const byKind = (
  lessons: CourseMessages,
  { problems, project }: Readonly<Record<Exclude<Kind, "lessons">, Partial<CourseMessages>>>,
): Readonly<Record<Kind, CourseMessages>> => ({
  lessons,
  problems: { ...lessons, ...problems },
  project: { ...lessons, ...project },
});

const tables: Readonly<Record<Language, Readonly<Record<Kind, CourseMessages>>>> = {
  en: byKind(en, enOf),
  "zh-Hans": byKind(zhHans, zhHansOf),
};

/** The messages of a language, in the words of a kind of course. */
export function courseMessagesOf(language: Language, kind: Kind = "lessons"): CourseMessages {
  return tables[language][kind];
}
