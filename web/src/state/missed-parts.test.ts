/** Parts of the page that could not be fetched: one failure is told once, and by the place that wanted the part. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isMissedPart, markTold, notePart } from "./missed-parts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a failure that nobody tells is told once by the page", () => {
  const tell = vi.fn();
  const failure = new TypeError("no file");
  expect(isMissedPart(failure)).toBe(false);
  notePart(failure, tell);
  notePart(failure, tell);
  expect(isMissedPart(failure)).toBe(true);
  expect(tell).not.toHaveBeenCalled();
  vi.runAllTimers();
  notePart(failure, tell);
  vi.runAllTimers();
  expect(tell).toHaveBeenCalledTimes(1);
});

test("a failure that is told where the part was wanted is not told again", () => {
  const tell = vi.fn();
  const failure = new TypeError("no file");
  notePart(failure, tell);
  markTold(failure);
  vi.runAllTimers();
  expect(tell).not.toHaveBeenCalled();
});

test("another error is no missed part", () => {
  notePart("text", () => undefined);
  markTold(null);
  expect(isMissedPart("text")).toBe(false);
  expect(isMissedPart(new Error("its own"))).toBe(false);
});
