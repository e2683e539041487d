/**
 * How results are shown: the beginning of a row, tables that are arranged, a result that fills its pane, deletion,
 * results after a reload, and on paper.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { counts, eventually, isGone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

const films = `db.films.drop();
for (let n = 0; n < 60; n++)
  db.films.insertOne({ kind: "film", year: 1990 + (n % 5), title: "Film " + (59 - n), seen: n % 2 === 0 });
`;

test("a row begins with what tells documents apart, and a generated _id is short", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(`${films}db.films.find()`);
  const tree = page.newest.getByRole("tree");
  const second = tree.getByRole("treeitem", { name: /Film 58/ });
  await eventually(() => second.locator(".content").innerText(), /^2\{ title: "Film 58", year: 1991, /);
  // The whole of it is there for copying and for a screen reader; only its end is seen until the row is pointed at.
  const id = second.locator(".short-id");
  await eventually(() => id.textContent(), /^[0-9a-f]{24}$/);
  const width = () => id.evaluate((element) => element.getBoundingClientRect().width);
  const short = await width();
  await page.pointsOut(second, second);
  await eventually(width, (wide) => wide > 2 * short);

  await page.newest.getByRole("button", { name: "Table" }).click();
  const heads = page.newest.getByRole("grid").getByRole("columnheader");
  await eventually(
    async () => (await heads.allInnerTexts()).slice(1, 4).map((text) => text.split("\n")[0]),
    ["title", "_id", "kind"],
  );

  // A _id that a person chose is as it is.
  await page.run('db.beds.insertMany([{ n: 1, _id: "north" }, { n: 2, _id: "south" }]); db.beds.find()');
  await page.newest.getByRole("button", { name: "Tree" }).click();
  await eventually(
    () => tree.getByRole("treeitem").last().locator(".content").innerText(),
    /^2\{ _id: "south", n: 2 \}/,
  );
  page.isQuiet();
  await close();
});

test("a document that is deleted keeps its place, so that a second press deletes no other", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(
    'db.beds.insertMany([{ _id: 1, name: "rue" }, { _id: 2, name: "sage" }, { _id: 3, name: "dill" }]);\ndb.beds.find()',
  );
  const bar = page.newest.getByRole("region", { name: "Chosen value" });
  const left = () => page.newest.locator(".paging span").allInnerTexts();
  const tree = page.newest.getByRole("tree");
  await tree.getByRole("treeitem", { name: /sage/ }).click();
  const remove = bar.getByRole("button", { name: "Delete document" });
  await remove.dblclick();
  await bar.getByText("The document was deleted.").waitFor();
  await remove.click({ force: true });
  await eventually(left, ["2 documents", "1 deleted"]);
  // The row is where it was, and says so; the button under the pointer is the same, and has nothing more to do.
  const gone = tree.getByRole("treeitem", { name: /deleted/ });
  await gone.getByText("2", { exact: true }).waitFor();
  await eventually(() => remove.getAttribute("aria-disabled"), "true");
  await page.isAccessible("a deleted document");

  // Another one is chosen, and deleted by a key that is held down; the first can be brought back all the same.
  await tree.getByRole("treeitem", { name: /dill/ }).last().click();
  await remove.focus();
  await page.press("Enter", "Delete document");
  await bar.getByText("The document was deleted.").waitFor();
  await page.press("Enter", "Delete document");
  await eventually(left, ["1 document", "2 deleted"]);
  await gone.first().click();
  await bar.getByRole("button", { name: "Undo" }).click();
  await bar.getByText("The document is back.").waitFor();
  await eventually(left, ["2 documents", "1 deleted"]);

  // In the table the places are gone, once it is drawn anew.
  await page.newest.getByRole("button", { name: "Table" }).click();
  await eventually(left, ["2 documents"]);
  const cell = page.newest.getByRole("gridcell", { name: "sage" });
  await cell.click();
  await remove.dblclick();
  await eventually(left, ["1 document", "1 deleted"]);
  await page.newest.getByRole("row", { name: /deleted/ }).waitFor();
  await page.run("print(db.beds.find().map((bed) => bed.name))");
  await page.shows(/rue/);
  await page.print("print(db.beds.countDocuments())").then((count) => assert.equal(count, "1"));
  page.isQuiet();
  await close();
});

test("an array is counted and exported, whatever it holds", async () => {
  const { open, close } = await stay();
  const page = await open();
  const exported = async (...formats) => {
    await page.newest.getByRole("button", { name: "Export…" }).click();
    const dialog = page.page.getByRole("dialog");
    await eventually(() => dialog.getByRole("radio").count(), formats.length);
    const texts = [];
    for (const format of formats) {
      await dialog.getByRole("radio", { name: format }).check();
      const [download] = await Promise.all([
        page.page.waitForEvent("download"),
        dialog.getByRole("button", { name: "Export", exact: true }).click(),
      ]);
      texts.push(await readFile(await download.path(), "utf8"));
      await isGone(dialog);
      if (format !== formats.at(-1)) await page.newest.getByRole("button", { name: "Export…" }).click();
    }
    return texts;
  };
  await page.run(`${films}db.films.find({}, { _id: 0, title: 1, seen: 1 }).sort({ year: 1 }).toArray()`);
  await page.shows("60 documents", { exact: true });
  const [json, ndjson, csv] = await exported("JSON array", "NDJSON", "CSV", "BSON");
  assert.equal(JSON.parse(json).length, 60);
  assert.deepEqual(JSON.parse(ndjson.split("\n")[0]), { title: "Film 59", seen: true });
  assert.equal(csv.split("\n")[0], "title,seen");
  await page.run('db.films.distinct("year").concat("end")');
  await page.shows("6 values", { exact: true });
  const [values] = await exported("JSON array", "NDJSON", "CSV");
  assert.deepEqual(JSON.parse(values), [1990, 1991, 1992, 1993, 1994, "end"]);
  page.isQuiet();
  await close();
});

test("a table is sorted, resized, pinned and hidden in, by hand and by keys, and remembers it", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(`${films}db.films.find({}, { kind: 0 })`);
  await page.newest.getByRole("button", { name: "Table" }).click();
  const grid = page.newest.getByRole("grid");
  const heads = async () =>
    (await grid.locator("thead th .by").allInnerTexts()).map((text) => text.split("\n")[0].replace(/[↑↓]/, "").trim());
  const head = (name) => grid.locator("thead th", { has: page.page.locator(`.by:text("${name}")`) });
  const column = (at) => grid.locator(`tbody.drawn tr td:nth-child(${at + 2})`);
  const first = (at) => async () => (await column(at).first().innerText()).trim();
  await eventually(heads, ["title", "_id", "year", "seen"]);
  await eventually(first(0), "Film 59");

  // By hand: upwards, downwards; of the fetched documents only, which is said, until the engine is asked.
  await head("year").locator(".by").click();
  await eventually(() => head("year").getAttribute("aria-sort"), "ascending");
  await eventually(first(2), "1990");
  await head("year").locator(".by").click();
  await eventually(() => head("year").getAttribute("aria-sort"), "descending");
  await eventually(first(2), "1994");
  await page.shows("Sorted by year, downwards. Only the 20 documents fetched so far are sorted.");
  await page.isAccessible("a sorted table");
  // The chosen value is the document of that row, wherever it came.
  const bar = page.newest.getByRole("region", { name: "Chosen value" });
  await column(0).first().click();
  await bar.getByText("Film 55").waitFor();

  // By keys: from the cells up to the heads.
  await page.page.keyboard.press("ArrowUp");
  await eventually(() => head("title").getAttribute("aria-selected"), "true");
  await eventually(() => grid.getAttribute("aria-activedescendant"), "cell--1-0");
  await page.page.keyboard.press("Enter");
  await eventually(() => head("title").getAttribute("aria-sort"), "ascending");
  await eventually(first(0), "Film 40");
  const width = () => head("title").evaluate((element) => element.offsetWidth);
  const before = await width();
  await page.page.keyboard.press("Shift+ArrowRight");
  const wider = await eventually(width, (now) => now > before);
  await page.page.keyboard.press("ArrowRight");
  await page.page.keyboard.press("Alt+ArrowDown");
  const menu = page.page.getByRole("menu", { name: "Column _id" });
  await menu.waitFor();
  await page.isAccessible("a column's menu");
  await menu.getByRole("menuitem", { name: "Hide" }).click();
  await eventually(heads, ["title", "year", "seen"]);
  await page.focusIs("Result as a table");
  await page.page.keyboard.press("ArrowRight");
  await page.page.keyboard.press("Shift+F10");
  await page.page.getByRole("menuitem", { name: "Pin to the left" }).press("Enter");
  await eventually(heads, ["seen", "title", "year"]);
  await eventually(() => head("seen").evaluate((element) => getComputedStyle(element).position), "sticky");
  await page.page.keyboard.press("Alt+ArrowDown");
  await page.press("Escape", "Sort upwards");
  await page.focusIs("Result as a table");

  // The border of a column is dragged; its double press gives the old width.
  const grip = head("year").locator(".grip");
  const box = await grip.boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.page.mouse.down();
  await page.page.mouse.move(box.x + 90, box.y + 10, { steps: 4 });
  await page.page.mouse.up();
  const year = () => head("year").evaluate((element) => element.offsetWidth);
  await eventually(year, (now) => now > 140);
  await grip.dblclick();
  await eventually(year, (now) => now < 140);

  // The engine is asked for the order: another run, whose table is arranged as this one was.
  await page.newest.getByRole("button", { name: "Run it with this order" }).click();
  await page.ended(2);
  await page.newest.getByText("db.films.find({}, { kind: 0 }).sort({ title: 1 })").waitFor();
  await eventually(heads, ["seen", "title", "year"]);
  await eventually(first(1), "Film 0");
  await eventually(width, wider);
  await eventually(() => head("title").getAttribute("aria-sort"), "none");
  await page.newest.getByRole("button", { name: "Show the column _id" }).click();
  await eventually(heads, ["seen", "title", "_id", "year"]);
  // And over a reload.
  await page.reload();
  await page.run("db.films.find({}, { kind: 0 })");
  await eventually(heads, ["seen", "title", "_id", "year"]);
  page.isQuiet();
  await close();
});

test("a long text makes no column wide, and one from right to left turns nothing but itself", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(`db.notes.insertMany([
  { _id: 1, note: "a long note. ".repeat(40), words: ["שלום", 12, "עולם", 34] },
  { _id: 2, note: 5, words: [] },
]);
db.notes.find()`);
  const inOrder = async (view) => {
    const words = page.newest.locator(view).locator("bdi", { hasText: /[א-ת]/ });
    await counts(words, 2);
    const [first, second] = await words.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    assert(first < second, `${view}: the first word is at ${first}, the second at ${second}`);
  };
  await page.newest.getByRole("treeitem").first().waitFor();
  await inOrder("value-tree");
  await page.newest.getByRole("button", { name: "Text" }).click();
  await inOrder("value-text");
  await page.newest.getByRole("button", { name: "Table" }).click();
  await inOrder("value-table");
  const note = page.newest.getByRole("gridcell", { name: /^5/ });
  await eventually(() => note.evaluate((cell) => getComputedStyle(cell).textAlign), "left");
  await eventually(
    () => note.evaluate((cell) => cell.offsetWidth),
    (width) => width < 360,
  );
  page.isQuiet();
  await close();
});

test("results survive a reload, folded as they were, and say what did not", async () => {
  const { context, open, close } = await visit();
  const page = await open();
  await page.run(`${films}db.films.find()`);
  await page.run('print("hello"); db.films.distinct("year")');
  await page.run("db.films.find({ year: 1990 }).sort({ title: 1 })");
  await page.run("db.nowhere.nothing.at.all.here()");
  await page.isSaved();
  const leaf = (number) => page.page.locator("page-leaf", { has: page.page.locator(`.folio:text-is("${number}")`) });
  const title = (number) => leaf(number).locator("button.title");
  await title(1).click();
  await title(4).click();
  const kept = () =>
    page.page.evaluate(() => {
      const { id, leaves, runs } = JSON.parse(sessionStorage.getItem("quire.results") ?? "{}");
      return id === undefined ? null : [leaves, runs];
    });
  await eventually(kept, [4, 4]);

  await page.reload();
  await counts(page.page.locator("page-leaf"), 4);
  const folded = () => page.page.locator("page-leaf article").evaluateAll((all) => all.map((one) => one.className));
  await eventually(folded, ["folded", "folded", "folded", ""]);
  const documents = leaf(1)
    .getByRole("tree")
    .getByRole("treeitem", { name: /Film 5/ });
  await documents.first().waitFor();
  await leaf(1).getByText("There were more: the cursor is closed since the reload.").waitFor();
  await isGone(leaf(1).getByRole("button", { name: "All the rest" }));
  await page.isAccessible("results after a reload");
  await title(2).click();
  await leaf(2).locator(".printed", { hasText: "hello" }).waitFor();
  await leaf(2).getByText("5 values", { exact: true }).waitFor();
  await title(3).click();
  await leaf(3).getByText("12 documents", { exact: true }).waitFor();
  await title(4).click();
  await leaf(4).locator(".error").waitFor();
  // A document is still the stored one.
  await leaf(3)
    .getByRole("treeitem", { name: /Film 54/ })
    .last()
    .click();
  await leaf(3).getByRole("button", { name: "Delete document" }).click();
  await leaf(3).getByText("1 deleted", { exact: true }).waitFor();
  // The whole is had by another run, which goes on counting.
  await leaf(1).getByRole("button", { name: "Run again" }).click();
  await page.ended(5);
  await page.newest.getByRole("button", { name: "All the rest" }).waitFor();

  // Another tab has its own, and one that is closed leaves nothing to it.
  const other = await open();
  await counts(other.page.locator("page-leaf"), 0);
  await other.run("1 + 1");
  await eventually(() => other.page.evaluate(() => sessionStorage.getItem("quire.results") !== null), true);
  await other.reload();
  await counts(other.page.locator("page-leaf"), 1);
  await other.page.close();

  // A value that is too large says so; a kept one that somebody changed is passed over.
  await page.run('db.films.aggregate([{ $limit: 5 }, { $set: { long: "x".repeat(600000) } }])');
  await page.run('["y".repeat(3000000)]');
  await eventually(kept, [7, 7]);
  await page.reload();
  await page.shows("This value was too large to be kept over the reload.");
  await title(6).click();
  await leaf(6).getByText("Only 3 of the 5 fetched documents were kept over the reload.").waitFor();
  await page.reload();
  await counts(page.page.locator("page-leaf"), 7);
  await page.page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open("quire-results");
        request.onsuccess = () => {
          const transaction = request.result.transaction("leaves", "readwrite");
          const leaves = transaction.objectStore("leaves");
          leaves.openCursor().onsuccess = ({ target }) => {
            target.result?.update({ words: '{"version":1}', values: [1] });
            target.result?.continue();
          };
          transaction.oncomplete = resolve;
          transaction.onerror = reject;
        };
      }),
  );
  await page.reload();
  await counts(page.page.locator("page-leaf"), 0);
  await page.run("1 + 1");
  await page.ended(1);

  // Without storage the page is as it was before.
  await context.addInitScript(() => {
    IDBFactory.prototype.open = new Proxy(IDBFactory.prototype.open, {
      apply(open, factory, [name, ...rest]) {
        if (name === "quire-results") throw new DOMException("no room", "QuotaExceededError");
        return Reflect.apply(open, factory, [name, ...rest]);
      },
    });
  });
  await page.reload();
  await page.run("2 + 2");
  page.isQuiet();
  await close();
});

test("folded plain values tell after a reload how they were read", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(
    "db.herbs.insertMany(Array.from({ length: 30 }, (_, n) => ({ _id: n, bed: n % 3 })));\n" +
      "db.herbs.find({ bed: 1 }).toArray();\ndb.herbs.countDocuments({ bed: 2 });\ndb.herbs.findOne({ _id: 3 })",
  );
  const says = (sentence) => page.newest.locator("page-insight").getByText(sentence).waitFor();
  await says(/One step to the document/);
  await page.isSaved();
  await eventually(() => page.page.evaluate(() => sessionStorage.getItem("quire.results") !== null), true);
  await page.reload();
  const line = (number) => page.newest.locator("button.line", { hasText: `line ${number}` });
  await line(2).click();
  await says(/Every document was read, 30 in all, to find 10/);
  await line(3).click();
  await says(/Every document was read, 30 in all/);
  await line(4).click();
  await says(/One step to the document/);
  page.isQuiet();
  await close();
});

test("one result fills the pane, and the focus stays where it is", async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 800 },
  ]) {
    const { open, close } = await stay();
    const page = await open();
    await page.page.setViewportSize(viewport);
    if (viewport.width < 760) await page.button("Script", { exact: true }).click();
    await page.run("1 + 1");
    if (viewport.width < 760) await page.button("Script", { exact: true }).click();
    await page.run(
      `${films}db.films.find().toArray().concat(db.films.find().toArray(), db.films.find().toArray(), db.films.find().toArray())`,
    );
    await page.newest.getByRole("button", { name: "Table" }).click();
    const grid = page.newest.getByRole("grid");
    const beside = viewport.width > 1100;
    const grown = beside ? page.newest.locator("value-table .scroll") : page.page.locator("page-results");
    const height = () => grown.evaluate((element) => element.offsetHeight);
    await grid.focus();
    await page.page.keyboard.press("ArrowDown");
    const before = await height();
    await page.page.keyboard.press("Alt+Enter");
    await counts(page.page.locator("page-leaf:visible"), 1);
    if (viewport.width > 760) await eventually(height, (now) => now > before, `${viewport.width}`);
    await page.focusIs("Result as a table");
    // It is all in sight, with the buttons below it.
    await page.newest.getByRole("button", { name: "Export…" }).waitFor();
    await page.fits("filled");
    await page.isAccessible("filled");
    await page.page.keyboard.press("Escape");
    await counts(page.page.locator("page-leaf:visible"), 2);
    await page.focusIs("Result as a table");
    await eventually(height, before);
    // By hand, and the next run takes its place.
    const fill = page.newest.getByRole("button", { name: "Fill the pane" });
    await fill.click();
    await eventually(() => fill.getAttribute("aria-pressed"), "true");
    if (viewport.width > 1100) {
      await page.run("db.films.find()");
      await counts(page.page.locator("page-leaf:visible"), 1);
      await eventually(() => page.runs(), 3);
    }
    await fill.click();
    await eventually(
      () => page.page.locator("page-leaf:visible").count(),
      (shown) => shown > 1,
    );
    page.isQuiet();
    await close();
  }
});

test("on paper are the script and its results, whole and in ink on white", async () => {
  const { open, close } = await visit({ colorScheme: "dark" });
  const page = await open();
  const lines = Array.from({ length: 200 }, (_, at) => `// line ${at}`).join("\n");
  await page.run(
    `${lines}\ndb.many.drop(); db.many.insertMany(Array.from({ length: 2500 }, (_, n) => ({ _id: n, name: "herb " + n })));\ndb.many.find().toArray()`,
  );
  // The code for printing is fetched when the page is at rest.
  await eventually(
    () => page.page.evaluate(() => document.adoptedStyleSheets.length),
    (sheets) => sheets > 0,
  );
  await page.page.emulateMedia({ media: "print" });
  await page.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const shown = (locator) => eventually(() => locator.first().isVisible(), true);
  const hidden = (locator) => eventually(() => locator.first().isVisible(), false);
  await counts(page.page.locator(".on-paper li"), 202);
  for (const chrome of ["page-header", "page-sidebar", ".script", "page-results .head", "page-leaf .views"])
    await hidden(page.page.locator(chrome));
  for (const view of ["tree", "table", "text"]) {
    await page.page.emulateMedia({ media: "screen" });
    await page.newest.getByRole("button", { name: view, exact: false }).first().click();
    await page.page.emulateMedia({ media: "print" });
    // The statements before it are open too, on paper alone.
    const element = page.newest.locator(`.whole:not(.unfolded) value-${view}`);
    await shown(element);
    await page.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await shown(element.getByText(/^50\d more are not printed/));
    const rows = { tree: ".line.document", table: "tbody.drawn tr", text: "pre span" }[view];
    await eventually(
      () => element.locator(rows).count(),
      (count) => count > 1990 && count < 2010,
      view,
    );
    await eventually(() => element.evaluate((host) => host.scrollHeight > 20_000), true);
  }
  await eventually(
    () =>
      page.newest.evaluate((article) => [
        getComputedStyle(article).color,
        getComputedStyle(document.body).backgroundColor,
      ]),
    ["rgb(0, 0, 0)", "rgb(255, 255, 255)"],
  );
  // Afterwards the page is as it was.
  await page.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.page.emulateMedia({ media: "screen" });
  await counts(page.page.locator(".on-paper"), 0);
  await eventually(
    () => page.newest.locator("value-text pre span").count(),
    (count) => count < 200,
  );
  await page.page.pdf();
  page.isQuiet();
  await close();
});

test("on paper the statements of a run are open that are folded on the screen", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(
    'db.many.insertMany(Array.from({ length: 200 }, (_, n) => ({ _id: n, name: "herb " + n })));\n' +
      "db.many.find().toArray();\ndb.many.findOne({ _id: 3 });\ndb.many.countDocuments()",
  );
  const whole = page.newest.locator(".whole");
  await counts(whole, 1);
  await page.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await counts(whole, 4);
  // Of a long one all rows are drawn, as of the one that was open before.
  await counts(whole.nth(1).locator(".line.document"), 200);
  await whole.nth(2).getByText('"herb 3"').first().waitFor();
  await page.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await counts(whole, 1);
  await counts(page.newest.locator("button.line[aria-expanded=true]"), 1);
  page.isQuiet();
  await close();
});
