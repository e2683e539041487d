/**
 * Runs the simulation by hand: `node tests/simulation/simulate.mjs [--seed N] [--seeds N] [--minutes N] [--fault name]
 * [--trace]`. Prints each seed that finds something, with how to run it again, and ends with a count.
 */
import { parseArgs } from "node:util";
import { faults } from "./faults.mjs";
import { loadCode } from "./realm.mjs";
import { simulate } from "./scenario.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    minutes: { type: "string" },
    fault: { type: "string" },
    trace: { type: "boolean" },
  },
});
const fault = values.fault === undefined ? undefined : faults.find(({ name }) => name === values.fault);
if (values.fault !== undefined && fault === undefined)
  throw new Error(`there is no fault ${values.fault}; there are ${faults.map(({ name }) => name).join(", ")}`);
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const until = values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000;
const count = Number(values.seeds ?? (values.minutes === undefined ? 1 : Infinity));
const code = await loadCode(fault?.patches);
const sums = { attempted: 0, journaled: 0, refusals: 0, clients: 0, virtualMillis: 0 };
let tried = 0;
for (let seed = first; tried < count && Date.now() < until; seed += 1) {
  try {
    const done = await simulate(seed, code, fault);
    for (const name of Object.keys(sums)) sums[name] += done[name];
    if (values.trace) console.log(done.trace.join("\n"));
  } catch (error) {
    if (values.trace) console.log((error.trace ?? []).join("\n"));
    console.log(`${error.name === "Found" ? error.message : `seed ${seed}: ${error.stack}`}`);
    console.log(
      `again with: node tests/simulation/simulate.mjs --seed ${seed} --trace${fault === undefined ? "" : ` --fault ${fault.name}`}`,
    );
    process.exit(1);
  }
  tried += 1;
}
console.log(
  `simulation: seeds ${first} to ${first + tried - 1}: ${tried} runs, ${sums.clients} tabs, ${sums.attempted} writes (${sums.journaled} acknowledged as journaled, ${sums.refusals} operations refused), ${(sums.virtualMillis / 60_000).toFixed(1)} minutes of virtual time, nothing found`,
);
process.exit(0);
