/**
 * The garden-shop workload in Node, through the exports of the packed package: `MongoClient`, which has the engine in
 * this thread, `Engine.command` and `Engine.run`. Prints medians.
 *
 *     node node.mjs --package=FILE [--rounds=3] [--count=100000] [--budget=3000]
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { phasesInNode } from "./build.mjs";
import { unpack } from "./packed.mjs";
import { report } from "./report.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const count = Number(given.count ?? 100000);
const message = { count, budget: Number(given.budget ?? 3000), name: "bench" };
const quiredb = unpack(given.package, join(here, "dist", "packed"));
const results = new Map();
for (const name of ["quire-thread", "quire-engine", "quire-run"]) {
  const phases = await phasesInNode(name, quiredb);
  const runs = [];
  for (let round = 0; round < Number(given.rounds ?? 3); round += 1) {
    const run = { rows: {}, wrong: [] };
    try {
      for (const phase of ["load", "work", "close"]) {
        const { rows, wrong } = await phases[phase](message);
        Object.assign(run.rows, rows);
        run.wrong.push(...wrong);
      }
    } catch (error) {
      run.wrong.push(String(error?.message ?? error).slice(0, 400));
    }
    runs.push(run);
  }
  results.set(name, runs);
}
process.exit(report(results, count, () => []) ? 0 : 1);
