/**
 * A deployment that holds more than its engine may have in use: it is read all the same, a write that does not fit is
 * refused, and deletes make room.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
let served;
before(async () => {
  served = await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
});

test("a deployment larger than its engine's memory may be is read, written to no more, and shrunk", async () => {
  const { context, close } = await visit();
  const page = await context.newPage();
  await page.goto(`${served.url}blank.html`);
  const said = await page.evaluate(async () => {
    const { MongoClient, Binary } = await import("./index.js");
    const DOCUMENTS = 6;
    const SIZE = 10_000_000;
    const bytesOf = (number) => new Uint8Array(SIZE).map((_, at) => (at * 31 + (at >> 8) * 7 + number * 101) & 255);
    const told = (promise) =>
      promise.then(
        (result) => result ?? "done",
        ({ code, codeName, message }) => ({ code, codeName, message }),
      );

    const large = new MongoClient("quire://large");
    const teas = large.db("shop").collection("teas");
    for (let id = 0; id < DOCUMENTS; id += 1)
      await teas.insertOne({ _id: id, bytes: new Binary(bytesOf(id)) }, { writeConcern: { j: true } });
    await large.close();

    const small = new MongoClient("quire://large", { maxMemoryBytes: 32 * 2 ** 20 });
    const same = small.db("shop").collection("teas");
    const isThere = async (id) => {
      const found = await same.findOne({ _id: id });
      const expected = bytesOf(id);
      return found?.bytes.buffer.every((byte, at) => byte === expected[at]);
    };
    const read = [];
    for (let id = 0; id < DOCUMENTS; id += 1) read.push(await told(isThere(id)));
    const count = await told(same.countDocuments({ bytes: { $type: "binData" } }));
    const insert = (id) => told(same.insertOne({ _id: id, text: "x".repeat(1000) }).then(() => "inserted"));
    const refused = await insert(100);
    const deleted = await told(same.deleteMany({ _id: { $gt: 1 } }).then(({ deletedCount }) => deletedCount));
    const inserted = await insert(100);
    const kept = [await isThere(0), await isThere(1)];
    await small.close();
    return { read, count, refused, deleted, inserted, kept };
  });
  assert.deepEqual(said.read, Array(6).fill(true));
  assert.equal(said.count, 6);
  assert.equal(said.refused.code, 146, JSON.stringify(said.refused));
  assert.equal(said.deleted, 4);
  assert.equal(said.inserted, "inserted", JSON.stringify(said.inserted));
  assert.deepEqual(said.kept, [true, true]);
  await close();
});
