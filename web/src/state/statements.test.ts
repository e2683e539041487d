/** The statement by whose source a run is known among others. */
import { expect, test } from "vitest";
import type { Leaf } from "./model.ts";
import { stayedWritten, titleSource } from "./statements.ts";

const place = (line: number, column: number, endLine: number, endColumn: number) => ({
  line,
  column,
  endLine,
  endColumn,
});
const failed = (...of: Parameters<typeof place>): Leaf["failed"] => ({ ...place(...of), written: [] });
const leaf = (source: string, change: Partial<Leaf>): Leaf =>
  ({ source, result: null, statements: [], failed: null, ...change }) as Leaf;
const ended = (...places: readonly ReturnType<typeof place>[]): Leaf["statements"] =>
  places as unknown as Leaf["statements"];

test.each([
  ["one statement", leaf("db.a.find()", { result: 0, statements: ended(place(1, 1, 1, 12)) }), null],
  [
    "the one that gave the result",
    leaf("1; 2", { result: 0, statements: ended(place(1, 1, 1, 2), place(1, 4, 1, 5)) }),
    "1",
  ],
  [
    "the one that failed, though one before it has a value",
    leaf("1\ndb.a\n  .fnid()", { result: 0, statements: ended(place(1, 1, 1, 2)), failed: failed(2, 1, 3, 10) }),
    "db.a .fnid()",
  ],
  ["the first, where more follow", leaf("a.b(); 2", { failed: failed(1, 1, 1, 6) }), "a.b()"],
  ["the only one", leaf("// why\na.b(); // c\n\n", { failed: failed(2, 1, 2, 6) }), null],
])("%s", (_, run, title) => expect(titleSource(run)).toBe(title));

const wrote = (count: number, kind = "none") =>
  ({ value: { kind }, written: [{ kind: "inserted", namespace: "a.b", count }], printedUntil: 0 }) as never;
const failing = (statements: readonly never[], count: number): Leaf =>
  leaf("", { statements, printed: [], printedDropped: 0, error: {} as never, failed: wrote(count) });

test.each([
  ["the statement's that failed", failing([], 2), [2]],
  ["and of one before it that has nothing else to show", failing([wrote(1)], 2), [1, 2]],
  ["not where that one's value tells it", failing([wrote(1, "value")], 2), [2]],
  ["nor where each has a line of its own", failing([wrote(1), wrote(1)], 2), [2]],
  ["nothing of a run without an error", leaf("", { error: null, statements: [wrote(1)] }), []],
])("what stayed written: %s", (_, run, counts) => expect(stayedWritten(run).map(({ count }) => count)).toEqual(counts));
