/**
 * Tabs are dragged to another place by mouse and by finger; a press alone opens, Escape leaves all as it was.
 */
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

/** Waits until the tabs stand in an order. */
const inOrder = (page, ...names) =>
  page.page.waitForFunction(
    (wanted) => [...document.querySelector("quire-page").shadowRoot.querySelector("page-tabs").shadowRoot.querySelectorAll("[role=tab] b")].map((tab) => tab.textContent).join() === wanted,
    names.join(),
  );

async function three(page) {
  await page.page.getByRole("button", { name: "New script" }).click();
  await page.page.getByRole("button", { name: "New script" }).click();
  await inOrder(page, "Script 1", "Script 2", "Script 3");
}

const middle = async (page, name) => {
  const box = await page.page.getByRole("tab", { name }).boundingBox();
  return [box.x + box.width / 2 - 8, box.y + box.height / 2, box.width];
};

for (const colorScheme of ["light", "dark"]) {
  test(`by mouse, ${colorScheme}`, async () => {
    const { open, close } = await visit({ colorScheme });
    const page = await open();
    const { mouse } = page.page;
    await three(page);
    const [x, y] = await middle(page, "Script 1");
    const [last] = await middle(page, "Script 3");
    await mouse.move(x, y);
    await mouse.down();
    // What follows the pointer is fetched by the press.
    await page.page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("tab-drag")));
    await mouse.move(last + 30, y, { steps: 8 });
    await page.page.locator("page-tabs [data-dragged]").waitFor();
    await page.page.locator("page-tabs .mark").waitFor();
    await page.isAccessible("a tab that is dragged");
    await mouse.up();
    await inOrder(page, "Script 2", "Script 3", "Script 1");
    await page.page.getByRole("tab", { name: "Script 1", selected: true }).waitFor();
    await page.page.locator("page-tabs .mark").waitFor({ state: "hidden" });

    // Escape leaves it where it was.
    const [from] = await middle(page, "Script 1");
    const [to] = await middle(page, "Script 2");
    await mouse.move(from, y);
    await mouse.down();
    await mouse.move(to - 20, y, { steps: 8 });
    await page.page.locator("page-tabs [data-dragged]").waitFor();
    await page.page.keyboard.press("Escape");
    await page.page.locator("page-tabs [data-dragged]").waitFor({ state: "detached" });
    await mouse.up();
    await inOrder(page, "Script 2", "Script 3", "Script 1");

    // A press alone opens.
    await page.page.getByRole("tab", { name: "Script 3" }).click();
    await page.page.getByRole("tab", { name: "Script 3", selected: true }).waitFor();
    await inOrder(page, "Script 2", "Script 3", "Script 1");
    // The order stays over a reload.
    await page.page.reload();
    await page.isOpen();
    await inOrder(page, "Script 2", "Script 3", "Script 1");
    page.isQuiet();
    await close();
  });
}

test("by finger: it rests, then drags; moved at once, it scrolls", async () => {
  const { context, open, close } = await visit({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const page = await open();
  await three(page);
  await page.page.evaluate(() => document.querySelector("quire-page").shadowRoot.querySelector("page-tabs").shadowRoot.querySelector("[role=tablist]").scrollTo({ left: 0 }));
  const touch = await context.newCDPSession(page.page);
  const send = (type, ...points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const [x, y, width] = await middle(page, "Script 1");
  // At once: nothing is dragged.
  await send("touchStart", [x, y]);
  await page.page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("tab-drag")));
  for (let step = 1; step <= 6; step++) await send("touchMove", [x - 4 * step, y]);
  await send("touchEnd");
  await inOrder(page, "Script 1", "Script 2", "Script 3");
  await page.page.evaluate(() => document.querySelector("quire-page").shadowRoot.querySelector("page-tabs").shadowRoot.querySelector("[role=tablist]").scrollTo({ left: 0 }));
  const [at] = await middle(page, "Script 1");
  await send("touchStart", [at, y]);
  await page.page.locator("page-tabs [data-dragged]").waitFor();
  for (let step = 1; step <= 8; step++) await send("touchMove", [at + (step * width * 1.2) / 8, y]);
  await page.page.locator("page-tabs .mark").waitFor();
  await send("touchEnd");
  await inOrder(page, "Script 2", "Script 1", "Script 3");
  page.isQuiet();
  await close();
});
