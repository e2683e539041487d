/**
 * The page in light and dark, wide and on a phone, in both languages: axe finds nothing, nothing sticks out, and
 * choices survive a reload.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, focusedName, phone, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const script =
  'print("hello")\nfor (let n = 0; n < 25; n++) db.looks.insertOne({ _id: n, name: "name " + n, tags: ["a", "b"], when: new Date() })\ndb.looks.find({ name: /1/ })';

for (const [name, options] of [
  ["wide", {}],
  ["a phone", phone],
]) {
  test(`light and dark on ${name}`, async () => {
    const { open, close } = await visit(options);
    const page = await open();
    const show = async (pane) =>
      name === "wide" ? undefined : page.page.getByRole("navigation").getByRole("button", { name: pane }).click();
    const isAccessible = (what) => page.isAccessibleInBoth(what);
    const looksRight = async (what) => {
      await isAccessible(what);
      await page.fits(what);
    };
    await page.page.locator("page-sidebar .empty").waitFor({ state: "attached" });
    await looksRight("empty");
    await page.run(script);
    for (const [view, drawn] of [
      ["Table", "value-table"],
      ["Text", "value-text"],
      ["Tree", "value-tree"],
    ]) {
      await page.newest.getByRole("button", { name: view }).click();
      await page.newest
        .locator(drawn)
        .getByText(/name 1/)
        .first()
        .waitFor();
      await looksRight(view);
    }
    await page.newest.locator("page-insight summary").first().click();
    await page.newest.getByRole("button", { name: /^COLLSCAN/ }).click();
    await isAccessible("plan");
    await show("Script");
    await page.run("missing()");
    await looksRight("an error");
    await show("Data");
    await page.page.getByRole("button", { name: "Indexes of looks" }).click();
    await page.page.locator("page-sidebar .indexes").waitFor();
    await looksRight("data");
    await page.storage.click();
    await page.page
      .getByRole("dialog")
      .getByText(/Browser storage used/)
      .waitFor();
    await isAccessible("storage");
    const dialog = page.page.getByRole("dialog");
    await page.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.page.getByRole("button", { name: "Settings" }).click();
    await dialog.getByLabel("Language").waitFor();
    await isAccessible("settings");
    await page.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.page.getByRole("button", { name: "Examples" }).click();
    await page.page.locator("[data-lesson]").first().waitFor();
    await looksRight("examples");
    await close();
  });
}

test("on a phone, Run shows the results, and the bar leads back", async () => {
  const { open, close } = await visit(phone);
  const page = await open();
  await page.run("print('from the phone'); db.orders.insertOne({ a: 1 }); db.orders.find({ a: { $no: 1 } })");
  await page.shows("from the phone");
  // The head of a run that wrote and then failed: nothing of it covers another part.
  const head = page.page.locator("page-leaf header", { has: page.page.locator(".bad") });
  await head.locator(".undo").waitFor();
  const covered = await head.evaluate((header) => {
    const parts = [...header.querySelectorAll(".title > code, .title > svg, .cost > *, .undo, .icon")];
    const boxes = parts.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
    return boxes.some((one, at) =>
      boxes.slice(at + 1).some((other) => {
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        return wide > 1 && high > 1;
      }),
    );
  });
  assert.equal(covered, false);
  const bar = page.page.getByRole("navigation");
  await eventually(() => bar.getByRole("button", { name: "Results" }).getAttribute("aria-current"), "page");
  await bar.getByRole("button", { name: "Script" }).click();
  await page.editor.waitFor();
  await bar.getByRole("button", { name: "Data" }).click();
  await page.editor.waitFor({ state: "hidden" });
  page.isQuiet();
  await close();
});

test("the language and the colours change at once and stay", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run("help");
  // Columns stay columns.
  await eventually(() => page.newest.locator(".worded").evaluate((text) => getComputedStyle(text).whiteSpace), "pre");
  await page.page.getByRole("button", { name: "简体中文" }).click();
  await page.page.getByRole("button", { name: "运行", exact: true }).waitFor();
  await eventually(() => page.page.evaluate(() => document.documentElement.lang), "zh-Hans");
  await page.run("db.nothing.find()");
  await page.shows("没有匹配的文档。");
  await page.isAccessible("Chinese");
  const theme = page.page.getByRole("button", { name: /^配色/ });
  await theme.click();
  await theme.click();
  const ground = () =>
    page.page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]);
  const dark = await eventually(ground, ([name]) => name === "dark");
  await page.page.reload();
  await page.page.getByRole("button", { name: "运行", exact: true }).waitFor();
  await eventually(ground, dark);
  await close();
});

test("a first visit in Chinese finds its script in Chinese, and it runs", async () => {
  const { open, close } = await visit({ locale: "zh-CN" });
  const page = await open();
  await page.scriptIs(/^\/\/ 这个页面里有一个数据库/);
  await page.succeed();
  await page.shows("A Herbal");
  await close();
});

test("the keyboard reaches everything, and the editor lets go of it", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.page.keyboard.press("Tab");
  await page.focusIs("Skip to the script");
  await page.page.keyboard.press("Enter");
  await page.focusIs(/^Script editor/);
  // The editor takes a Tab for leaving it only for two seconds after Escape.
  const leave = async () => {
    await page.page.keyboard.press("Escape");
    await page.page.keyboard.press("Tab");
    return focusedName(page.page);
  };
  await eventually(leave, "Format");
  const fold = page.page.getByRole("separator", { name: "Width of the script" });
  await fold.focus();
  const before = await fold.getAttribute("aria-valuenow");
  await page.page.keyboard.press("ArrowRight");
  await eventually(
    () => fold.getAttribute("aria-valuenow"),
    (value) => value !== before,
  );
  await page.page.getByRole("button", { name: "Examples" }).focus();
  await page.page.keyboard.press("ArrowDown");
  await page.focusIs(/^Tutorial/);
  await page.page.keyboard.press("ArrowUp");
  await page.page.waitForFunction(
    () =>
      document.querySelector("quire-page").shadowRoot.querySelector("page-header").shadowRoot.activeElement?.dataset
        .lesson !== undefined,
  );
  await page.page.keyboard.press("Escape");
  await page.focusIs("Examples");
  await close();
});

test("without storage the badge says memory, and why", async () => {
  const { context, open, close } = await visit();
  await context.addInitScript(() => undefined);
  // Only the worker's own IndexedDB counts: it is refused there, as a blocked or private profile does.
  await context.route(/worker-.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: `Object.defineProperty(globalThis, "indexedDB", { value: { open() { throw new DOMException("storage is blocked", "SecurityError"); } } });\n${await response.text()}`,
    });
  });
  const page = await open();
  await page.page.locator("[data-storage=warn]").waitFor();
  await page.storage.click();
  await page.page
    .getByRole("dialog")
    .getByText(/lives in this tab only/)
    .waitFor();
  await page.page.keyboard.press("Escape");
  assert.equal(await page.print("db.a.insertOne({}); print(db.a.estimatedDocumentCount())"), "1");
  await close();
});

test("an engine that cannot be fetched is said plainly", async () => {
  const { context, open, close } = await visit();
  await context.route(/quire_bg.*\.wasm$/, (route) => route.abort());
  const page = await open();
  await page.page.locator("[data-storage=bad]").waitFor();
  await page.run("db.a.find()");
  assert.notEqual(await page.error(), "");
  await page.storage.click();
  await page.page.getByRole("button", { name: "Reload the page" }).waitFor();
  await page.isAccessible("failed");
  await close();
});
