/**
 * What the manual of MongoDB's Node driver shows in its pages, over an engine in memory: constants and classes that
 * samples import, cursors in all their ways, batches by steps, commands with cursors, monitoring, concerns, time
 * limits.
 */
import { existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadEngine } from "../engine/load.ts";
import * as quiredb from "./index.ts";

const { MongoClient, ReadConcern, ReadPreference, ReturnDocument, ServerApiVersion, WriteConcern } = quiredb;
const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));

describe.skipIf(!existsSync(wasm))("the manual's pages", () => {
  const client = new MongoClient("quire://fundamentals", {
    serverApi: { version: ServerApiVersion.v1, deprecationErrors: true },
    monitorCommands: true,
    maxPoolSize: 10,
    useNewUrlParser: true,
    tls: true,
    compressors: ["snappy"],
    appName: "manual",
  });
  const teas = client.db("shop").collection<{ _id: number; name: string; price: number }>("teas");
  const all = [1, 2, 3, 4, 5].map((_id) => ({ _id, name: `tea ${_id}`, price: _id * 2 }));
  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
    await client.connect();
    await teas.insertMany(all);
  });
  afterAll(() => client.close());

  it("connect: options are kept, and a session and a client end with their scope", async () => {
    expect(client.options.appName).toBe("manual");
    expect(client.serverApi).toEqual({ version: "1", deprecationErrors: true });
    expect([client.monitorCommands, client.readPreference.mode]).toEqual([true, "primary"]);
    const other = new MongoClient("quire://other", {
      readPreference: ReadPreference.secondaryPreferred,
      timeoutMS: 9000,
    });
    expect([other.readPreference.mode, other.db("a").collection("b").readPreference.secondaryOk()]).toEqual([
      "secondaryPreferred",
      true,
    ]);
    expect(other.db("a").timeoutMS).toBe(9000);
    const session = client.startSession();
    await session[Symbol.asyncDispose]();
    expect(session.hasEnded).toBe(true);
    await other[Symbol.asyncDispose]();
    await expect(other.db("a").command({ ping: 1 })).rejects.toThrow(quiredb.MongoNotConnectedError);
  });

  it("concerns and constants are values", async () => {
    const concerned = client.db("shop", {
      readConcern: new ReadConcern("majority"),
      writeConcern: new WriteConcern("majority", 500, true),
      readPreference: new ReadPreference("nearest", [{ dc: "east" }], { maxStalenessSeconds: 90 }),
    });
    expect(concerned.writeConcern).toEqual({ w: "majority", wtimeout: 500, j: true });
    expect(concerned.readConcern).toEqual({ level: "majority" });
    const found = await concerned
      .collection<{ _id: number; price: number }>("teas")
      .findOneAndUpdate({ _id: 1 }, { $inc: { price: 0 } }, { returnDocument: ReturnDocument.AFTER });
    expect(found?.price).toBe(2);
    for (const wrong of [
      () => new ReadPreference("sometimes" as never),
      () => new ReadPreference("primary", [{ dc: "east" }]),
      () => ReadPreference.fromString("first"),
    ])
      expect(wrong).toThrow(quiredb.MongoInvalidArgumentError);
    expect(quiredb.EJSON.stringify({ n: quiredb.BSON.Long.fromNumber(5) }, { relaxed: false })).toBe(
      '{"n":{"$numberLong":"5"}}',
    );
    expect(quiredb.BSON.calculateObjectSize({ a: 1 })).toBe(12);
  });

  it("errors are of the driver's classes", async () => {
    const { MongoAPIError, MongoDriverError, MongoError, MongoServerError, MongoSystemError } = quiredb;
    const bulk = (await teas.insertMany([{ _id: 1, name: "", price: 0 }]).catch((error: unknown) => error)) as Error;
    expect(bulk).toBeInstanceOf(quiredb.MongoBulkWriteError);
    expect(bulk).toBeInstanceOf(MongoServerError);
    expect(bulk).toMatchObject({ code: 11000 });
    const classes = new Map<string, unknown>(Object.entries(quiredb));
    const { prototype: own } = quiredb.MongoInvalidArgumentError;
    for (const [name, base] of [
      ["MongoInvalidArgumentError", MongoAPIError],
      ["MongoNotConnectedError", MongoAPIError],
      ["MongoCursorInUseError", MongoAPIError],
      ["MongoParseError", MongoDriverError],
      ["MongoOperationTimeoutError", MongoDriverError],
      ["MongoServerSelectionError", MongoSystemError],
      ["MongoNetworkTimeoutError", quiredb.MongoNetworkError],
      ["MongoGridFSChunkError", quiredb.MongoRuntimeError],
      ["MongoWriteConcernError", MongoServerError],
    ] as const)
      expect((classes.get(name) as typeof Error).prototype, name).toBeInstanceOf(base);
    expect(own).toBeInstanceOf(MongoError);
  });

  describe("cursors", () => {
    it("begin anew by rewind, and have clones of which nothing was read", async () => {
      const cursor = teas
        .find({ price: { $gt: 2 } }, { batchSize: 2 })
        .sort({ _id: -1 })
        .limit(3);
      expect((await cursor.next())?._id).toBe(5);
      expect([cursor.bufferedCount(), cursor.namespace, cursor.killed]).toEqual([1, "shop.teas", false]);
      expect(cursor.readBufferedDocuments()).toMatchObject([{ _id: 4 }]);
      const copy = cursor.clone();
      expect((await copy.toArray()).map(({ _id }) => _id)).toEqual([5, 4, 3]);
      cursor.rewind();
      expect((await cursor.toArray()).map(({ _id }) => _id)).toEqual([5, 4, 3]);
      cursor.rewind();
      await cursor.close();
      cursor.rewind();
      expect(await cursor.hasNext()).toBe(true);
      await cursor[Symbol.asyncDispose]();
      expect([cursor.closed, cursor.killed]).toEqual([true, true]);
      const grouped = teas.aggregate([{ $match: { _id: { $lt: 3 } } }]).group({ _id: null, n: { $sum: 1 } });
      expect(await grouped.clone().toArray()).toEqual([{ _id: null, n: 2 }]);
      expect(grouped.pipeline).toHaveLength(2);
      expect(await teas.find({ _id: { $gt: 2 } }).count()).toBe(3);
    });

    it("are streams of Node's, which close them", async () => {
      const cursor = teas.find({}, { batchSize: 2 });
      const stream = cursor.stream({ transform: ({ name }) => name });
      expect(stream).toBeInstanceOf(Readable);
      const names: string[] = [];
      stream.on("data", (name) => names.push(name));
      await new Promise<void>((resolve) => stream.on("close", resolve));
      expect(names).toEqual(all.map(({ name }) => name));
      expect(cursor.closed).toBe(true);
      const half = teas.find({}, { batchSize: 2 });
      for await (const document of half.stream()) {
        expect(document._id).toBe(1);
        break;
      }
      expect(half.closed).toBe(true);
      const failing = teas.find({ $nothing: 1 } as Document).stream();
      const error = await new Promise<Error>((resolve) => failing.on("error", resolve).resume());
      expect(error).toMatchObject({ code: 2 });
    });

    it("take flags, concerns and the way their time is counted", async () => {
      const cursor = teas.find({}, { timeoutMode: "iteration", timeoutMS: 60_000 });
      cursor
        .addCursorFlag("noCursorTimeout", true)
        .addCursorFlag("partial", true)
        .withReadPreference(ReadPreference.SECONDARY)
        .withReadConcern({ level: "local" });
      expect([cursor.readPreference.mode, cursor.readConcern]).toEqual(["secondary", { level: "local" }]);
      const seen: Document[] = [];
      client.once("commandStarted", ({ command }) => seen.push(command));
      expect(await cursor.toArray()).toHaveLength(5);
      expect(seen).toMatchObject([
        {
          find: "teas",
          noCursorTimeout: true,
          allowPartialResults: true,
          readConcern: { level: "local" },
          apiVersion: "1",
        },
      ]);
      expect(() => cursor.addCursorFlag("partial", true)).toThrow(quiredb.MongoCursorInUseError);
      expect(() => teas.find().addCursorFlag("fast" as never, true)).toThrow("Flag fast is not one of tailable");
      expect(() => teas.find({}, { timeoutMode: "never" as never })).toThrow("option timeoutMode must be");
      expect(() => teas.find({}, { tailable: true, timeoutMode: "cursorLifetime" })).toThrow("tailable");
    });
  });

  it("a command's cursor, batches by steps, indexes by name, the profiler", async () => {
    const db = client.db("shop");
    const cursor = db.runCursorCommand({ find: "teas", batchSize: 2, sort: { _id: 1 } }).setBatchSize(1);
    expect((await cursor.toArray()).map(({ _id }) => _id as number)).toEqual([1, 2, 3, 4, 5]);
    expect(() => cursor.batchSize()).toThrow("belongs to the command itself");
    const other = db.collection<Document>("other");
    const bulk = other.initializeOrderedBulkOp();
    bulk.insert({ _id: 1, n: 1 }).insert({ _id: 2, n: 1 });
    bulk.find({ _id: 1 }).updateOne({ $inc: { n: 1 } });
    bulk.find({ _id: 3 }).upsert().replaceOne({ n: 9 });
    bulk.find({ _id: 2 }).deleteOne();
    bulk.raw({ updateMany: { filter: {}, update: { $set: { seen: true } } } });
    expect(bulk.length).toBe(6);
    expect(await bulk.execute()).toMatchObject({
      insertedCount: 2,
      upsertedCount: 1,
      deletedCount: 1,
      modifiedCount: 3,
    });
    await expect(bulk.execute()).rejects.toThrow(quiredb.MongoBatchReExecutionError);
    expect(() => other.initializeUnorderedBulkOp().find({}).update({ n: 1 })).toThrow("atomic operators");
    expect(await other.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, n: 2, seen: true },
      { _id: 3, n: 9, seen: true },
    ]);
    await other.createIndex({ n: 1, seen: -1 });
    expect(await other.indexInformation()).toEqual({
      _id_: [["_id", 1]],
      "n_1_seen_-1": [
        ["n", 1],
        ["seen", -1],
      ],
    });
    expect(await db.indexInformation("other", { full: true })).toHaveLength(2);
    expect(await other.indexes()).toHaveLength(2);
    other.hint = "absent";
    await expect(other.findOne()).rejects.toMatchObject({ code: 2 });
    expect(await other.count({ n: { $gt: 2 } })).toBe(1);
    expect(await db.setProfilingLevel("all")).toBe("all");
    expect(await db.profilingLevel()).toBe("all");
    await db.setProfilingLevel("off");
    expect(await db.admin().validateCollection("teas")).toMatchObject({ valid: true, nrecords: 5 });
  });

  it("GridFS: a file given up in the middle of a write leaves nothing, and no error that nobody hears", async () => {
    const { GridFSBucket } = quiredb;
    const bucket = new GridFSBucket(client.db("given-up"), { chunkSizeBytes: 1000 });
    const upload = bucket.openUploadStream("a");
    const faults: unknown[] = [];
    upload.on("error", (error) => faults.push(error));
    const written = new Promise<void>((resolve) => upload.write(new Uint8Array(50_000), () => resolve()));
    await upload.abort();
    await written;
    expect(faults).toEqual([]);
    expect(await client.db("given-up").collection("fs.chunks").countDocuments()).toBe(0);
  });

  it("GridFS: files of several pieces, by streams", async () => {
    const { GridFSBucket } = quiredb;
    const bucket = new GridFSBucket(client.db("files"), { bucketName: "photos", chunkSizeBytes: 1000 });
    const bytes = Uint8Array.from({ length: 2500 }, (_, at) => at % 251);
    const upload = bucket.openUploadStream("cat.jpg", { metadata: { by: "Ada" }, contentType: "image/jpeg" });
    await pipeline(
      Readable.from([bytes.subarray(0, 700), bytes.subarray(700)]),
      upload as unknown as NodeJS.WritableStream,
    );
    expect(upload.gridFSFile).toMatchObject({
      length: 2500,
      chunkSize: 1000,
      filename: "cat.jpg",
      metadata: { by: "Ada" },
    });
    const read = async (stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
      const parts: Uint8Array[] = [];
      for await (const part of stream) parts.push(part);
      return new Uint8Array(Buffer.concat(parts));
    };
    expect(await read(bucket.openDownloadStream(upload.id))).toEqual(bytes);
    for (const [start, end] of [
      [0, 1],
      [999, 1001],
      [1000, 2000],
      [1500, 2500],
      [2499, 2500],
      [700, 700],
    ] as const)
      expect(await read(bucket.openDownloadStream(upload.id, { start, end })), `${start}`).toEqual(
        bytes.slice(start, end),
      );
    expect(await read(bucket.openDownloadStream(upload.id).start(10).end(20))).toEqual(bytes.slice(10, 20));

    const second = bucket.openUploadStreamWithId("2", "cat.jpg");
    second.write("meow ");
    second.end("again");
    await new Promise<void>((resolve) => second.on("finish", resolve));
    expect(String(Buffer.from(await read(bucket.openDownloadStreamByName("cat.jpg"))))).toBe("meow again");
    expect(await read(bucket.openDownloadStreamByName("cat.jpg", { revision: 0 }))).toEqual(bytes);
    await bucket.rename("2", "dog.jpg");
    expect((await bucket.find({ filename: "dog.jpg" }).toArray()).map(({ length }) => length)).toEqual([10]);
    const files = client.db("files");
    expect(await files.collection("photos.chunks").indexInformation()).toHaveProperty("files_id_1_n_1");
    expect(await files.collection("photos.files").indexInformation()).toHaveProperty("filename_1_uploadDate_1");

    // A piece that is lost or cut is an error, and no shorter file.
    await files.collection("photos.chunks").deleteOne({ files_id: upload.id, n: 1 });
    await expect(read(bucket.openDownloadStream(upload.id))).rejects.toThrow("ChunkIsMissing");
    await expect(read(bucket.openDownloadStream("absent"))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(read(bucket.openDownloadStream("2", { end: 11 }))).rejects.toThrow("must not be more than the length");
    await bucket.delete("2");
    await expect(bucket.delete("2")).rejects.toThrow("File not found for id 2");

    const given = bucket.openUploadStream("lost");
    await new Promise((resolve) => given.write(bytes, resolve));
    await given.abort();
    await expect(given.abort()).rejects.toThrow("twice");
    expect(await files.collection("photos.chunks").countDocuments({ files_id: given.id })).toBe(0);
    expect(() => bucket.openUploadStream("x", { chunkSize: 5 } as never)).toThrow("option chunkSize is not supported");
    await bucket.drop();
    expect(await files.listCollections().toArray()).toEqual([]);
  });

  it("transactions and change streams as the manual has them", async () => {
    const stream = teas.watch([{ $match: { operationType: "insert" } }]);
    const changes = stream.stream();
    const opened = new Promise<unknown>((resolve) => client.once("commandSucceeded", resolve));
    const first = new Promise<Document>((resolve) => changes.once("data", resolve));
    await opened;
    await client.withSession((session) =>
      session.withTransaction(
        async () => {
          await teas.insertOne({ _id: 6, name: "six", price: 12 }, { session });
        },
        { readConcern: new ReadConcern("snapshot"), writeConcern: { w: "majority" }, readPreference: "primary" },
      ),
    );
    expect(await first).toMatchObject({ operationType: "insert", documentKey: { _id: 6 } });
    const closed = new Promise<void>((resolve) => changes.once("close", resolve));
    changes.destroy();
    await closed;
    expect(stream.closed).toBe(true);
    await teas.watch()[Symbol.asyncDispose]();
  });
});
