/**
 * MongoDB's own clients against `quiredb/server`, over a socket: the Node driver 6 and 7, mongoose 8 and 9, mongosh, and
 * PyMongo and the C driver where they can be had.
 *
 * The clients lie where `cargo xtask test --only toolchains` installs them (`QUIRE_TOOLCHAINS`). All of them share one
 * server, each with a database of its own. Invariant: what is asserted here is what the client's manual promises.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";

const tools = process.env.QUIRE_TOOLCHAINS ?? fileURLToPath(new URL("../../target/toolchains", import.meta.url));
const { resolve } = createRequire(join(tools, "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { createServer } = await import("../../pkg/dist/server.js");

let server;
before(async () => {
  server = await createServer({ port: 0 });
});
after(() => server.close());

const codeOf = (promise) =>
  promise.then(
    () => assert.fail("it was to fail"),
    (error) => error.code,
  );

/** Waits until a question is answered with something. */
async function until(ask) {
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
  }
}

/** A command that takes minutes: each document against each, and each of those again. */
const endless = () => {
  const each = (stages) => ({ $lookup: { from: "many", let: { a: "$_id" }, pipeline: stages, as: "x" } });
  const more = [{ $match: { $expr: { $gt: [{ $multiply: ["$_id", "$$a"] }, -1] } } }, { $count: "n" }];
  return [each([each(more), { $match: { $expr: { $ne: ["$_id", "$$a"] } } }, { $count: "n" }])];
};

for (const version of ["mongodb6", "mongodb7"])
  describe(version, () => {
    let MongoClient;
    let driver;
    let client;
    let db;
    before(async () => {
      driver = await load(version);
      ({ MongoClient } = driver);
      const options = "replicaSet=quire&retryWrites=true&w=majority&compressors=zlib&readPreference=nearest";
      client = new MongoClient(`${server.uri}?${options}&appName=trial`, {
        serverApi: { version: "1" },
        readConcern: { level: "majority" },
      });
      await client.connect();
      db = client.db(version);
    });
    after(() => client.close());

    test("creates, reads, updates and deletes, and words errors", async () => {
      const teas = db.collection("teas");
      const { insertedIds } = await teas.insertMany([
        { name: "mint", price: 4 },
        { name: "oolong", price: 9n },
      ]);
      assert.equal(Object.keys(insertedIds).length, 2);
      assert.equal((await teas.updateOne({ name: "mint" }, { $inc: { price: 1 } })).modifiedCount, 1);
      assert.equal((await teas.findOne({ name: "mint" })).price, 5);
      const after = await teas.findOneAndUpdate(
        { name: "sen" },
        { $set: { price: 1 } },
        { upsert: true, returnDocument: "after" },
      );
      assert.equal(after.price, 1);
      await teas.createIndex({ name: 1 }, { unique: true });
      assert.deepEqual(
        (await teas.indexes()).map(({ name }) => name),
        ["_id_", "name_1"],
      );
      assert.equal(await codeOf(teas.insertOne({ name: "mint" })), 11000);
      const bulk = await teas.bulkWrite([
        { insertOne: { document: { name: "rooibos", price: 3 } } },
        { deleteOne: { filter: { name: "sen" } } },
        { replaceOne: { filter: { name: "none" }, replacement: { name: "none" }, upsert: true } },
      ]);
      assert.deepEqual([bulk.insertedCount, bulk.deletedCount, bulk.upsertedCount], [1, 1, 1]);
      const groups = await teas
        .aggregate([{ $group: { _id: null, n: { $sum: 1 }, most: { $max: "$price" } } }])
        .toArray();
      assert.deepEqual(groups, [{ _id: null, n: 4, most: 9 }]);
      assert.equal(await codeOf(db.command({ nothing: 1 })), 59);
      assert.equal(await codeOf(teas.find({ $nothing: 1 }).toArray()), 2);
    });

    test("reads a long cursor, and writes a long batch in sequences", async () => {
      const many = db.collection("many");
      const filler = "x".repeat(400);
      await many.insertMany(Array.from({ length: 3000 }, (_, _id) => ({ _id, filler })));
      let sum = 0;
      for await (const { _id } of many.find().batchSize(250)) sum += _id;
      assert.equal(sum, (2999 * 3000) / 2);
      // More than a message holds: the driver cuts it, and no joined command is too long for it.
      const long = "y".repeat(1 << 20);
      const { insertedCount } = await db.collection("long").insertMany(Array.from({ length: 50 }, () => ({ long })));
      assert.equal(insertedCount, 50);
      assert.equal(await db.collection("long").countDocuments(), 50);
    });

    test("runs transactions in sessions, which end with them", async () => {
      const accounts = db.collection("accounts");
      await accounts.insertMany([
        { _id: "a", n: 10 },
        { _id: "b", n: 0 },
      ]);
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await accounts.updateOne({ _id: "a" }, { $inc: { n: -4 } }, { session });
          await accounts.updateOne({ _id: "b" }, { $inc: { n: 4 } }, { session });
          // Another connection sees nothing of it.
          assert.equal((await accounts.findOne({ _id: "b" })).n, 0);
        }),
      );
      assert.equal((await accounts.findOne({ _id: "b" })).n, 4);
      const session = client.startSession();
      session.startTransaction();
      await accounts.deleteMany({}, { session });
      await session.endSession();
      assert.equal(await accounts.countDocuments(), 2);
    });

    test("follows changes while others write", async () => {
      const stream = db.collection("followed").watch([], { fullDocument: "updateLookup" });
      const seen = [];
      const all = (async () => {
        for await (const change of stream) {
          seen.push([change.operationType, change.documentKey._id]);
          if (seen.length === 3) return;
        }
      })();
      await until(() => stream.resumeToken);
      await db.collection("followed").insertMany([{ _id: 1 }, { _id: 2 }]);
      await db.collection("followed").updateOne({ _id: 1 }, { $set: { a: 1 } });
      await all;
      assert.deepEqual(seen, [
        ["insert", 1],
        ["insert", 2],
        ["update", 1],
      ]);
      await stream.close();
    });

    test("keeps files in GridFS", async () => {
      const bucket = new driver.GridFSBucket(db);
      const bytes = Buffer.alloc(600_000, "quire");
      const upload = bucket.openUploadStream("tale.txt");
      upload.end(bytes);
      await once(upload, "finish");
      const read = await text(bucket.openDownloadStreamByName("tale.txt"));
      assert.equal(read.length, bytes.length);
    });

    test("ends what runs too long, is killed, or has nobody to read it", async () => {
      const many = db.collection("many");
      assert.equal(await codeOf(many.aggregate(endless(), { maxTimeMS: 40 }).toArray()), 50);
      const admin = client.db("admin");
      const running = (n) => {
        const filter = { $match: { ns: `${version}.many`, active: true } };
        return until(async () => {
          // The client's own level is `majority`, which the stage refuses.
          const options = { readConcern: { level: "local" } };
          const found = await admin.aggregate([{ $currentOp: {} }, filter], options).toArray();
          return found.length === n ? (found[0] ?? null) : undefined;
        });
      };
      const killed = codeOf(many.aggregate(endless()).toArray());
      const { opid, appName } = await running(1);
      assert.equal(appName, "trial");
      await admin.command({ killOp: 1, op: opid });
      assert.equal(await killed, 11601);
      const other = new MongoClient(server.uri, { directConnection: true });
      const left = other
        .db(version)
        .collection("many")
        .aggregate(endless())
        .toArray()
        .catch(() => null);
      await running(1);
      await other.close(true);
      await left;
      await running(0);
      assert.equal((await many.findOne({ _id: 1 }))._id, 1);
    });

    test("knows its connection from others", async () => {
      const other = new MongoClient(server.uri, { directConnection: true });
      const whose = async (one) => (await one.db("admin").command({ whatsmyuri: 1 })).you;
      assert.notEqual(await whose(client), await whose(other));
      const { me, hosts, primary, compression } = await other
        .db("admin")
        .command({ hello: 1, compression: ["snappy", "zlib"] });
      const address = `127.0.0.1:${server.port}`;
      assert.deepEqual([me, hosts, primary, compression], [address, [address], address, ["zlib"]]);
      await other.close();
    });
  });

for (const version of ["mongoose8", "mongoose9"])
  test(version, async () => {
    const { default: mongoose } = await load(version);
    const connection = await mongoose.createConnection(`${server.uri}${version}`).asPromise();
    const schema = new mongoose.Schema(
      { name: { type: String, unique: true }, at: Date, tags: [String] },
      { timestamps: true },
    );
    const Tea = connection.model("Tea", schema);
    await Tea.init();
    const tea = await Tea.create({ name: "mint", tags: ["green"] });
    tea.tags.push("fresh");
    await tea.save();
    assert.equal(await codeOf(Tea.create({ name: "mint" })), 11000);
    const [found] = await Tea.find({ tags: "fresh" }).lean();
    assert.ok(found.createdAt instanceof Date);
    await connection.transaction(async (session) => {
      await Tea.create([{ name: "oolong" }], { session });
    });
    assert.equal(await Tea.countDocuments(), 2);
    const Cup = connection.model("Cup", new mongoose.Schema({ tea: { type: "ObjectId", ref: "Tea" } }));
    await Cup.create({ tea: tea._id });
    assert.equal((await Cup.findOne().populate("tea")).tea.name, "mint");
    await connection.close();
  });

describe("with a password", () => {
  let closed;
  before(async () => {
    closed = await createServer({ port: 0, user: "an:na", password: "sécret@1" });
  });
  after(() => closed.close());

  for (const version of ["mongodb6", "mongodb7"])
    test(`${version} says who it is`, async () => {
      const { MongoClient } = await load(version);
      const client = new MongoClient(closed.uri);
      const { authInfo } = await client.db("admin").command({ connectionStatus: 1 });
      assert.deepEqual(authInfo.authenticatedUsers, [{ user: "an:na", db: "admin" }]);
      await client.close();
      const nobody = new MongoClient(`mongodb://127.0.0.1:${closed.port}/`);
      assert.equal(await codeOf(nobody.db("shop").collection("teas").findOne()), 13);
      assert.equal((await nobody.db("admin").command({ ping: 1 })).ok, 1);
      await nobody.close();
      const wrong = new MongoClient(closed.uri.replace("%401", ""));
      assert.equal(await codeOf(wrong.db("admin").command({ ping: 1 })), 18);
      await wrong.close();
    });
});

for (const version of ["mongodb6", "mongodb7"])
  test(`${version} signs in as a user of createUser, by either mechanism`, async () => {
    const { MongoClient } = await load(version);
    const database = `users-${version}`;
    const client = new MongoClient(server.uri);
    const user = { roles: ["readWrite"], pwd: "pässword" };
    await client.db(database).command({ createUser: "anna:ä", ...user });
    const as = async (password, mechanism = "DEFAULT") => {
      const name = encodeURIComponent("anna:ä");
      const address = `mongodb://${name}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${database}`;
      const signedIn = new MongoClient(`${address}?authMechanism=${mechanism}`);
      try {
        const { authInfo } = await signedIn.db("admin").command({ connectionStatus: 1 });
        await signedIn.db(database).collection("teas").insertOne({ mechanism });
        return authInfo.authenticatedUsers;
      } finally {
        await signedIn.close();
      }
    };
    const anna = [{ user: "anna:ä", db: database }];
    for (const mechanism of ["DEFAULT", "SCRAM-SHA-1", "SCRAM-SHA-256"])
      assert.deepEqual(await as("pässword", mechanism), anna);
    assert.equal(await codeOf(as("password")), 18);
    await client.db(database).command({ updateUser: "anna:ä", pwd: "other" });
    assert.equal(await codeOf(as("pässword")), 18);
    assert.deepEqual(await as("other"), anna);
    await client.db(database).command({ dropUser: "anna:ä" });
    assert.equal(await codeOf(as("other")), 18);
    await client.close();
  });

/** PyMongo, in an environment of its own beside the tools; null where Python cannot be had. */
function python() {
  const folder = join(tools, "python");
  const program = join(folder, "bin/python");
  if (existsSync(program)) return program;
  if (spawnSync("python3", ["-m", "venv", folder]).status !== 0) return null;
  const installed = spawnSync(program, ["-m", "pip", "install", "--quiet", `pymongo==${PYMONGO}`]);
  return installed.status === 0 ? program : null;
}
const PYMONGO = "4.20.1";

/** Runs a client's program to its end; gives what it printed. */
async function printed(program, words, variables = {}) {
  const env = { ...process.env, ...variables };
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"], env });
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  assert.equal(code, 0, complained);
  return said.trim();
}

test("PyMongo", async (context) => {
  const program = python();
  if (program === null) return context.skip("there is no Python with pip");
  assert.equal(await printed(program, [trial("trial.py"), server.uri]), "done");
});

const trial = (name) => fileURLToPath(new URL(`clients/${name}`, import.meta.url));

test("mongosh", async (context) => {
  const folder = process.env.QUIRE_MONGOSH ?? fileURLToPath(new URL("../../target/mongosh", import.meta.url));
  const bin = join(folder, "node_modules/.bin/mongosh");
  if (!existsSync(bin)) return context.skip("mongosh is not installed: cargo xtask test --only toolchains does it");
  const words = [`${server.uri}?compressors=zlib`, "--quiet", "--norc", "--file", trial("trial.mongosh.js")];
  // Its settings and its history go where nobody keeps any.
  const home = mkdtempSync(join(tmpdir(), "quire-mongosh-"));
  assert.match(await printed(bin, words, { HOME: home, USERPROFILE: home }), /done$/);
});

/** The trial of the C driver, compiled; a text instead says why not. */
function compiledC() {
  const asked = spawnSync("pkg-config", ["--cflags", "--libs", "libmongoc-1.0"], { encoding: "utf8" });
  if (asked.status !== 0) return "the C driver is not on this machine (Debian: apt-get install libmongoc-dev)";
  const program = join(mkdtempSync(join(tmpdir(), "quire-c-")), "trial");
  const words = ["-Wall", "-Wextra", "-o", program, trial("trial.c"), ...asked.stdout.trim().split(/\s+/)];
  const made = spawnSync("cc", words, { encoding: "utf8" });
  if (made.error !== undefined) return "there is no C compiler";
  assert.equal(made.status, 0, made.stderr);
  return { program };
}

test("the C driver", async (context) => {
  const made = compiledC();
  if (typeof made === "string") return context.skip(made);
  assert.equal(await printed(made.program, [server.uri]), "done");
});

/** Starts the program's server; gives it, and what it says until it listens. */
async function served(...words) {
  const child = spawn(process.execPath, [cli, "serve", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for await (const piece of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    said += piece;
    if (said.includes("Ctrl+C")) break;
  }
  return { child, said };
}
const cli = fileURLToPath(new URL("../../pkg/dist/cli.js", import.meta.url));

test("the program serves a file, begins with an import, and stores all when it is ended", async () => {
  const { MongoClient } = await load("mongodb7");
  const folder = mkdtempSync(join(tmpdir(), "quire-serve-"));
  const [data, file] = ["data.quire", "teas.json"].map((name) => join(folder, name));
  writeFileSync(file, '[{ "_id": 1, "name": "mint" }, { "_id": 2, "name": "sen" }]');
  for (const [more, before] of [
    [["--import", file], 2],
    [[], 3],
  ]) {
    const { child, said } = await served("--port", "0", "--data", data, ...more);
    const [address, port] = /mongodb:.*:(\d+)\//.exec(said);
    const client = new MongoClient(address);
    const teas = client.db("test").collection("teas");
    assert.equal(await teas.countDocuments(), before);
    await teas.insertOne({ name: "more" }, { writeConcern: { w: 1, j: false } });
    const second = spawnSync(process.execPath, [cli, "serve", "--port", port], { encoding: "utf8" });
    assert.deepEqual([second.status, second.stderr.includes(`port ${port} is taken`)], [1, true], second.stderr);
    await client.close();
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "close"), [0, null]);
  }
  const refused = spawnSync(process.execPath, [cli, "serve", "--host", "0.0.0.0"], { encoding: "utf8" });
  assert.deepEqual([refused.status, refused.stderr.includes("needs a user and a password")], [2, true]);
});

test("bytes that are no message end their own connection alone", async () => {
  const sent = async (bytes) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(bytes);
    await once(socket, "close");
  };
  const huge = Buffer.alloc(16, 0x7f);
  const http = Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await Promise.all([sent(huge), sent(http), sent(Buffer.alloc(64))]);
  const half = connect(server.port, "127.0.0.1");
  half.write(Buffer.from([100, 0, 0, 0, 1]));
  const { MongoClient } = await load("mongodb7");
  const client = new MongoClient(server.uri);
  assert.equal((await client.db("admin").command({ ping: 1 })).ok, 1);
  await client.close();
  half.destroy();
});
