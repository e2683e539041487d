/**
 * The card of a project's model: the reader's own collections as the last release left them, and what each release's
 * tasks cost, measured.
 *
 * Invariants: all of it comes from running the scripts of the work again, in an empty engine and on the course's data,
 * in the same way for the reader and for a teacher; what a file claims is only compared with that. Times are no part of
 * it, since they differ from machine to machine.
 */
import { EJSON, type Document } from "bson";
import { isObject, type Course } from "./course.ts";
import { tasksOf, type Lesson } from "./lesson.ts";
import { readWork, workOf, writeWork, type Work } from "./progress.ts";
import { LessonRun, type LessonHost } from "./run.ts";
import type { RunAccount } from "./account.ts";

/** The cost of a task's script, by the names of an account. */
export const CARD_COSTS = ["documentsExamined", "keysExamined", "pagesRead", "pagesWritten", "commands"] as const;
export type CardCost = Readonly<Record<(typeof CARD_COSTS)[number], number>>;

export interface CardTask {
  readonly id: string;
  readonly passes: boolean;
  /** Of the whole script that passed. */
  readonly cost: CardCost | null;
  /** Of its last statement, which asks the question that the task is about. */
  readonly asked: CardCost | null;
  /** The script that was run last. */
  readonly source: string;
}

export interface CardRelease {
  readonly id: string;
  readonly title: string;
  readonly tasks: readonly CardTask[];
}

export interface CardCollection {
  readonly name: string;
  readonly documents: number;
  /** Of all documents, as BSON. */
  readonly bytes: number;
  /** Fields at the top, each with the types that its values have. */
  readonly fields: readonly { readonly name: string; readonly types: readonly string[] }[];
  readonly indexes: readonly { readonly name: string; readonly keys: string; readonly unique: boolean }[];
  /** The validator as JSON; null where there is none. */
  readonly validator: string | null;
}

export interface Card {
  readonly releases: readonly CardRelease[];
  readonly collections: readonly CardCollection[];
}

/** A script of a file may never end. */
const LIMIT = { timeLimitMillis: 30_000 };

const costOf = (account: Pick<RunAccount, keyof CardCost>): CardCost => {
  const { documentsExamined, keysExamined, pagesRead, pagesWritten, commands } = account;
  return { documentsExamined, keysExamined, pagesRead, pagesWritten, commands };
};

/** Does the work of a project again, release by release, and measures it. `host` has nothing yet. */
export async function makeCard(
  lessons: readonly Lesson[],
  work: Work,
  database: string,
  host: LessonHost,
  onRelease: (done: number) => void = () => undefined,
): Promise<Card> {
  const releases: CardRelease[] = [];
  for (const [at, lesson] of lessons.entries()) {
    onRelease(at);
    releases.push(await measureRelease(lesson, work, database, host));
  }
  return { releases, collections: await readCollections(database, host) };
}

async function measureRelease(lesson: Lesson, work: Work, database: string, host: LessonHost): Promise<CardRelease> {
  const run = new LessonRun(lesson, database, host, LIMIT);
  await run.begin();
  const tasks = new Map(tasksOf(lesson).map((task) => [task.id, task]));
  const found = new Map<string, CardTask>();
  for (const { kind, id, source } of workOf(work, lesson.id).log) {
    if (kind === "run" && lesson.scripts.runs.has(id)) await run.run(id, source);
    const task = kind === "task" ? tasks.get(id) : undefined;
    if (task === undefined || source === undefined) continue;
    const { account } = await run.attempt(id, source);
    const passes = (await run.check(task)).kind === "passed";
    const before = found.get(id);
    // The last attempt that passes counts: one that was only looked at afterwards takes nothing away.
    if (passes || before?.passes !== true)
      found.set(id, {
        ...{ id, passes, source },
        cost: passes ? costOf(account) : null,
        asked: passes ? costOf(account.last) : null,
      });
  }
  await run.leave();
  const none = (id: string): CardTask => ({ id, passes: false, cost: null, asked: null, source: "" });
  return { id: lesson.id, title: lesson.title, tasks: [...tasks.keys()].map((id) => found.get(id) ?? none(id)) };
}

type Batch = { readonly cursor: { readonly firstBatch: readonly Document[] } };

async function readCollections(database: string, host: LessonHost): Promise<readonly CardCollection[]> {
  const listed = (await host.command(database, { listCollections: 1, cursor: { batchSize: 1000 } })) as Document;
  const collections: CardCollection[] = [];
  const infos = (listed as Batch).cursor.firstBatch.filter(({ type }) => type === "collection");
  for (const { name, options } of infos.toSorted((one, other) =>
    String(one["name"]) < String(other["name"]) ? -1 : 1,
  )) {
    const first = async (pipeline: readonly Document[]): Promise<readonly Document[]> => {
      const reply = await host.command(database, {
        aggregate: name,
        pipeline: [...pipeline],
        cursor: { batchSize: 1000 },
      });
      return (reply as unknown as Batch).cursor.firstBatch;
    };
    const [size] = await first([
      { $group: { _id: null, documents: { $sum: 1 }, bytes: { $sum: { $bsonSize: "$$ROOT" } } } },
    ]);
    const fields = await first([
      { $project: { _id: 0, field: { $objectToArray: "$$ROOT" } } },
      { $unwind: "$field" },
      { $group: { _id: "$field.k", types: { $addToSet: { $type: "$field.v" } } } },
      { $sort: { _id: 1 } },
    ]);
    const indexes = (await host.command(database, { listIndexes: name })) as unknown as Batch;
    const { validator } = (options ?? {}) as { readonly validator?: Document };
    collections.push({
      name: String(name),
      documents: Number(size?.["documents"] ?? 0),
      bytes: Number(size?.["bytes"] ?? 0),
      fields: fields.map(({ _id, types }) => ({ name: String(_id), types: (types as string[]).toSorted() })),
      indexes: indexes.cursor.firstBatch.map((index) => ({
        name: String(index["name"]),
        keys: EJSON.stringify(index["key"] as Document, { relaxed: true }),
        unique: index["unique"] === true || index["name"] === "_id_",
      })),
      validator: validator === undefined ? null : EJSON.stringify(validator, { relaxed: true }),
    });
  }
  return collections;
}

/** The file for a teacher: the work, whose scripts are run again, and the card that it is to give. */
export function writeCard(work: Work, card: Card): string {
  return `${JSON.stringify({ ...JSON.parse(writeWork(work)), card }, null, 2)}\n`;
}

/** The course that a file says it is of, as a name of a folder; null where it is no file of a card. */
export function courseOfFile(text: string): string | null {
  try {
    const json: unknown = JSON.parse(text);
    if (!isObject(json) || json["quireWork"] !== 1) return null;
    const { course } = json;
    return typeof course === "string" && /^[a-z][a-z0-9-]{0,40}$/.test(course) ? course : null;
  } catch {
    return null;
  }
}

/** What a file claims of one thing, beside what was found. */
export interface Verdict<Found> {
  readonly found: Found;
  /** As the file has it, of any form; null where it says nothing. */
  readonly claimed: unknown;
  readonly holds: boolean;
}

export interface Verified {
  readonly name: string;
  readonly card: Card;
  /** By `release/task`. */
  readonly tasks: ReadonlyMap<string, Verdict<CardTask>>;
  /** By the collection's name; those that only the file has are left out, and count as claims that do not hold. */
  readonly collections: ReadonlyMap<string, Verdict<CardCollection>>;
  /** Names that the file has and nothing found has. */
  readonly foreign: readonly string[];
  /** All checks pass, and all claims hold. */
  readonly holds: boolean;
}

const listIn = (value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isObject(value) ? value[name] : null;
  return (Array.isArray(list) ? (list as readonly unknown[]) : []).filter(isObject);
};

/** Whether two values of JSON are the same; the order of an object's members does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
  }
  return one === other;
}

/** Compares the claims of a file with a card that was made from its scripts. */
export function verify(text: string, course: Pick<Course, "id">, card: Card): Verified | null {
  const work = readWork(text, course.id);
  if (work === null) return null;
  const { card: claims = null } = JSON.parse(text) as { readonly card?: unknown };
  const tasks = new Map<string, Verdict<CardTask>>();
  const claimedTasks = new Map(
    listIn(claims, "releases").flatMap((release) =>
      listIn(release, "tasks").map((task): [string, unknown] => [
        `${String(release["id"])}/${String(task["id"])}`,
        task,
      ]),
    ),
  );
  for (const release of card.releases)
    for (const found of release.tasks) {
      const claimed = claimedTasks.get(`${release.id}/${found.id}`) ?? null;
      tasks.set(`${release.id}/${found.id}`, { found, claimed, holds: found.passes && isSame(found, claimed) });
    }
  const collections = new Map<string, Verdict<CardCollection>>();
  const claimedCollections = new Map(
    listIn(claims, "collections").map((one): [string, unknown] => [String(one["name"]), one]),
  );
  for (const found of card.collections) {
    const claimed = claimedCollections.get(found.name) ?? null;
    collections.set(found.name, { found, claimed, holds: isSame(found, claimed) });
  }
  const foreign = [
    ...[...claimedTasks.keys()].filter((name) => !tasks.has(name)),
    ...[...claimedCollections.keys()].filter((name) => !collections.has(name)),
  ];
  const all = [...tasks.values(), ...collections.values()];
  return {
    name: work.name,
    card,
    tasks,
    collections,
    foreign,
    holds: foreign.length === 0 && all.every(({ holds }) => holds),
  };
}
