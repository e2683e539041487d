/** Words find the steps that have them, titles first; glossary entries are found too, and figures are no words. */
import { expect, test } from "vitest";
import { readLesson } from "./lesson.ts";
import { readLink } from "./links.ts";
import { minutesOf, otherMinutes } from "./pace.ts";
import { findPassages, passagesOf, passagesOfGlossary } from "./search.ts";

const text =
  "# Title\n\nFirst words.\n\n## Updates\n\nSee `$inc` here, {{n}} times.\n\n## Others\n\nUpdates stand here.\n";
const { lesson } = readLesson("one", "en", { scripts: "```js value n\n1\n```\n", text });

test("every word of a query has to be there, and a title comes first", () => {
  const found = (query: string): readonly number[] => findPassages(query, passagesOf(lesson)).map(({ step }) => step);
  expect(found("updates")).toEqual([1, 2]);
  expect(found("UPDATES here")).toEqual([1, 2]);
  expect(found("$inc")).toEqual([1]);
  expect(found("updates missing")).toEqual([]);
  expect(found(" ")).toEqual([]);
  expect(findPassages("$inc", passagesOf(lesson))[0]?.around).toEqual(["See ", "$inc", " here, … times."]);
});

test("the cells of a table and the items of a list are words of their own", () => {
  const table =
    "# Title\n\n## Stages\n\n| Stage | Does |\n|---|---|\n| `FETCH` | opens |\n| `SORT` | sorts |\n\n- one\n- two\n";
  const [passage] = passagesOf(readLesson("two", "en", { scripts: "```js value n\n1\n```\n", text: table }).lesson);
  expect(passage?.text).toBe("Stage Does FETCH opens SORT sorts one two");
});

test("an entry of the glossary is a passage of its own", () => {
  const entries = passagesOfGlossary("# Glossary\n\n- **shard**: a server.\n- **分片**：一台服务器。\n");
  expect(entries.map(({ title }) => title)).toEqual(["shard", "分片"]);
  expect(findPassages("服务器", entries)[0]?.lesson).toBe(null);
});

test("links lead to lessons, steps, the glossary, labs and the reference", () => {
  expect(readLink("lesson:indexes/3")).toEqual({ to: "lesson", lesson: "indexes", step: 3 });
  expect(readLink("glossary:")).toEqual({ to: "glossary" });
  expect(readLink("reference:stage/$match")).toEqual({ to: "reference", name: "stage/$match" });
  expect(readLink("https://example.com")).toBe(null);
  expect(readLink("javascript:alert(1)")).toBe(null);
});

test("the minutes of a lesson come from its text, runs, questions and tasks", () => {
  expect(minutesOf(lesson)).toBeLessThan(1);
  expect(otherMinutes(lesson, 2)).toBe(null);
  expect(otherMinutes(lesson, 30)).toBe(0);
});
