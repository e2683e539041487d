/**
 * The form for indexes makes every kind the engine has: hashed and wildcard ones, sparse, hidden, expiring.
 */
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const openForm = async (page) => {
  await page.page.getByRole("button", { name: "Actions for herbs" }).click();
  await page.page.getByRole("menuitem", { name: "New index…" }).click();
  const dialog = page.page.getByRole("dialog", { name: "New index on herbs" });
  await dialog.getByLabel("Field 1", { exact: true }).waitFor();
  return dialog;
};

for (const [theme, options] of [
  ["light", {}],
  ["dark", { colorScheme: "dark", viewport: { width: 900, height: 800 } }],
]) {
  test(`hashed, wildcard and expiring indexes, ${theme}`, async () => {
    const { open, close } = await visit(options);
    const page = await open();
    await page.run(
      "db.herbs.insertMany([{ _id: 1, name: 'rue', at: new Date(), more: { a: 1, b: 2 } }, { _id: 2, name: 'sage', at: new Date(), more: { c: 3 } }])",
    );
    await page.page.getByRole("button", { name: "Indexes of herbs" }).click();
    const row = (text) => page.page.locator("page-sidebar .indexes li", { hasText: text });

    let dialog = await openForm(page);
    await dialog.getByLabel("Kind of field 1").selectOption("hashed");
    await dialog.getByText(/^Hashed: finds equal values/).waitFor();
    await dialog.getByLabel("Field 1", { exact: true }).fill("name");
    await dialog.getByText(/^Unique/).click();
    await dialog.getByRole("button", { name: "Create index" }).click();
    // The engine's own refusal stands in the form.
    await dialog
      .getByRole("alert")
      .getByText(/hashed/i)
      .waitFor();
    await dialog.getByText(/^Unique/).click();
    await page.isAccessible("a hashed index");
    await dialog.getByRole("button", { name: "Create index" }).click();
    await dialog.waitFor({ state: "hidden" });
    await row("hashed").waitFor();

    dialog = await openForm(page);
    await dialog.getByLabel("Kind of field 1").selectOption("wildcard");
    await dialog.getByLabel("Only these paths, or all but these").fill('{ "more": 1 }');
    await page.isAccessible("a wildcard index");
    await page.fits("a wildcard index");
    await dialog.getByRole("button", { name: "Create index" }).click();
    await dialog.waitFor({ state: "hidden" });
    await row("$**").waitFor();

    dialog = await openForm(page);
    await dialog.getByLabel("Field 1", { exact: true }).fill("at");
    await dialog.getByLabel(/^Expires documents/).fill("3600");
    await dialog.getByText(/^Sparse/).click();
    await dialog.getByText(/^Hidden/).click();
    await dialog.getByRole("button", { name: "Create index" }).click();
    await dialog.waitFor({ state: "hidden" });
    await row("at: 1").getByText("TTL").waitFor();
    await row("at: 1").getByText("sparse").waitFor();
    await row("at: 1").getByText("hidden").waitFor();
    await page.run(
      "print(db.herbs.getIndexes().map((index) => JSON.stringify(index.key) + (index.wildcardProjection ? JSON.stringify(index.wildcardProjection) : '')).join(' '))",
    );
    await page.shows('{"_id":1} {"name":"hashed"} {"$**":1}{"more":1} {"at":1}');
    page.isQuiet();
    await close();
  });
}
