/**
 * What a clean project does with the packed packages: import the entry points, insert a document and find it, through
 * the shell and through the engine, in plain Node; and write a site with both programs, without a network.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
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

/** Runs one of the packages' programs. */
function run(program, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`node_modules/${program}`, ...words], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
}
run("quiredb/dist/cli.js", "copy-site", "site");
run("quiredb-playground/cli.js", "copy-site", "site-of-playground");
for (const site of ["site", "site-of-playground"]) {
  assert.match(readFileSync(`${site}/element.js`, "utf8"), /playground\/index\.html/);
  const assets = readdirSync(`${site}/playground/assets`);
  for (const name of ["quire_bg", "sandbox"]) {
    const file = assets.find((each) => each.startsWith(`${name}-`) && each.endsWith(".wasm"));
    assert.deepEqual(
      readFileSync(`${site}/playground/assets/${file}`),
      readFileSync(`node_modules/quiredb/dist/${name}.wasm`),
    );
  }
}
// Once more: the folder is brought up to date.
run("quiredb/dist/cli.js", "copy-site", "site");

console.log("the packed package works in a clean project");
