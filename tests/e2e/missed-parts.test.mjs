/**
 * Parts of the page that are fetched when they are wanted, and cannot be had: that is told once, in the reader's
 * language, nothing stays open and empty, and both remedies of the notice work.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { counts, eventually, isGone, withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();

const english = {
  locale: "en-GB",
  said: "A part of this page could not be loaded: you are offline, or a new version is out.",
  again: "Try again",
  reload: "Reload",
  settings: "Settings",
  dismiss: "Dismiss",
  uneditable: "The editor could not be loaded.",
  unread: "The lab could not be loaded.",
};
const chinese = {
  locale: "zh-CN",
  said: "此页面的一部分无法加载：你已离线，或已有新版本发布。",
  again: "重试",
  reload: "重新加载",
  settings: "设置",
  dismiss: "知道了",
  uneditable: "无法加载编辑器。",
  unread: "无法加载实验室。",
};

/** The one notice of the page, which tells that a part is missing. */
async function missed(page, words) {
  const notice = page.page.locator("quire-page .notice");
  await notice.getByText(words.said).waitFor();
  await counts(notice, 1);
  return notice;
}

/** What the browser complained of, but for the requests that were refused. */
const faults = (page) => page.complaints.filter((one) => !/Failed to load resource/.test(one));

test("a panel or a dialog whose code cannot be had is not opened, and Try again opens it", async () => {
  for (const words of [english, chinese]) {
    const { context, open, close } = await visit({ locale: words.locale });
    const page = await open();
    const isOpen = page.page.locator("dialog[open]");
    const openings = [
      [/page-desk-[^/]+\.js$/, () => page.page.keyboard.press("Control+k")],
      [/timeline-panel-[^/]+\.js$/, () => page.page.locator('[data-tool="timeline"]').click()],
      [/page-dialogs-[^/]+\.js$/, () => page.button(words.settings).click()],
      [/data-dialogs-[^/]+\.js$/, () => page.page.evaluate(() => dispatchEvent(dropOf("a.json")))],
    ];
    await page.page.evaluate(() => {
      globalThis.dropOf = (name) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['{"a":1}'], name));
        return new DragEvent("drop", { dataTransfer, cancelable: true });
      };
    });
    for (const [code, ask] of openings) {
      await context.route(code, (route) => route.abort());
      await ask();
      const notice = await missed(page, words);
      await isGone(isOpen);
      await page.isAccessible(`a missing part ${code}`);
      // The page goes on, with the keys that an open dialog would keep from it.
      await page.page.keyboard.press("Control+b");
      await page.page.locator("main.closed").waitFor({ state: "attached" });
      await page.page.keyboard.press("Control+b");
      await isGone(page.page.locator("main.closed"));
      // Still missing: told again. Then it can be had.
      await notice.getByRole("button", { name: words.again }).click();
      await missed(page, words);
      await context.unroute(code);
      await notice.getByRole("button", { name: words.again }).click();
      await counts(isOpen, 1);
      await isGone(notice);
      await page.page.keyboard.press("Escape");
      await isGone(isOpen);
    }
    assert.deepEqual(faults(page), []);
    await close();
  }
});

test("a result that cannot be drawn is told, and after a reload it is there with its script", async () => {
  for (const words of [english, chinese]) {
    const { context, open, close } = await visit({ locale: words.locale });
    const page = await open();
    const code = /page-leaf-[^/]+\.js$/;
    await context.route(code, (route) => route.abort());
    const script = "db.teas.updateOne({ _id: 1 }, { $set: { name: 'assam' } }, { upsert: true }); db.teas.find()";
    await page.write(script);
    await page.pressRun();
    const notice = await missed(page, words);
    await counts(notice.getByRole("button", { name: words.again }), 0);
    // A dismissed notice does not come back by itself: the next Run asks for the part again.
    await notice.getByRole("button", { name: words.dismiss, exact: true }).click();
    await isGone(notice);
    await page.page.keyboard.press("Control+b");
    await page.page.locator("main.closed").waitFor({ state: "attached" });
    await page.page.keyboard.press("Control+b");
    await isGone(notice);
    await page.pressRun();
    await missed(page, words);
    await eventually(() => page.page.evaluate(() => Object.values(sessionStorage).join()), /"leaves":2/, "kept");
    await context.unroute(code);
    await notice.getByRole("button", { name: words.reload, exact: true }).click();
    await page.page.waitForEvent("load");
    await page.isOpen();
    await page.scriptIs(script);
    await page.newest.getByText("assam").first().waitFor();
    await isGone(page.page.locator("quire-page .notice"));
    assert.deepEqual(faults(page), []);
    await close();
  }
});

test("a plan that cannot be drawn stays folded, and opens once its code can be had", async () => {
  const { context, open, close } = await visit();
  const page = await open();
  await page.succeed("db.teas.insertMany([{ _id: 1 }, { _id: 2 }]); db.teas.find({ _id: 1 })");
  const code = /plan-flow-[^/]+\.js$/;
  await context.route(code, (route) => route.abort());
  const line = page.newest.locator("page-insight summary").first();
  const shown = page.newest.locator("page-insight details[open]");
  await line.click();
  const notice = await missed(page, english);
  await isGone(shown);
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await isGone(notice);
  await context.unroute(code);
  await line.click();
  await shown.locator("plan-flow svg, plan-flow ol, plan-flow ul").first().waitFor();
  await isGone(notice);
  assert.deepEqual(faults(page), []);
  await close();
});

test("words that cannot be had are told, and the page is in English", async () => {
  const { context, open, close } = await visit({ locale: "zh-CN" });
  await context.route(/zh-hans-[^/]+\.js$/, (route) => route.abort());
  const page = await open();
  await missed(page, english);
  assert.deepEqual(faults(page), []);
  await close();
});

test("a lab whose code cannot be had says so in its own place, and is tried again", async () => {
  const { url } = await serve(fileURLToPath(new URL("../../web/dist/site", import.meta.url)));
  for (const words of [english, chinese]) {
    const { context, close } = await visit({ locale: words.locale });
    const code = /mount-lab-[^/]+\.js$/;
    await context.route(code, (route) => route.abort());
    const page = await context.newPage();
    await page.goto(new URL("lab.html", url).href);
    await page.evaluate((lang) => {
      document.documentElement.lang = lang;
      const lab = document.createElement("quire-lab");
      lab.setAttribute("src", "labs/carts/lab.json");
      document.body.append(lab);
    }, words.locale);
    const lab = page.locator("quire-lab").last();
    await lab.getByRole("alert").getByText(words.unread).waitFor();
    await context.unroute(code);
    await lab.getByRole("button", { name: words.again }).click();
    await lab.locator(".lab[data-lab]").first().waitFor();

    // Its scripts can be read, and are edited once the editor can be had.
    const editor = /assets\/editor-[^/]+\.js$/;
    await context.route(editor, (route) => route.abort());
    const text = lab.getByRole("textbox").first();
    await text.focus();
    const told = lab.getByRole("alert").filter({ hasText: words.uneditable });
    await counts(told, 1);
    await context.unroute(editor);
    await told.getByRole("button", { name: words.again }).click();
    await lab.locator(".cm-content").first().waitFor();
    await isGone(told);
    await close();
  }
});

test("a drawing that cannot be had is told in its own place, and no second time", async () => {
  const { context, open, close } = await visit();
  const page = await open();
  await page.succeed("db.createCollection('log', { capped: true, size: 4096 }); db.log.insertOne({}); db.log.find()");
  const code = /capped-ring-[^/]+\.js$/;
  await context.route(code, (route) => route.abort());
  await page.newest.locator("page-insight summary").first().click();
  await page.newest.getByRole("button", { name: /ring/i }).first().click();
  const told = page.page.getByRole("alert").filter({ hasText: "This drawing could not be fetched" });
  await told.first().waitFor();
  await context.unroute(code);
  await page.button("Try again").click();
  await page.page.locator("capped-ring svg").first().waitFor();
  await isGone(page.page.locator("quire-page .notice"));
  assert.deepEqual(faults(page), []);
  await close();
});
