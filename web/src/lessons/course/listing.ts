/** The lessons of a course as its contents list them, with the reader's progress in each. */
import type { CourseLesson } from "./course.ts";
import type { KeptWork } from "./kept-work.ts";
import { tasksOf, type Lesson } from "./lesson.ts";
import type { Shelf } from "./shelf.ts";

/** A lesson of the list. */
export interface Listed {
  readonly id: string;
  /** The title in the lesson's text; until that was read the title in `course.json`, or the lesson's id. */
  readonly title: string;
  readonly minutes: number;
  /** Null until its text was read. */
  readonly lesson: Lesson | null;
  readonly passed: number;
  readonly tasks: number | null;
  readonly begun: boolean;
  /** Of a book of problems, its topic and difficulty; null of lessons. */
  readonly problem: CourseLesson["problem"];
  /** A script was run for one of its tasks. */
  readonly tried: boolean;
  /** The reader looked at the solution of one of its tasks. */
  readonly seen: boolean;
}

/** All lessons of the course, in its order. */
export function listOf(shelf: Shelf, kept: KeptWork): readonly Listed[] {
  return (shelf.course?.lessons ?? []).map(({ id, title: titles, minutes, problem }) => {
    const lesson = shelf.known(id) ?? null;
    const title = lesson?.title ?? titles?.[shelf.language] ?? id;
    const work = kept.of(id);
    const tasks = lesson === null ? null : tasksOf(lesson);
    const passed = tasks === null ? work.passed.length : tasks.filter((task) => work.passed.includes(task.id)).length;
    const begun = kept.has(id);
    const tried = work.log.some(({ kind }) => kind === "task") || Object.keys(work.failed).length > 0;
    const listed = { id, title, minutes, lesson, passed, tasks: tasks?.length ?? null, begun };
    return { ...listed, problem, tried, seen: work.seen.length > 0 };
  });
}
