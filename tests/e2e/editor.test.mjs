/**
 * The desk around the editor: several scripts in tabs, the history of runs, borders that move, and every action by its
 * name.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, isGone, phone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

/** Opens the palette and looks for an action; with `found`, waits until that one is chosen. */
const palette = async (page, text, found) => {
  await page.page.keyboard.press("Control+k");
  const field = page.page.getByRole("combobox", { name: "Find an action" });
  await field.fill(text);
  if (found !== undefined) await page.page.getByRole("option", { selected: true }).getByText(found).waitFor();
  return field;
};
/** Does an action by its name, from the palette. */
const act = async (page, text, found) => {
  await palette(page, text, found);
  await page.page.keyboard.press("Enter");
};
/** Opens an empty script and waits until it can be written. */
const newScript = async (page, title) => {
  await page.button("New script").click();
  await page.openTabIs(title);
  await page.focusIs(/^Script editor/);
};

test("scripts have tabs, which are kept over a reload, each with its own undo", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.write("print('one')");
  await newScript(page, "Script 2");
  await page.page.keyboard.insertText("print('two')");
  await page.scriptIs("print('two')");
  await page.tabsAre(["Script 1", "Script 2"]);
  await page.page.getByRole("tab", { name: "Script 1" }).click();
  await page.scriptIs("print('one')");
  await page.editor.click();
  await page.page.keyboard.press("ControlOrMeta+z");
  await page.scriptIs(/A database lives/);
  await page.page.getByRole("tab", { name: "Script 2" }).click();
  await page.scriptIs("print('two')");
  await page.reload();
  await page.openTabIs("Script 2");
  await page.scriptIs("print('two')");
  assert.equal(await page.print(), "two");
  page.isQuiet();
  await close();
});

test("tabs go by the keyboard: open, rename, move, close and undo", async () => {
  const { open, close } = await visit();
  const page = await open();
  for (const [text, title] of [
    ["'b'", "Script 2"],
    ["'c'", "Script 3"],
  ]) {
    await newScript(page, title);
    await page.page.keyboard.insertText(text);
    await page.scriptIs(text);
  }
  await page.page.getByRole("tab", { selected: true }).focus();
  await page.page.keyboard.press("ArrowLeft");
  await page.openTabIs("Script 2");
  await page.page.keyboard.press("F2");
  await page.focusIs("Name of the script");
  await page.page.keyboard.insertText("seeds");
  await page.isAccessible("renaming");
  await page.page.keyboard.press("Enter");
  await page.tabsAre(["Script 1", "seeds", "Script 3"]);
  await page.focusIs("seeds×");
  await page.page.keyboard.press("ControlOrMeta+Shift+ArrowLeft");
  await page.tabsAre(["seeds", "Script 1", "Script 3"]);
  await page.page.keyboard.press("End");
  await page.openTabIs("Script 3");
  await page.page.keyboard.press("Home");
  await page.openTabIs("seeds");
  await page.page.keyboard.press("Delete");
  await page.tabsAre(["Script 1", "Script 3"]);
  await page.page.getByText("seeds was closed.").waitFor();
  await page.button("Undo").click();
  await page.tabsAre(["seeds", "Script 1", "Script 3"]);
  await page.scriptIs("'b'");
  await page.page.getByRole("tab", { name: "Script 3" }).click({ button: "middle" });
  await page.tabsAre(["seeds", "Script 1"]);
  await page.page.getByText("Script 3 was closed.").waitFor();
  await page.isAccessible("closed");
  await close();
});

test("an example opens in a tab of its own, and an error belongs to its tab", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("print(1)\nmissing.call()");
  await page.page.locator(".cm-failing").waitFor();
  await page.page.getByRole("button", { name: "Examples" }).click();
  await page.page.locator("[data-lesson=cms]").click();
  await page.page.getByRole("tab", { name: "Posts and comments", selected: true }).waitFor();
  await isGone(page.page.locator(".cm-failing"));
  await page.newest.getByRole("button", { name: /line 2/ }).click();
  await page.openTabIs("Script 1");
  await page.page.locator(".cm-failing").waitFor();
  await close();
});

test("what was run is listed, and opens again", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.page.getByRole("button", { name: "History" }).click();
  await page.page.getByRole("dialog").getByText("Nothing was run yet").waitFor();
  await page.isAccessible("no history");
  await page.page.keyboard.press("Escape");
  await page.dialog("What was run").waitFor({ state: "hidden" });
  await page.run("print('herbs')");
  await page.run("missing()");
  await page.reload();
  // A reload right after a run may come before its result was kept.
  const shown = await page.runs();
  await page.page.getByRole("button", { name: "History" }).click();
  const dialog = page.page.getByRole("dialog", { name: "What was run" });
  await dialog.getByText("failed").waitFor();
  await counts(dialog.getByRole("listitem"), 2);
  await page.isAccessible("history");
  await dialog.getByRole("searchbox").fill("herbs");
  await counts(dialog.getByRole("listitem"), 1);
  await dialog.getByRole("button", { name: "Open in a new tab" }).click();
  await page.openTabIs("Script 2");
  await page.scriptIs("print('herbs')");
  // The script has come, and nothing was run for it.
  assert.equal(await page.runs(), shown);
  await page.page.getByRole("button", { name: "History" }).click();
  await dialog.getByRole("button", { name: "Forget all" }).click();
  await dialog.getByRole("button", { name: "Yes, forget" }).click();
  await dialog.getByText("Nothing was run yet").waitFor();
  await close();
});

test("borders move by keys and by hand, and stay where they were put", async () => {
  const { open, close } = await visit();
  const page = await open();
  const edge = page.page.getByRole("separator", { name: "Width of the data" });
  await edge.focus();
  await page.page.keyboard.press("ArrowRight");
  await eventually(() => edge.getAttribute("aria-valuenow"), "280");
  const box = await edge.boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.page.mouse.down();
  await page.page.mouse.move(200, box.y + 200);
  await page.page.mouse.up();
  await eventually(() => edge.getAttribute("aria-valuenow"), "200");
  await page.reload();
  await eventually(() => edge.getAttribute("aria-valuenow"), "200");
  await edge.focus();
  await page.page.keyboard.press("Enter");
  await page.button("Read again").waitFor({ state: "hidden" });
  await page.page.keyboard.press("Control+b");
  await page.button("Read again").waitFor();
  await act(page, "below", /below/i);
  await page.page.getByRole("separator", { name: "Height of the script" }).waitFor();
  await close();
});

test("every action is found by its name, and done by Enter", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("db.herbs.insertMany([{ _id: 1 }, { _id: 2 }])");
  await page.page.getByRole("button", { name: /^herbs/ }).waitFor();
  const field = await palette(page, "");
  await page.page.getByRole("option").first().waitFor();
  await page.isAccessible("palette");
  await field.fill("no such thing");
  await isGone(page.page.getByRole("option"));
  await page.isAccessible("nothing found");
  for (const [text, found] of [
    ["tutorial", "Open Tutorial:"],
    ["lab", "Open Model lab:"],
    ["sample", "Load sample data"],
  ]) {
    await field.fill(text);
    await page.page.getByRole("option", { selected: true }).getByText(found).waitFor();
  }
  await field.fill("find herbs");
  await page.page.getByRole("option", { selected: true }).getByText("Find in herbs").waitFor();
  await page.page.keyboard.press("Enter");
  await page.ended(2);
  await page.shows("2 documents", { exact: true });
  await act(page, "rename", /Rename/);
  await page.focusIs("Name of the script");
  await page.page.keyboard.insertText("mine");
  await page.page.keyboard.press("Enter");
  await page.tabsAre(["mine"]);
  await act(page, "colours dark", /dark/i);
  await eventually(() => page.page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await palette(page, "");
  await page.page.getByRole("option").first().waitFor();
  await page.isAccessible("palette, dark");
  const chosen = () => page.page.getByRole("option", { selected: true }).innerText();
  const first = await chosen();
  await page.page.keyboard.press("ArrowDown");
  await eventually(chosen, (text) => text !== first);
  await page.page.keyboard.press("ArrowUp");
  await eventually(chosen, first);
  await page.page.getByRole("combobox", { name: "Find an action" }).fill("keyboard");
  await page.page
    .getByRole("option", { selected: true })
    .getByText(/^Keyboard/)
    .waitFor();
  await page.page.keyboard.press("Enter");
  await page.dialog("Keyboard").waitFor();
  await page.isAccessible("keys");
  page.isQuiet();
  await close();
});

test("what is typed while the palette is on its way is for the palette", async () => {
  const { context, open, close } = await visit();
  let come;
  const held = new Promise((resolve) => (come = resolve));
  await context.route(/page-desk-.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  const page = await open();
  await page.write("print('here')");
  const asked = page.page.waitForRequest(/page-desk-/);
  await page.page.keyboard.press("Control+k");
  await asked;
  await page.page.keyboard.type("histoo");
  await page.page.keyboard.press("Backspace");
  come();
  const field = page.page.getByRole("combobox", { name: "Find an action" });
  await eventually(() => field.inputValue(), "histo", "what was typed");
  await page.page.keyboard.type("ry");
  await eventually(() => field.inputValue(), "history", "what was typed");
  await page.page.keyboard.press("Escape");
  await page.scriptIs("print('here')");
  page.isQuiet();
  await close();
});

test("on a phone the palette and the tabs fit", async () => {
  const { open, close } = await visit(phone);
  const page = await open();
  for (let n = 2; n <= 5; n += 1) await newScript(page, `Script ${n}`);
  await page.fits("five tabs");
  await page.isAccessible("five tabs");
  await page.page.getByRole("button", { name: "Find an action" }).click();
  await page.page.getByRole("combobox", { name: "Find an action" }).fill("history");
  await page.page.getByRole("option", { selected: true }).getByText("History").waitFor();
  await page.fits("palette");
  await page.page.getByRole("option").first().click();
  await page.page.getByRole("dialog", { name: "What was run" }).waitFor();
  await page.fits("history");
  await close();
});

test("a script is laid out, which can be undone, and one that cannot be read is said to be so", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.write("use test\ndb.a.find( {a:1} )");
  await page.page.getByRole("button", { name: "Format" }).click();
  await page.scriptIs(/db\.a\.find\(\{ a: 1 \}\)/);
  await page.editor.click();
  await page.page.keyboard.press("ControlOrMeta+z");
  await page.scriptIs(/find\( \{a:1\} \)/);
  await page.write("let = = 2");
  await page.page.keyboard.press("Shift+Alt+f");
  await page.page.getByText(/The script cannot be formatted/).waitFor();
  await page.isAccessible("not formatted");
  await page.fits("not formatted");
  page.isQuiet();
  await close();
});

test("completion knows its place, and writes templates", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(`db.teas.insertMany([
    { name: "Sencha", price: 5, address: { city: "Uji" }, tags: ["green"], items: [{ sku: 1 }] },
    { name: "Mugi", price: 3.5 }]); db.makers.insertOne({ town: "Uji" })`);
  const list = page.page.locator(".cm-tooltip-autocomplete");
  const option = (name) => list.getByRole("option").filter({ has: page.page.getByText(name, { exact: true }) });
  /** Opens the list where a script ends, but for its closing brackets, and waits for a name. */
  const at = async (before, after, name) => {
    await page.write(before + after);
    for (const _ of after) await page.page.keyboard.press("ArrowLeft");
    await page.page.keyboard.press("Control+Space");
    await option(name).waitFor();
  };
  const kind = (name, kind) => option(name).locator(`.cm-completionIcon-${kind}`).waitFor();
  const shut = async () => {
    await page.page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
  };
  await at("db.", "", "teas");
  await kind("teas", "collection");
  await kind("aggregate", "method");
  await shut();
  // A list that needs no scrolling: the editor keeps the focus, and arrow keys scroll a longer one.
  await at("db.te", "", "teas");
  await page.isAccessible("collections");
  await shut();
  await at("db.teas.find({ ", " })", "address.city");
  await kind("price", "field");
  await option("price").getByText("Int32 | Double").waitFor();
  await kind("$or", "operator");
  await counts(option("$gt"), 0);
  await option("address.city").click();
  await page.scriptIs('db.teas.find({ "address.city" })');
  await at('db.teas.find({ "add', '" })', "address.city");
  await option("address.city").click();
  await page.scriptIs('db.teas.find({ "address.city" })');
  await at("db.teas.find({ items: { $elemMatch: { ", " } } })", "sku");
  await shut();
  // The order of the list: operators that suit an array go first.
  await at("db.teas.find({ tags: { $", " } })", "$size");
  await eventually(() => list.getByRole("option").first().locator(".cm-completionLabel").innerText(), "$all");
  await shut();
  await at("db.teas.updateOne({}, { ", " })", "$inc");
  await shut();
  await at('db.teas.aggregate([{ $group: { _id: "$name", total: { $sum: 1 } } }, { $sort: { ', " } }])", "total");
  await counts(option("price"), 0);
  await shut();
  await at('db.teas.aggregate([{ $lookup: { from: "', '" } }])', "makers");
  await shut();
  await at('db.getCollection("', '")', "teas");
  await shut();
  await at("use ", "", "test");
  await kind("test", "database");
  await shut();
  // A stage's template, filled in from part to part.
  await at("db.teas.aggregate([", "])", "$match");
  await kind("$match", "snippet");
  await shut();
  await at("db.teas.aggregate([mat", "])", "$match");
  await page.isAccessible("stages with their help");
  await option("$match").click();
  await page.scriptIs("db.teas.aggregate([{ $match: { field: value } }])");
  await page.page.keyboard.insertText("price");
  await page.page.keyboard.press("Tab");
  await page.page.keyboard.insertText("5");
  await page.scriptIs("db.teas.aggregate([{ $match: { price: 5 } }])");
  await page.pressRun();
  await page.shows(/Sencha/);
  // A name under the pointer is explained with its syntax and an example.
  await page.pointsOut(
    page.page.locator(".cm-line").getByText("$match", { exact: true }),
    page.page.locator(".cm-operator-help").getByText('{ $match: { city: "Kyoto" } }'),
  );
  page.isQuiet();
  await close();
});

test("the script's letters have a size, which is remembered", async () => {
  const { open, close } = await visit();
  const page = await open();
  const size = () =>
    page.page.locator("page-editor").evaluate((host) => {
      const text = host.shadowRoot?.querySelector(".cm-content") ?? host.querySelector("textarea");
      return text === null ? "" : getComputedStyle(text).fontSize;
    });
  await eventually(size, "14px");
  await act(page, "larger letters", /Larger/);
  await eventually(size, "15px");
  await page.reload();
  await eventually(size, "15px");
  await act(page, "settings", /^Settings/);
  await page.page.getByLabel("Size of the script's letters").selectOption("20");
  await eventually(size, "20px");
  await page.isAccessible("settings");
  await page.page.keyboard.press("Escape");
  await act(page, "smaller letters", /Smaller/);
  await eventually(size, "18px");
  await close();
});

test("the script is searched and replaced in, in both languages", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.write('db.teas.find({ tea: 1 })\nprint("tea")\nprint("Tea")');
  await page.page.keyboard.press("Control+f");
  const panel = page.page.locator(".cm-search");
  const find = panel.getByRole("textbox", { name: "Find" });
  await find.waitFor();
  await page.focusIs("Find");
  await page.isAccessible("search");
  await page.page.keyboard.insertText("tea");
  await page.page.keyboard.press("Enter");
  await counts(page.page.locator(".cm-searchMatch"), 4);
  await panel.getByLabel("Match case").check();
  await counts(page.page.locator(".cm-searchMatch"), 3);
  await panel.getByLabel("Whole words").check();
  await counts(page.page.locator(".cm-searchMatch"), 2);
  await panel.getByRole("textbox", { name: "Replace with" }).fill("herb");
  await panel.getByRole("button", { name: "Replace all" }).click();
  await page.scriptIs('db.teas.find({ herb: 1 })\nprint("herb")\nprint("Tea")');
  await find.focus();
  await page.page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await page.focusIs(/^Script editor/);
  // It is one change that can be undone; the key for replacing goes to its field.
  await page.page.keyboard.press("Control+z");
  await page.scriptIs('db.teas.find({ tea: 1 })\nprint("tea")\nprint("Tea")');
  await page.page.keyboard.press("Control+h");
  await page.focusIs("Replace with");
  await act(page, "简体中文", /Language/);
  await page.page.getByRole("button", { name: "运行" }).waitFor();
  await page.editor.click();
  await page.page.keyboard.press("Control+f");
  await panel.getByRole("button", { name: "全部替换" }).waitFor();
  await page.isAccessible("search in Chinese");
  page.isQuiet();
  await close();
});
