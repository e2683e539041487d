/**
 * A reader's work in a course: answers, scripts, passed checks. It is kept, exported and imported as one JSON text.
 *
 * Invariants: pure; a text that was stored or handed in is checked field by field, and fields that are not understood
 * are left out; the state of a lesson's data is told by its log alone, which can be run again.
 */
import { readRecalls, type Recall } from "../../state/recall.ts";
import { isObject } from "./course.ts";

/** A script that was run, in order. A snippet has a source only where the reader changed it. */
export interface LogEntry {
  readonly kind: "run" | "task";
  readonly id: string;
  readonly source?: string;
  /** It changed data: it has to be run again to have them. */
  readonly wrote: boolean;
}

export interface LessonWork {
  readonly log: readonly LogEntry[];
  /** The reader's answers, by the question's key; null: the reader said not to know. */
  readonly answers: Readonly<Record<string, string | null>>;
  /** Scripts of tasks and snippets as the reader left them. */
  readonly drafts: Readonly<Record<string, string>>;
  readonly passed: readonly string[];
  /** How often the check of a task did not pass. */
  readonly failed: Readonly<Record<string, number>>;
  /** Tasks whose solution the reader looked at. */
  readonly seen: readonly string[];
}

export interface Work {
  readonly course: string;
  /** The reader's name, for the teacher who gets the file. */
  readonly name: string;
  readonly lessons: Readonly<Record<string, LessonWork>>;
  /** Where the reader stopped; absent before anything was read. */
  readonly at?: ReaderPlace;
  /** Predictions that were wrong and come back; absent where there are none. */
  readonly recalls?: readonly Recall[];
}

/** A lesson and the step of it that is read, counted from 0. */
export interface ReaderPlace {
  readonly lesson: string;
  readonly step: number;
}

export const NO_WORK: LessonWork = { log: [], answers: {}, drafts: {}, passed: [], failed: {}, seen: [] };

/** Checks that do not pass before a solution is offered. */
export const FAILED_CHECKS = 3;

/** Most scripts of a lesson that are kept, and most characters of each. */
const MOST_ENTRIES = 300;
const MOST_CHARACTERS = 50_000;

export const workOf = (work: Work, lesson: string): LessonWork => work.lessons[lesson] ?? NO_WORK;

/** The work with another of one lesson. */
export function withLesson(work: Work, lesson: string, change: Partial<LessonWork>): Work {
  return { ...work, lessons: { ...work.lessons, [lesson]: { ...workOf(work, lesson), ...change } } };
}

/** The log with one script more. One that only read takes the place of its earlier runs. */
export function logged(log: readonly LogEntry[], entry: LogEntry): readonly LogEntry[] {
  if ((entry.source?.length ?? 0) > MOST_CHARACTERS) return log;
  const kept = log.filter(({ kind, id, wrote }) => wrote || kind !== entry.kind || id !== entry.id);
  return kept.length >= MOST_ENTRIES ? log : [...kept, entry];
}

/** The log as it was before a task was first tried, and the tasks that were tried since. */
export function before(
  log: readonly LogEntry[],
  task: string,
): { readonly log: readonly LogEntry[]; readonly undone: readonly string[] } {
  const first = log.findIndex(({ kind, id }) => kind === "task" && id === task);
  if (first < 0) return { log, undone: [] };
  const undone = log.slice(first).flatMap(({ kind, id }) => (kind === "task" ? [id] : []));
  return { log: log.slice(0, first), undone };
}

/** The log with the last attempt at a task alone: those before it were taken back. */
export function lastTry(log: readonly LogEntry[], task: string): readonly LogEntry[] {
  const last = log.findLastIndex(({ kind, id }) => kind === "task" && id === task);
  return log.filter(({ kind, id }, at) => kind !== "task" || id !== task || at === last);
}

export function writeWork(work: Work): string {
  return `${JSON.stringify({ quireWork: 1, ...work }, null, 2)}\n`;
}

/** Reads a kept or an exported text; null where it is no work of this course. */
export function readWork(text: string, course: string): Work | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(json) || json["quireWork"] !== 1 || json["course"] !== course) return null;
  const lessons: Record<string, LessonWork> = {};
  for (const [id, lesson] of Object.entries(isObject(json["lessons"]) ? json["lessons"] : {}))
    if (isObject(lesson)) lessons[id] = readLessonWork(lesson);
  const at = readPlace(json["at"]);
  const name = typeof json["name"] === "string" ? json["name"].slice(0, 200) : "";
  const recalls = readRecalls(json["recalls"]);
  return { course, name, lessons, ...(at === null ? {} : { at }), ...(recalls.length === 0 ? {} : { recalls }) };
}

function readPlace(place: unknown): ReaderPlace | null {
  if (!isObject(place)) return null;
  const { lesson, step } = place;
  return typeof lesson === "string" && typeof step === "number" && Number.isInteger(step) && step >= 0
    ? { lesson, step }
    : null;
}

function readLessonWork({ log, answers, drafts, passed, failed, seen }: Readonly<Record<string, unknown>>): LessonWork {
  const texts = (value: unknown, orNull: boolean): Record<string, string | null> =>
    Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).filter(
        (pair): pair is [string, string | null] => typeof pair[1] === "string" || (orNull && pair[1] === null),
      ),
    );
  const words = (value: unknown): readonly string[] =>
    (Array.isArray(value) ? (value as readonly unknown[]) : []).filter((id): id is string => typeof id === "string");
  const entries = (Array.isArray(log) ? (log as readonly unknown[]) : []).slice(0, MOST_ENTRIES);
  return {
    log: entries.flatMap((entry): readonly LogEntry[] => {
      if (!isObject(entry)) return [];
      const { kind, id, source, wrote } = entry;
      if ((kind !== "run" && kind !== "task") || typeof id !== "string") return [];
      if (kind === "task" && typeof source !== "string") return [];
      return [{ kind, id, ...(typeof source === "string" ? { source } : {}), wrote: wrote === true }];
    }),
    answers: texts(answers, true),
    drafts: texts(drafts, false) as Record<string, string>,
    passed: words(passed),
    failed: Object.fromEntries(
      Object.entries(isObject(failed) ? failed : {}).filter(
        (pair): pair is [string, number] => typeof pair[1] === "number" && Number.isSafeInteger(pair[1]),
      ),
    ),
    seen: words(seen),
  };
}

/** The number that an answer says, maybe with separators or in full-width digits; null where it is none. */
export function numberSaid(answer: string): number | null {
  const plain = answer
    .normalize("NFKC")
    .replace(/[,\s'’]/g, "")
    .replace("\u2212", "-");
  return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** Whether an answer to a question of a figure is the truth, which is a number. */
export const isTruth = (answer: string | null, truth: unknown): boolean =>
  answer !== null && typeof truth === "number" && numberSaid(answer) === truth;
