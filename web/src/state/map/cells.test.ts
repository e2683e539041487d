/** Cells are those that S2 and the engine's own tests know, and ranges of keys are read as explain words them. */
import { describe, expect, test } from "vitest";
import { cellOfText, cellsBetween, cornersOf, leafAt, levelOf, parentOf, rangeOf, readCellRange } from "./cells.ts";
import { hashAt, PLAIN_GRID, readHashRange, squaresBetween } from "./grid.ts";

describe("cells of the sphere", () => {
  test.each([
    [0x47a1_cbd5_9552_2b39n, 49.703_498_679, 11.770_681_595],
    [0x4652_5318_b63b_e0f9n, 55.685_376_759, 12.588_490_937],
    [0x52b3_0b71_698e_729dn, 45.486_546_517, -93.449_700_022],
    [0x3663_f18a_24cb_e857n, 34.364_439_04, 108.330_699_969],
    [0x2b2b_fd07_6787_c5dfn, -25.285_264_027, 133.823_116_966],
    [0xb09d_ff88_2a78_09e1n, -75.000_000_031, 0.000_000_133],
  ])("%s is the leaf at a known place", (cell, latitude, longitude) => {
    expect(leafAt([longitude, latitude])).toBe(cell);
    expect(levelOf(cell)).toBe(30);
    const corners = cornersOf(parentOf(cell, 12));
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    expect(Math.min(...ys)).toBeLessThan(latitude);
    expect(Math.max(...ys)).toBeGreaterThan(latitude);
    expect(Math.min(...xs)).toBeLessThan(longitude);
    expect(Math.max(...xs)).toBeGreaterThan(longitude);
  });

  test("have the texts of versions 1 and 2, and the ranges of version 3", () => {
    const cell = parentOf(0x47a1_cbd5_9552_2b39n, 3);
    expect(cellOfText("2f033")).toBe(cell);
    const [first, last] = rangeOf(cell);
    expect(readCellRange(`[${first}, ${last}]`)).toEqual({ whole: [cell], alone: [] });
    expect(readCellRange(`[${cell}, ${cell}]`)).toEqual({ whole: [], alone: [cell] });
    expect(readCellRange('["2f033", "2f034")')).toEqual({ whole: [cell], alone: [] });
    expect(readCellRange('["2f03", "2f03"]')).toEqual({ whole: [], alone: [parentOf(cell, 2)] });
    expect(readCellRange('["2f", "2g")')?.whole).toEqual([parentOf(cell, 0)]);
  });

  test("of the upper half of the numbers have keys below zero", () => {
    const cell = parentOf(0xb09d_ff88_2a78_09e1n, 5);
    const [first, last] = rangeOf(cell).map((leaf) => BigInt.asIntN(64, leaf));
    expect(first).toBeLessThan(0n);
    expect(readCellRange(`[${first}, ${last}]`)?.whole).toEqual([cell]);
  });

  test("fill a range that is no cell with the largest there are, and an open end leaves its leaf out", () => {
    const cell = parentOf(0x47a1_cbd5_9552_2b39n, 3);
    const [first, last] = rangeOf(cell);
    const [quarter] = cellsBetween(first, first + (last - first) / 4n);
    expect(levelOf(quarter ?? 0n)).toBe(4);
    // Two thirds of a face are whole quarters and parts of them, none inside another.
    const cells = cellsBetween(first, last - 2n);
    expect(cells.every((one) => rangeOf(one)[1] <= last - 2n)).toBe(true);
    expect(readCellRange(`(${first}, ${last}]`)?.whole.some((one) => rangeOf(one)[0] === first)).toBe(false);
  });

  test("are none in the bounds of another field", () => {
    for (const text of ["[MinKey, MaxKey]", "(0, inf.0]", '["a", "b"]', "[null, null]", ""])
      expect(readCellRange(text)).toBeNull();
  });
});

describe("squares of the plane", () => {
  test("are the halves and quarters that the bits name", () => {
    const range = readHashRange("[BinData(128, C000000000000000), BinData(128, FFFFFFFFFFFFFFFF)]");
    expect(squaresBetween(...(range ?? [0n, 0n]), PLAIN_GRID)).toEqual([
      [
        [0, 0],
        [180, 180],
      ],
    ]);
    const small = readHashRange("[BinData(128, C000300000000000), BinData(128, C0003FFFFFFFFFFF)]");
    const [square] = squaresBetween(...(small ?? [0n, 0n]), { min: 0, max: 1024, bits: 26 });
    // Bits in turn, x first: the tenth of each.
    expect(square).toEqual([
      [513, 513],
      [514, 514],
    ]);
  });

  test("hold the hash of each point in them, as the engine keeps it", () => {
    expect(hashAt([0, 0], PLAIN_GRID)).toBe(0xc000_0000_0000_0000n);
    expect(hashAt([0, 1], PLAIN_GRID)).toBe(0xc000_4514_0045_1000n);
    expect(hashAt([1, 0], PLAIN_GRID)).toBe(0xc000_8a28_008a_2000n);
    expect(hashAt([181, 0], PLAIN_GRID)).toBeNull();
    expect(readHashRange("[MinKey, MaxKey]")).toBeNull();
  });
});
