/**
 * `quiredb check-course DIR`: runs every lesson of a course, and prints its faults.
 *
 * Invariants: nothing is printed but through `write`; the number returned is the program's exit code: 0 without faults,
 * 1 with some, 2 where the check itself cannot be made.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { disagreements } from "../../lessons/course/agree.ts";
import { tryLesson, type OpenHost } from "../../lessons/course/check.ts";
import { readCourse, type Course } from "../../lessons/course/course.ts";
import { wordFault, type Fault } from "../../lessons/course/faults.ts";
import { readLesson, type Lesson } from "../../lessons/course/lesson.ts";
import { lintText } from "../../lessons/course/lint.ts";
import { ANSWERS_FILE, NO_ANSWERS, readAnswers, SCRIPTS_FILE, type Answers } from "../../lessons/course/scripts.ts";
import { DEFAULT_LIMIT_MILLIS, readTimeLimit } from "../time-limit.ts";

export const CHECK_COURSE_USAGE = `quiredb check-course DIR [--lesson ID]… [--time-limit SECONDS]

Runs every lesson of the course in DIR (its course.json) in an empty engine of its own: setup and snippets in order,
every check with its solution and its wrong answers. Fails where a file cannot be read, a script fails, a question has
not exactly one right choice, a number cannot be computed, a solution does not pass, a wrong answer does not get its
hint, a solution passes with one fault in it (a bound that is off, a command missing, a constant in the place of a
command), or the languages do not agree. A lesson's answers.md, where there is one, has more right and wrong answers.
A course may be unfinished: lessons of course.json whose folder is missing fail, too, unless --lesson leaves them out.

  --lesson ID            only this lesson; may be given several times
  --time-limit SECONDS   ends a script that runs longer (default 60)

Exit code: 0 nothing is wrong, 1 something is, 2 nothing could be checked.`;

export interface CheckCourseOptions {
  readonly folder: string;
  readonly lessons: readonly string[];
  readonly timeLimitMillis: number;
}

/** Reads the words behind `check-course`; a text instead says why they are wrong. */
export function readCheckCourseOptions(words: readonly string[]): CheckCourseOptions | string {
  let folder: string | null = null;
  let timeLimitMillis = DEFAULT_LIMIT_MILLIS;
  const lessons: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--time-limit") {
      at += 1;
      const limit = readTimeLimit(words[at]);
      if (typeof limit === "string") return limit;
      timeLimitMillis = limit;
    } else if (word === "--lesson") {
      at += 1;
      const id = words[at];
      if (id === undefined || id.startsWith("-")) return "--lesson needs the id of a lesson";
      lessons.push(id);
    } else if (word.startsWith("-")) return `${word} is no option of check-course`;
    else if (folder !== null) return `one course is checked at a time, and ${word} is a second`;
    else folder = word;
  }
  return folder === null ? "the folder of a course is missing" : { folder, lessons, timeLimitMillis };
}

/** A lesson of a course on disk, in each language whose text can be read. */
export async function readLessonFiles(
  folder: string,
  course: Course,
  id: string,
): Promise<{ readonly lessons: readonly Lesson[]; readonly answers: Answers; readonly faults: readonly Fault[] }> {
  const faults: Fault[] = [];
  const read = async (name: string): Promise<string | null> => {
    const file = `${id}/${name}`;
    try {
      return await readFile(path.join(folder, file), "utf8");
    } catch {
      faults.push({ file, line: null, message: "this file cannot be read" });
      return null;
    }
  };
  const scripts = await read(SCRIPTS_FILE);
  const lessons: Lesson[] = [];
  const told = new Set<string>();
  const titles = course.lessons.find((one) => one.id === id)?.title;
  for (const language of course.languages) {
    const text = await read(`${language}.md`);
    if (scripts === null || text === null) continue;
    const { lesson, faults: found } = readLesson(id, language, { scripts, text });
    lessons.push(lesson);
    const title = titles?.[language] ?? lesson.title;
    if (title !== lesson.title)
      faults.push({ file: `${id}/${language}.md`, line: 1, message: `course.json calls this lesson “${title}”` });
    for (const fault of [...found, ...lintText(course, id, language, text)]) {
      const worded = wordFault(fault);
      if (!told.has(worded)) faults.push(fault);
      told.add(worded);
    }
  }
  const [first, ...others] = lessons;
  if (first !== undefined) for (const other of others) faults.push(...disagreements(first, other));
  const more = await readFile(path.join(folder, id, ANSWERS_FILE), "utf8").catch(() => null);
  if (more === null || first === undefined) return { lessons, answers: NO_ANSWERS, faults };
  const { answers, faults: found } = readAnswers(more, `${id}/${ANSWERS_FILE}`, first.scripts);
  return { lessons, answers, faults: [...faults, ...found] };
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Makes the check. */
export async function checkCourse(
  { folder, lessons: wanted, timeLimitMillis }: CheckCourseOptions,
  openHost: OpenHost,
  write: (text: string) => void,
): Promise<0 | 1 | 2> {
  let text: string;
  try {
    text = await readFile(path.join(folder, "course.json"), "utf8");
  } catch (error) {
    write(`${folder} is no course: ${(error as Error).message}\n`);
    return 2;
  }
  const { course, faults } = readCourse(text);
  let failed = 0;
  const tell = (found: readonly Fault[]): void => {
    for (const fault of found) write(`        ${wordFault(fault)}\n`);
  };
  if (faults.length > 0) {
    failed += 1;
    write("FAILED  course.json\n");
    tell(faults);
  }
  if (course === null) return 1;
  for (const id of wanted)
    if (!course.lessons.some((lesson) => lesson.id === id)) {
      write(`course.json has no lesson ${id}\n`);
      return 2;
    }
  const chosen = course.lessons.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
  for (const { id, database } of chosen) {
    const { lessons, answers, faults: read } = await readLessonFiles(folder, course, id);
    const [first, ...others] = lessons;
    const found = [...read];
    let says = "";
    // Scripts of a text that does not fit them would fail for that alone.
    if (found.length === 0 && first !== undefined) {
      const before =
        course.kind === "project"
          ? course.lessons.slice(
              0,
              course.lessons.findIndex((one) => one.id === id),
            )
          : [];
      const earlier: Lesson[] = [];
      for (const release of before)
        earlier.push(...(await readLessonFiles(folder, course, release.id)).lessons.slice(0, 1));
      const limit = { timeLimitMillis };
      const { tried, faults: ran } = await tryLesson([first, ...others], database, openHost, answers, earlier, limit);
      found.push(...ran);
      says =
        `${plural(tried.runs, "run")}, ${plural(tried.questions, "question")}, ${plural(tried.tasks, "task")}, ` +
        `${plural(tried.rights, "right answer")}, ${plural(tried.wrongs, "wrong answer")}, ` +
        `${plural(tried.mutants, "mutant")}, ${plural(tried.figures, "figure")}`;
    }
    if (found.length > 0) {
      failed += 1;
      write(`FAILED  ${id}\n`);
      tell(found);
    } else write(`ok      ${id}  (${lessons.map(({ language }) => language).join(", ")}: ${says})\n`);
  }
  write(
    failed === 0
      ? `${plural(chosen.length, "lesson")}: nothing is wrong\n`
      : `${plural(chosen.length, "lesson")}: ${plural(failed, "file or lesson")} failed\n`,
  );
  return failed === 0 ? 0 : 1;
}
