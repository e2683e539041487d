/**
 * Places on the sphere: as vectors, along great circles, around a place at a distance.
 *
 * Invariants: pure; a point is longitude and latitude in degrees, an angle is in radians; the earth is the sphere that
 * the engine measures on.
 */

/** Longitude and latitude in degrees, or `x` and `y` of a plane. */
export type Point = readonly [number, number];
/** A direction from the middle of the earth. */
export type Vector = readonly [number, number, number];

/** Metres in the radius of the earth. */
export const EARTH = 6_378_100;

/** An angle of degrees in radians. */
export const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** An angle of radians in degrees. */
export const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** A point as a vector of length 1. */
export function vectorOf([longitude, latitude]: Point): Vector {
  const [around, up] = [radians(longitude), radians(latitude)];
  return [Math.cos(up) * Math.cos(around), Math.cos(up) * Math.sin(around), Math.sin(up)];
}

/** A vector of any length as a point. */
export function pointOf([x, y, z]: Vector): Point {
  return [degrees(Math.atan2(y, x)), degrees(Math.atan2(z, Math.hypot(x, y)))];
}

const dot = (one: Vector, other: Vector): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

function cross([ax, ay, az]: Vector, [bx, by, bz]: Vector): Vector {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

/** The angle between two places. */
export function angleBetween(one: Point, other: Point): number {
  const [a, b] = [vectorOf(one), vectorOf(other)];
  return Math.atan2(Math.hypot(...cross(a, b)), dot(a, b));
}

/** The most degrees of a great circle that are drawn as one straight line. */
const STEP = 1;

/** A line along great circles, with points on the way where one step is long. */
export function alongCircles(points: readonly Point[]): readonly Point[] {
  const all: Point[] = [];
  for (const [at, point] of points.entries()) {
    const before = points[at - 1];
    if (before !== undefined) {
      const angle = angleBetween(before, point);
      const steps = Math.ceil(degrees(angle) / STEP);
      const [a, b] = [vectorOf(before), vectorOf(point)];
      for (let step = 1; step < steps; step++) {
        const [from, to] = [Math.sin(angle * (1 - step / steps)), Math.sin(angle * (step / steps))];
        all.push(pointOf([a[0] * from + b[0] * to, a[1] * from + b[1] * to, a[2] * from + b[2] * to]));
      }
    }
    all.push(point);
  }
  return all;
}

/** Points of a circle that is drawn. */
const CORNERS = 120;

/** A circle around a place, closed, against the clock: the circle is on its left. */
export function circleAround(center: Point, radius: number): readonly Point[] {
  const up = vectorOf(center);
  const east = radians(center[0]);
  const toEast: Vector = [-Math.sin(east), Math.cos(east), 0];
  const toNorth = cross(up, toEast);
  const [along, beside] = [Math.cos(radius), Math.sin(radius)];
  const ring: Point[] = [];
  for (let corner = 0; corner < CORNERS; corner++) {
    const turn = (2 * Math.PI * corner) / CORNERS;
    const [e, n] = [Math.cos(turn) * beside, Math.sin(turn) * beside];
    const at = (axis: 0 | 1 | 2): number => up[axis] * along + toEast[axis] * e + toNorth[axis] * n;
    ring.push(pointOf([at(0), at(1), at(2)]));
  }
  return [...ring, ring[0] ?? center];
}

/** A box by its lower left and its upper right corner, as a closed ring against the clock. */
export function boxRing([west, south]: Point, [east, north]: Point): readonly Point[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** A circle of a plane, closed, against the clock. */
export function circleInPlane([x, y]: Point, radius: number): readonly Point[] {
  return Array.from({ length: CORNERS + 1 }, (_, corner): Point => {
    const turn = (2 * Math.PI * corner) / CORNERS;
    return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
  });
}
