/** What a client and a shell over an engine refuse, and say of what is missing or over, as with the Node driver. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MongoClient } from "../driver/client.ts";
import type { Collection } from "../driver/collection.ts";
import { loadEngine } from "../engine/load.ts";
import { Engine } from "./engine.ts";
import { openInMemory } from "./in-memory.ts";
import { createShell } from "./shell.ts";

const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));
const NO_FILTER = { code: 40414, message: "BSON field 'delete.deletes.q' is missing but a required field" };
const NO_SELECTOR = {
  name: "MongoInvalidArgumentError",
  message: "Selector must be a valid JavaScript object",
};
const NO_DOCUMENT = { ...NO_SELECTOR, message: "Document must be a valid JavaScript object" };

/** Models of a batch that must change nothing, with their errors. */
const REFUSED: readonly (readonly [Document, object])[] = [
  [{ deleteMany: {} }, NO_FILTER],
  [{ deleteOne: {} }, NO_FILTER],
  [{ deleteMany: { filter: undefined } }, NO_FILTER],
  [{ deleteMany: { filter: null } }, NO_FILTER],
  [{ updateMany: { update: { $set: { z: 1 } } } }, NO_SELECTOR],
  [{ updateOne: { update: { $set: { z: 1 } } } }, NO_SELECTOR],
  [{ updateOne: { filter: null, update: { $set: { z: 1 } } } }, NO_SELECTOR],
  [{ replaceOne: { replacement: { z: 1 } } }, NO_SELECTOR],
  [{ updateOne: { filter: {} } }, NO_DOCUMENT],
  [{ replaceOne: { filter: {} } }, NO_DOCUMENT],
];

describe.skipIf(!existsSync(wasm))("a client and a shell", () => {
  let client: MongoClient;
  let teas: Collection;
  let none: Collection;
  beforeEach(async () => {
    await loadEngine(() => readFileSync(wasm));
    client = new MongoClient(() => openInMemory({}), "quire://s/t", {});
    teas = client.db().collection("teas");
    none = client.db().collection("none");
    await teas.insertMany([{ _id: 1 }, { _id: 2 }] as never);
  });
  afterEach(() => client.close());
  const kept = [{ _id: 1 }, { _id: 2 }];

  it.each(REFUSED)("refuse %j of a batch", async (model, error) => {
    await expect(teas.bulkWrite([model as never])).rejects.toMatchObject(error);
    for (const bulk of [teas.initializeOrderedBulkOp(), teas.initializeUnorderedBulkOp()])
      await expect(bulk.raw(model as never).execute()).rejects.toMatchObject(error);
    expect(await teas.find().toArray()).toEqual(kept);
    const engine = await Engine.create();
    const shell = createShell(engine);
    const [name, fields] = Object.entries(model)[0] as [string, Document];
    const text = Object.entries(fields).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
    shell.evaluate("db.teas.insertMany([{ _id: 1 }, { _id: 2 }])");
    expect(shell.evaluate(`db.teas.bulkWrite([{ ${name}: { ${text.join(", ")} } }])`).error).toMatchObject(error);
    expect(shell.evaluate("db.teas.find().toArray()").value).toEqual(kept);
    engine.close();
  });

  it("refuse a write in a snapshot session, which goes on reading", async () => {
    const session = client.startSession({ snapshot: true });
    const refused = {
      code: 72,
      message: expect.stringMatching(
        /^Command (insert|update|delete|findAndModify|create) does not support .*snapshot/,
      ),
    };
    const writes = [
      () => teas.insertOne({ _id: 9 } as never, { session }),
      () => teas.insertMany([{ _id: 9 }] as never, { session }),
      () => teas.updateOne({}, { $set: { a: 1 } }, { session }),
      () => teas.deleteMany({}, { session }),
      () => teas.findOneAndDelete({}, { session }),
      () => client.db().createCollection("herbs", { session }),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject(refused);
    expect(await teas.find({}, { session, batchSize: 1 }).toArray()).toEqual(kept);
    for (const write of writes) await expect(write()).rejects.toMatchObject(refused);
    expect(await teas.countDocuments({}, { session })).toBe(2);
    await session.endSession();
  });

  it("say that a collection is missing", async () => {
    const missing = { name: "MongoAPIError", message: "collection t.none not found" };
    await expect(none.options()).rejects.toMatchObject(missing);
    await expect(none.isCapped()).rejects.toMatchObject(missing);
    expect([await teas.options(), await teas.isCapped()]).toEqual([{}, false]);
    expect([await none.dropIndexes(), await teas.dropIndexes()]).toEqual([false, true]);
  });

  it("refuse a pipeline that has no operator", async () => {
    const refused = { ...NO_SELECTOR, message: "Update document requires atomic operators" };
    for (const update of [[], [{}], [{ a: 1 }]]) {
      await expect(teas.updateOne({}, update)).rejects.toMatchObject(refused);
      await expect(teas.updateMany({}, update)).rejects.toMatchObject(refused);
      await expect(teas.findOneAndUpdate({}, update)).rejects.toMatchObject(refused);
      await expect(teas.bulkWrite([{ updateOne: { filter: {}, update } }])).rejects.toMatchObject(refused);
    }
    expect((await teas.updateMany({}, [{ $set: { a: 1 } }])).modifiedCount).toBe(2);
  });

  it("have a cursor closed once it has given everything", async () => {
    const all = teas.find();
    expect(all.closed).toBe(false);
    await all.toArray();
    expect([all.closed, all.killed]).toEqual([true, false]);
    const one = teas.find({}, { batchSize: 1 });
    expect([await one.hasNext(), one.closed]).toEqual([true, false]);
    while (await one.hasNext()) await one.next();
    expect([one.closed, one.killed]).toEqual([true, false]);
    one.rewind();
    expect([one.closed, await one.next()]).toEqual([false, { _id: 1 }]);
    await one.close();
    expect([one.closed, one.killed]).toEqual([true, true]);
  });

  it("have a stream closed behind its last event", async () => {
    const stream = teas.watch();
    await stream.tryNext();
    await teas.drop();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { operationType } of stream) seen.push(String(operationType));
    })();
    await expect(reading).rejects.toThrow("ChangeStream is closed");
    expect([seen, stream.closed]).toEqual([["drop", "invalidate"], true]);
  });
});
