/**
 * Functions inside commands run in the sandbox, and a tailable cursor waits in the page as it does at a server.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

const { stay } = withBrowser();

test("$where runs its function in the sandbox, from a script and for what is only shown", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(
    "db.pairs.insertMany([{ _id: 1, a: 1, b: 1 }, { _id: 2, a: 1, b: 2 }, { _id: 3, a: 3, b: 3 }])\ndb.pairs.find({ $where: function () { return this.a === this.b } }, { _id: 1 })",
  );
  await page.shows("2 documents", { exact: true });
  assert.equal(
    await page.print('print(db.pairs.find({ $where: "this.a < obj.b" }).toArray().map((d) => d._id).join())'),
    "2",
  );
  assert.equal(
    await page.print(
      "print(db.pairs.deleteMany({ $where: () => typeof fetch === 'undefined' && typeof db === 'undefined' && obj.a === 3 }).deletedCount)",
    ),
    "1",
  );
  assert.equal(
    await page.print(
      'print(db.pairs.aggregate([{ $sort: { _id: 1 } }, { $project: { s: { $function: { body: function (a, b) { return a + "+" + b }, args: ["$a", "$b"], lang: "js" } } } }]).toArray().map((d) => d.s).join())',
    ),
    "1+1,1+2",
  );
  await page.run("db.pairs.find({ $where: function () { return missing(this) } }).toArray()");
  assert.match(await page.error(), /missing is not defined/);
  await page.run("db.pairs.find({ $where: function () { for (;;); } }).maxTimeMS(50).toArray()");
  assert.match(await page.error(), /MaxTimeMSExpired.*operation exceeded time limit/s);
  await page.write("db.pairs.find({ $where: function () { for (;;); } }).toArray()");
  await page.pressRun();
  await page.stop();
  assert.equal(await page.print("print(db.pairs.countDocuments())"), "2");
  await close();
});

test("what is printed is seen while the script sleeps or computes", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.write('print("before the sleep"); sleep(3600000)');
  await page.pressRun();
  await page.shows("before the sleep");
  await page.stop();
  await page.write('print("before the loop"); while (true) {}');
  await page.pressRun();
  await page.shows("before the loop");
  await page.stop();
  await close();
});
