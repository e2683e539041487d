/**
 * What is asked of a course beside the lesson that is open, each in an engine of its own: a question that comes back, a
 * student's work, and the card of a project's model. Invariant: nothing here changes the reader's work.
 */
import type { Model } from "../../state/model-view/model.ts";
import type { Recall } from "../../state/recall.ts";
import { readCardModel } from "./card-model.ts";
import { makeCard, writeCard, type Card } from "./card.ts";
import type { Lesson } from "./lesson.ts";
import type { Question } from "./parts.ts";
import type { CoursePlace } from "./place.ts";
import { workOf, type Work } from "./progress.ts";
import { questionOf, walkTo } from "./recall.ts";
import { leadUp, review, solvedWork, type Reviewed } from "./replay.ts";
import { LessonRun } from "./run.ts";
import type { Shelf } from "./shelf.ts";

/** A student's script may never end, and nobody waits to press Stop. */
const REVIEW_MILLIS = 30_000;

/** A question that comes back, before its run. */
export interface RecalledQuestion {
  readonly lesson: Lesson;
  readonly question: Question;
  readonly run: LessonRun;
  close(): void;
}

/** A student's work in a lesson, done again. */
export interface ReviewedLesson {
  readonly lesson: Lesson;
  readonly reviewed: Reviewed;
}

/** The card of a project's model, and the text of its file for a teacher. */
export interface MeasuredCard {
  readonly card: Card;
  readonly model: Model | null;
  readonly text: string;
}

/** A question that comes back, in an engine that `close` ends; null where it is there no longer. */
export async function openRecall(
  place: CoursePlace,
  shelf: Shelf,
  { lesson: id, key }: Recall,
): Promise<RecalledQuestion | null> {
  if (!shelf.has(id)) return null;
  const lesson = await shelf.lesson(id);
  const question = questionOf(lesson, key);
  if (question === null) return null;
  const client = await place.openClient();
  try {
    const earlier = (await shelf.earlier(id)).map((one) => ({ lesson: one, work: solvedWork(one) }));
    const run = await walkTo(lesson, question, shelf.databaseOf(id), client, earlier);
    return { lesson, question, run, close: () => void client.close().catch(() => undefined) };
  } catch (error) {
    void client.close().catch(() => undefined);
    throw error;
  }
}

/** Does a student's work in a lesson again. */
export async function reviewLesson(place: CoursePlace, shelf: Shelf, work: Work, id: string): Promise<ReviewedLesson> {
  const { lesson } = await shelf.read(id);
  const database = shelf.databaseOf(id);
  const limit = { timeLimitMillis: REVIEW_MILLIS };
  const client = await place.openClient();
  try {
    const earlier = (await shelf.earlier(id)).map((one) => ({ lesson: one, work: workOf(work, one.id) }));
    await leadUp(earlier, database, client, limit);
    const run = new LessonRun(lesson, database, client, limit);
    return { lesson, reviewed: await review(run, workOf(work, id)) };
  } finally {
    await client.close();
  }
}

/** Measures the model that a reader's work in a project made. */
export async function measureCard(
  place: CoursePlace,
  shelf: Shelf,
  work: Work,
  onRelease: (done: number) => void,
): Promise<MeasuredCard> {
  const { course } = shelf;
  const [first] = course?.lessons ?? [];
  if (course === null || first === undefined) throw new Error("no course is open");
  const lessons: Lesson[] = [];
  for (const { id } of course.lessons) lessons.push(await shelf.lesson(id));
  const client = await place.openClient();
  try {
    const card = await makeCard(lessons, work, first.database, client, onRelease);
    const model = await readCardModel(client, first.database);
    return { card, model, text: writeCard(work, card) };
  } finally {
    void client.close().catch(() => undefined);
  }
}
