/** Tables come apart into rows however they were cut; a row with a wrong quote is refused by its line, and alone. */
import { describe, expect, test } from "vitest";
import { RowSplitter } from "./csv-rows.ts";
import { LineError } from "./line-error.ts";

function split(text: string, size = text.length, delimiter = ","): unknown[] {
  const splitter = new RowSplitter(delimiter);
  const found = [];
  for (let at = 0; at < text.length; at += size) found.push(...splitter.push(text.slice(at, at + size)));
  found.push(...splitter.end());
  return found.map((row) =>
    row instanceof LineError
      ? `${row.fault} ${row.line}:${row.column}${row.final ? " final" : ""} ${row.lost}`
      : [row.line, ...row.cells],
  );
}

describe.each([1, 2, 5, 1000])("in pieces of %i", (size) => {
  test("cells are plain or in quotes, with any sign in them", () => {
    expect(split('a,b\r\n"x, ""y""", z \r\n\r\n"two\nlines",\n"" , "e" \n,\nlast', size)).toEqual([
      [1, "a", "b"],
      [2, 'x, "y"', "z"],
      [4, "two\nlines", ""],
      [6, "", "e"],
      [7, "", ""],
      [8, "last"],
    ]);
  });

  test("a wrong quote loses its row, and the next is read", () => {
    expect(split('a,b\n"HC 73 BOX 95, "D"","data"\n1,2\n', size)).toEqual([
      [1, "a", "b"],
      'strayQuote 2:16 "HC 73 BOX 95, "D"","data"',
      [3, "1", "2"],
    ]);
    expect(split('1,5" pipe\n2,b\n', size)).toEqual(['bareQuote 1:4 1,5" pipe', [2, "2", "b"]]);
    expect(split('"a" "b"\r\n2\r\n', size)).toEqual(['strayQuote 1:3 "a" "b"', [2, "2"]]);
    // The line of the mistake is lost with the row: it may be the rest of a cell.
    expect(split('"a\nb"c\nd\n', size)).toEqual(['strayQuote 2:2 "a\nb"c', [3, "d"]]);
  });

  test("a quote that is never closed is told where it opens", () => {
    expect(split('a\nb,"c\nd\n', size)).toEqual([[1, "a"], 'openQuote 2:3 final b,"c\nd\n']);
  });

  test("between tabs a quote is a sign like any other", () => {
    expect(split('a\tb\n5" pipe\t "x"\n', size, "\t")).toEqual([
      [1, "a", "b"],
      [2, '5" pipe', ' "x"'],
    ]);
  });
});
