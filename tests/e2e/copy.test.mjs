/**
 * A statement as a driver's code: found at the cursor, shown in each language, copied, or refused by name.
 */
import { test } from "node:test";
import { copied, eventually, isGone, withBrowser } from "./browser.mjs";

const { stay } = withBrowser();

async function copyAs(page) {
  await page.page.keyboard.press("ControlOrMeta+k");
  await page.page.getByRole("combobox").fill("driver code");
  await page.page.getByRole("option", { selected: true }).getByText("driver code").waitFor();
  await page.page.keyboard.press("Enter");
  return page.page.getByRole("dialog", { name: "Copy as driver code" });
}

test("the statement at the cursor is shown and copied as each driver's code", async () => {
  const { context, open, close } = await stay();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await page.write(
    'use shop\ndb.orders.find({ at: { $gt: ISODate("2024-05-01") }, n: NumberLong("7") }).sort({ at: -1 }).limit(5)',
  );
  const dialog = await copyAs(page);
  for (const [language, sign] of [
    ["mongosh", 'Long("7")'],
    ["Node.js", 'Long.fromString("7")'],
    ["Python", "Int64(7)"],
    ["Java", "7L"],
    ["Go", "int64(7)"],
    ["C#", "7L"],
    ["PHP", "new Int64('7')"],
    ["Ruby", "BSON::Int64.new(7)"],
    ["Rust", "7_i64"],
  ]) {
    await dialog.getByRole("radio", { name: language, exact: true }).check();
    await eventually(
      () => dialog.getByRole("region", { name: `Code for ${language}` }).innerText(),
      (code) => code.includes(sign) && code.includes("shop"),
    );
    await dialog.locator("pre .word").first().waitFor();
  }
  await page.isAccessible("copying");
  await page.fits("copying");
  await dialog.getByRole("checkbox").uncheck();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.getByText("Copied for Rust.").waitFor();
  await copied(page.page, /^let mut cursor = collection\.find/);
  page.isQuiet();
  await close();
});

test("what is known only at run time is refused by name", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.write("const most = 5\ndb.orders.find({ n: most })");
  const dialog = await copyAs(page);
  await dialog.getByRole("alert").getByText("most is known only when the script runs").waitFor();
  await isGone(dialog.getByRole("button", { name: "Copy" }));
  await page.isAccessible("refused");
  page.isQuiet();
  await close();
});
