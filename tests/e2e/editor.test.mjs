/**
 * The desk around the editor: several scripts in tabs, what was run, borders that move, and every action by its name.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const titles = (page) => page.page.getByRole("tab").allInnerTexts().then((texts) => texts.map((text) => text.replace("×", "").trim()));
const openTitle = (page) => page.page.getByRole("tab", { selected: true }).innerText().then((text) => text.replace("×", "").trim());
const script = async (page) => (await page.editor.innerText()).trim();
const palette = async (page, text) => {
  await page.page.keyboard.press("Control+k");
  const field = page.page.getByRole("combobox", { name: "Find an action" });
  await field.waitFor();
  await field.fill(text);
  return field;
};

test("scripts have tabs, which are kept over a reload, each with its own undo", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.write("print('one')");
  await page.page.getByRole("button", { name: "New script" }).click();
  await page.page.keyboard.insertText("print('two')");
  assert.deepEqual(await titles(page), ["Script 1", "Script 2"]);
  await page.page.getByRole("tab", { name: "Script 1" }).click();
  assert.equal(await script(page), "print('one')");
  await page.editor.click();
  await page.page.keyboard.press("ControlOrMeta+z");
  assert.match(await script(page), /A database lives/);
  await page.page.getByRole("tab", { name: "Script 2" }).click();
  assert.equal(await script(page), "print('two')");
  await page.page.reload();
  await page.isOpen();
  assert.equal(await openTitle(page), "Script 2");
  assert.equal(await script(page), "print('two')");
  assert.equal(await page.print(), "two");
  page.isQuiet();
  await close();
});

test("tabs go by the keyboard: open, rename, move, close and undo", async () => {
  const { open, close } = await visit();
  const page = await open();
  for (const text of ["'b'", "'c'"]) {
    await page.page.getByRole("button", { name: "New script" }).click();
    await page.page.keyboard.insertText(text);
  }
  await page.page.getByRole("tab", { selected: true }).focus();
  await page.page.keyboard.press("ArrowLeft");
  assert.equal(await openTitle(page), "Script 2");
  await page.page.keyboard.press("F2");
  await page.page.getByRole("textbox", { name: "Name of the script" }).waitFor();
  await page.page.keyboard.insertText("seeds");
  await page.isAccessible("renaming");
  await page.page.keyboard.press("Enter");
  assert.deepEqual(await titles(page), ["Script 1", "seeds", "Script 3"]);
  await page.page.keyboard.press("ControlOrMeta+Shift+ArrowLeft");
  assert.deepEqual(await titles(page), ["seeds", "Script 1", "Script 3"]);
  await page.page.keyboard.press("End");
  assert.equal(await openTitle(page), "Script 3");
  await page.page.keyboard.press("Home");
  await page.page.keyboard.press("Delete");
  assert.deepEqual(await titles(page), ["Script 1", "Script 3"]);
  await page.page.getByText("seeds was closed.").waitFor();
  await page.isAccessible("closed");
  await page.page.getByRole("button", { name: "Undo" }).click();
  assert.deepEqual(await titles(page), ["seeds", "Script 1", "Script 3"]);
  assert.equal(await script(page), "'b'");
  await page.page.getByRole("tab", { name: "Script 3" }).click({ button: "middle" });
  assert.deepEqual(await titles(page), ["seeds", "Script 1"]);
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
  assert.equal(await page.page.locator(".cm-failing").count(), 0);
  await page.newest.getByRole("button", { name: /line 2/ }).click();
  assert.equal(await openTitle(page), "Script 1");
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
  await page.run("print('herbs')");
  await page.run("missing()");
  await page.page.reload();
  await page.isOpen();
  await page.page.getByRole("button", { name: "History" }).click();
  const dialog = page.page.getByRole("dialog", { name: "What was run" });
  await dialog.getByText("failed").waitFor();
  assert.equal(await dialog.getByRole("listitem").count(), 2);
  await page.isAccessible("history");
  await dialog.getByRole("searchbox").fill("herbs");
  assert.equal(await dialog.getByRole("listitem").count(), 1);
  await dialog.getByRole("button", { name: "Open in a new tab" }).click();
  assert.equal(await openTitle(page), "Script 2");
  assert.equal(await script(page), "print('herbs')");
  assert.equal(await page.runs(), 0);
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
  assert.equal(await edge.getAttribute("aria-valuenow"), "280");
  const box = await edge.boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.page.mouse.down();
  await page.page.mouse.move(200, box.y + 200);
  await page.page.mouse.up();
  assert.equal(await edge.getAttribute("aria-valuenow"), "200");
  await page.page.reload();
  await page.isOpen();
  assert.equal(await edge.getAttribute("aria-valuenow"), "200");
  await edge.focus();
  await page.page.keyboard.press("Enter");
  assert.ok(!(await page.page.getByRole("button", { name: "Read again" }).isVisible()));
  await page.page.keyboard.press("Control+b");
  assert.ok(await page.page.getByRole("button", { name: "Read again" }).isVisible());
  await palette(page, "below");
  await page.page.keyboard.press("Enter");
  await page.page.getByRole("separator", { name: "Height of the script" }).waitFor();
  await close();
});

test("every action is found by its name, and done by Enter", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("db.herbs.insertMany([{ _id: 1 }, { _id: 2 }])");
  await page.page.getByRole("button", { name: /^herbs/ }).waitFor();
  const field = await palette(page, "");
  await page.isAccessible("palette");
  await field.fill("no such thing");
  await page.isAccessible("nothing found");
  await field.fill("find herbs");
  assert.match(await page.page.getByRole("option", { selected: true }).innerText(), /Find in herbs/);
  await page.page.keyboard.press("Enter");
  await page.ended(2);
  await page.shows("2 documents", { exact: true });
  await palette(page, "rename");
  await page.page.keyboard.press("Enter");
  await page.page.getByRole("textbox", { name: "Name of the script" }).waitFor();
  await page.page.keyboard.insertText("mine");
  await page.page.keyboard.press("Enter");
  assert.deepEqual(await titles(page), ["mine"]);
  await palette(page, "colours dark");
  await page.page.keyboard.press("Enter");
  assert.equal(await page.page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.page.keyboard.press("Control+k");
  await page.isAccessible("palette, dark");
  await page.page.getByRole("combobox", { name: "Find an action" }).fill("keyboard");
  await page.page.keyboard.press("ArrowDown");
  await page.page.keyboard.press("ArrowUp");
  await page.page.keyboard.press("Enter");
  await page.page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await page.isAccessible("keys");
  page.isQuiet();
  await close();
});

test("on a phone the palette and the tabs fit", async () => {
  const { open, close } = await visit({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const page = await open();
  for (let n = 0; n < 4; n += 1) await page.page.getByRole("button", { name: "New script" }).click();
  await page.fits("five tabs");
  await page.isAccessible("five tabs");
  await page.page.getByRole("button", { name: "Find an action" }).click();
  await page.page.getByRole("combobox", { name: "Find an action" }).fill("history");
  await page.fits("palette");
  await page.page.getByRole("option").first().click();
  await page.page.getByRole("dialog", { name: "What was run" }).waitFor();
  await page.fits("history");
  await close();
});

test("a script is laid out, which can be undone, and one that cannot be read is said to be so", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.write("use test\ndb.a.find( {a:1} )");
  await page.page.getByRole("button", { name: "Format" }).click();
  await page.page.waitForFunction(() => document.querySelector("quire-page").shadowRoot.querySelector("page-editor").shadowRoot.querySelector(".cm-content").textContent.includes("db.a.find({ a: 1 })"));
  await page.editor.click();
  await page.page.keyboard.press("ControlOrMeta+z");
  assert.match(await script(page), /find\( \{a:1\} \)/);
  await page.write("let = = 2");
  await page.page.keyboard.press("Shift+Alt+f");
  await page.page.getByText(/The script cannot be formatted/).waitFor();
  await page.isAccessible("not formatted");
  await page.fits("not formatted");
  page.isQuiet();
  await close();
});
