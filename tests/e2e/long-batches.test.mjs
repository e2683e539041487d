/**
 * Batches of writes that are longer than a message, against the real engine: through a worker, in the caller's thread,
 * and by the shell.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const dist = new URL("../../pkg/dist/", import.meta.url);
const { visit } = withBrowser();
let served;
before(async () => {
  served = await serve(fileURLToPath(dist));
});

/** Writes batches of many megabytes and gives the answers. Runs in a page too. */
async function write(address) {
  const { MongoClient } = await import(address);
  const client = new MongoClient("quire://long", { storage: "memory" });
  const collection = client.db("garden").collection("logs");
  const text = "x".repeat(1_000_000);
  const made = (count, from) => Array.from({ length: count }, (_, n) => ({ _id: from + n, text }));
  const told = ({ insertedCount, writeErrors }) => [insertedCount, writeErrors.map(({ index, code }) => [index, code])];
  const refused = (promise) => promise.then(() => null, told);
  const { insertedCount, insertedIds } = await collection.insertMany(made(60, 0));
  const twice = [...made(55, 100), { _id: 7, text }, ...made(10, 200)];
  const answer = {
    inserted: [insertedCount, Object.keys(insertedIds).length, insertedIds[59]],
    ordered: await refused(collection.insertMany(twice)),
    unordered: await refused(collection.insertMany(twice, { ordered: false })),
    count: await collection.countDocuments(),
  };
  await collection.deleteMany({});
  const models = made(60, 0).map((document) => ({ namespace: "garden.logs", name: "insertOne", document }));
  answer.several = (await client.bulkWrite(models)).insertedCount;
  await client.close();
  return answer;
}

const expected = {
  inserted: [60, 60, 59],
  ordered: [55, [[55, 11000]]],
  // Documents that the ordered batch stored are there already.
  unordered: [10, [...Array.from({ length: 55 }, (_, index) => [index, 11000]), [55, 11000]]],
  count: 125,
  several: 60,
};

test("a client in this thread sends them as several commands", async () => {
  assert.deepEqual(await write(new URL("index.js", dist).href), expected);
});

test("a client of a worker sends them as several commands", async () => {
  const { context, close } = await visit();
  const body = '<!doctype html><html lang="en"><title>blank</title>';
  await context.route("**/blank.html", (route) => route.fulfill({ contentType: "text/html", body }));
  const page = await context.newPage();
  await page.goto(`${served.url}blank.html`);
  assert.deepEqual(await page.evaluate(write, "./index.js"), expected);
  await close();
});

test("so does the shell", async () => {
  const { createShell, Engine } = await import(new URL("shell.js", dist).href);
  const engine = await Engine.create();
  const { value, error } = createShell(engine).evaluate(`
    const text = "x".repeat(1000000);
    const made = (count, from) => Array.from({ length: count }, (_, n) => ({ _id: from + n, text }));
    const { insertedIds } = db.logs.insertMany(made(60, 0));
    let told;
    try {
      db.logs.insertMany([...made(55, 100), { _id: 7, text }, ...made(10, 200)]);
    } catch ({ writeErrors, insertedCount }) {
      told = [insertedCount, writeErrors[0].index, writeErrors[0].code];
    }
    [Object.keys(insertedIds).length, insertedIds[59], told, db.logs.countDocuments()]`);
  assert.equal(error, undefined);
  assert.deepEqual(value, [60, 59, [55, 55, 11000], 115]);
  engine.close();
});
