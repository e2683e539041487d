/**
 * The page of a course: in each language, a few lessons that have every kind of part between them are walked from the
 * first line to the last check, each check also against wrong answers. `check-course` does all that a lesson computes
 * and holds its text, in Node, for every lesson and language; a page shows how each kind of part is drawn.
 *
 * Invariant: nothing here knows a lesson: the scripts to run and the outcomes to expect are read from the courses' own
 * files. `LESSON` names one lesson to walk alone, or `all`.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { lookAround } from "./pictures.mjs";

/** Where the courses of the page lie. */
export const folder = fileURLToPath(new URL("../../web/courses", import.meta.url));
/** Each course: its folder's name, and the fields of its course.json. */
export const courses = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, "course.json")))
  .map((name) => ({ name, ...JSON.parse(readFileSync(join(folder, name, "course.json"), "utf8")) }));

/** A lesson's fenced scripts: kind, id, hint's key, source. */
export function scriptsOf(course, lesson) {
  const text = readFileSync(join(folder, course, lesson, "scripts.md"), "utf8");
  return [...text.matchAll(/^```(?:js|javascript) (\w+)(?: (\S+))?(?: (\S+))?[^\n]*\n([\s\S]*?)^```$/gm)].map(
    ([, kind, id, key, source]) => ({ kind, id, key, source: source.trimEnd() }),
  );
}

/** What a lesson's text can have, by a sign of it. */
const TEXT_KINDS = {
  "a question for a figure": /^= /m,
  "a question with choices": /^\s*- .+ :: /m,
  table: /^\|/m,
  list: /^- (?!.* :: )/m,
  code: /^```(?:js|text)/m,
  chart: /^::chart/m,
  "a link to a lesson": /\]\(lesson:/,
  "a link to a lab": /\]\(lab:/,
  "a link to the reference": /\]\(reference:/,
};

/** How long a lesson's scripts are: a short lesson is walked in less time. */
const lengthOf = (course, lesson) => readFileSync(join(folder, course, lesson, "scripts.md"), "utf8").length;

/**
 * The lessons to walk in a language, of all courses: few that have each kind of part between them, and of other lessons
 * in other languages where they can be. The releases of a project are opened by a test of their own
 * (`capstone.test.mjs`).
 */
export function walkedIn(language) {
  const own = courses.filter(({ kind, languages }) => kind !== "project" && languages.includes(language));
  const lessons = own.flatMap(({ name, lessons, languages }) =>
    lessons.map(({ id }) => ({ course: name, languages, id, kinds: CoursePage.kindsOf(name, id, language) })),
  );
  const missing = new Set(lessons.flatMap(({ kinds }) => [...kinds]));
  const walked = [];
  while (missing.size > 0) {
    const gained = ({ kinds }) => [...kinds].filter((kind) => missing.has(kind)).length;
    const most = Math.max(...lessons.map(gained));
    const best = lessons
      .filter((one) => gained(one) === most)
      .sort((left, right) => lengthOf(left.course, left.id) - lengthOf(right.course, right.id));
    // The second language takes another lesson where there is one as good.
    const { languages } = best[0];
    const taken = best[Math.min(languages.indexOf(language), best.length - 1)];
    walked.push(taken);
    for (const kind of taken.kinds) missing.delete(kind);
  }
  return walked;
}

/** A course's page with one lesson open and ready. */
export class CoursePage {
  static async open({ context, open }, query) {
    const self = new CoursePage();
    self.tab = await open({ path: `course.html?${query}`, ready: false });
    self.page = self.tab.page;
    self.context = context;
    await self.isReady();
    return self;
  }

  /** Loads the page with another lesson, in the same tab. */
  async goTo(query) {
    await this.page.goto(new URL(`?${query}`, this.page.url()).href);
    await this.isReady();
  }

  /** The kinds of part that a lesson has. */
  static kindsOf(course, lesson, language) {
    const text = readFileSync(join(folder, course, lesson, `${language}.md`), "utf8");
    const kinds = new Set(scriptsOf(course, lesson).map(({ kind }) => kind));
    for (const [kind, sign] of Object.entries(TEXT_KINDS)) if (sign.test(text)) kinds.add(kind);
    return kinds;
  }

  async isReady() {
    const article = this.page.locator("article");
    await article
      .and(this.page.locator("[data-phase=ready], [data-phase=failed]"))
      .waitFor()
      .catch(async (error) => {
        const phases = await article.evaluateAll((all) => all.map((one) => one.dataset.phase));
        const workers = this.page.workers().map((worker) => worker.url());
        error.message = `phases ${phases}, workers ${workers}, ${this.tab.complaints.join("; ")}: ${error.message}`;
        throw error;
      });
    assert.equal(await this.page.locator("article").getAttribute("data-phase"), "ready", await this.failure());
  }

  async failure() {
    return (await this.page.locator("article .failure").allInnerTexts()).join("\n");
  }

  script(id) {
    return this.page.locator(`quire-course-script[data-script="${id}"]`);
  }

  /** Runs a snippet, and waits for its result. */
  async run(id) {
    const script = this.script(id);
    await script.locator(".run").click();
    await eventually(() => script.evaluate((element) => element.made !== null && element.busy === null), true, id);
  }

  async write(id, source) {
    // The editor comes when the reader goes into the script.
    await this.script(id).locator(".code").click();
    await this.script(id).locator(".cm-content").click();
    await this.page.keyboard.press("ControlOrMeta+a");
    if (source === "") await this.page.keyboard.press("Delete");
    else await this.page.keyboard.insertText(source);
    await eventually(() => this.script(id).evaluate((element) => element.source), source, `the script ${id}`);
  }

  /** Answers a question: with the first choice, or with "I do not know". */
  async answer(key, skip) {
    const question = this.page.locator(`[data-question="${key}"]`);
    const choice = question.locator("input[type=radio]").first();
    if (skip) await question.locator("[data-skip]").click();
    else if ((await choice.count()) > 0) {
      await choice.check();
      await question.locator("button[type=submit]").click();
    } else {
      await question.locator("input").fill("12");
      await question.locator("input").press("Enter");
    }
    await question.locator("form").waitFor({ state: "detached" });
  }

  /** Answers, runs and checks everything of the lesson, in order. */
  async walk(scripts, tried) {
    const done = new Set();
    let asked = 0;
    // A step goes on behind a snippet only when its questions are answered.
    for (;;) {
      const parts = await this.page
        .locator("article [data-question], article quire-course-script")
        .evaluateAll((elements) =>
          elements.map((element) => ({ question: element.dataset.question, script: element.dataset.script })),
        );
      const next = parts.find(({ question, script }) => !done.has(question ?? script));
      if (next === undefined) return;
      const { question, script } = next;
      done.add(question ?? script);
      if (question !== undefined) await this.answer(question, asked++ % 2 === 1);
      else if (scripts.some(({ kind, id }) => kind === "run" && id === script)) await this.run(script);
      else await this.solve(script, scripts, tried);
    }
  }

  async solve(id, scripts, tried) {
    const task = this.page.locator(`[data-task="${id}"]`);
    const check = this.script(id).locator(".check");
    for (const { key, source } of tried.pick(scripts.filter((one) => one.kind === "wrong" && one.id === id))) {
      await this.write(id, source);
      await check.click();
      const hint = task.locator("[data-hint], [data-passed], .says .failure");
      await hint.waitFor();
      assert.equal(await hint.getAttribute("data-hint"), key, `${id} ${key}: ${await hint.innerText()}`);
      assert.equal(await hint.locator(".waits").count(), 0, `the hint ${key} of ${id}`);
      await task.locator("[data-retry]").click();
      await hint.waitFor({ state: "detached" });
      tried.wrongs += 1;
    }
    await this.write(id, scripts.find((one) => one.kind === "solution" && one.id === id).source);
    await check.click();
    const says = task.locator("[data-hint], [data-passed], .says .failure");
    await says.waitFor();
    assert.notEqual(await says.getAttribute("data-passed"), null, `${id}: ${await says.innerText()}`);
    tried.passed += 1;
  }
}

/** Tests the walked lessons of one language, as a reader goes through them; `visit` is the file's own. */
export function walkLessons(visit, language) {
  const { LESSON } = process.env;
  const lessons = courses.flatMap(({ name, lessons }) => lessons.map(({ id }) => ({ course: name, id })));
  const walked =
    LESSON === undefined ? walkedIn(language) : lessons.filter(({ id }) => LESSON === "all" || LESSON === id);
  test(`${language}: each kind of part of a lesson, to the last check`, async (t) => {
    const profile = await visit();
    // One tab for all: a tab's start takes longer than a lesson's.
    let lesson = null;
    for (const { course, id } of walked)
      await t.test(`${course}: ${id}`, async () => {
        const query = `course=${course}&lesson=${id}&lang=${language}`;
        if (lesson === null) lesson = await CoursePage.open(profile, query);
        else await lesson.goTo(query);
        const { page, tab } = lesson;
        assert.equal(await lesson.failure(), "");
        const scripts = scriptsOf(course, id);
        // Two of a check's wrong answers, others in each language: `check-course` tries all of them.
        const pick = (wrongs) => (language === "en" ? wrongs.slice(0, 2) : wrongs.slice(-2));
        const tried = { wrongs: 0, passed: 0, pick };
        // The parts behind a question's snippet are not shown before the question is answered.
        const behind = page.locator("section[data-step]:has([data-question] form)");
        for (const last of await behind.locator("> :last-child").all())
          assert.equal(await last.evaluate((element) => element.localName), "quire-course-script");
        await lesson.walk(scripts, tried);
        assert.equal(tried.passed, scripts.filter(({ kind }) => kind === "check").length);
        assert.ok(tried.wrongs >= 2 * tried.passed);
        // Every number is known by now, and every chart is drawn.
        assert.deepEqual(
          await page.locator(".figure.waits").evaluateAll((all) => all.map((one) => one.dataset.figure)),
          [],
        );
        assert.equal(await page.locator(".chart.waits").count(), 0);
        assert.equal(await lesson.failure(), "");
        await lookAround(tab, `lesson-${course}-${id}-${language}`);
        assert.deepEqual(tab.complaints, []);
      });
    await profile.close();
  });
}
