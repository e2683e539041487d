/** A reader's work where the storage is full. */
import { expect, test } from "vitest";
import { KeptWork } from "./kept-work.ts";

test("work that cannot be stored stays with the page, lesson by lesson", () => {
  const stored = new Map<string, string>();
  let isFull = false;
  const kept = new KeptWork({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => {
      if (isFull) throw new Error("QuotaExceededError");
      stored.set(key, text);
    },
  });
  kept.begin("c");
  kept.change("a", { passed: ["one"] });
  isFull = true;
  kept.change("b", { passed: ["two"] });
  kept.change("c", { passed: ["three"] });
  expect([kept.kept, ...["a", "b", "c"].map((id) => kept.of(id).passed.length)]).toEqual([false, 1, 1, 1]);
  isFull = false;
  kept.stopAt({ lesson: "c", step: 1 });
  expect(kept.kept).toBe(true);
  const later = new KeptWork({ getItem: (key) => stored.get(key) ?? null, setItem: () => undefined });
  later.begin("c");
  expect(["a", "b", "c"].map((id) => later.of(id).passed.length)).toEqual([1, 1, 1]);
});
