/**
 * What is likely to be wrong in a command that ran: said before an index is advised, mended by one click; and why
 * nothing was found.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, phone, withBrowser } from "./browser.mjs";

const { stay } = withBrowser();

const seed = `use shop
db.orders.insertMany(Array.from({ length: 2000 }, (_, i) => ({ state: i % 4 ? "NY" : "CA", total: i + 0.5,
  ordered: new Date(1e12 + i), lines: [{ product: i % 50, qty: 1 }] }))).acknowledged
db.orders.createIndex({ total: 1 })`;

for (const colorScheme of ["light", "dark"]) {
  test(`a name that no document has is told with what it leaves, and mended, ${colorScheme}`, async () => {
    const { open, close } = await stay({ colorScheme });
    const page = await open();
    await page.succeed(seed);
    await page.run('db.orders.find({ state: "CA", totl: { $gt: 500 } })');
    const doubts = page.newest.locator("doubt-lines section");
    await page.shows("No document has totl. Did you mean total, a Double?");
    assert.deepEqual(await doubts.locator("li").allInnerTexts(), ['state: "CA"\n500', "totl: { $gt: 500 }\n0"]);
    await page.shows("Of 2,000 documents each condition alone leaves");
    await counts(page.newest.getByText("An index that would help"), 0);
    await page.isAccessible("a doubt");
    await page.fits("a doubt");
    await page.button("简体中文").click();
    await page.shows("没有任何文档含有 totl。你是否想写 total（Double）？");
    await page.button("English").click();
    const mend = page.newest.getByRole("button", { name: "Write total" });
    await mend.focus();
    await page.press("Enter", "Write total");
    await page.scriptIs('db.orders.find({ state: "CA", total: { $gt: 500 } })');
    await page.run();
    await page.shows(/first 20 documents/);
    await counts(page.newest.locator("doubt-lines"), 0);
    page.isQuiet();
    await close();
  });
}

test("values of another type, texts for fields and conditions that never meet are told", async () => {
  const { open, close } = await stay(phone);
  const page = await open();
  await page.succeed(`${seed}
db.orders.find({ ordered: { $gte: "2001-01-01", $lt: "2002-01-01" } })`);
  await page.shows("ordered is a Date and never a String: values of different types are not compared.");
  await page.newest.getByRole("button", { name: "Mend all of it" }).waitFor();
  await page.isAccessible("a doubt on a phone");
  await page.fits("a doubt on a phone");
  await page.newest.getByRole("button", { name: "Mend all of it" }).click();
  await page.scriptIs((text) => text.includes('$gte: new Date("2001-01-01"), $lt: new Date("2002-01-01")'));
  await close();

  const wide = await stay();
  const other = await wide.open();
  await other.succeed(seed);
  await other.run('db.orders.aggregate([{ $group: { _id: "state", n: { $sum: "total" } } }])');
  await other.shows('"total" is a text here, and $sum takes numbers alone. The value of a field is written with a $.');
  await other.newest.getByRole("button", { name: "Mend all of it" }).click();
  await other.scriptIs('db.orders.aggregate([{ $group: { _id: "$state", n: { $sum: "$total" } } }])');
  await other.run('db.orders.updateOne({ state: "CA", total: 1.5 }, { $set: { paid: true } })');
  await other.shows("Each of them finds documents, and no document meets all of them.");
  await other.run("db.orders.countDocuments({ lines: { product: 3 } })");
  await other.newest.getByRole("button", { name: 'Write "lines.product"' }).click();
  await other.scriptIs('db.orders.countDocuments({ "lines.product": 3 })');
  // Kept over a reload, and told once.
  await other.reload();
  await other.shows(/lines is compared with this document as a whole/);
  other.isQuiet();
  await wide.close();
});

test("a collection that a pipeline takes in and that is not there is told and mended, and a field of one", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(`${seed}
db.customers.insertOne({ email: "a@b.c", state: "CA" })`);
  await page.run(
    'db.orders.aggregate([{ $lookup: { from: "customer", localField: "state", foreignField: "stat", as: "customer" } }])',
  );
  await page.shows("There is no collection customer. Did you mean customers?");
  await page.button("简体中文").click();
  await page.shows("没有名为 customer 的集合。你是否想写 customers？");
  await page.button("English").click();
  await page.isAccessible("a collection that is not there");
  await page.newest.getByRole("button", { name: 'Write "customers"' }).click();
  const found =
    'db.orders.aggregate([{ $lookup: { from: "customers", localField: "state", foreignField: "stat", as: "customer" } }])';
  await page.scriptIs(found);
  await page.run();
  await page.shows("No document of customers has stat. Did you mean state, a String?");
  await page.newest.getByRole("button", { name: 'Write "state"' }).click();
  await page.scriptIs(found.replace('"stat"', '"state"'));
  await page.run();
  await page.shows(/first 20 documents/);
  await counts(page.newest.locator("doubt-lines"), 0);
  page.isQuiet();
  await close();
});

test("an index is advised where it narrows, and compared by as much as the run read", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(seed);
  await page.run('db.orders.find({ state: "CA" }).sort({ total: -1 }).toArray()');
  await page.shows("The index total_1 was walked for its order alone: 2,000 documents read to find 500.");
  await page.shows("db.orders.createIndex({ state: 1, total: -1 })");
  await page.newest.getByRole("button", { name: "Compare on a fork" }).click();
  await page.newest.getByRole("button", { name: "Try it on a fork" }).click();
  await page.shows("Both read the whole result: 500 documents.");
  assert.deepEqual(await page.newest.locator("index-trial tbody tr").nth(1).locator("td").allInnerTexts(), [
    "2,000",
    "500",
    "4.0 times less",
  ]);
  await page.run("db.orders.find({ state: /ca/i })");
  await page.shows(/no index used/);
  await page.run('db.orders.find({ state: "CA" })');
  await page.shows("db.orders.createIndex({ state: 1 })");
  await counts(page.newest.getByText("db.orders.createIndex({ state: 1 })"), 1);
  page.isQuiet();
  await close();
});

test("a call of the wrong shape and a slip of the pen are mended by one click", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed("use shop\ndb.orders.insertOne({ total: 1 })");
  for (const [script, told, name, mended] of [
    [
      "db.orders.updateOne({}, { total: 5 })",
      /An update says/,
      "Write { $set: { total: 5 } }",
      "db.orders.updateOne({}, { $set: { total: 5 } })",
    ],
    [
      "db.orders.find({ total: { $gt: 5 })",
      "} is missing here: the { of line 1 is still open.",
      "Add }",
      "db.orders.find({ total: { $gt: 5 } })",
    ],
    [
      "db.orders.find({ total > 5 })",
      /In a document this is written/,
      "Write total: { $gt: 5 }",
      "db.orders.find({ total: { $gt: 5 } })",
    ],
    ["orders.find()", "A collection is named behind db: db.orders", "Write db.orders", "db.orders.find()"],
  ]) {
    await page.run(script);
    await page.shows(told);
    await page.newest.getByRole("button", { name, exact: true }).click();
    await page.scriptIs(mended);
  }
  await page.run("foo.bar");
  await page.shows(/foo is not defined/);
  await counts(page.newest.getByText("Did you mean"), 0);
  page.isQuiet();
  await close();
});
