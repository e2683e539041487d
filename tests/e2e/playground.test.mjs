/**
 * A reader's first minutes: run the first script, change it, look at results every way, reload, and find it all again.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

test("the first script runs, is saved, and is still there after a reload", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed();
  await page.shows("A Herbal");
  await page.shows(/year_1/);
  await page.isSaved();
  await page.write("db.books.estimatedDocumentCount()");
  await page.reload();
  await page.scriptIs("db.books.estimatedDocumentCount()");
  await page.page.getByRole("button", { name: /^books/ }).waitFor();
  assert.equal(await page.print("print(db.books.estimatedDocumentCount(), db.books.validate().valid)"), "3 true");
  page.isQuiet();
  await close();
});

test("the selection runs alone, and its errors point into the whole script", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.write('print("one")\nprint("two")\n  missing.call()\n');
  await page.page.keyboard.press("ControlOrMeta+Home");
  await page.page.keyboard.press("ArrowDown");
  await page.page.keyboard.press("Shift+ControlOrMeta+End");
  await page.page.getByRole("button", { name: "Run selection" }).click();
  await page.ended(1);
  assert.equal((await page.printed()).trim(), "two");
  assert.match(await page.error(), /ReferenceError.*missing/);
  await page.page.locator(".cm-failing").waitFor();
  await page.newest.getByRole("button", { name: /line 3, column 3/ }).click();
  await page.focusIs(/^Script editor/);
  await close();
});

test("Ctrl+Enter runs, and a syntax error is where it is", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.write("const a = 1\nlet = = 2");
  await page.page.keyboard.press("ControlOrMeta+Enter");
  await page.ended(1);
  await page.shows("Unexpected =", { exact: true });
  await page.newest.getByRole("button", { name: /line 2/ }).waitFor();
  await close();
});

test("results come in batches, as a tree, a table and text", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(
    'for (let n = 0; n < 45; n++) db.many.insertOne({ _id: n, name: "name " + n, when: ISODate("2024-05-01"), half: n / 2 })\ndb.many.find()',
  );
  await page.shows("first 20 documents");
  await page.newest.getByRole("button", { name: /Next 20/ }).click();
  await page.shows("first 40 documents");
  await page.newest.getByRole("button", { name: /Next 20/ }).click();
  await page.shows("45 documents", { exact: true });

  const tree = page.newest.getByRole("tree");
  await tree.getByRole("treeitem").first().focus();
  await tree.getByRole("treeitem", { name: /name:/ }).first().getByText("String").waitFor();
  await page.page.keyboard.press("ArrowLeft");
  await eventually(() => tree.getByRole("treeitem").first().getAttribute("aria-expanded"), "false");

  await page.newest.getByRole("button", { name: "Table" }).click();
  const heads = page.newest.getByRole("columnheader");
  await heads.filter({ hasText: "_id" }).getByText(/Int32/).waitFor();
  await heads.filter({ hasText: "when" }).getByText(/Date/).waitFor();
  await heads
    .filter({ hasText: "half" })
    .getByText(/Double|Int32/)
    .waitFor();

  await page.newest.getByRole("button", { name: "Text" }).click();
  await page.shows("ISODate('2024-05-01T00:00:00.000Z')");
  await page.newest.getByRole("combobox").selectOption("canonical");
  await page.shows('"$numberInt"');
  page.isQuiet();
  await close();
});

test("a plan is drawn, with an index to try when one is missing", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(
    "db.posts.drop()\nfor (let n = 0; n < 200; n++) db.posts.insertOne({ _id: n, author: n % 20 })\ndb.posts.find({ author: 7 })",
  );
  await page.shows(/Every document was read, 200 in all, to find 10/);
  await page.newest.getByRole("button", { name: "Put it in the script" }).click();
  await page.scriptIs(/createIndex/);
  await page.run();
  await page.shows(/The index author_1 led straight/);
  await page.run('db.posts.find({ author: 7 }).explain("executionStats")');
  await page.newest.getByRole("button", { name: /^IXSCAN/ }).click();
  await page.shows(/author: \[7, 7\]/);
  await page.newest.getByRole("button", { name: "Text" }).click();
  await page.shows("queryPlanner");
  page.isQuiet();
  await close();
});

test("the data's list follows each run, and runs a find", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.page.getByText("An empty quire").waitFor();
  await page.run(
    'db.log.drop()\ndb.createCollection("log", { capped: true, size: 4096 })\nfor (let n = 0; n < 3; n++) db.log.insertOne({ n })\n' +
      "db.seen.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })\ndb.seen.createIndex({ slug: 1 }, { unique: true })\n",
  );
  assert.equal(await page.error(), "");
  const log = page.page.getByRole("button", { name: /^log/ });
  await log.getByText("capped").waitFor();
  await log.getByText("3", { exact: true }).waitFor();
  await page.page.getByRole("button", { name: /^seen/ }).getByText("TTL").waitFor();
  await page.page.getByRole("button", { name: "Indexes of seen" }).click();
  await page.page.locator("page-sidebar").getByText("unique", { exact: true }).waitFor();
  await log.click();
  await page.ended(2);
  await page.shows("3 documents", { exact: true });
  await close();
});

test("collections, methods, fields and operators are completed", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run("db.herbs.insertOne({ latin: 1, leaves: { shape: 2 } })");
  const offered = async (text, name) => {
    await page.write(text);
    await page.page.keyboard.press("Control+Space");
    await page.page.locator(".cm-tooltip-autocomplete").getByText(name, { exact: true }).first().waitFor();
    await page.page.keyboard.press("Escape");
    await page.page.locator(".cm-tooltip-autocomplete").waitFor({ state: "detached" });
  };
  await page.page.getByRole("button", { name: /^herbs/ }).waitFor();
  await offered("db.her", "herbs");
  await offered("db.herbs.findO", "findOne");
  await offered("db.herbs.find({ la", "latin");
  await offered("db.herbs.find({ latin: { $g", "$gte");
  await offered('db.herbs.aggregate([{ $group: { _id: "$leaves.', "leaves.shape");
  // An operator's line stands beside its name, and over it when pointed at.
  await page.write("db.herbs.find({ latin: { $gt");
  await page.page.keyboard.press("Control+Space");
  await page.page.locator(".cm-completionInfo").getByText("Greater than").waitFor();
  await page.page.keyboard.press("Escape");
  await page.write("db.herbs.find({ latin: { $gte: 1 } })");
  const explains = (word, help) =>
    page.pointsOut(
      page.page.locator(".cm-line").getByText(word, { exact: true }),
      page.page.locator(".cm-operator-help").getByText(help),
    );
  await explains("$gte", "Greater than or equal");
  await explains("find", "find(filter?, projection?, options?)");
  await close();
});
