/**
 * The page in awkward moments: notices and what they lie over, narrow places, values of megabytes, a reload, colours
 * that the system forces.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, phone, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

/** Where a notice is, and the tools below the script that it lies over. */
const noticed = (page) =>
  page.page.evaluate(() => {
    const root = document.querySelector("quire-page").shadowRoot;
    const notice = root.querySelector(".notice");
    const box = notice?.getBoundingClientRect();
    const lies = (tool) => {
      const other = tool.getBoundingClientRect();
      return (
        other.width > 0 &&
        box !== undefined &&
        other.left < box.right &&
        other.right > box.left &&
        other.top < box.bottom &&
        other.bottom > box.top
      );
    };
    const tools = [...root.querySelectorAll("[data-tool], .on")];
    return {
      text: notice?.querySelector("span").textContent ?? "",
      lines: notice === null ? 0 : notice.querySelector("span").getBoundingClientRect().height / 20,
      covers: tools.filter(lies).map((tool) => tool.textContent),
      cut: tools.filter((tool) => {
        const other = tool.getBoundingClientRect();
        const foot = tool.parentElement.getBoundingClientRect();
        return other.width < 20 || other.right > foot.right + 1;
      }).length,
      isInside: box !== undefined && box.left >= 0 && box.right <= innerWidth,
    };
  });

const isNotice = (page, text, what) =>
  eventually(
    () => noticed(page),
    (one) => text.test(one.text) && one.lines < 4 && one.covers.length === 0 && one.cut === 0 && one.isInside,
    what,
  );

test("notices are read at a glance and cover no tool, at each width", async () => {
  for (const options of [
    {},
    { viewport: { width: 1280, height: 800 } },
    { viewport: { width: 900, height: 700 } },
    phone,
  ]) {
    const { open, close } = await visit(options);
    const page = await open();
    const what = JSON.stringify(options.viewport ?? {});
    if (options === phone) await page.page.locator("nav button").first().click();
    // The three looks of a notice: plain, good and bad.
    await page.button("New script").click();
    await page.write("db.teas.find()");
    await page.page.getByRole("tab", { selected: true }).focus();
    await page.page.keyboard.press("Delete");
    await isNotice(page, /Script 2 was closed/, `${what} plain`);
    await page.isAccessible(`a notice ${what}`);
    await page.write("db.teas.find(");
    await page.page.locator('[data-tool="format"]').click();
    await isNotice(page, /cannot be formatted/, `${what} bad`);
    // A moved clock and a long name leave the tools where they are.
    await page.run('use a_database_with_a_long_name_indeed\nclock.advance("400 days")');
    if (options === phone) await page.page.locator("nav button").first().click();
    await eventually(
      () =>
        page.page.evaluate(() => {
          const foot = document.querySelector("quire-page").shadowRoot.querySelector(".foot");
          const shown = (name) => foot.querySelector(name).getBoundingClientRect().width;
          const end = foot.getBoundingClientRect().right;
          const last = [...foot.querySelectorAll("[data-tool]")].at(-1).getBoundingClientRect();
          return [shown(".on"), shown(".moved"), last.right - end];
        }),
      ([on, moved, over]) => on >= 60 && moved >= 60 && over <= 1,
      `${what} clock`,
    );
    await page.fits(what);
    await close();
  }
});

test("the schema keeps script and results side by side, a drop is undone, and a value is edited where it stands", async () => {
  const { open, close } = await visit({ viewport: { width: 1280, height: 800 } });
  const page = await open();
  await page.succeed("db.teas.insertMany([{ _id: 1, name: 'assam', tags: ['a'] }, { _id: 2, name: 'keemun' }])");
  await page.button("Actions for teas").click();
  await page.page.getByRole("menuitem", { name: "Schema" }).click();
  await page.page.getByRole("complementary", { name: "Schema" }).getByText("By 2 documents").first().waitFor();
  const sides = () =>
    page.page.evaluate(() => {
      const root = document.querySelector("quire-page").shadowRoot;
      const [script, results] = ["section.script", "section.results"].map((name) =>
        root.querySelector(name).getBoundingClientRect(),
      );
      return results.left >= script.right && results.width > 300 && script.width > 300;
    });
  await eventually(sides, true, "beside each other");

  // Two presses on a cell of the table, and on a line of the tree; Enter on either.
  await page.run("db.teas.find()");
  const bar = page.newest.getByRole("region", { name: "Chosen value" });
  await page.newest.getByRole("button", { name: "Table" }).click();
  await page.newest.getByRole("gridcell", { name: "keemun" }).dblclick();
  const field = bar.getByRole("textbox", { name: "New value" });
  await eventually(() => field.inputValue(), "keemun");
  await page.isAccessible("a value that is edited");
  await field.fill("sencha");
  await bar.getByRole("button", { name: "Save" }).click();
  await page.newest.getByRole("gridcell", { name: "sencha" }).waitFor();
  await page.newest.getByRole("gridcell", { name: "assam" }).click();
  await page.page.keyboard.press("F2");
  await eventually(() => field.inputValue(), "assam");
  await page.page.keyboard.press("Escape");
  await page.newest.getByRole("button", { name: "Tree" }).click();
  await page.newest.getByRole("treeitem", { name: /^name: "assam"/ }).dblclick();
  await eventually(() => field.inputValue(), "assam");
  await page.page.keyboard.press("Escape");

  // The notice of a drop has the button that takes it back.
  await page.button("Actions for teas").click();
  await page.page.getByRole("menuitem", { name: "Drop collection…" }).click();
  await page.button("Drop teas").click();
  await isNotice(page, /teas was dropped/, "dropped");
  await page.page.locator("quire-page .notice").getByRole("button", { name: "Undo" }).click();
  await page.button("Actions for teas").waitFor();
  await isNotice(page, /[Uu]ndone/, "undone");
  assert.equal(await page.print("print(db.teas.countDocuments())"), "2");
  page.isQuiet();
  await close();
});

test("values of megabytes are drawn by their beginning, wherever they are, and whole when asked for", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed(
    "db.big.drop(); db.big.insertOne({ _id: 1, s: 'some words and-more '.repeat(250000) });" +
      "db.big.insertOne({ _id: 2, all: Array.from({ length: 200000 }, (_, n) => ({ n, text: `text number ${n}` })) })",
  );
  /** Characters that are drawn in the newest run, and how many elements. */
  const drawn = () =>
    page.newest.evaluate((run) => {
      const seen = { characters: 0, elements: 0 };
      const walk = (root) => {
        for (const node of root.childNodes) {
          if (node.nodeType === Node.TEXT_NODE) seen.characters += node.length;
          if (node.nodeType !== Node.ELEMENT_NODE || node.localName === "style") continue;
          seen.elements += 1;
          walk(node.shadowRoot ?? node);
        }
      };
      walk(run);
      return seen;
    });
  const few = (what) =>
    eventually(drawn, ({ characters, elements }) => characters > 10 && characters < 100_000 && elements < 6000, what);

  const views = ["Table", "Text", "Tree"];
  for (const id of [1, 2]) {
    await page.run(`db.big.find({ _id: ${id} })`);
    for (const view of views) {
      await page.newest.getByRole("button", { name: view, exact: true }).click();
      await few(`${view} of ${id}`);
    }
  }
  await page.run("db.big.find({ _id: 1 })");
  await page.newest.getByRole("treeitem", { name: /^s:/ }).click();
  const bar = page.newest.getByRole("region", { name: "Chosen value" });
  await bar.getByText("The first 20,000 characters.").waitFor();
  await few("the chosen value");
  await bar.getByRole("button", { name: "Edit" }).click();
  await bar.getByText(/Longer than 100,000 characters/).waitFor();
  await page.isAccessible("the beginning of a value");
  await bar.getByRole("button", { name: "Show all" }).click();
  await eventually(drawn, ({ characters }) => characters > 5_000_000, "all of it");
  await page.focusIs("The whole value");
  for (const [what, script] of [
    ["a string", "db.big.findOne({ _id: 1 }).s"],
    ["a printed line", "print(db.big.findOne({ _id: 1 }).s)"],
    ["an error", "throw new Error(db.big.findOne({ _id: 1 }).s)"],
    ["statements", "db.big.findOne({ _id: 1 }).s\nprint(db.big.findOne({ _id: 1 }).s)\ndb.big.findOne({ _id: 2 })\n3"],
    ["a plan", "db.big.find({ s: db.big.findOne({ _id: 1 }).s }).explain()"],
  ]) {
    await page.run(script);
    await few(what);
  }

  // After a reload such a result says that it is not here, and not that it found nothing; a run can be undone still.
  await page.run("db.big.find({ _id: 2 })");
  await page.run("db.small.insertOne({ _id: 1 })");
  await page.isSaved();
  const undo = page.newest.getByRole("button", { name: /^Undo/ });
  await undo.waitFor();
  await eventually(
    () =>
      page.page.evaluate(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open("quire-results");
            request.onsuccess = () => {
              const all = request.result.transaction("tabs").objectStore("tabs").getAll();
              all.onsuccess = () => resolve(all.result.flatMap(({ numbers }) => numbers).length);
            };
          }),
      ),
    (kept) => kept >= 10,
    "kept results",
  );
  await page.reload();
  const earlier = page.page.locator("page-leaf").nth(1);
  await earlier.locator(".title").click();
  await earlier.getByText("The document that it found was too large to be kept over the reload.").waitFor();
  assert.equal(await earlier.getByText("No documents matched").count(), 0);
  await undo.click();
  await page.newest.getByText("undone", { exact: true }).waitFor();
  assert.equal(await page.print("print(db.small.countDocuments())"), "0");
  page.isQuiet();
  await close();
});

test("bars, dots, levels and legends are there where the system forces colours", async () => {
  const { open, close } = await visit({ forcedColors: "active" });
  const page = await open();
  await page.succeed("db.teas.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: n, n })))");
  const canvas = await page.page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("div"));
    probe.style.background = "Canvas";
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });
  const fill = (locator, pseudo) =>
    locator.first().evaluate((element, of) => getComputedStyle(element, of).backgroundColor, pseudo);
  const isFilled = async (locator, pseudo, what) => {
    await locator.first().waitFor({ state: "attached" });
    await eventually(
      () => fill(locator, pseudo),
      (colour) => colour !== canvas && !/, 0\)$/.test(colour),
      what,
    );
  };
  await page.isSaved();
  await isFilled(page.storage, "::before", "the dot of the storage");
  await page.button("Actions for teas").click();
  await page.page.getByRole("menuitem", { name: "Schema" }).click();
  await isFilled(page.page.locator("schema-view .bar i"), null, "the bars of the schema");
  await page.run("db.teas.find({ _id: { $lt: 9 } })");
  await page.newest.locator("page-insight summary").first().click();
  await isFilled(page.newest.locator(".legend .kind"), "::before", "the legend of the plan");
  await page.newest
    .getByRole("button", { name: /as a tree/ })
    .first()
    .click();
  await isFilled(page.page.locator("xray-index .node i"), null, "the levels of the tree");
  await close();
});
