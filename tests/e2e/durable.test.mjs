/**
 * A script's writes are stored while it still runs: a tab that dies keeps the progress of a long script, and every
 * write with `j: true` that was acknowledged before.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, withBrowser } from "./browser.mjs";
import { crashTab } from "./faults.mjs";

const { visit } = withBrowser();

/** The number of the last commit that is stored, read from IndexedDB itself. */
const storedCommits = ({ page }) =>
  page.evaluate(async () => {
    const settled = (request) =>
      new Promise((resolve, reject) =>
        Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }),
      );
    // The page's own results lie in a database beside the deployment's.
    const { name } = (await indexedDB.databases()).find((each) => each.name !== "quire-results");
    const database = await settled(indexedDB.open(name));
    try {
      return Math.max(0, ...(await settled(database.transaction("meta").objectStore("meta").getAllKeys())));
    } finally {
      database.close();
    }
  });

const figures =
  "print(db.ledger.estimatedDocumentCount(), db.ledger.find().sort({ _id: -1 }).limit(1).next()._id, db.ledger.validate({ full: true }).valid)";

test("a long script's progress is stored while it runs, whatever it loops with", async () => {
  const { open, close } = await visit();
  const doomed = await open();
  await doomed.run("db.ledger.drop()");
  await doomed.isSaved();
  const before = await storedCommits(doomed);
  await doomed.write(
    'function* numbers() { for (let n = 0; ; n++) yield n }\nfor (const n of numbers()) db.ledger.insertOne({ _id: n, text: "x".repeat(200) })',
  );
  await doomed.pressRun();
  // The badge does not call unsaved data saved.
  await doomed.page.locator("[data-storage=saving]").waitFor();
  await eventually(
    () => storedCommits(doomed),
    (commits) => commits >= before + 3,
    "slices of a script that runs are stored",
  );
  await doomed.page.locator("[data-storage=saving]").waitFor();
  await crashTab(doomed.page);

  const page = await open();
  const [count, last, valid] = (await page.print(figures)).split(" ");
  assert.ok(Number(count) > 0, "nothing of three slices was stored");
  assert.equal(Number(last), Number(count) - 1, "the stored documents are the first ones, without a gap");
  assert.equal(valid, "true");
  await close();
});

test("a long script ends saved, and its changes of old pages too", async () => {
  const { open, close } = await visit();
  const page = await open();
  const rounds = Number(
    await page.print(
      "for (let n = 0; n < 3000; n++) db.ledger.insertOne({ _id: n, n: 0 })\nconst end = Date.now() + 2500\nlet round = 0\nwhile (Date.now() < end) { round++; db.ledger.updateOne({ _id: round % 3000 }, { $inc: { n: 1 } }) }\nprint(round)",
    ),
  );
  await page.isSaved();
  await page.reload();
  assert.equal(
    await page.print(
      "print(db.ledger.aggregate([{ $group: { _id: null, n: { $sum: '$n' } } }]).next().n, db.ledger.validate({ full: true }).valid)",
    ),
    `${rounds} true`,
  );
  page.isQuiet();
  await close();
});

test("what was written with j: true is stored before the script goes on", async () => {
  const { open, close } = await visit();
  const doomed = await open();
  await doomed.write(
    'for (let n = 0; ; n++) { db.ledger.insertOne({ _id: n }, { writeConcern: { j: true } }); print("journaled", n); if (n === 20) sleep(3600000) }',
  );
  await doomed.pressRun();
  await doomed.shows(/journaled 20/);
  await crashTab(doomed.page);
  const page = await open();
  assert.equal(await page.print(figures), "21 20 true");
  await close();
});

test("j: true that storage refuses is said in the reply", async () => {
  const { context, open, close } = await visit();
  // Every commit of a worker is aborted at its header, the slices' too.
  await context.route(/main-.*\.js$/, async (route) => {
    const response = await route.fetch();
    const failing =
      'const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (...given) { if (given[1] === 0 && this.name === "meta") { this.transaction.abort(); } return put.apply(this, given); };\n';
    await route.fulfill({ response, body: failing + (await response.text()) });
  });
  const page = await open();
  await page.run("db.ledger.insertOne({ _id: 1 }, { writeConcern: { j: true } })");
  assert.match(await page.error(), /storage has not confirmed it/);
  await page.page.locator("[data-storage=bad], [data-storage=warn]").waitFor();
  await close();
});
