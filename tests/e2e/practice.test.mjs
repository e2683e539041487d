/**
 * The book of problems: its list with filters and marks, a problem from its question to the cost beside that of the
 * solution, and predictions that come back.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually, withBrowser } from "./browser.mjs";
import { CoursePage, scriptsOf } from "./course.mjs";
import { lookAround } from "./pictures.mjs";

const { visit } = withBrowser();

test("a problem is picked, solved, and compared with its solution; its missed prediction comes back", async () => {
  const profile = await visit();
  const tab = await profile.open({ path: "course.html?course=practice&lang=en", ready: false });
  const { page } = tab;
  const book = page.locator("article[data-page=book]");
  await book.waitFor();
  const problem = book.locator("[data-lesson=last-calls]");
  const { length: all } = await book.locator("[data-lesson]").all();
  await eventually(
    () => book.locator("[data-solved]").innerText(),
    `You have solved 0 of ${all} problem${all === 1 ? "" : "s"}.`,
  );
  await lookAround(tab, "practice-list");

  // Filters hold together, and arrows go through what they leave.
  await book.locator("[data-filter=topic]").selectOption("indexes");
  await book.locator("[data-filter=difficulty]").selectOption("2");
  assert.deepEqual(
    await book.locator("section[data-topic]").evaluateAll((found) => found.map((one) => one.dataset.topic)),
    ["indexes"],
  );
  await book.locator("[data-filter=standing]").selectOption("solved");
  await eventually(() => book.locator("[data-lesson]").count(), 0);
  // A filter that leaves nothing has a way back to all.
  await book.locator("#unfiltered").click();
  await eventually(() => book.locator("[data-lesson]").count(), all);
  assert.deepEqual(await book.locator("select").evaluateAll((found) => found.map((one) => one.value)), ["", "", ""]);
  await problem.click();

  const lesson = new CoursePage();
  Object.assign(lesson, { tab, page, context: profile });
  await lesson.isReady();
  assert.equal(await page.locator("#reset").innerText(), "Start this problem again");
  await lesson.answer("screen/1", false);
  await lesson.run("screen");
  await page.locator("[data-question='screen/1'] .truth.wrong").waitFor();
  const scripts = scriptsOf("practice", "last-calls");
  assert.equal(await page.locator("[data-solution], [data-discussion]").count(), 0);
  await lesson.solve("quick", scripts, { wrongs: 0, passed: 0, pick: (wrongs) => wrongs.slice(0, 1) });
  const costs = page.locator("[data-costs]");
  await costs.waitFor();
  const cost = (name) => costs.locator(`[data-cost=${name}] td`).allInnerTexts();
  const [yours, solution] = await cost("documentsExamined");
  assert.equal(yours, solution);
  // A longer way to the same end costs more than the solution, and each figure says so.
  await lesson.page.locator("[data-task=quick] [data-retry]").click();
  await costs.waitFor({ state: "detached" });
  await lesson.write(
    "quick",
    `db.calls.find({ ship: "Marta" }).toArray()\n${scripts.find(({ kind }) => kind === "solution").source}`,
  );
  await lesson.script("quick").locator(".check").click();
  await costs.waitFor();
  const [mine, theirs] = (await cost("documentsExamined")).map((text) => Number(text.replaceAll(",", "")));
  assert.ok(mine > theirs, `${mine} and ${theirs}`);
  await eventually(
    () => costs.locator("p").first().innerText(),
    (text) => text.includes("the solution, on the same data"),
  );
  await page.locator("[data-discussion] h3").waitFor();
  await lookAround(tab, "practice-solved");

  // The marks are kept.
  await page.locator("#whole").click();
  await eventually(() => problem.getAttribute("data-standing"), "solved");
  await eventually(() => book.locator(".recalls").getAttribute("data-due"), "0");
  await page.reload();
  await book.locator("[data-lesson=last-calls][data-standing=solved]").waitFor();

  // Practised now, the prediction is compared with the run again; a right one comes back later.
  await book.locator("#recall").click();
  const asked = page.locator("[data-recall='screen/1']");
  await asked.locator("input").fill("1");
  await asked.locator("input").press("Enter");
  await asked.locator(".truth.wrong").waitFor();
  const truth = await asked.locator(".truth dd.figure").innerText();
  await lookAround(tab, "practice-recall");
  await page.locator("#recall-next").click();
  await asked.waitFor({ state: "detached" });
  await page.locator("#recall-close").click();
  await book.locator("#recall").click();
  await asked.locator("input").fill(truth);
  await asked.locator("input").press("Enter");
  await asked.locator(".truth.right").waitFor();
  assert.match(await asked.locator(".truth .about").innerText(), /in 3 days/);

  await page.goto(new URL("?course=practice&lang=zh-Hans#book", page.url()).href);
  await book.locator("[data-lesson=last-calls][data-standing=solved]").waitFor();
  await eventually(
    () => book.locator(".recalls").innerText(),
    (text) => text.includes("以后会回来"),
  );
  await eventually(
    () => book.locator("#next-unsolved").innerText(),
    (text) => text.includes("：") && !text.includes(":"),
  );
  await lookAround(tab, "practice-list-zh");
  assert.deepEqual(tab.complaints, []);
  await profile.close();
});
