/**
 * Moments over simulated tabs: seeds find nothing, and do enough for that to mean something.
 *
 * `QUIRE_SEED` is the first seed and `QUIRE_CASES` how many are tried.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { travel } from "./moments.mjs";
import { loadCode } from "./realm.mjs";

const first = Number(process.env.QUIRE_SEED ?? 1);
const cases = Number(process.env.QUIRE_CASES ?? 8);

test(`moments of ${cases} seeds from ${first} on are the model's`, async () => {
  const code = await loadCode({}, "client/open.ts");
  const sums = {};
  for (let seed = first; seed < first + cases; seed += 1)
    for (const [name, count] of Object.entries(await travel(seed, code))) sums[name] = (sums[name] ?? 0) + count;
  console.log(`# ${JSON.stringify(sums)}`);
  for (const [name, least] of Object.entries({ changes: 8, undone: 3, redone: 1, restored: 1, asked: 1, deaths: 1 }))
    assert.ok(sums[name] >= least * cases * 0.5, `${name}: only ${sums[name]}`);
});
