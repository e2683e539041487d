/**
 * The series bench: readings of twenty sensors in a time series, and as a document each with an index on sensor and
 * time, in one process and in turns: the pages of both, the load, and the hourly averages of thirty days.
 *
 * `node benches/series.mjs [--count N] [--package FILE.tgz]` after `cargo xtask build`. Every average is checked against
 * the readings. It ends with code 1 where the time series takes more than a fifth of the pages.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exported, IN_NODE, unpack } from "./peers/packed.mjs";

const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : process.argv[at + 1];
};
const count = Number(option("--count", 1_000_000));
const folder = mkdtempSync(join(tmpdir(), "quire-series-"));
const quiredb = unpack(option("--package", fileURLToPath(new URL("../pkg", import.meta.url))), folder);
const { MongoClient } = await import(pathToFileURL(join(quiredb.root, exported(quiredb, "quiredb", IN_NODE))).href);

const SENSORS = 20;
const BATCH = 10_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BEGIN = Date.UTC(2025, 0, 1);
const FROM = BEGIN + 48 * HOUR;
const UNTIL = FROM + 30 * 24 * HOUR;
const ROUNDS = 5;
const MOST = 0.2;

/** Readings in the order in which they come: each sensor wanders by tenths, a minute after the other. */
function* readings() {
  let state = 5;
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const last = Array.from({ length: SENSORS }, () => 200);
  for (let n = 0; n < count; n += 1) {
    const sensor = n % SENSORS;
    last[sensor] += random(5) - 2;
    const at = BEGIN + Math.floor(n / SENSORS) * MINUTE;
    yield { at, sensor, temperature: last[sensor] / 10, humidity: 40 + random(9) };
  }
}

const open = async (name, options) => {
  const client = await MongoClient.connect(`quire://${name}`, { thread: "this" });
  await client.db("house").createCollection("readings", options);
  return { client, collection: client.db("house").collection("readings"), load: 0, hourly: [] };
};
const each = await open("each", {});
await each.collection.createIndex({ sensor: 1, at: 1 });
const series = await open("series", {
  timeseries: { timeField: "at", metaField: "sensor", granularity: "minutes" },
});
/** Milliseconds of the processor: what else the machine does is not counted. */
const timed = async (work) => {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
};

const wanted = new Map();
let batch = [];
const insert = async () => {
  for (const one of [each, series]) {
    const documents = batch.map((reading) => ({ ...reading, at: new Date(reading.at) }));
    one.load += await timed(() => one.collection.insertMany(documents));
  }
  batch = [];
};
for (const reading of readings()) {
  batch.push(reading);
  if (reading.at >= FROM && reading.at < UNTIL) {
    const hour = reading.at - (reading.at % HOUR);
    const group = wanted.get(hour) ?? { sum: 0, count: 0 };
    group.sum += reading.temperature;
    group.count += 1;
    wanted.set(hour, group);
  }
  if (batch.length === BATCH) await insert();
}
if (batch.length > 0) await insert();

const pipeline = [
  { $match: { at: { $gte: new Date(FROM), $lt: new Date(UNTIL) } } },
  { $group: { _id: { $dateTrunc: { date: "$at", unit: "hour" } }, average: { $avg: "$temperature" } } },
];
for (let round = 0; round < ROUNDS; round += 1)
  for (const one of [each, series]) {
    let found = [];
    one.hourly.push(await timed(async () => (found = await one.collection.aggregate(pipeline).toArray())));
    const isRight = ({ _id, average }) => {
      const group = wanted.get(_id.getTime());
      return group !== undefined && Math.abs(average - group.sum / group.count) < 1e-9;
    };
    if (found.length !== wanted.size || !found.every(isRight)) throw new Error("the averages are wrong");
  }

const median = (times) => times.toSorted((left, right) => left - right)[times.length >> 1];
const stats = async (one, name) => {
  const { storageSize, totalIndexSize } = await one.client.db("house").command({ collStats: name });
  return [storageSize / 16_384, totalIndexSize / 16_384];
};
const [eachPages, eachIndex] = await stats(each, "readings");
const [seriesPages, seriesIndex] = await stats(series, "system.buckets.readings");
const line = (name, left, right, digits = 0) =>
  console.log(
    `${name.padEnd(34)}${left.toFixed(digits).padStart(10)}${right.toFixed(digits).padStart(12)}${((100 * right) / left).toFixed(1).padStart(9)} %`,
  );
console.log(`${count} readings of ${SENSORS} sensors`.padEnd(34) + "  one each time series    ratio");
const pages = [eachPages + eachIndex, seriesPages + seriesIndex];
line("pages of documents", eachPages, seriesPages);
line("pages of indexes", eachIndex, seriesIndex);
line("pages in all", ...pages);
line("load, ms", each.load, series.load);
line("hourly averages of 30 days, ms", median(each.hourly), median(series.hourly));
for (const { client } of [each, series]) await client.close();
rmSync(folder, { recursive: true, force: true });
const share = pages[1] / pages[0];
console.log(`a fifth of the pages at most: ${share <= MOST ? "met" : "NOT MET"}`);
if (share > MOST) process.exitCode = 1;
