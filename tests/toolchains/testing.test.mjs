/**
 * `quiredb/testing` with MongoDB's own drivers, over sockets: what a suite that leaves mongodb-memory-server finds.
 *
 * The drivers lie where `cargo xtask test --only toolchains` installs them (`QUIRE_TOOLCHAINS`).
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const tools = process.env.QUIRE_TOOLCHAINS ?? fileURLToPath(new URL("../../target/toolchains", import.meta.url));
const { resolve } = createRequire(join(tools, "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { MongoMemoryReplSet, MongoMemoryServer, serverFor } = await import("../../pkg/dist/testing.js");
const { default: globalSetup } = await import("../../pkg/dist/global-setup.js");
const { MongoClient } = await load("mongodb7");

const codeOf = (promise) =>
  promise.then(
    () => assert.fail("it was to fail"),
    (error) => error.code,
  );

/** Uses a client of a server, and closes it. */
async function using(server, use, options) {
  const client = new MongoClient(server.getUri(), options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
const helloOf = (server) => using(server, (client) => client.db("admin").command({ hello: 1 }));

describe("MongoMemoryServer", () => {
  test("starts, stops, and is told apart from others by its data", async () => {
    const states = [];
    const server = new MongoMemoryServer({ binary: { version: "8.0.4" }, instance: { storageEngine: "wiredTiger" } });
    server.on("stateChange", (state) => states.push(state));
    assert.throws(() => server.getUri(), { name: "StateError" });
    const { port, ip, replSet } = await server.ensureInstance();
    assert.deepEqual([ip, replSet], ["127.0.0.1", undefined]);
    assert.equal(server.getUri("shop", "localhost"), `mongodb://localhost:${port}/shop`);
    assert.equal((await helloOf(server)).setName, undefined);
    const other = await MongoMemoryServer.create({ instance: { port } });
    assert.notEqual(other.instanceInfo.port, port);
    await using(server, (client) => client.db("a").collection("a").insertOne({}));
    assert.equal(await using(other, (client) => client.db("a").collection("a").countDocuments()), 0);
    assert.equal(await codeOf(MongoMemoryServer.create({ instance: { port, portGeneration: false } })), "EADDRINUSE");
    assert.deepEqual([await other.stop(), await server.stop(), await server.stop()], [true, true, false]);
    assert.deepEqual(states, ["starting", "running", "stopped", "new"]);
    assert.equal(server.instanceInfo, undefined);
  });

  test("has its data and its port still where it is stopped without a cleanup", async () => {
    const server = await MongoMemoryServer.create();
    const uri = server.getUri();
    await using(server, (client) => client.db("a").collection("a").insertOne({ _id: 1 }));
    await server.stop({ doCleanup: false });
    await server.start(true);
    assert.equal(server.getUri(), uri);
    assert.equal(await using(server, (client) => client.db("a").collection("a").countDocuments()), 1);
    await server.stop();
    await server.start();
    assert.equal(await using(server, (client) => client.db("a").collection("a").countDocuments()), 0);
    await server.stop();
  });

  test("keeps its data below a dbPath, and deletes them where it is told to", async () => {
    const dbPath = mkdtempSync(join(tmpdir(), "quire-testing-"));
    for (const before of [0, 1]) {
      const server = await MongoMemoryServer.create({ instance: { dbPath } });
      const count = await using(server, async (client) => {
        const teas = client.db("a").collection("teas");
        const found = await teas.countDocuments();
        await teas.insertOne({}, { writeConcern: { j: true } });
        return found;
      });
      assert.equal(count, before);
      assert.equal(existsSync(join(dbPath, "quiredb.data")), true);
      await server.stop({ force: before === 1 });
    }
    assert.equal(existsSync(join(dbPath, "quiredb.data")), false);
  });

  test("asks for the user, sets parameters, and runs functions", async () => {
    const server = await MongoMemoryServer.create({
      auth: { enable: true, customRootName: "anna", customRootPwd: "secret" },
      instance: { args: ["--quiet", "--setParameter", "notablescan=true"] },
    });
    const find = (client) => client.db("a").collection("a").find({ b: 1 }).toArray();
    assert.equal(await codeOf(using(server, find)), 13);
    const auth = { username: "anna", password: "secret" };
    await using(server, (client) => client.db("a").collection("a").insertOne({ b: 1 }), { auth });
    assert.equal(await codeOf(using(server, find, { auth })), 291);
    const counted = await using(
      server,
      (client) =>
        client
          .db("a")
          .aggregate([
            { $documents: [{ n: 2 }] },
            { $set: { n: { $function: { body: "n => n + 1", args: ["$n"], lang: "js" } } } },
          ])
          .toArray(),
      { auth },
    );
    assert.deepEqual(counted, [{ n: 3 }]);
    await server.stop();
  });

  test("refuses by its name what it cannot do", () => {
    const refused = (options, words, kind = MongoMemoryServer) => assert.throws(() => new kind(options), words);
    refused({ instance: { prot: 1 } }, /instance\.prot is not supported/);
    refused({ autoStart: false }, /autoStart is not supported/);
    refused({ auth: { extraUsers: [{}] } }, /auth\.extraUsers/);
    refused({ instance: { storageEngine: "devnull" } }, /storageEngine devnull/);
    refused({ instance: { args: ["--replSet", "a"] } }, /args: --replSet/);
    refused({ instance: { ip: "0.0.0.0" } }, /needs a user and a password/);
    refused({ instance: { thread: "this", dbPath: tmpdir() } }, /thread of their own/);
    refused({ replSet: { count: 3 } }, /a set of several members/, MongoMemoryReplSet);
    refused({ replSet: { nmae: "a" } }, /replSet\.nmae/, MongoMemoryReplSet);
    refused({ instanceOpts: [{ ip: "::1" }] }, /instanceOpts\.ip/, MongoMemoryReplSet);
  });
});

describe("MongoMemoryReplSet", () => {
  test("is a set of its name, with transactions", async () => {
    const set = await MongoMemoryReplSet.create({ replSet: { name: "rs0", count: 1, storageEngine: "wiredTiger" } });
    const address = `127.0.0.1:${set.servers[0].instanceInfo.port}`;
    assert.equal(set.getUri("shop"), `mongodb://${address}/shop?replicaSet=rs0`);
    const { setName, hosts } = await helloOf(set);
    assert.deepEqual([setName, hosts], ["rs0", [address]]);
    await using(set, async (client) => {
      const admin = client.db("admin");
      assert.equal((await admin.command({ replSetGetStatus: 1 })).set, "rs0");
      assert.equal((await admin.command({ replSetGetConfig: 1 })).config._id, "rs0");
      await client.withSession((session) =>
        session.withTransaction(() => client.db("a").collection("a").insertOne({}, { session })),
      );
      assert.equal(await client.db("a").collection("a").countDocuments(), 1);
    });
    assert.deepEqual([await set.stop(), set.state, set.servers.length], [true, "stopped", 0]);
  });
});

describe("a snapshot", () => {
  let set;
  let client;
  let teas;
  before(async () => {
    set = await MongoMemoryReplSet.create();
    client = new MongoClient(set.getUri());
    teas = client.db("shop").collection("teas");
    await teas.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
    await teas.createIndex({ a: 1 }, { unique: true, sparse: true });
  });
  after(async () => {
    await client.close();
    await set.stop();
  });

  test("brings back documents, indexes, collections and databases", async () => {
    const snapshot = await set.snapshot();
    await teas.updateMany({}, { $set: { b: 1 } });
    await teas.deleteOne({ _id: 2 });
    await teas.dropIndex("a_1");
    await client.db("shop").collection("cups").insertOne({});
    await client.db("other").collection("a").insertOne({});
    for (const time of [1, 2]) {
      await set.restore(snapshot);
      assert.deepEqual(await teas.find().toArray(), [{ _id: 1 }, { _id: 2 }, { _id: 3 }], `time ${time}`);
      assert.deepEqual(
        (await teas.indexes()).map(({ name }) => name),
        ["_id_", "a_1"],
      );
      const names = (await client.db("admin").admin().listDatabases()).databases.map(({ name }) => name);
      assert.equal(names.includes("other"), false);
      assert.equal((await client.db("shop").listCollections().toArray()).length, 1);
      await client.db("shop").dropDatabase();
    }
    await set.restore(snapshot);
    await set.forget(snapshot);
    await assert.rejects(set.restore(snapshot), TypeError);
  });

  test("ends the cursors and transactions of the state that was left", async () => {
    const snapshot = await set.snapshot();
    const cursor = teas.find().batchSize(1);
    await cursor.next();
    const session = client.startSession();
    session.startTransaction();
    await teas.insertOne({ _id: 9 }, { session });
    await set.restore(snapshot);
    assert.equal(await codeOf(teas.findOne({}, { session })), 251);
    await session.abortTransaction();
    await session.endSession();
    assert.equal(await codeOf(cursor.next()), 43);
    assert.equal(await teas.countDocuments(), 3);
    // The same clients and their sessions go on.
    await client.withSession((own) => own.withTransaction(() => teas.insertOne({ _id: 9 }, { session: own })));
    assert.equal(await teas.countDocuments(), 4);
    await set.restore(snapshot);
    await set.forget(snapshot);
  });
});

describe("hooks", () => {
  const server = serverFor(
    { before, beforeEach, after },
    {
      prepare: (uri) => using({ getUri: () => uri }, (client) => client.db("a").collection("a").insertOne({ _id: 1 })),
    },
  );
  for (const time of [1, 2])
    test(`begin each test from the prepared state: ${time}`, () =>
      using(server, async (client) => {
        assert.equal(await client.db("a").collection("a").countDocuments(), 1);
        await client.db("a").collection("a").insertOne({ _id: 2 });
      }));
});

test("one server serves a whole run, of Jest by one function for both ends, of Vitest by two", async () => {
  const ping = (uri) => using({ getUri: () => uri }, (client) => client.db("a").command({ ping: 1 }));
  await globalSetup({});
  const uri = process.env.MONGO_URL;
  assert.equal((await ping(uri)).ok, 1);
  assert.equal(process.env.MONGO_URI, uri);
  await globalSetup({});
  assert.equal(process.env.MONGO_URL, undefined);
  const provided = {};
  const end = await globalSetup({ provide: (name, value) => (provided[name] = value) });
  assert.equal((await ping(provided.mongoUri)).ok, 1);
  await end();
  assert.equal(process.env.MONGO_URI, undefined);
});

test("a hundred servers run side by side, and nothing of them is left in the process", async () => {
  const servers = await Promise.all(Array.from({ length: 100 }, () => MongoMemoryServer.create()));
  const some = servers.filter((_, at) => at % 20 === 0);
  const found = await Promise.all(
    some.map((server, at) =>
      using(server, async (client) => {
        await client.db("a").collection("a").insertOne({ _id: at });
        return (await client.db("a").collection("a").find().toArray())[0]._id;
      }),
    ),
  );
  assert.deepEqual(found, [0, 1, 2, 3, 4]);
  await Promise.all(servers.map((server) => server.stop()));
  // A socket is named until its last event has been told.
  const left = () => process.getActiveResourcesInfo().filter((name) => /TCP|Worker/.test(name));
  while (left().length > 0) await new Promise((done) => setImmediate(done));
});

test("a port that another program has is not taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => taken.once("listening", done));
  const { port } = taken.address();
  const server = await MongoMemoryServer.create({ instance: { port } });
  assert.notEqual(server.instanceInfo.port, port);
  await server.stop();
  taken.close();
});
