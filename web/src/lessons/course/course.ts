/**
 * `course.json`: which lessons a course has, in which languages; of a book of problems, their topics and difficulties.
 *
 * Invariants: pure; every field is checked, and a field that is not known is a fault; ids are names of folders and of
 * databases, so they are made of small letters, digits and hyphens.
 */
import { Faults, type Fault } from "./faults.ts";

/** Which version of the format a course is written in. */
export const COURSE_VERSION = 1;

/** Words by language tag. */
export type Worded = Readonly<Record<string, string>>;

/**
 * How the parts of a course hang together: read one after the other, picked by topic and difficulty, or releases of one
 * project, each of which begins with the data that the one before it left.
 */
export const COURSE_KINDS = ["lessons", "problems", "project"] as const;
export type CourseKind = (typeof COURSE_KINDS)[number];

/** From an easy problem to a hard one. */
export const DIFFICULTIES = [1, 2, 3] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

/** What some problems of a book are about. */
export interface Topic {
  readonly id: string;
  readonly title: Worded;
}

export interface CourseLesson {
  /** The lesson's folder, and the name of its database unless another is given. */
  readonly id: string;
  /** The title in the list before the lesson's text was read; null where the course gives none. */
  readonly title: Worded | null;
  /** About how many minutes the lesson takes. */
  readonly minutes: number;
  readonly database: string;
  /** Of a problem, the id of its topic and how hard it is; null of a lesson. */
  readonly problem: { readonly topic: string; readonly difficulty: Difficulty } | null;
}

export interface Course {
  readonly id: string;
  readonly kind: CourseKind;
  /** The topics of a book of problems, in its order; empty for others. */
  readonly topics: readonly Topic[];
  readonly title: Worded;
  readonly about: Worded;
  /** Language tags; the first is the one for readers of none of them. */
  readonly languages: readonly string[];
  readonly lessons: readonly CourseLesson[];
  /** The folder of the glossary, which has one file for each language; null where the course has none. */
  readonly glossary: string | null;
  /** The folders of other courses, beside this one's, to which its contents and its end lead. */
  readonly beside: readonly string[];
}

const ID = /^[a-z][a-z0-9-]{0,40}$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
const DATABASE = /^[A-Za-z_][\w-]{0,62}$/;

/** Whether a value that was read is an object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a `course.json`; the course is null where a fault lets nobody follow it. */
export function readCourse(text: string, file = "course.json"): { course: Course | null; faults: readonly Fault[] } {
  const faults = new Faults(file);
  const fail = (message: string): { course: null; faults: readonly Fault[] } => {
    faults.add(null, message);
    return { course: null, faults: faults.found };
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return fail(`this is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) return fail("a course is a JSON object");
  if (json["quireCourse"] !== COURSE_VERSION)
    return fail(`\`"quireCourse": ${COURSE_VERSION}\` is missing: it says which version of the format this is`);
  only(
    json,
    ["quireCourse", "id", "title", "about", "languages", "lessons", "glossary", "kind", "topics", "beside"],
    "",
    faults,
  );

  const { id } = json;
  if (typeof id !== "string" || !ID.test(id)) return fail("`id` has to be small letters, digits and hyphens");
  const languages = Array.isArray(json["languages"]) ? (json["languages"] as readonly unknown[]) : [];
  const tags = languages.filter((tag): tag is string => typeof tag === "string" && LANGUAGE.test(tag));
  if (tags.length === 0 || tags.length < languages.length || new Set(tags).size < tags.length)
    return fail('`languages` has to be a list of different language tags, as ["en", "zh-Hans"]');
  const words = (given: unknown, name: string, otherwise: string): Worded => {
    const worded: Record<string, string> = {};
    for (const tag of tags) {
      const text = isObject(given) ? given[tag] : undefined;
      if (typeof text !== "string" || text.trim() === "") faults.add(null, `\`${name}\` says nothing in ${tag}`);
      worded[tag] = typeof text === "string" ? text : otherwise;
    }
    return worded;
  };
  const [title, about] = [words(json["title"], "title", id), words(json["about"], "about", id)];
  const { kind = "lessons" } = json;
  if (!isKind(kind)) return fail(`\`kind\` has to be one of ${COURSE_KINDS.map((one) => `"${one}"`).join(", ")}`);
  const topics = readTopics(json["topics"], kind, words, faults);
  const lessons: CourseLesson[] = [];
  for (const [at, lesson] of (Array.isArray(json["lessons"]) ? json["lessons"] : []).entries()) {
    const read = readLesson(lesson, `lessons[${at}]`, words, kind === "problems" ? topics : null, faults);
    if (read === null) continue;
    if (lessons.some((one) => one.id === read.id)) faults.add(null, `there are two lessons \`${read.id}\``);
    else lessons.push(read);
  }
  if (lessons.length === 0) return fail("`lessons` has to be a list of at least one lesson");
  if (kind === "project" && new Set(lessons.map(({ database }) => database)).size > 1)
    faults.add(null, "the releases of a project are about one `database`");
  const { glossary, beside = [] } = json;
  const others = (Array.isArray(beside) ? (beside as readonly unknown[]) : [null]).map((name) =>
    typeof name === "string" && ID.test(name) ? name : null,
  );
  if (others.includes(null)) faults.add(null, '`beside` has to be a list of folders of courses, as ["practice"]');
  const folder = typeof glossary === "string" && ID.test(glossary) ? glossary : null;
  if (glossary !== undefined && folder === null)
    faults.add(null, "`glossary` has to be the name of a folder: small letters, digits and hyphens");
  if (lessons.some((one) => one.id === folder)) faults.add(null, `\`${folder}\` is a lesson, and no glossary`);
  return {
    course: {
      ...{ id, kind, topics, title, about, languages: tags, lessons, glossary: folder },
      beside: others.filter((name) => name !== null),
    },
    faults: faults.found,
  };
}

const isKind = (kind: unknown): kind is CourseKind => COURSE_KINDS.some((one) => one === kind);

function readTopics(
  given: unknown,
  kind: CourseKind,
  words: (given: unknown, name: string, otherwise: string) => Worded,
  faults: Faults,
): readonly Topic[] {
  if (kind !== "problems") {
    if (given !== undefined) faults.add(null, '`topics` are those of a course of the `kind` "problems"');
    return [];
  }
  const topics: Topic[] = [];
  for (const [at, topic] of (Array.isArray(given) ? (given as readonly unknown[]) : []).entries()) {
    const place = `topics[${at}]`;
    if (!isObject(topic) || typeof topic["id"] !== "string" || !ID.test(topic["id"])) {
      faults.add(null, `\`${place}.id\` has to be small letters, digits and hyphens`);
      continue;
    }
    only(topic, ["id", "title"], `${place}.`, faults);
    const { id } = topic as { readonly id: string };
    if (topics.some((one) => one.id === id)) faults.add(null, `there are two topics \`${id}\``);
    else topics.push({ id, title: words(topic["title"], `${place}.title`, id) });
  }
  if (topics.length === 0) faults.add(null, "`topics` has to be a list of at least one topic");
  return topics;
}

function readLesson(
  lesson: unknown,
  place: string,
  words: (given: unknown, name: string, otherwise: string) => Worded,
  topics: readonly Topic[] | null,
  faults: Faults,
): CourseLesson | null {
  if (!isObject(lesson)) {
    faults.add(null, `\`${place}\` has to be an object, as { "id": "documents", "minutes": 10 }`);
    return null;
  }
  only(
    lesson,
    ["id", "title", "minutes", "database", ...(topics === null ? [] : ["topic", "difficulty"])],
    `${place}.`,
    faults,
  );
  const { id, title, minutes, database = id } = lesson;
  if (typeof id !== "string" || !ID.test(id)) {
    faults.add(null, `\`${place}.id\` has to be small letters, digits and hyphens`);
    return null;
  }
  if (typeof minutes !== "number" || !(minutes > 0)) faults.add(null, `\`${place}.minutes\` has to be a number`);
  if (typeof database !== "string" || !DATABASE.test(database)) {
    faults.add(null, `\`${place}.database\` is no name for a database`);
    return null;
  }
  return {
    id,
    title: title === undefined ? null : words(title, `${place}.title`, id),
    minutes: typeof minutes === "number" ? minutes : 0,
    database,
    problem: topics === null ? null : readProblem(lesson, place, topics, faults),
  };
}

/** Where a problem belongs; a fault and the first topic where it does not say so. */
function readProblem(
  { topic, difficulty }: Readonly<Record<string, unknown>>,
  place: string,
  topics: readonly Topic[],
  faults: Faults,
): CourseLesson["problem"] {
  const known = topics.find(({ id }) => id === topic);
  const level = DIFFICULTIES.find((one) => one === difficulty);
  if (known === undefined)
    faults.add(null, `\`${place}.topic\` has to be one of ${topics.map(({ id }) => `"${id}"`).join(", ")}`);
  if (level === undefined) faults.add(null, `\`${place}.difficulty\` has to be ${DIFFICULTIES.join(", ")}`);
  return { topic: (known ?? topics[0])?.id ?? "", difficulty: level ?? DIFFICULTIES[0] };
}

function only(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place: string,
  faults: Faults,
): void {
  for (const name of Object.keys(object))
    if (!known.includes(name)) faults.add(null, `\`${place}${name}\` is no field of a course`);
}

/** The language of a course that fits a tag best: itself, its language at large, or the course's first. */
export function languageOf(course: Pick<Course, "languages">, wanted: string): string {
  const tag = wanted.toLowerCase();
  const family = tag.split("-")[0] ?? "";
  return (
    course.languages.find((one) => one.toLowerCase() === tag) ??
    course.languages.find((one) => one.toLowerCase().split("-")[0] === family) ??
    (course.languages[0] as string)
  );
}
