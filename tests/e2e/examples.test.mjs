/**
 * Every worked example of the menu runs in the browser without an error and is saved; the one with places is looked at
 * as a map.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, withBrowser } from "./browser.mjs";

const { stay } = withBrowser();

/** Texts that each example must have printed or shown, so that running is not all it proves. */
const examples = {
  "garden-shop": [/11000/, /wheelbarrow/i],
  cms: [/comments\.who/],
  "user-actions": [/kept|500/],
  "expiring-reviews": [/review|written/i],
  "traffic-sensors": [/average|documents/i],
  carts: [/cart/i],
  places: [/in the quarter: Bakery/, /239 m/],
};

/** The map of the last result, and that of its look-up: by keys, by the pointer, in words. */
async function mapped(page) {
  await page.newest.getByRole("button", { name: "Map", exact: true }).click();
  const map = page.newest.locator("geo-map");
  const sheet = map.getByRole("group", { name: "Map of 9 places in at" });
  // Nine places, the circle that was asked for, and cells; of a town no coast is drawn.
  await eventually(() => sheet.locator(".query .fill").getAttribute("d"), /^M.{100}/);
  await counts(sheet.locator(".land"), 0);
  await eventually(() => map.locator(".scale").innerText(), /no coast is drawn this near/);
  await eventually(
    () => map.getByRole("group", { name: "The map in words" }).innerText(),
    /9 documents have a place in at.*nearest is 239 m away, the farthest \d+ m.*\$near, at most 900 m.*at_2dsphere \d+ cells were read whole/s,
  );
  const dots = () => sheet.locator(".places .dot").getAttribute("d");
  assert.equal((await dots()).match(/M/g).length, 7);
  // Keys move it, and show all of it again.
  const before = await dots();
  await sheet.focus();
  await page.page.keyboard.press("ArrowRight");
  await eventually(dots, (now) => now !== before);
  await page.page.keyboard.press("+");
  await page.page.keyboard.press("0");
  await eventually(dots, before);
  // From far enough away there are the coasts of the earth.
  for (let step = 0; step < 16; step++) await page.page.keyboard.press("-");
  await eventually(() => sheet.locator(".land").getAttribute("d"), /^M.{300}/);
  await eventually(() => map.locator(".scale").innerText(), /coast: Natural Earth/);
  await page.page.keyboard.press("0");
  // A place of the list is chosen on the map too, and its document is told below.
  const list = map.getByRole("listbox", { name: "Places" });
  await list.focus();
  await page.page.keyboard.press("ArrowDown");
  await counts(sheet.locator(".chosen .ring"), 1);
  const bar = page.newest.getByRole("region", { name: "Chosen value" });
  await eventually(() => bar.innerText(), /_id: 'bakery'|_id: "bakery"/);
  await eventually(() => list.evaluate((box) => box.getRootNode().activeElement === box), true);
  await map.getByRole("checkbox", { name: "Index cells read" }).uncheck();
  await counts(sheet.locator(".cells"), 0);
  await map.getByRole("button", { name: "Show what was examined and not returned" }).click();
  await eventually(
    () => map.getByRole("group", { name: "The map in words" }).innerText(),
    /examined and not returned\.|Nothing was examined that was not returned\./,
  );
  await page.isAccessible("a map of places");
  // The plan leads to the same map in a dialog.
  await page.newest.locator("page-insight summary").click();
  await page.newest.getByRole("button", { name: "The look-up on a map" }).click();
  const dialog = page.page.getByRole("dialog", { name: "The cells of the look-up" });
  await dialog.getByRole("option", { name: /Round tower/ }).click();
  await eventually(() => dialog.locator(".document pre").innerText(), /Round tower/);
  await eventually(() => dialog.locator(".cells .fill").last().getAttribute("d"), /^M/);
  await page.isAccessible("the map of a look-up");
  await page.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

for (const [id, wanted] of Object.entries(examples)) {
  test(`${id} runs and is saved`, async () => {
    const { open, close } = await stay();
    const page = await open();
    await page.page.getByRole("button", { name: "Examples" }).click();
    const before = await page.editor.innerText();
    await page.page.locator(`[data-lesson=${id}]`).click();
    await page.scriptIs((text) => text !== before.trim());
    await page.succeed();
    for (const pattern of wanted) await page.shows(pattern);
    await page.isSaved();
    if (id === "places") await mapped(page);
    page.isQuiet();
    await close();
  });
}
