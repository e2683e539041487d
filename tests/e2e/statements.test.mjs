/**
 * The statements of a run: each value in order, the last one open, and the place of an error.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, eventually, withBrowser } from "./browser.mjs";
import { picture } from "./pictures.mjs";

const { visit } = withBrowser();

const script = `use garden
db.herbs.insertMany([{ _id: 1, name: "sage" }, { _id: 2, name: "mint" }, { _id: 3, name: "rue" }])
db.herbs.updateMany({ _id: { $gt: 1 } }, { $set: { bed: 2 } })
print("beds:")
const beds = db.herbs.distinct("bed")
for (const bed of beds) print(bed)
db.herbs.find({ bed: 2 })
db.herbs.countDocuments()
beds.length > 9 && "many"
db.herbs.find({}, { name: 1 }).sort({ _id: -1 })`;

test("a run shows each statement's value in order, and the last one whole", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(script);
  const leaf = page.newest;
  await leaf.getByRole("list", { name: "Statements" }).waitFor();
  await eventually(
    () => leaf.locator(".title code").innerText(),
    "db.herbs.find({}, { name: 1 }).sort({ _id: -1 })",
    "the run is called by the statement that gave its result",
  );
  const lines = leaf.locator("leaf-statements ol > li > .line");
  await counts(lines, 9);
  const told = (text) => text.replace(/\s+/g, " ").trim();
  const texts = async () => (await lines.allInnerTexts()).map(told);
  await eventually(
    texts,
    (found) =>
      /^line 1 use garden switched to db garden/.test(found[0]) && /inserted 3 into garden\.herbs/.test(found[1]),
  );
  const found = await texts();
  for (const [index, part] of [
    [2, /updated 2 in garden\.herbs/],
    [3, /^line 4 print\("beds:"\)/],
    [4, /^line 6 for/],
    [5, /^line 7 .* 2 documents/],
    [6, /^line 8 .* 3/],
    [7, /^line 9 .* false/],
    [8, /^line 10 /],
  ])
    assert.match(found[index], part);
  assert.deepEqual(await leaf.locator("leaf-statements .printed").allInnerTexts(), ["beds:", "2"]);
  await leaf.getByRole("tree").getByText("rue").waitFor();
  await page.isAccessible("statements");

  // Another statement's value opens in its place, by keyboard.
  await leaf.getByRole("button", { name: /^line 7/ }).focus();
  await page.page.keyboard.press("Enter");
  await eventually(() => leaf.getByRole("button", { name: /^line 7/ }).getAttribute("aria-expanded"), "true");
  await eventually(() => leaf.getByRole("button", { name: /^line 10/ }).getAttribute("aria-expanded"), "false");
  await leaf.getByRole("tree").getByText("mint").waitFor();
  await leaf.getByText("2 documents", { exact: true }).waitFor();

  for (const scheme of ["light", "dark"]) {
    await page.page.emulateMedia({ colorScheme: scheme });
    for (const width of [1440, 1024, 720, 390]) {
      await page.page.setViewportSize({ width, height: width < 700 ? 844 : 800 });
      if (width < 700) await page.page.locator("nav button").nth(1).click();
      await picture(page.page, `statements-${scheme}-${width}`);
    }
  }
  await page.page.setViewportSize({ width: 1440, height: 900 });

  // An error of a cursor that runs is told at its statement; the values of earlier statements are shown.
  await page.run("db.herbs.countDocuments()\n\ndb.herbs.find({ $nowhere: 1 })\n2");
  await leaf.getByText("unknown top level operator: $nowhere").first().waitFor();
  await eventually(
    () => leaf.locator(".title code").innerText(),
    "db.herbs.find({ $nowhere: 1 })",
    "a run that failed is called by the statement that did",
  );
  await leaf.getByRole("button", { name: /line 3, column 17/ }).waitFor();
  await close();
});
