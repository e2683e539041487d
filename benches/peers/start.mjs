/**
 * Cold start beside others: from a navigation to the first query answered, with the page's files in the browser's HTTP
 * cache and the data stored by an earlier visit; medians of visits in an order shuffled each round.
 *
 *     node start.mjs [--rounds=9] [--pages=a,b] [--before=FOLDER]
 *
 * Pages: the built playground, whose Run is pressed as soon as it is there, until the document stands in its results; a
 * page with a script that answers by itself (`empty`); one that imports `MongoClient` of the npm package by address
 * (`client`); one with lokijs, which makes its herbs each time; one with PGlite on IndexedDB; one with sql.js over its
 * file from IndexedDB. `before` is the `dist` folder of another build of the package, measured beside this one. Each has
 * a profile of its own, which three visits have warmed. `CHROMIUM` names the browser. No service worker: it would answer
 * instead of the cache. A wrong answer is an error; a target that is missed is told, and no error.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumFlags } from "../../web/scripts/chromium-flags.mjs";
import { serve } from "../../web/scripts/serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const rounds = Number(given.rounds ?? 9);
const target = 300;
/** How many times the empty page the page with `MongoClient` may take. */
const most = 1.7;

/** Where each address's files lie. */
const folders = {
  "/playground/": join(here, "../../web/dist/site"),
  "/quiredb/": join(here, "../../pkg/dist"),
  ...(given.before === undefined ? {} : { "/before/": resolve(given.before) }),
  "/lokijs/": join(here, "node_modules/lokijs/src"),
  "/pglite/": join(here, "node_modules/@electric-sql/pglite/dist"),
  "/sqljs/": join(here, "node_modules/sql.js/dist"),
};

/** Fifty herbs, and the question for one of them: the same for all. */
const herbs = `Array.from({ length: 50 }, (_, n) => ({ _id: n, name: "herb " + n, height: n % 7 }))`;
const sqlRows = Array.from({ length: 50 }, (_, n) => `(${n}, 'herb ${n}', ${n % 7})`).join();
const page = (
  script,
) => `<!doctype html><meta charset="utf-8"><title>start</title><link rel="icon" href="data:,"><script type="module">${script}
</script>`;
const answered = "console.info(`answered ${performance.now()} ${name}`);";
const ofClient = (folder) =>
  page(`import { MongoClient } from "/${folder}/index.js";
    const client = new MongoClient("quire://start");
    const herbs = client.db("garden").collection("herbs");
    if (location.search === "?fill") { await herbs.insertMany(${herbs}, { writeConcern: { j: true } }); await client.close(); globalThis.filled = true; }
    else { const { name } = await herbs.findOne({ _id: 7 }); ${answered} }`);
const pages = {
  empty: page(`const name = "herb 7"; globalThis.filled = true; ${answered}`),
  client: ofClient("quiredb"),
  before: ofClient("before"),
  loki: `<!doctype html><meta charset="utf-8"><title>start</title><link rel="icon" href="data:,"><script src="/lokijs/lokijs.js"></script>${page(`
    const herbs = new loki("start").addCollection("herbs", { unique: ["_id"] });
    herbs.insert(${herbs});
    const { name } = herbs.by("_id", 7);
    globalThis.filled = true;
    ${answered}`)}`,
  pglite: page(`import { PGlite } from "/pglite/index.js";
    const db = await PGlite.create("idb://start");
    if (location.search === "?fill") { await db.exec("create table herbs(id int primary key, name text, height int); insert into herbs values ${sqlRows};"); await db.close(); globalThis.filled = true; }
    else { const { name } = (await db.query("select name from herbs where id = 7")).rows[0]; ${answered} }`),
  sqljs: `<!doctype html><meta charset="utf-8"><title>start</title><link rel="icon" href="data:,"><script src="/sqljs/sql-wasm-browser.js"></script>${page(`
    const settled = (request, event = "success") => new Promise((resolve, reject) => { request.addEventListener(event, () => resolve(request.result)); request.addEventListener("error", () => reject(request.error)); });
    const request = indexedDB.open("start", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("files");
    const [SQL, store] = await Promise.all([initSqlJs({ locateFile: (name) => "/sqljs/" + name }), settled(request)]);
    if (location.search === "?fill") {
      const db = new SQL.Database();
      db.run("create table herbs(id int primary key, name text, height int); insert into herbs values ${sqlRows};");
      const writing = store.transaction("files", "readwrite");
      writing.objectStore("files").put(db.export(), "file");
      await settled(writing, "complete");
      globalThis.filled = true;
    } else {
      const db = new SQL.Database(await settled(store.transaction("files").objectStore("files").get("file")));
      const name = db.exec("select name from herbs where id = 7")[0].values[0][0];
      ${answered}
    }`)}`,
};

/**
 * A file named by its content is kept for ever; a page is asked for again when it is ten minutes old, as static hosts
 * have it.
 */
const headers = (path) => ({
  "cache-control": /(\.html|\/)$/.test(path) ? "max-age=600" : "max-age=31536000, immutable",
});

/** Presses Run once it is there, and says when the answer stands in the page. Runs in the page. */
function pressRun() {
  const wait = (look) => {
    const found = look();
    if (found) return found;
    setTimeout(() => wait(look));
  };
  const root = () => document.querySelector("quire-page")?.shadowRoot;
  wait(() => {
    const run = root()?.querySelector("button.run:not(:disabled)");
    run?.click();
    return run;
  });
  wait(() => {
    const text =
      root()
        ?.querySelector("page-results")
        ?.shadowRoot?.querySelector("page-leaf")
        ?.shadowRoot?.querySelector("leaf-value")
        ?.shadowRoot?.querySelector("value-tree")?.shadowRoot?.textContent ?? "";
    const name = /herb 7/.exec(text)?.[0];
    if (name !== undefined) console.info(`answered ${performance.now()} ${name}`);
    return name;
  });
}

/** A profile with a page's data and code in it. */
async function warmed(name, address) {
  const profile = mkdtempSync(join(tmpdir(), "quire-start-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM,
    channel: process.env.CHROMIUM ? undefined : "chromium",
    headless: true,
    args: chromiumFlags,
    serviceWorkers: "block",
    viewport: { width: 1280, height: 800 },
  });
  const one = {
    name,
    url: name === "playground" ? `${address}/playground/` : `${address}/${name}.html`,
    context,
    profile,
    times: [],
  };
  const tab = await context.newPage();
  if (name === "playground") {
    await tab.goto(one.url);
    const write = async (script) => {
      await tab.locator(".cm-content").click();
      await tab.keyboard.press("ControlOrMeta+a");
      await tab.keyboard.insertText(script);
    };
    await write(`db.herbs.insertMany(${herbs})`);
    await tab.getByRole("button", { name: "Run", exact: true }).click();
    await tab.locator("page-leaf").getByText("saved").waitFor();
    await write("db.herbs.findOne({ _id: 7 })");
    // The script is kept some moments after it was typed.
    await tab.waitForFunction(() => Object.values(localStorage).some((text) => text.includes("findOne({ _id: 7 })")));
  } else {
    await tab.goto(`${one.url}?fill`);
    await tab.waitForFunction(() => globalThis.filled);
  }
  await tab.close();
  for (let visit = 0; visit < 3; visit += 1) await time(one);
  one.times = [];
  return one;
}

/**
 * One visit. The page tells the time itself: to be asked for it, it would have to read a script of the driver's while
 * it starts.
 */
async function time(one) {
  const tab = await one.context.newPage();
  if (one.name === "playground") await tab.addInitScript(pressRun);
  const told = tab.waitForEvent("console", {
    predicate: (message) => message.text().startsWith("answered "),
    timeout: 60_000,
  });
  await tab.goto(one.url, { waitUntil: "commit" });
  const [, at, name] = /^answered (\S+) (.*)$/.exec((await told).text());
  if (name !== "herb 7") throw new Error(`${one.name} answered ${name}`);
  one.times.push(Number(at));
  await tab.close();
}

const titles = {
  playground: "Quire, the playground",
  empty: "an empty page",
  client: "Quire, MongoClient in a page",
  before: "the same of another build",
  loki: "lokijs, made each time",
  pglite: "PGlite on IndexedDB",
  sqljs: "sql.js, its file in IndexedDB",
};
const served = await serve(folders, {
  headers,
  pages: Object.fromEntries(Object.entries(pages).map(([name, text]) => [`/${name}.html`, text])),
});
const address = served.origin;
const all = [];
const chosen = Object.keys(titles).filter((name) => name !== "before" || given.before !== undefined);
for (const name of given.pages?.split(",") ?? chosen) all.push(await warmed(name, address));
for (let round = 0; round < rounds; round += 1) {
  for (const [, one] of all.map((each) => [Math.random(), each]).sort(([left], [right]) => left - right))
    await time(one);
}
console.log(`from navigation to the first answer, warm HTTP cache, ${rounds} visits each, in ms:`);
const medianOf = ({ times }) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
const empty = all.find(({ name }) => name === "empty");
for (const { name, times, context, profile } of all) {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
  const sorted = times.toSorted((one, other) => one - other).map(Math.round);
  const median = sorted[Math.floor(sorted.length / 2)];
  const share = empty === undefined ? undefined : medianOf({ times }) / medianOf(empty);
  const isMet = { playground: median <= target, client: share === undefined || share <= most }[name];
  const limit = { playground: `${target} ms`, client: `${most} times the empty page` }[name];
  const ratio = share === undefined ? "" : `   ${share.toFixed(2)} times the empty page`;
  const verdict = limit === undefined ? "" : `  target ${limit}: ${isMet ? "met" : "MISSED"}`;
  console.log(
    `  ${titles[name].padEnd(32)} median ${String(median).padStart(5)}   fastest ${String(sorted[0]).padStart(5)}   slowest ${String(sorted.at(-1)).padStart(5)}${ratio}${verdict}`,
  );
}
await served.close();
