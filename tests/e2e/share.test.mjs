/**
 * Links that hold scripts: made here, shown before anything is done with them, and refused when they are damaged.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, isGone, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

/** Makes a link by the dialog, and gives its address. */
async function link(page, prepare = async () => {}) {
  await page.page.getByRole("button", { name: "Share" }).click();
  const dialog = page.page.getByRole("dialog", { name: "Share as a link" });
  await prepare(dialog);
  const field = dialog.getByRole("textbox", { name: "Link" });
  await field.waitFor();
  await page.isAccessible("sharing");
  const text = await field.inputValue();
  await page.page.keyboard.press("Escape");
  return text;
}

test("a link shows what it holds, runs nothing and keeps nothing by itself", async () => {
  const { context, open, close } = await visit();
  const page = await open();
  await page.write("db.made.insertOne({ _id: 1 })\nprint('from afar')");
  const address = await link(page);
  assert.match(address, /#q1\.[\w-]+$/);

  const other = await visit();
  const reader = await other.open();
  const kept = () => reader.page.evaluate(() => localStorage.getItem("quire.tabs"));
  const before = await kept();
  await reader.page.goto(address);
  await reader.isOpen();
  const dialog = reader.page.getByRole("dialog", { name: "A link with scripts" });
  await dialog.getByText("from afar").first().waitFor();
  await reader.isAccessible("a link");
  await reader.fits("a link");
  assert.equal(await reader.runs(), 0);
  assert.equal(await kept(), before);
  await dialog.getByRole("button", { name: "Leave it" }).click();
  await eventually(
    () => reader.page.url(),
    (url) => !url.includes("#q1"),
  );
  await counts(reader.page.getByRole("tab"), 1);

  await reader.page.goto(address);
  await dialog.getByRole("button", { name: "Open in a tab" }).click();
  await counts(reader.page.getByRole("tab"), 2);
  await reader.scriptIs(/from afar/);
  assert.equal(await reader.runs(), 0);
  await reader.run();
  assert.equal((await reader.printed()).trim(), "from afar");
  reader.isQuiet();
  await other.close();
  await context.close();
  await close();
});

test("small data travels as a script that inserts it", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(
    'db.herbs.insertMany([{ _id: 1, at: ISODate("2024-05-01"), n: NumberLong(7) }, { _id: 2 }])\ndb.herbs.createIndex({ at: 1 }, { sparse: true })\nfor (let n = 0; n < 300; n++) db.many.insertOne({ n })',
  );
  await page.page.getByRole("button", { name: /^many/ }).waitFor();
  await page.write("db.herbs.find()");
  const address = await link(page, async (dialog) => {
    await eventually(() => dialog.getByRole("checkbox", { name: /many/ }).isDisabled(), true);
    const field = dialog.getByRole("textbox", { name: "Link" });
    const before = await field.inputValue();
    await dialog.getByRole("checkbox", { name: /herbs/ }).check();
    await eventually(
      () => field.inputValue(),
      (text) => text !== before,
    );
  });
  const other = await visit();
  const reader = await other.open();
  await reader.page.goto(address);
  await reader.page.getByRole("dialog").getByRole("button", { name: "Open in 2 tabs" }).click();
  await reader.run();
  assert.equal(await reader.error(), "");
  await reader.page.getByRole("tab").nth(2).click();
  await reader.run();
  await reader.shows("2 documents", { exact: true });
  assert.equal(
    await reader.print("print(db.herbs.findOne({ _id: 1 }).n, db.herbs.getIndexes()[1].sparse)"),
    "Long('7') true",
  );
  await other.close();
  await close();
});

test("what cannot be read is said plainly, and what is too long is not given out", async () => {
  const { open, close } = await visit();
  const page = await open();
  for (const [fragment, text] of [
    ["#q9.abc", "newer version"],
    ["#q1.abc", "missing or changed"],
  ]) {
    await page.page.evaluate((hash) => {
      location.hash = hash;
    }, fragment);
    await page.page.getByRole("dialog", { name: "This link cannot be opened" }).getByText(text).waitFor();
    await page.isAccessible(text);
    await page.page.keyboard.press("Escape");
    await eventually(() => page.page.evaluate(() => location.hash), "");
  }
  await page.write(`// ${Array.from({ length: 20000 }, (_, n) => Math.sin(n).toString(36).slice(4, 7)).join("")}`);
  await page.page.getByRole("button", { name: "Share" }).click();
  await page.page
    .getByRole("dialog")
    .getByText(/more than 32,000 do not travel well/)
    .waitFor();
  await isGone(page.page.getByRole("textbox", { name: "Link" }));
  await close();
});
