/**
 * Areas of the sphere as rings to be filled on a map on which the world repeats to the sides.
 *
 * Invariants: pure; a ring's longitudes go on past 180 where it crosses the antimeridian, so that nothing smears over
 * the map; an area that holds a pole is closed along the map's upper or lower edge. A ring parts the sphere in two: the
 * smaller part is meant, or in the strict winding CRS the one on its left.
 */
import { alongCircles, boxRing, radians, type Point } from "./sphere.ts";

/** Rings to fill by the even-odd rule, and the lines around them. */
export interface Area {
  readonly fill: readonly (readonly Point[])[];
  readonly outline: readonly (readonly Point[])[];
}

/** Longitudes that go on from one to the next, past 180. */
export function unwrap(points: readonly Point[]): readonly Point[] {
  let last = points[0]?.[0] ?? 0;
  return points.map(([x, y]): Point => {
    last = x + 360 * Math.round((last - x) / 360);
    return [last, y];
  });
}

/** The integral of the sine of the latitude over the longitude, in radians. */
function swept(ring: readonly Point[]): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at++) {
    const [one, other] = [ring[at - 1] as Point, ring[at] as Point];
    sum += radians(other[0] - one[0]) * Math.sin(radians((one[1] + other[1]) / 2));
  }
  return sum;
}

/** One ring as rings to fill. */
export function regionOf(ring: readonly Point[], isStrict: boolean): readonly (readonly Point[])[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined) return [];
  const turns = Math.round((last[0] - first[0]) / 360);
  if (turns === 0) {
    const left = -swept(ring);
    // On the map its inside is on its left where it goes against the clock.
    if (isStrict ? left >= 0 : Math.abs(left) <= 2 * Math.PI) return [ring];
    return [worldFrom(ring.reduce((west, [x]) => Math.min(west, x), Infinity)), ring];
  }
  const north = 2 * Math.PI - (swept(ring) * Math.sign(turns)) / Math.abs(turns);
  const pole = (isStrict ? turns > 0 : north <= 2 * Math.PI) ? 90 : -90;
  return [[...ring, [last[0], pole], [first[0], pole], first]];
}

/** All of the map, from a longitude on. */
export function worldFrom(west: number): readonly Point[] {
  return boxRing([west, -90], [west + 360, 90]);
}

const middle = (ring: readonly Point[]): number => ring.reduce((sum, [x]) => sum + x, 0) / Math.max(1, ring.length);

/** A polygon with its holes. */
export function areaOf(rings: readonly (readonly Point[])[], isStrict = false): Area {
  const fill: (readonly Point[])[] = [];
  const outline: (readonly Point[])[] = [];
  let center: number | null = null;
  for (const ring of rings) {
    const smooth = unwrap(alongCircles(ring));
    center ??= middle(smooth);
    const shift = 360 * Math.round((center - middle(smooth)) / 360);
    const moved = smooth.map(([x, y]): Point => [x + shift, y]);
    outline.push(moved);
    fill.push(...regionOf(moved, isStrict));
  }
  return { fill, outline };
}

/** A line along great circles. */
export function lineOf(points: readonly Point[]): readonly Point[] {
  return unwrap(alongCircles(points));
}
