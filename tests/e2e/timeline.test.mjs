/**
 * Going back: undo and redo by key and button, over a reload, between two tabs, with full storage; the timeline, its
 * view of a moment, and its restoring of data.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, withBrowser } from "./browser.mjs";
import { limitStorage } from "./faults.mjs";

const { visit } = withBrowser();

/** Waits for a text of the page's notice. */
const told = (page, expected) => eventually(() => page.page.locator(".notice").innerText(), expected, "the notice");
/** Takes the focus out of the editor, where the keys are the editor's own. */
const leaveEditor = (page) => page.page.locator("page-results .leaves").focus();

test("a run is undone by its button and by keys, and done again", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("db.herbs.find()");
  assert.equal(await page.newest.getByRole("button", { name: /^Undo: Run/ }).count(), 0);
  await page.run('db.herbs.insertMany([{ _id: 1, name: "mint" }, { _id: 2, name: "dill" }])');
  await page.run("db.herbs.updateOne({ _id: 1 }, { $set: { bed: 3 } })");
  await leaveEditor(page);
  await page.page.keyboard.press("Control+z");
  await told(page, /Undone: db\.herbs\.updateOne.*\(1 document changed\)/);
  await page.newest.getByText("undone").waitFor();
  await page.page.keyboard.press("Control+z");
  await told(page, /Undone: db\.herbs\.insertMany.*\(2 documents gone\)/);
  await page.page.keyboard.press("Control+z");
  await told(page, /nothing to undo/);
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "0");
  await leaveEditor(page);
  await page.page.keyboard.press("Control+Shift+z");
  await told(page, /Done again: db\.herbs\.insertMany/);
  await page.page.keyboard.press("Control+y");
  await told(page, /Done again: db\.herbs\.updateOne/);
  await page.page.locator(".notice").getByRole("button", { name: "Undo" }).click();
  await told(page, /Undone: db\.herbs\.updateOne/);
  await page.page.locator(".notice").getByRole("button", { name: "Redo" }).click();
  await told(page, /Done again/);
  // Keys in the editor stay the editor's.
  await page.write("db.herbs.drop()");
  await page.page.keyboard.press("Control+z");
  await page.run("db.herbs.drop()");
  await page.newest.getByRole("button", { name: /^Undo: Run/ }).click();
  await told(page, /Undone: db\.herbs\.drop\(\).*\(2 documents back\)/);
  assert.equal(await page.print("print(db.herbs.findOne({ _id: 1 }).bed)"), "3");
  // An older run is undone with the changes after it, which the page asks about first.
  const oldest = page.page.locator("page-leaf").filter({ hasText: "insertMany" });
  await oldest.getByRole("button", { name: /^Undo: Run/ }).click();
  await told(page, /take back 2 changes/);
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "2");
  await oldest.getByRole("button", { name: /^Undo: Run/ }).click();
  await page.page.locator(".notice").getByRole("button", { name: "Undo all 2" }).click();
  await told(page, /2 changes undone/);
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "0");
  await close();
});

test("what another tab did is asked for, and a reload forgets nothing", async () => {
  const { open, close } = await visit();
  const one = await open();
  await one.run("db.herbs.insertOne({ _id: 1 })");
  await one.isSaved();
  const two = await open();
  await two.run("db.herbs.insertOne({ _id: 2 })");
  await two.isSaved();
  await leaveEditor(one);
  await one.page.keyboard.press("Control+z");
  await told(one, /not made in this tab: db\.herbs\.insertOne\(\{ _id: 2 \}\)/);
  assert.equal(await one.print("print(db.herbs.countDocuments())"), "2");
  await one.reload();
  await leaveEditor(one);
  await one.page.keyboard.press("Control+z");
  await one.page.locator(".notice").getByRole("button", { name: "Undo it" }).click();
  await told(one, /Undone/);
  await leaveEditor(one);
  await one.page.keyboard.press("Control+z");
  await told(one, /Undone: db\.herbs\.insertOne\(\{ _id: 1 \}\)/);
  assert.equal(await two.print("print(db.herbs.countDocuments())"), "0");
  await leaveEditor(two);
  await two.page.keyboard.press("Control+y");
  await told(two, /Done again: db\.herbs\.insertOne\(\{ _id: 1 \}\)/);
  await counts(one.page.locator(".notice"), 1);
  await watches(one, two);
  await close();
});

/** The Watch panel of one tab, while this tab and another write. */
async function watches(one, two) {
  const panel = one.page.locator("watch-panel");
  const events = panel.getByRole("option");
  await one.page.getByRole("button", { name: "Actions for herbs", exact: true }).click();
  await one.page.getByRole("menuitem", { name: "Watch changes" }).click();
  await panel.getByText(/^Live since/).waitFor();
  await one.focusIs("Changes of test.herbs");
  await two.run('db.herbs.updateOne({ _id: 1 }, { $set: { name: "mint" } })');
  await counts(events, 1, "another tab's change");
  await events.click();
  await panel.getByText(/^The document before the change is not known/).waitFor();
  await panel.getByRole("button", { name: /^Keep documents before and after/ }).click();
  await counts(events, 2, "the collection keeps documents");
  await one.run('db.herbs.updateOne({ _id: 1 }, { $set: { name: "dill" } })');
  await counts(events, 3, "this tab's change");
  await panel.getByRole("listbox").focus();
  await one.page.keyboard.press("Home");
  await one.page.keyboard.press("Enter");
  await one.focusIs(/^update\s+_id: 1$/);
  await eventually(() => panel.locator("dl").innerText(), /^name\s+"mint" .*"dill"$/s);
  await one.isAccessibleInBoth("watched changes");
  // What happens meanwhile is not asked for, and comes afterwards.
  await panel.getByRole("button", { name: "Pause" }).click();
  await one.focusIs("Go on");
  await panel
    .getByRole("status")
    .filter({ hasText: /^Paused at/ })
    .waitFor();
  await two.run("db.herbs.insertOne({ _id: 3 })");
  await one.press("Enter", "Go on");
  await counts(events, 4, "behind the pause");
  await one.focusIs("Pause");
  // Events are seen, and not said one by one.
  await panel
    .getByRole("status")
    .filter({ hasText: /^Live, from where it was paused \([\d:]+\)$/ })
    .waitFor();
  await panel.getByRole("button", { name: /^insert/ }).click();
  await counts(events, 3, "no inserts");
  await one.press("Enter", /^insert/);
  await two.run('db.herbs.updateOne({ _id: 1 }, { $set: { name: "\\u202Eabc" } })');
  await counts(events, 5, "a text that turns the direction of writing");
  const [key, value] = await events.first().locator(".told > *").all();
  const [left, right] = await Promise.all([key.boundingBox(), value.boundingBox()]);
  assert.ok(left.x < right.x, "only the value is turned");
  await panel.getByRole("button", { name: "Clear" }).focus();
  await one.press("Enter", "Clear");
  await counts(events, 0, "nothing is listed");
  await one.focusIs("Clear");
  await one.isSaved();
  await one.reload();
  await panel.getByText(/before the reload/).waitFor();
  await two.run("db.herbs.deleteOne({ _id: 3 })");
  await counts(events, 1, "behind the reload");
  await events.click();
  await eventually(() => panel.locator("pre").innerText(), "{ _id: 3 }");
  assert.equal(await one.print("print(Number(db.serverStatus().metrics.cursor.open.total))"), "1");
  await panel.getByRole("listbox").press("Escape");
  await panel.getByText(/^Choose an event/).waitFor();
  await one.page.keyboard.press("Escape");
  await counts(panel, 0);
  await one.focusIs("Data");
  assert.equal(await one.print("print(Number(db.serverStatus().metrics.cursor.open.total))"), "0");
}

test("bookmarks of scripts last over a reload, and a run that went back is undone", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run('db.herbs.insertMany([{ _id: 1 }, { _id: 2 }]); quire.bookmark("start of the lesson")');
  await page.run("db.herbs.drop(); db.trees.insertOne({ _id: 1 })");
  await page.isSaved();
  await page.reload();
  await page.succeed('quire.restore("start of the lesson", { collection: "herbs" })');
  assert.equal(await page.print("print(db.herbs.countDocuments(), db.trees.countDocuments())"), "2 1");
  await page.succeed('quire.restore("start of the lesson")');
  assert.equal(await page.print("print(db.getCollectionNames())"), "[ 'herbs' ]");
  await leaveEditor(page);
  await page.page.keyboard.press("Control+z");
  await told(page, /Undone: quire\.restore\("start of the lesson"\)/);
  assert.match(await page.print("print(db.trees.countDocuments(), quire.moments().length)"), /^1 \d+$/);
  await page.run('quire.restore("nowhere")');
  assert.match(await page.error(), /nowhere/);
  await page.run("quire.bookmark()");
  assert.match(await page.error(), /takes the name/);
  await close();
});

test("the timeline shows what was, compares it, and brings it back", async () => {
  const { open, close } = await visit();
  const page = await open();
  const panel = page.page.locator("timeline-panel");
  const isAccessible = (what) => page.isAccessibleInBoth(what);
  const openPanel = async () => {
    await leaveEditor(page);
    await page.page.keyboard.press("Alt+Shift+T");
    await panel.waitFor();
  };
  await openPanel();
  await panel.getByText("No moment is kept yet").waitFor();
  await isAccessible("the empty timeline");
  await page.page.keyboard.press("Escape");
  await page.run('db.herbs.insertMany([{ _id: 1, name: "mint", bed: { row: 3 } }, { _id: 2, name: "dill" }])');
  await page.run('db.herbs.updateOne({ _id: 1 }, { $set: { "bed.row": 4, tall: true } })');
  await page.run("db.trees.insertMany(Array.from({ length: 120 }, (_, n) => ({ _id: n, n })))");
  // A drop by the menu's dialog says that it can be undone, and is.
  await page.page.getByRole("button", { name: "Actions for herbs" }).click();
  await page.page.getByRole("menuitem", { name: /Drop/ }).click();
  await page.page
    .getByRole("dialog")
    .getByText(/Undo and the timeline bring it back/)
    .waitFor();
  await page.page.getByRole("dialog").getByRole("button", { name: "Drop herbs" }).click();
  await told(page, /herbs/);
  await leaveEditor(page);
  await page.page.keyboard.press("Control+z");
  await told(page, /Undone: test\.herbs dropped.*\(2 documents back\)/);
  await page.page.keyboard.press("Control+y");
  await told(page, /Done again: test\.herbs dropped/);

  await page.page.locator(".notice").getByRole("button", { name: "Dismiss" }).click();
  await page.button("Timeline", { exact: true }).click();
  const options = panel.getByRole("option");
  await counts(options, 5);
  await page.focusIs("Moments, the newest first");
  const chosen = panel.getByRole("option", { selected: true });
  await eventually(() => chosen.innerText(), /test\.herbs dropped[\s\S]*the data is here[\s\S]*−2/);
  await page.page.keyboard.press("End");
  await eventually(() => chosen.innerText(), /Before the first change/);
  const slider = panel.getByRole("slider", { name: "Moment" });
  await slider.focus();
  await page.page.keyboard.press("ArrowRight");
  await page.page.keyboard.press("ArrowRight");
  await eventually(() => slider.getAttribute("aria-valuetext"), /^3 of 5: db\.herbs\.updateOne/);
  await eventually(() => panel.locator("dl").innerText(), /bed\.row\s+3[^4]*4\s+tall\s+no such field[\s\S]*true/);
  await isAccessible("what a moment changed");
  await panel.getByRole("button", { name: "What is different now" }).click();
  await panel
    .getByRole("button", { name: /test\.trees/ })
    .first()
    .click();
  await counts(panel.locator("timeline-changes .documents li"), 50);
  await panel.getByRole("button", { name: "More documents" }).click();
  await counts(panel.locator("timeline-changes .documents li"), 100);
  await isAccessible("what is different now");
  await panel.getByRole("button", { name: "The data then" }).click();
  await panel.locator("value-tree").getByText("tall").waitFor();
  await isAccessible("the data then");
  await panel.getByRole("button", { name: "Restore the collection" }).click();
  await panel.getByText("Restored: test.herbs.").waitFor();
  await page.focusIs("Undo");
  // The restoring is undone, and then the whole database restored.
  await panel.getByRole("button", { name: "Undo", exact: true }).click();
  await panel.getByText(/Undone: the data is as it was before/).waitFor();
  await panel.getByRole("button", { name: "Restore test", exact: true }).click();
  await panel.getByText(/Restored: test\.herbs, test\.trees|Restored: test\.trees, test\.herbs/).waitFor();
  await panel.getByRole("button", { name: "Bookmark…" }).click();
  await panel.getByRole("textbox").fill("a lesson");
  await page.page.keyboard.press("Enter");
  await panel.getByText("Kept as “a lesson” until you drop it.").waitFor();
  await page.page.keyboard.press("Escape");
  assert.equal(await page.print("print(db.herbs.findOne({ _id: 1 }).bed.row, db.trees.countDocuments())"), "4 0");
  await page.isSaved();
  await page.reload();
  await openPanel();
  await panel.getByRole("option", { name: /a lesson/ }).click();
  await panel.getByRole("button", { name: "Drop…" }).click();
  await panel.getByRole("button", { name: "Yes, drop it" }).click();
  await eventually(() => panel.getByRole("option", { name: /a lesson/ }).count(), 0);
  for (const width of [390, 720, 1024, 1440]) {
    await page.page.setViewportSize({ width, height: 900 });
    await page.fits(`the timeline at ${width}`);
  }
  assert.deepEqual(page.complaints, []);
  await close();
});

test("full storage takes moments before data, and what cannot be undone says so", async () => {
  const { open, close } = await visit();
  const page = await open();
  await limitStorage(page.page, 4_000_000);
  const text = "Array.from({ length: 9000 }, () => Math.random().toString(36)[2] ?? 'x').join('')";
  await page.run(`db.notes.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: n, text: ${text} })))`);
  const lost = page.newest.getByText("cannot be undone");
  let round = 0;
  // How much a browser makes of a page's bytes is its own affair.
  for (; round < 8 && (await lost.count()) === 0; round += 1) {
    await page.run(
      `db.notes.find().forEach(({ _id }) => db.notes.updateOne({ _id }, { $set: { text: ${text}, n: ${round} } }))`,
    );
    // Storage is full once the round is written there.
    await page.isSaved();
    await page.print("print(quire.moments().length)");
    if ((await page.printed()) === "0") break;
  }
  await counts(page.page.locator("page-leaf").getByText("cannot be undone"), (number) => number > 0);
  assert.equal(await page.print(`print(db.notes.countDocuments({ n: ${round} }))`), "100");
  const first = page.page.locator("page-leaf").filter({ hasText: "insertMany" });
  await first.getByRole("button", { name: /^Undo: Run/ }).click();
  await told(page, /no more storage|not kept any more|undone already/);
  assert.equal(await page.print(`print(db.notes.countDocuments({ n: ${round} }))`), "100");
  // With room again, the next change can be undone.
  await limitStorage(page.page, null);
  await page.isSaved();
  await page.run("db.notes.deleteMany({})");
  await page.newest.getByRole("button", { name: /^Undo: Run/ }).click();
  await told(page, /Undone: db\.notes\.deleteMany.*\(100 documents back\)/);
  await close();
});
