/**
 * What transactions, the oplog and change streams cost, through the packed npm package's exports in Chromium; medians
 * of rounds whose measures are in a shuffled order, each in a page of its own, and their ratios.
 *
 *     node replica.mjs --package=FILE [--rounds=3] [--count=100000] [--budget=3000] [--before=FILE]
 *
 * - Transactions of ten updates, awaited one after another, beside ten updates without a transaction: in memory, in
 *   IndexedDB, and stored once they are acknowledged (`j: true`).
 * - From an insert until another tab, which watches, has said that it was told; beside a bare message over the same
 *   BroadcastChannel and back, and beside a stream in the tab that inserts.
 * - The garden products inserted into memory: as a standalone, which has no oplog at all; as a replica set of which
 *   nobody watches; with a stream open that reads all events; and by another build of the package (`before`).
 *
 * A wrong answer is an error. `CHROMIUM` names the browser.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exported, unpack } from "./packed.mjs";
import { chromiumFlags } from "../../web/scripts/chromium-flags.mjs";
import { serve } from "../../web/scripts/serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const rounds = Number(given.rounds ?? 3);
const count = Number(given.count ?? 100000);
const budget = Number(given.budget ?? 3000);

/** How often another tab is told. */
const TOLD = 40;
/** Documents of which transactions update ten. */
const DOCUMENTS = 1000;

/** The measures, as a page has them; `MongoClient` and `makeProducts` are imported before. */
function measures({ MongoClient, makeProducts }) {
  const ids = (from) => Array.from({ length: 10 }, (_, i) => (from * 7919 + i * 97) % 1000);
  const perSecond = async (milliseconds, operation) => {
    const begun = performance.now();
    let done = 0;
    while (performance.now() - begun < milliseconds) {
      await operation(done);
      done += 1;
    }
    return { done, rate: (done / (performance.now() - begun)) * 1000 };
  };
  const filled = async (options, documents) => {
    const client = new MongoClient("quire://replica", options);
    const stocks = client.db("bench").collection("stocks");
    await stocks.drop();
    await stocks.insertMany(
      Array.from({ length: documents }, (_, _id) => ({ _id, stock: 0 })),
      { writeConcern: { w: 1, j: true } },
    );
    return { client, stocks };
  };
  const channel = new BroadcastChannel("replica");
  const heard = () => new Promise((resolve) => channel.addEventListener("message", resolve, { once: true }));
  return {
    async updates({ options, documents, milliseconds, within, j }) {
      const { client, stocks } = await filled(options, documents);
      const writeConcern = { w: 1, j };
      const session = within ? client.startSession() : undefined;
      const ten = async (round, settings) => {
        for (const _id of ids(round)) await stocks.updateOne({ _id }, { $inc: { stock: 1 } }, settings);
      };
      const { done, rate } = await perSecond(milliseconds, (round) =>
        within
          ? session.withTransaction(() => ten(round, { session }), { writeConcern })
          : ten(round, { writeConcern: { w: 1 } }),
      );
      const [{ sum }] = await stocks.aggregate([{ $group: { _id: null, sum: { $sum: "$stock" } } }]).toArray();
      if (sum !== done * 10) throw new Error(`${sum} updates, and not ${done * 10}`);
      await session?.endSession();
      await client.close();
      return rate;
    },

    /** The other tab: answers each message, and says when it is told of an insert. */
    async listen() {
      const { client, stocks } = await filled({ storage: "indexeddb" }, 1);
      const stream = stocks.watch();
      await stream.tryNext();
      channel.onmessage = ({ data }) => {
        if (data.echo !== undefined) channel.postMessage({ heard: data.echo });
        if (data.over) stream.close().then(() => client.close());
      };
      (async () => {
        for await (const event of stream) channel.postMessage({ told: event.documentKey._id });
      })().catch((error) => channel.postMessage({ failed: String(error) }));
    },

    /** Milliseconds until the other tab has answered; the median of many. */
    async ask({ times, how }) {
      const client = how === "echo" ? undefined : new MongoClient("quire://replica", { storage: "indexeddb" });
      const stocks = client?.db("bench").collection("stocks");
      const own = how === "own" ? stocks.watch() : undefined;
      await own?.tryNext();
      const took = [];
      for (let round = 0; round < times; round += 1) {
        const _id = `${how} ${round}`;
        const begun = performance.now();
        const answer = how === "own" ? own.next() : heard();
        if (how === "echo") channel.postMessage({ echo: _id });
        else await stocks.insertOne({ _id }, { writeConcern: { w: 1, j: how === "stored" } });
        const said = await answer;
        const named = how === "own" ? said.documentKey._id : (said.data.told ?? said.data.heard);
        took.push(performance.now() - begun);
        if (named !== _id) throw new Error(`told ${JSON.stringify(said.data ?? said)}, and not ${_id}`);
      }
      await own?.close();
      await client?.close();
      if (how === "stored") channel.postMessage({ over: true });
      return took.sort((one, other) => one - other)[times >> 1];
    },

    /** Milliseconds until all products are in, and until the stream has told the last one. */
    async load({ products, options, watches }) {
      const all = makeProducts(products, 7);
      const client = new MongoClient("quire://load", { storage: "memory", ...options });
      const collection = client.db("bench").collection("products");
      await collection.createIndexes([
        { key: { slug: 1 }, unique: true },
        { key: { tags: 1 } },
        { key: { "pricing.sale": 1 } },
      ]);
      let told = 0;
      let reading;
      if (watches) {
        // All events fit: a reader that falls behind by more than the oplog keeps would lose its place.
        await client.db("admin").command({ quireOplog: 1, enabled: true, size: 256 << 20 });
        const stream = collection.watch([], { batchSize: 1000 });
        await stream.tryNext();
        reading = (async () => {
          while (told < products) {
            await stream.next();
            told += 1;
          }
          await stream.close();
        })();
        reading.catch(() => {});
      }
      const begun = performance.now();
      for (let i = 0; i < products; i += 10000) await collection.insertMany(all.slice(i, i + 10000));
      const inserted = performance.now() - begun;
      await reading;
      const last = performance.now() - begun;
      const found = await collection.countDocuments({});
      if (found !== products) throw new Error(`${found} products, and not ${products}`);
      await client.close();
      return [inserted, last];
    },
  };
}

const pageOf = (entry) => `<!doctype html><meta charset="utf-8"><title>replica</title><link rel="icon" href="data:,">
<script type="module">
import { MongoClient } from "${entry}";
import { makeProducts } from "/src/products.mjs";
globalThis.measures = (${measures})({ MongoClient, makeProducts });
</script>`;

if (!given.package) {
  console.error("which package? --package=FILE, the file that `npm pack` makes of pkg/ (cargo xtask bench does both)");
  process.exit(2);
}
const builds = { now: unpack(given.package, join(here, "dist", "packed")) };
if (given.before) builds.before = unpack(given.before, join(here, "dist", "before"));
const entryOf = (build) => `/${build}/${exported(builds[build], "quiredb").replace(/^\.\//, "")}`;
const served = await serve(
  {
    "/src/": join(here, "src"),
    ...Object.fromEntries(Object.entries(builds).map(([name, { root }]) => [`/${name}/`, root])),
  },
  { pages: Object.fromEntries(Object.keys(builds).map((name) => [`/${name}.html`, pageOf(entryOf(name))])) },
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  channel: process.env.CHROMIUM ? undefined : "chromium",
  headless: true,
  args: chromiumFlags,
});

/** A page of its own, in a profile of its own unless one is given. */
async function measure(name, message, { build = "now", context } = {}) {
  const own = context ?? (await browser.newContext());
  const page = await own.newPage();
  await page.goto(`${served.origin}/${build}.html`);
  await page.waitForFunction(() => globalThis.measures);
  const result = await page.evaluate(([what, all]) => globalThis.measures[what](all), [name, message]);
  if (context === undefined) await own.close();
  return result;
}

const updates = (options, within, j = false) => ({
  run: () => measure("updates", { options, documents: DOCUMENTS, milliseconds: budget, within, j }),
});
const memory = { storage: "memory" };
const stored = { storage: "indexeddb" };
const load = (options, watches, build) => ({
  run: () => measure("load", { products: count, options, watches }, { build }),
});
const tasks = {
  memory: updates(memory, true),
  memoryBare: updates(memory, false),
  stored: updates(stored, true),
  storedBare: updates(stored, false),
  storedSure: updates(stored, true, true),
  latency: {
    async run() {
      const context = await browser.newContext();
      await measure("listen", {}, { context });
      const result = [];
      for (const how of ["echo", "own", "told", "stored"])
        result.push(await measure("ask", { times: TOLD, how }, { context }));
      await context.close();
      return result;
    },
  },
  standalone: load({ topology: "standalone" }, false),
  unwatched: load({}, false),
  watched: load({}, true),
  ...(builds.before === undefined ? {} : { before: load({}, false, "before") }),
};
const results = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [, name] of Object.keys(tasks)
    .map((each) => [Math.random(), each])
    .sort(([one], [other]) => one - other)) {
    const result = await tasks[name].run();
    results[name].push(Array.isArray(result) ? result : [result]);
  }
}
await browser.close();
await served.close();

/** The median of one of the numbers that a measure gives. */
const median = (name, at = 0) => {
  const sorted = results[name].map((each) => each[at]).sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const line = (text, value, unit, ratio, of) =>
  console.log(
    `  ${text.padEnd(46)} ${value.toFixed(value < 10 ? 2 : 0).padStart(7)} ${unit.padEnd(3)}` +
      (ratio === undefined ? "" : `  ${ratio.toFixed(2)} of ${of}`),
  );
console.log(`transactions, oplog and change streams, medians of ${rounds} rounds:`);
console.log(" ten updates, one after another, each awaited:");
for (const [name, bare, where] of [
  ["memory", "memoryBare", "in memory"],
  ["stored", "storedBare", "in IndexedDB"],
]) {
  line(`without a transaction, ${where}`, median(bare), "/s");
  line(`in a transaction, ${where}`, median(name), "/s", median(name) / median(bare), "those without");
}
line(
  "in a transaction, stored once acknowledged",
  median("storedSure"),
  "/s",
  median("storedSure") / median("stored"),
  "those not waited for",
);
console.log(" from an insert until a stream has told it and the answer is here:");
const echo = median("latency", 0);
line("a bare message to the other tab and back", echo, "ms");
for (const [at, text] of ["this tab's own stream", "another tab's stream", "another tab's stream, j: true"].entries())
  line(text, median("latency", at + 1), "ms", median("latency", at + 1) / echo, "the bare message");
console.log(` ${count} products into memory, three indexes:`);
const base = median("standalone");
line("a standalone, which has no oplog", base, "ms");
const against = (text, name, at) =>
  line(text, median(name, at), "ms", median(name, at) / base, "the standalone's time");
if (results.before) against("the other build", "before", 0);
against("a replica set, nobody watches", "unwatched", 0);
against("with a stream, until all are in", "watched", 0);
against("with a stream, until all are told", "watched", 1);
