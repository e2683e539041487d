/**
 * The reference: names found by name and by their sentences in either language, addresses that lead to an entry, its
 * example run in place and in the playground, the keyboard, a phone; and the ways to it.
 *
 * Invariant: the supported names and their number are read from COMPAT.md.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { eventually, focusedName, isGone, phone, withBrowser } from "./browser.mjs";
import { picture } from "./pictures.mjs";

const { visit } = withBrowser();
/** How many names COMPAT.md's tables of names have; that of the driver's options is another. */
const rows = readFileSync(new URL("../../COMPAT.md", import.meta.url), "utf8")
  .split("| name | status | note |")
  .slice(1)
  .flatMap((part) => part.split("\n\n", 1)[0].match(/^\| `/gm)).length;

/** The page of the reference, at a place. */
class Reference {
  static async open({ open }, place = "", query = "") {
    const self = new Reference();
    self.tab = await open({ path: `reference.html${query}${place}`, ready: false });
    self.page = self.tab.page;
    await self.page.locator("reference-view .reference").waitFor();
    return self;
  }

  get search() {
    return this.page.getByRole("searchbox");
  }

  get names() {
    return this.page.locator("nav .called");
  }

  get heading() {
    return this.page.locator("article h1 code");
  }

  /** Waits until the entry of a name is open. */
  shows(name) {
    return eventually(() => this.heading.innerText(), name, "the open entry");
  }

  /** Waits until the example has run, and its output has a text. */
  async ran(expected) {
    const output = this.page.locator("quire-snippet .output");
    await eventually(() => output.innerText(), expected, "the example's output");
  }

  async shot(name) {
    await picture(this.page, `reference-${name}`);
  }
}

test("names are searched, filtered, opened by key, and their examples run", async () => {
  const { open, close } = await visit();
  const reference = await Reference.open({ open });
  const { page, tab, search, names } = reference;
  await eventually(() => page.locator(".found").innerText(), `${rows} names`);
  await eventually(() => names.count(), rows);
  await tab.isAccessible("all names");
  await reference.shot("all");

  // A whole name first, then names by their sentences, in either language.
  await page.keyboard.press("/");
  await eventually(() => search.evaluate((field) => field.matches(":focus")), true);
  await search.fill("$elemMatch");
  await eventually(() => names.first().innerText(), "$elemMatch");
  await search.fill("joins another collection");
  await eventually(() => names.first().innerText(), "$lookup");
  await search.fill("关联 集合");
  await eventually(() => names.first().innerText(), "$lookup");
  await search.fill("no such thing anywhere");
  await eventually(() => page.locator(".found").innerText(), /^Nothing is called so/);
  await eventually(() => names.count(), 0);

  // By kind and support.
  await search.fill("");
  await page.getByLabel("Kind", { exact: true }).selectOption({ label: "Stage" });
  await page.getByLabel("Support", { exact: true }).selectOption({ label: "Not supported" });
  await eventually(
    () => names.allInnerTexts(),
    (texts) => texts.includes("$search") && !texts.includes("$match"),
  );
  await page.getByLabel("Support", { exact: true }).selectOption({ label: "All" });

  // The keyboard: down from the search, along the names, and into the entry.
  await search.fill("window");
  await eventually(() => names.first().innerText(), "$setWindowFields");
  await search.press("ArrowDown");
  await eventually(() => focusedName(page), /^\$setWindowFields/);
  await page.keyboard.press("ArrowUp");
  await eventually(() => search.evaluate((field) => field.matches(":focus")), true);
  await search.press("Enter");
  await reference.shows("$setWindowFields");
  assert.match(page.url(), /#\/stage\/\$setWindowFields$/);
  await eventually(() => page.title(), "$setWindowFields – Reference – Quire");
  await eventually(
    () =>
      page.evaluate(
        () => document.querySelector("reference-page").shadowRoot.activeElement.shadowRoot.activeElement.tagName,
      ),
    "ARTICLE",
  );
  await reference.ran(/sum: 2/);
  await tab.isAccessible("an entry");
  await reference.shot("entry");

  // The example is the reader's to change; it begins with an empty database each time.
  const snippet = page.locator("quire-snippet");
  await snippet.evaluate((element) => {
    element.source = 'db.items.insertOne({ _id: 1 })\ndb.items.countDocuments() + " there"';
  });
  for (const _ of [1, 2]) {
    await snippet.locator(".run").click();
    await reference.ran(/1 there/);
  }

  // And opened in the playground it has a database of its own.
  const link = page.getByRole("link", { name: "Open in playground" });
  await link.focus();
  await eventually(() => link.getAttribute("href"), /#q1\./);
  const [playground] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  const shared = playground.getByText("use quire_reference").first();
  await shared.waitFor();
  await playground.close();
  tab.isQuiet();
  await close();
});

test("addresses lead to entries in both languages, and refusals are shown as they are", async () => {
  const { open, close } = await visit();
  const reference = await Reference.open({ open }, "#/$elemMatch", "?lang=zh-Hans&theme=dark");
  const { page, tab } = reference;
  await reference.shows("$elemMatch");
  await page.getByText("数组中有同一个元素满足所有这些条件。").first().waitFor();
  await reference.ran(/stock: 3/);
  await tab.isAccessible("an entry in Chinese, dark");
  await reference.shot("chinese-dark");
  // The same name as something else.
  await page.getByRole("link", { name: "投影" }).click();
  await reference.ran(/size: 'M'/);
  assert.match(page.url(), /#\/projection\/\$elemMatch$/);
  // The browser's way back, and the other language.
  await page.goBack();
  await page.locator("article .kind", { hasText: "查询运算符" }).waitFor();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByText("One and the same array element meets all these conditions.").first().waitFor();
  await eventually(() => page.evaluate(() => document.documentElement.lang), "en");

  // A note of COMPAT.md's, in both languages; a name that is refused, with the error itself.
  await page.evaluate(() => (location.hash = "#/command/collMod"));
  await page.locator(".note", { hasText: "recordPreImages is refused" }).waitFor();
  await page.evaluate(() => (location.hash = "#/stage/$search"));
  await page.getByText("Not supported", { exact: true }).last().waitFor();
  await reference.ran(/'\$search' is not supported/);
  await tab.isAccessible("a refusal");
  await reference.shot("refusal");
  // What is there in its place is a link away.
  await page.locator(".note a", { hasText: "$text" }).click();
  await page.locator("h1", { hasText: "$text" }).waitFor();
  // An option and the methods that take it lead to one another.
  await page.evaluate(() => (location.hash = "#/option/arrayFilters"));
  await reference.ran(/\[ 3, 7, 7 \]/);
  await page.getByRole("link", { name: "db.collection.updateMany()", exact: true }).last().click();
  await reference.shows("db.collection.updateMany()");
  await page.locator(".belonging a", { hasText: "arrayFilters" }).waitFor();
  await tab.isAccessible("a method with its options");
  await page.evaluate(() => (location.hash = "#/nosuch"));
  await page.getByText("There is no entry called “nosuch”.").waitFor();
  await isGone(page.locator("quire-snippet"));
  tab.isQuiet();
  await close();
});

test("entries follow one another quickly, and open without a network", async () => {
  const { context, open, close } = await visit({ serviceWorkers: "allow" });
  const reference = await Reference.open({ open }, "#/stage/$group");
  const { page, tab } = reference;
  for (const id of [
    "expression/$where",
    "query/$where",
    "command/compact",
    "expression/$function",
    "stage/$sort",
    "query/$gt",
  ])
    await page.evaluate((hash) => (location.hash = hash), `#/${id}`);
  await reference.shows("$gt");
  await reference.ran(/age: 21/);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await context.setOffline(true);
  await page.goto(page.url().replace(/reference\.html.*/, "reference.html?lang=en#/query/$where"));
  await page.reload();
  await reference.shows("$where");
  await reference.ran(/a: 1, b: 1/);
  tab.isQuiet();
  await close();
});

test("a phone shows names or an entry, and nothing sticks out", async () => {
  const { open, close } = await visit(phone);
  const reference = await Reference.open({ open });
  const { page, tab } = reference;
  await tab.fits("the names");
  await tab.isAccessible("names on a phone");
  await reference.search.fill("$group");
  await page
    .getByRole("link", { name: /^\$group/ })
    .first()
    .click();
  await reference.shows("$group");
  await reference.ran(/total: 2/);
  await eventually(() => reference.search.isVisible(), false);
  await tab.fits("an entry");
  await tab.isAccessible("an entry on a phone");
  await reference.shot("phone");
  // A map in a snippet: the list is below it, its height is its own, its words are prose.
  await page.evaluate(() => (location.hash = "#/index/kind:2dsphere"));
  await reference.shows("2dsphere");
  await page.locator("quire-snippet .views").getByRole("button", { name: "Map", exact: true }).click();
  const list = page.locator("quire-snippet place-list");
  await list.getByRole("option").first().waitFor();
  const [above, below] = await Promise.all(
    [page.locator("quire-snippet map-sheet"), list].map((one) => one.boundingBox()),
  );
  assert.ok(below.y >= above.y + above.height && above.width > 200, JSON.stringify({ above, below }));
  assert.ok(above.height >= 13 * 16 && above.height <= 24 * 16, `${above.height} pixels`);
  assert.doesNotMatch(
    await list
      .locator(".name")
      .first()
      .evaluate((name) => getComputedStyle(name).fontFamily),
    /mono/i,
  );
  await tab.fits("a map in an entry");
  await page.evaluate(() => (location.hash = "#/stage/$group"));
  await reference.shows("$group");
  await page.getByRole("link", { name: "All names" }).click();
  await eventually(() => reference.search.isVisible(), true);
  await eventually(() => focusedName(page), /^\$group/);
  tab.isQuiet();
  await close();
});

test("the playground, the palette, a name pointed at and the courses lead there", async () => {
  const { open, close } = await visit();
  const playground = await open();
  const { page } = playground;
  await playground.write("db.teas.aggregate([{ $sortByCount: '$type' }])");
  const told = page.locator(".cm-operator-help a");
  await playground.pointsOut(page.getByText("$sortByCount"), told);
  assert.equal(await told.getAttribute("href"), "./reference.html#/stage/$sortByCount");
  await playground.button("Examples").click();
  await page
    .locator("page-header")
    .getByRole("link", { name: /^Reference/ })
    .click();
  await page.waitForURL(/reference\.html/);
  await page.getByRole("link", { name: "Playground" }).click();
  await page.waitForURL(/index\.html/);
  await playground.isOpen();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("reference");
  await page.keyboard.press("Enter");
  await page.waitForURL(/reference\.html/);
  await page.getByRole("link", { name: "Tutorial" }).click();
  await page.waitForURL(/course\.html/);
  await page.getByRole("link", { name: "Reference" }).click();
  await page.waitForURL(/reference\.html/);
  playground.isQuiet();
  await close();
});
