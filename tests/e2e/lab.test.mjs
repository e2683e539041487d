/**
 * Labs: one in each language is opened and run: its figures are those of its table, its text and its charts
 * (`web/test/labs.test.ts` reads and runs all of them, in Node). Scripts are changed, the scale is moved, a run is
 * stopped, and labs are given away as files and links.
 *
 * Invariant: nothing here knows a lab: the scripts to run and the outcomes to expect are read from the labs' own files.
 * `LAB` names one lab to run alone, or `all`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { copied, counts, eventually, Page, phone, withBrowser } from "./browser.mjs";
import { lookAround, picture } from "./pictures.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const folder = fileURLToPath(new URL("../../web/labs", import.meta.url));
/** The lab that is run in each language. */
const run = { en: "carts", "zh-Hans": "categories" };
const read = (...names) => readFileSync(join(folder, ...names), "utf8");
const labs = JSON.parse(read("labs.json"));
const { LAB } = process.env;

/** The designs and operations of a lab's scripts. */
function partsOf(id) {
  const found = [...read(id, "scripts.md").matchAll(/^`{3,}js (design|read|write) (\S+)(?: (\S+))?$/gm)];
  const designs = found.filter(([, kind]) => kind === "design").map(([, , design]) => design);
  const operations = [...new Set(found.filter(([, kind]) => kind !== "design").map(([, , name]) => name))];
  return { designs, operations };
}

/** A lab's page with one lab read. */
class LabPage {
  static async open({ open }, query) {
    const self = new LabPage();
    self.tab = await open({ path: `lab.html?${query}`, ready: false });
    self.page = self.tab.page;
    await self.isRead();
    return self;
  }

  /** Loads the page with another lab, in the same tab. */
  async goTo(query) {
    await this.page.goto(new URL(`?${query}`, this.page.url()).href);
    await this.isRead();
  }

  async isRead() {
    await this.page.locator(".lab[data-lab], quire-lab-view > .failure").first().waitFor();
  }

  get lab() {
    return this.page.locator(".lab[data-lab]");
  }

  async isDone() {
    await eventually(() => this.lab.getAttribute("data-busy"), "false", "the run");
  }

  /** Runs to the end at the chosen scale. */
  async run(n) {
    await this.page.locator(".controls .run").click();
    await this.page.locator(`.results [data-operation] td[data-value]`).first().waitFor();
    await this.isDone();
    await this.page.locator(".controls .status", { hasText: `n = ${n}` }).waitFor();
  }

  figure(operation, name, design) {
    const group = operation === null ? "tbody:not([data-operation])" : `tbody[data-operation="${operation}"]`;
    return this.page
      .locator(`.figures ${group} tr[data-figure="${name}"] td[data-design="${design}"]`)
      .getAttribute("data-value")
      .then(Number);
  }

  /** Opens the scripts of a design or operation. */
  async openScripts(key) {
    const details = this.page.locator(`details[data-scripts="${key}"]`);
    if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
    await details.locator("quire-lab-script").first().waitFor();
  }

  async write(script, source) {
    const element = this.page.locator(`quire-lab-script[data-script="${script}"]`);
    await element.locator(".code").click();
    await element.locator(".cm-content").click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(source);
    await eventually(() => element.evaluate((one) => one.source), source, script);
  }

  async choose(index) {
    await this.page.locator("#scale").evaluate((slider, at) => {
      slider.value = String(at);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      slider.dispatchEvent(new Event("change", { bubbles: true }));
    }, index);
  }
}

for (const language of ["en", "zh-Hans"]) {
  test(`labs are shown, and say what they measured: ${language}`, async (t) => {
    const profile = await visit();
    // One tab for all: a tab's start takes longer than a lab's.
    let lab = null;
    for (const id of LAB === undefined ? [run[language]] : labs.filter((one) => LAB === "all" || LAB === one))
      await t.test(id, async () => {
        const query = `lab=${id}&n=200&lang=${language}`;
        if (lab === null) lab = await LabPage.open(profile, query);
        else await lab.goTo(query);
        const { page, tab } = lab;
        const { designs, operations } = partsOf(id);
        await counts(page.locator(".design"), designs.length);
        await counts(page.locator(".operations > .operation"), operations.length);
        await tab.isAccessible(`${id} at first`);
        await lab.run("200");
        assert.equal(await page.locator(".failure, .failed, .figure.waits").count(), 0);
        // Every design has every figure, and a chart for each operation and the data.
        for (const design of designs) assert.ok((await lab.figure(null, "documents", design)) > 0);
        await counts(page.locator(".charts figure"), operations.length + 1);
        await counts(page.locator(".charts figure svg .line"), designs.length * (operations.length + 1));
        // Two scales are measured: the tenfold steps below the chosen one, and that.
        await counts(page.locator(".charts figure").first().locator("tbody tr"), 2);
        // The text's numbers are those of the table.
        const said = await page
          .locator(".conclusion .figure")
          .evaluateAll((all) => all.map((one) => ({ name: one.dataset.figure.split("|")[0], text: one.innerText })));
        assert.ok(said.length > 0);
        for (const { name, text } of said) {
          const [design, ...path] = name.split(".");
          if (path.length !== 2) continue;
          const value = await lab.figure(path[0], path[1], design).catch(() => null);
          if (value !== null) assert.match(text.replaceAll(",", ""), new RegExp(`^${value}(?!\\d)`), name);
        }
        for (const key of await page
          .locator("details[data-scripts]")
          .evaluateAll((all) => all.map((one) => one.dataset.scripts)))
          await lab.openScripts(key);
        await page.locator(".charts details summary").first().click();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await lookAround(tab, `lab-${id}-${language}`);
        assert.deepEqual(tab.complaints, []);
      });
    await profile.close();
  });
}

test("a lab is changed, measured again, put back, saved, opened and shared", async () => {
  const profile = await visit({ acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] });
  // The playground leads to the labs.
  const playground = await profile.open();
  await playground.button("Examples").click();
  await playground.page.locator("page-header").getByRole("link", { name: "Model lab" }).click();
  await playground.page.locator(".lab[data-lab]").waitFor();
  await playground.page.close();

  const lab = await LabPage.open(profile, "lab=carts&n=100");
  const { page, tab } = lab;
  await lab.run("100");
  assert.equal(await lab.figure("rename", "documentsWritten", "referenced"), 1);
  // The figures are told as those of other scripts, until the lab is measured again.
  await lab.openScripts("operation rename");
  await lab.write("rename referenced", 'db.products.updateMany({ _id: { $gte: 35 } }, { $set: { name: "renamed" } })');
  await page.locator("[data-stale]").waitFor();
  await lab.run("100");
  await counts(page.locator("[data-stale]"), 0);
  assert.equal(await lab.figure("rename", "documentsWritten", "referenced"), 15);
  // The designs do not do the same work any more.
  await page.locator("[data-differs] li").first().waitFor();

  // A script that fails stands at its design, with its place; the other design is measured.
  await lab.openScripts("design embedded");
  const failed = page.locator("[data-design=embedded] [data-faults]");
  await lab.write("design embedded", "db.carts.insertOne({ _id: 1 ]");
  await page.keyboard.press("Control+Enter");
  await eventually(() => failed.innerText(), /Unexpected \]$/);
  await page.locator("quire-lab-script[data-script='design embedded'] .error", { hasText: "Unexpected ]" }).waitFor();
  await lab.isDone();
  await lab.write("design embedded", "db.carts.insertOne({ _id: 1 });\ndb.carts.insertOne({ _id: 1 })");
  await page.keyboard.press("Control+Enter");
  await failed.getByText("E11000").waitFor();
  await lab.isDone();
  await eventually(() => failed.innerText(), /E11000/);
  await page.locator("quire-lab-script[data-script='design embedded'] .place", { hasText: "line 2" }).click();
  assert.equal(await page.locator(".figures td.failed").count(), 6 + 4 + 6);
  assert.equal(await lab.figure(null, "documents", "referenced"), 150);
  // The text, which lacks figures now, gives way to sentences with those there are.
  await counts(page.locator(".conclusion .figure"), 0);
  assert.match(await page.locator(".conclusion").innerText(), /^The cart page: Pages read: Referenced \d+\./);
  await tab.isAccessible("a design that failed");
  // Escape leaves the editor for Run.
  await page.keyboard.press("Escape");
  await tab.focusIs("Run", "after the editor");

  const link = page.locator("#share");
  await link.click();
  const address = await copied(page, /lab\.html\?lang=en&n=100#q1\./);
  const download = page.waitForEvent("download");
  await page.locator("#save").click();
  const file = await (await download).path();
  assert.equal((await download).suggestedFilename(), "carts.lab.json");
  const saved = readFileSync(file, "utf8");
  assert.match(JSON.parse(saved).files["scripts.md"], /insertOne\(\{ _id: 1 \}\);\ndb\.carts\.insertOne/);

  await page.locator("#reset").click();
  await counts(page.locator("#reset"), 0);
  await lab.run("100");
  assert.equal(await lab.figure("rename", "documentsWritten", "referenced"), 1);
  await counts(page.locator("[data-faults], [data-differs], .failed"), 0);

  const open = (contents, name = "a.lab.json") =>
    page.locator("#open").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(contents) });
  await open("{}");
  await page.locator(".tools .note", { hasText: "This file holds no lab" }).waitFor();
  assert.equal(await page.locator(".results").count(), 1);
  await open(saved.replace("# Carts: embedded or referenced", "# My own"));
  await page.getByRole("heading", { name: "My own" }).waitFor();
  assert.equal(await page.locator(".results").count(), 0);

  // A link runs nothing by itself, and opens in another browser with the scripts as they were.
  const other = await visit();
  const shared = await other.open({ path: address, ready: false });
  await shared.page.locator(".lab[data-lab=carts]").waitFor();
  assert.equal(await shared.page.locator(".results").count(), 0);
  assert.equal(await shared.page.workers().length, 0);
  assert.equal(await shared.page.locator("#scale-shown").innerText(), "n = 100");
  assert.match(
    await shared.page.locator("quire-lab-script[data-script='design embedded']").evaluate((one) => one.source),
    /insertOne\(\{ _id: 1 \}\)/,
  );
  await shared.page.getByRole("link", { name: "A movie and its details" }).click();
  await shared.page.locator(".lab[data-lab=movies]").waitFor();
  await shared.page.goBack();
  await shared.page.locator(".lab[data-lab=carts]").waitFor();
  await shared.page.goto(address.replace(/#q1\..*/, "#q1.abc"));
  await shared.page.reload();
  await shared.page.locator(".unknown").waitFor();
  await other.close();
  assert.deepEqual(tab.complaints, []);
  await profile.close();
});

test("the scale is moved, a run stopped, and the language changed meanwhile", async () => {
  const profile = await visit({ colorScheme: "dark" });
  const lab = await LabPage.open(profile, "lab=carts");
  const { page, tab } = lab;
  // By keys alone: the scale first, then Run.
  await page.locator("#scale").focus();
  await page.keyboard.press("Home");
  await eventually(() => page.locator("#scale").getAttribute("aria-valuetext"), "n = 100");
  assert.equal(await page.locator(".results").count(), 0);
  await page.keyboard.press("Tab");
  await tab.press("Enter", "Run");
  await page.locator(".results .conclusion").waitFor();
  await lab.isDone();
  // Where figures are shown, another scale is measured at once, and the chart has one more point.
  await lab.choose(3);
  await eventually(() => lab.figure(null, "documents", "embedded").catch(() => 0), 1050);
  await lab.isDone();
  await counts(page.locator(".charts figure").first().locator("tbody tr"), 2);
  assert.equal(await page.locator(".charts figure").nth(2).locator(".line").first().locator(".dot").count(), 2);
  // Back to one that was measured: its figures are there again.
  await lab.choose(0);
  await eventually(() => lab.figure(null, "documents", "embedded"), 150);
  assert.equal(await lab.lab.getAttribute("data-busy"), "false");
  await page.locator("#figure").selectOption("documentsExamined");
  await page.locator("figure[data-growth=cart] figcaption", { hasText: "Documents examined" }).waitFor();

  // A design that never ends is stopped; the figures of earlier runs stay.
  await lab.openScripts("design embedded");
  await lab.write("design embedded", "while (true);");
  await page.locator(".controls .run").click();
  await page.locator(".controls .run.busy").waitFor();
  await page.getByRole("button", { name: "简体中文" }).click();
  await page.locator(".lab[lang=zh-Hans][data-busy=true]").waitFor();
  await page.locator(".controls .run.busy").click();
  await lab.isDone();
  await eventually(() => page.workers().length, 0, "engines");
  await page.getByRole("button", { name: "English" }).click();
  await page.locator("#reset").click();
  await lab.run("100");
  await counts(page.locator("[data-faults], .failed"), 0);
  await tab.isAccessible("dark");
  assert.deepEqual(tab.complaints, []);
  await profile.close();
});

test("a phone shows six designs and what they cost", async () => {
  const profile = await visit({ ...phone, colorScheme: "dark" });
  const most = labs.toSorted((left, right) => partsOf(right).designs.length - partsOf(left).designs.length)[0];
  const lab = await LabPage.open(profile, `lab=${most}&n=100&lang=zh-Hans`);
  await lab.run("100");
  assert.ok(await lab.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  // The list of labs is a line here, which shows the open one.
  const place = await lab.page.locator("nav [aria-current]").boundingBox();
  assert.ok(place.x >= 0 && place.x + Math.min(place.width, 100) <= phone.viewport.width);
  await lab.tab.isAccessible("a phone");
  await picture(lab.page, "lab-phone", { fullPage: true });
  assert.deepEqual(lab.tab.complaints, []);
  await profile.close();
});

test("a lab runs without a network", async () => {
  const profile = await visit({ serviceWorkers: "allow" });
  const playground = await profile.open();
  await playground.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await playground.page.reload();
  await eventually(() => playground.page.evaluate(() => navigator.serviceWorker.controller !== null), true);
  await profile.context.setOffline(true);
  const { page } = playground;
  await page.goto(new URL("lab.html?lab=movies&n=100&lang=zh-Hans", page.url()).href);
  const lab = new LabPage();
  lab.page = page;
  await lab.isRead();
  await lab.run("100");
  await lab.openScripts("operation list");
  assert.equal(await page.locator(".failure, .failed").count(), 0);
  await profile.close();
});

test("the package shows a lab in any page", async () => {
  const site = mkdtempSync(join(tmpdir(), "quire-lab-"));
  cpSync(fileURLToPath(new URL("../../pkg/site", import.meta.url)), join(site, "quiredb"), { recursive: true });
  cpSync(join(folder, "carts"), join(site, "carts"), { recursive: true });
  writeFileSync(
    join(site, "index.html"),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>A lab</title><main><h1>Mine</h1>
      <quire-lab src="./carts/lab.json" scale="100"></quire-lab></main>
      <script type="module" src="./quiredb/lab.js"></script></html>`,
  );
  const host = await serve(site);
  const profile = await visit();
  const lab = new LabPage();
  lab.page = await profile.context.newPage();
  lab.tab = new Page(lab.page);
  await lab.page.goto(`${host.url}index.html`);
  await lab.isRead();
  await lab.run("100");
  assert.equal(await lab.figure("rename", "documentsWritten", "referenced"), 1);
  await lab.tab.isAccessible("a lab in a page");
  await lab.page.evaluate(() => document.querySelector("quire-lab").setAttribute("lang", "zh-Hans"));
  await lab.page.getByRole("heading", { name: "购物车：嵌入还是引用" }).waitFor();
  assert.equal(await lab.page.locator("#share").count(), 1);
  await lab.page.evaluate(() => document.querySelector("quire-lab").setAttribute("page", ""));
  await counts(lab.page.locator("#share"), 0);
  await lab.page.evaluate(() => document.querySelector("quire-lab").setAttribute("src", "./gone/lab.json"));
  await lab.page.locator(".failure[role=alert]", { hasText: "404" }).waitFor();
  // A lab's single file needs nothing beside it.
  await lab.page.evaluate(
    ([scripts, text]) => {
      const files = { "scripts.md": scripts, "en.md": text.replace(/^## conclusion[\s\S]*/m, "") };
      document.querySelector("quire-lab").file = JSON.stringify({ quireLab: 1, id: "mine", languages: ["en"], files });
    },
    [read("carts", "scripts.md"), read("carts", "en.md")],
  );
  await lab.page.locator(".lab[data-lab=mine]").waitFor();
  // Where its text concludes nothing, the figures are worded.
  await lab.run("100");
  const [looked, written] = [
    await lab.figure("cart", "pagesRead", "embedded"),
    await lab.figure("rename", "pagesWritten", "embedded"),
  ];
  const says = await lab.page.locator(".conclusion p").allInnerTexts();
  assert.equal(says.length, 2);
  assert.match(says[0], new RegExp(`^The cart page: Pages read: Embedded ${looked}, Referenced \\d+\\.$`));
  assert.match(says[1], new RegExp(`^A product is renamed: Pages written: Embedded ${written}, `));
  const { modules } = JSON.parse(readFileSync(new URL("../../pkg/npm/custom-elements.json", import.meta.url), "utf8"));
  const [declared] = modules.find(({ path }) => path === "dist/lab.js").declarations;
  assert.deepEqual(
    declared.attributes.map(({ name }) => name).sort(),
    (await lab.page.evaluate(() => customElements.get("quire-lab").observedAttributes)).toSorted(),
  );
  await profile.close();
  rmSync(site, { recursive: true, force: true });
});
