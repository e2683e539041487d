/**
 * The model of a database: its drawing and its list; references confirmed, hidden and named, boxes moved, over a
 * reload; its files, and validators applied; another tab, full storage, much data, a phone, both languages.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { counts, eventually, isGone, phone, withBrowser } from "./browser.mjs";
import { lookAround } from "./pictures.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { parseHTML } = require("linkedom");

const { visit } = withBrowser();

const shop = `
db = db.getSiblingDB("shop")
db.users.insertMany(["ada", "bo", "cy"].map((name) => ({ _id: new ObjectId(), name })))
const [ada, bo] = db.users.find().toArray()
db.products.insertMany([1, 2, 3, 4].map((n) => ({ _id: n, slug: "p" + n, price: n + 0.5, tags: ["a", "b"].slice(n % 2) })))
db.products.createIndex({ slug: 1 }, { unique: true })
db.orders.insertMany([
  { user: ada._id, lines: [{ product: 1, count: 2 }, { product: 2, count: 1 }] },
  { user: ada._id, lines: [{ product: 1, count: 4 }], note: "quickly" },
  { user: bo._id, lines: [] },
  { user: new ObjectId(), lines: [{ product: 4, count: 1 }] },
])
db.createView("quick", "orders", [{ $match: { note: { $exists: true } } }])
db.createCollection("log", { capped: true, size: 4096 })`;

/** Opens the model of a database by the palette. */
async function openModel(page, database, { chinese = false } = {}) {
  await page.page.locator("page-results .leaves").focus();
  await page.page.keyboard.press("Control+k");
  const palette = page.page.locator("desk-palette");
  await palette.waitFor();
  const name = chinese ? `${database} 的模型` : `Model of ${database}`;
  await palette.getByRole("combobox").fill(name);
  await palette.getByRole("option", { name }).first().click();
  const panel = page.page.locator("model-panel");
  await panel.waitFor();
  return panel;
}

/** Waits until reading has ended. */
const isRead = (panel, expected) =>
  eventually(() => panel.locator(".head [role=status]").innerText(), expected, "what was read");

/** Opens the list's details of a reference. */
async function openReference(panel, name) {
  const item = panel.locator("model-facts").getByRole("button", { name });
  await item.click();
  await eventually(() => item.getAttribute("aria-expanded"), "true");
  return panel.locator("model-facts .inside");
}

/** Downloads a button's file, as text. */
async function saved(page, button) {
  const [download] = await Promise.all([page.page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("a model is drawn from the data, its references are chosen, and all of it stays", async () => {
  const { open, close, context } = await visit({ acceptDownloads: true });
  const page = await open();
  await page.succeed(shop);
  await page.isSaved();
  let panel = await openModel(page, "shop");
  await isRead(panel, "5 collections · 2 references");
  const drawing = panel.locator("model-drawing");
  const facts = panel.locator("model-facts");
  await counts(drawing.locator(".box"), 5);
  const button = (name) => drawing.getByRole("button", { name: new RegExp(`^${name}, `) });
  const box = (name) =>
    drawing.locator(".box").filter({ has: page.page.getByRole("button", { name: new RegExp(`^${name}, `) }) });
  await eventually(
    () => box("orders").locator("text").allTextContents(),
    (texts) =>
      ["4 documents", "user", "ObjectId", "lines", "[Object] 0–2", "product", "note", "25 %"].every((text) =>
        texts.some((drawn) => drawn.startsWith(text)),
      ),
  );
  assert.equal(await box("quick").count(), 1);
  await eventually(() => box("log").locator(".caption").textContent(), "0 documents · capped");
  await counts(drawing.locator(".source"), 1);
  // Exact figures, and the value that is nobody's key.
  const inside = await openReference(panel, /orders\.user → users\._id/);
  await eventually(
    () => inside.innerText(),
    (text) =>
      [
        "2 of 3 sampled values are keys (67 %).",
        "Each document of users is referred to by 0 to 2 of orders (median 1).",
        "Each document of orders refers to 1 of users.",
        "None refers to 1 of the 3 documents of users.",
        "Dangling, nobody’s key: 1 of 3 different values, 1 of 4 references.",
      ].every((line) => text.includes(line)),
  );
  await page.isAccessibleInBoth("the model");

  // Confirmed and named, by keys alone.
  await inside.getByRole("button", { name: "Confirm" }).focus();
  await page.page.keyboard.press("Enter");
  await facts.getByText("Confirmed", { exact: true }).waitFor();
  await inside.getByRole("textbox", { name: "Name" }).fill("placed by");
  await page.page.keyboard.press("Enter");
  await eventually(() => drawing.locator("text.name").allTextContents(), ["placed by"]);
  await counts(drawing.locator('.line.confirmed[role="button"]'), 1);
  // The other one is hidden.
  const other = await openReference(panel, /orders\.lines\[\]\.product → products\._id/);
  await other.getByRole("button", { name: "Hide" }).click();
  await counts(drawing.locator('.line[role="button"]'), 1);
  await isRead(panel, "5 collections · 1 reference");
  await facts.getByText("Hidden (1)").waitFor();

  // Every box and line is reached by keys; a box is moved by them and by the mouse.
  const current = () =>
    drawing.evaluate((element) => element.shadowRoot.activeElement?.getAttribute("aria-label") ?? "");
  await drawing.locator("[data-id][tabindex='0']").focus();
  await page.page.keyboard.press("Home");
  const seen = new Set();
  for (let turn = 0; turn < 6; turn++) {
    seen.add(await current());
    await page.page.keyboard.press("ArrowRight");
  }
  assert.equal(seen.size, 6);
  assert(
    [...seen].some((name) => /^placed by, user of orders refers to _id of users, one to few, 1 : 0–2$/.test(name)),
    [...seen].join("; "),
  );
  const place = (name) => box(name).getAttribute("transform");
  await button("users").focus();
  const before = await place("users");
  await page.page.keyboard.press("Shift+ArrowDown");
  const stepped = await eventually(
    () => place("users"),
    (now) => now !== before,
  );
  await box("users").hover();
  await page.page.mouse.down();
  await page.page.mouse.move(500, 600, { steps: 4 });
  await page.page.mouse.up();
  const dragged = await eventually(
    () => place("users"),
    (now) => now !== stepped,
  );
  await panel.getByRole("button", { name: "Boxes back to their places" }).waitFor();
  // Enter goes from the drawing to the details.
  await button("products").focus();
  await page.page.keyboard.press("Enter");
  await facts.getByRole("table", { name: "Fields of products" }).waitFor();
  await eventually(() => facts.getByRole("row", { name: /slug/ }).innerText(), /slug\s+String\s+always/);
  await eventually(
    () => facts.getByRole("row", { name: /tags/ }).innerText(),
    /Elements: 1 to 2, median 1\.5 \(one to few\)/,
  );

  await page.reload();
  panel = await openModel(page, "shop");
  await isRead(panel, "5 collections · 1 reference");
  await eventually(() => panel.locator("text.name").allTextContents(), ["placed by"]);
  assert.equal(await place("users"), dragged);
  await panel.getByText("Hidden (1)").click();
  const hidden = await openReference(panel, /orders\.lines\[\]\.product/);
  await hidden.getByRole("button", { name: "Show" }).click();
  await isRead(panel, "5 collections · 2 references");
  await panel.getByRole("button", { name: "Boxes back to their places" }).click();
  await eventually(
    () => place("users"),
    (now) => now !== dragged,
  );
  await isGone(panel.getByRole("button", { name: "Boxes back to their places" }));

  // The file is one piece of XML with the same in it.
  const { name, text } = await saved(page, panel.getByRole("button", { name: "Save as SVG" }));
  assert.equal(name, "shop-model.svg");
  const { document } = parseHTML(text.replace(/^<\?xml[^>]*>\s*/, ""));
  assert.equal(document.querySelectorAll("g.box").length, 5);
  assert.equal(document.querySelectorAll("g.line").length, 2);
  assert.match(text, /placed by/);
  assert.doesNotMatch(text, /var\(|url\(|href/);
  const blank = await context.newPage();
  const drawn = await blank.evaluate(async (source) => {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    return [parsed.querySelector("parsererror") === null, parsed.documentElement.localName];
  }, text);
  assert.deepEqual(drawn, [true, "svg"]);
  await blank.close();
  for (const width of [390, 720, 1024, 1440]) {
    await page.page.setViewportSize({ width, height: 900 });
    await page.fits(`the model at ${width}`);
  }
  page.isQuiet();
  await close();
});

test("validators accept the data they are made from, and refuse other documents", async () => {
  const { open, close, context } = await visit({ acceptDownloads: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await page.succeed(shop);
  const panel = await openModel(page, "shop");
  await isRead(panel, "5 collections · 2 references");
  await panel.getByRole("button", { name: "Validators…" }).click();
  const rules = panel.locator("model-rules");
  await page.focusIs("Validators from the data");
  // Of collections with documents, and not of views.
  await counts(rules.locator("li"), 3);
  await page.isAccessibleInBoth("validators");
  const script = await rules.locator("pre").innerText();
  assert.match(script, /collMod: "orders"[\s\S]*required: \["_id", "user", "lines"\]/);
  assert.match(script, /product: \{ bsonType: "number" \}/);
  const file = await saved(page, rules.getByRole("button", { name: "Save as a file" }));
  assert.equal(file.name, "shop-validators.js");
  assert.equal(file.text.trim(), script.trim());
  await rules.getByRole("button", { name: "Copy" }).click();
  await eventually(() => page.page.evaluate(() => navigator.clipboard.readText()), file.text);
  await rules.getByRole("button", { name: "Check the documents" }).click();
  await counts(rules.getByText(/all \d documents pass/), 3);

  // Another tab writes a document that does not pass: it is seen before anything is applied.
  const elsewhere = await open();
  await elsewhere.succeed('db.getSiblingDB("shop").users.insertOne({ _id: 7, name: 5 })');
  await isRead(panel, "5 collections · 2 references");
  await eventually(() => rules.locator("pre").innerText(), /users: 4 documents/);
  await counts(rules.getByText(/all \d documents pass/), 0);
  await elsewhere.succeed('db.getSiblingDB("shop").users.deleteOne({ _id: 7 })');
  await eventually(() => rules.locator("pre").innerText(), /users: 3 documents/);
  await rules.getByRole("button", { name: "Check the documents" }).click();
  await rules.getByRole("button", { name: "Apply to 3 collections" }).click();
  await rules.getByText("orders, products, users: validated from now on.").waitFor();
  await page.page.keyboard.press("Escape");
  await isGone(panel);
  await page.run('db.getSiblingDB("shop").orders.insertOne({ user: "nobody", lines: [] })');
  await eventually(() => page.error(), /breaks the rules of shop/);
  await page.run('db.getSiblingDB("shop").orders.insertOne({ lines: [] })');
  await eventually(() => page.error(), /breaks the rules of shop/);
  await page.succeed('db.getSiblingDB("shop").orders.insertOne({ user: new ObjectId(), lines: [], more: 1 })');
  await page.succeed(`db = db.getSiblingDB("shop")
    for (const name of ["orders", "products", "users"]) db[name].updateMany({}, { $set: { seen: true } })`);
  // One undo for the run's writes, one for the validators of all three.
  const told = (expected) => eventually(() => page.page.locator(".notice").innerText(), expected, "the notice");
  await page.page.locator("page-results .leaves").focus();
  await page.page.keyboard.press("Control+z");
  await told(/Undone: db = /);
  await page.page.keyboard.press("Control+z");
  await told(/Undone: .*insertOne/);
  await page.page.keyboard.press("Control+z");
  await told(/Undone: shop\.orders, shop\.products, shop\.users given a validator/);
  await page.succeed('db.getSiblingDB("shop").orders.insertOne({ user: "nobody" })');

  // The same as a script.
  await page.page.getByRole("button", { name: "Actions for shop", exact: true }).click();
  await page.page.getByRole("menuitem", { name: "Model" }).click();
  const again = page.page.locator("model-panel");
  await isRead(again, "5 collections · 2 references");
  await again.getByRole("button", { name: "Validators…" }).click();
  await again.locator("model-rules").getByRole("button", { name: "Open as a script" }).click();
  await isGone(again);
  await page.scriptIs(/^\/\/ Validators of shop, from its documents\.\nconst target/);
  await page.succeed();
  await page.run('db.getSiblingDB("shop").products.insertOne({ slug: 5 })');
  await eventually(() => page.error(), /breaks the rules of shop/);
  assert.deepEqual(elsewhere.complaints, []);
  page.isQuiet();
  await close();
});

test("much data is read in steps that can be stopped; other tabs are followed; storage may be full or broken", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed(`db = db.getSiblingDB("large")
    for (let n = 0; n < 30; n++)
      db.events.insertMany(Array.from({ length: 1000 }, (_, k) => ({ _id: n * 1000 + k, station: k % 7, at: new Date() })))
    db.stations.insertMany(Array.from({ length: 9 }, (_, n) => ({ _id: n })))`);
  await page.isSaved();
  let panel = await openModel(page, "large");
  await isRead(panel, "2 collections · 1 reference");
  await eventually(
    () => panel.locator("text.figures").allTextContents(),
    (texts) => /^1 : 0–\d,\d{3}$/.test(texts[0]),
  );
  await eventually(
    () => panel.locator(".caption").allTextContents(),
    (texts) => texts.includes("30,000 documents"),
  );
  // Stop is pressed in the same turn in which reading began.
  const elsewhere = await open();
  await elsewhere.succeed('db.getSiblingDB("large").stations.insertOne({ _id: 77 })');
  await panel.getByText("The data has changed since.").waitFor();
  await panel.evaluate(async (element) => {
    const press = (text) =>
      [...element.shadowRoot.querySelectorAll("button")].find((button) => button.textContent.trim() === text).click();
    press("Read again");
    await element.updateComplete;
    press("Stop");
  });
  await isRead(panel, /Reading was stopped: what is not measured says so\.$/);
  await panel.getByRole("button", { name: "Read again" }).click();
  await isRead(panel, "2 collections · 1 reference");
  // Another tab's change of much data is told, and the data are read again when asked for.
  await elsewhere.succeed('db.getSiblingDB("large").stations.drop()');
  await panel.getByText("The data has changed since.").waitFor();
  await panel.getByRole("button", { name: "Read again" }).click();
  await isRead(panel, "1 collection · 0 references");
  await elsewhere.succeed('db.getSiblingDB("large").dropDatabase()');
  await panel.getByText("This database has no collections").waitFor();
  await page.isAccessibleInBoth("no model");
  await page.page.keyboard.press("Escape");

  await page.succeed(shop);
  await page.isSaved();
  await page.page.evaluate(() =>
    localStorage.setItem('quire.model.["main","shop"]', '{"references":[[1],"x"],"places":7}'),
  );
  panel = await openModel(page, "shop");
  await isRead(panel, "5 collections · 2 references");
  await page.page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  const inside = await openReference(panel, /orders\.user → users\._id/);
  await inside.getByRole("button", { name: "Confirm" }).click();
  await panel.getByText("This is not kept: The quota has been exceeded.").waitFor();
  await counts(panel.locator('.line.confirmed[role="button"]'), 1);
  // Another tab's choices are seen here.
  const there = await openModel(elsewhere, "shop");
  await isRead(there, "5 collections · 2 references");
  const line = await openReference(there, /orders\.lines\[\]\.product/);
  await line.getByRole("button", { name: "Hide" }).click();
  await isRead(panel, "5 collections · 1 reference");
  // Numbers that are keys by chance are told apart.
  await panel.getByText(/Perhaps by chance/).click();
  await panel
    .locator("model-facts")
    .getByText(/orders\.lines\[\]\.count → products\._id/)
    .waitFor();
  page.isQuiet();
  await close();
});

test("a phone has the model as a list, and in Chinese", async () => {
  const { open, close } = await visit({ ...phone, locale: "zh-CN" });
  const page = await open();
  await page.succeed(shop);
  await page.page.getByRole("button", { name: "结果" }).first().click();
  const panel = await openModel(page, "shop", { chinese: true });
  await isRead(panel, "5 个集合 · 2 个引用");
  const facts = panel.locator("model-facts");
  await facts.getByText("一对少 (1 : 0–2)").waitFor();
  assert.equal(await panel.locator("model-drawing").isVisible(), false);
  const inside = await openReference(panel, /orders\.user → users\._id/);
  await inside.getByText("users 的每个文档被 orders 中 0 到 2 个文档引用（中位数 1）。").waitFor();
  await page.isAccessibleInBoth("the list");
  await page.fits("the list");
  await panel.getByRole("button", { name: "图", exact: true }).click();
  await panel.locator("model-drawing .box").first().waitFor();
  await page.isAccessibleInBoth("the drawing on a phone");
  await page.fits("the drawing");
  await lookAround(page, "model-zh-Hans", { whole: false });
  await panel.getByRole("button", { name: "校验规则…" }).click();
  await panel.getByRole("button", { name: "检查文档" }).click();
  await panel.getByText("4 个文档全部通过").first().waitFor();
  await page.isAccessibleInBoth("validators on a phone");
  await page.fits("validators");
  page.isQuiet();
  await close();
});
