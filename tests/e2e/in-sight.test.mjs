/**
 * What a run gave is in sight when the run ends: whatever was scrolled to before, however many results stand below, on
 * wide screens and phones; and what comes later to an earlier result moves nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, phone, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

/** Where the newest run's outcome is in the list of results, in pixels; `seen` of it is not cut off nor covered. */
const outcome = (page) =>
  page.page.evaluate(() => {
    const list = document.querySelector("quire-page").shadowRoot.querySelector("page-results").shadowRoot;
    const leaves = list.querySelector(".leaves");
    const run = leaves.querySelector("page-leaf");
    const inside = run.shadowRoot;
    const statements = inside.querySelector("leaf-statements")?.shadowRoot;
    const part =
      inside.querySelector("error-block, .error") ??
      statements?.querySelector("li:has(> .whole)") ??
      inside.querySelector("leaf-value") ??
      inside.querySelector(".printed");
    const [box, all] = [part.getBoundingClientRect(), leaves.getBoundingClientRect()];
    const from = Math.max(box.top, all.top);
    const seen = Math.min(box.bottom, all.bottom, innerHeight) - from;
    let hit = document.elementFromPoint(Math.max(box.left, all.left) + 8, from + Math.min(seen, 12) / 2);
    while (hit?.shadowRoot?.elementFromPoint !== undefined) {
      const inner = hit.shadowRoot.elementFromPoint(Math.max(box.left, all.left) + 8, from + Math.min(seen, 12) / 2);
      if (inner === null || inner === hit) break;
      hit = inner;
    }
    let holder = hit;
    while (holder !== null && holder !== run) holder = holder.parentNode ?? holder.host ?? null;
    return {
      begins: box.top >= all.top - 1,
      seen: Math.round(seen),
      wanted: Math.round(Math.min(box.height, 0.6 * all.height)),
      isOwn: holder === run,
      at: Math.round(leaves.scrollTop),
      height: box.height,
    };
  });

const inSight = (page, what) =>
  eventually(
    () => outcome(page),
    ({ begins, seen, wanted, isOwn, height }) => begins && height > 10 && seen >= wanted - 2 && isOwn,
    what,
  );

const leaves = (page) => page.page.locator("page-results .leaves");
/** Scrolls the results as a hand on a wheel does. */
const wheel = async (page, by) => {
  const box = await leaves(page).boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.page.mouse.wheel(0, by);
};

const twelve = Array.from({ length: 12 }, (_, at) => `db.herbs.find({ n: { $lt: ${at + 2} } })`).join("\n");
const seeded = "db.herbs.drop(); for (let n = 0; n < 60; n++) db.herbs.insertOne({ _id: n, n, name: `herb ${n}` });";
const printing = "for (let n = 0; n < 400; n++) print(n)";

/** One script of each kind of outcome. */
const kinds = [
  ["a plain value", "40 + 2"],
  ["documents", "db.herbs.find()"],
  ["printed lines", printing],
  ["a value behind printed lines", `${printing}\ndb.herbs.countDocuments()`],
  ["twelve statements", twelve],
  ["twelve statements again", twelve],
  ["an error", "db.herbs.insertOne({ _id: 1 })"],
  ["an error behind lines and values", `db.herbs.find()\n${printing}\ndb.herbs.insertOne({ _id: 1 })`],
  ["a text", "db.help()"],
];

test("what a run gave is in sight when it ends, wherever the reader was", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed(seeded);
  for (let run = 0; run < 19; run++) await page.run(`${run} * 2`);
  await inSight(page, "the twentieth run");

  for (const [what, script] of kinds) {
    // To the end of the results, where earlier runs lie: again where what the last run gave is still being put in sight.
    const toTheEnd = (list) => {
      list.scrollTop = list.scrollHeight;
      return new Promise((resolve) => requestAnimationFrame(() => resolve(list.scrollTop)));
    };
    await eventually(
      () => leaves(page).evaluate(toTheEnd),
      (top) => top > 0,
      "scrolled",
    );
    await page.run(script);
    await inSight(page, what);
  }

  // A value that is drawn as a table, and with the plan's line above.
  await page.run("db.herbs.find({ n: { $gt: 3 } })");
  await page.newest.getByRole("button", { name: "Table" }).click();
  await leaves(page).evaluate((list) => (list.scrollTop = list.scrollHeight));
  await page.run("db.herbs.find({ n: { $gt: 5 } })");
  await page.newest.getByRole("grid").waitFor();
  await inSight(page, "a table");

  // The reader scrolls while the script runs, which takes longer where the reader was too slow for that.
  for (let [millis, isScrolled] = [1500, false]; !isScrolled; millis *= 2) {
    await page.write(`db.herbs.find().toArray().length; sleep(${millis}); db.herbs.find().limit(3)`);
    const before = await page.runs();
    await page.pressRun();
    await page.button("Stop").waitFor();
    for (let turn = 0; turn < 4; turn++) await wheel(page, 400);
    isScrolled = await page.button("Stop").isVisible();
    await page.ended(before + 1);
  }
  await inSight(page, "a run during which the reader scrolled");

  // Once the reader scrolls after it, the list is theirs: what comes later to a result moves nothing.
  await page.run("db.herbs.aggregate([{ $match: {} }], { cursor: { batchSize: 5 } })");
  await page.newest.getByRole("button", { name: "All the rest" }).waitFor();
  await page.run("db.herbs.findOne()");
  await inSight(page, "one document");
  const earlier = page.page.locator("page-leaf").nth(1);
  await earlier.locator(".title").click();
  await earlier.getByRole("button", { name: "All the rest" }).scrollIntoViewIfNeeded();
  await leaves(page).evaluate((list) => (list.scrollTop += 60));
  const at = await leaves(page).evaluate((list) => list.scrollTop);
  await earlier.getByRole("button", { name: "All the rest" }).press("Enter");
  await earlier.getByText("60 documents", { exact: true }).first().waitFor();
  assert.equal(await leaves(page).evaluate((list) => list.scrollTop), at);

  // In another tab, and over a reload.
  await page.button("New script").click();
  await page.run(twelve);
  await inSight(page, "a run of another tab");
  await page.isSaved();
  await eventually(() => page.page.evaluate(() => sessionStorage.length > 0 && document.visibilityState), "visible");
  await page.reload();
  await page.newest.locator("leaf-statements").waitFor();
  await inSight(page, "after a reload");
  page.isQuiet();
  await close();
});

test("on a phone what a run gave is in sight too", async () => {
  const { open, close } = await visit(phone);
  const page = await open();
  const pane = (name) => page.page.locator("nav button").nth(name);
  await page.succeed(seeded);
  for (const [what, script] of kinds) {
    await leaves(page).evaluate((list) => (list.scrollTop = list.scrollHeight));
    await pane(0).click();
    await page.run(script);
    await inSight(page, what);
  }
  await close();
});
