/**
 * Reads the coast lines that `scripts/make-land.mjs` wrote: a line a ring, its first point in four marks, and then two
 * marks a step, in tenths of a degree.
 *
 * Invariant: pure; edges along the antimeridian and below the south pole, where the source cuts the land, are filled
 * and not drawn as coast.
 */
import type { Area } from "./area.ts";
import type { Point } from "./sphere.ts";

/** The land as one area. */
export function readLand(text: string, marks: string): Area {
  const values = new Map([...marks].map((mark, at): [string, number] => [mark, at]));
  const half = (marks.length - 1) / 2;
  const fill: Point[][] = [];
  const outline: Point[][] = [];
  for (const line of text.split("\n")) {
    const value = (at: number): number => values.get(line.charAt(at)) ?? half;
    const start = (at: number): number => value(at) * marks.length + value(at + 1);
    let [x, y] = [start(0) - 1800, start(2) - 900];
    const ring: Point[] = [[x / 10, y / 10]];
    for (let at = 4; at < line.length; at += 2) {
      x += value(at) - half;
      y += value(at + 1) - half;
      ring.push([x / 10, y / 10]);
    }
    fill.push(ring);
    let coast: Point[] = [];
    for (const [at, point] of ring.entries()) {
      const before = ring[at - 1];
      if (before !== undefined && isCut(before, point)) {
        outline.push(coast);
        coast = [];
      }
      coast.push(point);
    }
    outline.push(coast);
  }
  return { fill, outline: outline.filter((coast) => coast.length > 1) };
}

function isCut(one: Point, other: Point): boolean {
  return (Math.abs(one[0]) >= 180 && Math.abs(other[0]) >= 180) || (one[1] <= -90 && other[1] <= -90);
}
