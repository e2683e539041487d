/** Where points and lines of a chart of growth lie. */
import { describe, expect, test } from "vitest";
import { GROWTH_HEIGHT, GROWTH_WIDTH, layOutGrowth } from "./growth.ts";
import type { Growth } from "./measure.ts";

const growth = (design: string, ...values: readonly (number | null)[]): Growth => ({
  design,
  points: values.map((value, at) => ({ scale: 100 * 10 ** at, value })),
});

describe("a chart of growth", () => {
  test("is drawn in tenfold steps", () => {
    const layout = layOutGrowth([growth("a", 10, 100, 1000), growth("b", 10, 10, 10)]);
    const [a, b] = layout?.lines ?? [];
    const [first, second, third] = a?.runs[0] ?? [];
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeCloseTo((third?.x ?? 0) - (second?.x ?? 0));
    expect((first?.y ?? 0) - (second?.y ?? 0)).toBeCloseTo((second?.y ?? 0) - (third?.y ?? 0));
    expect(new Set(b?.runs[0]?.map(({ y }) => y)).size).toBe(1);
    expect(layout?.across.map(({ value }) => value)).toEqual([100, 1000, 10_000]);
    expect(layout?.up.map(({ value }) => value)).toEqual([10, 100, 1000]);
  });

  test("puts zero on the ground, below one", () => {
    const layout = layOutGrowth([growth("a", 0, 1, 100)]);
    const [zero, one] = layout?.lines[0]?.runs[0] ?? [];
    expect(zero?.y).toBe(layout?.ground);
    expect(one?.y).toBeLessThan(zero?.y ?? 0);
    expect(layout?.up[0]).toEqual({ at: layout?.ground, value: 0 });
  });

  test("marks bytes by their units", () => {
    const marks = layOutGrowth([growth("a", 5000, 3_000_000)], true)?.up.map(({ value }) => value);
    expect(marks).toEqual([1024, 10_240, 102_400, 1_048_576, 10_485_760]);
  });

  test("breaks a line where a design failed, and has nothing where all did", () => {
    expect(layOutGrowth([growth("a", 1, null, 3)])?.lines[0]?.runs.map((run) => run.length)).toEqual([1, 1]);
    expect(layOutGrowth([growth("a", null)])).toBeNull();
    expect(layOutGrowth([])).toBeNull();
  });

  test.each([[[5]], [[0]], [[0, 0]], [[1]], [[0.5, 2]], [[1e9, 1]]])("keeps %j inside", (values) => {
    const layout = layOutGrowth([growth("a", ...values)]);
    for (const { x, y } of layout?.lines.flatMap(({ runs }) => runs.flat()) ?? []) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(GROWTH_WIDTH);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(GROWTH_HEIGHT);
    }
  });
});
