/**
 * The data side of the page: the entries of the menus in the data list, with the real buttons and the real engine.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, isGone, phone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

/** Opens the menu of something in the data list and chooses an entry. */
async function choose(page, name, entry) {
  await page.page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.page.getByRole("menuitem", { name: entry }).click();
}

test("a collection is made, plain or capped, and what is wrong is said in the form", async () => {
  const { open, close } = await stay();
  const page = await open();
  const dialog = page.page.getByRole("dialog", { name: "New collection" });
  await page.page.getByRole("button", { name: "Add data" }).click();
  await page.page.getByRole("menuitem", { name: "New collection…" }).click();
  await dialog.getByLabel("Name").waitFor();
  await page.isAccessible("new collection");
  await page.fits("new collection");
  await dialog.getByRole("button", { name: "Create collection" }).click();
  await dialog.getByText("Give it a name.").waitFor();
  await dialog.getByLabel("Database").fill("shop");
  await dialog.getByLabel("Name").fill("log");
  await dialog.getByRole("radio", { name: /^Capped/ }).check();
  await dialog.getByLabel("Size", { exact: true }).fill("0");
  await page.page.keyboard.press("Enter");
  await dialog.getByText("Give a size of at least one byte.").waitFor();
  await dialog.getByLabel("Size", { exact: true }).fill("64");
  await dialog.getByLabel("Unit of the size").selectOption("KiB");
  await dialog.getByLabel(/At most so many documents/).fill("3");
  await dialog.getByRole("button", { name: "Create collection" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.page.getByRole("button", { name: /^log/ }).getByText("capped").waitFor();
  assert.equal(
    await page.print(
      'use("shop"); const { capped, size, max } = db.getCollectionInfos({ name: "log" })[0].options; print(capped, Number(size), Number(max))',
    ),
    "true 65536 3",
  );
  // The engine's own refusal stands in the form.
  await choose(page, "shop", "New collection…");
  await dialog.getByLabel("Name").fill("log");
  await page.page.keyboard.press("Enter");
  await dialog.getByText(/already exists/).waitFor();
  await page.page.keyboard.press("Escape");
  await page.focusIs("Actions for shop");
  page.isQuiet();
  await close();
});

test("rename and drop: what is lost is named, and the focus is never lost", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(
    "db.books.insertMany([{ year: 1485 }, { year: 1410 }]); db.books.createIndex({ year: 1 }); db.other.insertOne({})",
  );
  await choose(page, "books", "Rename…");
  await page.page.getByRole("dialog").getByLabel("New name").fill("other");
  await page.page.keyboard.press("Enter");
  await page.page
    .getByRole("dialog")
    .getByRole("alert")
    .getByText(/target namespace exists/)
    .waitFor();
  await page.page.getByRole("dialog").getByLabel("New name").fill("volumes");
  await page.page.keyboard.press("Enter");
  await page.page
    .getByRole("button", { name: /^volumes/ })
    .getByText("2", { exact: true })
    .waitFor();
  await isGone(page.button(/^books/));

  await choose(page, "volumes", "Rename…");
  await page.page.getByRole("dialog").getByLabel("New name").fill("books");
  await page.page.keyboard.press("Enter");
  await page.page.getByRole("button", { name: "Actions for books" }).waitFor({ state: "attached" });
  await choose(page, "books", "Drop collection…");
  const dialog = page.page.getByRole("dialog", { name: "Drop books?" });
  await dialog.getByText(/^2 documents, \d+ B$/).waitFor();
  await dialog.getByText("the index year_1").waitFor();
  await page.isAccessible("drop");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.focusIs("Actions for books");
  await choose(page, "books", "Drop collection…");
  await dialog.getByRole("button", { name: "Drop books" }).click();
  await dialog.waitFor({ state: "hidden" });
  await isGone(page.button(/^books/));
  // The row that is in its place.
  await page.focusIs("Actions for other");

  await choose(page, "test", "Drop database…");
  await page.page.getByText("other: 1 document").waitFor();
  await page.page.getByRole("button", { name: "Drop test" }).click();
  await page.page.getByText("An empty quire").waitFor();
  await page.focusIs("Data");
  page.isQuiet();
  await close();
});

test("an index is made, hidden and dropped", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run("for (let n = 0; n < 50; n++) db.herbs.insertOne({ _id: n, name: 'herb ' + n, sown: new Date() })");
  await choose(page, "herbs", "New index…");
  const dialog = page.page.getByRole("dialog", { name: "New index on herbs" });
  await dialog.getByRole("button", { name: "Create index" }).click();
  await dialog.getByText("Name at least one field.").waitFor();
  await dialog.getByLabel("Field 1", { exact: true }).fill("name");
  await dialog.getByRole("button", { name: "Add a field" }).click();
  await page.focusIs("Field 2");
  await page.page.keyboard.insertText("sown");
  await dialog.getByLabel("Kind of field 2").selectOption("descending");
  await dialog.getByText(/^Unique/).click();
  await dialog.getByLabel(/Only documents that match/).fill('{ "name": ');
  await dialog.getByRole("button", { name: "Create index" }).click();
  await dialog.getByText(/not Extended JSON/).waitFor();
  await dialog.getByLabel(/Only documents that match/).fill('{ "name": { "$gt": "herb" } }');
  await page.isAccessible("new index");
  await page.fits("new index");
  await dialog.getByRole("button", { name: "Create index" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.page.getByRole("button", { name: "Indexes of herbs" }).click();
  const row = page.page.locator("page-sidebar .indexes li", { hasText: "name: 1, sown: -1" });
  await row.getByText("unique").waitFor();
  await row.getByText("partial").waitFor();
  await choose(page, "name_1_sown_-1", "Hide from the planner");
  await row.getByText("hidden").waitFor();
  await choose(page, "name_1_sown_-1", "Drop index…");
  await page.page.getByRole("button", { name: "Drop name_1_sown_-1" }).click();
  await row.waitFor({ state: "detached" });
  page.isQuiet();
  await close();
});

test("a menu is opened, walked and left by the keyboard", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run("db.herbs.insertOne({ _id: 1 })");
  const button = page.page.getByRole("button", { name: "Actions for herbs" });
  await button.focus();
  await page.page.keyboard.press("ArrowDown");
  await page.page.getByRole("menu").waitFor();
  await page.focusIs("Find documents");
  await eventually(() => button.getAttribute("aria-expanded"), "true");
  await page.isAccessible("menu");
  await page.page.keyboard.press("ArrowUp");
  await page.focusIs("Drop collection…");
  await page.page.keyboard.press("r");
  await page.focusIs("Rename…");
  await page.page.keyboard.press("Home");
  await page.focusIs("Find documents");
  await page.page.keyboard.press("Escape");
  await page.focusIs("Actions for herbs");
  // One after the other, with no wait between: the second is the menu's.
  await page.page.keyboard.press("Enter");
  await page.page.keyboard.press("Enter");
  await page.ended(2);
  await page.shows("1 document", { exact: true });
  page.isQuiet();
  await close();
});

test("keys pressed while a menu is being fetched are the menu's", async () => {
  const { context, open, close } = await visit();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await context.route(/data-menu-[\w-]+\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const page = await open();
  await page.run("db.herbs.insertOne({ _id: 1 })");
  await page.button("Actions for herbs").focus();
  const asked = page.page.waitForRequest(/data-menu-/);
  for (const key of ["Enter", "ArrowDown", "ArrowUp", "r", "Enter"]) await page.page.keyboard.press(key);
  await asked;
  release();
  await page
    .dialog(/^Rename/)
    .getByLabel("New name")
    .waitFor();
  page.isQuiet();
  await close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`on a phone, ${colorScheme}: menus and dialogs fit and axe finds nothing`, async () => {
    const { open, close } = await stay({ colorScheme, ...phone });
    const page = await open();
    await page.run("db.herbs.insertOne({ _id: 1 }); db.herbs.createIndex({ name: 1 })");
    await page.page.getByRole("navigation").getByRole("button", { name: "Data" }).click();
    await page.page.getByRole("button", { name: "Indexes of herbs" }).click();
    await page.page.locator("page-sidebar .indexes").getByText("name: 1").waitFor();
    await page.isAccessible("data");
    for (const entry of ["New index…", "Rename…", "Drop collection…"]) {
      await choose(page, "herbs", entry);
      const dialog = page.page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Cancel" }).waitFor();
      await page.isAccessible(entry);
      await page.fits(entry);
      await page.page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    }
    page.isQuiet();
    await close();
  });
}
