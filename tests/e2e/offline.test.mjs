/**
 * After the first visit the page needs no network; a newer version waits until the reader takes it, and files of two
 * versions never mix.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Page, withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const site = process.env.QUIRE_SITE ?? fileURLToPath(new URL("../../web/dist/site", import.meta.url));

const kept = (page) => page.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

test("without a network the page opens, runs, and fetches what it had not needed before", async () => {
  const { context, open, close } = await visit({ serviceWorkers: "allow" });
  const page = await open();
  await kept(page);
  await page.run("db.herbs.insertOne({ _id: 1, name: 'sage' })");
  await page.isSaved();
  await context.setOffline(true);
  await page.reload();
  assert.equal(await page.print("print(db.herbs.findOne().name)"), "sage");
  // The languages of text indexes are a file that no script has asked for yet.
  const search = `db.runs.createIndex({ said: "text" })
db.runs.insertMany([{ said: "a dog is running" }, { said: "the dogs" }])
print(db.runs.countDocuments({ $text: { $search: "runs" } }))`;
  assert.equal(await page.print(search), "1");
  await page.page.getByRole("button", { name: "Examples" }).click();
  await page.page.locator("[data-lesson=carts]").click();
  await page.page.getByRole("tab", { name: "Carts" }).waitFor();
  await page.page.getByRole("button", { name: "History" }).click();
  await page.page.getByRole("dialog", { name: "What was run" }).waitFor();
  page.isQuiet();
  await close();
});

test("it can be installed", async () => {
  const { open, close } = await visit();
  const page = await open();
  const icons = await page.page.evaluate(async () => {
    const link = document.querySelector("link[rel=manifest]").href;
    const manifest = await (await fetch(link)).json();
    return Promise.all(
      manifest.icons.map(async ({ src, sizes }) => {
        const image = await createImageBitmap(await (await fetch(new URL(src, link))).blob());
        return [sizes, `${image.width}x${image.height}`];
      }),
    );
  });
  assert.ok(icons.length >= 2);
  for (const [said, is] of icons) assert.equal(is, said);
  await close();
});

test("a newer version waits to be taken, and a half-updated host changes nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-site-"));
  cpSync(site, folder, { recursive: true });
  const served = await serve(folder);
  const { context, close } = await visit({ serviceWorkers: "allow" });
  try {
    const page = await Page.open(context, served.url);
    await kept(page);
    await page.reload();
    const marked = () => page.page.evaluate(() => document.documentElement.dataset.edition ?? "first");

    // The page is newer than the worker that lists it: the kept files go on.
    const [index, worker] = ["index.html", "sw.js"].map((name) => join(folder, name));
    const before = readFileSync(index, "utf8");
    const after = before.replace('<html lang="en">', '<html lang="en" data-edition="second">');
    const digest = (text) => createHash("sha256").update(text).digest("hex");
    writeFileSync(index, after);
    writeFileSync(worker, `${readFileSync(worker, "utf8")}\n// half an update`);
    await page.reload();
    assert.equal(await marked(), "first");

    const version = /"([0-9a-f]{16})"/.exec(readFileSync(worker, "utf8"))[1];
    writeFileSync(
      worker,
      readFileSync(worker, "utf8").replace(digest(before), digest(after)).replaceAll(version, "0123456789abcdef"),
    );
    await page.page.reload();
    await page.page.getByText("A new version of this page is ready.").waitFor();
    assert.equal(await marked(), "first");
    await page.page.getByRole("button", { name: "Reload" }).click();
    await page.page.waitForFunction(() => document.documentElement.dataset.edition === "second");
    await page.isOpen();
    assert.equal(await page.print("print(1 + 1)"), "2");
  } finally {
    await close();
    await served.close();
    rmSync(folder, { recursive: true });
  }
});
