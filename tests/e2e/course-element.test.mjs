/**
 * `<quire-course>` in a page of another project where something is missing: its code, a lesson; and the insides of a
 * lesson's result, which are only read.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { counts, eventually, Page, withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { lend } = withBrowser();
let host;

/** A page with a course, some of whose files cannot be had. */
async function courseIn(attributes, { lang = "en", without = null } = {}) {
  const { context, tab: page, close } = await lend();
  host ??= await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>Course</title><main><h1>Course</h1><quire-course src="template/course/course.json" ${attributes}></quire-course></main><script type="module" src="course.js"></script></html>`,
    }),
  );
  if (without !== null) await context.route(without, (route) => route.abort());
  await page.goto(`${host.url}blank.html`);
  return { context, page, asked, close, check: new Page(page) };
}

test("a course whose code cannot be fetched says so in the page's language, and is tried again", async () => {
  for (const [lang, said, again] of [
    ["en", "The course could not be loaded.", "Try again"],
    ["zh-CN", "无法加载课程。", "重试"],
  ]) {
    const code = /mount-course-\w+\.js$/;
    const { context, page, close, check } = await courseIn("", { lang, without: code });
    await page.getByRole("alert").getByText(said).waitFor();
    await check.isAccessible("a course without its code");
    await context.unroute(code);
    await page.getByRole("button", { name: again }).click();
    await page.locator("article[data-phase=waiting]").waitFor();
    await counts(page.getByRole("alert"), 0);
    await close();
  }
});

test("a lesson that the course has not is told, nothing is fetched by its name, and the list leads on", async () => {
  const { page, asked, close, check } = await courseIn('lesson="../elsewhere"');
  await page.getByText("This course has no lesson “../elsewhere”. Choose one from the list.").waitFor();
  await check.isAccessible("a lesson that is missing");
  await page.evaluate(() => document.querySelector("quire-course").setAttribute("lesson", "nowhere"));
  await page.getByText("This course has no lesson “nowhere”.").waitFor();
  await page.getByRole("button", { name: /First steps/ }).click();
  await page.locator("article[data-phase=ready]").waitFor();
  await eventually(() => page.locator("quire-course").getAttribute("lesson"), "first-steps");
  assert.deepEqual(
    asked.filter((url) => /elsewhere|nowhere/.test(url)),
    [],
  );
  await close();
});

test("engine and editor come with the reader's first act, and that act is not lost", async () => {
  const { page, asked, close, check } = await courseIn("");
  await page.locator("article[data-phase=waiting]").waitFor();
  const script = page.locator('quire-course-script[data-script="by-year"]');
  await script.locator(".code pre span").first().waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const heavy = () => asked.filter((url) => /\.wasm|worker|editor-/.test(url));
  assert.deepEqual(heavy(), []);
  await check.isAccessible("a course before its engine");
  // A click asks for the engine, and what it did counts.
  const skips = page.locator("[data-question] [data-skip]");
  for (let left = await skips.count(); left > 0; left--) {
    await skips.first().click();
    await counts(skips, left - 1);
  }
  await script.locator(".run").click();
  await eventually(() => script.evaluate((element) => element.made !== null && element.busy === null), true, "the run");
  assert.ok(heavy().some((url) => url.endsWith(".wasm")));
  assert.deepEqual(
    heavy().filter((url) => /editor-/.test(url)),
    [],
  );
  // By the keyboard: Tab reaches the script, whose editor takes the keys.
  await script.locator(".code pre").focus();
  await script.locator(".cm-content:focus").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("db.books.countDocuments()");
  await page.keyboard.press("ControlOrMeta+Enter");
  await script.locator(".output").getByText("1000").waitFor();
  await close();
});

test("the plan of a lesson's result is drawn, and its tree opens", async () => {
  const { page, asked, close, check } = await courseIn("eager");
  await page.locator("article[data-phase=ready]").waitFor();
  const script = page.locator('quire-course-script[data-script="by-year"]');
  const skips = page.locator("[data-question] [data-skip]");
  for (let left = await skips.count(); left > 0; left--) {
    await skips.first().click();
    await counts(skips, left - 1);
  }
  await script.locator(".run").click();
  const told = script.locator("details.insight");
  await told.locator("summary").first().click();
  await eventually(() => told.locator("plan-flow .name").allInnerTexts(), ["COLLSCAN"]);
  assert.equal(await told.getByRole("button", { name: "Try an index" }).count(), 0);
  await check.isAccessible("a plan in a lesson");
  await told.getByRole("button", { name: "The documents of books as a tree" }).click();
  await told
    .getByRole("dialog")
    .getByText(/^1,000 entries on \d+ leaf pages/)
    .waitFor();
  await page.keyboard.press("Escape");
  await told.getByRole("dialog").waitFor({ state: "hidden" });
  // The engine of snippets is another, and not asked for.
  assert.deepEqual(
    asked.filter((url) => /\/backend-/.test(url)),
    [],
  );
  await close();
});

test("what is likely to be wrong in a lesson's script is mended and run by one press", async () => {
  for (const [lang, told, name] of [
    ["en", "No document has yeer. Did you mean year, an Int32?", "Write year and run"],
    ["zh-CN", "没有任何文档含有 yeer。你是否想写 year（Int32）？", "改为 year 并运行"],
  ]) {
    const { page, close, check } = await courseIn("eager", { lang });
    await page.locator("article[data-phase=ready]").waitFor();
    const script = page.locator('quire-course-script[data-script="by-year"]');
    const skips = page.locator("[data-question] [data-skip]");
    for (let left = await skips.count(); left > 0; left--) {
      await skips.first().click();
      await counts(skips, left - 1);
    }
    await script.locator(".code pre").focus();
    await script.locator(".cm-content:focus").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("db.books.find({ yeer: { $gt: 0 } }).limit(1)");
    await page.keyboard.press("ControlOrMeta+Enter");
    await script.getByText(told).waitFor();
    await check.isAccessible("a doubt in a lesson");
    await script.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
    await script
      .locator(".output")
      .getByText(/year: \d+/)
      .waitFor();
    await counts(script.locator(".doubts"), 0);
    assert.equal(await script.locator(".cm-content").innerText(), "db.books.find({ year: { $gt: 0 } }).limit(1)");
    assert.equal(await script.evaluate((element) => element.renderRoot.activeElement.className), "run");
    // The editor takes it back.
    await script.locator(".cm-content").focus();
    await page.keyboard.press("ControlOrMeta+z");
    assert.equal(await script.locator(".cm-content").innerText(), "db.books.find({ yeer: { $gt: 0 } }).limit(1)");
    await close();
  }
});
