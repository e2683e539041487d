/** Each index that is advised over the real engine can be made as it is worded, and the same command then uses it. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { listCollections } from "../src/client/catalog.ts";
import { documentsWord, sentencesOf } from "../src/messages/xray/insight-sentence.ts";
import { insightMessagesOf } from "../src/messages/xray/insight-words.ts";
import { openSandboxed } from "../src/pkg/docs/sandboxed.ts";
import { decodeCommand, decodeObservation } from "../src/state/decode.ts";
import { judge } from "../src/state/doubts/judge.ts";
import { mendingIn } from "../src/state/doubts/places.ts";
import { errorMend } from "../src/state/error-mends.ts";
import { countedIn, readInsight, type Reading } from "../src/state/insight.ts";
import { mended } from "../src/state/mending.ts";
import { readPlan, type Plan } from "../src/state/plan.ts";
import { readerNamespace } from "../src/state/series.ts";
import { compareIndexes } from "../src/state/xray/compare.ts";
import { patternOf, wordCreateIndexes } from "../src/state/xray/index-key.ts";

const file = (name: string) => (): Uint8Array => readFileSync(new URL(`../wasm/${name}`, import.meta.url));
let client: Awaited<ReturnType<typeof openSandboxed>>;
beforeEach(async () => {
  client = await openSandboxed(20_000, {
    engineWasm: file("quire_bg.wasm"),
    sandboxWasm: file("sandbox.wasm"),
    languagesWasm: file("languages.wasm"),
  });
  return () => client.close();
});

async function run(source: string) {
  const { error, value } = await client.run(source, { database: "shop", observed: true }).outcome;
  if (error !== null) throw new Error(error.message);
  return value;
}

/** The command of a script's last statement, which must give a cursor, and how the command was answered. */
async function readOf(source: string) {
  const value = await run(source);
  const seen = value?.kind === "cursor" ? decodeObservation(value) : null;
  const plan: Plan | null = readPlan(seen?.explain);
  if (value?.kind !== "cursor" || plan === null) throw new Error(`no plan: ${source}`);
  const reading: Reading = readInsight(plan, countedIn(seen?.observed));
  return { plan, reading, command: decodeCommand(value) };
}

/** Follows the advice on a script's last line, in a script and on a fork; tells the call that was advised. */
async function follow(preparing: string, read: string): Promise<string | null> {
  const { plan, reading, command } = await readOf(preparing + read);
  const { suggestion } = reading;
  if (suggestion === null) return null;
  const [database = "", ...rest] = readerNamespace(plan.namespace ?? "").split(".");
  const keys = suggestion.keys.map(patternOf);
  const tried = await compareIndexes(client, command, { database, collection: rest.join("."), keys });
  expect(tried.unused).toEqual([]);
  const call = wordCreateIndexes(suggestion);
  await run(call);
  const after = await readOf(read);
  expect(after.reading.indexes.length).toBeGreaterThan(0);
  expect(after.reading.suggestion).toBeNull();
  return call;
}

describe("of a time series", () => {
  const series = `db.createCollection("ts", { timeseries: { timeField: "at", metaField: "sensor" } });
    db.ts.insertMany([...Array(60).keys()].map((v) =>
      ({ at: new Date(1e12 + Math.floor(v / 20) * 1e8), sensor: { id: v % 20, "room.no": 1 }, v })));\n`;
  it.each<[string, string | null]>([
    ['db.ts.find({ "sensor.id": 2 }).limit(5)', 'db.ts.createIndex({ "sensor.id": 1 })'],
    // A series has an index of its meta field from the first.
    ["db.ts.find({ sensor: { id: 2 } })", null],
    ['db.ts.aggregate([{ $match: { "sensor.id": { $in: [2, 3] } } }])', 'db.ts.createIndex({ "sensor.id": 1 })'],
    [
      'db.ts.find({ $or: [{ "sensor.id": 2 }, { "sensor.kind": "x" }] })',
      'db.ts.createIndexes([{ "sensor.id": 1 }, { "sensor.kind": 1 }])',
    ],
    ["db.ts.find({ v: 2 })", null],
    ["db.ts.find({ at: { $gt: new Date(1e12 + 1e7) } })", null],
    ['db.getCollection("system.buckets.ts").find({ "meta.id": 2 })', null],
  ])("%s", async (read, call) => expect(await follow(series, read)).toBe(call));

  it.each([
    [
      "db.ts.find().sort({ v: 1 })",
      "Every bucket was read, 60 in all. 60 readings were unpacked. 60 documents were sorted in memory.",
    ],
    // No bucket tells that it has no place: all are read, and not all was wanted.
    [
      'db.ts.aggregate([{ $geoNear: { near: [0, 0], key: "v", distanceField: "away" } }])',
      "Every bucket was read, 60 in all. 60 readings were unpacked. 0 documents were sorted in memory.",
    ],
    ["db.ts.find().limit(5)", "Only the first 5 buckets in stored order had to be read. 5 readings were unpacked."],
    [
      "db.ts.find({ v: 2 })",
      "Every bucket was read, 60 in all, of which 1 could match: no index helps this query. " +
        "Unpacked, 1 reading matched.",
    ],
    [
      'db.ts.find({ "sensor.id": 2 }).sort({ v: 1 })',
      "Every bucket was read, 60 in all, of which 3 could match: no index helps this query. " +
        "3 readings were unpacked. 3 documents were sorted in memory.",
    ],
    [
      "db.ts.find({ at: { $gt: new Date(1e12 + 15e7) } })",
      "The series lies in the order of time: 20 buckets read. Unpacked, 20 readings matched.",
    ],
    [
      'db.ts.find({ sensor: { id: 2, "room.no": 1 } })',
      "The index sensor_1_at_1 led to 3 buckets. 3 readings were unpacked.",
    ],
  ])("is told in buckets and readings: %s", async (read, sentence) => {
    const { reading } = await readOf(series + read);
    expect(sentencesOf(reading, insightMessagesOf("en"), String).join(" ")).toBe(sentence);
    expect(documentsWord(reading, insightMessagesOf("en"))("2")).toBe("2 buckets");
    const chinese = sentencesOf(reading, insightMessagesOf("zh-Hans"), String).join("");
    expect(chinese).toMatch(/个桶.*条读数/);
  });

  it("says nothing of readings where no bucket could match", async () => {
    const { reading } = await readOf(`${series}db.ts.find({ "sensor.id": 99 })`);
    expect(sentencesOf(reading, insightMessagesOf("en"), String)).toEqual([
      "Every bucket was read, 60 in all, of which 0 could match: no index helps this query.",
    ]);
  });

  it.each([
    ['db.ts.find({ "metaField.id": 1 })', "metaField.id", "sensor.id"],
    ['db.ts.find({ "meta.id": 1 })', "meta.id", "sensor.id"],
    ["db.ts.find({ meta: 1 })", "meta", "sensor"],
    ["db.ts.find().sort({ timeField: 1 })", "timeField", "at"],
    ["db.ts.aggregate([{ $match: { metaField: 1 } }])", "metaField", "sensor"],
  ])("has its own names for what its options name: %s", async (read, path, similar) => {
    const { command } = await readOf(series + read);
    const { doubts } = await judge(client, command, true);
    expect(doubts).toMatchObject([{ kind: "unknown-path", path, similar }]);
    expect(mendingIn(read, doubts[0]?.change == null ? [] : [doubts[0].change])?.text).toContain(similar);
  });

  it("counts its readings in the catalog", async () => {
    await run(`${series}db.ts.deleteMany({ "sensor.id": 2 })`);
    expect(await listCollections(client, "shop")).toMatchObject([{ name: "ts", type: "timeseries", count: 57 }]);
  });
});

describe("of places within a shape", () => {
  const places = `db.p.insertMany([...Array(40).keys()].map((n) => ({ n: n % 3,
    at: { type: "Point", coordinates: [13 + n / 2, 52] }, legacy: [13 + n / 2, 52] })));\n`;
  const square = "{ type: 'Polygon', coordinates: [[[12, 51], [14, 51], [14, 53], [12, 53], [12, 51]]] }";
  it.each<[string, string | null]>([
    ["db.p.find({ at: { $geoWithin: { $centerSphere: [[13, 52], 0.01] } } })", 'db.p.createIndex({ at: "2dsphere" })'],
    [`db.p.find({ at: { $geoWithin: { $geometry: ${square} } } })`, 'db.p.createIndex({ at: "2dsphere" })'],
    [`db.p.find({ at: { $geoIntersects: { $geometry: ${square} } } })`, 'db.p.createIndex({ at: "2dsphere" })'],
    [
      `db.p.find({ n: 1, legacy: { $geoWithin: { $geometry: ${square} } } })`,
      'db.p.createIndex({ n: 1, legacy: "2dsphere" })',
    ],
    [
      `db.p.aggregate([{ $match: { $or: [{ n: 7 }, { at: { $geoWithin: { $geometry: ${square} } } }] } }])`,
      'db.p.createIndexes([{ n: 1 }, { at: "2dsphere" }])',
    ],
    ["db.p.find({ at: { $geoWithin: { $box: [[12, 51], [14, 53]] } } })", null],
  ])("%s", async (read, call) => expect(await follow(places, read)).toBe(call));
});

describe("of a search for the nearest", () => {
  const places = `db.p.createIndex({ at: "2dsphere" });
    db.p.insertMany([...Array(40).keys()].map((n) =>
      ({ n: n % 3, at: { type: "Point", coordinates: [13 + n / 2, 52] } })));\n`;
  const near = "at: { $near: { $geometry: { type: 'Point', coordinates: [13, 52] } } }";
  it("says what all of its rings read and found", async () => {
    const all = (await readOf(`${places}db.p.find({ ${near} }).limit(9)`)).reading;
    expect(all).toMatchObject({ verdict: "exact-keys", returned: 9, documents: all.documentsExamined });
    const some = (await readOf(`db.p.find({ ${near}, n: 1 }).limit(9)`)).reading;
    expect(some).toMatchObject({ verdict: "index-and-more", found: 9, returned: 9 });
    expect(some.documents).toBeGreaterThan(9);
    // The filter looks again at documents that a ring opened: no document is told twice.
    expect(some.documents).toBeLessThanOrEqual(40);
  });

  it("says the same of the branches of an $or", async () => {
    const branches = `db.o.createIndex({ a: 1 }); db.o.createIndex({ b: 1 });
      db.o.insertMany([...Array(40).keys()].map((n) => ({ a: n, b: n % 7, c: n % 3 })));
      db.o.find({ $or: [{ a: { $lt: 3 }, c: 1 }, { b: 3, c: 2 }] })`;
    expect((await readOf(branches)).reading).toMatchObject({ verdict: "index-and-more", documents: 9, found: 3 });
  });
});

describe("of a query that is refused without an index", () => {
  const filled = `db.leg.insertMany([{ loc: [13, 52], text: "a cat" }, { loc: [1, 2] }]);
    db.round.createIndex({ at: "2dsphere" }); db.round.insertOne({ at: { type: "Point", coordinates: [13, 52] } });\n`;
  it.each([
    "db.leg.find({ loc: { $near: [13, 52] } })",
    "db.leg.find({ loc: { $nearSphere: [13, 52] } })",
    "db.leg.find({ loc: { $near: { $geometry: { type: 'Point', coordinates: [13, 52] } } } })",
    "db.leg.find({ loc: { $near: { x: 13, y: 52 } } })",
    "db.leg.updateMany({ loc: { $near: [13, 52] } }, { $set: { a: 1 } })",
    "db.leg.aggregate([{ $geoNear: { near: [13, 52], key: 'loc', distanceField: 'd' } }])",
    "db.round.find({ at: { $near: [13, 52] } })",
    "db.leg.find({ $text: { $search: 'cat' } })",
  ])("%s", async (read) => {
    await run(filled);
    const { error, failed } = await client.run(read, { database: "shop" }).outcome;
    if (error === null) throw new Error("it was not refused");
    const indexes = [{ collection: "round", key: { at: "2dsphere" } }];
    const mend = errorMend(error, read, failed, { collections: [], updateOperators: [], indexes });
    expect(mend).not.toBeNull();
    if (mend !== null) await run(mended(read, read, { line: 0, column: 0 }, mend.mending) ?? "");
  });
});

describe("of a search for words that finds none to look for", () => {
  const notes = `db.notes.createIndex({ t: "text" }); db.notes.insertOne({ t: "the cat", a: 1 });\n`;
  it.each([
    ["db.notes.find({ $text: { $search: 'the' } })", "stop-words", "“the”: those are stop words"],
    ["db.notes.find({ $text: { $search: 'of The' }, a: 1 })", "stop-words", "“of The”: those are stop words"],
    ["db.notes.find({ $text: { $search: '-cat' } })", "excluded-words", "“-cat”: a word with - before it"],
    ["db.notes.find({ $text: { $search: '' } })", "nothing", "Nothing had to be read"],
    [
      `db.notes.aggregate([{ $match: { $text: { $search: "the" }, a: 1 } },
        { $sort: { s: { $meta: "textScore" } } }])`,
      "stop-words",
      "“the”",
    ],
  ])("%s", async (read, verdict, sentence) => {
    const { reading } = await readOf(notes + read);
    expect(reading).toMatchObject({ verdict, suggestion: null });
    expect(sentencesOf(reading, insightMessagesOf("en"), String)[0]).toContain(sentence);
  });

  it("but not where one of its words is looked for, or it is not planned to be empty", async () => {
    for (const read of ["db.notes.find({ $text: { $search: 'the dog' } })", "db.none.find({ a: 'the' })"])
      expect((await readOf(notes + read)).reading.verdict).not.toMatch(/words/);
  });
});
