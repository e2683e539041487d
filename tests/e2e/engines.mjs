/**
 * Chromium, Firefox and WebKit behind one small interface, for promises that hold in each of them: open a tab, ask its
 * page, click.
 *
 * Invariants: each browser starts with empty storage. Firefox and WebKit are nobody's duty: `FIREFOX` and
 * `WEBKIT_DRIVER` name them, or they are looked for where systems have them, and where one is missing its tests say so
 * and are skipped.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, executablePath, flags, patience } from "./browser.mjs";
import { hold } from "./held.mjs";
import { missing, startWebKit } from "./webkit.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));

const places = [
  process.env.FIREFOX,
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
];
/** The Firefox there is, or undefined. */
export const firefoxPath = places.find((path) => path !== undefined && existsSync(path));

/** A tab over a page of puppeteer's or playwright's. */
class Tab {
  #page;
  /** Texts that the page's console reported as errors. */
  errors = [];

  constructor(page) {
    this.#page = page;
    page.on("console", (message) => message.type() === "error" && this.errors.push(message.text()));
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  async goto(url) {
    await this.#page.goto(url);
  }
  async reload() {
    await this.#page.reload();
  }
  evaluate(expression) {
    return this.#page.evaluate(`(async () => (${expression}))()`);
  }
  async click(expression) {
    const element = (await this.#page.evaluateHandle(expression)).asElement();
    if (element === null) return false;
    await element.click();
    return true;
  }
  async close() {
    await this.#page.close();
  }
}

async function startChromium() {
  const browser = await require("playwright-core").chromium.launch({ executablePath, args: flags, timeout: patience });
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    serviceWorkers: "block",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(patience);
  return { tab: async () => new Tab(await context.newPage()), close: hold(() => browser.close()) };
}

/** Firefox, as puppeteer drives it: `browser` is puppeteer's own. Downloads go into the folder `downloads`. */
async function startFirefox() {
  const downloads = mkdtempSync(join(tmpdir(), "quire-firefox-"));
  const browser = await require("puppeteer-core").launch({
    browser: "firefox",
    executablePath: firefoxPath,
    headless: true,
    timeout: patience,
    protocolTimeout: patience,
    extraPrefsFirefox: {
      "intl.accept_languages": "en-GB",
      "browser.download.folderList": 2,
      "browser.download.dir": downloads,
      "browser.download.useDownloadDir": true,
      "ui.prefersReducedMotion": 1,
      // The engine is compiled once for each tab: compiling it again, better, takes more than all that the tests run.
      "javascript.options.wasm_optimizingjit": false,
      "dom.ipc.processPrelaunch.enabled": false,
    },
  });
  const close = hold(async () => {
    await browser.close();
    rmSync(downloads, { recursive: true, force: true });
  });
  return { browser, downloads, tab: async () => new Tab(await browser.newPage()), close };
}

/**
 * Every browser: its name, why it is skipped (or false), how it is started (WebKit with variables, if any), and
 * `shared`, which gives the one that all tests of a file share.
 */
export const engines = [
  { name: "Chromium", skip: false, start: startChromium },
  {
    name: "Firefox",
    skip: firefoxPath === undefined ? "no Firefox is installed (FIREFOX names one)" : false,
    start: startFirefox,
  },
  { name: "WebKit", skip: missing, start: (variables) => startWebKit(patience, variables) },
].map((engine) => {
  let started;
  return { ...engine, shared: () => (started ??= engine.start()) };
});

/** Elements of any shadow root by selector and by name or text. Runs in a page. */
export function found(selector, name) {
  const textOf = (root) =>
    [...root.childNodes]
      .map((node) =>
        node.nodeType === 3
          ? node.data
          : node.nodeType !== 1 || node.localName === "style"
            ? ""
            : textOf(node.shadowRoot ?? node),
      )
      .join("");
  const all = (root) =>
    [...root.querySelectorAll("*")].flatMap((element) => [
      ...(element.matches(selector) ? [element] : []),
      ...(element.shadowRoot === null ? [] : all(element.shadowRoot)),
    ]);
  return all(document).filter(
    (element) =>
      name === null ||
      (element.getAttribute("aria-label") ?? "") === name ||
      textOf(element.shadowRoot ?? element).includes(name),
  );
}

/** An expression for the first element of a selector that a name or text belongs to and that can be seen, or null. */
export const firstOf = (selector, name = null) =>
  `(${found})(${JSON.stringify(selector)}, ${JSON.stringify(name)}).find((element) => element.checkVisibility()) ?? null`;

/** Asks a page: the function runs there, with arguments that JSON holds; so does its result. */
export const ask = (tab, question, ...given) => tab.evaluate(`(${question})(...${JSON.stringify(given)})`);

/** The texts of all elements of a selector, for the message of a failure. Runs in a page. */
const texts = (elements) =>
  elements.map((element) => (element.shadowRoot ?? element).textContent.replace(/\s+/g, " ").slice(0, 500));

/** Waits until a page shows an element; fails with the page's text. */
export const shows = (tab, selector, name = null) => {
  const instead = `(${texts})((${found})(${JSON.stringify(selector)}, null))`;
  return eventually(
    () => tab.evaluate(`(${firstOf(selector, name)}) !== null || ${instead}`),
    true,
    `${selector} ${name ?? ""}`,
  );
};

/** Clicks an element once it is there. */
export const press = (tab, selector, name = null) =>
  eventually(() => tab.click(firstOf(selector, name)), true, `${selector} ${name ?? ""}`);

/** Puts a script into the playground's editor, as a paste would. */
export async function write(tab, script) {
  await press(tab, ".cm-content");
  const typed = async (text) => {
    const editor = globalThis.__editor;
    editor.focus();
    document.getSelection().selectAllChildren(editor);
    document.execCommand("insertText", false, text);
    return editor.innerText.replace(/\s+/g, "");
  };
  const editor = firstOf(".cm-content");
  await eventually(
    () => tab.evaluate(`(globalThis.__editor = ${editor}, (${typed})(${JSON.stringify(script)}))`),
    script.replace(/\s+/g, ""),
    "the script",
  );
}

/** Notes errors, rejections and refusals by the policy from here on. Runs in a page. */
export function listen() {
  globalThis.complaints = [];
  const note = (text) => globalThis.complaints.push(String(text));
  addEventListener("error", (event) => note(event.message));
  addEventListener("unhandledrejection", (event) => note(event.reason));
  addEventListener("securitypolicyviolation", (event) => note(`${event.violatedDirective} ${event.blockedURI}`));
  const { error } = console;
  console.error = (...parts) => (note(parts.join(" ")), error(...parts));
  return null;
}
