/**
 * `npx quiredb push` and `pull` through MongoDB's own driver, with `quiredb/server` as the far side: every type there and
 * back, kills on both sides, changes that are followed, and a beginner's mistakes.
 *
 * The drivers lie where `cargo xtask test --only toolchains` installs them (`QUIRE_TOOLCHAINS`). A gate between program
 * and server stops what is sent at a byte, so that a kill is in the middle. Invariant: all waits are for events.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer as createGate } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";

const tools = process.env.QUIRE_TOOLCHAINS ?? fileURLToPath(new URL("../../target/toolchains", import.meta.url));
const { resolve } = createRequire(path.join(tools, "package.json"));
const packed = new URL("../../pkg/dist/", import.meta.url);
const cli = fileURLToPath(new URL("cli.js", packed));
const { createServer } = await import(new URL("server.js", packed).href);

const folder = mkdtempSync(path.join(tmpdir(), "quire-push-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name) => path.join(folder, name);
/** What a test that failed left open. */
const opened = new Set();
after(() => Promise.allSettled([...opened].map((close) => close())));
/** A server of this process, closed at the end. */
async function hosted(options = {}) {
  const server = await createServer({ port: 0, ...options });
  opened.add(() => server.close());
  return server;
}
function client(server) {
  const made = new MongoClient(server.uri);
  opened.add(() => made.close());
  return made;
}

/** The folder of a driver: its package, as an application's `node_modules` has it. */
const placeOf = (version) => at(version);
for (const version of ["mongodb6", "mongodb7"]) {
  mkdirSync(path.join(placeOf(version), "node_modules"), { recursive: true });
  symlinkSync(
    path.join(path.dirname(resolve(version)), ".."),
    path.join(placeOf(version), "node_modules/mongodb"),
    "dir",
  );
}
const { MongoClient } = await import(pathToFileURL(resolve("mongodb7")).href);

const start = (words, version = "mongodb7") =>
  spawn(process.execPath, [cli, ...words], { cwd: placeOf(version), stdio: ["ignore", "pipe", "pipe"] });

async function quiredb(words, version) {
  const child = start(words, version);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

/** Waits until a program has said something. */
async function said(stream, words) {
  let all = "";
  for await (const piece of stream.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    all += piece;
    if (words.test(all)) return all;
  }
  return assert.fail(`it ended without saying ${words}: ${all}`);
}

/** A server with its data in a file, in a process of its own. */
async function served(data, port = 0) {
  const child = spawn(process.execPath, [cli, "serve", "--port", String(port), "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  opened.add(() => child.kill("SIGKILL"));
  const [, bound] = /:(\d+)\//.exec(await said(child.stdout, /:(\d+)\//));
  return { child, port: Number(bound) };
}

/** Stands before a server, and lets so many bytes pass; `hold` resolves when there are more. */
function gate(target) {
  const sockets = new Set();
  let left = Number.POSITIVE_INFINITY;
  let tell;
  let to = target;
  const server = createGate((socket) => {
    const onward = connect(to, "127.0.0.1");
    sockets.add(socket).add(onward);
    for (const each of [socket, onward]) {
      each.on("error", () => undefined);
      each.on("close", () => [socket, onward].forEach((one) => one.destroy()));
    }
    const pass = (from, onto) =>
      from.on("data", (bytes) => {
        left -= bytes.length;
        if (left >= 0) onto.write(bytes);
        else tell?.();
      });
    pass(onward, socket);
    pass(socket, onward);
  });
  opened.add(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    async listen() {
      await once(server.listen(0, "127.0.0.1"), "listening");
      return `mongodb://127.0.0.1:${server.address().port}/?directConnection=true`;
    },
    hold(bytes) {
      left = bytes;
      return new Promise((done) => (tell = done));
    },
    /** Ends what is open, and lets everything pass, to another port where one is given. */
    open(port = to) {
      [left, to] = [Number.POSITIVE_INFINITY, port];
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
  };
}

const GARDEN = `
db = db.getSiblingDB("garden");
db.teas.insertMany([
  { _id: 1, int: 1, double: Double(1), long: NumberLong(1), decimal: NumberDecimal("1.10"), at: ISODate("2024-05-01"),
    time: Timestamp(1, 2), words: /a\\/b/ims, link: DBRef("pots", 5), bytes: BinData(128, "AQI="), code: Code("f()", { a: 1 }),
    none: null, least: MinKey(), most: MaxKey(), list: [1, [Double(2)], {}], id: ObjectId(), truth: true },
  { _id: "two", "9": 1, "1": 2 }, { _id: { z: 1, a: 1 } }, { _id: ISODate("2024-05-01") }, { _id: null },
]);
db.teas.createIndex({ int: 1, long: -1 }, { unique: true, sparse: true });
db.teas.createIndex({ at: 1 }, { expireAfterSeconds: 2000000000 });
db.createCollection("log", { capped: true, size: 8192, max: 5 });
for (let n = 9; n > 0; n--) db.log.insertOne({ _id: n });
db.createCollection("checked", { validator: { price: { $type: "int" } }, validationAction: "warn" });
db.checked.insertOne({ price: "free" });
db.createView("some", "teas", [{ $match: { int: 1 } }]);
db.getSiblingDB("shop").orders.insertMany(Array.from({ length: 24000 }, (_, n) => ({ _id: n, number: n, text: "x".repeat(100) })));
`;

before(async () => {
  writeFileSync(at("fill.js"), GARDEN);
  const { code, stderr } = await quiredb(["run", at("fill.js"), "--data", at("shop.quire")]);
  assert.equal(code, 0, stderr);
});

function documentsIn(bytes) {
  const documents = [];
  for (let from = 0; from < bytes.length; from += bytes.readInt32LE(from))
    documents.push(bytes.toString("latin1", from, from + bytes.readInt32LE(from)));
  return documents;
}
const known = new Map();
/** The documents in a data file, as their bytes, by collection; only a capped collection's have an order. */
async function contentsOf(data) {
  const found = known.get(data);
  if (found !== undefined) return found;
  const server = await createServer({ port: 0, data: at(data) });
  const reader = new MongoClient(server.uri);
  const contents = {};
  for (const database of ["garden", "shop"])
    for (const { name, type } of await reader
      .db(database)
      .listCollections({ name: /^(?!system)/ })
      .toArray()) {
      if (type === "view") continue;
      const documents = await reader.db(database).collection(name).find({}, { raw: true }).toArray();
      const texts = documents.map((bytes) => bytes.toString("latin1"));
      contents[`${database}.${name}`] = name === "log" ? texts : texts.sort();
    }
  await reader.close();
  await server.close();
  if (data === "shop.quire") known.set(data, contents);
  return contents;
}

for (const version of ["mongodb6", "mongodb7"])
  test(`${version}: there and back, every byte`, async () => {
    const server = await hosted();
    const source = at("shop.quire");
    const before = readFileSync(source);
    const push = ["push", server.uri, "--data", source];
    const dry = await quiredb([...push, "--dry-run", "--shard-key", "shop.orders"], version);
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stdout, /^mongodb:\/\/127\.0\.0\.1:\d+\/ is a replica set, version 8/);
    assert.match(dry.stdout, /garden\.teas: 5 documents, 2 indexes\n/);
    assert.match(dry.stdout, /shop\.orders: shard key { _id: "hashed" }, since no index/);
    assert.match(dry.stdout, /is a replica set and no sharded cluster: .*\nnothing was written\n$/);
    const first = await quiredb(push, version);
    assert.deepEqual(
      [first.code, first.stderr.split("\n").slice(-2)],
      [0, [`24,011 documents of 4 collections, 1 view, pushed to ${server.uri}; counts and hashes agree`, ""]],
    );
    assert.ok(readFileSync(source).equals(before), "the source is only read");
    // The other verbs go the same way.
    const out = at(`${version}.bson`);
    const words = ["export", "teas", "--uri", server.uri, "--db", "garden", "--format", "bson", "--out", out];
    assert.equal((await quiredb(words, version)).code, 0);
    assert.deepEqual(documentsIn(readFileSync(out)).sort(), (await contentsOf("shop.quire"))["garden.teas"]);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith("shop.quire")),
      ["shop.quire"],
    );
    const again = await quiredb(push, version);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /has garden\.checked and 4 more already: --drop replaces what is there\n$/);

    const back = `${version}.quire`;
    const pulled = await quiredb(["pull", server.uri, "--data", at(back)], version);
    assert.equal(pulled.code, 0, pulled.stderr);
    assert.match(pulled.stderr, /pulled from .*; counts and hashes agree\n$/);
    assert.deepEqual(await contentsOf(back), await contentsOf("shop.quire"));
    const archive = at(`${version}.archive.gz`);
    const packed = await quiredb(["pull", `${server.uri}garden`, "--out", archive], version);
    assert.equal(packed.code, 0, packed.stderr);
    const from = await quiredb(["push", server.uri, archive, "--db", "garden", "--drop"], version);
    assert.equal(from.code, 0, from.stderr);
    assert.match(from.stderr, /garden\.teas: 5 documents, 2 indexes, compared\n/);
    assert.deepEqual(
      readdirSync(folder).filter((name) => /part|push|pull/.test(name)),
      [],
    );
  });

test("a push that is killed goes on where it stopped", async () => {
  const server = await hosted();
  const between = gate(server.port);
  const uri = await between.listen();
  const full = between.hold(1_500_000);
  const push = ["push", uri, "--data", at("shop.quire"), "--db", "shop"];
  const killed = start(push);
  await full;
  killed.kill("SIGKILL");
  await once(killed, "close");
  between.open();
  const far = client(server);
  const there = await far.db("shop").collection("orders").countDocuments();
  assert.ok(there > 0 && there < 24_000, `${there} documents are there`);
  const { code, stderr } = await quiredb(push);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^goes on with what was begun on .*shop\.quire\.push-\w+\n/);
  assert.match(stderr, /shop\.orders: 24,000 documents, compared\n/);
  assert.equal(await far.db("shop").collection("orders").countDocuments(), 24_000);
});

test("a push outlives its server, killed in the middle and started again", async () => {
  const data = at("far.quire");
  const first = await served(data);
  const between = gate(first.port);
  const uri = await between.listen();
  const full = between.hold(1_500_000);
  const push = start(["push", uri, "--data", at("shop.quire"), "--db", "shop"]);
  const told = text(push.stderr);
  await full;
  first.child.kill("SIGKILL");
  await once(first.child, "close");
  const second = await served(data);
  between.open(second.port);
  const [code] = await once(push, "close");
  assert.equal(code, 0, await told);
  assert.match(await told, /shop\.orders: 24,000 documents, compared\n/);
  second.child.kill("SIGTERM");
  await once(second.child, "close");
  assert.deepEqual((await contentsOf("far.quire"))["shop.orders"], (await contentsOf("shop.quire"))["shop.orders"]);
});

test("a pull that is killed goes on where it stopped", async () => {
  const server = await hosted({ data: at("live.quire") });
  await quiredb(["push", server.uri, "--data", at("shop.quire"), "--db", "shop"]);
  const between = gate(server.port);
  const uri = await between.listen();
  const pull = ["pull", `${uri.replace("/?", "/shop?")}`, "--data", at("half.quire")];
  const full = between.hold(1_500_000);
  const killed = start(pull);
  await full;
  killed.kill("SIGKILL");
  await once(killed, "close");
  between.open();
  const { code, stderr } = await quiredb(pull);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^goes on with what was begun/);
  assert.deepEqual((await contentsOf("half.quire"))["shop.orders"], (await contentsOf("shop.quire"))["shop.orders"]);
});

test("changes are followed, and a follower who is killed misses none", async () => {
  const server = await hosted();
  const far = client(server);
  const db = far.db("garden");
  await db.collection("teas").insertMany([
    { _id: 1, n: "mint" },
    { _id: 2, n: "sage" },
    { _id: 3, n: "rue" },
  ]);
  await db.collection("teas").createIndex({ n: 1 }, { unique: true });
  const words = ["pull", `${server.uri}garden`, "--data", at("follow.quire"), "--follow"];
  const first = start(words);
  await said(first.stderr, /follows mongodb:.*: Ctrl\+C ends it/);
  await db.collection("teas").updateOne({ _id: 1 }, { $set: { n: "oolong" } });
  await said(first.stderr, /1 change applied/);
  first.kill("SIGKILL");
  await once(first, "close");
  // Two names change places, which a copy meets one after the other.
  await db.collection("teas").updateOne({ _id: 1 }, { $set: { n: "" } });
  await db.collection("teas").updateOne({ _id: 2 }, { $set: { n: "oolong" } });
  await db.collection("teas").updateOne({ _id: 1 }, { $set: { n: "sage" } });
  await db.collection("teas").deleteOne({ _id: 3 });
  await db.createCollection("cups", { capped: true, size: 4096 });
  await db.collection("cups").insertMany([{ _id: 1 }, { _id: 2 }]);
  await db.collection("pots").insertOne({ _id: "a" });
  await db.collection("pots").createIndex({ a: 1 });
  await db.collection("pots").rename("jars");
  await db.collection("gone").insertOne({ _id: 1 });
  await db.collection("gone").drop();
  const second = start(words);
  const all = text(second.stderr);
  const copy = async () =>
    JSON.parse(readFileSync(at(readdirSync(folder).find((n) => n.startsWith("follow.quire.follow"))), "utf8"));
  const token = (await copy()).token;
  const end = await db.collection("jars").updateOne({ _id: "a" }, { $set: { last: true } });
  assert.equal(end.modifiedCount, 1);
  while ((await copy()).token === token) await new Promise((next) => setImmediate(next));
  second.kill("SIGINT");
  const [code] = await once(second, "close");
  assert.equal(code, 0, await all);
  assert.match(await all, /stopped; the same command goes on where it stopped\n$/);
  const check = `db = db.getSiblingDB("garden"); print(EJSON.stringify([db.teas.find().sort({ _id: 1 }).toArray(), db.getCollectionNames().sort(),
    db.cups.isCapped(), db.jars.getIndexes().length, db.teas.getIndexes().length, db.jars.findOne()]))`;
  writeFileSync(at("check.js"), check);
  const { stdout } = await quiredb(["run", at("check.js"), "--data", at("follow.quire")]);
  assert.deepEqual(JSON.parse(stdout), [
    [
      { _id: 1, n: "sage" },
      { _id: 2, n: "oolong" },
    ],
    ["cups", "jars", "teas"],
    true,
    2,
    2,
    { _id: "a", last: true },
  ]);
});

describe("mistakes", { concurrency: true }, () => {
  let closed;
  before(async () => {
    writeFileSync(at("small.js"), 'db.getSiblingDB("garden").teas.insertOne({ _id: 1 })');
    await quiredb(["run", at("small.js"), "--data", at("small.quire")]);
    closed = await hosted({ user: "ada", password: "secret" });
  });

  const wait = "serverSelectionTimeoutMS=2000";
  for (const [name, words, message] of [
    [
      "a wrong password",
      () => [closed.uri.replace("secret", "secreet")],
      /refuses this user and password: is each spelt right\?/,
    ],
    [
      "no user",
      () => [`mongodb://127.0.0.1:${closed.port}/`],
      /the address needs a user that may do that \(mongodb:\/\/USER:PASSWORD@HOST\/\)/,
    ],
    [
      "nothing listens",
      () => [`mongodb://127.0.0.1:1/?${wait}`],
      /ECONNREFUSED.*\(nothing listens there: is the server started/,
    ],
    ["a host that is not there", () => [`mongodb://nosuch.invalid/?${wait}`], /nosuch\.invalid.* cannot be reached: /],
    [
      "an option of the address",
      () => ["mongodb://127.0.0.1:1/?retryWritez=true"],
      /option retrywritez is not supported/,
    ],
    ["a misspelt database", () => [closed.uri, "--db", "gardn"], /\.quire has no database gardn: is garden meant\?/],
    [
      "a key for no collection",
      () => [closed.uri, "--shard-key", "shop.order"],
      /--shard-key names shop\.order, and there is no such collection/,
    ],
  ])
    test(`${name} is told in one line`, async () => {
      // A file is one process's at a time.
      const data = at(`${name.replaceAll(" ", "-")}.quire`);
      copyFileSync(at("small.quire"), data);
      const { code, stdout, stderr } = await quiredb(["push", ...words(), "--data", data]);
      assert.deepEqual([code, stdout, stderr.trimEnd().split("\n").length], [2, "", 1], stderr);
      assert.match(stderr, /^quiredb: /);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /secre/);
    });

  test("pull names what is misspelt, and leaves no file behind", async () => {
    const { code, stderr } = await quiredb(["pull", closed.uri, "--db", "nothing", "--data", at("none.quire")]);
    assert.equal(code, 2);
    assert.match(stderr, /^quiredb: mongodb:\/\/\*\*\*@.* has no database nothing\n$/);
    const dry = await quiredb(["pull", closed.uri, "--dry-run", "--data", at("none.quire")]);
    assert.match(dry.stderr, /has no collections: there is nothing to copy/);
    assert.equal(existsSync(at("none.quire")), false);
  });
});
