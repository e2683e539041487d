/** The commands of a bulk write over collections, and the result or the error that their replies come to. */
import { expect, test } from "vitest";
import { clientBulkWrite, type ClientBulkCommand, type ClientBulkFailure } from "./client-bulk.ts";
import type { Document } from "./errors.ts";

let lastId = 0;
class Failed extends Error {
  readonly failure: ClientBulkFailure;
  constructor(message: string, failure: ClientBulkFailure) {
    super(message);
    this.failure = failure;
  }
}
const rules = {
  withId: (document: unknown): Document => ({ _id: ++lastId, ...(document as Document) }),
  cursorId: (id: unknown) => id,
  sort: (sort: unknown) => sort,
  invalid: (message: string) => new Error(message),
  failed: (message: string, failure: ClientBulkFailure) => new Failed(message, failure),
};
const counts = { nInserted: 0, nUpserted: 0, nMatched: 0, nModified: 0, nDeleted: 0 };

test("models become operations with namespace indexes, and a cursor is read to its end", () => {
  const models = [
    { namespace: "d.a", name: "insertOne", document: { _id: 7 } },
    { namespace: "d.b", name: "updateOne", filter: { x: 1 }, update: { $set: { x: 2 } }, upsert: true },
    { namespace: "d.a", name: "deleteMany", filter: {} },
  ];
  const run = clientBulkWrite(models, { verboseResults: true, let: { v: 1 } }, rules);
  expect((run.next().value as ClientBulkCommand).command).toEqual({
    bulkWrite: 1,
    ops: [
      { insert: 0, document: { _id: 7 } },
      { update: 1, multi: false, filter: { x: 1 }, updateMods: { $set: { x: 2 } }, upsert: true },
      { delete: 0, multi: true, filter: {} },
    ],
    nsInfo: [{ ns: "d.a" }, { ns: "d.b" }],
    ordered: true,
    errorsOnly: false,
    let: { v: 1 },
  });
  const more = run.next({
    ...counts,
    nInserted: 1,
    nUpserted: 1,
    nDeleted: 4,
    cursor: { id: 9, firstBatch: [{ ok: 1, idx: 0, n: 1 }] },
  });
  expect(more.value).toEqual({ command: { getMore: 9, collection: "$cmd.bulkWrite" } });
  const done = run.next({
    cursor: {
      id: 0,
      nextBatch: [
        { ok: 1, idx: 1, n: 1, nModified: 0, upserted: { _id: 3 } },
        { ok: 1, idx: 2, n: 4 },
      ],
    },
  });
  expect(done).toEqual({
    done: true,
    value: {
      acknowledged: true,
      insertedCount: 1,
      upsertedCount: 1,
      matchedCount: 0,
      modifiedCount: 0,
      deletedCount: 4,
      insertResults: new Map([[0, { insertedId: 7 }]]),
      updateResults: new Map([[1, { matchedCount: 1, modifiedCount: 0, didUpsert: true, upsertedId: 3 }]]),
      deleteResults: new Map([[2, { deletedCount: 4 }]]),
    },
  });
});

test("write errors are told by their place, with what was done", () => {
  const models = [1, 2].map((_id) => ({ namespace: "d.a", name: "insertOne", document: { _id } }));
  for (const ordered of [true, false]) {
    const run = clientBulkWrite(models, { ordered }, rules);
    run.next();
    let failed: unknown;
    try {
      run.next({
        ...counts,
        nInserted: 1,
        cursor: { id: 0, firstBatch: [{ ok: 0, idx: 1, code: 11000, errmsg: "twice", n: 0 }] },
      });
    } catch (error) {
      failed = error;
    }
    expect(failed).toBeInstanceOf(Failed);
    expect((failed as Failed).failure.writeErrors).toEqual(new Map([[1, { code: 11000, message: "twice" }]]));
    expect((failed as Failed).failure.partialResult.insertedCount).toBe(1);
  }
});

test("a refused command is the cause of the failure", () => {
  const run = clientBulkWrite([{ namespace: "d.a", name: "deleteOne", filter: {} }], {}, rules);
  run.next();
  const refused = new Error("no");
  expect(() => run.throw(refused)).toThrow("Mongo client bulk write encountered an error during execution");
});

test("what makes no sense is refused before anything is sent", () => {
  const start = (model: Document) => () =>
    clientBulkWrite([{ namespace: "d.a", filter: {}, ...model }], {}, rules).next();
  expect(() => clientBulkWrite([], {}, rules).next()).toThrow("No client bulk write models were provided.");
  expect(start({ name: "updateOne", update: { a: 1 } })).toThrow("must only contain atomic modifiers");
  expect(start({ name: "updateMany", update: {} })).toThrow("may not be empty");
  expect(start({ name: "updateMany", update: [] })).toThrow("pipelines may not be empty");
  expect(start({ name: "replaceOne", replacement: { $set: {} } })).toThrow("must not contain atomic modifiers");
  expect(start({ name: "replaceOne", replacement: {} })).toThrow("may not be empty");
  expect(start({ name: "upsertOne" })).toThrow("Unknown client bulk write model");
});
