/**
 * Results that are long, and the actions on a value where it is shown.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { copied, eventually, isGone, withBrowser } from "./browser.mjs";

const { stay } = withBrowser();

const hundredThousand = `db.one.drop(); db.one.insertOne({ _id: 1, n: 1 });
db.one.aggregate([
  { $project: { n: { $range: [0, 100000] } } }, { $unwind: "$n" },
  { $project: { _id: "$n", name: { $concat: ["herb ", { $toString: "$n" }] }, price: { $divide: ["$n", 4] }, tags: ["a", "b"] } },
])`;

/** Scrolls through something; gives the middle and the longest time that drawing a step takes, in milliseconds. */
const scrollThrough = (scroller) =>
  scroller.evaluate(async (element) => {
    const view = element.getRootNode().host;
    const step = Math.max(1, (element.scrollHeight - element.clientHeight) / 60);
    const times = [];
    for (let at = 0; at < 60; at++) {
      const before = performance.now();
      element.scrollTop += step;
      element.dispatchEvent(new Event("scroll"));
      await view.updateComplete;
      void element.offsetHeight;
      times.push(performance.now() - before);
      await new Promise((frame) => requestAnimationFrame(frame));
    }
    times.sort((one, other) => one - other);
    return [times[30], times[59]];
  });

test("a hundred thousand documents scroll, with only what is in sight in the page", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(hundredThousand);
  await page.newest.getByRole("button", { name: "All the rest" }).click();
  await page.shows("100,000 documents", { exact: true });

  const tree = page.newest.getByRole("tree");
  for (const [view, scroller, rows] of [
    ["Tree", tree, tree.getByRole("treeitem")],
    ["Table", page.newest.locator("value-table .scroll"), page.newest.getByRole("grid").getByRole("row")],
    ["Text", page.newest.locator("value-text pre"), page.newest.locator("value-text pre span")],
  ]) {
    await page.newest.getByRole("button", { name: view }).click();
    await scroller.waitFor();
    await eventually(
      () => rows.count(),
      (drawn) => drawn > 10,
      view,
    );
    const [middle, longest] = await scrollThrough(scroller);
    const drawn = await rows.count();
    console.log(
      `# ${view}: ${drawn} rows drawn, a step takes ${Math.round(middle)} ms, the longest ${Math.round(longest)} ms`,
    );
    assert.ok(drawn > 10 && drawn < 160, `${view}: ${drawn} rows`);
    await scroller.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await page.shows(/herb 99999/);
    await page.isAccessible(view);
  }

  await page.newest.getByRole("button", { name: "Table" }).click();
  const grid = page.newest.getByRole("grid");
  await eventually(() => grid.getAttribute("aria-rowcount"), "100001");
  await grid.focus();
  await page.page.keyboard.press("Control+End");
  await page.page.keyboard.press("Home");
  const cell = grid.locator('td[aria-selected="true"]');
  await cell.getByText("99999", { exact: true }).waitFor();
  await eventually(() => grid.getByRole("row").last().getAttribute("aria-rowindex"), "100001");
  const named = () => Promise.all([grid.getAttribute("aria-activedescendant"), cell.getAttribute("id")]);
  await eventually(named, ([active, id]) => active !== null && active === id);

  await page.newest.getByRole("button", { name: "Tree" }).click();
  await tree.focus();
  await page.page.keyboard.press("End");
  await page.page.keyboard.press("ArrowRight");
  await page.page.keyboard.press("ArrowDown");
  const current = tree.locator('[aria-selected="true"]');
  await current.getByText("_id").waitFor();
  await eventually(() => current.getAttribute("aria-level"), "2");
  page.isQuiet();
  await close();
});

test("scrolling to the end fetches the next batch", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run("for (let n = 0; n < 900; n++) db.many.insertOne({ _id: n });\ndb.many.find().batchSize(300)");
  await page.newest.getByRole("button", { name: "Table" }).click();
  const scroller = page.newest.locator("value-table .scroll");
  await eventually(() => page.newest.getByRole("grid").getAttribute("aria-rowcount"), "-1");
  const toTheEnd = async () => {
    await scroller.evaluate((element) => (element.scrollTop = element.scrollHeight));
    return Number(/(\d+) documents/.exec(await page.newest.locator(".paging").innerText())[1]);
  };
  await eventually(toTheEnd, (documents) => documents >= 800);
  await eventually(toTheEnd, 900);
  await page.shows("900 documents", { exact: true });
  await close();
});

test("a value is copied, changed where it stands, and changed back", async () => {
  const { context, open, close } = await stay();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await page.run(
    'db.herbs.drop(); db.herbs.insertMany([{ _id: 1, name: "rue", price: Double(1.5), at: { bed: [Int32(3), Long("4")] } }, { _id: 2, name: "sage" }]);\ndb.herbs.find({ _id: { $gt: 0 } })',
  );
  const bar = page.newest.getByRole("region", { name: "Chosen value" });
  const tree = page.newest.getByRole("tree");
  await tree.getByRole("treeitem", { name: /^name:/ }).click();
  await bar.getByText("String", { exact: true }).waitFor();
  await bar.getByRole("button", { name: "Copy path" }).click();
  await copied(page.page, "name");
  await bar.getByLabel("Wording").selectOption("canonical");
  await bar.getByRole("button", { name: "Copy document" }).click();
  await copied(page.page, (text) => assert.deepEqual(JSON.parse(text).price, { $numberDouble: "1.5" }));
  await bar.getByLabel("Wording").selectOption("shell");
  await page.isAccessible("chosen value");

  // Deep inside, by the keyboard.
  await tree.getByRole("treeitem", { name: /^at:/ }).click();
  await page.page.keyboard.press("ArrowDown");
  await page.page.keyboard.press("ArrowRight");
  await page.page.keyboard.press("ArrowDown");
  await page.page.keyboard.press("ArrowDown");
  await bar.getByText("at.bed.1").waitFor();
  await bar.getByRole("button", { name: "Edit" }).click();
  await bar.getByLabel("Type").selectOption("Int32");
  await bar.getByLabel("New value").fill("nine");
  await bar.getByRole("button", { name: "Save" }).click();
  await bar.getByRole("alert").getByText("This is no Int32.").waitFor();
  await page.isAccessible("edit");
  await bar.getByLabel("New value").fill("9");
  await page.page.keyboard.press("Enter");
  await bar.getByText("Saved in the database.").waitFor();
  await tree.getByRole("treeitem", { name: /^1: 9/ }).waitFor();
  const runs = () => page.print("print(EJSON.stringify(db.herbs.findOne({ _id: 1 }).at, { relaxed: false }))");
  await bar.getByRole("button", { name: "Undo" }).click();
  await bar.getByText("The old value is back.").waitFor();
  assert.equal(await runs(), '{"bed":[{"$numberInt":"3"},{"$numberLong":"4"}]}');

  // The engine's refusal stands there.
  await page.run("db.herbs.createIndex({ name: 1 }, { unique: true });\ndb.herbs.find()");
  await tree.getByRole("treeitem", { name: /^name:/ }).click();
  await bar.getByRole("button", { name: "Edit" }).click();
  await bar.getByLabel("New value").fill("sage");
  await bar.getByRole("button", { name: "Save" }).click();
  await bar.getByText(/E11000 duplicate key/).waitFor();
  await page.page.keyboard.press("Escape");

  await bar.getByRole("button", { name: "Delete document" }).click();
  await bar.getByText("The document was deleted.").waitFor();
  await page.shows("1 document", { exact: true });
  await bar.getByRole("button", { name: "Undo" }).click();
  await bar.getByText("The document is back.").waitFor();
  await page.focusIs("Delete document");
  await page.shows("2 documents", { exact: true });
  assert.equal(await page.print("print(db.herbs.countDocuments({ price: 1.5 }))"), "1");

  // A pipeline's documents are not stored as they are shown: nothing can be changed.
  await page.run("db.herbs.aggregate([{ $project: { name: 1 } }])");
  await tree.getByRole("treeitem", { name: /^name:/ }).click();
  await bar.getByText("String", { exact: true }).waitFor();
  await isGone(bar.getByRole("button", { name: "Edit" }));
  await isGone(bar.getByRole("button", { name: "Delete document" }));
  page.isQuiet();
  await close();
});
