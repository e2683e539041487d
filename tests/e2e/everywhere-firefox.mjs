/**
 * For `everywhere.test.mjs`: the playground beside running scripts, in Firefox, driven through WebDriver BiDi: tabs are
 * kept, a file comes in and goes out, a link opens without running, language and colours stay.
 *
 * Invariants: Firefox is nobody's duty (`engines.mjs`), and without one the tests say so and are skipped; the tests
 * share one tab and are run in their order.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { engines, found } from "./engines.mjs";
import { serve } from "./server.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { skip, shared } = engines.find(({ name }) => name === "Firefox");

let browser;
let downloads;
let site;
/** The playground's tab, which one test after the other goes on with. */
let page;

before(async () => {
  if (skip) return;
  site = await serve(here("../../web/dist/site"));
  ({ browser, downloads } = await shared());
  page = await open();
});

/**
 * Waits until an expression gives an element, and asks for it again and again from here: puppeteer's own waiting makes
 * a function of text in the page, which a strict policy forbids.
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
const one = (page, selector, name = null) =>
  handleOf(
    page,
    `(${found})(${JSON.stringify(selector)}, ${JSON.stringify(name)}).find((element) => element.checkVisibility()) ?? null`,
  );

const press = async (page, selector, name) => (await one(page, selector, name)).click();
const shows = (page, selector, text) => one(page, selector, text);
const counted = (page, selector, number) =>
  eventually(() => page.evaluate(`(${found})(${JSON.stringify(selector)}, null).length`), number);

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

test("Firefox: tabs and their scripts are kept over a reload", { skip }, async () => {
  await press(page, "button", "New script");
  await write(page, "print('the second tab')");
  await counted(page, "[role=tab]", 2);
  await eventually(() => page.evaluate(() => localStorage.getItem("quire.tabs")), /the second tab/);
  await page.reload();
  await shows(page, ".cm-content", "the second tab");
  await counted(page, "[role=tab]", 2);
});

test("Firefox: a file comes in by its dialog, and goes out as one", { skip }, async () => {
  const file = join(downloads, "mints.ndjson");
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
  const name = await eventually(
    () => readdirSync(downloads).find((each) => each.endsWith(".json")),
    (each) => each !== undefined,
    "the exported file",
  );
  await eventually(
    () => JSON.parse(readFileSync(join(downloads, name), "utf8")),
    [
      { _id: 1, latin: "Mentha spicata" },
      { _id: 2, latin: "Mentha × piperita" },
    ],
  );
});

test("Firefox: language and colours change at once and stay", { skip }, async () => {
  await press(page, "button", "简体中文");
  await one(page, "button.run", "运行");
  await eventually(() => page.evaluate(() => document.documentElement.lang), "zh-Hans");
  await press(page, "button", "配色：跟随系统。点击切换");
  await press(page, "button", "配色：浅色。点击切换");
  const look = () =>
    page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]);
  const dark = await eventually(look, ([theme]) => theme === "dark");
  await page.reload();
  await one(page, "button.run", "运行");
  await eventually(look, dark);
  await press(page, "button", "English");
  await one(page, "button.run", "Run");
});

test("Firefox: a link opens without running anything", { skip }, async () => {
  await write(page, "print('from afar')");
  await press(page, "button", "Share");
  const field = await one(page, "input[type=text]");
  const address = await eventually(() => field.evaluate((input) => input.value), /#q1\.[\w-]+$/);
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
