/**
 * A reader in a course: the lesson that is open with its engine, and the reader's work.
 *
 * Invariants: the only module of the course that keeps work; one lesson is open at a time, in an engine of its own; an
 * answer that comes after another lesson was opened changes nothing. The course's texts are on its shelf (`shelf.ts`);
 * what needs a further engine is done apart (`apart.ts`).
 */
import { MissingFile } from "../files.ts";
import { daysUntil, dueOf, keptOf, missed, recalled, type Recall } from "../../state/recall.ts";
import {
  measureCard,
  openRecall,
  reviewLesson,
  type MeasuredCard,
  type RecalledQuestion,
  type ReviewedLesson,
} from "./apart.ts";
import type { Course } from "./course.ts";
import { wordFault, type Fault } from "./faults.ts";
import { keyOfWork, KeptWork, storedWork } from "./kept-work.ts";
import { questionsOfRun, tasksOf, type Lesson } from "./lesson.ts";
import { listOf, type Listed } from "./listing.ts";
import type { Question, Task } from "./parts.ts";
import type { CourseClient, CoursePlace } from "./place.ts";
import {
  before,
  FAILED_CHECKS,
  lastTry,
  logged,
  NO_WORK,
  readWork,
  writeWork,
  type LessonWork,
  type ReaderPlace,
  type Work,
} from "./progress.ts";
import { isRight, questionOf, signOf } from "./recall.ts";
import { leadUp, replay } from "./replay.ts";
import { LessonRun, type Checked, type Comparison, type Made } from "./run.ts";
import { Shelf } from "./shelf.ts";

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

export class CourseSession {
  readonly #place: CoursePlace;
  readonly #listeners = new Set<() => void>();
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

  /** The course's texts. */
  readonly shelf: Shelf;
  /** Why the course or the lesson cannot be shown. */
  failure: string | null = null;
  /** The file that cannot be had, where that is why. */
  missingFile: MissingFile | null = null;
  /** The id asked for that is no lesson of the course. */
  missing: string | null = null;
  /** The release of a project that is to be passed before the one that was asked for. */
  locked: string | null = null;
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
    this.shelf = new Shelf(place);
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

  get course(): Course | null {
    return this.shelf.course;
  }

  get language(): string {
    return this.shelf.language;
  }

  get client(): CourseClient | null {
    return this.#client;
  }

  /**
   * The open lesson's client, waited for while the engine starts and the lesson's data are made; null where the reader
   * has not acted yet, or no engine could be had.
   */
  async begun(): Promise<CourseClient | null> {
    await this.#beginning;
    return this.#client;
  }

  /** The database of the open lesson's scripts. */
  get database(): string {
    return this.shelf.databaseOf(this.lesson?.id ?? this.wanted);
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

  /** Shows another page of the course. */
  turnTo(page: CoursePage): void {
    this.page = page;
    this.#changed();
  }

  /** The work in the open lesson. */
  get work(): LessonWork {
    return this.lesson === null ? NO_WORK : this.#kept.of(this.lesson.id);
  }

  get list(): readonly Listed[] {
    return listOf(this.shelf, this.#kept);
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
    let course: Course | null;
    try {
      this.faults = await this.shelf.begin(language);
      ({ course } = this.shelf);
      if (course === null) throw new Error(this.faults.map(wordFault).join("\n"));
      this.#kept.begin(course.id);
    } catch (error) {
      this.#fail(error);
      this.phase = "failed";
      this.#changed();
      return;
    }
    const { lessons } = course;
    // Another may have been asked for while the course was read.
    const asked = this.wanted === "" ? lesson : this.wanted;
    const stopped = lessons.find(({ id }) => id === this.at?.lesson);
    const last = stopped ?? lessons.findLast(({ id }) => this.#kept.has(id));
    const id = asked ?? (last ?? lessons[0])?.id ?? "";
    opens?.(id);
    // A book opens at its list, from which a problem is picked.
    if (asked === null && course.kind === "problems" && this.page === "lesson") this.page = "book";
    await this.open(id, this.page);
    await this.#readOthers();
  }

  /** Reads the texts of the other lessons, for their titles and the number of their checks, and the glossary. */
  async #readOthers(): Promise<void> {
    await this.shelf.readBesides((course) => this.#recallsOf(course));
    this.#changed();
    if (await this.shelf.readGlossary()) this.#changed();
    for (const { id } of this.course?.lessons ?? []) {
      if (this.shelf.known(id) !== undefined) continue;
      // The fault of a text that cannot be read is told when its lesson is opened.
      await this.shelf.read(id).catch(() => undefined);
      this.#changed();
    }
    this.#dropRecalls();
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
    this.#kept.recall((recalls) =>
      keptOf(recalls, (id, key) => {
        const lesson = this.shelf.known(id);
        if (lesson === undefined) return this.shelf.has(id) ? undefined : null;
        const question = questionOf(lesson, key);
        return question === null ? null : signOf(lesson, question);
      }),
    );
  }

  /** A question that comes back, in an engine of its own, which `close` ends; null where it is there no longer. */
  openRecall(recall: Recall): Promise<RecalledQuestion | null> {
    return openRecall(this.#place, this.shelf, recall);
  }

  /** Notes whether a question that came back was answered rightly. */
  settle(recall: Recall, right: boolean): void {
    this.#kept.recall((recalls) => recalled(recalls, recall, right, this.#now));
    this.#changed();
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
    this.missing = this.shelf.has(id) ? null : id;
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
      const { lesson, faults } = await this.shelf.read(id);
      const earlier = await this.shelf.earlier(id);
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
      const earlier = (await this.shelf.earlier(lesson.id)).map((one) => ({
        lesson: one,
        work: this.#kept.of(one.id),
      }));
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
    if (!this.shelf.turnTo(language)) return;
    const next = this.language;
    const { lesson } = this;
    if (lesson !== null) {
      try {
        const { lesson: read, faults } = await this.shelf.read(lesson.id);
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
  review(work: Work, id: string): Promise<ReviewedLesson> {
    return reviewLesson(this.#place, this.shelf, work, id);
  }

  /** The card of a project's model, and the file of it for a teacher; measured in an engine of its own. */
  async card(onRelease: (done: number) => void): Promise<MeasuredCard & { readonly name: string }> {
    const measured = await measureCard(this.#place, this.shelf, this.#kept.work, onRelease);
    return { ...measured, name: this.exported().name.replace(/\.json$/, "-card.json") };
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
