/** `quiredb new-course`: what it writes is its user's to change. */
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { newCourse } from "./new-course.ts";

test("a course out of a read-only package can be changed", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "quire-course-"));
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
    await chmod(path.join(root, name), 0o444);
  };
  await put("dist/template/files.json", '["course.js"]');
  await put("dist/course.js", "code");
  await put("dist/template/course/course.json", '{ "id": "starter" }');
  await put("dist/template/course/first/en.md", "lesson");
  await chmod(path.join(root, "dist/template/course/first"), 0o555);
  const out = path.join(root, "herbs");
  try {
    expect(await newCourse({ folder: out }, path.join(root, "dist"), () => undefined)).toBe(0);
    expect(await readFile(path.join(out, "course.json"), "utf8")).toBe('{ "id": "herbs" }');
    for (const name of ["course.json", "first", "first/en.md", "quiredb/course.js"])
      expect((await stat(path.join(out, name))).mode & 0o200, name).toBe(0o200);
  } finally {
    await chmod(path.join(root, "dist/template/course/first"), 0o755);
    await rm(root, { recursive: true, force: true });
  }
});
