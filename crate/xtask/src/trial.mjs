/**
 * What a clean project does with the packed package: import its entry points, insert a document and find it,
 * through the shell and through the engine, in plain Node.
 */
import assert from "node:assert/strict";
import { Engine } from "quiredb/engine";
import { createShell } from "quiredb/shell";

const engine = await Engine.create({});
const shell = createShell(engine, { database: "trial" });
const inserted = shell.evaluate('db.things.insertOne({ _id: 1, name: "spade" })');
assert.equal(inserted.error, undefined, String(inserted.error?.message ?? inserted.error));
const found = shell.evaluate("db.things.findOne({ _id: 1 }).name");
assert.equal(found.value, "spade");

const garbage = engine.command(new Uint8Array([1, 2, 3]));
assert.ok(garbage instanceof Uint8Array && garbage.length > 5, "garbage gets an error reply");
engine.close();
console.log("the packed package works in a clean project");
