/** Which commands a batch of writes is sent as. */
import { expect, test } from "vitest";
import { writeBatches, type WriteOperation } from "./write-batches.ts";

test("an option goes with the commands that have a field for it", () => {
  const operations: readonly WriteOperation[] = [
    { kind: "insert", statement: { _id: 1 } },
    { kind: "update", statement: { q: {}, u: { $set: { a: 1 } } } },
    { kind: "delete", statement: { q: {}, limit: 1 } },
  ];
  const counts = {
    insertedCount: 0,
    matchedCount: 0,
    modifiedCount: 0,
    deletedCount: 0,
    upsertedCount: 0,
    insertedIds: {},
    upsertedIds: {},
  };
  const options = { let: { x: 1 }, bypassDocumentValidation: true, comment: "a batch" };
  const commands = writeBatches("teas", operations, true, options, counts, []);
  const sent = [];
  for (let step = commands.next(); step.done !== true; step = commands.next({ ok: 1, n: 1 }))
    sent.push(Object.keys(step.value.command).filter((name) => name in options));
  expect(sent).toEqual([
    ["bypassDocumentValidation", "comment"],
    ["let", "bypassDocumentValidation", "comment"],
    ["let", "comment"],
  ]);
});
