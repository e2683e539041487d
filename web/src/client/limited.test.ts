/** A limit is read from a command where the command itself says it. */
import { Int32 } from "bson";
import { expect, test } from "vitest";
import { limitedBatch, limitOf } from "./limited.ts";

test.each([
  [{ find: "a", limit: 5 }, 5],
  [{ find: "a", limit: new Int32(5) }, 5],
  [{ find: "a", limit: 0 }, null],
  [{ find: "a" }, null],
  [{ aggregate: "a", pipeline: [{ $match: {} }, { $limit: 5 }] }, 5],
  [{ aggregate: "a", pipeline: [{ $limit: 5 }, { $project: { b: 1 } }, { $sort: { b: 1 } }] }, 5],
  [{ aggregate: "a", pipeline: [{ $limit: 5 }, { $unwind: "$b" }] }, null],
  [{ aggregate: "a", pipeline: [{ $limit: 5 }, { $match: { b: 1 } }] }, null],
  [{ aggregate: "a", pipeline: [] }, null],
  [{ listCollections: 1 }, null],
])("%j", (command, limit) => expect(limitOf(command)).toBe(limit));

test("a cursor has no more once all that its limit allows came, over any number of batches", () => {
  const batch = (count: number) => ({ documents: Array(count).fill({}) as object[], namespace: "a.b", cursorId: 7n });
  expect(limitedBatch(batch(5), 5)).toMatchObject({ left: 0, cursorId: 0n });
  const first = limitedBatch(batch(20), 40);
  expect(first).toMatchObject({ left: 20, cursorId: 7n });
  expect(limitedBatch(batch(20), first.left ?? null)).toMatchObject({ cursorId: 0n });
  expect(limitedBatch(batch(20), null)).toMatchObject({ cursorId: 7n });
});
