/**
 * The project of six releases: each waits for the one before and begins with its data; the card of the model, and the
 * page on which a teacher verifies files of it.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { eventually, withBrowser } from "./browser.mjs";
import { CoursePage, courses, scriptsOf } from "./course.mjs";
import { lookAround } from "./pictures.mjs";

const { visit } = withBrowser();
const { lessons } = courses.find(({ name }) => name === "capstone");

/** The work of a reader who gave the author's solution to each task. */
function solvedWork(name) {
  const worked = lessons.map(({ id }) => {
    const solutions = scriptsOf("capstone", id).filter(({ kind }) => kind === "solution");
    const log = solutions.map(({ id: task, source }) => ({ kind: "task", id: task, source, wrote: true }));
    return [id, { log, answers: {}, drafts: {}, passed: solutions.map(({ id: task }) => task), failed: {}, seen: [] }];
  });
  return { quireWork: 1, course: "capstone", name, lessons: Object.fromEntries(worked) };
}

test("releases follow one another on the same data, and end in a card that a teacher verifies", async () => {
  const profile = await visit({ acceptDownloads: true });
  const folder = mkdtempSync(join(tmpdir(), "quire-card-"));
  const tab = await profile.open({ path: "course.html?course=capstone&lesson=departments&lang=en", ready: false });
  const { page } = tab;
  await page.locator("[data-locked]").waitFor();
  await lookAround(tab, "capstone-locked");
  await page.locator("[data-locked] button").click();
  const lesson = Object.assign(new CoursePage(), { tab, page, context: profile });
  await page.locator("article[data-lesson=orders]").waitFor();
  await lesson.isReady();
  assert.equal(await page.locator("#reset").innerText(), "Start this release again");
  const tried = { wrongs: 0, passed: 0, pick: (wrongs) => wrongs.slice(0, 1) };
  await lesson.walk(scriptsOf("capstone", "orders"), tried);
  assert.equal(tried.passed, 2);
  // The next release has the orders that were made in this one.
  await page.locator("#next").click();
  await page.locator("article[data-lesson=departments]").waitFor();
  await lesson.isReady();
  await lesson.write("listing", "db.orders.countDocuments()");
  await lesson.script("listing").locator(".run").click();
  await eventually(
    () => lesson.script("listing").locator(".output").innerText(),
    (text) => text.includes("400"),
  );

  await page.evaluate((work) => localStorage.setItem("quire.course.capstone", JSON.stringify(work)), solvedWork("Ada"));
  await page.goto(new URL("?course=capstone&lesson=growth&lang=en#card", page.url()).href);
  await page.reload();
  const card = page.locator("article[data-page=card]");
  await card.locator("[data-card=costs]").waitFor();
  assert.deepEqual(
    await card.locator("[data-task]").evaluateAll((rows) => rows.map((row) => row.dataset.passes)),
    Array(9).fill("true"),
  );
  assert.deepEqual(
    await card.locator("[data-collection]").evaluateAll((all) => all.map((one) => one.dataset.collection)),
    ["archive", "arrivals", "departments", "orders", "products", "reviews", "sales"],
  );
  await card.locator("[data-collection=products] dd", { hasText: "$jsonSchema" }).waitFor();
  // The drawing has a box for each collection; lines and indents stand below it in words.
  const drawing = card.locator("[data-card=model]");
  assert.deepEqual(
    (await drawing.locator("[data-box]").evaluateAll((all) => all.map((one) => one.dataset.box))).toSorted(),
    ["archive", "arrivals", "departments", "orders", "products", "reviews", "sales"],
  );
  assert.match(await drawing.locator("figcaption dd").first().innerText(), /orders\.items\[\]/);
  assert.match(await drawing.locator("figcaption dd").last().innerText(), /reviews\.\w+ → products\._id/);
  await lookAround(tab, "capstone-card");
  const year = String(new Date().getFullYear());
  assert.ok((await card.locator("[data-date]").innerText()).includes(year));
  // On paper there is dark ink and no ground, whatever the colours of the screen are.
  await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
  const colours = () =>
    card.evaluate((element) => {
      const context = document.createElement("canvas").getContext("2d");
      context.fillStyle = getComputedStyle(element).color;
      context.fillRect(0, 0, 1, 1);
      const [red] = context.getImageData(0, 0, 1, 1).data;
      return { ink: red < 128 ? "dark" : "light", ground: getComputedStyle(document.body).backgroundColor };
    });
  assert.equal((await colours()).ink, "light");
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(await colours(), { ink: "dark", ground: "rgba(0, 0, 0, 0)" });
  await page.emulateMedia({ media: null });
  const [download] = await Promise.all([page.waitForEvent("download"), card.locator("#card-save").click()]);
  assert.equal(download.suggestedFilename(), "capstone-Ada-card.json");
  const honest = join(folder, "ada.json");
  await download.saveAs(honest);

  // A file with another number in it, and without the script of a release that it says was passed.
  const forged = JSON.parse(readFileSync(honest, "utf8"));
  forged.name = "Eve";
  forged.card.releases[0].tasks[1].cost.documentsExamined = 1;
  forged.lessons.stock.log = [];
  writeFileSync(join(folder, "eve.json"), JSON.stringify(forged));
  writeFileSync(join(folder, "else.json"), "{}");
  // Exported work has scripts, and no card.
  const { card: _card, ...work } = JSON.parse(readFileSync(honest, "utf8"));
  writeFileSync(join(folder, "work.json"), JSON.stringify(work));

  await page.goto(new URL("?verify&lang=en", page.url()).href);
  const files = ["ada", "eve", "else", "work"].map((name) => join(folder, `${name}.json`));
  await page.locator("#files").setInputFiles(files);
  const row = (name) => page.locator(`tr[data-file="${name}.json"]`);
  await eventually(() => row("ada").getAttribute("data-holds"), "true");
  assert.match(await row("ada").innerText(), /9 of 9/);
  await eventually(() => row("eve").getAttribute("data-holds"), "false");
  await eventually(() => row("else").getAttribute("data-state"), "foreign");
  assert.match(await row("eve").innerText(), /8 of 9/);
  await eventually(() => row("work").innerText(), /9 of 9\s+the file holds the work alone, and no card$/);
  await page.locator('[data-details="eve.json"] > summary').click();
  const failing = await page
    .locator('[data-details="eve.json"] [data-what]')
    .evaluateAll((rows) => rows.map((one) => one.dataset.what));
  for (const what of ["orders/pages", "stock/sell", "products"]) assert.ok(failing.includes(what), failing.join());
  assert.ok(!failing.includes("orders/orders"));
  // Of a claim that does not hold only what differs is told, on each side.
  assert.deepEqual(await page.locator('[data-details="eve.json"] [data-what="orders/pages"] td').allInnerTexts(), [
    "passes\n\ndocuments examined 406",
    "passes\n\ndocuments examined 1",
  ]);
  assert.match(
    await page.locator('[data-details="eve.json"] [data-what=products] td').last().innerText(),
    /^324 documents, [\d,]+ bytes\s+Fields reserved array, stock int$/,
  );
  await lookAround(tab, "capstone-verify");
  assert.deepEqual(tab.complaints, []);
  rmSync(folder, { recursive: true });
  await profile.close();
});
