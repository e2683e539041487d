/** Areas over a pole, across the antimeridian and larger than half of the earth are drawn without smearing. */
import { describe, expect, test } from "vitest";
import { areaOf, lineOf } from "./area.ts";
import {
  centered,
  fitted,
  fromScreen,
  hasCoast,
  isInSight,
  pan,
  resized,
  toScreen,
  zoom,
  type Camera,
} from "./camera.ts";
import { dotsOf, fillPath } from "./paths.ts";
import { extentOf } from "./places.ts";
import { drawAsked, hit } from "./scene.ts";
import { askedIn } from "./query.ts";
import { angleBetween, circleAround, EARTH, radians, type Point } from "./sphere.ts";

const box = (west: number, south: number, east: number, north: number): readonly Point[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** The widest step from one point of a line to the next, in degrees of longitude. */
const widest = (points: readonly Point[]): number =>
  Math.max(...points.slice(1).map(([x], at) => Math.abs(x - (points[at]?.[0] ?? 0))));

const isFilled = (fill: readonly (readonly Point[])[], at: Point): boolean => {
  const camera = fitted(null, false, 720, 360);
  return hit([{ points: [], lines: [], areas: [{ fill, outline: [] }] }], toScreen(camera, at), camera) === 0;
};

describe("an area", () => {
  test("across the antimeridian goes on past 180", () => {
    const { fill, outline } = areaOf([box(170, -10, -170, 10)]);
    expect(outline.map(widest)[0]).toBeLessThan(2);
    expect(isFilled(fill, [179, 0])).toBe(true);
    expect(isFilled(fill, [-179, 0])).toBe(true);
    expect(isFilled(fill, [0, 0])).toBe(false);
    expect(extentOf(outline.flat(), false)).toMatchObject({ west: 170, east: 190 });
  });

  test("around a pole is filled up to the map's edge, and no further south", () => {
    const ring: readonly Point[] = [-180, -90, 0, 90, 180].map((x): Point => [x, 70]);
    const { fill } = areaOf([ring]);
    for (const x of [-170, -45, 45, 170]) {
      expect(isFilled(fill, [x, 89])).toBe(true);
      expect(isFilled(fill, [x, 40])).toBe(false);
    }
    // The other way around it is the same area, but for the strict winding CRS, which means all the rest.
    const back = ring.toReversed();
    expect(isFilled(areaOf([back]).fill, [10, 89])).toBe(true);
    expect(isFilled(areaOf([back], true).fill, [10, 89])).toBe(false);
    expect(isFilled(areaOf([back], true).fill, [10, -40])).toBe(true);
  });

  test("is the smaller part of the earth, or with the strict CRS the one on the ring's left", () => {
    const ring = box(-20, -20, 20, 20);
    expect(isFilled(areaOf([ring]).fill, [0, 0])).toBe(true);
    expect(isFilled(areaOf([ring.toReversed()]).fill, [0, 0])).toBe(true);
    const rest = areaOf([ring.toReversed()], true).fill;
    expect(isFilled(rest, [0, 0])).toBe(false);
    expect(isFilled(rest, [150, 60])).toBe(true);
  });

  test("has its holes", () => {
    const { fill } = areaOf([box(170, -10, -170, 10), box(-178, -2, -174, 2)]);
    expect(isFilled(fill, [-176, 0])).toBe(false);
    expect(isFilled(fill, [-172, 0])).toBe(true);
  });
});

describe("a circle", () => {
  const within = (center: Point, meters: number): ReturnType<typeof drawAsked> =>
    drawAsked(askedIn({ at: { $geoWithin: { $centerSphere: [center, meters / EARTH] } } })[0] as never);

  test("is as far from its centre everywhere", () => {
    for (const center of [
      [12, 55],
      [179.9, -80],
      [0, 90],
    ] as const)
      for (const point of circleAround(center, 0.2)) expect(angleBetween(center, point)).toBeCloseTo(0.2, 9);
  });

  test("over a pole holds it, and its line has no step over the map", () => {
    const { areas } = within([30, 85], 1_500_000);
    expect(isFilled(areas[0]?.fill ?? [], [-150, 88])).toBe(true);
    expect(isFilled(areas[0]?.fill ?? [], [30, 60])).toBe(false);
    expect(Math.max(...(areas[0]?.outline ?? []).map(widest))).toBeLessThan(90);
  });

  test("at the antimeridian is one", () => {
    const { areas } = within([179.5, 0], 200_000);
    expect(isFilled(areas[0]?.fill ?? [], [-179.6, 0])).toBe(true);
    expect(isFilled(areas[0]?.fill ?? [], [0, 0])).toBe(false);
  });

  test("larger than half of the earth leaves only the other side out, and the largest nothing", () => {
    const { areas } = within([0, 0], EARTH * radians(150));
    expect(isFilled(areas[0]?.fill ?? [], [0, 0])).toBe(true);
    expect(isFilled(areas[0]?.fill ?? [], [0, 89])).toBe(true);
    expect(isFilled(areas[0]?.fill ?? [], [179, 0])).toBe(false);
    expect(isFilled(within([0, 0], EARTH * 4).areas[0]?.fill ?? [], [179, 0])).toBe(true);
  });
});

describe("a map", () => {
  test("shows what crosses the antimeridian in one piece, and one place with its surroundings", () => {
    const extent = extentOf(
      [
        [178, -18],
        [-179, -16],
      ],
      false,
    );
    expect(extent).toEqual({ west: 178, east: 181, south: -18, north: -16 });
    expect(extentOf([[12, 55]], false)).toEqual({ west: 12, east: 12, south: 55, north: 55 });
    expect(fitted(extentOf([[12, 55]], false), false, 400, 300).scale).toBeLessThan(20_000);
  });

  test("keeps the place under the pointer while it comes nearer, and ends at the poles", () => {
    const camera = fitted(null, false, 800, 400);
    const at: Point = [600, 100];
    const before = fromScreen(camera, at);
    const after = fromScreen(zoom(camera, 3, at), at);
    expect(after[0]).toBeCloseTo(before[0], 9);
    expect(after[1]).toBeCloseTo(before[1], 9);
    expect(fromScreen(pan(zoom(camera, 4), [0, 1e6]), [0, 0])[1]).toBeCloseTo(90, 6);
  });

  test("shows all of it in every size until the reader has moved it", () => {
    const extent = { west: 10, east: 20, south: 40, north: 45 };
    const isWhole = (camera: Camera): boolean =>
      [
        [10, 40],
        [20, 45],
      ].every(([x = 0, y = 0]) => isInSight(camera, [x, y]));
    const wide = fitted(extent, false, 1200, 400);
    const narrow = resized(wide, extent, 300, 250);
    expect(narrow).toEqual(fitted(extent, false, 300, 250));
    expect(isWhole(narrow)).toBe(true);
    // And larger than before, where there is more room.
    expect(resized(narrow, extent, 1200, 400)).toEqual(wide);
    // Moved, nearer or brought to a place, it stays as the reader wants it.
    for (const moved of [pan(wide, [30, 0]), zoom(wide, 1.5), centered(wide, [12, 41])])
      expect(resized(moved, extent, 300, 250)).toMatchObject({ center: moved.center, scale: moved.scale });
  });

  test("has coasts until it is too near for them, and a plane has none", () => {
    const world = fitted(null, false, 800, 400);
    expect(hasCoast(world)).toBe(true);
    expect(hasCoast(zoom(world, 300 / world.scale))).toBe(true);
    expect(hasCoast(zoom(world, 301 / world.scale))).toBe(false);
    expect(hasCoast(fitted(null, true, 800, 400))).toBe(false);
  });

  test("has the smaller dots the more are in sight, and between them the map", () => {
    const camera = fitted(null, false, 900, 400);
    const spread = (count: number): readonly Point[] =>
      Array.from({ length: count }, (_, at): Point => [((at * 137.5) % 340) - 170, ((at * 61.8) % 160) - 80]);
    const of = (count: number, from = camera) => dotsOf(spread(count), from);
    expect([of(9), of(300)].map(({ size, isCrowd }) => [size, isCrowd])).toEqual([
      [9, false],
      [9, false],
    ]);
    expect(of(500).size).toBe(5);
    const many = of(10_000);
    expect(many.isCrowd).toBe(true);
    expect(((many.path.match(/M/g) ?? []).length * many.size ** 2) / (900 * 400)).toBeLessThan(0.25);
    // Near enough for some to be in sight alone they are large again, and a small map has smaller ones.
    expect(of(10_000, zoom(camera, 40)).size).toBe(9);
    expect(of(400, fitted(null, false, 330, 260)).size).toBe(5);
  });

  test("draws lines along great circles, and no number far out of sight", () => {
    const line = lineOf([
      [-60, 50],
      [60, 50],
    ]);
    expect(Math.max(...line.map(([, y]) => y))).toBeGreaterThan(65);
    const near = zoom(fitted(extentOf([[0, 0]], false), false, 400, 300), 1e6);
    const numbers = fillPath(areaOf([box(-20, -20, 20, 20)]).fill, near).match(/-?[\d.]+/g) ?? [];
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers.every((number) => Math.abs(Number(number)) < 1000)).toBe(true);
  });
});
