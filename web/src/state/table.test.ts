/** What stands right in a table, and what stands left. */
import { expect, it } from "vitest";
import { ColumnCounter, isOfNumbers } from "./table.ts";

it("knows the columns of figures from those that hold a text, too", () => {
  const counter = new ColumnCounter();
  counter.add([
    { n: 1, note: "a", mixed: 5 },
    { n: null, note: "c", mixed: 7 },
    { n: 2.5, note: "b", mixed: "a long text" },
  ]);
  const found = counter.columns().map((column) => [column.name, isOfNumbers(column)]);
  expect(found).toEqual([
    ["n", true],
    ["note", false],
    ["mixed", false],
  ]);
});
