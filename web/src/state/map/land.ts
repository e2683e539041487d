/**
 * Reads the coast lines that `scripts/make-land.mjs` wrote. Each ring is a line, which goes on in the next one where
 * that begins with a space: the first point in four marks, then two marks for each step, in fifths of a degree.
 *
 * Invariant: pure; land goes on over the antimeridian, and Antarctica around the pole.
 */
import { regionOf, unwrap, type Area } from "./area.ts";
import type { Point } from "./sphere.ts";

/** Parts of a degree that the points are rounded to. */
const PARTS = 5;

/** The land as one area. */
export function readLand(text: string, marks: string): Area {
  const values = new Map([...marks].map((mark, at): [string, number] => [mark, at]));
  const half = (marks.length - 1) / 2;
  const fill: (readonly Point[])[] = [];
  const outline: (readonly Point[])[] = [];
  for (const line of text.replaceAll("\n ", "").split("\n")) {
    const value = (at: number): number => values.get(line.charAt(at)) ?? half;
    const start = (at: number): number => value(at) * marks.length + value(at + 1);
    let [x, y] = [start(0) - 180 * PARTS, start(2) - 90 * PARTS];
    const ring: Point[] = [[x / PARTS, y / PARTS]];
    for (let at = 4; at < line.length; at += 2) {
      x += value(at) - half;
      y += value(at + 1) - half;
      ring.push([x / PARTS, y / PARTS]);
    }
    const coast = unwrap(ring);
    fill.push(...regionOf(coast, false));
    outline.push(coast);
  }
  return { fill, outline };
}
