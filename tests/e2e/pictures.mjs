/**
 * Pictures of one view, kept in `target/screenshots/`: light and dark, wide and as narrow as a phone, as
 * NAME-light.png, NAME-dark.png, NAME-phone-light.png and NAME-phone-dark.png. axe looks at each, and nothing sticks out.
 *
 * Invariant: the view is left as wide as it was.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const output = fileURLToPath(new URL("../../target/screenshots", import.meta.url));
const widths = { "": { width: 1440, height: 900 }, "phone-": { width: 390, height: 844 } };

/** Keeps pictures of a `Page` as it is now; `whole`: down to the end of the document. */
export async function keepPictures(page, name, { whole = true } = {}) {
  mkdirSync(output, { recursive: true });
  const before = page.page.viewportSize();
  await page.page.evaluate(() => document.fonts.ready.then(() => undefined));
  for (const [prefix, size] of Object.entries(widths)) {
    await page.page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"]) {
      await page.page.emulateMedia({ colorScheme });
      const look = `${name}-${prefix}${colorScheme}`;
      await page.isAccessible(look);
      await page.fits(look);
      // A bar that sticks to the window's edge would stand in the middle of a picture of the whole document.
      await page.page.evaluate(() => scrollTo(0, 0));
      await page.page.screenshot({ path: `${output}/${look}.png`, fullPage: whole });
    }
  }
  await page.page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.page.setViewportSize(before);
}
