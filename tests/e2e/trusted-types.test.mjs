/**
 * A page may enforce Trusted Types: the playground and the elements make every script's address and every piece of
 * markup through policies of their own, `quire` and Lit's, and no plain text reaches a guarded sink.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Page, withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const enforced = "require-trusted-types-for 'script'; trusted-types quire lit-html";
let site;
let dist;
before(async () => {
  site = await serve(here("../../web/dist/site"), 0, { "content-security-policy": enforced });
  dist = await serve(here("../../pkg/site"), 0, { "content-security-policy": enforced });
});

/** Keeps a page's refusals by its policies, from its first script on; gives a function that reads them. */
async function listened(context) {
  await context.addInitScript(() => {
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, sample, blockedURI }) =>
      globalThis.refused.push(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  });
  return (page) => page.evaluate(() => globalThis.refused.filter((text) => !text.startsWith("style-src")));
}

test("the playground runs, keeps itself for offline, and is opened again", async () => {
  const { context, close } = await visit({ serviceWorkers: "allow" });
  const refused = await listened(context);
  const page = await Page.open(context, site.url);
  assert.equal(
    await page.print(
      "db.herbs.insertMany([{ a: [1] }, { a: [2] }]); print(db.herbs.find({ $where: 'this.a.length === 1' }).itcount())",
    ),
    "2",
  );
  await page.succeed("db.herbs.find()");
  await page.page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  // Dialogs, panels and the editor's helpers are fetched when they are opened.
  await page.page.keyboard.press("ControlOrMeta+k");
  await page.page.getByRole("dialog").first().waitFor();
  await page.page.keyboard.press("Escape");
  assert.deepEqual(await refused(page.page), []);
  // A reader who has run something starts the worker before the page's own scripts.
  await page.reload();
  assert.equal(await page.print("print(db.herbs.countDocuments())"), "2");
  await page.write("while (true) {}");
  await page.pressRun();
  await page.stop();
  assert.deepEqual(await refused(page.page), []);
  assert.equal(
    await page.page.evaluate(() => {
      try {
        document.createElement("div").innerHTML = "<b>";
        return "allowed";
      } catch (error) {
        return error.name;
      }
    }),
    "TypeError",
    "the policy is enforced",
  );
  await close();
});

test("a snippet and MongoClient run in a page that enforces Trusted Types", async () => {
  const { context, close } = await visit();
  const refused = await listened(context);
  const body =
    '<quire-snippet id="one"><pre>db.herbs.insertOne({ _id: 1 }); db.herbs.find()</pre></quire-snippet><script type="module" src="element.js"></script>';
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": enforced },
      body: `<!doctype html><html lang="en"><title>blank</title>${body}`,
    }),
  );
  const page = await context.newPage();
  await page.goto(`${dist.url}blank.html`);
  const snippet = page.locator("#one");
  await snippet.getByRole("button", { name: "Run" }).click();
  await snippet
    .locator(".state")
    .getByText(/^1 document/)
    .waitFor();
  await snippet.getByRole("textbox").click();
  await page.keyboard.type(" ");
  const found = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const client = new MongoClient("quire://trusted");
    await client.db().collection("a").insertOne({ _id: 1 });
    const all = await client.db().collection("a").find().toArray();
    await client.close();
    return all.length;
  });
  assert.equal(found, 1);
  assert.deepEqual(await refused(page), []);
  await close();
});
