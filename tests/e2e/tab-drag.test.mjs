/**
 * Tabs are dragged to another place by mouse and by finger; a press alone opens, Escape leaves all as it was.
 */
import { test } from "node:test";
import { eventually, phone, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const inOrder = (page, ...names) => page.tabsAre(names);

async function three(page) {
  for (const title of ["Script 2", "Script 3"]) {
    await page.button("New script").click();
    await page.openTabIs(title);
  }
}

const dragged = (page) => page.page.locator("page-tabs [data-dragged]");

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
    // The press fetches the code that follows the pointer: moves before it has come are not seen.
    const drag = (to) =>
      eventually(async () => {
        await mouse.move(to - 10, y, { steps: 4 });
        await mouse.move(to, y, { steps: 4 });
        return dragged(page).count();
      }, 1);
    const [last] = await middle(page, "Script 3");
    await mouse.move(x, y);
    await mouse.down();
    await drag(last + 30);
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
    await drag(to - 20);
    await page.page.keyboard.press("Escape");
    await dragged(page).waitFor({ state: "detached" });
    await mouse.up();
    await inOrder(page, "Script 2", "Script 3", "Script 1");

    // A press alone opens.
    await page.page.getByRole("tab", { name: "Script 3" }).click();
    await page.page.getByRole("tab", { name: "Script 3", selected: true }).waitFor();
    await inOrder(page, "Script 2", "Script 3", "Script 1");
    // The order stays over a reload.
    await page.reload();
    await inOrder(page, "Script 2", "Script 3", "Script 1");
    page.isQuiet();
    await close();
  });
}

test("by finger: it rests, then drags; moved at once, it scrolls", async () => {
  // Wide enough that the finger comes near no edge: there the strip would scroll on for as long as it is held.
  const { context, open, close } = await visit({ ...phone, viewport: { width: 740, height: 740 } });
  const page = await open();
  await three(page);
  const back = () => page.page.locator("page-tabs [role=tablist]").evaluate((strip) => strip.scrollTo({ left: 0 }));
  await back();
  const touch = await context.newCDPSession(page.page);
  const send = (type, ...points) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const [x, y] = await middle(page, "Script 1");
  // At once, which is without a wait between them: nothing is dragged.
  await Promise.all([
    send("touchStart", [x, y]),
    ...[1, 2, 3, 4, 5, 6].map((step) => send("touchMove", [x - 4 * step, y])),
    send("touchEnd"),
  ]);
  await inOrder(page, "Script 1", "Script 2", "Script 3");
  // The strip may go on scrolling from that, and a touch which stops it cannot keep it from scrolling further: then it
  // is tried again.
  const seen = (locator) =>
    locator.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  await eventually(async () => {
    await back();
    const [at] = await middle(page, "Script 1");
    await send("touchStart", [at, y]);
    if (await seen(dragged(page))) {
      const [second, , width] = await middle(page, "Script 2");
      for (const share of [0.4, 0.6, 0.8, 1]) await send("touchMove", [at + share * (second + width / 6 - at), y]);
      if (await seen(page.page.locator("page-tabs .mark"))) return true;
    }
    await send("touchCancel");
    return false;
  }, true);
  await send("touchEnd");
  await inOrder(page, "Script 2", "Script 1", "Script 3");
  page.isQuiet();
  await close();
});
