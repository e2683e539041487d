/** The engine's running totals by name, and their growth between two readings. */
import { expect, it } from "vitest";
import { accountOf, accountSince, NO_TOTALS } from "./account.ts";

it("names the engine's numbers in their order", () => {
  expect(accountOf(Float64Array.of(1, 2, 3, 4, 5, 6, 7))).toEqual({
    keysExamined: 1,
    documentsExamined: 2,
    pagesRead: 3,
    pagesWritten: 4,
    documentsInserted: 5,
    documentsUpdated: 6,
    documentsDeleted: 7,
  });
});

it("tells what was added between two looks", () => {
  const before = accountOf(Float64Array.of(1, 1, 1, 1, 1, 1, 1));
  const now = accountOf(Float64Array.of(3, 1, 4, 1, 5, 9, 2));
  expect(Object.values(accountSince(before, now))).toEqual([2, 0, 3, 0, 4, 8, 1]);
  expect(accountSince(before, before)).toEqual(accountOf(NO_TOTALS));
});
