/**
 * Runs the garden-shop workload in headless Chromium: every adapter in its own dedicated worker and its own browser
 * profile, in an order shuffled each round; prints medians, ratios, and a verdict per target.
 *
 *     node run.mjs --package=FILE [--adapters=a,b] [--rounds=3] [--count=100000] [--budget=3000] [--limit=300]
 *     [--keep=FILE]
 *
 * `package`: what `npm pack` made of pkg/, or the folder it was unpacked into; `budget`: milliseconds per row of
 * repeated operations; `limit`: seconds per phase before an adapter is given up; `keep`: a file to which every run is
 * added, so that adapters can be measured in pieces; the report is of all in it. `CHROMIUM` names the browser. What
 * persists is measured across a restart of the browser.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { adapterNames, buildAdapters } from "./build.mjs";
import { unpack } from "./packed.mjs";
import { report } from "./report.mjs";
import { chromiumFlags } from "../../web/scripts/chromium-flags.mjs";
import { serve } from "../../web/scripts/serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const names = given.adapters?.split(",") ?? adapterNames();
const rounds = Number(given.rounds ?? 3);
const count = Number(given.count ?? 100000);
const budget = Number(given.budget ?? 3000);
const limit = Number(given.limit ?? 300) * 1000;
const PERSISTENT = /(-idb|-opfs|^sqljs)$/;
/** Adapters that only run scripts: no store to ask the other rows of. */
const SCRIPTED = /^quire-(shell|snippet-page)$/;

function within(milliseconds, promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: longer than ${milliseconds / 1000} s`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** All phases of one adapter, in a profile of its own. */
async function measure(name, address) {
  const profile = mkdtempSync(join(tmpdir(), "quire-bench-"));
  const launch = () =>
    chromium.launchPersistentContext(profile, {
      executablePath: process.env.CHROMIUM,
      channel: process.env.CHROMIUM ? undefined : "chromium",
      headless: true,
      args: chromiumFlags,
    });
  const result = { rows: {}, wrong: [] };
  const keep = ({ rows, wrong }) => {
    Object.assign(result.rows, rows);
    result.wrong.push(...wrong);
  };
  let context = await launch();
  try {
    let page = await context.newPage();
    const phase = async (bench) => {
      const run = page.evaluate(
        ([adapter, message]) => window.phase(adapter, message),
        [name, { bench, count, budget, name: "bench" }],
      );
      keep(await within(limit, run, bench));
    };
    await page.goto(address);
    if (SCRIPTED.test(name)) {
      await phase("scripts");
    } else {
      const first = page.evaluate(([adapter, message]) => window.first(adapter, message), [name, { name: "small" }]);
      keep(await within(60000, first, "first"));
      await page.goto(address);
      await phase("load");
      if (PERSISTENT.test(name)) {
        await phase("close");
        await page.evaluate((adapter) => window.stop(adapter), name);
        await context.close();
        context = await launch();
        page = await context.newPage();
        await page.goto(address);
        await phase("reopen");
      }
      await phase("work");
    }
  } catch (error) {
    result.wrong.push(String(error?.message ?? error).slice(0, 400));
  }
  await within(20000, context.close(), "close").catch(() => {});
  rmSync(profile, { recursive: true, force: true });
  return result;
}

if (!given.package) {
  console.error("which package? --package=FILE, the file that `npm pack` makes of pkg/ (cargo xtask bench does both)");
  process.exit(2);
}
const quiredb = unpack(given.package, join(here, "dist", "packed"));
await buildAdapters(names, quiredb);
const served = await serve({ "/": join(here, "dist") }, { headers: () => ({ "cache-control": "no-store" }) });
const address = `${served.origin}/`;
const kept = given.keep && existsSync(given.keep) ? JSON.parse(readFileSync(given.keep, "utf8")) : {};
const results = new Map(Object.entries(kept));
for (let round = 1; round <= rounds; round += 1) {
  const order = names.map((name) => [Math.random(), name]).sort(([one], [other]) => one - other);
  for (const [, name] of order) {
    const runs = results.get(name) ?? [];
    results.set(name, runs);
    if (runs.filter(({ wrong }) => wrong.length > 0).length >= 2) continue;
    const begun = Date.now();
    const result = await measure(name, address);
    runs.push(result);
    if (given.keep) writeFileSync(given.keep, JSON.stringify(Object.fromEntries(results)));
    const trouble = result.wrong.length > 0 ? `  WRONG: ${result.wrong.join("; ")}` : "";
    console.log(`round ${round}/${rounds} ${name} ${((Date.now() - begun) / 1000).toFixed(1)} s${trouble}`);
  }
}
await served.close();
const sound = report(results, count);
process.exit(sound ? 0 : 1);
