/**
 * The texts of a course, in the reader's language: its lessons, its glossary, and the titles of the courses beside it.
 *
 * Invariants: a text of another language than the reader's is not kept; nothing here knows the reader's work.
 */
import { languageOf, readCourse, type Course } from "./course.ts";
import type { Fault } from "./faults.ts";
import { readLesson, type Lesson } from "./lesson.ts";
import type { CoursePlace } from "./place.ts";
import { SCRIPTS_FILE } from "./scripts.ts";
import { findPassages, passagesOf, passagesOfGlossary, type Finding, type Passage } from "./search.ts";

/** A course beside this one, to which its contents and its end lead. */
export interface Beside {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** How many predictions of it come back, now and later. */
  readonly recalls: number;
}

/** A lesson's text, with the faults of it that a reader need not see. */
export interface ReadLesson {
  readonly lesson: Lesson;
  readonly faults: readonly Fault[];
}

export class Shelf {
  readonly #place: Pick<CoursePlace, "read">;
  readonly #lessons = new Map<string, Lesson>();
  readonly #passages = new Map<Lesson, readonly Passage[]>();

  course: Course | null = null;
  language = "en";
  /** The glossary's text in the reader's language; null where there is none, or it is not read yet. */
  glossary: string | null = null;
  /** The courses beside this one, once they were read. */
  besides: readonly Beside[] = [];

  constructor(place: Pick<CoursePlace, "read">) {
    this.#place = place;
  }

  /** Reads `course.json`, and gives its faults; there is no course then where it cannot be shown. */
  async begin(language: string): Promise<readonly Fault[]> {
    const { course, faults } = readCourse(await this.#place.read("course.json"));
    this.course = course;
    if (course !== null) this.language = languageOf(course, language);
    return faults;
  }

  /** Goes over to another language, and forgets the texts of the old one; false where it is the reader's already. */
  turnTo(language: string): boolean {
    if (this.course === null) return false;
    const next = languageOf(this.course, language);
    if (next === this.language) return false;
    this.language = next;
    this.#lessons.clear();
    this.#passages.clear();
    this.glossary = null;
    return true;
  }

  /** Whether the course has a lesson of this id. */
  has(id: string): boolean {
    return this.course?.lessons.some((one) => one.id === id) === true;
  }

  /** A lesson whose text was read. */
  known(id: string): Lesson | undefined {
    return this.#lessons.get(id);
  }

  /** The database of a lesson's scripts. */
  databaseOf(id: string): string {
    return this.course?.lessons.find((one) => one.id === id)?.database ?? id;
  }

  async read(id: string): Promise<ReadLesson> {
    const { language } = this;
    const [scripts, text] = await Promise.all(
      [SCRIPTS_FILE, `${language}.md`].map((name) => this.#place.read(`${id}/${name}`)),
    );
    const read = readLesson(id, language, { scripts: scripts ?? "", text: text ?? "" });
    if (language === this.language) this.#lessons.set(id, read.lesson);
    return read;
  }

  /** A lesson, read where it was not. */
  async lesson(id: string): Promise<Lesson> {
    return this.#lessons.get(id) ?? (await this.read(id)).lesson;
  }

  /** The releases of a project before one of them; none of other courses. */
  async earlier(id: string): Promise<readonly Lesson[]> {
    if (this.course?.kind !== "project") return [];
    const before = this.course.lessons.slice(
      0,
      this.course.lessons.findIndex((one) => one.id === id),
    );
    const lessons: Lesson[] = [];
    for (const one of before) lessons.push(await this.lesson(one.id));
    return lessons;
  }

  /** Reads the glossary; false where there is none, or the reader went over to another language meanwhile. */
  async readGlossary(): Promise<boolean> {
    const { course, language } = this;
    if (course === null || course.glossary === null) return false;
    const text = await this.#place.read(`${course.glossary}/${language}.md`).catch(() => null);
    if (language !== this.language) return false;
    this.glossary = text;
    return true;
  }

  /** Reads the titles of the courses beside this one; one that is not there is left out. */
  async readBesides(recallsOf: (course: string) => number): Promise<void> {
    const found: Beside[] = [];
    for (const id of this.course?.beside ?? []) {
      const text = await this.#place.read(`../${id}/course.json`).catch(() => null);
      const course = text === null ? null : readCourse(text).course;
      if (course === null) continue;
      const language = languageOf(course, this.language);
      const [title, about] = [course.title[language] ?? id, course.about[language] ?? ""];
      found.push({ id, title, about, recalls: recallsOf(course.id) });
    }
    this.besides = found;
  }

  /** The steps of the lessons that were read, and the entries of the glossary, that have every word of a query. */
  find(query: string): readonly Finding[] {
    const passages = (this.course?.lessons ?? []).flatMap(({ id }) => {
      const lesson = this.#lessons.get(id);
      if (lesson === undefined) return [];
      const known = this.#passages.get(lesson) ?? passagesOf(lesson);
      this.#passages.set(lesson, known);
      return known;
    });
    return findPassages(query, [...passages, ...(this.glossary === null ? [] : passagesOfGlossary(this.glossary))]);
  }
}
