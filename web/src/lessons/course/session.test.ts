/** A course whose files do not all come. */
import { expect, test } from "vitest";
import { MissingFile } from "../files.ts";
import { lastTry } from "./progress.ts";
import { CourseSession } from "./session.ts";

const course = JSON.stringify({
  quireCourse: 1,
  id: "c",
  title: { en: "C", "zh-Hans": "C" },
  about: { en: "c", "zh-Hans": "c" },
  languages: ["en", "zh-Hans"],
  lessons: [{ id: "a", minutes: 5 }],
});
const files: Readonly<Record<string, string>> = { "course.json": course, "a/scripts.md": "", "a/en.md": "# A\n" };

test("a language whose text cannot be had is told, and the lesson stays as it was", async () => {
  const session = new CourseSession({
    read: async (path) => {
      const text = files[path];
      if (text === undefined) throw new MissingFile(path, "404");
      return text;
    },
    openClient: () => Promise.reject(new Error("no engine here")),
    storage: null,
  });
  await session.start("en", null);
  expect(session.missingFile).toBeNull();
  session.failure = null;
  await session.speak("zh-CN");
  expect([session.failure, session.missingFile?.file]).toEqual(["a/zh-Hans.md: 404", "a/zh-Hans.md"]);
  expect(session.lesson?.title).toBe("A");
});

test("a lesson that the course has not is told, and no path is made of it", async () => {
  const read: string[] = [];
  const session = new CourseSession({
    read: async (path) => {
      read.push(path);
      const text = files[path];
      if (text === undefined) throw new Error(`${path}: 404`);
      return text;
    },
    openClient: () => Promise.reject(new Error("no engine here")),
    storage: null,
  });
  const started = session.start("en", "../other");
  await started;
  expect([session.missing, session.phase, session.lesson]).toEqual(["../other", "failed", null]);
  await session.open("b");
  expect([session.missing, session.phase]).toEqual(["b", "failed"]);
  await session.open("a");
  expect([session.missing, session.lesson?.title]).toEqual([null, "A"]);
  expect(read.filter((path) => path !== "course.json" && !path.startsWith("a/"))).toEqual([]);
});

test("a lesson asked for while the course is read is the one that is opened", async () => {
  const session = new CourseSession({
    read: async (path) => files[path] ?? "",
    openClient: () => Promise.reject(new Error("no engine here")),
    storage: null,
  });
  const started = session.start("en", "b");
  await session.open("a");
  await started;
  expect([session.missing, session.lesson?.title]).toEqual([null, "A"]);
});

test("of a task's attempts the last alone stays, where the others were taken back", () => {
  const entry = (kind: "run" | "task", id: string, source: string) => ({ kind, id, source, wrote: true }) as const;
  const log = [entry("run", "t", "0"), entry("task", "t", "1"), entry("task", "u", "2"), entry("task", "t", "3")];
  expect(lastTry(log, "t").map(({ source }) => source)).toEqual(["0", "2", "3"]);
});

test("a course opens where its reader stopped, and the search finds lessons and glossary", async () => {
  const kept = new Map<string, string>();
  const both = JSON.stringify({
    ...(JSON.parse(course) as object),
    lessons: ["a", "b"].map((id) => ({ id, minutes: 5 })),
    glossary: "glossary",
  });
  const texts: Readonly<Record<string, string>> = {
    ...files,
    "course.json": both,
    "b/scripts.md": "",
    "b/en.md": "# B\n\nFirst.\n\n## Trees\n\nAncestors.\n",
    "glossary/en.md": "# Glossary\n\n- **tree**: parents and children.\n",
  };
  const open = (): CourseSession =>
    new CourseSession({
      read: async (path) => texts[path] ?? "",
      openClient: () => Promise.reject(new Error("no engine here")),
      storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) },
    });
  const first = open();
  await first.start("en", "b");
  expect(first.shelf.find("tree").map(({ lesson, step }) => [lesson, step])).toEqual([
    ["b", 1],
    [null, 0],
  ]);
  first.reads(1);
  // Reading is no work: the lesson is not begun by it.
  expect(first.list.map(({ begun }) => begun)).toEqual([false, false]);
  const again = open();
  let opened = "";
  await again.start("en", null, (lesson) => (opened = lesson));
  expect([opened, again.lesson?.id, again.at]).toEqual(["b", "b", { lesson: "b", step: 1 }]);
  again.turnTo("end");
  expect(again.page).toBe("end");
  await again.open("a");
  expect([again.page, again.lesson?.id]).toEqual(["lesson", "a"]);
});
