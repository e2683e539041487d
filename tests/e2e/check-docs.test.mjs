/**
 * Snippets that are compared with the output in their page: in the page (`check`), and by the package's program over
 * built pages; and a snippet's help for its readers: Copy, and the place of an error.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { copied, eventually, hasFocus, Page, withBrowser } from "./browser.mjs";
import { picture } from "./pictures.mjs";
import { serve } from "./server.mjs";

const { lend } = withBrowser();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const herbs = `<script type="text/plain" id="herbs">db.herbs.insertMany([{ _id: 1, n: "sage" }, { _id: 2, n: "mint" }])</script>`;
const found = "[ { _id: 1, n: 'sage' }, { _id: 2, n: 'mint' } ]";

let host;

async function blank(body, options = {}) {
  const { context, tab: page, close } = await lend(options);
  host ??= await serve(here("../../pkg/site"), 0, {});
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Herbs</title><style>:root{color-scheme:light dark}body{background:light-dark(#fff,#111);color:light-dark(#222,#eee);font:1rem/1.5 serif;max-width:44rem;margin:1rem auto;padding:0 1rem}</style><main><h1>Herbs</h1>${body}</main><script type="module" src="element.js"></script></html>`,
    }),
  );
  await page.goto(`${host.url}blank.html`);
  const snippet = (id) => page.locator(`#${id}`);
  const run = async (id) => {
    await snippet(id).getByRole("button", { name: "Run" }).click();
    await page.waitForFunction((name) => document.getElementById(name).running === false, id);
  };
  const tells = (id, expected) => eventually(() => snippet(id).locator(".state").innerText(), expected, id);
  return { context, page, snippet, run, tells, close, check: new Page(page) };
}

test("a checked snippet says whether its output is that of the page", async () => {
  const { page, snippet, run, tells, close, check } = await blank(`${herbs}
    <quire-snippet id="true" db="a" setup="herbs" check><pre>db.herbs.find()</pre><output>${found}</output></quire-snippet>
    <quire-snippet id="stale" db="a" setup="herbs" check><pre>print("herbs:")
db.herbs.countDocuments()</pre><output>herbs:
3</output></quire-snippet>
    <quire-snippet id="wrong" db="a" check><pre>db.herbs.find({ n: { $foo: 1 } })</pre><output>MongoServerError[BadValue]: unknown operator: $foo</output></quire-snippet>
    <quire-snippet id="none" check><pre>1</pre></quire-snippet>
    <quire-snippet id="syntax" check><pre>db.herbs.find({ n: 1 ]</pre><output>Unexpected ]</output></quire-snippet>`);
  await page.evaluate(() => {
    globalThis.heard = [];
    for (const name of ["result", "error"])
      for (const element of document.querySelectorAll("quire-snippet"))
        element.addEventListener(name, ({ detail }) => globalThis.heard.push(`${name} ${detail.matches}`));
  });
  await run("true");
  await tells("true", /^2 documents · \d+ ms · as on the page$/);
  await run("stale");
  await tells("stale", /^\d+ ms · not as on the page$/);
  const difference = snippet("stale").locator(".difference");
  await eventually(() => difference.locator("del").innerText(), /3$/);
  await eventually(() => difference.locator("ins").innerText(), /2$/);
  await run("wrong");
  await tells("wrong", "Failed · as on the page");
  await run("none");
  await snippet("none").getByText("has no <output> to compare with").waitFor();
  await run("syntax");
  await tells("syntax", "Failed · as on the page");
  assert.deepEqual(await page.evaluate(() => globalThis.heard), [
    "result true",
    "result false",
    "error true",
    "error null",
    "error true",
  ]);
  await check.isAccessible("checked snippets");
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await picture(page, `snippet-check-${scheme}`, { fullPage: true });
  }
  // A script that the reader wrote is the reader's, and its output is compared with nothing.
  await page.evaluate(() => (document.getElementById("stale").source = "1 + 1"));
  await run("stale");
  await tells("stale", /^\d+ ms$/);
  await close();
});

test("a snippet shows the value of each statement, and they are its output", async () => {
  const { page, snippet, run, tells, close, check } = await blank(`${herbs}
    <quire-snippet id="many" db="b" setup="herbs" check><pre>db.herbs.insertOne({ _id: 3, n: "rue" })
print("now there are")
db.herbs.countDocuments()
const one = db.herbs.findOne({ _id: 3 })
db.herbs.find({ _id: { $lt: 3 } })
one.nowhere.n</pre><output>{ acknowledged: true, insertedId: 3 }
now there are
3
${found}
TypeError: Cannot read properties of undefined (reading 'n')</output></quire-snippet>`);
  await run("many");
  await tells("many", "Failed · as on the page");
  const output = snippet("many").locator(".output");
  await output.getByText("now there are").waitFor();
  await output.locator(".earlier").getByText("line 3").waitFor();
  await output.getByRole("button", { name: "Table" }).click();
  await hasFocus(page, "Table");
  await output.getByRole("table").getByText("mint").waitFor();
  await check.isAccessible("values of statements");
  await picture(page, "snippet-statements", { fullPage: true });
  await close();
});

test("a snippet tells how its result was answered, and shows the plan", async () => {
  const { page, snippet, run, close, check } = await blank(`${herbs}
    <quire-snippet id="line" db="c" setup="herbs"><pre>db.herbs.find({ n: "mint" })</pre></quire-snippet>
    <quire-snippet id="plan" db="c" setup="herbs" xray><pre>db.herbs.createIndex({ n: 1 })
db.herbs.find({ n: "mint" })</pre></quire-snippet>
    <quire-snippet id="none" db="c" setup="herbs" insight="false"><pre>db.herbs.find()</pre></quire-snippet>`);
  await run("line");
  const told = snippet("line").locator(".insight");
  await told.getByText("no index helps this query").waitFor();
  await told.getByText(/^2 documents · \d+ pages?$/).waitFor();
  await told.locator("summary").focus();
  await page.keyboard.press("Enter");
  await told
    .locator("plan-flow")
    .getByRole("button", { name: /^COLLSCAN/ })
    .waitFor();
  await run("plan");
  const plan = snippet("plan").locator(".insight");
  await plan
    .locator("plan-flow")
    .getByRole("button", { name: /^IXSCAN/ })
    .waitFor();
  await plan.getByText(/^1 key · 1 document · \d+ pages?$/).waitFor();
  await run("none");
  await snippet("none").locator(".result").waitFor();
  await eventually(() => snippet("none").locator(".insight").count(), 0);
  await check.isAccessible("how results were answered");
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await picture(page, `snippet-insight-${scheme}`, { fullPage: true });
  }
  await close();
});

test("a snippet is copied, and leads to the line of its error", async () => {
  const { context, page, snippet, run, tells, close, check } = await blank(`
    <quire-snippet id="one"><pre>const n = 1;
nowhere.at(n);
n</pre></quire-snippet>
    <quire-snippet id="fixed" editable="false"><pre>const m = 1;
nowhere.at(m);</pre></quire-snippet>`);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await run("one");
  await eventually(() => snippet("one").locator(".code mark").innerText(), "nowhere.at(n);");
  await snippet("one").getByRole("button", { name: "Line 2, column 1" }).click();
  await hasFocus(page, "Script");
  await page.keyboard.type("let x;");
  await eventually(
    () => page.evaluate(() => document.getElementById("one").source),
    "const n = 1;\nlet x;nowhere.at(n);\nn",
  );
  await run("fixed");
  await eventually(() => snippet("fixed").locator(".code mark").innerText(), "nowhere.at(m);");
  await check.isAccessible("a line that failed");
  await picture(page, "snippet-error-line", { fullPage: true });
  await snippet("fixed").getByRole("button", { name: /^Copy/ }).click();
  await copied(page, "const m = 1;\nnowhere.at(m);");
  await tells("fixed", "Copied");
  await close();
});

test("built pages are checked by the package's program", () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-docs-"));
  const program = (...words) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [here("../../pkg/dist/cli.js"), ...words], {
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  const page = (name, body) => writeFileSync(join(folder, name), `<!doctype html><html><body>${body}</body></html>`);
  try {
    mkdirSync(join(folder, "guide"));
    page("index.html", "no snippets");
    assert.equal(program("check-docs", folder).status, 2, "a check of nothing does not pass");

    page(
      "guide/good.html",
      `${herbs}<quire-snippet id="all" setup="#herbs" check><pre><code>db.herbs.find()</code></pre><output>${found}</output></quire-snippet>
      <quire-snippet depends-on="all" check><pre>const id = db.herbs.insertOne({}).insertedId; db.herbs.countDocuments()</pre><output>3</output></quire-snippet>
      <quire-snippet db="isolate" setup="herbs"><pre>db.herbs.deleteMany({ n: "sage" }); assert(db.herbs.countDocuments() === 1)</pre></quire-snippet>
      <quire-snippet db="other" check><pre>db.herbs.insertOne({})</pre><output>{
  acknowledged: true,
  insertedId: ObjectId('…')
}</output></quire-snippet>
      <quire-snippet check><pre>db.herbs.find({ n: 1 ]</pre><output>Unexpected ]</output></quire-snippet>
      <div lang="zh"><quire-snippet check><pre>SELECT * FROM herbs</pre><output>这是 SQL。在这里写作：
db.herbs.find()</output></quire-snippet></div>
      <quire-snippet db="other" check><pre>db.herbs.find({ $where: function () { return this.n > 1 } }); throw new Error("meant")</pre><output>
Error: meant</output></quire-snippet>`,
    );
    const good = program("check-docs", folder);
    assert.equal(good.status, 0, good.stdout + good.stderr);
    assert.match(good.stdout, /7 snippets of 1 page: all ran, 6 with the output of the page\n$/);

    page(
      "bad.htm",
      `<quire-snippet id="stale" check><pre>print("a"); print("b"); 1 + 1</pre><output>a
b
3</output></quire-snippet>
      <quire-snippet><pre>db.herbs.fnid()</pre></quire-snippet>
      <quire-snippet setup="nobody"><pre>1</pre></quire-snippet><quire-snippet check><pre>1</pre></quire-snippet>`,
    );
    const bad = program("check-docs", folder);
    assert.equal(bad.status, 1);
    for (const line of [
      /STALE {3}bad\.htm {2}#stale: print/,
      /^ {6}a\n {6}b\n {4}- 3\n {4}\+ 2$/m,
      /FAILED {2}bad\.htm {2}snippet 2: db\.herbs\.fnid\(\)\n {4}TypeError.*\n {4}Line 1, column 10$/m,
      /no element “nobody”/,
      /`check` needs the expected output/,
      /11 snippets of 2 pages: 4 failed, 7 passed\n$/,
    ])
      assert.match(bad.stdout, line);

    // Apart, since on a busy machine a second is short for any script.
    mkdirSync(join(folder, "endless"));
    page("endless/page.html", "<quire-snippet><pre>while (true) {}</pre></quire-snippet>");
    const endless = program("check-docs", join(folder, "endless"), "--time-limit", "1");
    assert.equal(endless.status, 1);
    assert.match(endless.stdout, /FAILED {2}page\.html {2}.*while \(true\) \{\}\n {4}ScriptTimeout/);

    for (const words of [[], ["check-doc"], ["check-docs"], ["check-docs", folder, "--fast"], ["check-docs", "a", "b"]])
      assert.equal(program(...words).status, 2, words.join(" "));
    assert.match(program("check-docs", join(folder, "nowhere")).stdout, /cannot be read/);
    assert.equal(program("--help").status, 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
