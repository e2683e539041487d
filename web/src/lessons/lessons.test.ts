/**
 * The menu has every worked example, as a reader should see it.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { forReaders, lessonIds, lessons } from "./lessons.ts";

test("every example of the menu has its script", () => {
  expect(lessons.map((lesson) => lesson.id)).toEqual([...lessonIds]);
});

test.each(lessonIds)("%s shows no expectation, and loses nothing else", async (id) => {
  const shown = await lessons.find((lesson) => lesson.id === id)?.load();
  const whole = readFileSync(new URL(`../../../tests/scripts/examples/${id}.js`, import.meta.url), "utf8");
  expect(shown).not.toMatch(/^\/\/>/m);
  expect(shown?.split("\n")[0]).toMatch(/^\/\/ /);
  expect(forReaders(whole)).toBe(shown);
  const kept = whole.split("\n").filter((line) => !line.startsWith("//>") && line.trim() !== "");
  expect(shown?.split("\n").filter((line) => line.trim() !== "")).toEqual(kept);
});
