/** What errors tell in the real sandbox over the real engine, whose words the hints and facts are read from. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { openSandboxed } from "../src/pkg/docs/sandboxed.ts";
import type { ScriptError } from "../src/protocol/run.ts";
import { errorFacts, type ErrorFacts } from "../src/state/error-facts.ts";
import { errorHint } from "../src/state/hints.ts";
import { sqlAt } from "../src/state/sql/select.ts";
import * as names from "../src/view/editor/shell-words.ts";

const file = (name: string) => (): Uint8Array => readFileSync(new URL(`../wasm/${name}`, import.meta.url));
let client: Awaited<ReturnType<typeof openSandboxed>>;
beforeEach(async () => {
  client = await openSandboxed(20_000, { engineWasm: file("quire_bg.wasm"), sandboxWasm: file("sandbox.wasm") });
  return () => client.close();
});

async function failure(source: string): Promise<ScriptError> {
  const { error } = await client.run(source, { database: "shop" }).outcome;
  if (error === null) throw new Error(`it did not fail: ${source}`);
  return error;
}
const facts = async (source: string): Promise<ErrorFacts | null> => errorFacts(await failure(source));

describe("a duplicate key", () => {
  const taken = "db.users.createIndex({ email: 1 }, { unique: true }); db.users.insertOne({ _id: 1, email: 'a' });\n";
  it.each([
    ["db.users.insertOne({ _id: 2, email: 'a' })", { place: null, document: { email: "a" } }],
    ["db.users.insertMany([{ email: 'b' }, { email: 'a' }])", { place: 1, others: 0, document: { email: "a" } }],
    ["db.users.insertMany([{ email: 'a' }, { email: 'a' }], { ordered: false })", { place: 0, others: 1 }],
    [
      "db.users.insertOne({ email: 'b' }); db.users.updateOne({ email: 'b' }, { $set: { email: 'a' } })",
      { document: { q: { email: "b" }, u: { $set: { email: "a" } } } },
    ],
    ["db.users.insert({ email: 'a' })", { document: { email: "a" } }],
    ["db.users.bulkWrite([{ insertOne: { document: { email: 'a' } } }])", { place: 0, document: { email: "a" } }],
    [
      "db.users.findOneAndUpdate({ _id: 5 }, { $set: { email: 'a' } }, { upsert: true })",
      { namespace: "shop.users", document: null },
    ],
  ])("%s", async (source, expected) =>
    expect(await facts(taken + source)).toMatchObject({
      kind: "duplicate",
      namespace: "shop.users",
      index: "email_1",
      values: [["email", "a"]],
      building: false,
      ...expected,
    }),
  );

  it("under an index that is being made", async () =>
    expect(
      await facts("db.users.insertMany([{ a: 1 }, { a: 1 }])\ndb.users.createIndex({ a: 1 }, { unique: true })"),
    ).toMatchObject({ kind: "duplicate", building: true, namespace: "shop.users", index: "a_1" }));
});

it("an invalid document names each rule", async () => {
  const schema = `db.createCollection("herbs", { validator: { $jsonSchema: {
    required: ["name"], additionalProperties: false, properties: { _id: {}, name: {},
    year: { bsonType: "int" }, tags: { items: { bsonType: "string" } } } } } });\n`;
  expect(await facts(`${schema}db.herbs.insertOne({ _id: 1, year: "x", tags: ["a", 5], odd: 1 })`)).toMatchObject({
    kind: "invalid",
    namespace: "shop.herbs",
    faults: [
      { kind: "type", path: "year", wanted: ["int"], found: "string" },
      { kind: "type", path: "tags.1", wanted: ["string"], found: "int" },
      { kind: "extra", path: "odd" },
      { kind: "missing", path: "name" },
    ],
  });
});

describe("hints read the engine's words", () => {
  it.each([
    ["db.users.fnid()", { wrong: "fnid", right: "find" }],
    ["db.users.find().sotr({ a: 1 })", { wrong: "sotr", right: "sort" }],
    ["pritn(1)", { wrong: "pritn", right: "print" }],
    ["db.users.find({ a: { $gtt: 1 } })", { right: "$gt" }],
    ["db.users.find({ $orr: [] })", { right: "$or" }],
    ["db.users.updateOne({}, { $sett: { a: 1 } })", { right: "$set" }],
    ["db.users.aggregate([{ $mach: {} }])", { right: "$match" }],
    ["db.users.aggregate([{ $group: { _id: 1, n: { $summ: 1 } } }])", { right: "$sum" }],
    ["db.users.aggregate([{ $project: { n: { $concatt: [] } } }])", { right: "$concat" }],
    ["db.users.aggregate([{ $setWindowFields: { output: { n: { $rnak: {} } } } }])", { right: "$rank" }],
    ["db.fnid()", { kind: "of-collection" }],
    ["db.users.insertOne({}); db.users.find({ a: { $near: [0, 0] } })", { kind: "geo-index" }],
    ["db.users.insertOne({}); db.users.aggregate([{ $geoNear: { near: [0, 0] } }])", { kind: "geo-index" }],
    ["db.users.aggregate([{ $searchMeta: {} }])", { kind: "unsupported", name: "$searchMeta" }],
    ["db.users.createIndex({ a: '2dsphere_bucket' })", { kind: "unsupported", name: "2dsphere_bucket" }],
  ])("%s", async (source, hint) => {
    const error = await failure(`print(1)\n${source}`);
    expect(errorHint(error, source, names)).toMatchObject(hint);
    expect(error.line).toBe(2);
  });
});

it("what SELECT becomes gives what it asks for", async () => {
  const rows = "[{ kind: 'a', n: 1 }, { kind: 'a', n: 2 }, { kind: 'b', n: 3 }, { kind: 'b', n: null, note: 'x%' }]";
  await client.run(`db.t.insertMany(${rows})`, { database: "shop" }).outcome;
  const cases: readonly (readonly [string, unknown])[] = [
    [
      "SELECT kind, n FROM t WHERE n BETWEEN 2 AND 3 ORDER BY n DESC",
      [
        { kind: "b", n: 3 },
        { kind: "a", n: 2 },
      ],
    ],
    ["SELECT n AS number FROM t WHERE kind LIKE 'A%' OR kind ILIKE 'A'", [{ number: 1 }, { number: 2 }]],
    ["SELECT COUNT(n) FROM t", 3],
    ["SELECT COUNT(*) FROM t WHERE NOT (kind = 'a')", 2],
    ["SELECT DISTINCT kind FROM t WHERE n IS NOT NULL", ["a", "b"]],
    [
      "SELECT kind, COUNT(*) AS c, SUM(n) s, COUNT(n) FROM t GROUP BY kind HAVING SUM(n) > 1 ORDER BY kind",
      [
        { kind: "a", c: 2, s: 3, count_n: 2 },
        { kind: "b", c: 2, s: 3, count_n: 1 },
      ],
    ],
    ["SELECT MIN(n), MAX(n), AVG(n) FROM t WHERE n > 1", [{ min_n: 2, max_n: 3, avg_n: 2.5 }]],
    ["SELECT note FROM t WHERE note LIKE 'x_' LIMIT 1", [{ note: "x%" }]],
  ];
  for (const [sql, expected] of cases) {
    const query = sqlAt(sql, { line: 1, column: 1 })?.query ?? "";
    const source = `const r = ${query}; JSON.stringify(r.toArray ? r.toArray() : r)`;
    const { value, error } = await client.run(source, { database: "shop" }).outcome;
    expect(error?.text, query).toBeUndefined();
    const { value: text } = value.kind === "value" ? decode(value.bytes) : {};
    expect(JSON.parse(String(text)), sql).toEqual(expected);
  }
});

it.each([
  ["db.teas.find().lmit(3)", "db.teas.find(...).lmit"],
  ["db.teas.find()\n  .lmit(3)", "db.teas.find(...).lmit"],
  ["db.teas.find().\n  lmit(3)", "db.teas.find(...).lmit"],
  [
    "const all = db.teas\n  .find({ note: ')' }) // all\n  .sort({ a: 1 })\n  .lmit(3)",
    "db.teas.find(...).sort(...).lmit",
  ],
  ["use shop\nawait db.teas.find()\n  .lmit(3)", "db.teas.find(...).lmit"],
])("a chain is named as far as it was read: %j", async (source, callee) => {
  const error = await failure(source);
  expect(error.message).toBe(`${callee} is not a function`);
  expect(errorHint(error, source, names)).toEqual({ kind: "similar", wrong: "lmit", right: "limit" });
});

describe("hints on names that the engine refuses without another", () => {
  const point = (type: string) => `{ type: "${type}", coordinates: [1, 2] }`;
  it.each<[string, string, string]>([
    ['db.createCollection("h", { timeseries: { timefield: "at" } })', "timefield", "timeField"],
    ['db.createCollection("h", { timeseries: { timeField: "at", metafield: "x" } })', "metafield", "metaField"],
    ['db.createCollection("h", { timeseries: { time: "at" } })', "time", "timeField"],
    ['db.createCollection("h", { timeSeries: { timeField: "at" } })', "timeSeries", "timeseries"],
    ['db.createCollection("h", { time_series: { timeField: "at" } })', "time_series", "timeseries"],
    ['db.createCollection("h", { timeseries: { timeField: "at", granularity: "minute" } })', "minute", "minutes"],
    ['db.createCollection("h", { validationLevel: "Strict" })', "Strict", "strict"],
    ['db.h.createIndex({ a: "2dSphere" })', "2dSphere", "2dsphere"],
    ['db.h.createIndex({ a: "2dshpere" })', "2dshpere", "2dsphere"],
    ['db.h.createIndex({ a: "Text" })', "Text", "text"],
    [`db.h.find({ a: { $near: { $geometry: ${point("Point")}, $maxdistance: 5 } } })`, "$maxdistance", "$maxDistance"],
    ["db.h.find({ a: { $near: [1, 2], $maxDistence: 5 } })", "$maxDistence", "$maxDistance"],
    ["db.h.find({ a: { $geoWithin: { $centersphere: [[1, 2], 1] } } })", "$centersphere", "$centerSphere"],
    ["db.h.find({ a: { $geoWithn: { $centerSphere: [[1, 2], 1] } } })", "$geoWithn", "$geoWithin"],
    [`db.h.find({ a: { $geoIntersects: { $geometry: ${point("point")} } } })`, "point", "Point"],
    ['db.h.aggregate([{ $project: { s: { $meta: "textscore" } } }])', "textscore", "textScore"],
    ['db.h.find().sort({ s: { $meta: "textscore" } })', "textscore", "textScore"],
    ["db.h.aggregate([{ $geonear: {} }])", "$geonear", "$geoNear"],
    ['db.h.aggregate([{ $geoNear: { near: [1, 2], distancefield: "d" } }])', "distancefield", "distanceField"],
  ])("%s", async (source, wrong, right) =>
    expect(errorHint(await failure(source), source, names)).toEqual({ kind: "similar", wrong, right }),
  );

  it.each([
    ['db.h.find({ $search: "x" })', { kind: "text", isStage: false }],
    ['db.h.find({ name: { $search: "x" } })', { kind: "text", isStage: false }],
    ['db.h.find({ name: { $text: "x" } })', { kind: "text", isStage: false }],
    ['db.h.find({ name: { $text: { $search: "x" } } })', { kind: "text", isStage: false }],
    ['db.h.find({ $text: "x" })', { kind: "text", isStage: false }],
    ['db.h.find({ $text: { $serach: "x" } })', { kind: "text", isStage: false }],
    ['db.h.aggregate([{ $search: { text: { query: "x", path: "name" } } }])', { kind: "text", isStage: true }],
    ['db.createCollection("h", { timeField: "at" })', { kind: "series-option", name: "timeField" }],
    ['db.createCollection("h", { metaField: "at" })', { kind: "series-option", name: "metaField" }],
    ["db.h.find({ $near: [1, 2] })", { kind: "under-field", name: "$near" }],
    ["db.h.find({ a: { $expr: true } })", { kind: "at-top", name: "$expr" }],
    [
      'db.h.createIndex({ a: "2dsphere" }); db.h.insertOne({ a: { type: "Point", coordinates: [39.9, 116.4] } })',
      { kind: "degrees", right: "[116.4, 39.9]" },
    ],
    ["db.h.find({ a: { $geoWithin: { $centerSphere: [[39.9, 99], 1] } } })", { kind: "degrees", right: "[99, 39.9]" }],
    ["db.h.find({ a: { $geoWithin: { $centerSphere: [[39.9, 216], 1] } } })", { kind: "degrees", right: null }],
  ])("%s", async (source, hint) => expect(errorHint(await failure(source), source, names)).toEqual(hint));
});
