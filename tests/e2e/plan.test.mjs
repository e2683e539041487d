/** How a result was answered: the line above it, and the plan as a flow of stages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, phone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

const teas = `
  db.teas.drop()
  db.teas.insertMany(Array.from({ length: 700 }, (_, n) => ({ _id: n, kind: ["green", "black"][n % 2], price: n % 90,
    tags: ["t" + n % 7, "t" + n % 5], country: ["cn", "jp", "in"][n % 3] })))
  db.teas.createIndex({ price: 1 })
  db.teas.createIndex({ tags: 1 })
`;

/** The line above the newest result. */
const line = (page) => page.newest.locator("page-insight summary").first();

test("the line above a result is true of the run", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(teas);
  for (const [script, said] of [
    ["db.teas.find()", /^Only the first 20 documents in stored order had to be read.*20 documents/s],
    ["db.teas.find({ country: 'cn' })", /^Read in stored order until 20 matched: 58 documents read/],
    ["db.teas.find().limit(5)", /^Only the first 5 documents in stored order had to be read.*5 documents/s],
    ["db.teas.find({ country: 'cn' }).limit(2)", /^Read in stored order until 2 matched: 4 documents read/],
    ["db.teas.find({ _id: 7 })", /^One step to the document: its _id was known/],
    [
      "db.teas.find({ price: { $lt: 3 } }).skip(4)",
      /^24 keys of the index price_1 were examined for 20 documents.* 4 of them were skipped/,
    ],
    [
      "db.teas.find({ $or: [{ price: { $lt: 9 } }, { tags: 't3' }] })",
      /^The indexes tags_1, price_1 led straight|^2\d keys of the indexes tags_1, price_1 were examined for 2\d doc/,
    ],
    [
      "db.teas.find().sort({ country: 1 }).limit(3)",
      /700 documents went through a sort in memory that keeps the first 3/,
    ],
  ]) {
    await page.succeed(script);
    await eventually(() => line(page).innerText(), said, script);
  }
  page.isQuiet();
  await close();
});

test("a plain value tells how it was read, in all its batches, and what an update read", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed(teas);
  const figures = page.newest.locator("page-insight .figures").first();
  for (const [script, said, counted] of [
    ["db.teas.find({ country: 'cn' }).toArray()", /^Every document was read, 700 in all, to find 234/, /700 documents/],
    ["db.teas.findOne({ country: 'jp' })", /^Read in stored order until 1 matched: 2 documents read/, /2 documents/],
    ["db.teas.countDocuments({ price: { $lt: 3 } })", /index price_1/, /2\d keys/],
    ["db.teas.updateMany({ country: 'in' }, { $set: { far: true } })", /700 in all, to find 233/, /700 documents/],
  ]) {
    await page.succeed(script);
    await eventually(() => line(page).innerText(), said, script);
    await eventually(() => figures.innerText(), counted, script);
  }
  // A command that writes is not run again, not even on a fork.
  await page.newest.getByText("An index that would help").waitFor();
  await counts(page.newest.getByRole("button", { name: "Compare on a fork" }), 0);

  // Of several commands it would be the plan of one.
  await page.succeed("db.teas.findOne() && db.teas.findOne({ _id: 3 })");
  await page.newest.getByRole("tree").waitFor();
  await page.succeed("db.teas.aggregate([{ $match: { country: 'cn' } }, { $count: 'n' }]).toArray()\n'last'");
  await counts(page.newest.locator("page-insight summary"), 0);
  await page.newest.getByRole("button", { name: /^line 1/ }).click();
  await eventually(() => line(page).innerText(), /^Every document was read, 700 in all/);
  await line(page).click();
  await page.newest.getByRole("button", { name: "The pipeline, stage by stage" }).click();
  await eventually(
    () => page.page.getByRole("dialog").locator("pipeline-flow .out").allInnerTexts(),
    ["700 documents", "234 documents", "1 document"],
  );
  await page.page.keyboard.press("Escape");
  await page.isAccessible("how a plain value was read");

  await page.succeed("db.teas.find({ country: 'cn' }).toArray()");
  await eventually(() => line(page).innerText(), /to find 234/);
  await page.reload();
  await eventually(() => line(page).innerText(), /^Every document was read, 700 in all, to find 234/);
  page.isQuiet();
  await close();
});

test("the line stays true while more is fetched, and over a reload", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed(teas);
  const next = page.newest.getByRole("button", { name: "Next 20 (it)" });
  const all = page.newest.getByRole("button", { name: "All the rest" });
  await page.succeed("db.teas.find({ country: 'cn' })");
  await next.click();
  await eventually(
    () => line(page).innerText(),
    /^Read in stored order until 40 matched: 118 documents read.*118 documents/s,
  );
  await all.click();
  await eventually(
    () => line(page).innerText(),
    /^Every document was read, 700 in all, to find 234: no index.*700 documents/s,
  );
  await page.newest.locator("leaf-value .paging").getByText("234 documents").waitFor();
  await page.isSaved();
  await page.page.reload();
  await eventually(() => line(page).innerText(), /^Every document was read, 700 in all, to find 234/);

  // A pipeline tells of its first batch, and of the batches after it.
  await page.succeed("db.teas.aggregate([{ $match: { price: { $lt: 9 } } }, { $unwind: '$tags' }])");
  await eventually(() => line(page).innerText(), /^The index price_1 led straight/);
  await all.click();
  await eventually(
    () => line(page).innerText(),
    /^First batch: The index price_1 led.* For the 1\d\d after it: \d\d keys and \d\d documents examined\./s,
  );
  await line(page).click();
  await page.shows("Drawn is the first batch.");
  await page.isAccessible("a line of several batches");
  page.isQuiet();
  await close();
});

test("a plan is a flow of stages, which open by keyboard", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(teas);
  await page.succeed("db.teas.find({ $or: [{ price: { $lt: 9 } }, { tags: 't3' }] })");
  await line(page).focus();
  await page.page.keyboard.press("Enter");
  const stages = page.newest.locator("plan-flow [data-stage]");
  await counts(stages, 5);
  assert.deepEqual(
    (await stages.locator(".name").allInnerTexts()).map((name) => name.trim()),
    ["IXSCAN", "IXSCAN", "OR", "FETCH", "SUBPLAN"],
  );
  // Two sources, five stages, and the result.
  await counts(page.newest.locator("plan-flow .band"), 7);
  await page.isAccessible("a plan");
  await stages.first().focus();
  await page.page.keyboard.press("Enter");
  await page.shows(/tags: \["t3", "t3"\]/);
  await page.page.keyboard.press("ArrowRight");
  await page.shows(/price: \[-inf.0, 9\)/);
  await page.isAccessible("a stage");
  await page.page.keyboard.press("Escape");
  await counts(page.newest.locator("plan-stage"), 0);
  // The engine's counters are folded.
  await stages.nth(2).click();
  const counters = page.newest.locator("plan-stage details");
  await counts(counters.getByText("dupsTested"), 1);
  assert.equal(await counters.getByText("dupsTested").isVisible(), false);
  await page.newest.getByText("As a table").click();
  await page.newest.getByRole("row", { name: /^OR – – 2\d 2\d/ }).waitFor();
  page.isQuiet();
  await close();
});

test("on a phone the flow goes down, and a plan that lost says why", async () => {
  const { open, close } = await stay(phone);
  const page = await open();
  await page.succeed(`${teas}; db.teas.createIndex({ kind: 1, price: 1 })`);
  await page.button("Script", { exact: true }).click();
  await page.succeed("db.teas.find({ kind: 'green', price: { $lt: 9 } })");
  await line(page).click();
  await page.newest.getByText("1 other plan was considered").click();
  await page.shows(/Lost the race: after \d+ units of work/);
  const [first, second] = await Promise.all(
    [0, 1].map((at) => page.newest.locator("plan-flow [data-stage]").nth(at).boundingBox()),
  );
  assert.ok(second.y > first.y + first.height, "the second stage is below the first");
  await page.fits("a plan");
  await page.isAccessible("a plan");
  page.isQuiet();
  await close();
});

test("a ring, a dial and a pipeline open from a result and from the collection's menu", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(`
    db.createCollection("log", { capped: true, size: 4096, max: 5 })
    for (let n = 0; n < 8; n++) db.log.insertOne({ _id: n })
    db.seen.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })
    db.seen.insertMany([1, 2, 3].map((n) => ({ _id: n, at: new Date(Date.now() + n * 3600000) })))
  `);
  const dialog = page.page.getByRole("dialog");
  const closed = async () => {
    await page.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  };

  await page.succeed("db.log.find()");
  await line(page).click();
  await page.newest.getByRole("button", { name: "The collection as a ring" }).click();
  await counts(dialog.locator("capped-ring .document"), 5);
  await dialog.getByText("It overwrites the oldest document.").waitFor();
  await eventually(() => dialog.locator(".list .next").innerText(), /_id: 3/);
  await page.isAccessible("a ring");
  await dialog.getByRole("button", { name: "Write one more like the newest" }).click();
  await eventually(() => dialog.locator(".list .next").innerText(), /_id: 4/);
  await closed();
  assert.equal(await page.print("print(db.log.countDocuments(), db.log.findOne()._id)"), "5 4");

  await page.button("Actions for seen", { exact: true }).click();
  await page.page.getByRole("menuitem", { name: "When documents expire" }).click();
  await dialog.getByText("0 of 3 documents would be gone.").waitFor();
  const hand = dialog.getByRole("slider");
  await hand.focus();
  await page.page.keyboard.press("End");
  await dialog.getByText("3 of 3 documents would be gone.").waitFor();
  await counts(dialog.locator(".list .gone"), 3);
  await page.isAccessible("a dial");
  await closed();
  assert.equal(await page.print("print(db.seen.countDocuments())"), "3");

  await page.succeed("db.seen.aggregate([{ $match: { _id: { $gt: 1 } } }, { $group: { _id: null, n: { $sum: 1 } } }])");
  await line(page).click();
  await page.newest.getByRole("button", { name: "The pipeline, stage by stage" }).click();
  await eventually(
    () => dialog.locator("pipeline-flow .out").allInnerTexts(),
    ["3 documents", "2 documents", "1 document"],
  );
  await dialog.getByText("{ _id: null, n: 2 }").waitFor();
  await page.isAccessible("a pipeline");
  await closed();
  page.isQuiet();
  await close();
});

test("an index is tried on a fork, compared, and kept", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(`${teas}db.teas.updateMany({}, { $set: { when: 1 } })`);
  await page.succeed("db.teas.find({ country: 'jp', kind: 'green' }).sort({ when: 1 })");
  await page.newest.getByRole("button", { name: "Compare on a fork" }).click();
  const attempt = page.newest.locator("index-trial");
  await attempt.getByRole("button", { name: "Try it on a fork" }).click();
  await attempt.getByRole("row", { name: /^Documents examined 700 20 35 times less/ }).waitFor();
  await attempt.getByRole("row", { name: /^Sorted in memory yes no spared/ }).waitFor();
  await page.isAccessible("a comparison");
  await attempt.getByLabel("Try an index").fill("{ country: 7 }");
  await attempt.getByRole("button", { name: "Try it on a fork" }).click();
  await attempt.getByText(/Write the fields and their directions/).waitFor();
  await attempt.getByLabel("Try an index").fill("country, kind, when");
  await page.page.keyboard.press("Enter");
  await attempt.getByRole("button", { name: "Keep the index" }).click();
  await attempt.getByText("The index is made.").waitFor();
  await attempt.getByRole("button", { name: "Run the script again" }).click();
  await page.shows(/The index country_1_kind_1_when_1 led straight/);
  page.isQuiet();
  await close();
});

test("each branch of $or gets an index, and all are tried and kept together", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(teas);
  // The catalog has the index on price: that branch needs none.
  await page.succeed("db.teas.find({ $or: [{ price: 3 }, { country: 'jp' }] })");
  await page.shows("Every branch of $or needs an index, and one has none:");
  await page.shows("db.teas.createIndex({ country: 1 })", { exact: true });
  await page.succeed("db.teas.find({ $or: [{ kind: 'none' }, { country: 'none' }] })");
  await page.shows("Every branch of $or needs an index, and these have none:");
  await page.shows("db.teas.createIndexes([{ country: 1 }, { kind: 1 }])", { exact: true });
  await page.newest.getByRole("button", { name: "Compare on a fork" }).click();
  const attempt = page.newest.locator("index-trial");
  await eventually(() => attempt.getByLabel("Try an index").inputValue(), "{ country: 1 }, { kind: 1 }");
  await attempt.getByRole("button", { name: "Try it on a fork" }).click();
  await attempt.getByRole("row", { name: /^Documents examined 700 0/ }).waitFor();
  await attempt.getByRole("columnheader", { name: "without them" }).waitFor();
  await page.isAccessible("indexes compared");
  await attempt.getByRole("button", { name: "Keep the indexes" }).click();
  await attempt.getByText("The indexes are made.").waitFor();
  await attempt.getByRole("button", { name: "Run the script again" }).click();
  await eventually(() => line(page).innerText(), /into the index.*kind_1/);
  await counts(page.newest.locator("page-insight .suggest code"), 0);
  page.isQuiet();
  await close();
});
