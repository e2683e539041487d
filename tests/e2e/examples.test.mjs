/**
 * Every worked example of the menu runs in the browser without an error and is saved.
 */
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

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
    page.isQuiet();
    await close();
  });
}
