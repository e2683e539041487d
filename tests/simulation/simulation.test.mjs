/**
 * The simulated deployment: seeds find nothing, a seed is replayed exactly, and each fault that is put back is found.
 *
 * `QUIRE_SEED` is the first seed and `QUIRE_CASES` how many are tried; `cargo xtask soak --only simulation` goes on
 * with others.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "./faults.mjs";
import { loadCode } from "./realm.mjs";
import { simulate } from "./scenario.mjs";

const first = Number(process.env.QUIRE_SEED ?? 1);
const cases = Number(process.env.QUIRE_CASES ?? 20);

test(`${cases} seeds from ${first} on find nothing`, async () => {
  const code = await loadCode();
  let journaled = 0;
  for (let seed = first; seed < first + cases; seed += 1) {
    try {
      journaled += (await simulate(seed, code)).journaled;
    } catch (error) {
      console.log(`# again with: node tests/simulation/simulate.mjs --seed ${seed} --trace`);
      throw error;
    }
  }
  // Runs in which hardly anything was written would find nothing whatever the code did.
  assert.ok(journaled > 20 * cases, `only ${journaled} writes were journaled`);
});

test("a seed is replayed exactly", async () => {
  const code = await loadCode();
  const [one, other] = [await simulate(3, code), await simulate(3, code)];
  assert.deepEqual(other.trace, one.trace);
  assert.notDeepEqual((await simulate(4, code)).trace, one.trace);
});

for (const fault of faults) {
  test(`it is found that ${fault.what}`, async () => {
    const code = await loadCode(fault.patches);
    for (let seed = 1; seed <= fault.within; seed += 1) {
      const found = await simulate(seed, code, fault).then(
        () => null,
        (error) => error,
      );
      if (found === null) continue;
      assert.equal(found.name, "Found", found.stack);
      return;
    }
    assert.fail(`${fault.within} seeds did not find ${fault.name}`);
  });
}
