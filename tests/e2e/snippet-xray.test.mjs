/**
 * The insides of a snippet's result, in a page of another project: the plan as a flow, and from there trees, pages, a
 * ring, a dial, a pipeline and an index tried on a fork; and the table where the flow cannot be had.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { counts, eventually, hasFocus, Page, phone, withBrowser } from "./browser.mjs";
import { picture } from "./pictures.mjs";
import { serve } from "./server.mjs";

const { lend } = withBrowser();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { buildSync } = createRequire(new URL("../../web/package.json", import.meta.url))("esbuild");

/** The strictest policy under which a page can run a snippet. */
const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:; style-src 'self'";

const teas = `<script type="text/plain" id="teas">
db.teas.insertMany(Array.from({ length: 700 }, (_, n) => ({ _id: n, kind: ["green", "black"][n % 2], price: n % 90 })))
db.teas.createIndex({ price: 1 })
</script>`;
const cheap = `<quire-snippet id="cheap" db="tea" setup="teas" xray><pre>db.teas.find({ price: { $lt: 3 } })</pre></quire-snippet>`;
const sheet =
  ":root{color-scheme:light dark}body{font:1rem/1.6 Georgia,serif;margin:0;background:light-dark(#fff,#111);color:light-dark(#222,#eee)}main{max-width:44rem;margin:2rem auto;padding:0 1rem}";

async function blank(
  body,
  {
    policy = strict,
    lang = "en",
    styles = sheet,
    folder = here("../../pkg/site"),
    script = "element.js",
    ...options
  } = {},
) {
  const { context, tab: page, close } = await lend(options);
  const { url } = await serve(folder, 0, { "content-security-policy": policy });
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": policy },
      body: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Teas</title><link rel="stylesheet" href="page.css"><main><h1>Teas</h1>${body}</main><script type="module" src="${script}"></script></html>`,
    }),
  );
  await context.route("**/page.css", (route) => route.fulfill({ contentType: "text/css", body: styles }));
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${url}blank.html`);
  const snippet = (id) => page.locator(`#${id}`);
  const run = async (id) => {
    await snippet(id)
      .getByRole("button", { name: /^(Run|运行)$/ })
      .click();
    await page.waitForFunction((name) => document.getElementById(name).running === false, id);
  };
  const pictures = async (name) => {
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      await picture(page, `snippet-xray-${name}-${scheme}`);
    }
    await page.emulateMedia({ colorScheme: "light" });
  };
  return { context, page, complaints, snippet, run, pictures, close, check: new Page(page) };
}

/** The package as npm packs it, unpacked. */
function packed() {
  const folder = mkdtempSync(join(tmpdir(), "quire-snippets-"));
  const run = (program, ...words) =>
    assert.equal(spawnSync(program, words, { cwd: folder }).status, 0, words.join(" "));
  run("npm", "pack", "--silent", "--pack-destination", folder, here("../../pkg"));
  run("tar", "-xzf", readdirSync(folder)[0]);
  // What a bundler that carries no files along makes of `quiredb/inline/element`.
  buildSync({
    entryPoints: [join(folder, "package/dist/inline-element.js")],
    outfile: join(folder, "package/bundled.js"),
    bundle: true,
    format: "esm",
    logLevel: "error",
    alias: { "quiredb-inline": here("../../pkg/inline/index.js") },
  });
  return folder;
}

/** The dialog of a snippet's drawing, and how it is closed. */
function dialogOf(page, within) {
  const dialog = within.getByRole("dialog");
  const shut = async () => {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  };
  return { dialog, shut };
}

test("a plain value tells how it was read, with its pages, and what writes is not tried again", async () => {
  const { run, snippet, complaints, close, check } = await blank(
    `<quire-snippet id="read" setup="for (let n = 0; n < 300; n++) db.c.insertOne({ n, odd: n % 2 })"><pre>db.c.find({ odd: 1 }).toArray().length</pre></quire-snippet><quire-snippet id="write"><pre>db.c.updateMany({ odd: 0 }, { $set: { even: true } }).modifiedCount</pre></quire-snippet><quire-snippet id="two"><pre>db.c.findOne().n === db.c.findOne().n</pre></quire-snippet>`,
  );
  const line = (id) => snippet(id).locator("details.insight > summary");
  for (const id of ["read", "write"]) {
    await run(id);
    await eventually(() => line(id).innerText(), /^Every document was read, 300 in all, to find 150.*300 documents/s);
    await line(id).click();
    await snippet(id).getByRole("button", { name: "Pages it touched" }).waitFor();
  }
  await counts(snippet("read").getByRole("button", { name: "Try an index" }), 1);
  await counts(snippet("write").getByRole("button", { name: "Try an index" }), 0);
  await run("two");
  await eventually(() => snippet("two").locator(".result").innerText(), "true");
  await counts(line("two"), 0);
  await check.isAccessible("how a plain value was read");
  assert.deepEqual(complaints, []);
  await close();
});

test("a plan is drawn as a flow, and opens the tree, the pages and a trial of an index", async () => {
  const { page, complaints, snippet, run, pictures, close, check } = await blank(`${teas}${cheap}
    <quire-snippet id="explained" db="tea" setup="teas"><pre>db.teas.find({ price: 7 }).explain("executionStats")</pre></quire-snippet>
    <quire-snippet id="green" db="tea" setup="teas"><pre>db.teas.updateMany({}, { $set: { when: 1 } })
db.teas.find({ kind: "green" }).sort({ when: 1 }).limit(5)</pre></quire-snippet>`);
  const one = snippet("cheap");
  await run("cheap");
  const stages = one.locator("plan-flow [data-stage]");
  await counts(stages, 2);
  assert.deepEqual(
    (await stages.locator(".name").allInnerTexts()).map((name) => name.trim()),
    ["IXSCAN", "FETCH"],
  );
  await stages.first().focus();
  await page.keyboard.press("Enter");
  await one.getByText(/price: \[-inf.0, 3\)/).waitFor();
  await check.isAccessible("a stage in a snippet");
  await page.keyboard.press("Escape");
  await check.isAccessible("a plan in a snippet");
  await pictures("flow");

  const { dialog, shut } = dialogOf(page, one);
  const treeButton = one.getByRole("button", { name: "The index price_1 as a tree" });
  await treeButton.click();
  await dialog.getByText(/^700 entries on \d+ leaf pages?/).waitFor();
  await dialog.getByLabel("Values to look up, as JSON").fill('{ "price": 7 }');
  await dialog.getByRole("button", { name: "Look up" }).click();
  await dialog.getByText(/^Step 1 of \d+\./).waitFor();
  await check.isAccessible("a tree in a snippet");
  await pictures("tree");
  await dialog.getByRole("button", { name: "Open its bytes" }).click();
  await dialog.getByRole("heading", { name: "All pages of the deployment" }).waitFor();
  await hasFocus(page, "All pages of the deployment");
  await dialog.getByRole("heading", { name: /^Page \d+: index price_1 of tea\.teas|^Page \d+: .*price_1/ }).waitFor();
  await shut();
  await hasFocus(page, "The index price_1 as a tree");

  await one.getByRole("button", { name: "Pages it touched" }).click();
  await eventually(() => dialog.locator(".owners").innerText(), /documents of tea\.teas/);
  await dialog.getByText(/^The script read 5 pages and wrote 0: they are framed\./).waitFor();
  await check.isAccessible("pages in a snippet");
  await pictures("pages");
  await shut();

  // The line stays true while more is fetched.
  await one.getByText(/^20 keys · 20 documents · 5 pages$/).waitFor();
  await one.getByRole("button", { name: "Show more" }).click();
  await one.getByText(/^24 keys · 24 documents · \d+ pages$/).waitFor();
  assert.equal(await one.locator("details.insight").evaluate((details) => details.open), true);
  await eventually(() => one.locator("plan-flow .result b").innerText(), "24");

  // A plan that is itself the value is drawn, too; there is no run whose pages could be shown.
  await run("explained");
  const explained = snippet("explained");
  await explained.locator("details.insight > summary").click();
  await counts(explained.locator("plan-flow [data-stage]"), 2);
  await explained.getByRole("button", { name: "The index price_1 as a tree" }).waitFor();
  assert.equal(await explained.getByRole("button", { name: "Pages it touched" }).count(), 0);

  // The second snippet's drawings are its own, and its plan stays open while more is shown of the result.
  await run("green");
  const two = snippet("green");
  await two.locator("details.insight > summary").focus();
  await page.keyboard.press("Enter");
  await eventually(
    () => two.locator("plan-flow .name").allInnerTexts(),
    (names) => names[0] === "COLLSCAN",
  );
  await two.getByText("An index that would help:").waitFor();
  await two.getByText("db.teas.createIndex({ kind: 1, when: 1 })").waitFor();
  await two.getByRole("button", { name: "Tree", exact: true }).click();
  await hasFocus(page, "Tree");
  assert.equal(await two.locator("details.insight").evaluate((details) => details.open), true);
  await two.getByRole("button", { name: "Try an index" }).click();
  await two.getByRole("button", { name: "Try it on a fork" }).click();
  await two.getByRole("row", { name: /^Documents examined 700 5 140 times less/ }).waitFor();
  await check.isAccessible("a trial in a snippet");
  await pictures("trial");
  await two.getByRole("button", { name: "Keep the index" }).click();
  await two.getByText("The index is made.").waitFor();
  await two.getByRole("button", { name: "Run the script again" }).click();
  await two.getByText(/The index kind_1_when_1 was walked|The index kind_1_when_1 led straight/).waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test("a ring, a dial and a pipeline open from the results they belong to", async () => {
  const { page, complaints, snippet, run, pictures, close, check } = await blank(
    `<quire-snippet id="ring" xray><pre>db.createCollection("log", { capped: true, size: 4096, max: 5 })
for (let n = 0; n < 8; n++) db.log.insertOne({ _id: n })
db.log.find()</pre></quire-snippet>
    <quire-snippet id="count"><pre>print(db.log.countDocuments(), db.log.findOne()._id)</pre></quire-snippet>
    <quire-snippet id="dial" xray><pre>db.seen.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })
db.seen.insertMany([1, 2, 3].map((n) => ({ _id: n, at: new Date(Date.now() + n * 3600000) })))
db.seen.find()</pre></quire-snippet>
    <quire-snippet id="pipe" xray><pre>db.seen.aggregate([{ $match: { _id: { $gt: 1 } } }, { $group: { _id: null, n: { $sum: 1 } } }])</pre></quire-snippet>`,
    phone,
  );
  await run("ring");
  const ring = dialogOf(page, snippet("ring"));
  await snippet("ring").getByRole("button", { name: "The collection as a ring" }).click();
  await counts(ring.dialog.locator("capped-ring .document"), 5);
  await eventually(() => ring.dialog.locator(".list .next").innerText(), /_id: 3/);
  await ring.dialog.getByRole("button", { name: "Write one more like the newest" }).click();
  await eventually(() => ring.dialog.locator(".list .next").innerText(), /_id: 4/);
  await check.isAccessible("a ring in a snippet");
  await check.fits("a ring in a snippet");
  await pictures("ring");
  await ring.shut();
  await run("count");
  await snippet("count").locator(".printed").getByText("5 4").waitFor();

  await run("dial");
  const dial = dialogOf(page, snippet("dial"));
  await snippet("dial").getByRole("button", { name: "When documents expire" }).click();
  await dial.dialog.getByText("0 of 3 documents would be gone.").waitFor();
  await dial.dialog.getByRole("slider").focus();
  await page.keyboard.press("End");
  await dial.dialog.getByText("3 of 3 documents would be gone.").waitFor();
  await check.isAccessible("a dial in a snippet");
  await pictures("dial");
  await dial.shut();

  await run("pipe");
  const pipe = dialogOf(page, snippet("pipe"));
  await snippet("pipe").getByRole("button", { name: "The pipeline, stage by stage" }).click();
  await eventually(
    () => pipe.dialog.locator("pipeline-flow .out").allInnerTexts(),
    ["3 documents", "2 documents", "1 document"],
  );
  await check.isAccessible("a pipeline in a snippet");
  await pictures("pipeline");
  await pipe.shut();
  await check.fits("flows in snippets");
  assert.deepEqual(complaints, []);
  await close();
});

test("the drawings speak Chinese, and are as large as the text of a page whose rem is small", async () => {
  const { page, snippet, run, pictures, close, check } = await blank(`${teas}${cheap}`, {
    lang: "zh-CN",
    styles: `${sheet}html{font-size:62.5%}body{font-size:1.6rem}main{max-width:70rem}`,
  });
  await run("cheap");
  const one = snippet("cheap");
  await one.getByRole("button", { name: "以树形看索引 price_1" }).waitFor();
  const size = (selector) =>
    one
      .locator(selector)
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  assert.equal(await size("plan-flow .name"), 13);
  assert.equal(await size(".output"), 14);
  const { dialog, shut } = dialogOf(page, one);
  await one.getByRole("button", { name: "它读写的页" }).click();
  await dialog.getByRole("heading", { name: "部署的所有页" }).waitFor();
  await dialog.locator(".owners li").first().waitFor();
  await check.isAccessible("pages in Chinese");
  await pictures("chinese");
  await shut();
  await close();
});

test("where Lit may make no markup, or its code cannot be had, the plan is a table", async () => {
  for (const [name, options] of [
    [
      "Trusted Types without Lit's policy",
      { policy: `${strict}; require-trusted-types-for 'script'; trusted-types quire` },
    ],
    ["no code", {}],
    ["another element of that name", {}],
  ]) {
    const { context, page, snippet, run, close, check } = await blank(`${teas}${cheap}`, options);
    if (name === "no code") await context.route(/snippet-xray-\w+\.js$/, (route) => route.abort());
    if (name === "another element of that name")
      await page.evaluate(() => customElements.define("plan-flow", class extends HTMLElement {}));
    await run("cheap");
    await snippet("cheap").getByRole("rowheader", { name: "IXSCAN price_1" }).waitFor();
    await counts(snippet("cheap").locator("plan-flow"), 0, name);
    await snippet("cheap")
      .getByText(/^20 keys · 20 documents/)
      .waitFor();
    await check.isAccessible(name);
    await close();
  }
});

test("a part of the output whose code cannot be had is told there once, in its language, and tried again", async () => {
  for (const [lang, said, again] of [
    ["en", "A part of this output could not be loaded.", "Try again"],
    ["zh-CN", "此输出的一部分无法加载。", "重试"],
  ]) {
    const { context, snippet, run, close, check } = await blank(`${teas}${cheap}`, { lang });
    const code = /(insight|doubts)-\w+\.js$/;
    await context.route(code, (route) => route.abort());
    await run("cheap");
    const told = snippet("cheap").locator(".missed");
    await told.getByText(said).waitFor();
    await snippet("cheap").locator(".result").waitFor();
    await counts(told, 1);
    await check.isAccessible(`an output without a part, ${lang}`);
    await context.unroute(code);
    await told.getByRole("button", { name: again }).click();
    await snippet("cheap").locator("details.insight").waitFor();
    await counts(told, 0);
    await close();
  }
});

test("with Lit's policy allowed, Trusted Types let the flow be drawn, and nothing is refused", async () => {
  const { page, complaints, snippet, run, close } = await blank(`${teas}${cheap}`, {
    policy: `${strict}; require-trusted-types-for 'script'; trusted-types quire lit-html`,
  });
  await page.evaluate(() => {
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      globalThis.refused.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await run("cheap");
  await counts(snippet("cheap").locator("plan-flow [data-stage]"), 2);
  const { dialog, shut } = dialogOf(page, snippet("cheap"));
  for (const button of ["The index price_1 as a tree", "Pages it touched"]) {
    await snippet("cheap").getByRole("button", { name: button }).click();
    await dialog.locator("xray-index .node, xray-pages .owners li").first().waitFor();
    await shut();
  }
  assert.deepEqual(await page.evaluate(() => globalThis.refused), []);
  assert.deepEqual(complaints, []);
  await close();
});

test("the packed package draws the insides too, from files of its own and with everything inside", async () => {
  const folder = packed();
  const everything = `${strict} blob: data:`.replace("worker-src 'self'", "worker-src 'self' blob:");
  for (const [script, policy] of [
    ["dist/element.js", strict],
    ["bundled.js", everything],
    // Lit's code fails at its first line, and then again for each snippet.
    ["bundled.js", `${everything}; require-trusted-types-for 'script'; trusted-types quire`],
  ]) {
    const second = cheap.replace('id="cheap"', 'id="again"');
    const third = cheap.replace('id="cheap"', 'id="third"');
    const { page, snippet, run, close } = await blank(`${teas}${cheap}${second}${third}`, {
      folder: join(folder, "package"),
      script,
      policy,
    });
    for (const id of ["cheap", "again", "third"]) {
      await run(id);
      if (policy.includes("trusted-types"))
        await snippet(id).getByRole("rowheader", { name: "IXSCAN price_1" }).waitFor();
      else await counts(snippet(id).locator("plan-flow [data-stage]"), 2, script);
    }
    if (!policy.includes("trusted-types")) {
      await snippet("cheap").getByRole("button", { name: "The index price_1 as a tree" }).click();
      await snippet("cheap")
        .getByText(/^700 entries on/)
        .waitFor();
      await page.keyboard.press("Escape");
    }
    await close();
  }
  rmSync(folder, { recursive: true, force: true });
});

test("where the engine went with a script that was stopped, a drawing says what it finds", async () => {
  const { page, snippet, run, close, check } = await blank(
    `${teas}${cheap}<quire-snippet id="endless"><pre>for (;;) {}</pre></quire-snippet>`,
    { policy: strict.replace(" blob:", "") },
  );
  await run("cheap");
  await counts(snippet("cheap").locator("plan-flow [data-stage]"), 2);
  await snippet("endless").getByRole("button", { name: "Run" }).click();
  await snippet("endless").getByText("Running…").waitFor();
  await snippet("endless").getByRole("button", { name: "Stop" }).click();
  await snippet("endless")
    .getByText(/Stopping took the data/)
    .waitFor();
  const { dialog, shut } = dialogOf(page, snippet("cheap"));
  await snippet("cheap").getByRole("button", { name: "The index price_1 as a tree" }).click();
  await eventually(() => dialog.getByRole("alert").innerText(), /tea\.teas|ns does not exist|not found/i);
  await check.isAccessible("a tree that is gone");
  await shut();
  await snippet("cheap").getByRole("button", { name: "Pages it touched" }).click();
  await dialog.getByText(/^0 pages of 16 KiB/).waitFor();
  await dialog.getByText(/^Framed: \d+ read and 0 written by the documents shown, read once more/).waitFor();
  await shut();
  await run("cheap");
  await snippet("cheap").getByRole("button", { name: "Pages it touched" }).click();
  await dialog.getByText(/^The script read 5 pages/).waitFor();
  await close();
});

test("a snippet tells what is wrong and why nothing was found, and one click mends it", async () => {
  const { page, complaints, snippet, run, pictures, check, close } = await blank(
    `${teas}<quire-snippet id="one" db="tea" setup="teas"><pre>db.teas.find({ price: { $lt: 3 }, knd: "green" })</pre></quire-snippet>
    <quire-snippet id="zh" db="tea" lang="zh-CN" setup="teas" editable="false"><pre>db.teas.findOne({ price: "60" })</pre></quire-snippet>`,
  );
  await run("one");
  const doubts = snippet("one").locator(".doubts");
  await doubts.getByText("No document has knd. Did you mean kind, a String?").waitFor();
  assert.deepEqual(await doubts.locator("li").allInnerTexts(), ["price: { $lt: 3 }\n24", 'knd: "green"\n0']);
  await check.isAccessible("a snippet's doubts");
  await pictures("doubts");
  await doubts.getByRole("button", { name: "Write kind and run", exact: true }).focus();
  await page.keyboard.press("Enter");
  assert.equal(
    await page.evaluate(() => document.getElementById("one").source),
    'db.teas.find({ price: { $lt: 3 }, kind: "green" })',
  );
  await eventually(() => snippet("one").locator(".bar [role=status]").innerText(), /^16 documents/);
  await counts(doubts, 0);
  await hasFocus(page, "Run");
  await run("zh");
  await snippet("zh")
    .getByText(/price 是 Int32，从来不是 String/)
    .waitFor();
  await counts(snippet("zh").locator(".doubts button"), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("a mended snippet runs again where that does no more than the first run did", async () => {
  const { page, complaints, snippet, run, pictures, check, close } = await blank(
    `${teas}<quire-snippet id="read" db="tea" setup="teas"><pre>db.teas.find({ price: { $gt: "88" } }).limit(1)</pre></quire-snippet>
    <quire-snippet id="wrote" db="tea" setup="teas"><pre>db.sold.insertOne({ kind: "green" })
db.sold.find({ knd: "green" })</pre></quire-snippet>
    <quire-snippet id="anew" db="isolate"><pre>db.sold.insertOne({ kind: "green", weight: 5 })
db.sold.find({ knd: "green", weight: "5" })</pre></quire-snippet>`,
    phone,
  );
  const source = (id) => page.evaluate((name) => document.getElementById(name).source, id);
  const status = (id) => snippet(id).locator(".bar [role=status]").innerText();
  await run("read");
  await snippet("read").getByRole("button", { name: "Write 88 and run" }).click();
  await eventually(() => status("read"), /^1 document /);
  assert.equal(await source("read"), "db.teas.find({ price: { $gt: 88 } }).limit(1)");
  await counts(snippet("read").locator(".doubts"), 0);

  // A second run would insert a second document.
  await run("wrote");
  await snippet("wrote").getByRole("button", { name: "Write kind", exact: true }).click();
  await snippet("wrote").getByText("The script writes data, so that it was not run again.").waitFor();
  assert.equal(await source("wrote"), 'db.sold.insertOne({ kind: "green" })\ndb.sold.find({ kind: "green" })');
  await hasFocus(page, "Run");
  await check.isAccessible("a snippet that was mended and not run");
  await check.fits("a snippet that was mended and not run");
  await pictures("mended");
  await page.keyboard.press("Enter");
  await eventually(() => status("wrote"), /^2 documents/);

  // A database that begins anew is none to be careful of.
  await run("anew");
  await snippet("anew").getByRole("button", { name: "Mend all of it and run" }).click();
  await eventually(() => status("anew"), /^1 document /);
  // The editor that the focus brings has the mended script.
  await snippet("anew").locator(".code pre").focus();
  await eventually(() => snippet("anew").locator(".cm-content").innerText(), /kind: "green", weight: 5 }\)$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("in a page from right to left, a snippet goes from left to right", async () => {
  const { snippet, run, close } = await blank(
    `<div dir="rtl"><quire-snippet id="one" dir="rtl"><pre>[{ "גיל": 42 }]</pre></quire-snippet></div>`,
  );
  await run("one");
  await snippet("one").getByRole("button", { name: "Tree", exact: true }).click();
  const left = (part) => part.evaluate((element) => element.getBoundingClientRect().left);
  const [name, number] = ["name", "number"].map((part) => snippet("one").locator(`.inside .${part}`).first());
  await number.waitFor();
  assert((await left(name)) < (await left(number)), "the name stands before its value");
  await close();
});
