/**
 * Puts the courses beside the built page as they are: a course is a folder of static files.
 *
 * Invariant: the build leaves out a course without `course.json`, which nobody could open.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "vite";

const isCourse = (folder: string, name: string): boolean => existsSync(join(folder, name, "course.json"));

/** The course that opens where none is named: the tutorial, or else the first that is there. */
export function firstCourse(folder: string): string {
  const courses = readdirSync(folder).filter((name) => isCourse(folder, name));
  return courses.find((name) => name === "modelling") ?? courses.sort()[0] ?? "";
}

/** A lesson with the names that its text has in code marks: operators, methods and options. */
export interface Taught {
  readonly id: string;
  readonly title: Readonly<Record<string, string>>;
  readonly names: readonly string[];
}

/** Names without a dollar or a capital that are words of the shell, and no field of some lesson. */
const PLAIN = new Set(["capped", "distinct", "drop", "explain", "unique", "upsert", "validator"]);

/** The lessons of a course, for the reference to lead to. */
export function taughtIn(folder: string): readonly Taught[] {
  const { lessons } = JSON.parse(readFileSync(join(folder, "course.json"), "utf8")) as {
    readonly lessons: readonly { readonly id: string; readonly title: Record<string, string> }[];
  };
  return lessons.map(({ id, title }) => {
    const text = readFileSync(join(folder, id, "en.md"), "utf8");
    const words = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => code?.match(/\$?[A-Za-z]\w*/g) ?? []);
    const names = words.filter((word) => word.startsWith("$") || /[a-z][A-Z]/.test(word) || PLAIN.has(word));
    return { id, title, names: [...new Set(names)].sort() };
  });
}

export const courseFiles = (folder: string): Plugin => ({
  name: "quire-course-files",
  apply: "build",
  generateBundle() {
    for (const course of readdirSync(folder)) {
      if (!isCourse(folder, course)) continue;
      for (const entry of readdirSync(join(folder, course), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(?:json|md|svg|png)$/.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const fileName = `courses/${relative(folder, file).replaceAll("\\", "/")}`;
        this.emitFile({ type: "asset", fileName, source: readFileSync(file) });
      }
    }
  },
});
