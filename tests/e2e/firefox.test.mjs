/**
 * The playground and a snippet in Firefox, driven through WebDriver BiDi: a query runs and survives a reload, and a snippet runs under
 * the strictest policy that can run it.
 *
 * Invariant: Firefox is nobody's duty: `FIREFOX` names it, or it is looked for where systems have it; without one the tests say so and
 * are skipped.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { patience } from "./browser.mjs";
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

before(async () => {
  if (skip) return;
  const puppeteer = require("puppeteer-core");
  symlinkSync(here("../../pkg/dist"), join(folder, "quire"));
  writeFileSync(join(folder, "index.html"), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Herbs</title><script type="module" src="quire/element.js"></script><quire-snippet setup='db.herbs.insertOne({ latin: "Salvia" })'><pre>db.herbs.find()</pre></quire-snippet></html>`);
  [site, host] = await Promise.all([serve(here("../../web/dist/site")), serve(folder, 0, { "content-security-policy": policy })]);
  browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout: patience, protocolTimeout: patience });
});
after(async () => {
  await browser?.close();
  await Promise.all([site?.close(), host?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until the page holds a text, in whichever shadow root, within an element that a selector finds. */
const shows = (page, selector, text) =>
  page.waitForFunction(
    (wanted, part) => {
      const textOf = (root) => [...root.childNodes].map((node) => (node.nodeType === 3 ? node.data : node.localName === "style" ? "" : textOf(node.shadowRoot ?? node))).join("");
      const find = (root) => [...root.querySelectorAll("*")].flatMap((element) => [...(element.matches(wanted) ? [element] : []), ...(element.shadowRoot === null ? [] : find(element.shadowRoot))]);
      return find(document).some((element) => textOf(element.shadowRoot ?? element).includes(part));
    },
    { timeout: patience },
    selector,
    text,
  );

const write = async (page, script) => {
  const editor = await page.waitForSelector("pierce/.cm-content", { timeout: patience });
  await editor.click();
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  // Typing would have the editor close brackets and offer completions.
  for (const character of script) await page.keyboard.sendCharacter(character);
};

test("the playground runs a query, and what was written is there after a reload", { skip }, async () => {
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForSelector("pierce/[data-storage]:not([data-storage=opening])", { timeout: patience });
  await write(page, 'db.herbs.drop(); for (const name of ["rue", "sage"]) db.herbs.insertOne({ name }); print(db.herbs.countDocuments() + " herbs")');
  await (await page.waitForSelector("pierce/button.run", { timeout: patience })).click();
  await shows(page, "page-leaf", "2 herbs");
  await page.waitForSelector("pierce/[data-storage=saved]", { timeout: patience });
  await page.reload();
  await page.waitForSelector("pierce/[data-storage=saved]", { timeout: patience });
  await write(page, 'print(db.herbs.countDocuments({ name: "sage" }) + " sage")');
  await (await page.waitForSelector("pierce/button.run", { timeout: patience })).click();
  await shows(page, "page-leaf", "1 sage");
  await page.close();
});

test("a snippet runs under a strict policy", { skip }, async () => {
  const page = await browser.newPage();
  const complaints = [];
  // Firefox asks for an icon by itself, which the policy rightly refuses.
  page.on("pageerror", (error) => error.message.includes("favicon.ico") || complaints.push(error.message));
  await page.goto(host.url);
  await (await page.waitForSelector("pierce/button.run", { timeout: patience })).click();
  await shows(page, "quire-snippet", "Salvia");
  assert.deepEqual(complaints, []);
  await page.close();
});
