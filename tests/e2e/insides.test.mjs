/** The insides of a deployment after a run: the pages that it touched, and a split step by step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const teas = `
  db.teas.drop()
  db.teas.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n, price: n % 90, name: "tea " + n })))
  db.teas.createIndex({ price: 1 })
`;

test("the pages that the last run read and wrote are framed, and told in words", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed(teas);
  await page.succeed(`
    db.teas.find({ price: 3 }).toArray()
    db.teas.updateOne({ _id: 7 }, { $set: { price: 91 } })
  `);
  const dialog = page.page.getByRole("dialog");
  // The menu's map is of the last run, whatever it gave.
  await page.button("Add data").click();
  await page.page.getByRole("menuitem", { name: "Show all pages" }).click();
  await dialog.getByText(/^Run 2 read [\d,]+ pages and wrote [\d,]+: they are framed/).waitFor();
  const said = await dialog.getByText(/^Run 2 read/).innerText();
  const [read, written] = /read ([\d,]+) pages and wrote ([\d,]+)/.exec(said).slice(1).map(Number);
  assert.ok(read > 3 && written > 3, said);
  assert.match(said, /A moment has [\d,]+ of them too/);
  await eventually(() => dialog.locator(".marks").innerText(), /read by the run/);
  await eventually(() => dialog.locator(".marks").innerText(), /shared with a moment/);
  // What is told of each owner comes to the same.
  const owners = await dialog.locator(".owners").innerText();
  const sum = (pattern) => [...owners.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
  assert.equal(sum(/(\d+) written/g), written, owners);
  assert.equal(sum(/(\d+) read/g), read, owners);
  await dialog.getByRole("button", { name: "Next framed page" }).click();
  await eventually(() => dialog.locator(".where").innerText(), /^Page \d+ · .*(read|written) by the run/);
  await page.isAccessible("the map of a run's pages");
  await page.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  page.isQuiet();
  await close();
});
