/**
 * Why a run ended: one sentence with the facts, the place, names that may have been meant, and SQL written for the
 * shell.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, isGone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

for (const colorScheme of ["light", "dark"]) {
  test(`a refused write begins with a sentence and shows the document, ${colorScheme}`, async () => {
    const { open, close } = await stay({ colorScheme });
    const page = await open();
    await page.succeed(`use shop
      db.users.createIndex({ email: 1 }, { unique: true })
      db.users.insertOne({ email: "ada@example.org" })`);
    await page.run('print(1)\ndb.users.insertMany([{ name: "Bo" }, { name: "Eve", email: "ada@example.org" }])');
    await page.shows(/shop\.users already has a document with/);
    await page.shows(/Number 2 of the list was refused/);
    await page.shows("Written before it ended, and kept: inserted 1 into shop.users");
    await page.newest.getByRole("heading", { name: "The document" }).waitFor();
    await page.newest.getByRole("button", { name: "at line 2, column 10" }).waitFor();
    await page.newest.getByText('"Eve"').or(page.newest.getByText("'Eve'")).first().waitFor();
    await eventually(
      () => page.page.locator(".unseen[role=status]").allInnerTexts(),
      (texts) => texts.some((text) => text.includes("shop.users already has a document with email: ")),
      "told",
    );
    await page.newest.getByText("All that the server said").click();
    await page.shows(/MongoBulkWriteError: E11000 duplicate key error/);
    await page.isAccessible("a duplicate key");
    await page.fits("a duplicate key");
    await page.run(`db.createCollection("herbs", { validator: { $jsonSchema: {
      required: ["name"], properties: { year: { bsonType: "int", minimum: 2000 } } } } })
      db.herbs.insertOne({ _id: 1, year: "late" })`);
    await page.shows(
      /The document breaks the rules of shop\.herbs: year is of type string and must be int; name is missing/,
    );
    await page.isAccessible("an invalid document");
    page.isQuiet();
    await close();
  });
}

test("a mistake in the syntax is told once, in one wording, at one place, in the reader's language", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("print(1)\n\ndb.herbs.find({ a: 1 }");
  await page.page.getByRole("button", { name: "3:14 This ( of line 3 is never closed." }).waitFor();
  await page.shows("This ( of line 3 is never closed.", { exact: true });
  await page.newest.getByRole("button", { name: "at line 3, column 14" }).waitFor();
  await page.page.getByRole("button", { name: "简体中文" }).click();
  await page.shows("第 3 行的 ( 没有闭合。", { exact: true });
  page.isQuiet();
  await close();
});

test("what may have been meant is named, and written into the script by a button", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed('use shop\ndb.users.insertOne({ n: 1 })\ndb.getSiblingDB("garden").herbs.insertOne({ n: 1 })');
  await page.run("db.users.fnid()");
  await page.shows("Did you mean find?");
  await page.newest.getByRole("button", { name: "Write find" }).click();
  await page.page.locator(".cm-content").getByText("db.users.find()").waitFor();
  await page.run("db.users.find()\n  .sort({ n: 1 }) // all\n  .lmit(3)");
  await page.shows(/db\.users\.find\(\.\.\.\)\.sort\(\.\.\.\)\.lmit is not a function/);
  await page.newest.getByRole("button", { name: "Write limit" }).click();
  await page.scriptIs("db.users.find()\n  .sort({ n: 1 }) // all\n  .limit(3)");
  // The name stands in a comment, too: the one in the failing statement is replaced.
  await page.run("// $gtt\ndb.users.find({ n: { $gtt: 0 } })");
  await page.shows("Did you mean $gt?");
  await page.newest.getByRole("button", { name: /at line 2, column 22\b/ }).waitFor();
  await page.newest.getByRole("button", { name: "Write $gt" }).click();
  await page.page.locator(".cm-content").getByText("db.users.find({ n: { $gt: 0 } })").waitFor();
  await page.run("db.users.updateOne({}, { $sett: { n: 2 } })");
  await page.shows("Did you mean $set?");
  await page.run("db.user.find()");
  await page.shows("There is no collection user. Did you mean users?");
  await page.isAccessible("a collection that may have been meant");
  await page.newest.getByRole("button", { name: "Write users" }).click();
  await page.page.locator(".cm-content").getByText("db.users.find()").waitFor();
  // Each of several statements has its own, and its button replaces it there.
  await page.run("db.user.findOne()\ndb.users.countDocuments()\ndb.user.find()");
  await counts(page.newest.locator("hint-line"), 2);
  await page.isAccessible("collections that may have been meant");
  await page.newest.getByRole("button", { name: "Write users" }).first().click();
  await page.scriptIs("db.users.findOne()\ndb.users.countDocuments()\ndb.user.find()");
  await page.run("db.herbs.findOne()");
  await page.shows("There is no shop.herbs, but there is garden.herbs.");
  await page.run('db.users.find({ "home.address.coordinates": { $near: [0, 0] } })');
  await page.shows(/an index on the field: db\.users\.createIndex\(\{ "home\.address\.coordinates": "2d" \}\)/);
  // The button has the call once more, and wraps it where the pane is narrow.
  const [button, block] = await Promise.all(
    [page.newest.locator("hint-line .quiet"), page.newest.locator("error-block")].map((one) => one.boundingBox()),
  );
  assert.ok(button.x + button.width <= block.x + block.width, JSON.stringify({ button, block }));
  // Nothing far-fetched, and nothing of a collection that is there.
  await page.run("db.users.find({ n: 99 })");
  await page.shows("No documents matched.");
  await page.run("db.zzzzzz.find()\nprint('ran')");
  await page.shows("ran");
  await counts(page.newest.locator("hint-line"), 0);
  page.isQuiet();
  await close();
});

test("the page's first run is judged by the catalog that comes after it", async () => {
  const { context, open, close } = await visit();
  const page = await open();
  await page.succeed("db.teas.insertOne({ n: 1 })\ndb.createView('few', 'teas', [])");
  /** Loads the page anew, and has a script wait for the engine, so that the catalog is read after it. */
  const first = async (script) => {
    let letGo;
    const held = new Promise((resolve) => {
      letGo = resolve;
    });
    await context.route(/quire_bg.*\.wasm/, async (route) => {
      await held;
      await route.continue();
    });
    await page.page.reload();
    await page.write(script);
    await page.pressRun();
    await page.button("Stop").waitFor();
    letGo();
  };
  await first("teas.find()");
  await page.newest.getByText("A collection is named behind db: db.teas").waitFor();
  await first("db.few.find()");
  const bar = page.newest.locator("value-bar");
  await page.newest.getByRole("treeitem", { name: /^n\b/ }).first().click();
  await isGone(bar.getByRole("button", { name: "Edit" }));
  await page.run("db.teas.find()");
  await page.newest.getByRole("treeitem", { name: /^n\b/ }).first().click();
  await bar.getByRole("button", { name: "Edit" }).waitFor();
  page.isQuiet();
  await close();
});

test("SELECT is written for here, and put into the script", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed("use shop\ndb.herbs.insertMany([{ name: 'Rue', price: 5 }, { name: 'Mint', price: 2 }])");
  await page.write("// cheap herbs\nSELECT name, price\nFROM herbs\nWHERE price < 3;");
  await page.run();
  await page.shows("That is SQL. Written for here:");
  await page.shows("db.herbs.find({ price: { $lt: 3 } }, { name: 1, price: 1, _id: 0 })");
  // The one thing said, in the result and under the editor.
  await page.newest.getByRole("button", { name: "at line 2, column 1" }).waitFor();
  await page.page.getByRole("button", { name: /^2:1 That is SQL\. Written for here: db\.herbs\.find\(/ }).waitFor();
  await counts(page.page.getByText(/Unexpected/), 0);
  await page.isAccessible("SQL");
  await page.newest.getByRole("button", { name: "Put it into the script" }).click();
  await page.page.locator(".cm-content").getByText("db.herbs.find({ price: { $lt: 3 } }").waitFor();
  await page.page.getByRole("button", { name: /^Run/ }).first().click();
  await page.newest.getByText("Mint").first().waitFor();
  await page.run("SELECT UPPER(name) FROM herbs JOIN mints");
  await page.shows("That is SQL. Queries are written like this here:");
  page.isQuiet();
  await close();
});
