/**
 * `<quire-snippet>` in pages of other projects: under the strictest policy that can run it, from another origin,
 * without scripts, by keyboard alone, in both schemes and languages.
 */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { counts, eventually, hasFocus, isGone, Page, phone, withBrowser } from "./browser.mjs";
import { picture } from "./pictures.mjs";
import { serve } from "./server.mjs";

const { visit, lend } = withBrowser();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The strictest policy under which a page can run a snippet. */
const strict =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'";
/** With it, Stop ends the script and not the worker. */
const gentle = `${strict} blob:`.replace(
  "connect-src 'self'; style-src 'self' blob:",
  "connect-src 'self' blob:; style-src 'self'",
);

const herbs = `db.herbs.insertMany([
  { _id: 1, latin: "Salvia officinalis", uses: ["tea", "kitchen"], height: 60 },
  { _id: 2, latin: "Mentha spicata", uses: ["tea"], height: 45 },
  { _id: 3, latin: "Lavandula", height: 50, beds: { north: 2 } },
])`;
const setup = `<script type="text/plain" id="herbs">${herbs}</script>`;
const sheet =
  ":root{color-scheme:light dark}body{font:1rem/1.6 Georgia,serif;margin:0;background:light-dark(#fff,#111);color:light-dark(#222,#eee)}main{max-width:44rem;margin:2rem auto;padding:0 1rem}";

const dist = here("../../pkg/site");
/** A host for each policy, since a host sends its policy with workers, too. */
const hosts = new Map();
async function hostOf(policy) {
  if (!hosts.has(policy)) hosts.set(policy, await serve(dist, 0, { "content-security-policy": policy }));
  return hosts.get(policy);
}
let cdn;
before(async () => {
  cdn = await serve(dist, 0, { "access-control-allow-origin": "*" });
});

/** Listens for the next event of an element; gives how to wait for it. */
async function nextEvent(page, id, name) {
  const listening = await page.evaluateHandle(
    ([element, event]) => {
      const heard = new Promise((resolve) =>
        document.getElementById(element).addEventListener(event, () => resolve(), { once: true }),
      );
      return { heard };
    },
    [id, name],
  );
  return () => listening.evaluate(({ heard }) => heard);
}

/** A page with nothing in it but the given markup; its requests, workers and complaints are kept. */
async function blank(body, { policy = strict, script = "element.js", lang = "en", ...options } = {}) {
  const { context, tab: page, close } = await lend(options);
  const { url } = await hostOf(policy);
  const tag = script === null ? "" : `<script type="module" src="${script}"></script>`;
  const text = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Herbs</title><link rel="stylesheet" href="page.css"><main><h1>Herbs</h1>${body}</main>${tag}</html>`;
  await context.route("**/blank.html", (route) =>
    route.fulfill({ contentType: "text/html", headers: { "content-security-policy": policy }, body: text }),
  );
  await context.route("**/page.css", (route) => route.fulfill({ contentType: "text/css", body: sheet }));
  const complaints = [];
  const requests = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  // Typing makes the browser itself try styles inside the editor, which the policy rightly refuses.
  page.on(
    "console",
    (message) =>
      message.type() === "error" &&
      !/404|Applying inline style|(?:Connecting to|load) 'blob:/.test(message.text()) &&
      complaints.push(message.text()),
  );
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${url}blank.html`);
  const snippet = (id) => page.locator(`#${id}`);
  const heard = (id, name) => nextEvent(page, id, name);
  /** Waits until a snippet runs nothing (any more). */
  const ended = (id) => page.waitForFunction((name) => document.getElementById(name).running === false, id);
  const run = async (id) => {
    await snippet(id)
      .getByRole("button", { name: /^(Run|运行)$/ })
      .click();
    await ended(id);
  };
  // Without the line which tells how it was answered.
  const output = (id) =>
    snippet(id)
      .locator(".output")
      .evaluate((all) => all.innerText.replace(all.querySelector("details.insight")?.innerText ?? "", "").trimStart());
  const state = (id) => snippet(id).locator(".state").innerText();
  /** Wait until a snippet's output, or the line that tells how it went, is as expected. */
  const shows = (id, expected, what) => eventually(() => output(id), expected, what ?? id);
  const tells = (id, expected, what) => eventually(() => state(id), expected, what ?? id);
  return {
    url,
    context,
    page,
    complaints,
    requests,
    snippet,
    heard,
    ended,
    run,
    shows,
    tells,
    close,
    check: new Page(page),
  };
}

test("a snippet runs under the strictest policy, and asks for no isolation", async () => {
  const { page, complaints, run, shows, tells, close } = await blank(
    `<quire-snippet id="one" setup="db.herbs.insertOne({ _id: 1, latin: 'Salvia' })"><pre>db.herbs.find()</pre></quire-snippet>`,
  );
  await page.evaluate(() => {
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      globalThis.refused.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await run("one");
  await shows("one", (text) => text.split("\n").at(-1) === "[ { _id: 1, latin: 'Salvia' } ]");
  await tells("one", /^1 document · \d+ ms$/);
  assert.equal(await page.evaluate(() => crossOriginIsolated), false);
  // The engine's blob to see a Stop by is all that this policy refuses, and the engine does without it.
  assert.deepEqual(
    await page.evaluate(() => globalThis.refused.filter((line) => !line.startsWith("connect-src blob"))),
    [],
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("nothing is fetched before the first focus or Run, and then one engine for all", async () => {
  const blocks = ["one", "two", "three"].map(
    (id) =>
      `<quire-snippet id="${id}" ${id === "three" ? 'db="isolate"' : ""}><pre>db.c.insertOne({}); db.c.countDocuments()</pre></quire-snippet>`,
  );
  const { page, requests, heard, run, shows, close } = await blank(blocks.join(""));
  await page.getByRole("button", { name: "Run" }).first().waitFor();
  const kinds = (part) => requests.filter((url) => url.includes(part)).length;
  assert.deepEqual(
    [kinds("backend-"), kinds("editor-"), kinds(".wasm"), kinds("worker"), page.workers().length],
    [0, 0, 0, 0, 0],
  );
  const ready = await heard("one", "ready");
  await page.getByRole("button", { name: "Run" }).first().focus();
  await ready();
  assert.deepEqual([kinds("quire_bg.wasm"), kinds("sandbox.wasm")], [1, 0]);
  for (const id of ["one", "two", "three"]) await run(id);
  for (const [id, count] of [
    ["one", "1"],
    ["two", "2"],
    ["three", "1"],
  ])
    await shows(id, (text) => text.split("\n").at(-1) === count);
  assert.deepEqual([page.workers().length, kinds("quire_bg.wasm"), kinds("editor-")], [1, 1, 0]);
  await close();
});

test("without scripts, block and output are there to be read", async () => {
  const { page, close } = await blank(
    "<quire-snippet><pre>db.herbs.find()</pre><output>[ { _id: 1 } ]</output></quire-snippet><quire-playground><pre>db.herbs.findOne()</pre></quire-playground>",
    { javaScriptEnabled: false },
  );
  for (const text of ["db.herbs.find()", "[ { _id: 1 } ]", "db.herbs.findOne()"])
    await page.getByText(text, { exact: true }).waitFor();
  await close();
});

test("the author's output stands until the first run, and comes back with Reset", async () => {
  const { page, snippet, run, shows, tells, close } = await blank(
    `<quire-snippet id="one" db="garden"><pre>db.herbs.insertOne({ _id: 1 }).insertedId</pre><output>what comes out</output></quire-snippet><quire-snippet id="two" db="garden"><pre>db.herbs.countDocuments()</pre></quire-snippet>`,
  );
  const fallback = page.getByText("what comes out");
  await snippet("one").locator(".state").waitFor();
  await fallback.waitFor();
  await tells("one", "Example output");
  await run("one");
  await shows("one", "1");
  await fallback.waitFor({ state: "hidden" });
  await run("one");
  await shows("one", /E11000 duplicate key error collection: garden\.herbs/);
  await snippet("one")
    .getByRole("button", { name: /^Reset/ })
    .click();
  await fallback.waitFor();
  await run("two");
  await shows("two", "0", "the shared database began afresh");
  await run("one");
  await shows("one", "1");
  await close();
});

test("mistakes in the syntax, and SQL, are told once, in the words of the page", async () => {
  const { page, snippet, requests, run, shows, close } = await blank(`
    <quire-snippet id="plain"><pre>db.herbs.fnid()</pre></quire-snippet>
    <quire-snippet id="one"><pre>print(1)

db.herbs.find({ a: 1 ]</pre></quire-snippet>
    <quire-snippet id="two" lang="zh"><pre>db.herbs.find(</pre></quire-snippet>
    <quire-snippet id="sql" editable="false"><pre>
SELECT * FROM herbs</pre></quire-snippet>
    <quire-snippet id="after" setup="db.herbs.find("><pre>1</pre></quire-snippet>`);
  await run("plain");
  await shows("plain", /^TypeError: db\.herbs\.fnid is not a function/);
  const fetched = () => requests.filter((url) => /\/fault-/.test(url)).length;
  assert.equal(fetched(), 0, "the parser is not fetched before it is needed");
  await run("one");
  await shows("one", "Unexpected ]\nLine 3, column 22");
  await eventually(() => snippet("one").locator(".code mark").innerText(), "db.herbs.find({ a: 1 ]");
  assert.equal(fetched(), 1);
  await run("two");
  await shows("two", "第 1 行的 ( 没有闭合。\n第 1 行，第 14 列");
  await run("sql");
  await shows("sql", "That is SQL. Written for here:\ndb.herbs.find()\nLine 1, column 1");
  await run("after");
  await shows("after", "The setup of this snippet failed.\nThis ( of line 1 is never closed.\nLine 1, column 14");
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `snippet-syntax-${colorScheme}`, { fullPage: true });
  }
  await close();
});

test("setup and depends-on run first, in order, and once", async () => {
  const { page, run, shows, snippet, close } = await blank(`${setup}
    <quire-snippet id="add" db="garden" setup="#herbs"><pre>const added = db.herbs.insertOne({ _id: 4, latin: "Thymus" }).insertedId; added</pre></quire-snippet>
    <quire-snippet id="more" db="garden" setup="herbs" depends-on="add"><pre>db.herbs.insertOne({ _id: added + 1 }).insertedId</pre></quire-snippet>
    <quire-snippet id="all" db="garden" setup="herbs" depends-on="add, more"><pre>db.herbs.distinct("_id")</pre></quire-snippet>
    <quire-snippet id="alone" db="isolate" setup="herbs" depends-on="more"><pre>db.herbs.distinct("_id").length + typeof added</pre></quire-snippet>
    <quire-snippet id="empty" db="isolate"><pre>db.herbs.countDocuments() + typeof added</pre></quire-snippet>
    <quire-snippet id="lost" depends-on="nobody"><pre>1</pre></quire-snippet>
    <quire-snippet id="round" depends-on="about"><pre>1</pre></quire-snippet><quire-snippet id="about" depends-on="round"><pre>1</pre></quire-snippet>
    <quire-snippet id="unset" setup="nothing"><pre>1</pre></quire-snippet>
    <quire-snippet id="broken" db="broken" setup="db.a.missing()"><pre>1</pre></quire-snippet>
    <quire-snippet id="after" db="broken" depends-on="broken"><pre>1</pre></quire-snippet>`);
  await run("all");
  await shows("all", "[ 1, 2, 3, 4, 5 ]");
  await shows("more", "5", "what it depends on shows its own outcome");
  await run("all");
  await shows("all", "[ 1, 2, 3, 4, 5 ]", "what ran already is not run again");
  for (const _ of [1, 2]) {
    await run("alone");
    await shows("alone", "5number", "an isolated database begins anew with each run, with all that comes before");
  }
  await run("empty");
  await shows("empty", "0undefined");
  await snippet("add")
    .getByRole("button", { name: /^Reset/ })
    .click();
  await run("all");
  await shows("all", "[ 1, 2, 3, 4, 5 ]", "after a reset everything before runs again");
  for (const [id, text] of [
    ["lost", "no element “nobody”"],
    ["round", "“round” depends on itself"],
    ["unset", "no element “nothing”"],
    ["broken", "The setup of this snippet failed.\nTypeError"],
    ["after", "“broken”, which comes before this one, failed"],
  ]) {
    await run(id);
    await shows(id, (shown) => shown.includes(text));
  }
  assert.equal(await page.evaluate(() => document.getElementById("broken").run()), false);
  await close();
});

test("who is told of a run's end can run the script again", async () => {
  const { page, close } = await blank(`<quire-snippet id="one" db="again"><pre>print(1)</pre></quire-snippet>`);
  await page.locator("#one .run").waitFor();
  const told = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const one = document.getElementById("one");
        const ends = [];
        const again = ({ type }) => {
          ends.push([type, one.running]);
          if (ends.length === 4) return resolve(ends);
          one.source = ends.length % 2 === 0 ? "print(1)" : "missing()";
          void one.run();
        };
        one.addEventListener("result", again);
        one.addEventListener("error", again);
        void one.run();
      }),
  );
  assert.deepEqual(told, [
    ["result", false],
    ["error", false],
    ["result", false],
    ["error", false],
  ]);
  await close();
});

test("attributes are properties, and events tell what happens", async () => {
  const { page, close } = await blank(
    `${setup}<div id="around"><quire-snippet id="one" db="garden" setup="herbs"><pre>print("hello"); db.herbs.find().sort({ _id: 1 }).batchSize(2)</pre></quire-snippet></div>`,
  );
  await page.locator("#one .run").waitFor();
  const told = await page.evaluate(async () => {
    const one = document.getElementById("one");
    const events = [];
    for (const name of ["ready", "run", "result", "error"])
      document.addEventListener(
        name,
        (event) =>
          event.target === one &&
          events.push([name, event.detail, event.composed, event.bubbles, event instanceof CustomEvent]),
        true,
      );
    const done = await one.run();
    one.source = "db.herbs.insertOne({ _id: 1 })";
    const failed = await one.run();
    one.addEventListener("run", (event) => event.preventDefault(), { once: true });
    const prevented = await one.run();
    return { events, done, failed, prevented };
  });
  assert.deepEqual([told.done, told.failed, told.prevented], [true, false, false]);
  assert.deepEqual(
    told.events.map(([name]) => name),
    ["run", "ready", "result", "run", "error", "run"],
  );
  const [first, ready, result, , error] = told.events.map(([, detail]) => detail);
  assert.equal(first.database, "garden");
  assert.equal(typeof ready.milliseconds, "number");
  assert.deepEqual([result.printed, result.documents.length, result.more], [["hello"], 2, true]);
  assert.match(result.text, /^hello\n\[\n/);
  assert.deepEqual([error.stage, error.name, error.code, error.line], ["script", "MongoServerError", 11000, 1]);
  assert.ok(
    told.events.every(([name, , composed, bubbles, custom]) => composed && custom && bubbles === (name !== "error")),
  );
  const properties = await page.evaluate(() => {
    const one = document.getElementById("one");
    const before = [
      one.db,
      one.setup,
      one.dependsOn,
      one.editable,
      one.autorun,
      one.view,
      one.height,
      one.theme,
      one.running,
    ];
    Object.assign(one, {
      db: "isolate",
      dependsOn: "a b",
      editable: false,
      autorun: true,
      view: "tree",
      height: "20rem",
      theme: "dark",
      topology: "standalone",
      playground: null,
    });
    const names = ["db", "depends-on", "editable", "autorun", "view", "height", "theme", "topology", "playground"];
    const attributes = names.map((name) => one.getAttribute(name));
    one.setAttribute("view", "sphere");
    one.setAttribute("autorun", "false");
    const after = [one.view, one.autorun, one.playground];
    // As frameworks hand attributes on.
    Object.assign(one, { editable: "false", autorun: "" });
    return { before, attributes, after, handed: [one.editable, one.autorun] };
  });
  assert.deepEqual(properties.before, ["garden", "herbs", "", true, false, "text", "", "auto", false]);
  assert.equal(properties.attributes.join("|"), "isolate|a b|false||tree|20rem|dark|standalone|none");
  assert.deepEqual(properties.after, ["text", false, null]);
  assert.deepEqual(properties.handed, [false, true]);
  // An engine of each topology, with data of its own.
  const asked = await page.locator("#one").evaluate(async (one) => {
    Object.assign(one, { db: "garden", dependsOn: "", source: "db.hello().setName ?? db.herbs.countDocuments()" });
    const texts = [];
    one.addEventListener("result", ({ detail }) => texts.push(detail.text));
    for (const topology of ["standalone", "replicaSet"]) await Object.assign(one, { topology }).run();
    return texts;
  });
  assert.deepEqual(asked, ["3", "quire"]);
  await close();
});

test("by keyboard: Tab goes through and is never trapped, Ctrl+Enter runs, Escape leaves the editor", async () => {
  const { page, snippet, complaints, heard, shows, close } = await blank(
    `<quire-snippet id="one"><pre>1 + 1</pre></quire-snippet><p><a href="#end">after</a></p>`,
  );
  const focusIs = (name, what) => hasFocus(page, name, what);
  await snippet("one").locator(".run").waitFor();
  await page.keyboard.press("Tab");
  await focusIs("Script");
  await snippet("one").locator(".cm-editor").waitFor();
  await isGone(snippet("one").locator(".code > pre"));
  await focusIs("Script", "the editor takes the place of the block and the focus");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("6 * 7");
  await page.keyboard.press("ControlOrMeta+Enter");
  await snippet("one").getByText("42", { exact: true }).waitFor();
  await focusIs("Script");
  await page.keyboard.press("Escape");
  await focusIs("Run");
  await page.keyboard.press("Shift+Tab");
  await focusIs("Script");
  await page.keyboard.press("Tab");
  await focusIs("Run");
  const ranAgain = await heard("one", "result");
  await page.keyboard.press("Space");
  await ranAgain();
  await shows("one", "42");
  await snippet("one").locator("a[href]").waitFor();
  await page.keyboard.press("Tab");
  await focusIs(/^Copy/);
  await page.keyboard.press("Tab");
  await focusIs(/^Reset/);
  await page.keyboard.press("Tab");
  await focusIs(/^Open in playground/);
  await page.keyboard.press("Tab");
  await focusIs("after");
  assert.deepEqual(complaints, []);
  await close();
});

test("a press puts the cursor where it was, and what is typed before the editor comes is kept", async () => {
  const { page, context, snippet, close } = await blank(
    `<quire-snippet id="one"><pre>const a = 1;\nconst b = 2;\na + b</pre></quire-snippet>`,
  );
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await context.route(/editor-\w+\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await snippet("one")
    .locator(".code pre")
    .click({ position: { x: 400, y: 30 } });
  await hasFocus(page, "Script");
  await page.keyboard.type(" // two");
  release();
  await snippet("one").locator(".cm-editor").waitFor();
  await isGone(snippet("one").locator(".code > pre"));
  await hasFocus(page, "Script");
  await page.keyboard.type("!");
  await eventually(
    () => page.evaluate(() => document.getElementById("one").source),
    "const a = 1;\nconst b = 2; // two!\na + b",
  );
  await close();
});

test("four views of a result, and more of it", async () => {
  const { context, page, snippet, run, shows, tells, close } = await blank(
    `${setup}<quire-snippet id="one" setup="herbs" db="isolate"><pre>db.herbs.find()</pre></quire-snippet><quire-snippet id="many" db="isolate" view="table"><pre>for (let n = 0; n < 45; n++) db.c.insertOne({ _id: n });\ndb.c.find()</pre></quire-snippet>`,
  );
  // The focus is back on the chosen view with the result, whose doubts come later: by then the reader has gone on.
  let come;
  const held = new Promise((resolve) => (come = resolve));
  await context.route(/doubts-\w+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await run("one");
  const view = async (name) => {
    await snippet("one").getByRole("button", { name, exact: true }).click();
    await snippet("one").getByRole("button", { name, exact: true, pressed: true }).waitFor();
  };
  await view("Tree");
  await shows("one", /latin: "Salvia officinalis"\nString/, "the first document is open");
  await hasFocus(page, "Tree");
  await snippet("one").locator("summary", { hasText: "Lavandula" }).press("Enter");
  come();
  await snippet("one").locator("summary", { hasText: "beds: { north: 2 }" }).last().press("Enter");
  await shows("one", /north: 2\nInt32/);
  await view("Table");
  await eventually(
    () => snippet("one").getByRole("columnheader").allInnerTexts(),
    ["_id\nInt32", "latin\nString", "uses\nArray", "height\nInt32", "beds\nObject"],
  );
  await counts(snippet("one").getByRole("row"), 4);
  await view("JSON");
  await shows("one", (text) => JSON.parse(text.slice(text.indexOf("[")))[2].beds.north === 2);
  await eventually(() => page.evaluate(() => document.getElementById("one").view), "json");
  await run("many");
  await tells("many", /^first 20 documents/);
  const more = snippet("many").getByRole("button", { name: "Show more" });
  await more.click();
  await counts(snippet("many").locator("tbody tr"), 40);
  await more.click();
  await counts(snippet("many").locator("tbody tr"), 45);
  await isGone(more);
  await tells("many", /^45 documents/);
  await close();
});

for (const [name, policy] of [
  ["strict", strict],
  ["gentle", gentle],
]) {
  test(`Stop ends a script under the ${name} policy, and tells when data went with it`, async () => {
    const { snippet, ended, run, shows, tells, close } = await blank(
      `<quire-snippet id="one" setup="db.c.insertOne({})"><pre>db.c.countDocuments()</pre></quire-snippet><quire-snippet id="loop"><pre>db.c.insertOne({}); print("round and round"); while (true) {}</pre></quire-snippet>`,
      { policy },
    );
    await run("one");
    await snippet("loop").locator(".run").click();
    await snippet("loop").getByText("Running…").waitFor();
    await snippet("loop").getByRole("button", { name: "Stop" }).click();
    await ended("loop");
    await tells("loop", name === "strict" ? /took the data/ : /^Stopped$/);
    await run("one");
    await shows("one", name === "strict" ? "1" : "2", "setup ran again if it had to, and only then");
    await close();
  });
}

test("the link to the playground holds all that the script needs", async () => {
  const { url, page, snippet, close } = await blank(
    `${setup}<quire-snippet id="one" db="garden" setup="herbs"><pre>db.herbs.find()</pre></quire-snippet><div data-quire-playground="/play/"><quire-snippet id="two" db="isolate" depends-on="one"><pre>1</pre></quire-snippet></div><quire-snippet id="three" playground="none"><pre>1</pre></quire-snippet><quire-snippet id="four" topology="standalone"><pre>1</pre></quire-snippet><quire-playground id="five" topology="standalone"><pre>1</pre></quire-playground>`,
  );
  const linkOf = (id, expected) => eventually(() => snippet(id).getByRole("link").getAttribute("href"), expected);
  const held = (href) => JSON.parse(inflateRawSync(Buffer.from(href.slice(href.indexOf("#q1.") + 4), "base64url")));
  await linkOf("one", (href) => {
    assert.ok(href.startsWith(`${url}playground/index.html#q1.`), href);
    assert.deepEqual(held(href), { scripts: [{ name: "", source: `use garden\n\n${herbs}\n\ndb.herbs.find()` }] });
  });
  await linkOf("two", (href) => {
    assert.ok(href.startsWith(`${new URL(url).origin}/play/#q1.`), href);
    assert.deepEqual(held(href).scripts[0].source, `${herbs}\n\ndb.herbs.find()\n\n1`);
  });
  for (const id of ["four", "five"])
    await linkOf(id, (href) => assert.ok(href.startsWith(`${url}playground/index.html?topology=standalone#q1.`), href));
  await isGone(snippet("three").getByRole("link"));
  await page.evaluate(() => (document.getElementById("one").source = "changed()"));
  await linkOf("one", (href) => /changed\(\)$/.test(held(href).scripts[0].source));
  await close();
});

test("reads the blocks that generators of pages write", async () => {
  const blocks = {
    sphinx: `<div class="highlight-javascript notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span><span class="nx">db</span><span class="p">.</span><span class="nx">a</span>\n<span class="linenos">2</span>  <span class="nx">b</span>\n</pre></div></div>`,
    docusaurus: `<div><pre tabindex="0"><code><span class="token-line"><span>db</span>.a<br></span><span class="token-line">  b<br></span></code></pre><div><button type="button">Copy</button></div></div>`,
    mdbook: `<pre><div class="buttons"><button title="Copy">copy</button></div><code class="language-js hljs"><span class="hljs-built_in">db</span>.a\n  b\n</code></pre>`,
    vitepress: `<div class="language-js vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">js</span><pre class="shiki" tabindex="0"><code><span class="line"><span>db.a</span></span>\n<span class="line">  b</span></code></pre></div>`,
    plain: `\n    db.a\n      b\n  `,
    template: `<script type="text/plain">\n  db.a\n    b\n</script>`,
  };
  const { page, close } = await blank(
    Object.entries(blocks)
      .map(([id, block]) => `<quire-snippet id="${id}">${block}<output>x</output></quire-snippet>`)
      .join("") + `<quire-snippet id="late"></quire-snippet>`,
  );
  await page.locator("#late .run").waitFor();
  const source = (id) => page.evaluate((name) => document.getElementById(name).source, id);
  for (const id of Object.keys(blocks)) await eventually(() => source(id), "db.a\n  b", id);
  // A framework may fill the element later, or again.
  await page.evaluate(() => (document.getElementById("late").innerHTML = "<pre>late()</pre>"));
  await page.locator("#late .code").getByText("late()").waitFor();
  await page.evaluate(() => (document.getElementById("late").source = "mine()"));
  // Both are filled in one step: when the second has taken its text, the first has refused it.
  await page.evaluate(() => {
    for (const id of ["late", "plain"]) document.getElementById(id).innerHTML = "<pre>again()</pre>";
  });
  await eventually(() => source("plain"), "again()");
  assert.equal(await source("late"), "mine()", "what a reader wrote is not overwritten");
  await close();
});

test("autorun waits until the snippet comes into view", async () => {
  const { page, requests, snippet, shows, close } = await blank(
    `<p style="margin-block-end:300vh">long</p><quire-snippet id="one" autorun><pre>6 * 7</pre></quire-snippet>`,
    { policy: `${strict} 'unsafe-inline'` },
  );
  await snippet("one").locator(".run").waitFor();
  // An observer that is made later is told later: by then the snippet knows that it is out of sight.
  await page.evaluate(
    () => new Promise((seen) => new IntersectionObserver(() => seen()).observe(document.querySelector("h1"))),
  );
  assert.equal(await page.evaluate(() => document.getElementById("one").running), false);
  assert.ok(!requests.some((url) => url.endsWith(".wasm")));
  await snippet("one").scrollIntoViewIfNeeded();
  await snippet("one").getByText("42", { exact: true }).waitFor();
  await shows("one", "42");
  assert.ok(await page.evaluate(() => document.activeElement === document.body), "nothing takes the focus");
  await close();
});

test("an element that is taken out stops, and one that is moved goes on", async () => {
  const { page, snippet, run, shows, close } = await blank(
    `<quire-snippet id="one"><pre>1</pre></quire-snippet><quire-snippet id="loop"><pre>while (true) {}</pre></quire-snippet><div id="there"></div>`,
  );
  await snippet("one").locator(".code pre").click();
  await snippet("one").locator(".cm-editor").waitFor();
  await isGone(snippet("one").locator(".code > pre"));
  await hasFocus(page, "Script");
  await page.keyboard.press("End");
  await page.keyboard.type(" + 1");
  await eventually(() => page.evaluate(() => document.getElementById("one").source), "1 + 1");
  await page.evaluate(() => document.getElementById("there").append(document.getElementById("one")));
  await snippet("loop").locator(".run").click();
  await snippet("loop").getByText("Running…").waitFor();
  await page.evaluate(() => document.getElementById("loop").remove());
  await run("one");
  await shows("one", "2");
  await close();
});

test("from another origin, through a worker of the page's own", async () => {
  const origin = new URL(cdn.url).origin;
  // A real file, since a browser lets no made-up page ask this machine for anything.
  const folder = mkdtempSync(join(tmpdir(), "quire-embed-"));
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><title>Herbs</title><quire-snippet id="one"><pre>db.c.insertOne({ _id: 1 }); db.c.find()</pre></quire-snippet><script type="module" src="${cdn.url}element.js"></script>`,
  );
  const host = await serve(folder, 0, {
    "content-security-policy": `default-src 'none'; script-src ${origin} 'wasm-unsafe-eval'; worker-src blob: ${origin}; connect-src ${origin} blob:`,
  });
  const { context, close } = await visit();
  const page = await context.newPage();
  const complaints = [];
  page.on(
    "console",
    (message) => message.type() === "error" && !message.text().includes("404") && complaints.push(message.text()),
  );
  await page.goto(host.url);
  assert.notEqual(origin, new URL(page.url()).origin);
  const one = page.locator("#one");
  await one.getByRole("button", { name: "Run" }).click();
  await one.locator(".result").getByText("[ { _id: 1 } ]").waitFor();
  await one.locator(".code pre").click();
  await one.locator(".cm-editor").waitFor();
  assert.deepEqual(
    page.workers().map((worker) => new URL(worker.url()).protocol),
    ["blob:"],
  );
  assert.deepEqual(complaints, []);
  await close();
  await host.close();
  rmSync(folder, { recursive: true });
});

test("a policy that allows no worker gives a failure that says so, and the block stays", async () => {
  const { snippet, run, shows, tells, close } = await blank(`<quire-snippet id="one"><pre>1</pre></quire-snippet>`, {
    policy: strict.replace("worker-src 'self'", "worker-src 'none'"),
  });
  await run("one");
  await shows("one", /^The engine could not be loaded\.\n/);
  await tells("one", "Failed");
  await snippet("one").locator(".code").getByText("1").waitFor();
  await close();
});

for (const [colorScheme, options] of [
  ["light", { viewport: { width: 1100, height: 900 } }],
  ["dark", phone],
]) {
  test(`the playground opens in the page when asked, with the script inside, and tells of its runs, ${colorScheme}`, async () => {
    const policy = `${gentle}; img-src 'self' data:; font-src 'self'; frame-src 'self'`;
    const { page, check, requests, snippet, complaints, close } = await blank(
      `<quire-playground id="play" height="600" theme="${colorScheme}"><pre>print("hello");\ndb.herbs.countDocuments()</pre></quire-playground>`,
      { policy, lang: colorScheme === "dark" ? "zh-Hans" : "en", ...options },
    );
    await page.evaluate(() => {
      globalThis.told = [];
      for (const name of ["ready", "run", "result", "error"])
        document.addEventListener(name, ({ detail }) => globalThis.told.push([name, detail]), true);
      // Not theirs: no event comes of it.
      postMessage({ mark: "quire-playground/1", name: "result", detail: {} });
    });
    const start = snippet("play").getByRole("button");
    await start.waitFor();
    assert.ok(!requests.some((url) => url.includes("/playground/")));
    await start.press("Enter");
    const frame = page.frameLocator("quire-playground iframe");
    await frame.locator(".cm-content").getByText("hello").waitFor();
    await eventually(
      () => frame.locator(":root").evaluate((root) => [root.lang, root.dataset.theme]),
      [colorScheme === "dark" ? "zh-Hans" : "en", colorScheme],
    );
    const names = () => page.evaluate(() => globalThis.told.map(([name]) => name));
    await eventually(names, ["ready"]);
    await frame.getByRole("button", { name: /^(Run|运行)$/ }).click();
    await eventually(names, ["ready", "run", "result"]);
    const [, [run, asked], [result, given]] = await page.evaluate(() => globalThis.told);
    assert.deepEqual(
      [run, asked.source, result, given.text, given.documents],
      ["run", 'print("hello");\ndb.herbs.countDocuments()', "result", "hello\n0", null],
    );
    await check.isAccessible("an open playground");
    await check.fits("an open playground");
    await picture(page, `embed-playground-${colorScheme}`, { fullPage: true });
    assert.deepEqual(complaints, []);
    await page.evaluate(() => (document.getElementById("play").open = false));
    await start.waitFor();
    await isGone(page.locator("quire-playground iframe"));
    await close();
  });
}

test("the example page for plain HTML works as it stands", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-embed-"));
  cpSync(here("../../docs/embedding/plain-html"), folder, { recursive: true });
  symlinkSync(dist, join(folder, "quire"));
  const host = await serve(folder);
  const { context, close } = await visit({ viewport: { width: 1100, height: 900 } });
  const page = await context.newPage();
  const check = new Page(page);
  page.on("pageerror", (error) => check.complaints.push(error.message));
  page.on(
    "console",
    (message) => message.type() === "error" && !/404/.test(message.text()) && check.complaints.push(message.text()),
  );
  await page.goto(host.url);
  const output = (id) => page.locator(`#${id} .output`).innerText();
  /** Runs a snippet and waits until its output is as expected. */
  const gives = async (id, expected, what) => {
    const done = await nextEvent(page, id, "result");
    await page.locator(`#${id}`).getByRole("button", { name: "Run" }).click();
    await done();
    await eventually(() => output(id), expected, what);
  };
  await page.locator("#tea .run").waitFor();
  const expected = await page.locator("#tea output").innerText();
  await gives(
    "tea",
    (text) => text.replace(/^[^[]*/, "") === expected,
    "the output that stands in the page is what comes out",
  );
  await gives("count", /tea\s+3\s+kitchen\s+2\s+scent\s+1$/);
  await eventually(() => output("plant"), /acknowledged: true/);
  for (const _ of [1, 2]) await gives("alone", /(^|\n)1$/);
  await page.locator("#play").getByRole("button").click();
  await page.frameLocator("iframe").locator(".cm-content").getByText("Salvia").waitFor();
  await check.isAccessible("the example page");
  await picture(page, "embed-plain-html", { fullPage: true });
  check.isQuiet();
  await close();
  await host.close();
  rmSync(folder, { recursive: true });
});

const gallery = `${setup}
  <p>Run these, then change a line.</p>
  <quire-snippet id="text" db="garden" setup="herbs"><pre>// The herbs one can drink\ndb.herbs.find({ uses: "tea" }).sort({ height: -1 })</pre><output>[ { _id: 1, latin: 'Salvia officinalis' } ]</output></quire-snippet>
  <quire-snippet id="tree" db="garden" setup="herbs" view="tree"><pre>db.herbs.find()</pre></quire-snippet>
  <quire-snippet id="table" db="garden" setup="herbs" view="table"><pre>db.herbs.find({ height: { $gte: 50 } })</pre></quire-snippet>
  <quire-snippet id="json" db="isolate" height="240" view="json"><pre>for (let n = 0; n < 45; n++) {\n  const even = n % 2 === 0;\n  db.c.insertOne({ n, even });\n}\n\n// All of them\ndb.c.find()</pre></quire-snippet>
  <quire-snippet id="failing" db="isolate"><pre>print("before");\ndb.herbs.insertOne({ _id: 1 });\ndb.herbs.insertOne({ _id: 1 });</pre></quire-snippet>
  <quire-snippet id="fixed" editable="false"><pre>db.herbs.countDocuments()</pre></quire-snippet>
  <quire-playground id="play" playground="/nowhere/"><pre>db.herbs.find()</pre></quire-playground>`;
for (const [name, options] of [
  ["wide", { viewport: { width: 1100, height: 900 } }],
  ["phone", phone],
]) {
  for (const lang of ["en", "zh-Hans"]) {
    test(`${name}, ${lang}, light and dark: axe finds nothing and nothing sticks out`, async () => {
      const { page, check, complaints, run, snippet, close } = await blank(gallery, { lang, ...options });
      const lookAt = (what) =>
        check.isAccessibleInBoth(what, async (scheme) => {
          await check.fits(`${what}, ${scheme}`);
          await picture(page, `embed-${what}-${scheme}-${name}-${lang}`, { fullPage: true });
        });
      await snippet("fixed").locator(".run").waitFor();
      await lookAt("before");
      for (const id of ["text", "tree", "table", "json", "failing", "fixed"]) await run(id);
      await snippet("tree").locator("summary").first().waitFor();
      await snippet("table").getByRole("row").first().waitFor();
      await snippet("text").locator(".code pre").click();
      await snippet("text").locator(".cm-editor").waitFor();
      await lookAt("after");
      assert.deepEqual(complaints, []);
      await close();
    });
  }
}

test("theme overrides the page's scheme", async () => {
  const { page, snippet, close } = await blank(
    `<quire-snippet id="dark" theme="dark"><pre>1</pre></quire-snippet><quire-snippet id="auto"><pre>1</pre></quire-snippet>`,
    { colorScheme: "light" },
  );
  await snippet("auto").locator(".run").waitFor();
  const ground = (id) =>
    page.evaluate(
      (name) => getComputedStyle(document.getElementById(name).shadowRoot.querySelector(".frame")).backgroundColor,
      id,
    );
  await eventually(() => ground("dark"), "rgb(30, 27, 24)");
  await eventually(() => ground("auto"), "rgb(252, 249, 240)");
  await close();
});
