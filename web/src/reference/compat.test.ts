/** Tables of names are read, other tables are passed over, and a broken row is told. */
import { expect, test } from "vitest";
import { readCompat } from "./compat.ts";

const table = (...rows: readonly string[]): string =>
  [
    "# Compatibility",
    "",
    "## Stages",
    "",
    "Words.",
    "",
    "| name | status | note |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");

test("reads name, support and note", () => {
  expect(readCompat(table("| `$match` | supported | |", "| `$out` | partial | `timeseries` is refused. |"))).toEqual([
    { section: "Stages", name: "$match", support: "supported", note: "" },
    { section: "Stages", name: "$out", support: "partial", note: "`timeseries` is refused." },
  ]);
});

test("takes no other table for names", () => {
  const other =
    "\n\n## Deviations\n\n| what | MongoDB | here | why |\n| --- | --- | --- | --- |\n| `x` | a | b | c |\n";
  expect(readCompat(table("| `$match` | supported | |") + other)).toHaveLength(1);
});

test("tells of a row that cannot be read", () => {
  expect(() => readCompat(table("| `$match` | maybe | |"))).toThrow("a row of Stages cannot be read");
});
