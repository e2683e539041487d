/**
 * The Examples menu: the ids of its scripts, and each one's text when it is asked for.
 *
 * Invariants: the scripts are the golden ones in `tests/scripts/examples`, so a reader runs the same scripts as the
 * tests; each is a file of its own, fetched when opened; titles and descriptions are messages, `lesson.<id>`.
 */

export const lessonIds = [
  "garden-shop",
  "cms",
  "user-actions",
  "expiring-reviews",
  "traffic-sensors",
  "carts",
  "places",
] as const;
export type LessonId = (typeof lessonIds)[number];

export interface Lesson {
  readonly id: LessonId;
  /** The script's text; rejects when the file cannot be fetched. */
  load(): Promise<string>;
}

const sources = import.meta.glob<string>("../../../tests/scripts/examples/*.js", { query: "?raw", import: "default" });

export const lessons: readonly Lesson[] = lessonIds.flatMap((id) => {
  const load = sources[`../../../tests/scripts/examples/${id}.js`];
  return load === undefined ? [] : [{ id, load: async () => forReaders(await load()) }];
});

/** A golden script without the lines that only its test needs: the expected output, after `//>`. */
export function forReaders(source: string): string {
  const lines = source.split(/\r?\n/).filter((line) => !line.startsWith("//>"));
  return `${lines.join("\n").trimEnd()}\n`;
}

/**
 * The script in the editor on a first visit: short, and it shows a write, a query and a plan; the comments are in the
 * reader's language.
 */
export const firstScript = (before: string, after: string): string => `// ${before}
db.books.drop()
db.books.insertMany([
  { title: "Book of Hours", year: 1410, leaves: 206 },
  { title: "A Herbal", year: 1485, leaves: 370 },
  { title: "On the Heavens", year: 1543, leaves: 202 },
])
db.books.createIndex({ year: 1 })

${after.replace(/^/gm, "// ")}
db.books.find({ year: { $gte: 1450 } })
`;

/** The documents that the first script's last line gave in a run, and the figures of that run. */
export const firstResult = {
  documents: [
    { title: "A Herbal", year: 1485, leaves: 370 },
    { title: "On the Heavens", year: 1543, leaves: 202 },
  ],
  index: "year_1",
  keys: 2,
  examined: 2,
} as const;
