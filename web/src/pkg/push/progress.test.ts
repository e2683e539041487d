/** How far a copy is, on a terminal and elsewhere. */
import { expect, test } from "vitest";
import { barText, counted, Progress, sized } from "./progress.ts";

function screen(columns: number | undefined) {
  let [text, now] = ["", 0];
  return {
    write: (more: string) => void (text += more),
    columns,
    now: () => now,
    pass: (millis: number) => void (now += millis),
    text: () => text,
  };
}

test("a bar is drawn again on its line, and lines stand above it", () => {
  const one = screen(80);
  const progress = new Progress(one);
  progress.step({ name: "shop.teas", done: 1000, total: 4000, bytes: 100 });
  one.pass(50);
  progress.step({ name: "shop.teas", done: 1500, total: 4000, bytes: 200 });
  one.pass(50);
  progress.step({ name: "shop.teas", done: 2000, total: 4000, bytes: 2_000_000 });
  progress.line("shop.teas: done");
  progress.end();
  expect(one.text().split("\r\u001B[K")).toEqual([
    "",
    "shop.teas █████░░░░░░░░░░░░░░░ 25 % 1,000 of 4,000",
    "shop.teas ██████████░░░░░░░░░░ 50 % 2,000 of 4,000, 20.0 MB/s",
    "shop.teas: done\n",
  ]);
});

test("elsewhere there are lines, for each tenth of what is long", () => {
  const one = screen(undefined);
  const progress = new Progress(one);
  for (let done = 0; done <= 100_000; done += 1000) progress.step({ name: "a.b", done, total: 100_000, bytes: done });
  for (let done = 0; done <= 5000; done += 1000) progress.step({ name: "a.c", done, total: 5000, bytes: done });
  expect(one.text().split("\n")).toEqual([
    ...Array.from({ length: 9 }, (_, at) => `a.b: ${at + 1}0,000 of 100,000 documents`),
    "",
  ]);
  expect(one.text()).not.toContain("\u001B");
});

test("a bar is no wider than its terminal, and no collection is too small for it", () => {
  expect(barText({ name: "x".repeat(50), done: 1, total: 2, bytes: 1 }, 1, 40)).toHaveLength(39);
  expect(barText({ name: "a.b", done: 0, total: 0, bytes: 0 }, 0, 80)).toMatch(/100 % 0 of 0$/);
  expect(barText({ name: "a.b", done: 1, total: 2, bytes: 0 }, 5, 80)).toMatch(/50 % 1 of 2$/);
});

test("figures are worded", () => {
  expect([counted(1, "index"), counted(2, "index"), counted(1200, "document")]).toEqual([
    "1 index",
    "2 indexes",
    "1,200 documents",
  ]);
  expect([sized(999), sized(1500), sized(2_340_000)]).toEqual(["999 bytes", "1.5 KB", "2.3 MB"]);
});
