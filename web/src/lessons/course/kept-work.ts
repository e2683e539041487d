/**
 * A reader's work as the page keeps it.
 *
 * Invariants: every change begins from what is stored, since another tab may have stored some, and of lessons whose
 * work could not be stored from what the page knows; where nothing can be stored the work lives as long as the page,
 * and that is told.
 */
import type { Recall } from "../../state/recall.ts";
import { readWork, withLesson, workOf, writeWork, type LessonWork, type ReaderPlace, type Work } from "./progress.ts";

export type WorkStorage = Pick<Storage, "getItem" | "setItem">;

/** Under which name the work of a course is stored. */
export const keyOfWork = (course: string): string => `quire.course.${course}`;

/** The work of a course as it is stored; null where there is none. Rejected storage throws. */
export function storedWork(storage: WorkStorage | null, course: string): Work | null {
  const text = storage?.getItem(keyOfWork(course)) ?? null;
  return text === null ? null : readWork(text, course);
}

export class KeptWork {
  readonly #storage: WorkStorage | null;
  #work: Work = { course: "", name: "", lessons: {} };
  /** The lessons whose last change was not stored. */
  readonly #unsaved = new Set<string>();
  /** Whether the last change was stored. */
  kept = true;

  constructor(storage: WorkStorage | null) {
    this.#storage = storage;
  }

  get work(): Work {
    return this.#work;
  }

  /** Takes up the work of a course. */
  begin(course: string): void {
    this.#work = { course, name: "", lessons: {} };
    this.#work = this.#stored() ?? this.#work;
  }

  of(lesson: string): LessonWork {
    return workOf(this.#work, lesson);
  }

  /** Whether anything was done in a lesson. */
  has(lesson: string): boolean {
    return this.#work.lessons[lesson] !== undefined;
  }

  get recalls(): readonly Recall[] {
    return this.#work.recalls ?? [];
  }

  /** Changes the work of one lesson; that of others is as it is stored. */
  change(lesson: string, change: Partial<LessonWork>): void {
    const mine = this.of(lesson);
    const base = this.#latest();
    this.#unsaved.add(lesson);
    this.#write(withLesson({ ...base, lessons: { ...base.lessons, [lesson]: mine } }, lesson, change));
  }

  stopAt(at: ReaderPlace): void {
    this.#write({ ...this.#latest(), at });
  }

  recall(change: (recalls: readonly Recall[]) => readonly Recall[]): void {
    const base = this.#latest();
    const { recalls: before = [], ...rest } = base;
    const recalls = change(before);
    if (recalls !== before) this.#write(recalls.length === 0 ? rest : { ...rest, recalls });
  }

  rename(name: string): void {
    this.#write({ ...this.#latest(), name });
  }

  /**
   * Takes up what another tab stored. Gives the lessons in which other scripts were run now, or other checks passed,
   * each with the work before.
   */
  takeUp(): ReadonlyMap<string, LessonWork> {
    const before = this.#work;
    this.#work = this.#stored() ?? { course: before.course, name: before.name, lessons: {} };
    const told = ({ log, passed }: LessonWork): string => JSON.stringify([log, passed]);
    const ids = new Set([...Object.keys(before.lessons), ...Object.keys(this.#work.lessons)]);
    const changed = [...ids].filter((id) => told(workOf(before, id)) !== told(this.of(id)));
    return new Map(changed.map((id) => [id, workOf(before, id)]));
  }

  /** Takes other work in the place of the reader's own. */
  replace(work: Work): void {
    this.#write(work);
  }

  #latest(): Work {
    const stored = this.#stored();
    if (stored === null) return this.#work;
    const own = [...this.#unsaved].map((id) => [id, this.of(id)]);
    const lessons = { ...stored.lessons, ...(Object.fromEntries(own) as Work["lessons"]) };
    return { ...stored, lessons, name: this.#work.name || stored.name };
  }

  #stored(): Work | null {
    try {
      const found = storedWork(this.#storage, this.#work.course);
      this.kept = this.#storage !== null;
      return found;
    } catch {
      this.kept = false;
      return null;
    }
  }

  #write(work: Work): void {
    this.#work = work;
    try {
      if (this.#storage === null) throw new Error("nothing can be kept");
      this.#storage.setItem(keyOfWork(work.course), writeWork(work));
      this.#unsaved.clear();
      this.kept = true;
    } catch {
      this.kept = false;
    }
  }
}
