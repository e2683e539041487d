/**
 * The bench itself, with few products: it measures the package through its exports, and every answer it gets is right.
 * How fast anything is, is not asked here.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { exported, unpack } from "../../benches/peers/packed.mjs";
import { executablePath } from "./browser.mjs";

const folder = fileURLToPath(new URL("../../pkg", import.meta.url));
const peers = fileURLToPath(new URL("../../benches/peers/", import.meta.url));
/** Each way into the package once. */
const ADAPTERS = ["quire-idb", "quire-engine", "quire-snippet-page"];

function run(program, words) {
  return new Promise((resolve, reject) => {
    let output = "";
    const child = spawn(process.execPath, [`${peers}${program}`, ...words], {
      env: { ...process.env, CHROMIUM: executablePath },
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

test("the bench gets right answers through the package's exports", async () => {
  const { code, output } = await run("run.mjs", [
    `--package=${folder}`,
    `--adapters=${ADAPTERS}`,
    "--count=200",
    "--rounds=1",
    "--budget=10",
  ]);
  assert.equal(code, 0, output);
  for (const row of [
    "browser restarted, first answer",
    "64 in flight: $inc",
    "bare echo, one by one",
    "delete half",
    "script: toArray of all",
  ]) {
    assert.match(output, new RegExp(`^${row.replace("$", "\\$")} .* \\d`, "m"), output);
  }
});

test("the cold start is told with its target, and a target that is missed is no fault of the bench", async () => {
  const { code, output } = await run("start.mjs", ["--rounds=1", "--pages=empty,client"]);
  assert.match(
    output,
    /MongoClient in a page .* times the empty page {2}target 1\.7 times the empty page: (met|MISSED)$/m,
  );
  assert.equal(code, 0, output);
});

test("what the package does not export cannot be measured", () => {
  const quiredb = unpack(folder);
  assert.match(exported(quiredb, "quiredb/engine"), /\.js$/);
  assert.throws(() => exported(quiredb, "quiredb/worker"), /exports no quiredb\/worker/);
});
