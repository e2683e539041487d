/**
 * Batches that are more than one command takes: the commands sent, and the results told by the places in the caller's
 * own list.
 */
import type { Document } from "bson";
import { describe, expect, it } from "vitest";
import { recorded } from "../../test/recorded.ts";
import { MAX_COMMAND_BYTES } from "../codec/cut.ts";
import { encode } from "../codec/encode.ts";
import { BulkWriteResult } from "./bulk-result.ts";
import type { MongoBulkWriteError, MongoClientBulkWriteError } from "./errors.ts";

const megabyte = "x".repeat(1_000_000);
const large = (count: number): Document[] => Array.from({ length: count }, (_, _id) => ({ _id, text: megabyte }));

/** For each command, the field that holds its statements: `documents` of an `insert`. */
const STATEMENTS: Readonly<Record<string, string>> = { insert: "documents", update: "updates", bulkWrite: "ops" };
const statementsOf = (command: Document): Document[] =>
  command[STATEMENTS[Object.keys(command)[0] as string] as string] as Document[];

function insertAnswer(refused: readonly number[]): (command: Document) => Document {
  return (command) => {
    const ids = statementsOf(command).map(({ _id }) => _id as number);
    const all = ids.flatMap((id, index) =>
      refused.includes(id) ? [{ index, code: 11000, errmsg: `${id} twice` }] : [],
    );
    const errors = command["ordered"] === true ? all.slice(0, 1) : all;
    const n = command["ordered"] === true ? (errors[0]?.index ?? ids.length) : ids.length - errors.length;
    return errors.length === 0 ? { n } : { n, writeErrors: errors };
  };
}

const sizes = (commands: readonly Document[]): number[] => commands.map((command) => statementsOf(command).length);
async function thrown<Thrown>(promise: Promise<unknown>): Promise<Thrown> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Thrown;
}

describe("a batch of many bytes", () => {
  it("is sent as commands of at most a message each", async () => {
    const { client, commands } = recorded({}, { insert: insertAnswer([]) });
    const result = await client
      .db()
      .collection("c")
      .insertMany(large(100), { comment: ["first"] });
    expect(sizes(commands)).toEqual([47, 47, 6]);
    for (const command of commands) {
      const { length } = encode(command);
      expect(length).toBeLessThanOrEqual(MAX_COMMAND_BYTES);
      expect(command["comment"]).toEqual(["first"]);
    }
    expect(result.insertedCount).toBe(100);
    expect(Object.values(result.insertedIds)).toEqual(Array.from({ length: 100 }, (_, id) => id));
  });

  it("ends at an ordered failure, whose place is that of the whole list", async () => {
    const { client, commands } = recorded({}, { insert: insertAnswer([50, 60]) });
    const error = await thrown<MongoBulkWriteError>(client.db().collection("c").insertMany(large(100)));
    expect(sizes(commands)).toEqual([47, 47]);
    expect(error.writeErrors.map(({ index, errmsg }) => [index, errmsg])).toEqual([[50, "50 twice"]]);
    expect(error.insertedCount).toBe(50);
    expect(Object.keys(error.insertedIds)).toHaveLength(50);
  });

  it("tells of itself by the methods of the Node driver's result", async () => {
    const answers = {
      insert: insertAnswer([1]),
      update: { n: 2, nModified: 1, upserted: [{ index: 1, _id: "new" }] },
    };
    const { client } = recorded({}, answers);
    const c = client.db().collection<{ _id: number; big?: string }>("c");
    const change = { filter: { _id: 7 }, update: { $set: { big: "" } }, upsert: true };
    const { result } = await thrown<MongoBulkWriteError>(
      c.bulkWrite(
        [
          { insertOne: { document: { _id: 0 } } },
          { insertOne: { document: { _id: 1 } } },
          { updateOne: change },
          { updateOne: change },
        ],
        { ordered: false },
      ),
    );
    expect(result).toBeInstanceOf(BulkWriteResult);
    expect([result.isOk(), result.ok, result.hasWriteErrors(), result.getWriteErrorCount()]).toEqual([
      true,
      1,
      true,
      1,
    ]);
    expect(result.getUpsertedIdAt(0)).toEqual({ index: 3, _id: "new" });
    expect(result.getUpsertedIdAt(1)).toBeUndefined();
    const [error] = result.getWriteErrors();
    expect(result.getWriteErrorAt(0)).toBe(error);
    expect(error?.getOperation()).toEqual({ _id: 1 });
    expect(error?.toJSON()).toEqual({ index: 1, code: 11000, errmsg: "1 twice", op: { _id: 1 } });
    expect(result.getWriteConcernError()).toBeUndefined();
    expect(result.getRawResponse()).toMatchObject({
      nInserted: 1,
      nUpserted: 1,
      nMatched: 1,
      nModified: 1,
      nRemoved: 0,
      insertedIds: [{ index: 0, _id: 0 }],
      upserted: [{ index: 3, _id: "new" }],
    });
    expect(String(result)).toMatch(/^BulkWriteResult\(\{"ok":1,/);
  });

  it("tells which durability it did not reach", async () => {
    const writeConcernError = { code: 64, errmsg: "waiting for replication timed out" };
    const { client } = recorded({}, { insert: { n: 1, writeConcernError } });
    const { result } = await thrown<MongoBulkWriteError>(
      client
        .db()
        .collection("c")
        .bulkWrite([{ insertOne: { document: {} } }]),
    );
    expect([result.isOk(), result.hasWriteErrors()]).toEqual([true, false]);
    expect(result.getWriteConcernError()).toMatchObject(writeConcernError);
  });

  it("goes on after an unordered failure", async () => {
    const { client, commands } = recorded({}, { insert: insertAnswer([3, 50, 99]) });
    const error = await thrown<MongoBulkWriteError>(
      client.db().collection("c").insertMany(large(100), { ordered: false }),
    );
    expect(sizes(commands)).toEqual([47, 47, 6]);
    expect(error.writeErrors.map(({ index }) => index)).toEqual([3, 50, 99]);
    expect(error.insertedCount).toBe(97);
    expect(Object.keys(error.insertedIds)).toHaveLength(97);
  });

  it("tells each upserted id by its place, with other operations between", async () => {
    const { client, commands } = recorded(
      {},
      {
        insert: insertAnswer([]),
        update: (command) => {
          const upserted = statementsOf(command).map((_, index) => ({ index, _id: `new ${index}` }));
          return { n: upserted.length, nModified: 0, upserted };
        },
      },
    );
    const operations = [
      { insertOne: { document: { _id: 0 } } },
      ...Array.from({ length: 50 }, (_, n) => ({
        updateOne: { filter: { n }, update: { $set: { text: megabyte } }, upsert: true },
      })),
      { insertOne: { document: { _id: 1 } } },
    ];
    const result = await client.db().collection("c").bulkWrite(operations);
    expect(sizes(commands)).toEqual([1, 47, 3, 1]);
    expect([result.upsertedCount, result.matchedCount, result.insertedCount]).toEqual([50, 0, 2]);
    expect([result.upsertedIds[1], result.upsertedIds[47], result.upsertedIds[48]]).toEqual([
      "new 0",
      "new 46",
      "new 0",
    ]);
    expect(result.insertedIds).toEqual({ 0: 0, 51: 1 });
  });

  it("sends what is too long alone, which the engine refuses", async () => {
    const { client, commands } = recorded({}, { insert: insertAnswer([]) });
    const whole = { _id: 1, text: "x".repeat(MAX_COMMAND_BYTES) };
    await client
      .db()
      .collection("c")
      .insertMany([{ _id: 0 }, whole, { _id: 2 }]);
    expect(commands.map((command) => statementsOf(command).map(({ _id }) => _id as number))).toEqual([[0], [1], [2]]);
  });

  it("is cut likewise over several collections", async () => {
    const answer = (command: Document): Document => {
      const ops = statementsOf(command);
      const firstBatch = ops.map(({ document }, idx) =>
        (document as Document)["_id"] === 60 ? { ok: 0, idx, code: 11000, errmsg: "twice" } : { ok: 1, idx, n: 1 },
      );
      const nInserted = firstBatch.filter(({ ok }) => ok === 1).length;
      return { nInserted, nUpserted: 0, nMatched: 0, nModified: 0, nDeleted: 0, cursor: { id: 0, firstBatch } };
    };
    const { client, commands } = recorded({}, { bulkWrite: answer });
    const models = large(100).map((document) => ({
      namespace: `garden.c${(document["_id"] as number) % 2}`,
      name: "insertOne" as const,
      document,
    }));
    const error = await thrown<MongoClientBulkWriteError>(
      client.bulkWrite(models, { ordered: false, verboseResults: true }),
    );
    expect(sizes(commands)).toEqual([47, 47, 6]);
    for (const command of commands) expect(command["nsInfo"]).toHaveLength(2);
    expect([...error.writeErrors.keys()]).toEqual([60]);
    expect(error.partialResult.insertedCount).toBe(99);
    expect(error.partialResult.insertResults?.get(99)).toEqual({ insertedId: 99 });
    expect(error.partialResult.insertResults?.size).toBe(99);
  });
});

describe("a batch of many statements", () => {
  it("is sent as commands of at most a hundred thousand", async () => {
    const { client, commands } = recorded({}, { insert: insertAnswer([100_000]) });
    const documents = Array.from({ length: 100_002 }, (_, _id) => ({ _id }));
    const error = await thrown<MongoBulkWriteError>(client.db().collection("c").insertMany(documents));
    expect(sizes(commands)).toEqual([100_000, 2]);
    expect(error.writeErrors.map(({ index }) => index)).toEqual([100_000]);
    expect(error.insertedCount).toBe(100_000);
  });
});
