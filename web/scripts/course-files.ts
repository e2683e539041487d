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
