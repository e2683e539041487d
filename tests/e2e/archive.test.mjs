/**
 * mongodump's archives and folders in the playground: everything out as one archive, in again in another profile,
 * chosen collection by collection; damage is told.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { readArchive } from "./archive-format.mjs";
import { phone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

const fill = `use shop
for (let n = 0; n < 1500; n++) db.herbs.insertOne({ _id: n, name: "herb " + n, price: Double(n / 4) });
db.herbs.createIndex({ name: 1 }, { unique: true });
db.createCollection("log", { capped: true, size: 4096 });
db.log.insertOne({ _id: 1 });
db.createView("cheap", "herbs", [{ $match: { price: { $lt: 3 } } }]);
use beds
db.north.insertOne({ _id: 1 });`;

/** Exports by the dialog for archives; gives its name and bytes. */
async function take(page, gzip) {
  const dialog = page.page.getByRole("dialog", { name: /^Export/ });
  await dialog.getByRole("checkbox", { name: "Pack it by gzip" }).setChecked(gzip);
  const [download] = await Promise.all([
    page.page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  await dialog.waitFor({ state: "hidden" });
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("everything goes out as an archive, and what is chosen of it comes in elsewhere as it was", async () => {
  const from = await visit({ acceptDownloads: true });
  const page = await from.open();
  await page.succeed(fill);
  await page.storage.click();
  await page.page.getByRole("button", { name: "Export everything" }).click();
  const out = page.page.getByRole("dialog", { name: "Export everything" });
  await out.getByText("3 collections, 1,501 documents").waitFor();
  await page.isAccessible("export everything");
  await page.fits("export everything");
  const { name, bytes } = await take(page, true);
  assert.equal(name, "quire.archive.gz");
  assert.equal(bytes.readUInt16BE(0), 0x1f8b);
  // The collections that mongorestore would make of it.
  const { collections } = readArchive(gunzipSync(bytes));
  assert.deepEqual(
    [...collections].map(([each, { type, documents }]) => [each, type, documents.length]),
    [
      ["beds.north", "collection", 1],
      ["shop.herbs", "collection", 1500],
      ["shop.log", "collection", 1],
      ["shop.cheap", "view", 0],
    ],
  );
  const { metadata } = collections.get("shop.herbs");
  assert.deepEqual(
    metadata.indexes.map(({ name: index, unique }) => [index, unique]),
    [
      ["_id_", undefined],
      ["name_1", true],
    ],
  );
  assert.equal(Number(collections.get("shop.log").metadata.options.size), 4096);
  assert.equal(collections.get("shop.cheap").metadata.options.viewOn, "herbs");
  // One database, unpacked, from its own menu.
  await page.page.getByRole("button", { name: "Actions for beds" }).click();
  await page.page.getByRole("menuitem", { name: "Export…" }).click();
  const beds = await take(page, false);
  assert.equal(beds.name, "beds.archive");
  assert.deepEqual([...readArchive(beds.bytes).collections.keys()], ["beds.north"]);
  page.isQuiet();
  await from.close();

  const { open, close } = await visit();
  const other = await open();
  await other.openImport();
  const dialog = await other.giveFiles(["quire.archive.gz", bytes]);
  await dialog.getByText("4 of 4 chosen").waitFor();
  await dialog.getByText(/^capped/).waitFor();
  await other.isAccessible("an archive");
  await other.fits("an archive");
  await dialog.getByRole("checkbox", { name: /beds\.north/ }).uncheck();
  await dialog.getByText("3 of 4 chosen").waitFor();
  await dialog.getByRole("textbox", { name: /^Where shop\.log goes/ }).fill("shop.herbs");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByRole("alert").getByText("Two would go into shop.herbs.").waitFor();
  await dialog.getByRole("textbox", { name: /^Where shop\.log goes/ }).fill("shop.diary");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("1,501 documents went into 3 collections.").waitFor();
  await other.isAccessible("what was imported");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await other.page
    .getByRole("button", { name: /^herbs/ })
    .getByText("1,500", { exact: true })
    .waitFor();
  assert.equal(
    await other.print(
      'print(db.getName(), db.herbs.getIndexes().map((i) => i.name + (i.unique ? "!" : "")).join(), db.diary.stats().capped, db.cheap.countDocuments(), db.herbs.countDocuments({ price: { $type: "double" } }), db.getMongo().getDBNames().includes("beds"))',
    ),
    "shop _id_,name_1! true 12 1500 false",
  );
  // Again, over the data that is there.
  await other.openImport();
  const again = await other.giveFiles(["quire.archive.gz", bytes]);
  await again.getByRole("checkbox", { name: /of 4 chosen/ }).uncheck();
  await again.getByRole("checkbox", { name: /shop\.herbs/ }).check();
  await again.getByRole("checkbox", { name: /Drop the collections/ }).check();
  await again.getByRole("button", { name: "Import", exact: true }).click();
  await again.getByText("1,500 documents went into 1 collection.").waitFor();
  other.isQuiet();
  await close();
});

for (const [theme, options] of [
  ["light", {}],
  ["dark, a phone", { colorScheme: "dark", ...phone }],
]) {
  test(`a cut archive and several files at once, ${theme}`, async () => {
    const { open, close } = await stay(options);
    const page = await open();
    const magic = Buffer.from([0x6d, 0xe2, 0x99, 0x81]);
    if (theme !== "light") await page.page.getByRole("navigation").getByRole("button", { name: "Data" }).click();
    await page.openImport();
    let dialog = await page.giveFiles(["half.archive", Buffer.concat([magic, Buffer.from([90, 0, 0, 0, 2])])]);
    await dialog.getByText(/The archive stops in the middle/).waitFor();
    await page.isAccessible("a cut archive");
    await dialog.getByRole("button", { name: "Import another" }).click();
    const bson = (id) => Buffer.from([14, 0, 0, 0, 0x10, 0x5f, 0x69, 0x64, 0, id, 0, 0, 0, 0]);
    dialog = await page.giveFiles(
      ["herbs.bson", Buffer.concat([bson(1), bson(2)])],
      [
        "herbs.metadata.json",
        '{"options":{},"indexes":[{"v":{"$numberInt":"2"},"key":{"n":{"$numberInt":"1"}},"name":"n_1"}],"collectionName":"herbs","type":"collection"}',
      ],
      ["beds.ndjson", '{"_id":1}\n{"_id":1}\n'],
    );
    await dialog.getByText("2 of 2 chosen").waitFor();
    await dialog.getByText("1 index").waitFor();
    await page.isAccessible("several files");
    await page.fits("several files");
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByText("3 documents went into 2 collections.").waitFor();
    await dialog.getByText("Line 2:").waitFor();
    await page.isAccessible("what became of several files");
    await page.fits("what became of several files");
    page.isQuiet();
    await close();
  });
}
