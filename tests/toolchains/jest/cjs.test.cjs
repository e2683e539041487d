/** The trial of `shared/server.js` under Jest; its CommonJS is made of it. */
const { statSync } = require("node:fs");
const { MongoClient } = require("quiredb");
const { expected } = require("../shared/expected.cjs");
const { tryOnServer } = require("../shared/server.cjs");

test("CommonJS", async () => expect(await tryOnServer()).toEqual(expected));

test("values of Node's own realm, which is not that of the tests", async () => {
  const { mtime } = statSync(__filename);
  expect(mtime instanceof Date).toBe(false);
  const client = new MongoClient("quire://garden", { storage: "memory" });
  const files = client.db("garden").collection("files");
  await files.insertOne({ _id: 1, mtime, bytes: Buffer.from([1, 2]) });
  const found = await files.findOne({ mtime: { $gte: mtime } });
  await client.close();
  expect(found.mtime.getTime()).toBe(Math.trunc(mtime.getTime()));
  expect([...found.bytes.buffer.subarray(0, found.bytes.position)]).toEqual([1, 2]);
});
