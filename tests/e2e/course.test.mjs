/**
 * Courses: each check of every lesson against every wrong answer, in Node; a reader's work is kept, exported, and done
 * again for a teacher. The lessons themselves are walked by `lessons-en.test.mjs` and `lessons-zh-hans.test.mjs`,
 * apart, so that they run side by side.
 */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, Page, phone, withBrowser } from "./browser.mjs";
import { CoursePage, courses, folder, scriptsOf } from "./course.mjs";
import { picture } from "./pictures.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();

test("every language of every course has a file of tests that walks its lessons", () => {
  for (const language of new Set(courses.flatMap(({ languages }) => languages)))
    assert.ok(existsSync(new URL(`lessons-${language.toLowerCase()}.test.mjs`, import.meta.url)), language);
});

test("the page has every file of every lesson, as it was written", () => {
  const site = process.env.QUIRE_SITE ?? fileURLToPath(new URL("../../web/dist/site", import.meta.url));
  for (const { name, lessons, languages } of courses)
    for (const { id } of lessons)
      for (const file of ["scripts.md", ...languages.map((language) => `${language}.md`)])
        assert.ok(
          readFileSync(join(site, "courses", name, id, file)).equals(readFileSync(join(folder, name, id, file))),
          `${name}/${id}/${file}`,
        );
});

/** Runs `check-course` over a course; gives its exit code and what it printed. */
function checked(name) {
  const only = process.env.LESSON === undefined ? [] : ["--lesson", process.env.LESSON];
  const cli = fileURLToPath(new URL("../../pkg/dist/cli.js", import.meta.url));
  // Right scripts end in time on any machine.
  const limit = ["--time-limit", "3600"];
  const words = [cli, "check-course", join(folder, name), ...limit, ...(name === "modelling" ? only : [])];
  return new Promise((resolve) => {
    execFile(process.execPath, words, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, printed: stdout + stderr }),
    );
  });
}

// All courses at once, beside the tests in the page, which take as long; their outcome is looked at behind them.
const checks = courses.map(({ name }) => ({ name, outcome: checked(name) }));

test("work is kept, begun again, exported, and done again for a teacher", async () => {
  const profile = await visit({ acceptDownloads: true });
  // The playground's first screen leads to the tutorial.
  const playground = await profile.open();
  await playground.page.getByRole("link", { name: /^Tutorial/ }).click();
  await playground.page.locator("article[data-phase=ready]").waitFor();
  await playground.page.close();
  let lesson = await CoursePage.open(profile, "course=starter");
  const scripts = scriptsOf("starter", "first-steps");
  const question = lesson.page.locator("[data-question='by-year/1']");
  // The script waits for both answers.
  assert.equal(await lesson.script("by-year").locator(".run").getAttribute("aria-disabled"), "true");
  await question.locator("input").fill("1,000");
  await question.locator("input").press("Enter");
  await lesson.page.locator("[data-question='by-year/2'] input").nth(1).check();
  await lesson.page.locator("[data-question='by-year/2'] button[type=submit]").click();
  // The keys go on with the next part.
  await lesson.tab.press("Enter", "Run");
  await lesson.page.locator("[data-question='by-year/1'] .truth.right").waitFor();
  await lesson.page.locator("[data-question='by-year/2'] .truth.wrong").waitFor();
  await lesson.solve("index-year", scripts, { wrongs: 0, passed: 0, pick: (wrongs) => wrongs });
  await lesson.page.locator("aside [data-lesson] .mark.whole").waitFor();
  const figures = await lesson.page.locator(".figure").allInnerTexts();

  // After a reload the lesson stands where it was, with the numbers computed anew.
  await lesson.page.reload();
  await lesson.isReady();
  assert.deepEqual((await lesson.page.locator(".figure").allInnerTexts()).slice(0, 4), figures.slice(0, 4));
  await lesson.page.locator("[data-task=index-year].passed").waitFor();
  await lesson.page.locator("[data-question='by-year/1'] .truth.right").waitFor();

  // The other language shows the same work.
  await lesson.page.getByRole("button", { name: "简体中文" }).click();
  await lesson.page.getByRole("heading", { name: "第一步" }).waitFor();
  await lesson.page.locator("[data-task=index-year].passed").waitFor();
  await lesson.page.getByRole("button", { name: "English" }).click();
  await lesson.page.getByRole("heading", { name: "First steps" }).waitFor();

  await lesson.page.locator(".tools > summary").click();
  await lesson.page.locator("#name").fill("Ada");
  await lesson.page.locator("#name").press("Tab");
  const download = lesson.page.waitForEvent("download");
  await lesson.page.locator("#export").click();
  const file = await (await download).path();
  const work = JSON.parse(readFileSync(file, "utf8"));
  assert.equal((await download).suggestedFilename(), "starter-Ada.json");
  assert.deepEqual(work.lessons["first-steps"].passed, ["index-year"]);

  // A teacher's browser believes no file: one that only claims to pass does not.
  const teacher = await visit();
  const desk = await CoursePage.open(teacher, "course=starter");
  await desk.page.locator(".tools > summary").click();
  const look = (name, contents) =>
    desk.page.locator("#student").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(contents) });
  await look("ada.json", JSON.stringify(work));
  await desk.page.locator("[data-check=index-year][data-passes=true]").waitFor();
  await desk.page.locator(".review h2", { hasText: "Ada" }).waitFor();
  await desk.page.getByText("1 of 2 right").waitFor();
  await desk.tab.isAccessible("a student's work");
  work.lessons["first-steps"].log = [];
  await desk.page.locator(".review .button").click();
  await look("liar.json", JSON.stringify(work));
  await desk.page.locator("[data-check=index-year][data-passes=false]").waitFor();
  await desk.page.getByText("passed when the student did it").waitFor();
  await desk.page.locator(".review .button").click();
  await look("other.json", "{}");
  await desk.page.getByText("This file holds no work of this course.").waitFor();
  // Nothing of the teacher's own has changed; an import would.
  assert.equal(await desk.page.locator("[data-task=index-year].passed").count(), 0);
  await desk.page
    .locator("#import")
    .setInputFiles({ name: "ada.json", mimeType: "application/json", buffer: readFileSync(file) });
  await desk.page.locator("[data-task=index-year].passed").waitFor();
  await teacher.close();

  // A reset lesson is as at first.
  lesson = await CoursePage.open(profile, "course=starter");
  await lesson.page.locator("#reset").click();
  await lesson.page.locator("#reset-yes").click();
  await lesson.page.locator("[data-question='by-year/1'] form").waitFor();
  assert.equal(await lesson.page.locator("[data-task].passed").count(), 0);
  await lesson.answer("by-year/1", true);
  await lesson.answer("by-year/2", true);
  await lesson.run("by-year");
  assert.equal(await lesson.page.locator("[data-question='by-year/1'] .truth dd").last().innerText(), "1,000");
  assert.deepEqual(lesson.tab.complaints, []);
  await profile.close();
});

test("lessons are gone through, each in an engine of its own, and one that is missing says so", async () => {
  const profile = await visit();
  const lessons = ["one", "two", "gone"].map((id) => ({ id, minutes: 5, database: "library" }));
  const { title, about, languages } = courses.find(({ name }) => name === "starter");
  await profile.context.route("**/courses/many/**", (route) => {
    const path = new URL(route.request().url()).pathname.split("/courses/many/")[1];
    if (path === "course.json")
      return route.fulfill({ json: { quireCourse: 1, id: "many", title, about, languages, lessons } });
    const [lesson, file] = path.split("/");
    if (lesson === "gone") return route.fulfill({ status: 404 });
    return route.fulfill({ body: readFileSync(join(folder, "starter", "first-steps", file), "utf8") });
  });
  const lesson = await CoursePage.open(profile, "course=many");
  const { page, tab } = lesson;
  const opened = (id) => page.locator(`article[data-phase=ready][data-lesson=${id}]`).waitFor();
  await lesson.answer("by-year/1", true);
  await lesson.answer("by-year/2", true);
  await lesson.run("by-year");
  await page.locator("#next").click();
  await opened("two");
  await tab.focusIs("First steps", "the lesson that was opened");
  await eventually(
    () => page.url(),
    (url) => url.includes("lesson=two"),
  );
  assert.equal(await page.locator(".truth").count(), 0);
  // One is left before it is there: its engine goes, too.
  for (const id of ["one", "two", "one"]) await page.locator(`aside [data-lesson=${id}]`).click();
  await opened("one");
  await page.locator(".truth").first().waitFor();
  await eventually(() => page.workers().length, 1, "engines");
  await page.locator("aside [data-lesson=gone]").click();
  await page.locator("article .failure").waitFor();
  assert.match(await lesson.failure(), /file gone\/\S+ of this lesson cannot be read \(404/);
  assert.equal(await page.locator("quire-course-script").count(), 0);
  await page.locator("aside [data-lesson=two]").click();
  await opened("two");
  await profile.close();
});

test("a script that was mended passes by itself, whatever earlier tries left, and is kept so", async () => {
  const profile = await visit();
  const lesson = await CoursePage.open(profile, "course=modelling&lesson=to-a-cluster&lang=en");
  const { page, tab } = lesson;
  const scripts = scriptsOf("modelling", "to-a-cluster").filter(({ id }) => id === "exchange");
  const task = page.locator("[data-task=exchange]");
  await lesson.answer("trip/1", true);
  await lesson.run("trip");
  const check = async (source, says) => {
    await lesson.write("exchange", source);
    await lesson.script("exchange").locator(".check").click();
    await task.locator(says).waitFor();
  };
  const source = (kind, key) => scripts.find((one) => one.kind === kind && one.key === key).source;
  await check(source("wrong", "text"), "[data-hint=text]");
  assert.equal(await task.locator("[data-earlier]").count(), 0);
  // Two passports are there now, and this one is wrong by itself, too.
  await check(source("wrong", "long"), "[data-hint=several]");
  await task.locator("[data-earlier]").waitFor();
  await tab.isAccessible("earlier tries");
  await check(source("solution"), "[data-passed] [data-alone]");
  await page.reload();
  await lesson.isReady();
  await page.locator("[data-task=exchange].passed").waitFor();
  await lesson.script("exchange").locator(".check").click();
  await task.locator("[data-passed]").waitFor();
  assert.equal(await task.locator("[data-alone]").count(), 0);
  // A mistake in the syntax is told as in the playground, in the lesson's language.
  await lesson.write("exchange", "db.readers.find({ a: 1 ]");
  await lesson.script("exchange").locator(".run").click();
  await lesson.script("exchange").locator(".error").getByText("Unexpected ]").waitFor();
  await lesson.script("exchange").getByRole("button", { name: "Line 1, column 24" }).waitFor();
  await tab.isAccessible("a mistake in the syntax");
  // Of a script that ended with an error before it wrote, the error is the hint.
  await task.locator("[data-retry]").click();
  await task.locator("[data-passed]").waitFor({ state: "detached" });
  await lesson.write("exchange", "db.readers.find({ a: { $no: 1 } })");
  await lesson.script("exchange").locator(".check").click();
  await task.locator("[data-hint=failed]").getByText("$no").waitFor();
  // Else it stands before the hint.
  await lesson.write("exchange", "db.extra.insertOne({});\ndb.readers.find({ a: { $no: 1 } })");
  await lesson.script("exchange").locator(".check").click();
  await task.locator("[data-hint] [data-error] + [data-says]").waitFor();
  // What is typed over several lines puts no style into the page, which its policy would refuse.
  await lesson.script("exchange").locator(".cm-line").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.type("q");
  await eventually(() => lesson.script("exchange").locator(".cm-line").first().innerText(), /^qdb\.readers/);
  assert.deepEqual(tab.complaints, []);
  await profile.close();
});

test("a phone, and storage that keeps nothing", async () => {
  const profile = await visit({ ...phone, colorScheme: "dark" });
  await profile.context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  const lesson = await CoursePage.open(profile, "course=starter&lang=zh-Hans");
  await lesson.answer("by-year/1", true);
  await lesson.page.locator(".tools[open] .hint").waitFor();
  await lesson.answer("by-year/2", false);
  await lesson.run("by-year");
  await lesson.page.locator("[data-question='by-year/2'] .truth.right").waitFor();
  // A script that never ends is stopped, and the data from before it are there still.
  const endless = lesson.script("index-year");
  await lesson.write("index-year", "db.books.createIndex({ year: 1 }); while (true);");
  await endless.locator(".run").click();
  await endless.locator(".run.busy").click();
  await endless.locator(".state", { hasText: "已停止" }).waitFor();
  await endless.locator(".cm-content").click();
  await lesson.write("index-year", "db.books.getIndexes()");
  await endless.locator(".check").click();
  await lesson.page.locator("[data-task=index-year] [data-passed]").waitFor();
  assert.ok(await lesson.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await lesson.tab.isAccessible("a phone");
  await picture(lesson.page, "course-phone", { fullPage: true });
  await profile.close();
});

test("the packed package writes a course that passes its check and runs in a page", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-course-"));
  const run = (command, words, options) => {
    const { status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8", ...options });
    return { status, text: stdout + stderr };
  };
  const packed = run("npm", [
    "pack",
    "--silent",
    "--pack-destination",
    folder,
    fileURLToPath(new URL("../../pkg", import.meta.url)),
  ]);
  assert.equal(packed.status, 0, packed.text);
  const [archive] = readdirSync(folder);
  assert.equal(run("tar", ["-xzf", archive], { cwd: folder }).status, 0);
  const quiredb = (...words) =>
    run(process.execPath, [join(folder, "package", "dist", "cli.js"), ...words], { cwd: folder });
  const written = quiredb("new-course", "Herbs and Teas");
  assert.equal(written.status, 0, written.text);
  assert.equal(quiredb("new-course", "Herbs and Teas").status, 2);
  const checked = quiredb("check-course", "Herbs and Teas");
  assert.equal(checked.status, 0, checked.text);
  assert.match(checked.text, /^ok {6}first-steps {2}\(en, zh-Hans: .*3 wrong answers/m);

  const course = join(folder, "Herbs and Teas");
  const host = await serve(course);
  const profile = await visit();
  const lesson = new CoursePage();
  lesson.page = await profile.context.newPage();
  lesson.tab = new Page(lesson.page);
  const refused = [];
  lesson.page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  await lesson.page.goto(`${host.url}index.html`);
  // Its engine comes with the first answer.
  await lesson.page.locator("article[data-phase=waiting]").waitFor();
  await lesson.walk(scriptsOf("starter", "first-steps"), { wrongs: 0, passed: 0, pick: (wrongs) => wrongs });
  await lesson.tab.isAccessible("a course of one's own");
  await lesson.page.locator("quire-course[lang]").waitFor({ state: "detached" });
  await lesson.page.evaluate(() => document.querySelector("quire-course").setAttribute("lang", "zh-Hans"));
  await lesson.page.getByRole("heading", { name: "第一步" }).waitFor();
  assert.deepEqual(
    refused.filter((text) => !text.includes("Applying inline style")),
    [],
  );
  assert.equal(JSON.parse(readFileSync(join(course, "course.json"), "utf8")).id, "herbs-and-teas");
  const { modules } = JSON.parse(readFileSync(join(folder, "package", "custom-elements.json"), "utf8"));
  const [declared] = modules.find(({ path }) => path === "dist/course.js").declarations;
  assert.deepEqual(
    declared.attributes.map(({ name }) => name).sort(),
    (await lesson.page.evaluate(() => customElements.get("quire-course").observedAttributes)).toSorted(),
  );

  // A fault is told with its place.
  const scripts = join(course, "first-steps", "scripts.md");
  writeFileSync(scripts, readFileSync(scripts, "utf8").replace('"other-field", {', '"nothing", {'));
  const broken = quiredb("check-course", "Herbs and Teas");
  assert.equal(broken.status, 1);
  assert.match(
    broken.text,
    /first-steps\/scripts\.md:\d+: wrong index-year other-field: the check says `nothing` instead/,
  );
  await profile.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the race that breaks an answer is shown, scripts outlive their writes, and a third failure offers a solution", async () => {
  for (const lang of ["en", "zh-Hans"]) {
    const profile = await visit({ ...(lang === "en" ? {} : { ...phone, colorScheme: "dark" }) });
    const lesson = await CoursePage.open(profile, `course=modelling&lesson=updates&lang=${lang}`);
    const { page, tab } = lesson;
    const task = page.locator("[data-task=once]");
    const racy = scriptsOf("modelling", "updates").find(
      ({ kind, id, key }) => kind === "wrong" && id === "once" && key === "apart",
    );
    await lesson.write("once", racy.source);
    const check = lesson.script("once").locator(".check");
    await check.click();
    await task.locator("[data-hint=apart] [data-race=between]").waitFor();
    // The names of the check's own calls are explained before the hint that has them.
    assert.match(
      await task.locator("[data-hint]").innerText(),
      lang === "en" ? /^Your script passes when it runs alone/ : /^脚本单独运行时通过了/,
    );
    const steps = await task.locator(".race li").evaluateAll((all) => all.map(({ className }) => className));
    assert.deepEqual(steps, ["first", "second", "second", "first"]);
    await tab.isAccessible(`a race, ${lang}`);
    await task.locator("[data-retry]").click();
    await task.locator("[data-hint]").waitFor({ state: "detached" });
    // The writes are taken back, and the script is still there.
    assert.equal(await lesson.script("once").evaluate((element) => element.source), racy.source);
    await lesson.write("once", "db.names.updateOne(");
    await check.click();
    await task.locator("[data-hint=syntax]").waitFor();
    assert.equal(await task.locator("[data-solution]").count(), 0);
    await lesson.write("once", 'db.names.updateOne({ _id: "heron" }, { $set: { votes: 2, voters: ["ada", "ben"] } })');
    await check.click();
    await task.locator("[data-hint=uncalled]").waitFor();
    await task.locator("[data-solution] summary").click();
    assert.ok((await task.locator("[data-solution] pre .string").count()) > 0, "a solution has colours");
    await tab.isAccessible(`a solution, ${lang}`);
    await task.locator("[data-use]").click();
    await check.click();
    await task.locator("[data-passed]").waitFor();
    // What stands behind a question waits for the answer and for the run, which decides it.
    const behind = page
      .locator("section[data-step]")
      .filter({ has: page.locator("[data-question='lost/1']") })
      .locator("> .text");
    const before = await behind.count();
    await lesson.answer("lost/1", false);
    assert.equal(await behind.count(), before);
    await lesson.run("lost");
    await eventually(async () => (await behind.count()) > before, true, "the text behind the question");
    await profile.close();
  }
});

for (const { name, outcome } of checks) {
  test(`${name}: every wrong answer of every lesson gets its hint in Node`, async () => {
    const { code, printed } = await outcome;
    assert.equal(code, 0, printed);
  });
}
