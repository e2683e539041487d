/** Trees and pages from the inside: opened from the sidebar's menus and from a result, by keyboard. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

test("an index's tree is looked up, walked and split on a fork; a page opens to its bytes", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed(`
    db.teas.drop()
    db.teas.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n, price: n % 90, name: "tea " + n })))
    db.teas.createIndex({ price: 1 })
  `);
  const dialog = page.page.getByRole("dialog");
  await page.succeed("db.teas.find({ price: 7 })");
  await page.newest.locator("page-insight summary").first().click();
  await page.newest.getByRole("button", { name: "Pages it touched" }).click();
  await dialog.getByText(/^Run 2 read [\d,]+ pages and wrote 0/).waitFor();
  await eventually(() => dialog.locator(".owners").innerText(), /documents of test\.teas/);
  await page.isAccessible("the map of pages");
  const map = dialog.getByRole("application");
  await map.focus();
  await page.page.keyboard.press("ArrowRight");
  await page.page.keyboard.press("Enter");
  await dialog.getByRole("heading", { name: /^Page 2/ }).waitFor();
  await dialog.getByRole("button", { name: "26–26" }).click();
  await eventually(() => dialog.locator("pre").innerText(), /^001a {2}0[1-4] /);
  await dialog.getByRole("button", { name: "The header" }).click();
  await dialog.getByRole("heading", { name: /^The header/ }).waitFor();
  await page.isAccessible("a page's bytes");
  await page.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  await page.button("Actions for teas", { exact: true }).click();
  await page.page.getByRole("menuitem", { name: "Show its tree" }).click();
  await dialog.getByText(/^3,000 entries on \d+ leaf pages, 2 levels high/).waitFor();
  await dialog.getByLabel("Number of a record to look up").fill("2000");
  await dialog.getByRole("button", { name: "Look up" }).click();
  await dialog.getByText(/Step 1 of \d+\. Page \d+ is searched: compared with/).waitFor();
  await dialog.getByRole("button", { name: "Next step" }).click();
  await dialog.getByRole("button", { name: "Next step" }).click();
  await dialog.getByText(/Along the leaves: page \d+, slot \d+: #2000/).waitFor();
  await counts(dialog.locator(".node.now"), 1);
  await page.isAccessible("a tree");
  await dialog.locator(".node.now").first().focus();
  await page.page.keyboard.press("ArrowUp");
  await counts(dialog.locator('.node.branch[aria-current="true"]'), 1);
  await dialog.getByRole("button", { name: "Insert until a page splits" }).click();
  await dialog.getByText(/inserted on a fork: the last one splits a page/).waitFor();
  await counts(dialog.locator(".tried .node.new"), 1);
  await page.isAccessible("a split");
  await page.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.print("print(db.teas.countDocuments())"), "3000");
  page.isQuiet();
  await close();
});
