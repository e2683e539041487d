/**
 * Room on the page: script and result in sight together, the data folded and found by name, tabs that do not fit, files
 * that are dropped, broken lines of an import.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { copied, counts, eventually, focusedName, isGone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

/** Where an element is in the window. */
const box = (locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON());

for (const [width, height] of [
  [1024, 768],
  [720, 576],
]) {
  test(`script and result are in sight together at ${width} × ${height}`, async () => {
    const { open, close } = await visit({ viewport: { width, height } });
    const page = await open();
    await page.run();
    await page.newest.getByText("title:").first().waitFor({ state: "attached" });
    await eventually(
      async () => (await box(page.page.getByRole("treeitem").nth(2))).bottom,
      (bottom) => bottom > height / 2 && bottom <= height,
      "where the third row ends",
    );
    const lines = await page.page
      .locator(".cm-line")
      .evaluateAll(
        (all) =>
          all.filter((line) => line.getBoundingClientRect().bottom < document.documentElement.clientHeight).length,
      );
    assert.ok(lines >= 4, `${lines} lines of the script`);
    await page.isAccessible("both");
    await page.fits("both");
    page.isQuiet();
    await close();
  });
}

test("in a narrow window the data lies over script and results, and goes away", async () => {
  const { open, close } = await visit({ viewport: { width: 720, height: 576 } });
  const page = await open();
  await page.run("db.herbs.insertOne({ _id: 1 })");
  const data = page.page.getByRole("region", { name: "Data" });
  const toggle = page.button("Show or hide the data");
  await data.waitFor({ state: "hidden" });
  await toggle.click();
  await data.getByRole("button", { name: "herbs" }).first().waitFor();
  await page.isAccessible("the data over the page");
  await page.page.keyboard.press("Escape");
  await data.waitFor({ state: "hidden" });
  await page.focusIs("Show or hide the data");
  await page.page.keyboard.press("ControlOrMeta+b");
  await data.waitFor();
  await data.getByRole("button", { name: /Find in herbs/ }).click();
  await data.waitFor({ state: "hidden" });
  page.isQuiet();
  await close();
});

test("the data folds away, and names are found and never cut", async () => {
  const { open, close } = await stay();
  const page = await open();
  const long = "measurements_of_the_northern_weather_stations_since_the_beginning_of_records";
  await page.run(`
    db.getCollection(${JSON.stringify(long)}).insertOne({ _id: 1 }); db.herbs.createIndex({ latin: 1 });
    db.getSiblingDB("kitchen").spoons.insertOne({ _id: 1 }); 0`);
  const name = page.page.locator("page-sidebar .label", { hasText: long });
  await name.waitFor();
  assert.ok(await name.evaluate((label) => label.scrollWidth <= label.clientWidth + 1), "the name is whole");
  const list = page.page.locator("page-sidebar .list");
  const field = page.page.getByRole("searchbox", { name: "Find by name" });
  await field.fill("latin");
  await counts(list.locator(".name"), 1);
  await list.getByText("latin: 1").waitFor();
  await page.isAccessible("found");
  await field.fill("spoon");
  await list.locator(".label", { hasText: "spoons" }).waitFor();
  await isGone(list.getByText("latin: 1"));
  await page.press("ArrowDown", "Find by name");
  await eventually(() => focusedName(page.page), /^kitchen/);
  await page.page.keyboard.press("ArrowDown");
  await eventually(() => focusedName(page.page), /^spoons/);
  await page.page.keyboard.press("ArrowUp");
  await page.page.keyboard.press("ArrowUp");
  await page.press("Enter", "Find by name");
  await page.ended(2);
  await page.shows("1 document");
  await field.fill("nothing like it");
  await list.getByText("No name has that in it.").first().waitFor({ state: "attached" });
  await page.press("Escape", "Find by name");
  await list.locator(".label", { hasText: "herbs" }).waitFor();
  await page.button("Show or hide the data").click();
  await list.waitFor({ state: "hidden" });
  await page.button("Show or hide the data").click();
  await list.waitFor();
  page.isQuiet();
  await close();
});

test("tabs that do not fit are scrolled by arrows, and listed in a menu", async () => {
  const { open, close } = await visit({ viewport: { width: 1024, height: 768 } });
  const page = await open();
  for (let number = 2; number < 12; number += 1) {
    await page.button("New script").click();
    await page.openTabIs(`Script ${number}`);
  }
  const left = page.button("Tabs further left");
  const first = page.page.getByRole("tab", { name: "Script 1", exact: true });
  const strip = page.page.getByRole("tablist");
  await eventually(() => page.button("Tabs further right").isDisabled(), true);
  const inSight = async () => {
    const [tab, all] = [await box(first), await box(strip)];
    return tab.left >= all.left - 1 && tab.right <= all.right + 1;
  };
  assert.equal(await inSight(), false);
  await eventually(async () => {
    if (await left.isEnabled()) await left.click();
    return inSight();
  }, true);
  await page.isAccessible("arrows");
  await page.button("All scripts").press("ArrowDown");
  const menu = page.page.getByRole("menu", { name: "All scripts" });
  await menu.waitFor();
  await page.focusIs("Script 11");
  await page.page.keyboard.press("Home");
  await page.focusIs("Script 1");
  await page.page.keyboard.press("ArrowDown");
  await page.isAccessible("the list");
  await page.press("Enter", "Script 2");
  await page.openTabIs("Script 2");
  await page.focusIs(/Script editor/);
  page.isQuiet();
  await close();
});

/** Drags a file over an element, or drops it there, as the browser reports it. */
const drag = (page, kind, target, name, text) =>
  page.page
    .locator(target)
    .first()
    .evaluate(
      (element, [event, file, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], file));
        element.dispatchEvent(
          new DragEvent(event, { dataTransfer, bubbles: true, composed: true, cancelable: true, relatedTarget: null }),
        );
      },
      [kind, name, text],
    );

test("a dragged file is shown where it would go; a broken line loses itself alone and can be copied", async () => {
  const { context, open, close } = await stay();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await page.run("db.herbs.insertOne({ _id: 0 })");
  const herbs = "page-sidebar .collection .name";
  await page.page.locator(herbs).waitFor();
  await drag(page, "dragover", "page-results", "a.ndjson", "");
  await page.page.getByText("Drop to import into test, as a new collection").waitFor();
  await drag(page, "dragover", herbs, "a.ndjson", "");
  await page.page.getByText("Drop to import into test.herbs").waitFor();
  await page.page.locator("page-sidebar .meant").getByText("herbs").first().waitFor();
  await page.isAccessible("dragging");
  await drag(page, "dragleave", "html", "a.ndjson", "");
  await isGone(page.page.getByText(/^Drop to import/));
  await drag(page, "drop", herbs, "a.ndjson", '{"_id":1}\n{"_id":2, "n": [1}\n{"_id":3}\noops\n{"_id":5}\n');
  const dialog = page.page.getByRole("dialog");
  await eventually(() => dialog.getByLabel("Collection").inputValue(), "herbs");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("3 documents of a.ndjson went into herbs.").waitFor();
  await dialog.getByText('Line 2, column 18: "}" closes nothing that is open here.').waitFor();
  await dialog.getByText('Line 4, column 1: "oops" cannot stand here.').waitFor();
  await page.isAccessible("broken lines");
  await dialog.getByRole("button", { name: "Copy the broken lines" }).click();
  await copied(page.page, '{"_id":2, "n": [1}\noops\n');
  await dialog.getByText("2 broken lines were copied.").waitFor();
  await dialog.getByRole("button", { name: "Import another" }).click();
  await page.giveFiles(["b.json", '[{"_id":6},\n  {"_id":7 "n": 1},\n  {"_id": 8]']);
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText('Line 2, column 12: "\\"n\\": 1}" cannot stand here.').waitFor();
  await dialog.getByText('Line 3, column 12: "]" closes nothing that is open here.').waitFor();
  page.isQuiet();
  await close();
});

test("a link names an example, a database, a language and colours, and keeps none of them", async () => {
  const { context, open, close } = await visit();
  const page = await open();
  const url = page.page.url();
  const other = await context.newPage();
  await other.goto(`${url}?db=shop&lang=zh&theme=dark#example=garden-shop`);
  await other.getByRole("tab", { selected: true, name: /花园|园/ }).waitFor();
  await other.locator(".on code", { hasText: "shop" }).waitFor();
  assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), "dark");
  await eventually(() => other.evaluate(() => location.hash), "");
  await other.reload();
  await other.getByRole("button", { name: "运行" }).waitFor();
  await other.goto(`${url}?x=1`);
  await other.getByRole("button", { name: "Run", exact: true }).waitFor();
  assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), undefined);
  await other.goto(`${url}#example=none`);
  await other.getByText("There is no example called none.").waitFor();
  page.isQuiet();
  await close();
});

test("deployments are made, switched, renamed and deleted; one that another tab has open is not", async () => {
  const { context, open, close } = await visit();
  // The language and the colours of a visit go along to the other deployment.
  const page = await open({ path: "?lang=en&theme=dark" });
  await page.run("db.herbs.insertOne({ _id: 1 })");
  await page.isSaved();
  await page.button(/^Deployment Playground/).click();
  const dialog = page.dialog("Deployments");
  await dialog.getByLabel("A new deployment").fill("Lesson one");
  await page.isAccessible("deployments");
  await page.fits("deployments");
  await dialog.getByRole("button", { name: "Make and open" }).click();
  await page.page.waitForURL(/\?theme=dark&lang=en&deployment=lesson-one$/);
  await page.isOpen();
  await page.button(/^Deployment Lesson one/).waitFor();
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "0");
  await page.run("db.spoons.insertOne({ _id: 1 })");
  await page.isSaved();

  // Another tab has the main one, and hears of the new name.
  const main = await open();
  assert.equal(await main.print("print(db.herbs.countDocuments(), db.spoons.countDocuments())"), "1 0");
  await page.button(/^Deployment Lesson one/).click();
  await dialog.getByRole("button", { name: "Rename: Lesson one" }).click();
  await dialog.getByLabel("New name of Lesson one").fill("Begin");
  await page.page.keyboard.press("Enter");
  await page.focusIs("Rename: Begin");
  await main.button(/^Deployment Playground/).click();
  const list = main.dialog("Deployments");
  await list.getByRole("button", { name: "Delete: Begin" }).click();
  await list.getByText("This cannot be undone.").waitFor();
  await main.isAccessible("deleting");
  await list.getByRole("button", { name: "Delete for good" }).click();
  await list.getByText("Begin is open in another tab.").waitFor();
  await dialog.getByRole("button", { name: "Delete: Begin" }).click();
  await dialog.getByText("Begin is open here.").waitFor();
  await page.page.reload();
  await page.isOpen();
  assert.equal(await page.print("print(db.spoons.countDocuments())"), "1");
  await page.page.close();
  await eventually(async () => {
    const yes = list.getByRole("button", { name: "Delete for good" });
    // It may go while it is clicked, once the deletion succeeded.
    if ((await yes.count()) > 0) await yes.click({ timeout: 2000 });
    return list.getByRole("link", { name: "Begin" }).count();
  }, 0);
  await eventually(
    () => main.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
    (names) => names.includes("quire:playground") && !names.some((name) => name.includes("lesson-one")),
  );
  main.isQuiet();
  await context.close();
  await close();
});

test("the first screen shows what a Run gives, and it is so", async () => {
  const { open, close } = await visit();
  const page = await open();
  const figure = page.page.getByRole("figure");
  const shown = (await figure.locator("li").allInnerTexts()).map((line) => line.replace(/\s+/g, " ").trim());
  const found = (await figure.locator("p").innerText()).match(/[\d_a-z]*\d/g);
  await page.isAccessible("the first screen");
  await page.fits("the first screen");
  await page.run();
  await isGone(figure);
  const given = await page.print(`
    const cursor = db.books.find({ year: { $gte: 1450 } });
    const { executionStats, queryPlanner } = cursor.explain("executionStats");
    print(JSON.stringify([
      db.books.find({ year: { $gte: 1450 } }, { _id: 0 }).toArray(),
      [queryPlanner.winningPlan.inputStage.indexName, executionStats.totalKeysExamined, executionStats.totalDocsExamined],
    ]))`);
  const [documents, accounting] = JSON.parse(given);
  assert.deepEqual(
    shown,
    documents.map(({ title, year, leaves }) => `{ title: "${title}", year: ${year}, leaves: ${leaves} }`),
  );
  assert.deepEqual(found, accounting.map(String));
  page.isQuiet();
  await close();
});
