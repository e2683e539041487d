/**
 * `quiredb new-course DIR`: writes a small course that runs as it is: a lesson in two languages, a page, and the files
 * of `<quire-course>` beside it, so that any static host can serve the folder.
 *
 * Invariant: a folder that holds something is left alone.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { copyContents, filesBelow } from "../copied.ts";

export const NEW_COURSE_USAGE = `quiredb new-course DIR

Writes a small course into DIR, which must be empty or not there: course.json, a lesson in English and Chinese, and
index.html with everything that it loads in DIR/quiredb. Serve DIR with any static server, change the lesson, and try
it with \`quiredb check-course DIR\`. The format is told in docs/courses.md of Quire's repository.

Exit code: 0 written, 2 not.`;

/** Reads the words behind `new-course`; a text instead says why they are wrong. */
export function readNewCourseOptions(words: readonly string[]): { readonly folder: string } | string {
  const option = words.find((word) => word.startsWith("-"));
  if (option !== undefined) return `${option} is no option of new-course`;
  const [folder, second] = words;
  if (folder === undefined) return "the folder to write is missing";
  return second === undefined ? { folder } : `one course is written at a time, and ${second} is a second`;
}

/** A course's id out of its folder's name. */
export function idOf(folder: string): string {
  const words = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-$/g, "")
    .slice(0, 40);
  return words === "" ? "course" : words;
}

/** `beside` is the folder of the built package in which `template/` and the element's files lie. */
export async function newCourse(
  { folder }: { readonly folder: string },
  beside: string,
  write: (text: string) => void,
): Promise<0 | 2> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === "ENOENT" ? [] : error.message,
  );
  if (typeof found === "string" || found.length > 0) {
    write(`${folder} is left alone: ${typeof found === "string" ? found : "it is not empty"}\n`);
    return 2;
  }
  const template = path.join(beside, "template");
  const files = JSON.parse(await readFile(path.join(template, "files.json"), "utf8")) as readonly string[];
  const starter = path.join(template, "course");
  for (const name of await filesBelow(starter)) await copyContents(path.join(starter, name), path.join(folder, name));
  const course = path.join(folder, "course.json");
  await writeFile(course, (await readFile(course, "utf8")).replace('"starter"', JSON.stringify(idOf(folder))));
  for (const file of files) await copyContents(path.join(beside, file), path.join(folder, "quiredb", file));
  write(
    `${folder} holds a course of one lesson.\n` +
      `  change   ${path.join(folder, "first-steps")}\n` +
      `  check    npx quiredb check-course ${folder}\n` +
      `  look     serve ${folder} with any static server, and open index.html\n`,
  );
  return 0;
}
