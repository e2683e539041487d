/**
 * What was told to stop ends soon, also inside one command.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

test("Stop ends a join of all with all inside one command, and what was there stays", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed("db.many.insertMany(Array.from({ length: 20000 }, (_, n) => ({ _id: n, a: n })))");
  const join = "db.many.aggregate([{ $lookup: { from: 'many', let: { a: '$a' }, pipeline: [{ $match: { $expr: { $gt: ['$a', { $add: ['$$a', 100000] }] } } }], as: 'x' } }, { $group: { _id: null, n: { $sum: 1 } } }])";
  for (const script of [join, `${join}.toArray()`]) {
    await page.write(script);
    await page.pressRun();
    await page.stop();
  }
  assert.equal(await page.print("print(db.many.countDocuments())"), "20000");
  await close();
});
