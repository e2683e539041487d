/**
 * The garden products through MongoDB's Node driver and the package's server, beside `MongoClient` in process; and what
 * a server of `quiredb/testing` costs. Medians of rounds, through the exports of the packed package.
 *
 *     node server.mjs --package=FILE [--rounds=3] [--count=100000] [--budget=1000]
 *
 * `thread` has the engine in a thread of its own, as `npx quiredb serve` has it, `here` in the thread of the driver.
 * Each operation is awaited before the next. A wrong answer is an error. `QUIRE_TOOLCHAINS` has the driver, as
 * `mongodb7`.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exported, IN_NODE, unpack } from "./packed.mjs";
import { makeProducts } from "./src/products.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const rounds = Number(given.rounds ?? 3);
const count = Number(given.count ?? 100000);
const budget = Number(given.budget ?? 1000);
const SERVERS = 100;

const quiredb = unpack(given.package, join(here, "dist", "packed"));
const of = (specifier) => import(pathToFileURL(join(quiredb.root, exported(quiredb, specifier, IN_NODE))).href);
const tools = process.env.QUIRE_TOOLCHAINS ?? fileURLToPath(new URL("../../target/toolchains", import.meta.url));
const { resolve } = createRequire(join(tools, "package.json"));
const driver = await import(pathToFileURL(resolve("mongodb7")).href);

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const must = (holds, what) => {
  if (!holds) throw new Error(`wrong answer: ${what}`);
};

/** The ways to the engine: each gives a client and how to end all. */
const WAYS = {
  async "driver, thread"() {
    const { createServer } = await of("quiredb/server");
    const server = await createServer({ port: 0 });
    const client = await new driver.MongoClient(server.uri).connect();
    return { client, end: () => client.close().then(() => server.close()) };
  },
  async "driver, here"() {
    const { createServer } = await of("quiredb/server");
    const server = await createServer({ port: 0, thread: "this" });
    const client = await new driver.MongoClient(server.uri).connect();
    return { client, end: () => client.close().then(() => server.close()) };
  },
  async "in process"() {
    const { MongoClient } = await of("quiredb");
    const client = await new MongoClient("quire://bench", { storage: "memory" }).connect();
    return { client, end: () => client.close() };
  },
};

/** How often a second, awaited one by one, once the code is compiled. */
async function rate(operation) {
  for (const begun = performance.now(); performance.now() - begun < budget / 2; ) await operation(0);
  const begun = performance.now();
  let done = 0;
  for (; performance.now() - begun < budget; done += 1) await operation(done);
  return (done / (performance.now() - begun)) * 1000;
}

async function measured(open) {
  const { client, end } = await open();
  const products = client.db("bench").collection("products");
  const documents = makeProducts(count, 1).map((product, _id) => ({ ...product, _id, seen: 0 }));
  const begun = performance.now();
  await products.insertMany(documents);
  const insertMany = (count / (performance.now() - begun)) * 1000;
  must((await products.countDocuments()) === count, "insertMany");
  const id = (turn) => (turn * 7919) % count;
  const findOne = await rate(async (turn) =>
    must((await products.findOne({ _id: id(turn) }))._id === id(turn), "findOne"),
  );
  const inc = await rate((turn) => products.updateOne({ _id: id(turn) }, { $inc: { seen: 1 } }));
  const read = performance.now();
  must((await products.find().toArray()).length === count, "find");
  const find = (count / (performance.now() - read)) * 1000;
  const stages = [{ $group: { _id: { $mod: ["$_id", 40] }, n: { $sum: 1 }, seen: { $sum: "$seen" } } }];
  const aggregate = await rate(async () =>
    must((await products.aggregate(stages).toArray()).length === 40, "aggregate"),
  );
  await end();
  return {
    "insertMany, documents/s": insertMany,
    "find all, documents/s": find,
    "findOne, 1/s": findOne,
    "$inc, 1/s": inc,
    "aggregate of all, 1/s": aggregate,
  };
}

/** Startup and memory of servers for test suites, in a process of its own. */
async function servers() {
  const { MongoMemoryServer } = await of("quiredb/testing");
  const ping = async (server) => {
    const client = new driver.MongoClient(server.getUri());
    await client.db("admin").command({ ping: 1 });
    return client;
  };
  const timed = async () => {
    const begun = performance.now();
    const server = await MongoMemoryServer.create();
    const started = performance.now() - begun;
    const client = await ping(server);
    const answered = performance.now() - begun;
    await client.close();
    await server.stop();
    return { started, answered };
  };
  const first = await timed();
  const warm = [];
  for (let turn = 0; turn < 11; turn += 1) warm.push(await timed());
  const memory = () => {
    globalThis.gc();
    return process.memoryUsage().rss / 2 ** 20;
  };
  const before = memory();
  const begun = performance.now();
  const all = await Promise.all(Array.from({ length: SERVERS }, () => MongoMemoryServer.create()));
  const took = performance.now() - begun;
  const each = (memory() - before) / SERVERS;
  const clients = await Promise.all(all.map(ping));
  const withClient = (memory() - before) / SERVERS;
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all(all.map((server) => server.stop()));
  const ms = (number) => `${number.toFixed(1)} ms`;
  console.log(`first server of a process: ${ms(first.started)}, to the first ping ${ms(first.answered)}`);
  const of11 = (name) => ms(median(warm.map((one) => one[name])));
  console.log(`a server in a warm process: ${of11("started")}, to the first ping ${of11("answered")}`);
  console.log(
    `${SERVERS} servers: ${ms(took)}, ${each.toFixed(2)} MB each, ${withClient.toFixed(2)} MB with a client each`,
  );
}

if (given.part === "servers") {
  await servers();
} else {
  const rows = new Map();
  for (let round = 0; round < rounds; round += 1)
    for (const [way, open] of Object.entries(WAYS).sort(() => Math.random() - 0.5))
      for (const [row, value] of Object.entries(await measured(open))) {
        const values = rows.get(row) ?? new Map();
        values.set(way, [...(values.get(way) ?? []), value]);
        rows.set(row, values);
      }
  const ways = Object.keys(WAYS);
  console.log(`${["", ...ways].map((way, at) => (at === 0 ? way.padEnd(24) : way.padStart(16))).join("")}`);
  for (const [row, values] of rows) {
    const cells = ways.map((way) =>
      Math.round(median(values.get(way)))
        .toLocaleString("en")
        .padStart(16),
    );
    console.log(`${row.padEnd(24)}${cells.join("")}`);
  }
  const own = process.argv.slice(1).concat("--part=servers");
  const done = spawnSync(process.execPath, ["--expose-gc", ...own], { stdio: "inherit" });
  process.exitCode = done.status ?? 1;
}
