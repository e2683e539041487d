/** Long values in snippets: the beginning is drawn, and the rest in pieces when asked for. */
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { snippetViews } from "./attributes.ts";
import { drawDifference, drawEarlier, drawPrinted, drawValue, type ResultValue } from "./results.ts";
import { wordsFor } from "./words.ts";

const words = wordsFor("en");
const long = "some words ".repeat(200_000);
const value = (values: readonly unknown[]): ResultValue => ({
  values,
  isCursor: true,
  text: JSON.stringify(values),
  batch: null,
  from: null,
  cursor: null,
  plain: null,
  isTold: false,
  fetched: null,
});
const frames: (() => void)[] = [];

beforeAll(() => {
  vi.stubGlobal("document", parseHTML("<html><body></body></html>").document);
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => frames.push(draw));
});
afterAll(() => void vi.unstubAllGlobals());

const characters = (node: Node): number => (node.textContent ?? "").length;

test.each(snippetViews)("the view %s begins a long text, a large document and many documents", (view) => {
  for (const values of [
    [{ _id: 1, text: long }],
    [{ _id: 1, all: Array.from({ length: 50_000 }, (_, n) => ({ n, word: `word ${n}` })) }],
    Array.from({ length: 90 }, (_, n) => ({ _id: n, text: "x".repeat(20_000) })),
  ])
    expect(characters(drawValue(value(values), view, words))).toBeLessThan(230_000);
});

test("a table and a tree draw a hundred rows, and as many more when asked for", () => {
  const rows = Array.from({ length: 250 }, (_, n) => ({ _id: n, word: `word ${n}` }));
  for (const [view, name] of [
    ["table", "tbody tr"],
    ["tree", ".tree > .part"],
  ] as const) {
    const drawn = document.createElement("div");
    drawn.append(drawValue(value(rows), view, words));
    document.body.append(drawn);
    const count = (): number => drawn.querySelectorAll(name).length;
    expect(count()).toBe(100);
    drawn.querySelector<HTMLElement>("button.quiet")?.click();
    expect(count()).toBe(200);
    drawn.querySelector<HTMLElement>("button.quiet")?.click();
    expect(count()).toBe(250);
    expect(drawn.querySelector("button.quiet")).toBeNull();
  }
});

test("printed lines, earlier values and differences are cut too", () => {
  expect(characters(drawPrinted([long], words))).toBeLessThan(25_000);
  expect(characters(drawEarlier(1, long, words))).toBeLessThan(25_000);
  expect(characters(drawEarlier(1, `${long}\n${long}`, words))).toBeLessThan(25_000);
  expect(characters(drawDifference([{ kind: "missing", text: long }], words))).toBeLessThan(5000);
});

test("all of it is drawn when asked for, a few pieces in each frame", () => {
  const printed = drawPrinted([long], words);
  document.body.append(printed);
  printed.querySelector("button")?.click();
  expect(characters(printed)).toBeLessThan(300_000);
  while (frames.length > 0) frames.shift()?.();
  expect(printed.textContent).toBe(long);
  expect(printed.querySelector("button")).toBeNull();
});
