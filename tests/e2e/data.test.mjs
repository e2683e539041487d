/**
 * The data side of the page: what the menus of the data list do, with the real buttons and the real engine.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** The innermost focused element's name. */
const focused = (page) =>
  page.page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });

/** Opens the menu of something in the data list and chooses an entry. */
async function choose(page, name, entry) {
  await page.page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.page.getByRole("menuitem", { name: entry }).click();
}

test("a collection is made, plain or capped, and what is wrong is said in the form", async () => {
  const { open, close } = await visit();
  const page = await open();
  const dialog = page.page.getByRole("dialog", { name: "New collection" });
  await page.page.getByRole("button", { name: "Add data" }).click();
  await page.page.getByRole("menuitem", { name: "New collection…" }).click();
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
  assert.equal(await page.print('use("shop"); const { capped, size, max } = db.getCollectionInfos({ name: "log" })[0].options; print(capped, Number(size), Number(max))'), "true 65536 3");
  // The engine's own refusal stands in the form.
  await choose(page, "shop", "New collection…");
  await dialog.getByLabel("Name").fill("log");
  await page.page.keyboard.press("Enter");
  await dialog.getByText(/already exists/).waitFor();
  await page.page.keyboard.press("Escape");
  assert.equal(await focused(page), "Actions for shop");
  page.isQuiet();
  await close();
});

test("rename and drop: what is lost is named, and the focus is never lost", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run('db.books.insertMany([{ year: 1485 }, { year: 1410 }]); db.books.createIndex({ year: 1 }); db.other.insertOne({})');
  assert.equal(await page.error(), "");
  await choose(page, "books", "Rename…");
  await page.page.getByRole("dialog").getByLabel("New name").fill("other");
  await page.page.keyboard.press("Enter");
  await page.page.getByRole("dialog").getByRole("alert").getByText(/target namespace exists/).waitFor();
  await page.page.getByRole("dialog").getByLabel("New name").fill("volumes");
  await page.page.keyboard.press("Enter");
  await page.page.getByRole("button", { name: /^volumes/ }).getByText("2", { exact: true }).waitFor();
  assert.equal(await page.page.getByRole("button", { name: /^books/ }).count(), 0);

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
  assert.equal(await focused(page), "Actions for books");
  await choose(page, "books", "Drop collection…");
  await dialog.getByRole("button", { name: "Drop books" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.page.getByRole("button", { name: /^books/ }).count(), 0);
  // The row that is in its place.
  assert.equal(await focused(page), "Actions for other");

  await choose(page, "test", "Drop database…");
  await page.page.getByText("other: 1 document").waitFor();
  await page.page.getByRole("button", { name: "Drop test" }).click();
  await page.page.getByText("An empty quire").waitFor();
  await page.page.waitForFunction(() => document.activeElement !== document.body);
  assert.equal(await focused(page), "Data");
  page.isQuiet();
  await close();
});

test("an index is made, hidden and dropped", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("for (let n = 0; n < 50; n++) db.herbs.insertOne({ _id: n, name: 'herb ' + n, sown: new Date() })");
  await choose(page, "herbs", "New index…");
  const dialog = page.page.getByRole("dialog", { name: "New index on herbs" });
  await dialog.getByRole("button", { name: "Create index" }).click();
  await dialog.getByText("Name at least one field.").waitFor();
  await dialog.getByLabel("Field 1", { exact: true }).fill("name");
  await dialog.getByRole("button", { name: "Add a field" }).click();
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
  const { open, close } = await visit();
  const page = await open();
  await page.run("db.herbs.insertOne({ _id: 1 })");
  const button = page.page.getByRole("button", { name: "Actions for herbs" });
  await button.focus();
  await page.page.keyboard.press("ArrowDown");
  await page.page.getByRole("menu").waitFor();
  assert.equal(await focused(page), "Find documents");
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  await page.isAccessible("menu");
  await page.page.keyboard.press("ArrowUp");
  assert.equal(await focused(page), "Drop collection…");
  await page.page.keyboard.press("r");
  assert.equal(await focused(page), "Rename…");
  await page.page.keyboard.press("Home");
  await page.page.keyboard.press("Escape");
  assert.equal(await focused(page), "Actions for herbs");
  await page.page.getByRole("menu").waitFor({ state: "detached" });
  await page.page.keyboard.press("Enter");
  await page.page.keyboard.press("Enter");
  await page.ended(2);
  await page.shows("1 document", { exact: true });
  page.isQuiet();
  await close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`on a phone, ${colorScheme}: menus and dialogs fit and axe finds nothing`, async () => {
    const { open, close } = await visit({ colorScheme, ...phone });
    const page = await open();
    await page.run("db.herbs.insertOne({ _id: 1 }); db.herbs.createIndex({ name: 1 })");
    await page.page.getByRole("navigation").getByRole("button", { name: "Data" }).click();
    await page.page.getByRole("button", { name: "Indexes of herbs" }).click();
    await page.isAccessible("data");
    for (const entry of ["New index…", "Rename…", "Drop collection…"]) {
      await choose(page, "herbs", entry);
      await page.isAccessible(entry);
      await page.fits(entry);
      await page.page.keyboard.press("Escape");
    }
    page.isQuiet();
    await close();
  });
}
