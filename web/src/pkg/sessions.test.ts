/** Sessions and transactions of a client, over an engine in memory. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MongoClient } from "../driver/client.ts";
import { loadEngine } from "../engine/load.ts";
import { openInMemory } from "./in-memory.ts";

const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));
const told = (work: () => unknown): Promise<string> =>
  new Promise((resolve) => resolve(work())).then(
    (value) => String(value),
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe.skipIf(!existsSync(wasm))("sessions of a client", () => {
  let now = 0;
  const sent: Document[] = [];
  const make = (options: object = {}): MongoClient =>
    new MongoClient(
      (_, { topology }) => openInMemory({ ...(topology === undefined ? {} : { topology }) }),
      "quire://s",
      {
        now: () => now,
        monitorCommands: true,
        ...options,
      },
    );
  let client: MongoClient;
  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
    client = make();
    client.on("commandStarted", ({ command }) => void sent.push(command));
    await client
      .db()
      .collection("c")
      .insertOne({ _id: 1 as never, n: 0 });
  });
  afterAll(() => client.close());
  const count = (): Promise<number> => client.db().collection("c").countDocuments();

  it("commits and aborts what every method does in it", async () => {
    const session = client.startSession();
    const herbs = client.db().collection<Document>("c");
    session.startTransaction({ writeConcern: { w: "majority" } });
    await herbs.insertOne({ _id: 2, n: 0 }, { session });
    await herbs.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    await herbs.bulkWrite([{ insertOne: { document: { _id: 3, n: 0 } } }], { session });
    expect(await herbs.find({}, { session, batchSize: 1 }).toArray()).toHaveLength(3);
    expect(await count()).toBe(1);
    await session.commitTransaction();
    await session.commitTransaction();
    expect(await count()).toBe(3);
    session.startTransaction();
    await herbs.deleteMany({}, { session });
    await session.abortTransaction();
    expect(await count()).toBe(3);
    const first = sent.find((command) => command["startTransaction"] === true) as Document;
    expect([first["autocommit"], String(first["txnNumber"]), first["writeConcern"]]).toEqual([false, "1", undefined]);
    await session.endSession();
  });

  it("refuses what the Node driver refuses, in its words", async () => {
    const session = client.startSession();
    const other = make();
    expect(await told(() => session.commitTransaction())).toBe("MongoTransactionError: No transaction started");
    session.startTransaction();
    expect(await told(() => session.startTransaction())).toBe("MongoTransactionError: Transaction already in progress");
    await session.abortTransaction();
    expect(await told(() => session.abortTransaction())).toBe(
      "MongoTransactionError: Cannot call abortTransaction twice",
    );
    expect(await told(() => other.db().collection("c").findOne({}, { session }))).toBe(
      "MongoInvalidArgumentError: ClientSession must be from the same MongoClient",
    );
    await session.endSession();
    expect(await told(() => client.db().collection("c").findOne({}, { session }))).toBe(
      "MongoExpiredSessionError: Cannot use a session that has ended",
    );
    expect(await told(() => client.startSession({ snapshot: true, causalConsistency: true }))).toBe(
      'MongoInvalidArgumentError: Properties "causalConsistency" and "snapshot" are mutually exclusive',
    );
    await other.close();
  });

  it("tries a transaction again after a conflict, and gives up after two minutes", async () => {
    const herbs = client.db().collection<Document>("c");
    const holder = client.startSession();
    holder.startTransaction();
    await herbs.updateOne({ _id: 1 }, { $set: { by: "holder" } }, { session: holder });
    let tries = 0;
    const write = client.withSession((session) =>
      session.withTransaction(async () => {
        tries += 1;
        if (tries === 2) await holder.commitTransaction();
        return (await herbs.updateOne({ _id: 1 }, { $set: { by: "own" } }, { session })).modifiedCount;
      }),
    );
    expect([await write, tries]).toEqual([1, 2]);
    holder.startTransaction();
    await herbs.updateOne({ _id: 1 }, { $set: { by: "holder" } }, { session: holder });
    const late = await told(() =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          now += 120_000;
          await herbs.updateOne({ _id: 1 }, { $set: { by: "late" } }, { session });
        }),
      ),
    );
    expect(late).toMatch(/^MongoServerError: .*[Ww]rite ?[Cc]onflict/);
    await holder.endSession();
  });

  it("lets other tasks of the thread run between its tries, as the one that ends the conflict", async () => {
    const herbs = client.db().collection<Document>("c");
    const holder = client.startSession();
    holder.startTransaction();
    await herbs.updateOne({ _id: 1 }, { $set: { by: "holder" } }, { session: holder });
    let tries = 0;
    setTimeout(() => void holder.commitTransaction());
    const write = client.withSession((session) =>
      session.withTransaction(async () => {
        tries += 1;
        // Without a turn of the timer this would go on for ever: the clock of this test stands still.
        if (tries > 1000) throw new Error("no other task was run");
        return (await herbs.updateOne({ _id: 1 }, { $set: { by: "waiter" } }, { session })).modifiedCount;
      }),
    );
    expect(await write).toBe(1);
    await holder.endSession();
  });

  it("reads after what the session knows", async () => {
    const session = client.startSession();
    const herbs = client.db().collection<Document>("c");
    await herbs.insertOne({ _id: 9 }, { session });
    await herbs.findOne({ _id: 9 }, { session });
    const last = sent.at(-1) as Document;
    expect((last["readConcern"] as Document)["afterClusterTime"]).toEqual(session.operationTime);
    await session.endSession();
  });

  it("has no transactions as a standalone, and takes no other topology", async () => {
    const alone = make({ topology: "standalone" });
    expect((await alone.db("admin").command({ hello: 1 }))["setName"]).toBeUndefined();
    const session = alone.startSession();
    session.startTransaction();
    expect(await told(() => alone.db().collection("c").insertOne({}, { session }))).toBe(
      "MongoServerError: Transaction numbers are only allowed on a replica set member or mongos",
    );
    await alone.close();
    expect(() => make({ topology: "standalon" })).toThrow('topology must be "replicaSet" or "standalone"');
    expect(() => make({ replicaSet: "rs0" })).toThrow("option replicaSet is not supported");
    await make({ replicaSet: "quire" }).close();
  });
});
