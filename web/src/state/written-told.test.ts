/** What was written to a time series is told by its name, in readings where the reply counts them. */
import { expect, test } from "vitest";
import type { Written } from "../protocol/run.ts";
import type { LeafValue } from "./model.ts";
import { isWriteTo, tellWritten } from "./written-told.ts";

const buckets = "test.system.buckets.ts";
const told = (written: readonly Written[], value: unknown = null, commands = 1) =>
  tellWritten(written, { value: { kind: "value", value } as LeafValue, commands }).map(
    ({ kind, namespace, count, isOfBuckets, readings }) => [kind, namespace, count, isOfBuckets, readings],
  );

test.each<[string, readonly Written[], unknown, number, unknown]>([
  [
    "a plain collection as it was noted",
    [{ kind: "inserted", namespace: "test.a", count: 3 }],
    { acknowledged: true, insertedIds: { 0: 1, 1: 2, 2: 3 } },
    1,
    [["inserted", "test.a", 3, false, null]],
  ],
  [
    "a series that is made once",
    [
      { kind: "created", namespace: buckets, count: 1 },
      { kind: "indexed", namespace: buckets, count: 1 },
      { kind: "created", namespace: "test.ts", count: 1 },
    ],
    { ok: 1 },
    1,
    [
      ["created", "test.ts", 1, false, null],
      ["indexed", "test.ts", 1, false, null],
    ],
  ],
  [
    "readings that were inserted",
    [{ kind: "inserted", namespace: buckets, count: 8 }],
    { acknowledged: true, insertedIds: { 0: 1, 1: 2, 2: 3 } },
    1,
    [["inserted", "test.ts", 8, true, 3]],
  ],
  [
    "readings that were deleted, whichever way their buckets were written",
    [
      { kind: "updated", namespace: buckets, count: 1 },
      { kind: "deleted", namespace: buckets, count: 2 },
    ],
    { acknowledged: true, deletedCount: 500 },
    1,
    [["deleted", "test.ts", 3, true, 500]],
  ],
  [
    "one reading, though its bucket was there",
    [{ kind: "updated", namespace: buckets, count: 1 }],
    { acknowledged: true, insertedId: 1 },
    1,
    [["inserted", "test.ts", 1, true, 1]],
  ],
  [
    "buckets alone where several commands wrote them",
    [{ kind: "inserted", namespace: buckets, count: 8 }],
    { acknowledged: true, insertedId: 1 },
    2000,
    [["inserted", "test.ts", 8, true, null]],
  ],
])("%s", (_, written, value, commands, expected) => expect(told(written, value, commands)).toEqual(expected));

test("of a statement that failed buckets alone are told", () =>
  expect(tellWritten([{ kind: "inserted", namespace: buckets, count: 8 }], null)).toMatchObject([
    { namespace: "test.ts", count: 8, isOfBuckets: true, readings: null },
  ]));

test("a write to the buckets is one to the series", () => {
  const wrote = (namespace: string): boolean => isWriteTo({ kind: "inserted", namespace, count: 1 }, "test.ts");
  expect([wrote("test.ts"), wrote(buckets), wrote("test.a")]).toEqual([true, true, false]);
});
