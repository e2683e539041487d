/**
 * What each server and each test runner does with the package: driver, engine, shell, and the elements' module, which
 * does nothing there.
 */
import "quiredb/element";
import { MongoClient, decode, encode } from "quiredb";
import { Engine } from "quiredb/engine";
import { createShell } from "quiredb/shell";

export async function tryOnServer() {
  const client = new MongoClient("quire://garden", { storage: "memory" });
  await client
    .db("garden")
    .collection("rakes")
    .insertMany([
      { _id: 1, tines: 10 },
      { _id: 2, tines: 14 },
    ]);
  const found = await client
    .db("garden")
    .collection("rakes")
    .find({ tines: { $gt: 11 } })
    .toArray();
  await client.close();
  const engine = await Engine.create();
  const ping = decode(engine.command(encode({ ping: 1, $db: "admin" }))).ok;
  const shell = createShell(engine).evaluate("db.rakes.insertOne({ _id: 3 }); db.rakes.find()").text;
  engine.close();
  return { found, ping, shell };
}
