/** A book of problems is filtered, and leads to the next problem that is not solved. */
import { expect, test } from "vitest";
import { filtered, nextUnsolved, NO_FILTER, standingOf, type Standable } from "./book.ts";

const problem = (id: string, topic: string, difficulty: 1 | 2 | 3, more: Partial<Standable> = {}): Standable => ({
  id,
  problem: { topic, difficulty },
  passed: 0,
  tasks: 1,
  tried: false,
  ...more,
});
const problems = [
  problem("a", "queries", 1, { passed: 1, tried: true }),
  problem("b", "queries", 2, { tried: true }),
  problem("c", "indexes", 2),
  problem("d", "indexes", 3, { passed: 1, tasks: 2, tried: true }),
];
const ids = (found: readonly Standable[]): string => found.map(({ id }) => id).join("");

test("a problem is solved when all of its checks are passed", () => {
  expect(problems.map(standingOf)).toEqual(["solved", "tried", "new", "tried"]);
  expect(standingOf({ passed: 1, tasks: null, tried: true })).toBe("solved");
});

test("filters hold together", () => {
  expect(ids(filtered(problems, NO_FILTER))).toBe("abcd");
  expect(ids(filtered(problems, { ...NO_FILTER, topic: "indexes" }))).toBe("cd");
  expect(ids(filtered(problems, { ...NO_FILTER, difficulty: 2 }))).toBe("bc");
  expect(ids(filtered(problems, { topic: "queries", difficulty: 2, standing: "tried" }))).toBe("b");
  expect(ids(filtered(problems, { topic: "queries", difficulty: 3, standing: null }))).toBe("");
});

test("the next unsolved one is behind the open one, and then from the beginning", () => {
  expect(nextUnsolved(problems, null)?.id).toBe("b");
  expect(nextUnsolved(problems, "b")?.id).toBe("c");
  expect(nextUnsolved(problems, "d")?.id).toBe("b");
  expect(nextUnsolved(problems.slice(0, 2), "b")).toBe(null);
});
