/**
 * The page of a course: its lessons are opened, and a few that have each kind of part between them, others in each
 * language, are walked from the first line to the last check, each check also against wrong answers. `check-course` does
 * all that a lesson computes, in Node, for every lesson; a page shows how it is drawn.
 *
 * Invariant: nothing here knows a lesson: the scripts to run and the outcomes to expect are read from the courses' own
 * files. `LESSON` names one lesson to walk alone, or `all`; `QUIRE_SHOTS` a folder for screenshots.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { keepPictures } from "./pictures.mjs";

/** Where the courses of the page lie. */
export const folder = fileURLToPath(new URL("../../web/courses", import.meta.url));
const shots = process.env.QUIRE_SHOTS;
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
};

/**
 * The lessons of a course to walk in a language: as few as have each kind of part between them, and of other lessons in
 * other languages where they can be.
 */
function walkedOf({ name, lessons, languages }, language) {
  const kindsOf = new Map(lessons.map(({ id }) => [id, CoursePage.kindsOf(name, id, languages[0])]));
  const missing = new Set([...kindsOf.values()].flatMap((kinds) => [...kinds]));
  // The second language looks from the end of the course.
  const order = lessons.map(({ id }) => id);
  if (languages.indexOf(language) % 2 === 1) order.reverse();
  const gained = (id) => [...kindsOf.get(id)].filter((kind) => missing.has(kind)).length;
  const walked = new Set();
  while (missing.size > 0) {
    const best = order.reduce((most, id) => (gained(id) > gained(most) ? id : most));
    walked.add(best);
    for (const kind of kindsOf.get(best)) missing.delete(kind);
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
    await this.page.locator("article[data-phase=ready], article[data-phase=failed]").waitFor();
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

/** Tests every lesson of every course in one language, as a reader goes through it; `visit` is the file's own. */
export function walkLessons(visit, language) {
  const { LESSON } = process.env;
  // The releases of a project are opened one after the other, by a test of their own.
  const own = courses.filter(({ kind, languages }) => kind !== "project" && languages.includes(language));
  for (const course of own) {
    const { name, languages } = course;
    const walked = walkedOf(course, language);
    // Problems are short and many, and made of the same parts: those that have them all stand for the others.
    const lessons = course.kind === "problems" ? course.lessons.filter(({ id }) => walked.has(id)) : course.lessons;
    test(`${name}, ${language}: every lesson, and each kind of part to the last check`, async (t) => {
      const profile = await visit();
      // One tab for all: a tab's start takes longer than a lesson's.
      let lesson = null;
      for (const { id } of lessons) {
        if (LESSON !== undefined && LESSON !== "all" && LESSON !== id) continue;
        await t.test(id, async () => {
          const query = `course=${name}&lesson=${id}&lang=${language}`;
          if (lesson === null) lesson = await CoursePage.open(profile, query);
          else await lesson.goTo(query);
          const { page, tab } = lesson;
          assert.equal(await lesson.failure(), "");
          if (LESSON === undefined && !walked.has(id)) {
            await tab.isAccessible(`${id} at first`);
            assert.deepEqual(tab.complaints, []);
            return;
          }
          const scripts = scriptsOf(name, id);
          // Two of a check's wrong answers, others in each language: `check-course` tries all of them.
          const pick = (wrongs) => (language === languages[0] ? wrongs.slice(0, 2) : wrongs.slice(-2));
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
          await keepPictures(tab, `lesson-${id}-${language}`);
          if (shots !== undefined)
            await page.screenshot({ path: join(shots, `${name}-${id}-${language}.png`), fullPage: true });
          assert.deepEqual(tab.complaints, []);
        });
      }
      await profile.close();
    });
  }
}
