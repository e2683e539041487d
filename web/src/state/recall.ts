/**
 * Predictions that were wrong and come back: after a day, three days and a week, until they were right each time.
 *
 * Invariants: pure; the time is given; a question is one by its lesson, its key and its sign, so that one whose script
 * or answer changed is another; the list has an end.
 */

/** A question whose prediction was wrong. */
export interface Recall {
  readonly lesson: string;
  readonly key: string;
  /** Tells the question from another one under the same key. */
  readonly sign: string;
  /** How often it was right since it was wrong. */
  readonly stage: number;
  /** From when it comes back, in milliseconds since 1970. */
  readonly due: number;
}

export type Recalled = Pick<Recall, "lesson" | "key" | "sign">;

const DAY = 24 * 60 * 60 * 1000;

/** Days until a question comes back, by how often it was right. */
export const RETURN_DAYS = [1, 3, 7] as const;

/** Most questions that are kept: a lesson has a handful. */
const MOST = 500;

const isSame = (one: Recalled, other: Recalled): boolean => one.lesson === other.lesson && one.key === other.key;

const others = (recalls: readonly Recall[], question: Recalled): readonly Recall[] =>
  recalls.filter((one) => !isSame(one, question));

const dueAfter = (stage: number, now: number): number => now + (RETURN_DAYS[stage] ?? RETURN_DAYS[0]) * DAY;

/** The list with a question whose prediction was wrong: it begins from the first day. */
export function missed(recalls: readonly Recall[], { lesson, key, sign }: Recalled, now: number): readonly Recall[] {
  const recall = { lesson, key, sign, stage: 0, due: dueAfter(0, now) };
  return [...others(recalls, recall), recall].slice(-MOST);
}

/** The list after a question came back: right answers move it on, and the last of them takes it away. */
export function recalled(
  recalls: readonly Recall[],
  question: Recalled,
  right: boolean,
  now: number,
): readonly Recall[] {
  const known = recalls.find((one) => isSame(one, question));
  if (known === undefined) return recalls;
  if (!right) return missed(recalls, question, now);
  const stage = known.stage + 1;
  if (stage >= RETURN_DAYS.length) return others(recalls, question);
  return [...others(recalls, question), { ...known, stage, due: dueAfter(stage, now) }];
}

/** Whole days until a question comes back; 0 where it does now. */
export const daysUntil = ({ due }: Recall, now: number): number => Math.max(0, Math.ceil((due - now) / DAY));

/** The questions that come back now, the longest waiting first. */
export function dueOf(recalls: readonly Recall[], now: number): readonly Recall[] {
  return recalls.filter(({ due }) => due <= now).toSorted((one, other) => one.due - other.due);
}

/**
 * The list without questions that are there no longer, or are others now. `signOf` gives the sign of a question, null
 * where there is none, and undefined where its lesson is not read yet.
 */
export function keptOf(
  recalls: readonly Recall[],
  signOf: (lesson: string, key: string) => string | null | undefined,
): readonly Recall[] {
  const kept = recalls.filter(({ lesson, key, sign }) => {
    const now = signOf(lesson, key);
    return now === undefined || now === sign;
  });
  return kept.length === recalls.length ? recalls : kept;
}

/** Reads a kept list; entries that are not understood are left out. */
export function readRecalls(value: unknown): readonly Recall[] {
  const entries = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return entries.slice(0, MOST).flatMap((entry): readonly Recall[] => {
    if (typeof entry !== "object" || entry === null) return [];
    const { lesson, key, sign, stage, due } = entry as Readonly<Record<string, unknown>>;
    if (typeof lesson !== "string" || typeof key !== "string" || typeof sign !== "string") return [];
    if (typeof stage !== "number" || !Number.isInteger(stage) || stage < 0 || stage >= RETURN_DAYS.length) return [];
    return typeof due === "number" && Number.isFinite(due) ? [{ lesson, key, sign, stage, due }] : [];
  });
}
