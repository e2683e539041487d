/**
 * What every end-to-end test needs: the built page served, a headless browser, and hands that press the page's buttons.
 *
 * Invariants: no service worker, unless a test asks for one; waits for what a reader would see and never for time; each `visit` is a profile of its own, with empty
 * storage. `CHROMIUM` names the browser, `QUIRE_SITE` another built page.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { serve } from "./server.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const site = process.env.QUIRE_SITE ?? fileURLToPath(new URL("../../web/dist/site", import.meta.url));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Long enough for a busy machine; a test that needs it has failed in all but name. */
const patience = 30_000;

/** Starts the server and the browser for a file of tests, and stops them after it. */
export function withBrowser() {
  const held = { url: "", browser: null };
  let close = async () => {};
  before(async () => {
    const served = await serve(site);
    held.url = served.url;
    close = served.close;
    held.browser = await chromium.launch({ executablePath, args: flags });
  });
  after(async () => {
    await held.browser?.close();
    await close();
  });

  /** A profile of its own: a context with empty storage, and how to open the page in it. */
  const visit = async (options = {}) => {
    const context = await held.browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", serviceWorkers: "block", ...options });
    context.setDefaultTimeout(patience);
    return { context, open: (more) => Page.open(context, held.url, more), close: () => context.close() };
  };
  return { visit };
}

/** One tab with the playground in it. */
export class Page {
  constructor(page) {
    this.page = page;
    /** Everything the browser complained of. */
    this.complaints = [];
  }

  static async open(context, url, { ready = true } = {}) {
    const page = await context.newPage();
    const self = new Page(page);
    page.on("pageerror", (error) => self.complaints.push(`error: ${error.message}`));
    page.on("console", (message) => {
      // Typing makes the browser itself try styles inside the editor, which the policy rightly refuses.
      if (message.type() === "error" && !message.text().includes("Applying inline style")) self.complaints.push(`console: ${message.text()}`);
    });
    await page.goto(url);
    if (ready) await self.isOpen();
    return self;
  }

  /** Waits until the engine is open: the badge tells where the data is. */
  async isOpen() {
    await this.page.locator("[data-storage]:not([data-storage=opening])").waitFor();
  }

  get editor() {
    return this.page.locator(".cm-content");
  }

  get newest() {
    return this.page.locator("page-leaf article").first();
  }

  get storage() {
    return this.page.locator("[data-storage]");
  }

  /** Puts a script into the editor, as a paste would. */
  async write(script) {
    await this.editor.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(script);
  }

  /** How many runs there have been. */
  async runs() {
    const folio = this.page.locator("page-leaf .folio").first();
    return (await folio.count()) === 0 ? 0 : Number((await folio.textContent()).replaceAll(",", ""));
  }

  /** Presses Run and does not wait. */
  async pressRun() {
    await this.page.getByRole("button", { name: /^(Run|Run selection|运行|运行所选)$/ }).click();
  }

  /** Writes and runs a script and waits until it has ended. */
  async run(script) {
    const before = await this.runs();
    if (script !== undefined) await this.write(script);
    await this.pressRun();
    await this.ended(before + 1);
  }

  /** Waits until run `number` has ended. */
  async ended(number) {
    await this.page.locator("page-leaf").first().locator(".folio", { hasText: new RegExp(`^${number}$`) }).waitFor();
    await this.page.locator("page-leaf").first().getByRole("button", { name: /^(Remove|移除)/ }).waitFor();
  }

  /** Waits until the newest run shows a text, by `getByText`'s rules. */
  async shows(text, options) {
    await this.newest.locator(".body").getByText(text, options).first().waitFor();
  }

  /** What the newest run printed. */
  async printed() {
    const lines = this.newest.locator(".printed");
    return (await lines.count()) === 0 ? "" : await lines.innerText();
  }

  /** The newest run's error, or an empty string. */
  async error() {
    const message = this.newest.locator(".error .message");
    return (await message.count()) === 0 ? "" : await message.innerText();
  }

  /** Runs a script which must not fail, and gives what it printed. */
  async print(script) {
    await this.run(script);
    assert.equal(await this.error(), "", script);
    return (await this.printed()).trim();
  }

  /** Asserts that the deployment says it is saved, waiting for the last flush. */
  async isSaved() {
    await this.page.locator("[data-storage=saved]").waitFor();
  }

  /** Asserts that axe finds nothing, in every shadow root. */
  async isAccessible(what) {
    await this.page.evaluate(axeSource);
    const violations = await this.page.evaluate(async () => (await globalThis.axe.run()).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => `${node.target.join(" ")}: ${node.failureSummary}`) })));
    assert.deepEqual(violations, [], what);
  }

  /** Asserts that nothing sticks out to the side. */
  async fits(what) {
    const [content, window] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${what}: ${content} px in a window of ${window} px`);
  }

  /** Asserts that the browser had nothing to complain of: no error, nothing refused by the policy, no missing file. */
  isQuiet() {
    assert.deepEqual(this.complaints, []);
  }
}
