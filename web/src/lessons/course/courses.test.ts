/** Every course in `web/courses`: its files can be read, its languages agree, and its lessons run. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { disagreements } from "./agree.ts";
import { readCourse, type Course } from "./course.ts";
import { wordFault } from "./faults.ts";
import { readLink } from "./links.ts";
import { readLesson, tasksOf, type Lesson } from "./lesson.ts";
import { lintText } from "./lint.ts";
import { otherMinutes } from "./pace.ts";
import { ANSWERS_FILE, readAnswers } from "./scripts.ts";
import { passagesOfGlossary } from "./search.ts";
import { entriesAt, entriesOf } from "../../reference/entries.ts";

const root = fileURLToPath(new URL("../../../courses", import.meta.url));
const courses = readdirSync(root).filter((name) => existsSync(join(root, name, "course.json")));

test("there are courses", () => expect(courses).not.toEqual([]));

describe.each(courses)("the course %s", (name) => {
  const file = (path: string): string => readFileSync(join(root, name, path), "utf8");
  const { course, faults } = readCourse(file("course.json"));

  test("has a course.json without faults", () => {
    expect(faults.map(wordFault)).toEqual([]);
    expect(course).not.toBe(null);
  });

  test.each((course?.lessons ?? []).map(({ id }) => id))(
    "has the lesson %s in all its languages, which agree",
    (id) => {
      const found: string[] = [];
      const lessons: Lesson[] = [];
      for (const language of course?.languages ?? []) {
        const text = file(`${id}/${language}.md`);
        const read = readLesson(id, language, { scripts: file(`${id}/scripts.md`), text });
        lessons.push(read.lesson);
        found.push(...read.faults.map(wordFault), ...lintText(course as Course, id, language, text).map(wordFault));
      }
      const [first, ...others] = lessons as [Lesson, ...Lesson[]];
      for (const other of others) found.push(...disagreements(first, other).map(wordFault));
      expect(found).toEqual([]);
    },
  );

import { readLink } from "./links.ts";
import { readLesson, tasksOf, type Lesson } from "./lesson.ts";
import { lintText } from "./lint.ts";
import { otherMinutes } from "./pace.ts";
import { ANSWERS_FILE, readAnswers } from "./scripts.ts";
import { passagesOfGlossary } from "./search.ts";
import { entriesAt, entriesOf } from "../../reference/entries.ts";
});
