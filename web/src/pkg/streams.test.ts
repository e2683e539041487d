/** Change streams of a client over an engine in memory: as iterators and emitters, closed while they wait, resumed. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { beforeAll, describe, expect, it } from "vitest";
import { MongoClient } from "../driver/client.ts";
import type { ChangeStream } from "../driver/change-stream.ts";
import type { Transport } from "../driver/connection.ts";
import { loadEngine } from "../engine/load.ts";
import { openInMemory } from "./in-memory.ts";

const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));

/** What a test's client goes through to the engine; `spoilt` has the next `getMore`s fail, each with such a code. */
function fresh(spoilt: number[] = []): {
  client: MongoClient;
  sent: Document[];
} {
  const sent: Document[] = [];
  const open = async (): Promise<Transport> => {
    const inner = await openInMemory({});
    return {
      ...inner,
      run(database, command, codec, signal) {
        sent.push(command);
        const code = "getMore" in command ? spoilt.shift() : undefined;
        return code === undefined
          ? inner.run(database, command, codec, signal)
          : { ok: 0, code, codeName: "No", errmsg: "no" };
      },
    };
  };
  return { client: new MongoClient(open, "quire://a", {}), sent };
}
const open = async (client: MongoClient): Promise<number> =>
  Number(((await client.db("admin").command({ serverStatus: 1 })) as Document)["metrics"]["cursor"]["open"]["total"]);
/** Has the stream wait in the engine for its first event. */
async function waiting(stream: ChangeStream): Promise<{ next: Promise<Document> }> {
  expect(await stream.tryNext()).toBeNull();
  return { next: stream.next() };
}
const closed = { name: "MongoAPIError", message: "ChangeStream is closed" };

describe.skipIf(!existsSync(wasm))("change streams of a client", () => {
  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
  });
  it("wakes every stream that waits, and others are answered meanwhile", async () => {
    const { client } = fresh();
    const db = client.db("garden");
    const streams = [db.collection("herbs").watch(), db.watch(), client.watch()];
    const waits: Promise<Document>[] = [];
    for (const stream of streams) waits.push((await waiting(stream)).next);
    expect(await db.collection("herbs").findOne({})).toBeNull();
    const session = client.startSession();
    await session.withTransaction(() => db.collection("herbs").insertOne({ _id: 1 as never }, { session }));
    for (const event of await Promise.all(waits))
      expect(event).toMatchObject({
        operationType: "insert",
        documentKey: { _id: 1 },
        txnNumber: 1,
      });
    const seen: unknown[] = [];
    await db.collection("herbs").updateOne({ _id: 1 as never }, { $set: { bed: 3 } });
    await db.collection("herbs").drop();
    for await (const event of streams[0] as ChangeStream) {
      seen.push(event["operationType"]);
      if (event["operationType"] === "invalidate") break;
    }
    expect(seen).toEqual(["update", "drop", "invalidate"]);
    for (const stream of streams) await stream.close();
    await session.endSession();
    expect(await open(client)).toBe(0);
    await client.close();
  });

  it("ends a stream that is closed while it waits, as iterator and as emitter", async () => {
    const { client } = fresh();
    const herbs = client.db("garden").collection("herbs");
    const stream = herbs.watch();
    const { next } = await waiting(stream);
    await stream.close();
    await expect(next).rejects.toMatchObject(closed);

    const told: unknown[] = [];
    const emitter = herbs.watch();
    emitter.on("error", (error) => told.push(error));
    emitter.on("end", () => told.push("end"));
    emitter.on("close", () => told.push("close"));
    await new Promise<void>((resolve) => {
      emitter.on("change", (event) => {
        told.push(event["operationType"]);
        resolve();
      });
      void Promise.resolve()
        .then(() => client.db("garden").command({ ping: 1 }))
        .then(() => herbs.insertOne({}));
    });
    await client.db("garden").command({ ping: 1 });
    await emitter.close();
    await client.db("garden").command({ ping: 1 });
    expect(told).toEqual(["insert", "close"]);

    // A cursor that follows a collection has no more either.
    const log = await client.db("garden").createCollection("log", { capped: true, size: 4096 });
    await log.insertOne({ n: 0 });
    const cursor = log.find({}, { tailable: true, awaitData: true });
    await cursor.next();
    const more = cursor.next();
    await cursor.close();
    expect(await more).toBeNull();

    // Closed before its first reply came: the engine keeps no cursor of it.
    const early = herbs.watch();
    const first = early.next();
    await Promise.all([expect(first).rejects.toMatchObject(closed), early.close()]);
    expect(await open(client)).toBe(0);
    await client.close();
  });

  it("goes on after every error that lets it, and not where it cannot be opened anew", async () => {
    const { client, sent } = fresh([43, 91]);
    const herbs = client.db("garden").collection("herbs");
    const stream = herbs.watch();
    await client.db("garden").collection("herbs").insertOne({ n: 0 });
    const next = stream.next();
    while (sent.filter((command) => "getMore" in command).length < 3) await Promise.resolve();
    await herbs.insertOne({ n: 1 });
    expect(await next).toMatchObject({ fullDocument: { n: 1 } });
    await stream.close();
    // The cursors before were closed as well.
    expect(await open(client)).toBe(0);
    const gone = herbs.watch([], { resumeAfter: { _data: "82" } });
    await expect(gone.next()).rejects.toMatchObject({ code: 15 });
    expect(gone.closed).toBe(true);
    await client.close();
  });

  it("goes on when a listener throws, which is told as an error", async () => {
    const { client } = fresh();
    const herbs = client.db("garden").collection("herbs");
    const stream = herbs.watch();
    const told: unknown[] = [];
    await new Promise<void>((resolve) => {
      stream.on("error", (error) => told.push(error.message));
      stream.on("change", (event) => {
        if (event["documentKey"]._id === 2) resolve();
        throw new Error(`not ${event["documentKey"]._id}`);
      });
      void Promise.resolve()
        .then(() => client.db("garden").command({ ping: 1 }))
        .then(() => herbs.insertMany([{ _id: 1 as never }, { _id: 2 as never }]));
    });
    expect(stream.closed).toBe(false);
    await stream.close();
    expect(told).toEqual(["not 1", "not 2"]);
    await client.close();
  });
});
