/**
 * `MongoClient` with `thread: "this"`: the engine in a page's own thread, and in a worker of the page's own, over
 * IndexedDB. Its writes are as safe as those of a worker of the package, and clients of both kinds are to one
 * another as tabs are.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { eventually, patience, withBrowser } from "./browser.mjs";
import { crashTab } from "./faults.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' blob:";
let served;
before(async () => {
  served = await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
});

/** A profile whose pages have nothing in them. */
async function profile() {
  const { context, close } = await visit();
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": policy },
      body: "<!doctype html><title>blank</title>",
    }),
  );
  const open = async () => {
    const page = await context.newPage();
    await page.goto(`${served.url}blank.html`);
    return page;
  };
  return { context, open, close };
}

/** Opens a client in a page, as `client`, and counts the workers that it starts. */
const connect = (page, options) =>
  page.evaluate(async (given) => {
    const { MongoClient } = await import("./index.js");
    globalThis.client = new MongoClient("quire://shop", given);
    await client.connect();
  }, options);

test("what an engine in the page's own thread stores is there after a reload, and no worker is started", async () => {
  const { open, close } = await profile();
  const page = await open();
  await connect(page, { thread: "this" });
  const first = await page.evaluate(async () => {
    const rakes = client.db("garden").collection("rakes");
    await rakes.createIndex({ slug: 1 }, { unique: true });
    await rakes.insertMany(
      Array.from({ length: 2000 }, (_, n) => ({ _id: n, slug: `rake-${n}`, text: "x".repeat(300) })),
      { writeConcern: { j: true } },
    );
    const twice = await rakes.insertOne({ slug: "rake-7" }).catch((error) => error.code);
    const aborted = new AbortController();
    aborted.abort(new Error("not wanted"));
    const refused = await rakes
      .updateOne({ _id: 1 }, { $set: { slug: "never" } }, { signal: aborted.signal })
      .catch((error) => error.message);
    const limit = await rakes
      .find({
        $expr: {
          $gt: [{ $reduce: { input: { $range: [0, 30000] }, initialValue: 0, in: { $add: ["$$value", "$_id"] } } }, -1],
        },
      })
      .maxTimeMS(50)
      .toArray()
      .catch((error) => error.code);
    // A caller's document is written down when it is given.
    const changed = { _id: "changed", at: 1 };
    const done = rakes.insertOne(changed);
    changed.at = 2;
    await done;
    // Functions run in the sandbox here too, which nobody's signal reaches: each has an end of its own.
    const where = (await rakes.find({ $where: "this._id === 7 && typeof fetch === 'undefined'" }).toArray()).length;
    const ends = [];
    for (const options of [{ maxTimeMS: 50 }, { signal: new AbortController().signal }])
      ends.push(await rakes.findOne({ $where: "for (;;);" }, options).catch((error) => error.code));
    return { twice, refused, limit, at: (await rakes.findOne({ _id: "changed" })).at, where, ends };
  });
  assert.deepEqual(first, { twice: 11000, refused: "not wanted", limit: 50, at: 1, where: 1, ends: [50, 139] });
  assert.equal(page.workers().length, 0);
  await page.reload();
  await connect(page, { thread: "this" });
  const again = await page.evaluate(async () => {
    const rakes = client.db("garden").collection("rakes");
    const found = [
      (await rakes.findOne({ slug: "rake-1999" }))._id,
      await rakes.countDocuments(),
      (await rakes.findOne({ _id: 1 })).slug,
    ];
    await client.close();
    return found;
  });
  assert.deepEqual(again, [1999, 2001, "rake-1"]);
  await close();
});

test("tabs with engines in their own threads and tabs with workers write to one deployment, and one that never pauses lets others in", async () => {
  const { open, close } = await profile();
  const kinds = [{ thread: "this" }, { thread: "this" }, { thread: "worker" }];
  const pages = await Promise.all(kinds.map(open));
  for (const [index, page] of pages.entries()) await connect(page, kinds[index]);
  await pages[0].evaluate(() => client.db("garden").collection("stock").insertOne({ _id: "spades", left: 0 }));
  // Each awaits one command after another, so that its thread has no task of its own in between.
  await Promise.all(
    pages.map((page) =>
      page.evaluate(async () => {
        for (let n = 0; n < 300; n++)
          await client
            .db("garden")
            .collection("stock")
            .updateOne({ _id: "spades" }, { $inc: { left: 1 } });
      }),
    ),
  );
  for (const page of pages)
    assert.equal(
      await page.evaluate(async () => (await client.db("garden").collection("stock").findOne({})).left),
      900,
    );
  // Two engines in one thread are as two tabs.
  const both = await pages[0].evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const other = new MongoClient("quire://shop", { thread: "this" });
    await other.connect();
    const add = async (one) => {
      for (let n = 0; n < 50; n++)
        await one
          .db("garden")
          .collection("stock")
          .updateOne({ _id: "spades" }, { $inc: { left: 1 } }, { writeConcern: { j: true } });
    };
    await Promise.all([add(client), add(other)]);
    const { left } = await other.db("garden").collection("stock").findOne({});
    await other.close();
    return left;
  });
  assert.equal(both, 1000);
  // A cursor that waits for data gets the writes of another tab.
  const heard = await pages[1].evaluate(async () => {
    const db = client.db("garden");
    await db.createCollection("log", { capped: true, size: 65536 });
    await db.collection("log").insertOne({ n: 0 }, { writeConcern: { j: true } });
    const cursor = db.collection("log").find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 600_000 });
    globalThis.first = (await cursor.next()).n;
    globalThis.second = cursor.next();
    return first;
  });
  assert.equal(heard, 0);
  await pages[2].evaluate(() => client.db("garden").collection("log").insertOne({ n: 1 }));
  assert.equal(await pages[1].evaluate(async () => (await second).n), 1);
  // So does a change stream; while it waits, other commands of its tab are answered, and it can be closed.
  for (const page of pages.slice(1))
    await page.evaluate(async () => {
      const stock = client.db("garden").collection("stock");
      globalThis.stream = stock.watch([], { maxAwaitTimeMS: 600_000 });
      await stream.tryNext();
      globalThis.event = stream.next();
      await stock.findOne({});
    });
  await pages[0].evaluate(() =>
    client
      .db("garden")
      .collection("stock")
      .updateOne({}, { $set: { left: 7 } }),
  );
  for (const page of pages.slice(1)) {
    const heard = await page.evaluate(async () => {
      const { operationType, updateDescription } = await event;
      const next = stream.next().catch(({ message }) => message);
      await stream.close();
      return [operationType, updateDescription.updatedFields, await next];
    });
    assert.deepEqual(heard, ["update", { left: 7 }, "ChangeStream is closed"]);
  }
  await close();
});

test("what was journaled survives the end of the tab whose thread holds the engine", async () => {
  const { open, close } = await profile();
  const doomed = await open();
  await connect(doomed, { thread: "this" });
  const journaled = [];
  await doomed.exposeFunction("told", (n) => void journaled.push(n));
  doomed
    .evaluate(async () => {
      for (let n = 0; ; n++) {
        await client
          .db("garden")
          .collection("diary")
          .insertOne({ _id: n, text: "y".repeat(2000) }, { writeConcern: { j: n % 5 === 4 } });
        // Waited for: calls without an answer would pile up before those of the test.
        if (n % 5 === 4) await told(n);
      }
    })
    .catch(() => undefined);
  await eventually(
    () => journaled.length,
    (length) => length >= 10,
    "journaled writes",
  );
  await crashTab(doomed);
  const kept = journaled.at(-1);
  const heir = await open();
  await connect(heir, { thread: "this" });
  const found = await heir.evaluate(async () => {
    const diary = client.db("garden").collection("diary");
    const all = (await diary.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
    const { valid } = await client.db("garden").command({ validate: "diary" });
    return { all, valid };
  });
  assert.equal(found.valid, true);
  assert.ok(found.all.length > kept, `${found.all.length} of ${kept + 1} journaled documents are there`);
  assert.deepEqual(
    found.all,
    found.all.map((_, index) => index),
  );
  await close();
});

test("a stored view runs its function though the first command over it names none", async () => {
  const { open, close } = await profile();
  const first = await open();
  await connect(first, { thread: "this" });
  await first.evaluate(async () => {
    const db = client.db("garden");
    await db.collection("rakes").insertMany([{ _id: 1 }, { _id: 2 }]);
    const twice = { $function: { body: "function (n) { return 2 * n; }", args: ["$_id"], lang: "js" } };
    await db.createCollection("doubled", { viewOn: "rakes", pipeline: [{ $project: { twice } }] });
    await client.close();
  });
  for (const thread of ["this", "worker"]) {
    const page = await open();
    await connect(page, { thread });
    const found = await page.evaluate(() => client.db("garden").collection("doubled").find().toArray());
    assert.deepEqual(
      found,
      [
        { _id: 1, twice: 2 },
        { _id: 2, twice: 4 },
      ],
      thread,
    );
    await page.close();
  }
  await close();
});

test("clients say in which thread they want memory, clients of the default share it, and what cannot be is refused", async () => {
  const { open, close } = await profile();
  const page = await open();
  const told = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const failure = (promise) =>
      promise.then(
        () => "resolved",
        (error) => `${error.name}: ${error.message}`,
      );
    const here = new MongoClient("quire://bench?thread=this", { storage: "memory", now: () => 1.7e12 });
    await here.db("test").collection("herbs").insertOne({ _id: 1 });
    const any = new MongoClient("quire://bench", { storage: "memory" });
    const shared = await any.db("test").collection("herbs").findOne({});
    const other = await failure(new MongoClient("quire://bench", { storage: "memory", thread: "worker" }).connect());
    const clock = await failure(
      new MongoClient("quire://clock", { storage: "memory", thread: "worker", now: Date.now }).connect(),
    );
    const { localTime } = await here.db("admin").command({ hello: 1 });
    let misspelt;
    try {
      new MongoClient("quire://bench", { thread: "main" });
    } catch (error) {
      misspelt = `${error.name}: ${error.message}`;
    }
    await here.close();
    await any.close();
    // A worker of the page's own is the other place for an engine in its thread.
    const script = `import { MongoClient } from ${JSON.stringify(new URL("./index.js", location.href).href)};
      const client = new MongoClient("quire://own", { thread: "this" });
      await client.db("test").collection("herbs").insertOne({ _id: 7 }, { writeConcern: { j: true } });
      const found = await client.db("test").collection("herbs").findOne({});
      await client.close();
      postMessage(found);`;
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
    const own = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    return { shared, other, clock, misspelt, time: localTime.getTime(), own };
  });
  assert.deepEqual(told, {
    shared: { _id: 1 },
    other: 'MongoInvalidArgumentError: the deployment "bench" is open already, in another thread',
    clock: "MongoInvalidArgumentError: now is for an engine in this thread, and this one is in a worker",
    misspelt: 'MongoInvalidArgumentError: thread must be "this" or "worker", not "main"',
    time: 1.7e12,
    own: { _id: 7 },
  });
  await close();
});

test("Node has its engines in this thread, as objects too, and ends when nothing is awaited any more", async () => {
  const script = `
    import { MongoClient, Long } from ${JSON.stringify(new URL("../../pkg/dist/index.js", import.meta.url).href)};
    import { Engine } from ${JSON.stringify(new URL("../../pkg/dist/engine.js", import.meta.url).href)};
    const failure = (promise) => promise.then(() => "resolved", (error) => error.name + ": " + error.message);
    const told = {};
    told.worker = await failure(new MongoClient("quire://a", { thread: "worker" }).connect());
    told.stored = await failure(new MongoClient("quire://a", { thread: "this", storage: "indexeddb" }).connect());
    // A Worker of some other kind changes nothing.
    globalThis.Worker = class {};
    const client = new MongoClient("quire://a");
    const db = client.db("test");
    told.promised = db.collection("herbs").insertOne({ _id: 1 }) instanceof Promise;
    await db.createCollection("log", { capped: true, size: 65536 });
    await db.collection("log").insertOne({ n: 0 });
    const aborted = new AbortController();
    const cursor = db.collection("log").find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 600_000, signal: aborted.signal });
    await cursor.next();
    const next = failure(cursor.next());
    told.herb = await db.collection("herbs").findOne({ _id: 1 });
    aborted.abort(new Error("no longer"));
    told.next = await next;
    await client.close();
    const engine = await Engine.create();
    const herb = { _id: Long.fromNumber(5), none: undefined };
    const { n, ok } = engine.run({ insert: "herbs", documents: [herb], $db: "test" }, { ignoreUndefined: true });
    told.inserted = { n, ok };
    told.found = engine.run({ find: "herbs", $db: "test" }).cursor.firstBatch;
    told.typed = engine.run({ find: "herbs", $db: "test" }, { numbers: "typed" }).cursor.firstBatch[0]._id._bsontype;
    told.failed = engine.run({ nothing: 1, $db: "test" }).code;
    told.without = engine.run({ ping: 1 }).ok;
    engine.close();
    try { engine.run({ ping: 1, $db: "test" }); } catch (error) { told.closed = error.message; }
    console.log(JSON.stringify(told));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    timeout: patience,
  });
  assert.deepEqual(JSON.parse(stdout), {
    worker: 'MongoInvalidArgumentError: thread cannot be "worker" here: no worker of this package can be started',
    stored: 'MongoServerSelectionError: the deployment "a" cannot be opened: there is no IndexedDB here',
    promised: true,
    herb: { _id: 1 },
    next: "Error: no longer",
    inserted: { n: 1, ok: 1 },
    found: [{ _id: 5 }],
    typed: "Long",
    failed: 59,
    without: 0,
    closed: "the engine is closed",
  });
});
