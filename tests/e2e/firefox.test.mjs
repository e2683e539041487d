/**
 * The playground and snippets in Firefox, driven through WebDriver BiDi: scripts run and their data survives a reload, tabs are kept, a
 * file comes in and goes out, a link opens without running, language and colours stay, a script is stopped, and snippets run under the
 * strictest policy that can run them.
 *
 * Invariant: Firefox is nobody's duty: `FIREFOX` names it, or it is looked for where systems have it; without one the tests say so and
 * are skipped.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, patience } from "./browser.mjs";
import { serve } from "./server.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const places = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox", "C:\\Program Files\\Mozilla Firefox\\firefox.exe"];
const executablePath = places.find((path) => path !== undefined && existsSync(path));
const skip = executablePath === undefined ? "no Firefox is installed (FIREFOX names one)" : false;
if (skip) console.log(`# skipped: ${skip}`);

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'";
let browser;
let site;
let host;
/** A docs page with the package beside it. */
const folder = mkdtempSync(join(tmpdir(), "quire-firefox-"));
const downloads = join(folder, "downloads");

before(async () => {
  if (skip) return;
  const puppeteer = require("puppeteer-core");
  symlinkSync(here("../../pkg/dist"), join(folder, "quire"));
  writeFileSync(join(folder, "index.html"), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Herbs</title><script type="module" src="quire/element.js"></script><quire-snippet id="first" db="garden" setup='db.herbs.insertOne({ latin: "Salvia" })'><pre>db.herbs.find()</pre></quire-snippet><quire-snippet id="second" db="garden"><pre>print(db.herbs.countDocuments() + " herb")</pre></quire-snippet></html>`);
  [site, host] = await Promise.all([serve(here("../../web/dist/site")), serve(folder, 0, { "content-security-policy": policy })]);
  mkdirSync(downloads);
  const extraPrefsFirefox = { "browser.download.folderList": 2, "browser.download.dir": downloads, "browser.download.useDownloadDir": true, "intl.accept_languages": "en-GB" };
  browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: patience, protocolTimeout: patience, extraPrefsFirefox });
});
after(async () => {
  await browser?.close();
  await Promise.all([site?.close(), host?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** What the page is asked, in its own words: elements of any shadow root by selector and name. */
function found(selector, name) {
  const textOf = (root) => [...root.childNodes].map((node) => (node.nodeType === 3 ? node.data : node.nodeType !== 1 || node.localName === "style" ? "" : textOf(node.shadowRoot ?? node))).join("");
  const all = (root) => [...root.querySelectorAll("*")].flatMap((element) => [...(element.matches(selector) ? [element] : []), ...(element.shadowRoot === null ? [] : all(element.shadowRoot))]);
  return all(document).filter((element) => name === null || (element.getAttribute("aria-label") ?? "") === name || textOf(element.shadowRoot ?? element).includes(name));
}

/**
 * Waits for what an expression gives, which is asked for from here: puppeteer's own waiting makes a function of text in the page, which
 * a strict policy forbids.
 */
async function handleOf(page, expression) {
  let handle;
  await eventually(async () => {
    handle = (await page.evaluateHandle(expression)).asElement();
    return handle !== null;
  }, true);
  return handle;
}

/** Waits for the first element of a selector which a name or text belongs to, and can be seen. */
const one = (page, selector, name = null) => handleOf(page, `(${found})(${JSON.stringify(selector)}, ${JSON.stringify(name)}).find((element) => element.checkVisibility()) ?? null`);

const press = async (page, selector, name) => (await one(page, selector, name)).click();
const shows = (page, selector, text) => one(page, selector, text);
const counted = (page, selector, number) => eventually(() => page.evaluate(`(${found})(${JSON.stringify(selector)}, null).length`), number);

async function open(address = site.url) {
  const page = await browser.newPage();
  await page.goto(address);
  await one(page, "[data-storage]:not([data-storage=opening])");
  return page;
}

async function write(page, script) {
  await press(page, ".cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  // Typing would have the editor close brackets and offer completions.
  for (const character of script) await page.keyboard.sendCharacter(character);
}

async function run(page, script, shown) {
  await write(page, script);
  await press(page, "button.run");
  await shows(page, "page-leaf", shown);
}

test("the playground runs a query, and what was written is there after a reload", { skip }, async () => {
  const page = await open();
  await run(page, 'db.herbs.drop(); for (const name of ["rue", "sage"]) db.herbs.insertOne({ name }); print(db.herbs.countDocuments() + " herbs")', "2 herbs");
  await one(page, "[data-storage=saved]");
  await page.reload();
  await one(page, "[data-storage=saved]");
  await run(page, 'print(db.herbs.countDocuments({ name: "sage" }) + " sage")', "1 sage");
  await page.close();
});

test("tabs and their scripts are kept over a reload", { skip }, async () => {
  const page = await open();
  await press(page, "button", "New script");
  await write(page, "print('the second tab')");
  await counted(page, "[role=tab]", 2);
  await eventually(() => page.evaluate(() => localStorage.getItem("quire.tabs")), /the second tab/);
  await page.reload();
  await shows(page, ".cm-content", "the second tab");
  await counted(page, "[role=tab]", 2);
  await page.close();
});

test("a file comes in by its dialog, and goes out as one", { skip }, async () => {
  const page = await open();
  const file = join(folder, "mints.ndjson");
  writeFileSync(file, '{"_id":1,"latin":"Mentha spicata"}\n{"_id":2,"latin":"Mentha \u00d7 piperita"}\n');
  await press(page, "button", "Add data");
  await press(page, "[role=menuitem]", "Import…");
  await press(page, "button", "Choose files");
  const input = await handleOf(page, `(${found})("input[type=file]", null)[0] ?? null`);
  await input.uploadFile(file);
  await press(page, "button.main", "Import");
  await shows(page, "dialog", "2 documents of mints.ndjson went into mints.");
  await press(page, "button", "Close");
  await run(page, "print(db.mints.findOne({ _id: 2 }).latin)", "Mentha × piperita");
  await press(page, "button", "Actions for mints");
  await press(page, "[role=menuitem]", "Export…");
  await press(page, "button.main", "Export");
  const name = await eventually(() => readdirSync(downloads).find((each) => each.endsWith(".json")), (each) => each !== undefined, "the exported file");
  await eventually(() => JSON.parse(readFileSync(join(downloads, name), "utf8")), [{ _id: 1, latin: "Mentha spicata" }, { _id: 2, latin: "Mentha × piperita" }]);
  await page.close();
});

test("a link opens without running anything", { skip }, async () => {
  const page = await open();
  await write(page, "print('from afar')");
  await press(page, "button", "Share");
  const field = await one(page, "input[type=text]");
  const address = await eventually(() => field.evaluate((input) => input.value), /#q1\.[\w-]+$/);
  await page.close();
  const reader = await open(address);
  await shows(reader, "dialog", "from afar");
  await counted(reader, "page-leaf article", 0);
  await press(reader, "button", "Open in a tab");
  await shows(reader, ".cm-content", "from afar");
  await counted(reader, "page-leaf article", 0);
  await press(reader, "button.run");
  await shows(reader, "page-leaf", "from afar");
  await reader.close();
});

test("a script that does not end is stopped, and the next one runs", { skip }, async () => {
  const page = await open();
  await write(page, "print('begun'); for (;;) {}");
  await press(page, "button.run");
  await press(page, "button", "Stop");
  await shows(page, "page-leaf", "You stopped the script.");
  await run(page, "print(6 * 7)", "42");
  await page.close();
});

test("language and colours change at once and stay", { skip }, async () => {
  const page = await open();
  await press(page, "button", "简体中文");
  await one(page, "button.run", "运行");
  await eventually(() => page.evaluate(() => document.documentElement.lang), "zh-Hans");
  await press(page, "button", "配色：跟随系统。点击切换");
  await press(page, "button", "配色：浅色。点击切换");
  const look = () => page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]);
  const dark = await eventually(look, ([theme]) => theme === "dark");
  await page.reload();
  await one(page, "button.run", "运行");
  await eventually(look, dark);
  await press(page, "button", "English");
  await one(page, "button.run", "Run");
  await page.close();
});

test("snippets run under a strict policy and share their data", { skip }, async () => {
  const page = await browser.newPage();
  const complaints = [];
  // Firefox asks for an icon by itself, which the policy rightly refuses.
  page.on("pageerror", (error) => error.message.includes("favicon.ico") || complaints.push(error.message));
  await page.goto(host.url);
  await (await page.waitForSelector("#first >>> button.run", { timeout: patience })).click();
  await shows(page, "#first", "Salvia");
  await (await page.waitForSelector("#second >>> button.run", { timeout: patience })).click();
  await shows(page, "#second", "1 herb");
  assert.deepEqual(complaints, []);
  await page.close();
});
