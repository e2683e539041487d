/**
 * Hold-ups of a deployment: an opening that another page blocks, a tab that the browser froze or that is inside an
 * endless command while it has the lock, a script whose worker cannot be asked to stop. Each is told or passed by, and
 * stored data stay.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, Page, withBrowser } from "./browser.mjs";
import { backgroundTabs, connect, databaseOf } from "./faults.mjs";
import { serve } from "./server.mjs";

const built = (folder) => fileURLToPath(new URL(`../../${folder}`, import.meta.url));
const { visit } = withBrowser();
let served;
before(async () => {
  served = await serve(built("pkg/dist"));
});

/** A page of another project. */
async function blank(context) {
  const page = await context.newPage();
  await page.goto(`${served.url}blank.html`);
  return page;
}

/** Inserts one document, journaled; gives "stored", or the error. */
const store = (page, document) =>
  page.evaluate(
    (document) =>
      client
        .db("shop")
        .collection("teas")
        .insertOne(document, { writeConcern: { j: true } })
        .then(
          () => "stored",
          (error) => `${error.name}: ${error.message}`,
        ),
    document,
  );

const ids = (page) =>
  page.evaluate(() =>
    client
      .db("shop")
      .collection("teas")
      .find()
      .sort({ _id: 1 })
      .map(({ _id }) => _id)
      .toArray(),
  );

test("an opening that another page blocks is an error, and succeeds once that page lets go", async () => {
  const { context, close } = await visit();
  const page = await blank(context);
  assert.equal(await connect(page, "held"), "open");
  assert.equal(await store(page, { _id: 1 }), "stored");
  await page.evaluate(() => client.close());
  // One connection that stays open in spite of `versionchange`, and an upgrade that waits for it: the next opening
  // waits for both.
  const holder = await context.newPage();
  await holder.goto(`${served.url}blank.html`);
  const asked = await holder.evaluate(async (name) => {
    const settled = (request) =>
      new Promise((resolve, reject) =>
        Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }),
      );
    const held = await settled(indexedDB.open(name));
    const upgrade = indexedDB.open(name, held.version + 1);
    // Put back, so that the database stays as it was.
    upgrade.onupgradeneeded = () => upgrade.transaction.abort();
    upgrade.onerror = (event) => event.preventDefault();
    globalThis.letGo = () => held.close();
    return new Promise((resolve) => (upgrade.onblocked = () => resolve("blocked")));
  }, databaseOf("held"));
  assert.equal(asked, "blocked");
  assert.match(
    await connect(page, "held", { serverSelectionTimeoutMS: 500 }),
    /^MongoServerSelectionError: the deployment "held" cannot be opened: .*another tab upgrading/,
  );
  // Nothing is acknowledged in its place.
  assert.match(await store(page, { _id: 2 }), /another tab upgrading/);
  await holder.evaluate(() => letGo());
  await page.evaluate(() => client.close());
  assert.equal(await connect(page, "held"), "open");
  assert.deepEqual(await ids(page), [1]);
  await close();
});

test("a tab that the browser freezes while it has the lock is passed by, and goes on when it is thawed", async () => {
  const { context, close } = await visit();
  const tabs = await backgroundTabs(context.browser());
  const opening =
    "(async () => { const { MongoClient } = await import('./index.js'); globalThis.client = new MongoClient('quire://frozen'); globalThis.teas = client.db('shop').collection('teas'); await client.connect(); })()";
  const [cold, other] = [await tabs.open(`${served.url}blank.html`), await tabs.open(`${served.url}blank.html`)];
  for (const tab of [cold, other]) await tab.evaluate(opening);
  await cold.evaluate("(document.addEventListener('freeze', () => (globalThis.froze = true)), null)");
  const isHeld = () =>
    other.evaluate("navigator.locks.query().then(({ held }) => held.some(({ name }) => name === 'quire:frozen'))");
  // The lock is kept for a moment after a write: it is tried again where the freeze came too late for it.
  let writes = 0;
  await eventually(async () => {
    await cold.thaw();
    await cold.evaluate(
      `(globalThis.froze = false, teas.insertOne({ _id: 'cold ${(writes += 1)}' }, { writeConcern: { j: true } }))`,
    );
    await cold.freeze();
    await eventually(() => cold.evaluate("froze"), true);
    return isHeld();
  }, true);
  // Asked of the frozen tab before the other writes, and answered when it is thawed: over the data that the other
  // stored.
  await cold.evaluate(
    "(globalThis.late = teas.insertOne({ _id: 'late' }, { writeConcern: { j: true } }).then(() => teas.countDocuments()), null)",
  );
  const settled = () => cold.evaluate("Promise.race([late.then(() => 'settled'), 'standing'])");
  for (const id of ["other 1", "other 2"])
    assert.equal(
      await other.evaluate(`teas.insertOne({ _id: '${id}' }, { writeConcern: { j: true } }).then(() => 'stored')`),
      "stored",
    );
  assert.equal(await settled(), "standing");
  await cold.thaw();
  assert.equal(await cold.evaluate("late"), writes + 3);
  assert.equal(await other.evaluate("teas.countDocuments()"), writes + 3);
  await tabs.close();
  await close();
});

test("a tab inside an endless command is passed by, and its command ends by its signal", async () => {
  const { context, close } = await visit();
  const [busy, other] = [await blank(context), await blank(context)];
  for (const page of [busy, other]) assert.equal(await connect(page, "endless"), "open");
  await busy.evaluate(async () => {
    const many = client.db("shop").collection("many");
    await many.insertMany(
      Array.from({ length: 20_000 }, (_, n) => ({ _id: n, a: n })),
      { writeConcern: { j: true } },
    );
    const controller = new AbortController();
    globalThis.abort = () => controller.abort();
    // It compares all with all, and would write its findings.
    const join = [
      {
        $lookup: {
          from: "many",
          let: { a: "$a" },
          pipeline: [{ $match: { $expr: { $gt: ["$a", { $add: ["$$a", 100_000] }] } } }],
          as: "x",
        },
      },
      { $out: "joined" },
    ];
    globalThis.ended = null;
    globalThis.join = many
      .aggregate(join, { signal: controller.signal })
      .toArray()
      .then(
        () => "done",
        ({ name }) => name,
      )
      .then((how) => (globalThis.ended = how));
  });
  assert.equal(await store(other, { _id: "other" }), "stored");
  assert.equal(await busy.evaluate(() => ended), null, "the command is still at work");
  assert.equal(await busy.evaluate(() => (abort(), join)), "AbortError");
  assert.deepEqual(await ids(busy), ["other"]);
  assert.equal(await store(busy, { _id: "still here" }), "stored");
  assert.equal(await other.evaluate(() => client.db("shop").collection("joined").countDocuments()), 0);
  await close();
});

test("where a worker cannot be asked to stop, Stop and a signal end it and the deployment is opened again", async () => {
  // The policy lets nobody look for blobs, which is how a busy worker is asked.
  const deaf = await serve(built("web/dist/site"), 0, { "content-security-policy": "connect-src 'self'" });
  const { context, close } = await visit();
  const page = await Page.open(context, deaf.url);
  await page.succeed("db.kept.insertOne({ _id: 1 })");
  await page.isSaved();
  const workers = page.page.workers();
  await page.write("db.kept.insertOne({ _id: 2 }); while (true) {}");
  await page.pressRun();
  await page.stop();
  // Another worker over the stored data: data that the script had only in memory went with the old one.
  assert.equal(
    await page.print("print(db.kept.find().toArray().map(({ _id }) => _id), db.kept.validate({ full: true }).valid)"),
    "[ 1 ] true",
  );
  await eventually(() => page.page.workers().filter((worker) => workers.includes(worker)).length, 0);
  await page.succeed("db.kept.insertOne({ _id: 3 }, { writeConcern: { w: 1 } })");
  await page.isSaved();
  await page.reload();
  assert.equal(await page.print("print(db.kept.countDocuments())"), "2");
  await close();
  await deaf.close();
});

test("a deployment is opened beside a tab that journals without a pause, however often", async () => {
  const { context, close } = await visit();
  const busy = await blank(context);
  assert.equal(await connect(busy, "busy"), "open");
  // Writes that change most of the pages that an opening reads, several in flight so that the lock is never let go.
  await busy.evaluate(() => {
    globalThis.journaled = 0;
    globalThis.over = false;
    const database = client.db("shop");
    const line = async (number) => {
      for (let round = 0; !over; round += 1) {
        const teas = database.collection(`teas${number}${round % 20}`);
        await teas.insertOne({ round, text: "x".repeat(2000) }, { writeConcern: { j: true } });
        journaled += 1;
      }
    };
    globalThis.lines = Promise.all([0, 1, 2, 3].map(line));
  });
  const other = await blank(context);
  for (let time = 0; time < 15; time += 1) {
    assert.equal(await connect(other, "busy"), "open", `opening ${time}`);
    assert.ok((await other.evaluate(() => client.db("shop").listCollections().toArray())).length > 0);
    await other.evaluate(() => client.close());
  }
  // The busy tab goes on after having given way, and has lost nothing.
  const [written, failed] = await busy.evaluate(async () => {
    over = true;
    const failed = await lines.then(
      () => "",
      (error) => `${error.name}: ${error.message}`,
    );
    return [journaled, failed];
  });
  assert.equal(failed, "");
  assert.equal(await connect(other, "busy"), "open");
  const found = await other.evaluate(async () => {
    const database = client.db("shop");
    const names = (await database.listCollections().toArray()).map(({ name }) => name);
    const counts = await Promise.all(names.map((name) => database.collection(name).countDocuments()));
    return counts.reduce((sum, count) => sum + count, 0);
  });
  assert.equal(found, written);
  await close();
});
