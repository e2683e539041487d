/**
 * The parts that every end-to-end test needs: the built page served, a headless browser, and hands that press the
 * page's buttons.
 *
 * Invariants:
 * - No service worker, unless a test asks for one.
 * - Tests wait for things that a reader would see, and never for time: the effect of an action is awaited
 *   (`eventually`, a locator), and a thing that must not happen is looked for only after a later thing has happened.
 * - Each `visit` is a profile of its own, with empty storage.
 *
 * `CHROMIUM` names the browser, `QUIRE_SITE` another built page; `QUIRE_E2E_SLOW` makes everything slow (see
 * README.md).
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { before } from "node:test";
import { chromiumFlags } from "../../web/scripts/chromium-flags.mjs";
import { hold } from "./held.mjs";
import { serve, slowness } from "./server.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const site = process.env.QUIRE_SITE ?? fileURLToPath(new URL("../../web/dist/site", import.meta.url));
/** The browser that the tests start. */
export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
/**
 * What a tab goes without: Chromium loads two pages of its own for its address bar into each new window, in a process
 * beside it, which take as long as the playground does. It heeds only the last list of features, so this one has those
 * that playwright switches off too.
 */
const without = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** How it is started. */
export const flags = ["--headless", ...chromiumFlags, `--disable-features=${without.join(",")}`];

/** How long one thing may take. A right page on a slow machine must never need so much: only a wrong one does. */
export const patience = 180_000 * slowness;

/** axe's rules whose outcome the colours decide; all others find the same in light and in dark. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** A phone's screen. */
export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

function check(value, expected) {
  if (expected instanceof RegExp) assert.match(String(value), expected);
  else if (typeof expected === "function") {
    if (expected(value) === false)
      assert.fail(`not so: ${String(expected)} of ${JSON.stringify(value)?.slice(0, 500)}`);
  } else assert.deepEqual(value, expected);
}

/** The result of a reading; rejects after `patience`, since a page may be stuck, or its browser. */
async function answered(reading) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the page does not answer")), patience);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads until the value is as expected: equal, matched by a regular expression, or held true by a function (which
 * may assert). Fails with the last value, or when a reading does not end. Gives the value.
 */
export async function eventually(read, expected, what) {
  const end = Date.now() + patience;
  for (let wait = 10; ; wait = Math.min(100, wait * 1.5)) {
    try {
      const value = await answered(read());
      check(value, expected);
      return value;
    } catch (error) {
      if (Date.now() > end) {
        if (what !== undefined) error.message = `${what}: ${error.message}`;
        throw error;
      }
    }
    await pause(wait);
  }
}

/** Waits until there are so many of something. */
export const counts = (locator, number, what) => eventually(() => locator.count(), number, what);

/** Waits until nothing of a kind is left in the page. */
export const isGone = (locator) => counts(locator, 0);

/** The innermost focused element's name, as a reader would call it. */
export const focusedName = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });

/** Waits until the focus is on the element of a name. */
export const hasFocus = (page, name, what) => eventually(() => focusedName(page), name, what);

/** The text on the clipboard, waited for: copying is asynchronous. */
export const copied = (page, expected) =>
  eventually(() => page.evaluate(() => navigator.clipboard.readText()), expected, "the clipboard");

/** Slows messages to workers, each by up to a tenth of a second, in their order. Runs in the page. */
function slowWorkers() {
  const post = Worker.prototype.postMessage;
  const due = new WeakMap();
  Worker.prototype.postMessage = function (message, transfer = []) {
    // Taken now, as the real one does: the sender may change or hand over the message afterwards.
    const taken = structuredClone(message, { transfer });
    const at = Math.max(due.get(this) ?? 0, performance.now() + Math.random() * 100);
    due.set(this, at);
    setTimeout(() => post.call(this, taken), at - performance.now());
  };
}

/** The way to each slow page's processor. */
const throttles = new WeakMap();

/** Does something of our own in a page, which nobody has to wait for longer on a slow day. */
async function atFullSpeed(page, work) {
  const throttle = throttles.get(page);
  await throttle?.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  try {
    return await work();
  } finally {
    await throttle?.send("Emulation.setCPUThrottlingRate", { rate: slowness });
  }
}

/**
 * Opens each further page of a context in a window of its own. As a tab of the first page's window it would hide that
 * page, and a hidden page draws once a second: each press of one of its buttons would wait for two of its frames.
 */
function inWindows(browser, context) {
  const openFirst = context.newPage.bind(context);
  let browserContextId;
  context.newPage = async () => {
    if (browserContextId === undefined) {
      const first = await openFirst();
      // Asked for at once: a page that has crashed meanwhile would not answer.
      const session = await context.newCDPSession(first);
      ({ browserContextId } = (await session.send("Target.getTargetInfo")).targetInfo);
      await session.detach();
      return first;
    }
    const session = await browser.newBrowserCDPSession();
    const opened = context.waitForEvent("page");
    await session.send("Target.createTarget", { url: "about:blank", browserContextId, newWindow: true });
    const page = await opened;
    await session.detach();
    return page;
  };
}

/** Makes every page of a context slow, when that was asked for. */
async function slowDown(context) {
  if (slowness === 1) return;
  await context.addInitScript(slowWorkers);
  const open = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await open();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowness });
    throttles.set(page, session);
    return page;
  };
}

/** The server and the browser of a process: files that are run together (`together/`) share them and their tabs. */
let shared;

/** Starts the server and the browser for files of tests; both are held until the end of their process. */
export const withBrowser = () => (shared ??= startBrowser());

function startBrowser() {
  const started = { url: "", browser: null };
  before(async () => {
    started.url = (await serve(site)).url;
    started.browser = await chromium.launch({ executablePath, args: flags, timeout: patience });
    hold(() => started.browser.close());
  });

  /** A profile of its own: a context with empty storage, and how to open the page in it, or another of the site. */
  const visit = async (options = {}) => {
    // Nothing that moves, so that colours are measured as they stay.
    const context = await started.browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
      serviceWorkers: "block",
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(patience);
    inWindows(started.browser, context);
    await slowDown(context);
    const open = ({ path = "", ...more } = {}) => Page.open(context, new URL(path, started.url).href, more);
    return { context, open, close: () => context.close() };
  };

  /** The tabs that tests stay in, by the options of their visits; a test that has not closed its stay has none here. */
  const tabs = new Map();
  /**
   * A visit of the playground for tests that leave no more behind than data, results, scripts and open dialogs: the
   * tests of a process that stay with the same options have one tab, and each finds it without data and results. A test of
   * what is kept, of the page's start or its other tabs, or one that changes settings, makes a `visit`.
   */
  const stay = async (options = {}) => {
    const key = JSON.stringify(options);
    let tab = tabs.get(key);
    // Taken out until the test has ended well: the next one after a failure begins in a tab of its own.
    tabs.delete(key);
    if (tab === undefined) {
      const visited = await visit(options);
      tab = { context: visited.context, page: await visited.open() };
    } else await tab.page.beginAnew(options);
    const close = async () => void tabs.set(key, tab);
    return { context: tab.context, open: async () => tab.page, close };
  };

  /** Tabs that are lent, by the options of their visits. */
  const lent = new Map();
  /**
   * A tab for pages that keep nothing but in `localStorage`: snippets, courses and labs, which have their data in
   * memory. It is given back by `close`, and the next test with the same options loads its page into the same tab.
   * `tab` is the tab itself; `open` opens a page of the site in it, and further ones in tabs beside it.
   */
  const lend = async (options = {}) => {
    const key = JSON.stringify(options);
    let visited = lent.get(key);
    lent.delete(key);
    if (visited === undefined) {
      const { context } = await visit(options);
      visited = { context, tab: await context.newPage() };
    } else {
      await visited.tab.emulateMedia({ colorScheme: options.colorScheme ?? null });
      await visited.tab.setViewportSize(options.viewport ?? { width: 1440, height: 900 });
    }
    const { context, tab } = visited;
    let isFree = true;
    const open = async ({ path = "", ...more } = {}) => {
      const page = isFree ? tab : await context.newPage();
      isFree = false;
      return Page.over(page, new URL(path, started.url).href, more);
    };
    const close = async () => {
      for (const page of context.pages()) if (page !== tab) await page.close();
      await context.unrouteAll({ behavior: "ignoreErrors" });
      await tab.evaluate(() => localStorage.clear());
      tab.removeAllListeners();
      await tab.goto("about:blank");
      lent.set(key, visited);
    };
    return { context, tab, open, close };
  };
  return { visit, stay, lend };
}

/** A text without white space, to compare an editor's lines with a script. */
const bare = (text) => text.replace(/\s+/g, "");

/** One tab with the playground in it. */
export class Page {
  constructor(page) {
    this.page = page;
    /** Everything the browser complained of. */
    this.complaints = [];
    /** How many runs there were before the test that stays in this tab: runs are counted from here on. */
    this.begun = 0;
  }

  static async open(context, url, options) {
    return Page.over(await context.newPage(), url, options);
  }

  /** Opens an address in a tab. */
  static async over(page, url, { ready = true } = {}) {
    const self = new Page(page);
    page.on("pageerror", (error) => self.complaints.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") self.complaints.push(`console: ${message.text()}`);
    });
    await page.goto(url);
    if (ready) await self.isOpen();
    return self;
  }

  /** Waits until the engine is open: the badge tells where the data is. */
  async isOpen() {
    await this.page.locator("[data-storage]:not([data-storage=opening])").waitFor();
    // And until the results that were kept over a reload are there.
    await this.page.locator("page-results .leaves[aria-busy=false]").waitFor({ state: "attached" });
  }

  /** Loads the page anew and waits until it is open. */
  async reload() {
    await this.page.reload();
    await this.isOpen();
  }

  /**
   * Takes away what a test has left in this tab: dialogs, data, results, the chosen view of documents. `options` are
   * those of its visit.
   */
  async beginAnew({ viewport = { width: 1440, height: 900 }, colorScheme = null } = {}) {
    const dialogs = this.page.locator("dialog[open]");
    if ((await dialogs.count()) > 0) await this.page.keyboard.press("Escape");
    await isGone(dialogs);
    await this.page.emulateMedia({ colorScheme });
    await this.page.setViewportSize(viewport);
    // In a narrow window one part of the page is shown at a time.
    const bar = this.page.getByRole("navigation").getByRole("button", { name: "Script", exact: true });
    const toScript = async () => ((await bar.isVisible()) ? bar.click() : undefined);
    await toScript();
    await this.succeed(
      'use test\nfor (const name of db.getMongo().getDBNames()) if (!["admin", "config", "local"].includes(name)) db.getSiblingDB(name).dropDatabase();\n[{ n: 1 }]',
    );
    // The page remembers the view that a test chose: each begins with the first one.
    const tree = this.newest.locator(".views").getByRole("button", { name: "Tree" });
    await tree.waitFor();
    if ((await tree.getAttribute("aria-pressed")) !== "true") await tree.click();
    await eventually(() => tree.getAttribute("aria-pressed"), "true", "the view of documents");
    this.begun += await this.runs();
    await this.button("Clear", { exact: true }).click();
    await isGone(this.page.locator("page-leaf"));
    await toScript();
    this.complaints.length = 0;
  }

  get editor() {
    return this.page.locator("page-editor .cm-content");
  }

  get newest() {
    return this.page.locator("page-leaf article").first();
  }

  get storage() {
    return this.page.locator("[data-storage]");
  }

  button(name, options) {
    return this.page.getByRole("button", { name, ...options });
  }

  dialog(name) {
    return this.page.getByRole("dialog", { name });
  }

  /** Presses a key once the focus is where it was said to be. */
  async press(key, focus) {
    if (focus !== undefined) await this.focusIs(focus);
    await this.page.keyboard.press(key);
  }

  /** Waits until the focus is on the element of a name. */
  focusIs(name, what) {
    return hasFocus(this.page, name, what);
  }

  /** Puts a script into the editor, as a paste would. */
  async write(script) {
    await this.editor.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(script);
    // Of a long script only the surroundings of the cursor are drawn, which is at its end.
    await this.scriptIs((text) => bare(text).endsWith(bare(script).slice(-200)));
  }

  /** Waits until the script in the editor is as expected (`eventually`), without white space around it. */
  scriptIs(expected) {
    return eventually(async () => (await this.editor.innerText()).trim(), expected, "the script");
  }

  /** Waits until the tabs have these titles. */
  tabsAre(titles) {
    return eventually(
      async () => (await this.page.getByRole("tab").allInnerTexts()).map((text) => text.replace("×", "").trim()),
      titles,
      "the tabs",
    );
  }

  /** Waits until the tab of a title is the open one. */
  openTabIs(title) {
    return eventually(
      async () => (await this.page.getByRole("tab", { selected: true }).innerText()).replace("×", "").trim(),
      title,
      "the open tab",
    );
  }

  /** How many runs there have been, of those that are shown. */
  async runs() {
    const leaf = this.page.locator("page-leaf").first();
    if ((await leaf.count()) === 0) return 0;
    // After a reload a leaf stands there before the code that draws it has come.
    return Number((await leaf.locator(".folio").textContent()).replaceAll(",", "")) - this.begun;
  }

  /** Presses Run and does not wait. */
  async pressRun() {
    await this.page.getByRole("button", { name: /^(Run|Run selection|运行|运行所选)$/ }).click();
  }

  /** Presses Stop, and waits until the script has ended by it. */
  async stop() {
    await this.button("Stop").click();
    await this.shows("You stopped the script.");
  }

  /** Writes and runs a script and waits until it has ended. */
  async run(script) {
    const before = await this.runs();
    if (script !== undefined) await this.write(script);
    await this.pressRun();
    await this.ended(before + 1);
  }

  /**
   * Waits until run `number` has ended. Its printed lines and its error are drawn in the same step as the button waited
   * for.
   */
  async ended(number) {
    const leaf = this.page.locator("page-leaf").first();
    await leaf.locator(".folio", { hasText: new RegExp(`^${this.begun + number}$`) }).waitFor();
    await leaf.getByRole("button", { name: /^(Remove|移除)/ }).waitFor();
  }

  /** Waits until the newest run shows a text, by `getByText`'s rules. */
  async shows(text, options) {
    await this.newest.locator(".body").getByText(text, options).first().waitFor();
  }

  /** The printed lines of the newest run, which has ended; its statements' lines lie apart. */
  async printed() {
    return (await this.newest.locator(".printed").allInnerTexts()).join("\n");
  }

  /**
   * The error of the newest run, which has ended, or an empty string. The sentence that takes its place comes with code
   * that is fetched, and is waited for: `eventually`.
   */
  async error() {
    const message = this.newest.locator(".error .message");
    return (await message.count()) === 0 ? "" : await message.innerText();
  }

  /** Runs a script which must not fail. */
  async succeed(script) {
    await this.run(script);
    assert.equal(await this.error(), "", script);
  }

  /** Runs a script which must not fail, and gives its printed lines. */
  async print(script) {
    await this.succeed(script);
    return (await this.printed()).trim();
  }

  /** Opens the dialog for imports. */
  async openImport() {
    await this.button("Add data").click();
    await this.page.getByRole("menuitem", { name: "Import…" }).click();
  }

  /** Gives the dialog for imports, which is open, files: a name and a content each. */
  async giveFiles(...files) {
    const dialog = this.dialog("Import files");
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      dialog.getByRole("button", { name: "Choose files" }).click(),
    ]);
    await chooser.setFiles(
      files.map(([name, content]) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) })),
    );
    return dialog;
  }

  /** Asserts that the deployment says it is saved, waiting for the last flush. */
  async isSaved() {
    // With the reason, which a failure then tells.
    await eventually(
      () => this.storage.evaluate((badge) => [badge.dataset.storage, badge.title]),
      ([state]) => state === "saved",
      "the badge",
    );
  }

  /** Points at something until its hint is there: a line that is drawn anew has to be pointed at again. */
  async pointsOut(what, told) {
    await eventually(async () => {
      await this.page.mouse.move(0, 0);
      await what.hover();
      await told.waitFor({ timeout: 10_000 });
    }, undefined);
  }

  /**
   * Asserts that axe finds nothing, in every shadow root. The view must be there already. `rules`: these rules alone.
   */
  async isAccessible(what, rules) {
    if (!(await this.page.evaluate(() => "axe" in globalThis))) await this.page.evaluate(axeSource);
    // Style sheets are read ahead for one rule alone, which is off.
    const options = { resultTypes: ["violations"], preload: false, ...(rules === undefined ? {} : { runOnly: rules }) };
    const violations = () =>
      this.page.evaluate(
        async (given) =>
          (await globalThis.axe.run(given)).violations.map(({ id, nodes }) => ({
            id,
            nodes: nodes.map((node) => `${node.target.join(" ")}: ${node.failureSummary}`),
          })),
        options,
      );
    // While a page is still drawing it may have faults that go away.
    await eventually(() => atFullSpeed(this.page, violations), [], what);
  }

  /**
   * The same in light and in dark, which it stays: every rule in light, and in dark those that look at colours. `look`
   * does something more in each. `darkIsSeen`: the same elements were looked at in dark elsewhere, in another width.
   */
  async isAccessibleInBoth(what, look = async () => {}, { darkIsSeen = false } = {}) {
    for (const colorScheme of ["light", "dark"]) {
      await this.page.emulateMedia({ colorScheme });
      const isSeen = darkIsSeen && colorScheme === "dark";
      if (!isSeen)
        await this.isAccessible(`${what}, ${colorScheme}`, colorScheme === "dark" ? COLOUR_RULES : undefined);
      await look(colorScheme);
    }
  }

  /** Waits until nothing sticks out to the side. */
  async fits(what) {
    await eventually(
      () => this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]),
      ([content, window]) => content <= window,
      what,
    );
  }

  /** Asserts that the browser had nothing to complain of: no error, nothing refused by the policy, no missing file. */
  isQuiet() {
    assert.deepEqual(this.complaints, []);
  }
}
