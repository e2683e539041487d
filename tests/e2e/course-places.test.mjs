/**
 * A reader's ways through a course: the skip link, the search, steps and their addresses, the glossary, the page after
 * the last lesson, the place where reading stopped, and names completed in a script.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually, phone, withBrowser } from "./browser.mjs";
import { CoursePage } from "./course.mjs";

const { lend } = withBrowser();

/** How often Tab is pressed until something in a question has the focus. */
async function tabsToQuestion(page) {
  const inQuestion = () =>
    page.evaluate(() => {
      let at = document.activeElement;
      const seen = [];
      while (at !== null) {
        seen.push(at);
        at = at.shadowRoot?.activeElement ?? null;
      }
      return seen.at(-1)?.closest("[data-question]") !== null && seen.at(-1)?.closest("[data-question]") !== undefined;
    });
  for (let count = 1; count < 40; count++) {
    await page.keyboard.press("Tab");
    if (await inQuestion()) return count;
  }
  return 40;
}

test("the first question is a few stops of the tabulator away, and nearer by the skip link", async () => {
  const profile = await lend();
  const { page } = await CoursePage.open(profile, "course=modelling&lesson=capped&lang=en");
  const all = await tabsToQuestion(page);
  assert.ok(all <= 15, `${all} stops`);
  await page.reload();
  await page.locator("article[data-phase=ready]").waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to the text" }).press("Enter");
  const skipped = await tabsToQuestion(page);
  assert.ok(skipped <= 3, `${skipped} stops`);
  // The list of lessons is one stop; arrows go through it.
  await page.locator("aside [data-lesson=capped]").focus();
  await page.keyboard.press("ArrowDown");
  await page.locator("aside [data-lesson=ttl]:focus").waitFor();
  await profile.close();
});

test("the search finds steps in all lessons, and leads to them", async () => {
  const profile = await lend();
  const { page, tab } = await CoursePage.open(profile, "course=modelling&lesson=documents&lang=en");
  const search = page.getByRole("searchbox", { name: "Search the course" });
  await search.fill("arrayFilters");
  await page.locator(".found button", { hasText: "Updates" }).first().waitFor();
  await tab.isAccessible("search");
  await page.locator(".found button", { hasText: "The edge of a document" }).click();
  await page.locator("article[data-phase=ready][data-lesson=updates] h3:focus").waitFor();
  await eventually(
    () => page.url(),
    (url) => url.includes("lesson=updates") && url.endsWith("#step-4"),
  );
  await search.fill("nosuchword");
  await page.getByText("No lesson has all of these words.").waitFor();
  await profile.close();
});

test("steps, the glossary and the end have addresses, and links lead between lessons", async () => {
  const profile = await lend();
  const { page, tab } = await CoursePage.open(profile, "course=modelling&lesson=limits&lang=en#step-4");
  await eventually(
    () => page.locator("#step-4").evaluate((heading) => heading.getBoundingClientRect().top),
    (top) => top > -5 && top < 400,
  );
  await page.locator("article").getByRole("link", { name: "first lesson" }).click();
  await page.locator("article[data-phase=ready][data-lesson=documents]").waitFor();
  await page.locator("#glossary").click();
  await page.locator("article[data-page=glossary]").getByText("range pagination").waitFor();
  await tab.isAccessible("glossary");
  await page.locator("article[data-page=glossary]").getByRole("link", { name: "Choosing a shard key" }).first().click();
  await page.locator("article[data-phase=ready][data-lesson=shard-key]").waitFor();
  await page.locator("#previous").click();
  await page.locator("article[data-phase=ready][data-lesson=transactions]").waitFor();
  await page.locator("aside [data-lesson=older-books]").click();
  await page.locator("article[data-phase=ready][data-lesson=older-books]").waitFor();
  await page.locator("#next").click();
  await page.locator("article[data-page=end]").getByText("You have passed 0 of").waitFor();
  await tab.isAccessible("end");
  await eventually(
    () => page.url(),
    (url) => url.endsWith("#end"),
  );
  await page.locator("article[data-page=end]").getByRole("link", { name: "Model lab" }).waitFor();
  await profile.close();
});

test("a course opens where its reader stopped", async () => {
  const profile = await lend();
  const { page } = await CoursePage.open(profile, "course=modelling&lesson=embed-reference&lang=en");
  await page.locator("section[data-step='3'] h3").evaluate((heading) => heading.scrollIntoView({ block: "start" }));
  await eventually(() => page.evaluate(() => JSON.parse(localStorage.getItem("quire.course.modelling") ?? "{}").at), {
    lesson: "embed-reference",
    step: 3,
  });
  const again = await CoursePage.open(profile, "course=modelling&lang=en");
  await again.page.locator("article[data-lesson=embed-reference]").waitFor();
  await eventually(
    () => again.page.locator("#step-3").evaluate((heading) => heading.getBoundingClientRect().top),
    (top) => top > -5 && top < 500,
  );
  await profile.close();
});

test("names are completed in a lesson's script: collections and fields of its data", async () => {
  const profile = await lend();
  const lesson = await CoursePage.open(profile, "course=modelling&lesson=documents&lang=en");
  const { page } = lesson;
  // The list's code comes when the beginning of a name has been typed, as over a slow network.
  let isTyped;
  const typed = new Promise((resolve) => (isTyped = resolve));
  await page.route("**/completing-*.js", async (route) => {
    await typed;
    await route.continue();
  });
  await lesson.write("javascript", "");
  await page.keyboard.type("db.");
  isTyped();
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "books" }).waitFor();
  await page.keyboard.type("books.find({ nar");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "narrator" }).waitFor();
  await profile.close();
});

test("on a phone a figure is answered on the keypad of numbers", async () => {
  const profile = await lend(phone);
  const { page } = await CoursePage.open(profile, "course=modelling&lesson=capped&lang=en");
  await page.locator("[data-question='day/1'] [data-skip]").click();
  const field = page.locator("[data-question='newest/1'] input[inputmode=decimal]");
  // A text is no answer: the field asks for a number, and takes one.
  await field.fill("lots");
  await field.press("Enter");
  const asks = (one) => one.validationMessage;
  await eventually(() => field.evaluate(asks), "Answer with a number, please.");
  await page.locator("[data-question='newest/1'] button[type=submit]").click();
  await field.fill("12");
  assert.equal(await field.evaluate(asks), "");
  await field.press("Enter");
  await page.getByText("You say: 12. Now run the script.").waitFor();
  await profile.close();
});

test("the list shows the open lesson, and the glossary is in sight below it", async () => {
  const profile = await lend({ viewport: { width: 1280, height: 720 } });
  const { page } = await CoursePage.open(profile, "course=modelling&lesson=to-a-cluster&lang=en");
  const inSight = (place) =>
    page.locator(place).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const around = element.closest(".contents")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
      return top >= around.top && bottom <= Math.min(around.bottom, innerHeight);
    });
  await eventually(() => inSight("aside [data-lesson=to-a-cluster]"), true);
  assert.ok(await inSight("#glossary"), "the glossary");
  assert.ok(await inSight(".tools > summary"), "the reader's work");
  await profile.close();
});

for (const width of [320, 390])
  test(`the links of the head stand in whole words on a phone of ${width} pixels`, async () => {
    const profile = await lend({ ...phone, viewport: { width, height: 740 } });
    const { page } = await CoursePage.open(profile, "course=modelling&lesson=documents&lang=en");
    const lines = await page
      .locator("course-page header a:not(.skip), course-page header button")
      .evaluateAll((links) =>
        // The book of problems is left out where there is no room; its link stands behind the lesson, too.
        links
          .filter((link) => link.checkVisibility())
          .map((link) => {
            const range = document.createRange();
            range.selectNodeContents(link);
            const { left, right } = link.getBoundingClientRect();
            const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            return { text: link.textContent, lines: link.querySelector("svg") === null ? tops.size : 1, left, right };
          }),
      );
    for (const { text, lines: count, left, right } of lines) {
      assert.equal(count, 1, text);
      assert.ok(left >= 0 && right <= width, `${text} ends at ${right}`);
    }
    await profile.close();
  });

test("the end and the glossary are set as their language has it", async () => {
  const profile = await lend();
  const { page } = await CoursePage.open(profile, "course=modelling&lesson=older-books&lang=zh-Hans");
  await page.locator("footer .main").click();
  const end = page.locator("article[data-page=end]");
  await end.getByText("把自己数据").waitFor();
  assert.doesNotMatch(await end.innerText(), /[\u4e00-\u9fff]: /);
  await page.locator("#glossary").click();
  const list = page.locator("article[data-page=glossary] ul").first();
  await list.waitFor();
  assert.equal(await list.evaluate((element) => getComputedStyle(element).paddingInlineStart), "0px");
  await profile.close();
});
