/**
 * Going back: undo and redo by key and button, over a reload, between two tabs, with full storage; the timeline, what
 * it shows of a moment, and what it brings back.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

/** What the page tells in its notice. */
const told = (page, expected) => eventually(() => page.page.locator(".notice").innerText(), expected, "the notice");
/** Takes the focus out of the editor, where the keys are the editor's own. */
const leaveEditor = (page) => page.page.locator("page-results .leaves").focus();

test("a run is undone by its button and by keys, and done again", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("db.herbs.find()");
  assert.equal(await page.newest.getByRole("button", { name: /Takes back/ }).count(), 0);
  await page.run('db.herbs.insertMany([{ _id: 1, name: "mint" }, { _id: 2, name: "dill" }])');
  await page.run("db.herbs.updateOne({ _id: 1 }, { $set: { bed: 3 } })");
  await leaveEditor(page);
  await page.page.keyboard.press("Control+z");
  await told(page, /Undone: db\.herbs\.updateOne.*\(1 document changed\)/);
  await page.newest.getByText("undone").waitFor();
  await page.page.keyboard.press("Control+z");
  await told(page, /Undone: db\.herbs\.insertMany.*\(2 documents gone\)/);
  await page.page.keyboard.press("Control+z");
  await told(page, /nothing to undo/);
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "0");
  await leaveEditor(page);
  await page.page.keyboard.press("Control+Shift+z");
  await told(page, /Done again: db\.herbs\.insertMany/);
  await page.page.keyboard.press("Control+y");
  await told(page, /Done again: db\.herbs\.updateOne/);
  await page.page.locator(".notice").getByRole("button", { name: "Undo" }).click();
  await told(page, /Undone: db\.herbs\.updateOne/);
  await page.page.locator(".notice").getByRole("button", { name: "Redo" }).click();
  await told(page, /Done again/);
  // Keys in the editor stay the editor's.
  await page.write("db.herbs.drop()");
  await page.page.keyboard.press("Control+z");
  await page.run("db.herbs.drop()");
  await page.newest.getByRole("button", { name: /Takes back/ }).click();
  await told(page, /Undone: db\.herbs\.drop\(\).*\(2 documents back\)/);
  assert.equal(await page.print("print(db.herbs.findOne({ _id: 1 }).bed)"), "3");
  // An older run goes with what came after it, which is asked for first.
  const oldest = page.page.locator("page-leaf").filter({ hasText: "insertMany" });
  await oldest.getByRole("button", { name: /Takes back/ }).click();
  await told(page, /take back 2 changes/);
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "2");
  await oldest.getByRole("button", { name: /Takes back/ }).click();
  await page.page.locator(".notice").getByRole("button", { name: "Undo all 2" }).click();
  await told(page, /2 changes undone/);
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "0");
  await close();
});

test("what another tab did is asked for, and a reload forgets nothing", async () => {
  const { open, close } = await visit();
  const one = await open();
  await one.run("db.herbs.insertOne({ _id: 1 })");
  await one.isSaved();
  const two = await open();
  await two.run("db.herbs.insertOne({ _id: 2 })");
  await two.isSaved();
  await leaveEditor(one);
  await one.page.keyboard.press("Control+z");
  await told(one, /not made in this tab: db\.herbs\.insertOne\(\{ _id: 2 \}\)/);
  assert.equal(await one.print("print(db.herbs.countDocuments())"), "2");
  await one.reload();
  await leaveEditor(one);
  await one.page.keyboard.press("Control+z");
  await one.page.locator(".notice").getByRole("button", { name: "Undo it" }).click();
  await told(one, /Undone/);
  await leaveEditor(one);
  await one.page.keyboard.press("Control+z");
  await told(one, /Undone: db\.herbs\.insertOne\(\{ _id: 1 \}\)/);
  assert.equal(await two.print("print(db.herbs.countDocuments())"), "0");
  await leaveEditor(two);
  await two.page.keyboard.press("Control+y");
  await told(two, /Done again: db\.herbs\.insertOne\(\{ _id: 1 \}\)/);
  await counts(one.page.locator(".notice"), 1);
  await close();
});
