/**
 * Work that was told to stop ends soon, also inside one command: Stop in the playground, `AbortSignal`, `timeoutMS` and
 * `maxTimeMS` in `MongoClient`.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:";
let served;
before(async () => {
  served = await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
});

test("Stop ends a join of all with all inside one command, and what was there stays", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed("db.many.insertMany(Array.from({ length: 20000 }, (_, n) => ({ _id: n, a: n })))");
  const join =
    "db.many.aggregate([{ $lookup: { from: 'many', let: { a: '$a' }, pipeline: [{ $match: { $expr: { $gt: ['$a', { $add: ['$$a', 100000] }] } } }], as: 'x' } }, { $group: { _id: null, n: { $sum: 1 } } }])";
  for (const script of [join, `${join}.toArray()`]) {
    await page.write(script);
    await page.pressRun();
    await page.stop();
  }
  assert.equal(await page.print("print(db.many.countDocuments())"), "20000");
  await close();
});

test("a command ends by its signal, its time limit and its client's", async () => {
  const { context, close } = await visit();
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": policy },
      body: "<!doctype html><html lang=en><title>blank</title>",
    }),
  );
  const page = await context.newPage();
  await page.goto(`${served.url}blank.html`);
  const outcome = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const client = new MongoClient("quire://abort", { storage: "memory" });
    const many = client.db("d").collection("many");
    await many.insertMany(Array.from({ length: 20000 }, (_, n) => ({ _id: n, a: n })));
    const join = [
      {
        $lookup: {
          from: "many",
          let: { a: "$a" },
          pipeline: [{ $match: { $expr: { $gt: ["$a", { $add: ["$$a", 100000] }] } } }],
          as: "x",
        },
      },
      { $group: { _id: null, n: { $sum: 1 } } },
    ];
    const failure = (promise) =>
      promise.then(
        () => "done",
        (error) => [error.name, error.code ?? null].join(" "),
      );
    const told = {};
    const controller = new AbortController();
    // Commands are answered in their order: with the first one's answer the engine goes on to the second.
    const first = many.countDocuments();
    await new Promise((sent) => setTimeout(sent));
    const aborted = failure(many.aggregate(join, { signal: controller.signal }).toArray());
    await first;
    controller.abort();
    told.aborted = await aborted;
    // The engine has ended too: it answers the next one.
    const began = performance.now();
    told.next = await many.countDocuments();
    told.waited = performance.now() - began;
    told.before = await failure(many.findOne({}, { signal: AbortSignal.abort() }));
    told.maxTimeMS = await failure(many.aggregate(join, { maxTimeMS: 100 }).toArray());
    told.timeoutMS = await failure(many.aggregate(join, { timeoutMS: 200 }).toArray());
    told.queued = await (async () => {
      const queue = new AbortController();
      const long = failure(many.aggregate(join, { maxTimeMS: 500 }).toArray());
      const write = failure(many.insertOne({ _id: "queued" }, { signal: queue.signal }));
      queue.abort();
      return [await write, await long, await many.countDocuments({ _id: "queued" })];
    })();
    told.all = await many.countDocuments();
    await client.close();
    return told;
  });
  const { waited, ...rest } = outcome;
  console.log(`the engine answered the next command ${Math.round(waited)} ms after the abort`);
  assert.deepEqual(
    { ...rest, timeoutMS: rest.timeoutMS.split(" ")[0] },
    {
      aborted: "AbortError 20",
      next: 20000,
      before: "AbortError 20",
      maxTimeMS: "MongoServerError 50",
      timeoutMS: "MongoOperationTimeoutError",
      queued: ["AbortError 20", "MongoServerError 50", 0],
      all: 20000,
    },
  );
  await close();
});
