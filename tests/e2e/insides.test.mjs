/** The insides of a deployment after a run: the pages that it touched, and a split step by step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, withBrowser } from "./browser.mjs";

const { stay } = withBrowser();

const teas = `
  db.teas.drop()
  db.teas.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n, price: n % 90, name: "tea " + n })))
  db.teas.createIndex({ price: 1 })
`;

test("the pages that the last run read and wrote are framed, and told in words", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(teas);
  await page.succeed(`
    db.teas.find({ price: 3 }).toArray()
    db.teas.updateOne({ _id: 7 }, { $set: { price: 91 } })
  `);
  const dialog = page.page.getByRole("dialog");
  // The menu's map is of the last run, even of one without a result.
  await page.button("Actions for test", { exact: true }).click();
  await page.page.getByRole("menuitem", { name: "Show all pages" }).click();
  const last = `Run ${(page.begun + 2).toLocaleString("en")} read`;
  await dialog.getByText(new RegExp(`^${last} [\\d,]+ pages and wrote [\\d,]+: they are framed`)).waitFor();
  const said = await dialog.getByText(new RegExp(`^${last}`)).innerText();
  const [read, written] = /read ([\d,]+) pages and wrote ([\d,]+)/.exec(said).slice(1).map(Number);
  assert.ok(read > 3 && written > 3, said);
  assert.match(said, /A moment has [\d,]+ of them too/);
  await eventually(() => dialog.locator(".marks").innerText(), /read by the run/);
  await eventually(() => dialog.locator(".marks").innerText(), /shared with a moment/);
  // The counts of all owners come to the same.
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

test("a split is played step by step, in words and drawn, with nothing left of it", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.succeed(teas);
  const dialog = page.page.getByRole("dialog");
  await page.button("Actions for teas", { exact: true }).click();
  await page.page.getByRole("menuitem", { name: "Show its tree" }).click();
  // At the right edge of the documents' tree nothing moves.
  await dialog.getByRole("button", { name: "Insert until a page splits" }).click();
  const steps = dialog.locator("split-steps");
  const now = steps.locator(".steps li[aria-current=step]");
  await eventually(
    () => now.innerText(),
    /^Page [\d,]+ holds \d+ entries and has \d+ bytes left; the new entry #3,?\d+ needs/,
  );
  await counts(steps.locator(".page.full"), 1);
  await steps.getByRole("button", { name: "Next step" }).click();
  await eventually(() => now.innerText(), /for the new entry alone\. At the right edge nothing moves/);
  await counts(steps.locator(".page.new"), 1);
  await steps.getByRole("button", { name: "Next step" }).click();
  await eventually(() => now.innerText(), /The separator #\d+ goes up into page [\d,]+, which now leads to \d+ pages/);
  assert.equal(await steps.getByRole("button", { name: "Next step" }).isDisabled(), true);
  await page.isAccessible("a split's steps");
  // Played from the beginning, it comes to its end by itself.
  await steps.getByRole("button", { name: "Play" }).click();
  await eventually(() => now.innerText(), /goes up into page/);
  await steps.getByRole("button", { name: "Play" }).waitFor();
  await page.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  // Inside of an index's tree the upper half moves.
  await page.succeed("db.teas.find({ price: 7 })");
  await page.page.getByRole("button", { name: "Indexes of teas" }).click();
  await page.button("Actions for price_1", { exact: true }).click();
  await page.page.getByRole("menuitem", { name: "Show its tree" }).click();
  await dialog.getByLabel("Values to look up, as JSON").fill('{"price": 17}');
  await dialog.getByRole("button", { name: "Insert until a page splits" }).click();
  await eventually(() => now.innerText(), /the new entry \{ price: 17 \} #\d+ needs \d+/);
  await steps.getByRole("button", { name: "Next step" }).click();
  await eventually(() => now.innerText(), /is made beside it: \d+ entries move there, from \{ price: \d+ \}/);
  await page.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.print("print(db.teas.countDocuments())"), "3000");
  page.isQuiet();
  await close();
});
