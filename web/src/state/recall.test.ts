/** Wrong predictions come back, and leave when they were right often enough. */
import { expect, test } from "vitest";
import { dueOf, keptOf, missed, readRecalls, recalled, type Recall } from "./recall.ts";

const DAY = 86_400_000;
const one = { lesson: "queries", key: "between/1", sign: "a" };
const other = { lesson: "queries", key: "far/1", sign: "b" };

test("a wrong prediction comes back after a day, three days and a week, and leaves", () => {
  let list = missed([], one, 0);
  expect(dueOf(list, DAY - 1)).toEqual([]);
  expect(dueOf(list, DAY)).toEqual([{ ...one, stage: 0, due: DAY }]);
  list = recalled(list, one, true, DAY);
  expect(list).toEqual([{ ...one, stage: 1, due: 4 * DAY }]);
  list = recalled(list, one, true, 4 * DAY);
  expect(list).toEqual([{ ...one, stage: 2, due: 11 * DAY }]);
  expect(recalled(list, one, true, 11 * DAY)).toEqual([]);
  // A wrong one begins again, as one that is missed in its lesson a second time does.
  expect(recalled(list, one, false, 11 * DAY)).toEqual([{ ...one, stage: 0, due: 12 * DAY }]);
  expect(missed(list, one, 5 * DAY)).toEqual([{ ...one, stage: 0, due: 6 * DAY }]);
  expect(recalled([], one, true, 0)).toEqual([]);
});

test("the longest waiting comes first, and one that was practised early is moved on, too", () => {
  const list = missed(missed([], one, DAY), other, 0);
  expect(dueOf(list, 2 * DAY).map(({ key }) => key)).toEqual(["far/1", "between/1"]);
  expect(recalled(list, other, true, 10).find(({ key }) => key === "far/1")).toEqual({
    ...other,
    stage: 1,
    due: 10 + 3 * DAY,
  });
});

test("a question that vanished or became another is dropped, and one that is not read yet is kept", () => {
  const list = missed(missed(missed([], one, 0), other, 0), { lesson: "late", key: "x/1", sign: "c" }, 0);
  const signs: Readonly<Record<string, string | null | undefined>> = { "between/1": "changed", "far/1": null };
  expect(keptOf(list, (_lesson, key) => signs[key]).map(({ key }) => key)).toEqual(["x/1"]);
  expect(keptOf(list, () => undefined)).toBe(list);
});

test("a kept list is read entry by entry", () => {
  const list: readonly Recall[] = missed([], one, 0);
  expect(readRecalls(JSON.parse(JSON.stringify(list)))).toEqual(list);
  expect(readRecalls([3, null, { ...list[0], stage: 3 }, { ...list[0], due: "now" }, { key: "x" }])).toEqual([]);
  expect(readRecalls("x")).toEqual([]);
});
