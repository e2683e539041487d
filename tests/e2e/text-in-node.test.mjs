/**
 * Text indexes of the package in Node: the file of the languages is read when one is first used, and not for `none`.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { MongoClient, decode, encode } from "../../pkg/dist/index.js";
import { Engine } from "../../pkg/dist/engine.js";

test("a language is read when it is first used", async () => {
  const { readFileSync } = fs;
  const read = [];
  fs.readFileSync = (path, ...rest) => {
    read.push(String(path).replace(/.*\//, ""));
    return readFileSync(path, ...rest);
  };
  try {
    const client = new MongoClient("quire://words");
    const db = client.db("words");
    const none = db.collection("none");
    await none.createIndex({ a: "text" }, { default_language: "none" });
    await none.insertMany([
      { _id: 1, a: "The Café" },
      { _id: 2, a: "cafés" },
    ]);
    const ids = (found) => found.map(({ _id }) => _id);
    assert.deepEqual(ids(await none.find({ $text: { $search: "cafe" } }).toArray()), [1]);
    assert.deepEqual(read, ["quire_bg.wasm"]);
    const teas = db.collection("teas");
    await teas.createIndex({ name: "text", about: "text" }, { weights: { name: 10 } });
    assert.deepEqual(read, ["quire_bg.wasm"]);
    await teas.insertMany([
      { _id: 1, name: "Sencha", about: "A green tea" },
      { _id: 2, name: "Green Needles", about: "Teas of spring" },
      { _id: 3, name: "Thé vert", about: "Les thés de Chine", language: "french" },
    ]);
    assert.deepEqual(read, ["quire_bg.wasm", "languages.wasm"]);
    const found = await teas
      .find({ $text: { $search: "greens teas" } })
      .project({ score: { $meta: "textScore" }, _id: 1 })
      .sort({ score: { $meta: "textScore" } })
      .toArray();
    assert.deepEqual(found, [
      { _id: 2, score: 8.25 },
      { _id: 1, score: 1.5 },
    ]);
    assert.deepEqual(ids(await teas.find({ $text: { $search: "chine", $language: "fr" } }).toArray()), [3]);
    // Another engine of the realm has them too.
    const engine = await Engine.create();
    const run = (command) => decode(engine.command(encode({ ...command, $db: "words" })));
    const indexes = [{ key: { a: "text" }, name: "a" }];
    assert.equal(run({ createIndexes: "t", indexes }).ok, 1);
    assert.equal(run({ insert: "t", documents: [{ _id: 1, a: "running" }] }).n, 1);
    assert.equal(run({ count: "t", query: { $text: { $search: "runs" } } }).n, 1);
    engine.close();
    await client.close();
    assert.equal(read.filter((name) => name === "languages.wasm").length, 1);
  } finally {
    fs.readFileSync = readFileSync;
  }
});
