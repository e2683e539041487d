/** Printed lines: how many and how much of them is kept between two messages. */
import { expect, it } from "vitest";
import { Printed } from "./printed.ts";

it("keeps the last of many lines, counts the others, and begins anew once it was asked", () => {
  const printed = new Printed();
  for (let line = 0; line < 2_000_000; line += 1) printed.add(String(line));
  const { printed: lines, leftOut } = printed.take();
  expect([lines.length, lines[0], lines.at(-1), leftOut]).toEqual([10_000, "1990000", "1999999", 1_990_000]);
  expect(printed.take()).toEqual({ printed: [], leftOut: 0 });
  printed.add("one");
  expect(printed.take()).toEqual({ printed: ["one"], leftOut: 0 });
});

it("cuts a line that nobody reads to its end, and keeps no more of many long ones than a page can take", () => {
  const printed = new Printed();
  printed.add("x".repeat(50_000_000));
  const [line = ""] = printed.take().printed;
  expect(line.length).toBeLessThan(51_000);
  expect(line).toMatch(/x… and 49950000 more characters$/);
  for (let count = 0; count < 100; count += 1) printed.add(`${count}`.padEnd(50_000, "y"));
  const { printed: lines, leftOut } = printed.take();
  expect([lines.length, leftOut, lines.at(-1)?.slice(0, 3)]).toEqual([20, 80, "99y"]);
});
