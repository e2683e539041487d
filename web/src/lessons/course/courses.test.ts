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

  test.each(course?.lessons ?? [])("gives about the minutes that $id takes", ({ id, minutes }) => {
    for (const language of course?.languages ?? []) {
      const text = file(`${id}/${language}.md`);
      const { lesson } = readLesson(id, language, { scripts: file(`${id}/scripts.md`), text });
      expect(otherMinutes(lesson, minutes), `${id} in ${language}`).toBe(null);
    }
  });

  test("has links that lead to steps, labs and entries that are there", () => {
    const entries = entriesOf(readFileSync(new URL("../../../../COMPAT.md", import.meta.url), "utf8"));
    const texts = readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).filter((path) =>
      /\/(?:en|zh-Hans)\.md$/.test(path),
    );
    const lost = texts.flatMap((path) =>
      [...file(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = ""]) => {
        const link = readLink(href);
        if (link === null) return /^(?:https:|mailto:)/.test(href) ? [] : [`${path}: ${href}`];
        const isThere =
          link.to === "glossary"
            ? course?.glossary !== null
            : link.to === "lesson"
              ? (file(`${link.lesson}/en.md`).match(/^## /gm)?.length ?? 0) >= link.step
              : link.to === "lab"
                ? existsSync(join(root, "../labs", link.name, "lab.json"))
                : entriesAt(entries, link.name).length > 0;
        return isThere ? [] : [`${path}: ${href}`];
      }),
    );
    expect(lost).toEqual([]);
  });

  test("has a glossary in each of its languages, with as many entries", () => {
    if (course?.glossary == null) return;
    const counts = course.languages.map(
      (language) => passagesOfGlossary(file(`${course.glossary}/${language}.md`)).length,
    );
    expect(counts[0]).toBeGreaterThan(30);
    expect(new Set(counts).size).toBe(1);
  });

  const withTasks = (course?.lessons ?? []).filter(({ id }) => /^```js check /m.test(file(`${id}/scripts.md`)));
  test.runIf(name !== "starter").each(withTasks.map(({ id }) => id))(
    "tries each check of %s with three right answers and three wrong ones at least",
    (id) => {
      const { lesson } = readLesson(id, "en", { scripts: file(`${id}/scripts.md`), text: file(`${id}/en.md`) });
      const { scripts } = lesson;
      const tasks = tasksOf(lesson);
      if (tasks.length === 0) return;
      const { answers, faults } = readAnswers(file(`${id}/${ANSWERS_FILE}`), ANSWERS_FILE, scripts);
      expect(faults).toEqual([]);
      for (const { id: task, why } of tasks) {
        const wrongs = [...(scripts.wrongs.get(task) ?? []), ...(answers.wrongs.get(task) ?? [])];
        expect([task, 1 + (answers.rights.get(task)?.length ?? 0) >= 3, wrongs.length >= 3]).toEqual([
          task,
          true,
          true,
        ]);
        expect([task, why.length > 0]).toEqual([task, true]);
        // Checks look at data and commands, and never at the script's text.
        expect(scripts.checks.get(task)?.source).not.toMatch(/\breader\s*\.\s*source\b/);
      }
    },
  );
});
