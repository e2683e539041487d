/** A pipeline of the script as cards: both ways with the text, with a sample of the documents after each stage. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, isGone, phone, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const data = `db.teas.insertMany(Array.from({ length: 40 }, (_, n) =>
  ({ name: "Tea " + n, price: n % 7, city: n % 2 ? "Uji" : "Kyoto" })))`;
const script = `// by city
db.teas.aggregate([
  { $match: { price: { $gt: 2 } } },
  { $group: { _id: "$city", n: { $sum: 1 } } },
])
print("end")`;

const cards = (page) => page.page.locator("pipeline-panel li.card");
const card = (page, number) => cards(page).nth(number - 1);
/** Waits for a text about the sample after a stage. */
const told = (page, number, text) => card(page, number).locator(".sample").getByText(text).first().waitFor();
const tool = (page, number, name) => card(page, number).getByRole("button", { name: new RegExp(`^${name}:`) });
/** Puts the cursor behind a text of the script and opens the cards. */
const openCards = async (page, key) => {
  await page.page.locator("page-editor .cm-line").getByText("$match", { exact: true }).click();
  if (key) await page.page.keyboard.press("Alt+Shift+KeyP");
  else await page.page.locator("[data-tool=pipeline]").click();
  await page.page.locator("pipeline-panel").waitFor();
};
/** The script in the editor, to the letter. */
const text = (page) =>
  page.page
    .locator("page-editor .cm-content")
    .evaluate((content) => [...content.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"));
const textIs = (page, expected) => eventually(() => text(page), expected);
/** Types a whole text into a card. */
const retype = async (page, number, written) => {
  await card(page, number).locator(".cm-content").click();
  await page.page.keyboard.press("ControlOrMeta+a");
  await page.page.keyboard.insertText(written);
};

test("a pipeline is shown as cards with samples, and changed by them and by the script", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(data);
  await page.write("db.teas.find()");
  await isGone(page.page.locator("[data-tool=pipeline]"));
  await page.write(script);
  await openCards(page, false);
  await page.focusIs("Pipeline on teas");
  // The name of the script's database is not cut by one tool more beside it.
  await eventually(
    () => page.page.locator(".foot .on").evaluate((on) => on.scrollWidth - on.clientWidth),
    0,
    "the name of the database",
  );
  await counts(cards(page), 2);
  await told(page, 1, "more than 10 documents");
  await told(page, 2, "2 documents");
  await told(page, 2, "Uji");
  await page.isAccessible("cards");
  // A card's text changes exactly that part of the script.
  await retype(page, 1, "{ $match: { price: { $gt: 5 } } }");
  await textIs(page, script.replace("$gt: 2", "$gt: 5"));
  await told(page, 1, "5 documents");
  // A stage that cannot be read is told, and is not in the script.
  await retype(page, 1, "{ $match: { price: ");
  await card(page, 1).getByText("Not in the script yet:").waitFor();
  await page.isAccessible("a card with a fault");
  await textIs(page, script.replace("$gt: 2", "$gt: 5"));
  await retype(page, 1, "{ price: 5 }");
  await card(page, 1).getByText("a stage is one object").waitFor();
  await retype(page, 1, "{ $match: { price: { $gt: 2 } } }");
  await textIs(page, script);
  await isGone(card(page, 1).getByText("Not in the script yet:"));
  // The engine's refusal stands at the card.
  await retype(page, 2, "{ $group: { _id: 1, n: { $nosuch: 1 } } }");
  await told(page, 2, /unknown group operator '\$nosuch'/);
  await retype(page, 2, '{ $group: { _id: "$city", n: { $sum: 1 } } }');
  await told(page, 2, "2 documents");
  // Completion in a card knows the stages before.
  await retype(page, 2, '{ $group: { _id: "$pr" } }');
  for (let left = 0; left < 5; left += 1) await page.page.keyboard.press("ArrowLeft");
  await page.page.keyboard.press("Control+Space");
  await card(page, 2).locator(".cm-tooltip-autocomplete").getByText("price", { exact: true }).waitFor();
  await page.page.keyboard.press("Escape");
  await retype(page, 2, '{ $group: { _id: "$city", n: { $sum: 1 } } }');
  await textIs(page, script);
  // Typing in the script changes the cards; while it cannot be read they stand still.
  await page.write(script.replace("])", "  { $sort: { n: -1 } },\n])"));
  await counts(cards(page), 3);
  await told(page, 3, "2 documents");
  await page.write(script.replace("])", ""));
  await page.page.getByText("The script cannot be read at the moment").waitFor();
  await counts(cards(page), 3);
  await page.write(script);
  await counts(cards(page), 2);
  // A change of the data changes the samples; Run shows its results.
  await page.pressRun();
  await page.ended(2);
  await isGone(page.page.locator("pipeline-panel"));
  await page.shows(/end|Uji/);
  page.isQuiet();
  await close();
});

test("the cards are offered at the end of a script that takes long to parse", async () => {
  const { open, close } = await visit();
  const page = await open();
  const long = Array.from({ length: 8000 }, (_, n) => `db.teas.find({ price: ${n} })`).join("\n");
  await page.editor.click();
  await page.page.keyboard.press("ControlOrMeta+a");
  // A real paste: text that is inserted line by line takes the browser minutes.
  await page.editor.evaluate((content, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, `${long}\ndb.teas.aggregate([{ $match: { price: 3 } }])`);
  await page.page.locator("[data-tool=pipeline]").click();
  await counts(cards(page), 1);
  await close();
});

test("stages are added, switched off, moved, duplicated and deleted", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(data);
  await page.write(script);
  await openCards(page, true);
  await counts(cards(page), 2);
  await page.button("Add a stage", { exact: true }).click();
  await page.page.getByLabel("Which stage").selectOption("$limit");
  await page.button("Add", { exact: true }).click();
  await counts(cards(page), 3);
  await page.focusIs("Text of stage 3");
  const three = script.replace("\n])", "\n  { $limit: 10 },\n])");
  await textIs(page, three);
  // A stage that is off is a comment, and is not run.
  await card(page, 1).getByRole("checkbox").uncheck();
  await textIs(page, three.replace("{ $match: { price: { $gt: 2 } } },", "/* { $match: { price: { $gt: 2 } } }, */"));
  await told(page, 1, "Switched off");
  await page.isAccessible("a stage that is off");
  await card(page, 1).getByRole("checkbox").check();
  await textIs(page, three);
  // By keys at the handle, which keeps the focus.
  await card(page, 3).locator(".handle").focus();
  await page.page.keyboard.press("ArrowUp");
  const moved = script.replace("  { $group", "  { $limit: 10 },\n  { $group");
  await textIs(page, moved);
  await page.focusIs("Move stage 2: drag, or press the arrow keys");
  await page.page.getByText("Moved to place 2 of 3.").waitFor({ state: "attached" });
  await page.page.keyboard.press("ArrowDown");
  await textIs(page, three);
  // By the pointer, once the samples are there: a card grows with its own, and those below it move.
  await page.focusIs("Move stage 3: drag, or press the arrow keys");
  await told(page, 1, "more than 10 documents");
  for (const number of [2, 3]) await told(page, number, "2 documents");
  await card(page, 1).locator(".handle").hover();
  await page.page.mouse.down();
  await eventually(async () => {
    const second = await card(page, 2).boundingBox();
    await page.page.mouse.move(second.x + 5, second.y + second.height * 0.7);
    await page.page.mouse.move(second.x + 5, second.y + second.height * 0.8);
    return card(page, 3).getAttribute("class");
  }, /\bmark\b/);
  await page.page.mouse.up();
  await eventually(() => card(page, 1).locator(".bar .name").innerText(), "$group");
  await page.editor.click();
  await page.page.keyboard.press("ControlOrMeta+z");
  await textIs(page, three);
  await tool(page, 2, "Duplicate").click();
  await counts(cards(page), 4);
  await tool(page, 2, "Delete").click();
  await counts(cards(page), 3);
  await textIs(page, three);
  await tool(page, 1, "Move down").click();
  await eventually(() => card(page, 1).locator(".bar .name").innerText(), "$group");
  await tool(page, 1, "Add a stage below").click();
  await page.page.getByLabel("Which stage").selectOption("$out");
  await page.button("Add", { exact: true }).click();
  await told(page, 2, "This stage writes");
  await told(page, 3, "No preview behind");
  await page.button("Close the cards").click();
  await isGone(page.page.locator("pipeline-panel"));
  await page.focusIs(/^Script editor/);
  // Nothing was written by a preview.
  assert.equal(await page.print("print(db.getCollectionNames().join())"), "teas");
  page.isQuiet();
  await close();
});

test("on a phone the cards take the place of the results, and speak Chinese", async () => {
  const { open, close } = await visit({ ...phone, locale: "zh-CN" });
  const page = await open();
  await page.write("db.aggregate([\n  { $documents: [{ n: 1 }, { n: 2 }] },\n  { $match: { n: limit } },\n])");
  await page.page.locator("page-editor .cm-line").getByText("$match", { exact: true }).click();
  await page.page.locator("[data-tool=pipeline]").click();
  await counts(cards(page), 2);
  await told(page, 1, "2 个文档");
  await told(page, 2, "limit 的值只有脚本运行时才知道");
  await page.fits("cards");
  await page.isAccessible("cards on a phone");
  page.isQuiet();
  await close();
});
