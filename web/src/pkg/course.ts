/**
 * `quiredb/course`: defines `<quire-course>`, which shows a course: a folder of lessons as data (docs/courses.md).
 *
 * Invariant: the import itself is small; the code that draws and runs lessons is fetched by the first element in the
 * page.
 */
import { PLAYGROUND } from "../embed/place.ts";
import { QuireCourse } from "../view/course/quire-course.ts";
import { defineElements } from "./element-define.ts";

export { QuireCourse };

declare global {
  interface HTMLElementTagNameMap {
    "quire-course": QuireCourse;
  }
}

if (PLAYGROUND !== null) QuireCourse.site = PLAYGROUND;

defineElements({ "quire-course": QuireCourse });
