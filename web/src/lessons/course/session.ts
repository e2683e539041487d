/**
 * A reader in a course: the course's files, the lesson that is open with its engine, and the reader's work.
 *
 * Invariants: the only module of the course that opens engines and keeps work; one lesson is open at a time, in an
 * engine of its own; an answer that comes after another lesson was opened changes nothing.
 */
import type { QuireClient } from "../../client/client.ts";
import { MissingFile } from "../files.ts";
import { makeCard, writeCard, type Card } from "./card.ts";
import { readCardModel } from "./card-model.ts";
import type { Model } from "../../state/model-view/model.ts";
import { daysUntil, dueOf, keptOf, missed, recalled, type Recall } from "../../state/recall.ts";
import { languageOf, readCourse, type Course, type CourseLesson } from "./course.ts";
import { wordFault, type Fault } from "./faults.ts";
import { keyOfWork, KeptWork, storedWork, type WorkStorage } from "./kept-work.ts";
import { questionsOfRun, readLesson, tasksOf, type Lesson } from "./lesson.ts";
import type { Question, Task } from "./parts.ts";
import {
  before,
  FAILED_CHECKS,
  lastTry,
  logged,
  NO_WORK,
  readWork,
  workOf,
  writeWork,
  type LessonWork,
  type ReaderPlace,
  type Work,
} from "./progress.ts";
import { isRight, questionOf, signOf, walkTo } from "./recall.ts";
import { leadUp, replay, review, solvedWork, type Reviewed } from "./replay.ts";
import { LessonRun, type Checked, type Comparison, type Made } from "./run.ts";
import { SCRIPTS_FILE } from "./scripts.ts";
import { findPassages, passagesOf, passagesOfGlossary, type Finding, type Passage } from "./search.ts";

export type CourseClient = Pick<QuireClient, "run" | "command" | "commandBytes" | "more" | "close">;

/** The page's part of a session: files, an engine, and storage for the work. */
export interface CoursePlace {
  /** A file of the course, by its path beside `course.json`. */
  read(path: string): Promise<string>;
  openClient(): Promise<CourseClient>;
  /** Null where nothing can be kept. */
  readonly storage: WorkStorage | null;
  /** The page's clock, in milliseconds since 1970. */
  now?(): number;
  /** Tells when another tab changed the storage, with the name of the entry, null for all; gives how to end it. */
  heed?(heard: (key: string | null) => void): () => void;
}

/** A student's script may never end, and nobody waits to press Stop. */
const REVIEW_MILLIS = 30_000;

/** Words of a script that leaves more than data behind: names, and the clock. */
const LEAVES_MORE = /\b(?:const|let|var|function|class|clock|globalThis)\b/;

/** `waiting`: the text is there, and the engine comes with the reader's first act. */
export type Phase = "files" | "waiting" | "engine" | "setup" | "replay" | "ready" | "failed";

/**
 * What a course shows: a lesson, the glossary, the page after the last lesson, the list of a book's problems, the
 * predictions that come back, or the card of a project's model.
 */
export const COURSE_PAGES = ["lesson", "glossary", "end", "book", "recall", "card"] as const;
export type CoursePage = (typeof COURSE_PAGES)[number];

/** A course beside this one, to which its contents and its end lead. */
export interface Beside {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** How many predictions of it come back, now and later. */
  readonly recalls: number;
}

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

/** A question that comes back, before its run. */
export interface RecalledQuestion {
  readonly lesson: Lesson;
  readonly question: Question;
  readonly run: LessonRun;
  close(): void;
}

export class CourseSession {
  readonly #place: CoursePlace;
  readonly #listeners = new Set<() => void>();
  readonly #lessons = new Map<string, Lesson>();
  #client: CourseClient | null = null;
  #opening = 0;
  /** Whether the reader has acted, so that lessons open with their engine. */
  #awake = false;
  /** The beginning of the open lesson's engine, once it was asked for. */
  #beginning: Promise<void> | null = null;
  readonly #kept: KeptWork;
  readonly #unheed: () => void;
  /** The open lesson is to be opened again, once its script has ended. */
  #isStale = false;
  readonly #compared = new Map<string, Comparison>();
  readonly #checked = new Map<string, Checked>();
  readonly #passages = new Map<Lesson, readonly Passage[]>();
  #glossary: string | null = null;

  course: Course | null = null;
  language = "en";
  /** Why the course or the lesson cannot be shown. */
  failure: string | null = null;
  /** The file that cannot be had, where that is why. */
  missingFile: MissingFile | null = null;
  /** The id asked for that is no lesson of the course. */
  missing: string | null = null;
  /** The release of a project that is to be passed before the one that was asked for. */
  locked: string | null = null;
  /** The courses beside this one, once they were read. */
  besides: readonly Beside[] = [];
  faults: readonly Fault[] = [];
  /** The id of the lesson that is open or being opened. */
  wanted = "";
  /** What is shown: the lesson, the course's glossary, or the page after its last lesson. */
  page: CoursePage = "lesson";
  lesson: Lesson | null = null;
  run: LessonRun | null = null;
  phase: Phase = "files";
  /** The script under way. */
  busy: string | null = null;

  constructor(place: CoursePlace) {
    this.#place = place;
    this.#kept = new KeptWork(place.storage);
    const heard = (key: string | null): void => {
      if (this.course !== null && (key === null || key === keyOfWork(this.course.id))) this.#takeUp();
    };
    this.#unheed = place.heed?.(heard) ?? (() => undefined);
  }

  /** Another tab changed the work: a lesson begins again whose own work was taken back, or on whose data it stands. */
  #takeUp(): void {
    const changed = this.#kept.takeUp();
    const own = changed.get(this.wanted);
    const isTakenBack =
      own !== undefined &&
      (own.passed.some((task) => !this.work.passed.includes(task)) ||
        (own.log.length > 0 && this.work.log.length === 0));
    const at = this.course?.lessons.findIndex(({ id }) => id === this.wanted) ?? -1;
    const earlier = this.course?.kind === "project" ? this.course.lessons.slice(0, at) : [];
    this.#isStale ||= isTakenBack || earlier.some(({ id }) => changed.has(id));
    this.#changed();
    this.#renew();
  }

  #renew(): void {
    if (!this.#isStale || this.busy !== null) return;
    this.#isStale = false;
    void this.open(this.wanted, this.page);
  }

  /** Whether the reader's work is stored. */
  get kept(): boolean {
    return this.#kept.kept;
  }

  get #now(): number {
    return this.#place.now?.() ?? Date.now();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #fail(error: unknown): void {
    this.failure = error instanceof Error ? error.message : String(error);
    this.missingFile = error instanceof MissingFile ? error : null;
  }

  get client(): CourseClient | null {
    return this.#client;
  }

  /** The database of the open lesson's scripts. */
  get database(): string {
    return this.#databaseOf(this.lesson?.id ?? this.wanted);
  }

  #databaseOf(id: string): string {
    return this.course?.lessons.find((one) => one.id === id)?.database ?? id;
  }

  get name(): string {
    return this.#kept.work.name;
  }

  /** Where the reader stopped; null before anything was read. */
  get at(): ReaderPlace | null {
    return this.#kept.work.at ?? null;
  }

  /** The reader reads this step of the open lesson: the course opens there the next time. */
  reads(step: number): void {
    const { lesson } = this;
    if (lesson === null || (this.at?.lesson === lesson.id && this.at.step === step)) return;
    this.#kept.stopAt({ lesson: lesson.id, step });
  }

  /** The glossary's text in the reader's language; null where there is none, or it is not read yet. */
  get glossary(): string | null {
    return this.#glossary;
  }

  /** Shows another page of the course. */
  turnTo(page: CoursePage): void {
    this.page = page;
    this.#changed();
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
    return findPassages(query, [...passages, ...(this.#glossary === null ? [] : passagesOfGlossary(this.#glossary))]);
  }

  /** The work in the open lesson. */
  get work(): LessonWork {
    return this.lesson === null ? NO_WORK : this.#kept.of(this.lesson.id);
  }

  get list(): readonly Listed[] {
    return (this.course?.lessons ?? []).map(({ id, title: titles, minutes, problem }) => {
      const lesson = this.#lessons.get(id) ?? null;
      const title = lesson?.title ?? titles?.[this.language] ?? id;
      const work = this.#kept.of(id);
      const tasks = lesson === null ? null : tasksOf(lesson);
      const passed = tasks === null ? work.passed.length : tasks.filter((task) => work.passed.includes(task.id)).length;
      const begun = this.#kept.has(id);
      const tried = work.log.some(({ kind }) => kind === "task") || Object.keys(work.failed).length > 0;
      const listed = { id, title, minutes, lesson, passed, tasks: tasks?.length ?? null, begun };
      return { ...listed, problem, tried, seen: work.seen.length > 0 };
    });
  }

  /** The costs of the reader's script and of a passed problem's solution; null until they are known. */
  compared(task: string): Comparison | null {
    return this.#compared.get(task) ?? null;
  }

  /** The outcome of a task's last check; null before the first one and after another attempt. */
  checked(task: string): Checked | null {
    return this.#checked.get(task) ?? null;
  }

  /**
   * Reads the course, and opens a lesson of it: the one asked for, or the one where the reader stopped, or the first.
   * `opens` hears which it will be, before it is read.
   */
  async start(language: string, lesson: string | null, opens?: (lesson: string) => void): Promise<void> {
    try {
      const { course, faults } = readCourse(await this.#place.read("course.json"));
      this.faults = faults;
      if (course === null) throw new Error(faults.map(wordFault).join("\n"));
      this.course = course;
      this.language = languageOf(course, language);
      this.#kept.begin(course.id);
    } catch (error) {
      this.#fail(error);
      this.phase = "failed";
      this.#changed();
      return;
    }
    const { lessons } = this.course;
    // Another may have been asked for while the course was read.
    const asked = this.wanted === "" ? lesson : this.wanted;
    const stopped = lessons.find(({ id }) => id === this.at?.lesson);
    const last = stopped ?? lessons.findLast(({ id }) => this.#kept.has(id));
    const id = asked ?? (last ?? lessons[0])?.id ?? "";
    opens?.(id);
    // A book opens at its list, from which a problem is picked.
    if (asked === null && this.course.kind === "problems" && this.page === "lesson") this.page = "book";
    await this.open(id, this.page);
    await this.#readOthers();
  }

  /** Reads the texts of the other lessons, for their titles and the number of their checks, and the glossary. */
  async #readOthers(): Promise<void> {
    await this.#readBesides();
    await this.#readGlossary();
    for (const { id } of this.course?.lessons ?? []) {
      if (this.#lessons.has(id)) continue;
      // The fault of a text that cannot be read is told when its lesson is opened.
      await this.#read(id).catch(() => undefined);
      this.#changed();
    }
    this.#dropRecalls();
  }

  /** Reads the titles of the courses beside this one; one that is not there is left out. */
  async #readBesides(): Promise<void> {
    const found: Beside[] = [];
    for (const id of this.course?.beside ?? []) {
      const text = await this.#place.read(`../${id}/course.json`).catch(() => null);
      const course = text === null ? null : readCourse(text).course;
      if (course === null) continue;
      const language = languageOf(course, this.language);
      const [title, about] = [course.title[language] ?? id, course.about[language] ?? ""];
      found.push({ id, title, about, recalls: this.#recallsOf(course.id) });
    }
    this.besides = found;
    this.#changed();
  }

  #recallsOf(course: string): number {
    try {
      return storedWork(this.#place.storage, course)?.recalls?.length ?? 0;
    } catch {
      return 0;
    }
  }

  /** The predictions that come back, now and later. */
  get recalls(): readonly Recall[] {
    return this.#kept.recalls;
  }

  /** The predictions that come back now. */
  get due(): readonly Recall[] {
    return dueOf(this.recalls, this.#now);
  }

  daysUntil(recall: Recall): number {
    return daysUntil(recall, this.#now);
  }

  /** Forgets questions that the course has no longer, or that are others now. */
  #dropRecalls(): void {
    const lessons = this.course?.lessons ?? [];
    this.#kept.recall((recalls) =>
      keptOf(recalls, (id, key) => {
        const lesson = this.#lessons.get(id);
        if (lesson === undefined) return lessons.some((one) => one.id === id) ? undefined : null;
        const question = questionOf(lesson, key);
        return question === null ? null : signOf(lesson, question);
      }),
    );
  }

  /** A question that comes back, in an engine of its own, which `close` ends; null where it is there no longer. */
  async openRecall({ lesson: id, key }: Recall): Promise<RecalledQuestion | null> {
    if (this.course?.lessons.some((one) => one.id === id) !== true) return null;
    const lesson = this.#lessons.get(id) ?? (await this.#read(id)).lesson;
    const question = questionOf(lesson, key);
    if (question === null) return null;
    const client = await this.#place.openClient();
    try {
      const earlier = (await this.#earlier(id)).map((one) => ({ lesson: one, work: solvedWork(one) }));
      const run = await walkTo(lesson, question, this.#databaseOf(id), client, earlier);
      return { lesson, question, run, close: () => void client.close().catch(() => undefined) };
    } catch (error) {
      void client.close().catch(() => undefined);
      throw error;
    }
  }

  /** Notes whether a question that came back was answered rightly. */
  settle(recall: Recall, right: boolean): void {
    this.#kept.recall((recalls) => recalled(recalls, recall, right, this.#now));
    this.#changed();
  }

  /** The releases of a project before one of them; none of other courses. */
  async #earlier(id: string): Promise<readonly Lesson[]> {
    if (this.course?.kind !== "project") return [];
    const before = this.course.lessons.slice(
      0,
      this.course.lessons.findIndex((one) => one.id === id),
    );
    const lessons: Lesson[] = [];
    for (const one of before) lessons.push(this.#lessons.get(one.id) ?? (await this.#read(one.id)).lesson);
    return lessons;
  }

  async #readGlossary(): Promise<void> {
    const { course, language } = this;
    if (course === null || course.glossary === null) return;
    const text = await this.#place.read(`${course.glossary}/${language}.md`).catch(() => null);
    if (language !== this.language) return;
    this.#glossary = text;
    this.#changed();
  }

  async #read(id: string): Promise<{ lesson: Lesson; faults: readonly Fault[] }> {
    const { language } = this;
    const [scripts, text] = await Promise.all(
      [SCRIPTS_FILE, `${language}.md`].map((name) => this.#place.read(`${id}/${name}`)),
    );
    const read = readLesson(id, language, { scripts: scripts ?? "", text: text ?? "" });
    if (language === this.language) this.#lessons.set(id, read.lesson);
    return read;
  }

  /** Whether a script can be asked for, now or once the engine is there. */
  get takesScripts(): boolean {
    return this.lesson !== null && this.phase !== "files" && this.phase !== "failed";
  }

  /** The reader acts, or will: the open lesson gets its engine now, and others as they are opened. */
  async wake(): Promise<void> {
    this.#awake = true;
    if (this.phase === "waiting") this.#beginning = this.#begin(this.#opening);
    await this.#beginning;
  }

  /** Opens a lesson; where the reader has acted, in an engine of its own, with the reader's work done again in it. */
  async open(id: string, page: CoursePage = "lesson"): Promise<void> {
    this.page = page;
    if (this.course === null) {
      this.wanted = id;
      return;
    }
    const opening = ++this.#opening;
    const old = this.#client;
    this.#client = null;
    this.#beginning = null;
    this.run = null;
    this.busy = null;
    this.failure = null;
    this.missingFile = null;
    this.missing = this.course.lessons.some((one) => one.id === id) ? null : id;
    this.locked = null;
    this.#checked.clear();
    this.#compared.clear();
    this.wanted = id;
    this.lesson = null;
    void old?.close().catch(() => undefined);
    // A path is made of lessons of the course only.
    if (this.missing !== null) return this.#reach(opening, "failed");
    this.#reach(opening, "files");
    try {
      const { lesson, faults } = await this.#read(id);
      const earlier = await this.#earlier(id);
      if (opening !== this.#opening) return;
      this.locked = earlier.find((one) => !this.#isPassed(one))?.id ?? null;
      if (this.locked !== null) return this.#reach(opening, "failed");
      this.lesson = lesson;
      this.faults = faults;
    } catch (error) {
      if (opening !== this.#opening) return;
      this.#fail(error);
      return this.#reach(opening, "failed");
    }
    this.#reach(opening, "waiting");
    if (this.#awake) await this.wake();
  }

  #isPassed(lesson: Lesson): boolean {
    const { passed } = this.#kept.of(lesson.id);
    return tasksOf(lesson).every(({ id }) => passed.includes(id));
  }

  /** Tells the phase of an opening that is still the last one. */
  #reach(opening: number, phase: Phase): void {
    if (opening !== this.#opening) return;
    this.phase = phase;
    this.#changed();
  }

  /** Gives the open lesson its engine, and does the reader's work in it again. */
  async #begin(opening: number): Promise<void> {
    const { lesson } = this;
    if (lesson === null) return;
    const isCurrent = (): boolean => opening === this.#opening;
    try {
      this.#reach(opening, "engine");
      const client = await this.#place.openClient();
      if (!isCurrent()) return void client.close();
      this.#client = client;
      const run = new LessonRun(lesson, this.database, client);
      this.#reach(opening, "setup");
      const earlier = (await this.#earlier(lesson.id)).map((one) => ({ lesson: one, work: this.#kept.of(one.id) }));
      await leadUp(earlier, this.database, client);
      await run.begin();
      if (!isCurrent()) return;
      this.run = run;
      if (this.work.log.length > 0) {
        this.#reach(opening, "replay");
        for (const [task, checked] of await replay(run, this.work))
          if (isCurrent() && this.work.passed.includes(task)) this.#checked.set(task, checked);
      }
      this.#reach(opening, "ready");
      for (const task of tasksOf(lesson)) if (this.#checked.has(task.id)) await this.#compare(task);
    } catch (error) {
      if (!isCurrent()) return;
      this.#fail(error);
      this.#reach(opening, "failed");
    }
  }

  /** Goes over to another language: the data and the work stay. */
  async speak(language: string): Promise<void> {
    if (this.course === null) return;
    const next = languageOf(this.course, language);
    if (next === this.language) return;
    this.language = next;
    this.#lessons.clear();
    this.#passages.clear();
    this.#glossary = null;
    const { lesson } = this;
    if (lesson !== null) {
      try {
        const { lesson: read, faults } = await this.#read(lesson.id);
        if (this.language !== next) return;
        this.lesson = read;
        this.faults = faults;
      } catch (error) {
        if (this.language !== next) return;
        this.#fail(error);
      }
    }
    this.#changed();
    await this.#readOthers();
  }

  #keep(lesson: string, change: Partial<LessonWork>): void {
    this.#kept.change(lesson, change);
    this.#changed();
  }

  rename(name: string): void {
    this.#kept.rename(name);
    this.#changed();
  }

  answer(key: string, answer: string | null): void {
    if (this.lesson !== null) this.#keep(this.lesson.id, { answers: { ...this.work.answers, [key]: answer } });
  }

  draft(id: string, source: string): void {
    if (this.lesson !== null && this.work.drafts[id] !== source)
      this.#keep(this.lesson.id, { drafts: { ...this.work.drafts, [id]: source } });
  }

  /** Does one thing with the open lesson; null where it is no longer open at the end. */
  async #with<Result>(what: string, act: (run: LessonRun) => Promise<Result>): Promise<Result | null> {
    // A script that is asked for while the engine comes runs once it is there.
    if (this.run === null || this.phase === "replay") await this.wake();
    const { run } = this;
    if (run === null || this.busy !== null) return null;
    this.busy = what;
    this.#changed();
    try {
      const result = await act(run);
      return run === this.run ? result : null;
    } catch (error) {
      if (run === this.run) this.#fail(error);
      return null;
    } finally {
      if (run === this.run) {
        this.busy = null;
        this.#changed();
        this.#renew();
      }
    }
  }

  #log(kind: "run" | "task", id: string, made: Made, source: string | undefined): void {
    if (this.lesson === null) return;
    const { error } = made.outcome;
    // A script that was stopped is not done again: it would have to be stopped again.
    if (error?.name === "ScriptStopped" || error?.name === "ScriptTimeout") return;
    const wrote = made.account.pagesWritten > 0 || LEAVES_MORE.test(made.source);
    const entry = { kind, id, ...(source === undefined ? {} : { source }), wrote };
    this.#keep(this.lesson.id, { log: logged(this.work.log, entry) });
  }

  /** Runs a snippet. */
  async make(id: string, source: string, onPrinted: (lines: readonly string[]) => void): Promise<Made | null> {
    const own = this.lesson?.scripts.runs.get(id)?.source;
    const changed = source === own ? undefined : source;
    const asked = this.#undecided(id);
    const made = await this.#with(id, (run) => run.run(id, changed, onPrinted));
    if (made !== null) this.#log("run", id, made, changed);
    if (made !== null) this.#miss(asked);
    return this.#survived(made);
  }

  /** The questions about a run that are not decided yet. */
  #undecided(id: string): readonly Question[] {
    const { lesson, run, work } = this;
    const wasRun = work.log.some((entry) => entry.kind === "run" && entry.id === id);
    if (lesson === null || wasRun || (run?.made(id) ?? null) !== null) return [];
    return questionsOfRun(lesson, id);
  }

  /** Notes the predictions that were wrong, which come back. */
  #miss(questions: readonly Question[]): void {
    const { lesson, run, work } = this;
    if (lesson === null || run === null) return;
    for (const question of questions) {
      const { key } = question;
      const given = work.answers[key] ?? null;
      if (given === null || isRight(question, given, run.answered(key)) !== false) continue;
      const sign = signOf(lesson, question);
      this.#kept.recall((recalls) => missed(recalls, { lesson: lesson.id, key, sign }, this.#now));
    }
  }

  /** Runs a reader's script for a task. */
  async attempt(id: string, source: string, onPrinted: (lines: readonly string[]) => void): Promise<Made | null> {
    this.#checked.delete(id);
    this.#compared.delete(id);
    const made = await this.#with(id, (run) => run.attempt(id, source, onPrinted));
    if (made !== null) this.#log("task", id, made, source);
    return this.#survived(made);
  }

  /** Begins the lesson again where stopping a script took the engine and its data with it. */
  async #survived(made: Made | null): Promise<Made | null> {
    const { run, lesson } = this;
    if (made?.outcome.error?.name !== "ScriptStopped" || run === null || lesson === null) return made;
    if (await run.isThere().catch(() => false)) return made;
    if (run === this.run) await this.open(lesson.id);
    return null;
  }

  /** Checks a task; a script that was not run as it stands is run before. */
  async check(task: Task, source: string, onPrinted: (lines: readonly string[]) => void): Promise<void> {
    const made = this.run?.made(task.id) ?? null;
    if (made?.source !== source && (await this.attempt(task.id, source, onPrinted)) === null) return;
    const checked = await this.#with(task.id, async (run) => {
      const first = await run.check(task);
      return first.kind === "hint" ? ((await run.alone(task)) ?? first) : first;
    });
    if (checked === null || this.lesson === null) return;
    this.#checked.set(task.id, checked);
    const { log, passed, failed } = this.work;
    if (checked.kind !== "passed")
      return this.#keep(this.lesson.id, { failed: { ...failed, [task.id]: (failed[task.id] ?? 0) + 1 } });
    this.#keep(this.lesson.id, {
      passed: passed.includes(task.id) ? passed : [...passed, task.id],
      ...(checked.alone ? { log: lastTry(log, task.id) } : {}),
    });
    await this.#compare(task);
  }

  /** Compares the cost of a problem's answer with that of the solution. */
  async #compare(task: Task): Promise<void> {
    if (this.course?.kind !== "problems") return;
    const found = await this.#with(task.id, (run) => run.compare(task));
    if (found === null) return;
    this.#compared.set(task.id, found);
    this.#changed();
  }

  /** Whether a reader may see a task's solution: its check did not pass a few times, or a problem's passed. */
  offersSolution(task: string): boolean {
    const { failed, passed } = this.work;
    return (failed[task] ?? 0) >= FAILED_CHECKS || (this.course?.kind === "problems" && passed.includes(task));
  }

  /** Notes that the reader looks at the solution of a task that is not passed yet. */
  see(task: string): void {
    const { seen, passed } = this.work;
    if (this.lesson !== null && !seen.includes(task) && !passed.includes(task))
      this.#keep(this.lesson.id, { seen: [...seen, task] });
  }

  /** Takes back all writes since a task was first tried; the reader's script stays in the editor. */
  async retry(id: string): Promise<void> {
    const done = await this.#with(id, async (run) => {
      await run.retry(id);
      return true;
    });
    if (done !== true || this.lesson === null) return;
    const { log, undone } = before(this.work.log, id);
    for (const task of undone) for (const known of [this.#checked, this.#compared]) known.delete(task);
    this.#keep(this.lesson.id, { log, passed: this.work.passed.filter((task) => !undone.includes(task)) });
  }

  /** Back to the start of the lesson: its data, and the reader's work in it. */
  async reset(): Promise<void> {
    const done = await this.#with("reset", async (run) => {
      await run.reset();
      return true;
    });
    if (done !== true || this.lesson === null) return;
    this.#checked.clear();
    this.#compared.clear();
    this.#keep(this.lesson.id, NO_WORK);
  }

  stop(): void {
    this.run?.stop();
  }

  /** The reader's work as a file. */
  exported(): { readonly name: string; readonly text: string } {
    const who = this.name
      .trim()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "");
    return {
      name: `${this.course?.id ?? "course"}${who === "" ? "" : `-${who}`}.json`,
      text: writeWork(this.#kept.work),
    };
  }

  /** Takes a file's work in the place of the reader's own; false where it is none of this course. */
  async take(text: string): Promise<boolean> {
    const work = this.course === null ? null : readWork(text, this.course.id);
    if (work === null) return false;
    this.#kept.replace(work);
    this.#changed();
    if (this.lesson !== null) await this.open(this.lesson.id);
    return true;
  }

  /** Reads a student's file; null where it is none of this course. Nothing of the reader's own changes. */
  read(text: string): Work | null {
    return this.course === null ? null : readWork(text, this.course.id);
  }

  /** Does a student's work in a lesson again, in an engine of its own. */
  async review(work: Work, id: string): Promise<{ readonly lesson: Lesson; readonly reviewed: Reviewed }> {
    const { lesson } = await this.#read(id);
    const database = this.#databaseOf(id);
    const limit = { timeLimitMillis: REVIEW_MILLIS };
    const client = await this.#place.openClient();
    try {
      const earlier = (await this.#earlier(id)).map((one) => ({ lesson: one, work: workOf(work, one.id) }));
      await leadUp(earlier, database, client, limit);
      const run = new LessonRun(lesson, database, client, limit);
      return { lesson, reviewed: await review(run, workOf(work, id)) };
    } finally {
      await client.close();
    }
  }

  /** The card of a project's model, and the file of it for a teacher; measured in an engine of its own. */
  async card(
    onRelease: (done: number) => void,
  ): Promise<{ readonly card: Card; readonly model: Model | null; readonly name: string; readonly text: string }> {
    const { course } = this;
    const [first] = course?.lessons ?? [];
    if (course === null || first === undefined) throw new Error("no course is open");
    const { work } = this.#kept;
    const lessons: Lesson[] = [];
    for (const { id } of course.lessons) lessons.push(this.#lessons.get(id) ?? (await this.#read(id)).lesson);
    const client = await this.#place.openClient();
    try {
      const card = await makeCard(lessons, work, first.database, client, onRelease);
      const model = await readCardModel(client, first.database);
      return { card, model, name: this.exported().name.replace(/\.json$/, "-card.json"), text: writeCard(work, card) };
    } finally {
      void client.close().catch(() => undefined);
    }
  }

  close(): void {
    this.#unheed();
    this.#opening += 1;
    this.run = null;
    const client = this.#client;
    this.#client = null;
    void client?.close().catch(() => undefined);
  }
}
