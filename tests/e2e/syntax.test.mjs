/**
 * Mistakes in a script's syntax are underlined and told while it is written, and nothing is that the shell would run.
 */
import { test } from "node:test";
import { counts, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

for (const colorScheme of ["light", "dark"]) {
  test(`a mistake is underlined where it is, told below, and taken back, ${colorScheme}`, async () => {
    const { open, close } = await visit({ colorScheme });
    const page = await open();
    await page.write("use shop\ndb.herbs.find({ a: 1 ]\nshow dbs");
    const told = page.page.getByRole("button", { name: "2:22 Unexpected ]" });
    await told.waitFor();
    await page.page.locator(".cm-failing").getByText("]", { exact: true }).waitFor();
    await page.page.locator(".cm-failing-line").getByText("2", { exact: true }).waitFor();
    await page.isAccessible("a mistake");
    await page.fits("a mistake");
    await page.pointsOut(
      page.page.locator(".cm-failing"),
      page.page.locator(".cm-failing-message").getByText("Unexpected ]"),
    );
    await told.click();
    await page.focusIs(/^Script editor/);
    await page.page.keyboard.press("Delete");
    await page.page.keyboard.insertText("})");
    await told.waitFor({ state: "detached" });
    await page.page.locator(".cm-failing").waitFor({ state: "detached" });
    page.isQuiet();
    await close();
  });
}

test("what the shell runs is not marked; F8 goes to what is; it follows tab and language", async () => {
  const { open, close } = await visit();
  const page = await open();
  // The last line is wrong, so that its being told shows that the rest was read.
  await page.write(
    "use shop\nshow collections\nit\nconst all = await db.herbs.find().toArray()\nprint(`${all.length}`\n",
  );
  await page.page.getByRole("button", { name: "5:6 This ( of line 5 is never closed." }).waitFor();
  await page.page.locator(".cm-failing").waitFor();
  await counts(page.page.locator(".cm-failing"), 1);
  await page.page.keyboard.press("ControlOrMeta+Home");
  await page.page.keyboard.press("F8");
  await page.page.locator(".cm-activeLineGutter").getByText("5", { exact: true }).waitFor();
  await page.page.getByRole("button", { name: "简体中文" }).click();
  await page.page.getByRole("button", { name: /第 5 行的 \( 没有闭合/ }).waitFor();
  await page.page.getByRole("button", { name: "新建脚本" }).click();
  await page.page.locator(".cm-failing").waitFor({ state: "detached" });
  await page.page.getByRole("button", { name: /没有闭合/ }).waitFor({ state: "detached" });
  page.isQuiet();
  await close();
});

test("a run that fails for its syntax is marked once, and one that fails for another reason beside it", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run("print(1 2)");
  await page.shows("Unexpected 2", { exact: true });
  await page.page.getByRole("button", { name: "1:9 Unexpected 2" }).waitFor();
  await page.page.locator(".cm-failing").getByText("2", { exact: true }).waitFor();
  await counts(page.page.locator(".cm-failing"), 1);
  await page.run("print(1)\nmissing.call()");
  await page.page.locator(".cm-failing").getByText("missing.call").waitFor();
  await counts(page.page.locator(".cm-failing"), 1);
  await close();
});
