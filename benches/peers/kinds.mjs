/**
 * Runs geospatial, text and time series questions in headless Chromium: every adapter of kinds/ in a page and browser
 * of its own, in an order shuffled each round; prints medians, ratios to Quire in memory, and a verdict per target.
 *
 *     node kinds.mjs --package=FILE [--adapters=a,b] [--rounds=3] [--count=100000] [--budget=2000]
 *
 * `count`: how many places; a fifth as many texts. Everything runs in the page's own thread, as the libraries do.
 * Memory is what the page's heap and its buffers grow by after garbage is collected; of Quire, whose documents and
 * indexes are pages, it is their sizes. `CHROMIUM` names the browser.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { adapterNames, buildAdapters, sizeOf } from "./build.mjs";
import { unpack } from "./packed.mjs";
import { median, shown, table, tellTroubles, verdicts } from "./report.mjs";
import { chromiumFlags } from "../../web/scripts/chromium-flags.mjs";
import { serve } from "../../web/scripts/serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const names = given.adapters?.split(",") ?? adapterNames("kinds");
const rounds = Number(given.rounds ?? 3);
const count = Number(given.count ?? 100000);
const budget = Number(given.budget ?? 2000);

/** Every row: its key, its title, whether less is better. */
const PLACES = [
  ["load", "documents stored (ms)", true],
  ["build", "index built (ms)", true],
  ["nearest", "nearest 20 (/s)", false],
  ["smallFound", "places in a small polygon", false],
  ["smallPolygon", "within a small polygon (/s)", false],
  ["largeFound", "places in a large polygon", false],
  ["largePolygon", "within a large polygon (/s)", false],
  ["twenty", "20 by a range of _id (/s)", false],
];
const TEXTS = [
  ["load", "documents stored (ms)", true],
  ["build", "index built (ms)", true],
  ["rare", "best 20, a rare word (/s)", false],
  ["two", "best 20, two words (/s)", false],
  ["common", "best 20, a common word (/s)", false],
  ["twentyTexts", "20 by a range of _id (/s)", false],
];
const SIZES = [
  ["indexSize", "index (KB)", true],
  ["grownSize", "heap grown by the index (KB)", true],
  ["documentsSize", "documents as pages (KB)", true],
  ["librarySize", "loaded by the page, brotli (KB)", true],
];
const READINGS = [
  ["load", "load (ms)", true],
  ["hourlyOfOne", "a month by hours, one sensor (ms)", true],
  ["hourlyOfAll", "a month by hours, all (ms)", true],
  ["storedSize", "pages (KB)", true],
];
const GROUPS = [
  { title: `${count} places`, own: "quire-places", peers: ["kdbush", "flatbush", "turf"], rows: PLACES },
  { title: `${count / 5} texts`, own: "quire-texts", peers: ["minisearch", "flexsearch", "lunr"], rows: TEXTS },
  { title: "172800 readings", own: "quire-series", peers: ["quire-readings"], rows: READINGS },
];

/** Bytes of the heap and of buffers that are in use. */
async function memory(session) {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  return usedSize + backingStorageSize;
}

async function measure(name, address) {
  const result = { rows: {}, wrong: [] };
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    channel: process.env.CHROMIUM ? undefined : "chromium",
    headless: true,
    args: chromiumFlags,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(address);
    const session = await page.context().newCDPSession(page);
    const phase = async (bench) => {
      const { rows, wrong } = await page.evaluate(
        async ([file, which, message]) => (await import(file)).phases[which](message),
        [`/bundles/${name}.js`, bench, { count, budget }],
      );
      Object.assign(result.rows, rows);
      result.wrong.push(...wrong);
    };
    await phase("prepare");
    const before = await memory(session);
    await phase("build");
    if (!name.startsWith("quire")) result.rows.grownSize = ((await memory(session)) - before) / 1024;
    await phase("ask");
  } catch (error) {
    result.wrong.push(String(error?.message ?? error).slice(0, 400));
  }
  await browser.close();
  return result;
}

if (!given.package) {
  console.error("which package? --package=FILE, the file that `npm pack` makes of pkg/ (cargo xtask bench does both)");
  process.exit(2);
}
const quiredb = unpack(given.package, join(here, "dist", "packed"));
await buildAdapters(names, quiredb, "kinds", "kinds");
const sizes = new Map();
for (const name of names) {
  const engine = name.startsWith("quire")
    ? ["quiredb/quire_bg.wasm", ...(name.includes("texts") ? ["quiredb/languages.wasm"] : [])]
    : [];
  sizes.set(name, (await sizeOf(join(here, "kinds", `${name}.mjs`), quiredb, engine)) / 1024);
}
const served = await serve({ "/": join(here, "dist") }, { headers: () => ({ "cache-control": "no-store" }) });
const results = new Map(names.map((name) => [name, []]));
for (let round = 1; round <= rounds; round += 1) {
  for (const [, name] of names.map((one) => [Math.random(), one]).sort(([one], [other]) => one - other)) {
    const begun = Date.now();
    const result = await measure(name, `${served.origin}/`);
    result.rows.librarySize = sizes.get(name);
    results.get(name).push(result);
    const trouble = result.wrong.length > 0 ? `  WRONG: ${result.wrong.join("; ")}` : "";
    console.log(`round ${round}/${rounds} ${name} ${((Date.now() - begun) / 1000).toFixed(1)} s${trouble}`);
  }
}
await served.close();

const value = (name, key) => median((results.get(name) ?? []).map(({ rows }) => rows[key]));
/** How many times faster, or smaller, Quire in memory is than another. */
const advantage = (own, name, key, less) => {
  const [one, other] = [value(own, key), value(name, key)];
  if (one === undefined || other === undefined) return undefined;
  return less ? other / one : one / other;
};
for (const { title, own, peers, rows } of GROUPS) {
  const chosen = [own, `${own}-idb`, ...peers].filter((name) => names.includes(name));
  if (chosen.length === 0) continue;
  const all = rows === READINGS ? rows : [...rows, ...SIZES];
  table(`${title}, medians:`, all, chosen, (name, key) => shown(value(name, key)));
  const others = chosen.filter((name) => !name.startsWith(own));
  if (others.length > 0 && chosen.includes(own))
    table(
      `How many times faster or smaller ${own} is (below 1: slower or larger):`,
      all.filter(([key]) => !key.endsWith("Found")),
      others,
      (name, key, less) => shown(advantage(own, name, key, less)),
    );
}
const asked = (own, name, keys, least) => ({
  text: `${own}: ${least < 1 ? `at most ${1 / least} times as long as` : `at least ${least} times as fast as`} ${name}`,
  cases: keys.map((key) => ({ what: key, is: advantage(own, name, key, key === "build"), least })),
});
const ASKED = ["nearest", "smallPolygon", "largePolygon"];
const SEARCHED = ["rare", "two", "common"];
verdicts([
  asked("quire-places", "turf", ASKED, 10),
  asked("quire-places", "kdbush", ["build", ...ASKED], 0.5),
  asked("quire-texts", "lunr", SEARCHED, 10),
  asked("quire-texts", "minisearch", ["build", ...SEARCHED], 0.5),
]);
process.exit(tellTroubles(results) ? 0 : 1);
