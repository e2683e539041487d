/** Blocks of known and unknown heights are found by height, and the other way round. */
import { expect, test } from "vitest";
import { Blocks } from "./blocks.ts";

test("what is not known is as high as what is", () => {
  const blocks = new Blocks();
  blocks.count = 10;
  expect(blocks.top(10)).toBe(10);
  blocks.set(0, 4);
  blocks.set(1, 2);
  expect([0, 1, 2, 3, 10].map((index) => blocks.top(index))).toEqual([0, 4, 6, 9, 30]);
  expect([0, 3.9, 4, 6, 8.9, 29, 99].map((height) => blocks.at(height))).toEqual([0, 0, 1, 2, 2, 9, 9]);
  blocks.set(1, 0);
  expect(blocks.isKnown(1)).toBe(false);
  expect(blocks.top(10)).toBe(40);
});

test("more and fewer blocks", () => {
  const blocks = new Blocks();
  blocks.count = 2;
  blocks.set(0, 5);
  blocks.set(1, 7);
  blocks.count = 1;
  expect(blocks.top(1)).toBe(5);
  blocks.count = 100_000;
  expect(blocks.top(100_000)).toBe(500_000);
  expect(blocks.at(blocks.top(77_777))).toBe(77_777);
  blocks.count = 0;
  expect(blocks.at(5)).toBe(0);
});
