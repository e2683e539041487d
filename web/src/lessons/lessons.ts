/**
 * The Examples menu: which scripts there are, and how to get one's text when it is asked for.
 *
 * Invariants: the scripts are the golden ones in `tests/scripts/examples`, so what a reader runs is what the tests
 * prove; each is a file of its own, fetched when opened; titles and descriptions are messages, `lesson.<id>`.
 */

export const lessonIds = [
  "garden-shop",
  "cms",
  "user-actions",
  "expiring-reviews",
  "traffic-sensors",
  "carts",
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

/** A golden script without the lines that only its test needs: what must come out, after `//>`. */
export function forReaders(source: string): string {
  const lines = source.split(/\r?\n/).filter((line) => !line.startsWith("//>"));
  return `${lines.join("\n").trimEnd()}\n`;
}

/** What a first visit finds in the editor: short, and it shows a write, a query and a plan; the
 * comments are in the reader's language. */
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

/** What the first script's last line gave when it was run, and how that was found. */
export const firstResult = {
  documents: [
    { title: "A Herbal", year: 1485, leaves: 370 },
    { title: "On the Heavens", year: 1543, leaves: 202 },
  ],
  index: "year_1",
  keys: 2,
  examined: 2,
} as const;
