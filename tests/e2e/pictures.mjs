/**
 * Pictures for people who want to look at the pages: `QUIRE_SHOTS` names the folder that they are put into, as
 * NAME-light.png, NAME-phone-dark.png and so on. No check reads them, and without the variable none are taken.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const shots = process.env.QUIRE_SHOTS;
if (shots !== undefined) mkdirSync(shots, { recursive: true });
const widths = { "": { width: 1440, height: 900 }, "phone-": { width: 390, height: 844 } };

/** Takes a picture of a page as it is now, where pictures are wanted. */
export async function picture(page, name, options = {}) {
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`), ...options });
}

/**
 * Looks at a view of a `Page` in light and dark, wide and as narrow as a phone: axe finds nothing, and nothing sticks
 * out. The dark colours are looked at once, in the wide view, which has the same elements. `whole`: pictures go down to the end of the document. The view is left as wide as it was.
 */
export async function lookAround(page, name, { whole = true } = {}) {
  const before = page.page.viewportSize();
  await page.page.evaluate(() => document.fonts.ready.then(() => undefined));
  for (const [prefix, size] of Object.entries(widths)) {
    await page.page.setViewportSize(size);
    const look = async (scheme) => {
      await page.fits(`${name}, ${size.width}, ${scheme}`);
      // A bar that sticks to the window's edge would stand in the middle of a picture of the whole document.
      await page.page.evaluate(() => scrollTo(0, 0));
      await picture(page.page, `${name}-${prefix}${scheme}`, { fullPage: whole });
    };
    await page.isAccessibleInBoth(`${name}, ${size.width}`, look, { darkIsSeen: size !== widths[""] });
  }
  await page.page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.page.setViewportSize(before);
}
