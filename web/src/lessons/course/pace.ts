/**
 * How long a lesson takes, as its text tells it.
 *
 * Invariant: pure; the same text gives the same minutes. Hints are not counted: a reader who needs them takes longer,
 * and another never sees them.
 */
import type { Token } from "marked";
import { plainText } from "./blocks.ts";
import { questionsOf, tasksOf, type Lesson } from "./lesson.ts";

/** Words of English, and letters of Chinese, that are read with care in a minute. */
const WORDS_A_MINUTE = 190;
const LETTERS_A_MINUTE = 330;
/** Minutes for reading a script, running it and looking at its result. */
const RUN = 0.6;
const QUESTION = 0.4;
/** Minutes for writing a script that passes. */
const TASK = 4;
/** `minutes` of `course.json` may be off by this share. */
const TOLERANCE = 0.25;

function reading(tokens: readonly Token[]): number {
  const text = tokens.map((token) => plainText([token])).join(" ");
  const letters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.match(/[\p{Script=Latin}\p{N}]+(?:['’.-][\p{Script=Latin}\p{N}]+)*/gu)?.length ?? 0;
  return letters / LETTERS_A_MINUTE + words / WORDS_A_MINUTE;
}

/** The minutes of a lesson, unrounded. */
export function minutesOf(lesson: Lesson): number {
  const texts = lesson.steps.flatMap(({ title, parts }) => [
    ...title,
    ...parts.flatMap((part): readonly Token[] => {
      if (part.kind === "text") return part.tokens;
      if (part.kind === "question") return part.text;
      return part.kind === "task" ? [...part.text, ...part.passed] : [];
    }),
  ]);
  const runs = lesson.steps.flatMap(({ parts }) => parts.filter(({ kind }) => kind === "run")).length;
  return reading(texts) + runs * RUN + questionsOf(lesson).length * QUESTION + tasksOf(lesson).length * TASK;
}

/** Whether the minutes that a course gives are about those of the lesson; null, or how many they should be. */
export function otherMinutes(lesson: Lesson, given: number): number | null {
  const minutes = minutesOf(lesson);
  // A minute more or less is nobody's concern.
  return Math.abs(given - minutes) <= Math.max(2, minutes * TOLERANCE) ? null : Math.round(minutes);
}
