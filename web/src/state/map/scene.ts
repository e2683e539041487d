/**
 * The things on a map as points, lines and areas that can be drawn: places, shapes of a query, cells. And which of
 * them is under a pointer.
 *
 * Invariant: pure; on the sphere every edge is a part of a great circle, as the engine takes it, and a shape of the
 * plane has straight ones.
 */
import { areaOf, lineOf, worldFrom, type Area } from "./area.ts";
import { toScreen, copies, type Camera } from "./camera.ts";
import type { Shape } from "./geometry.ts";
import type { Asked } from "./query.ts";
import { ends } from "./paths.ts";
import { circleAround, circleInPlane, type Point } from "./sphere.ts";

/** A thing as it is drawn. */
export interface Drawn {
  readonly points: readonly Point[];
  readonly lines: readonly (readonly Point[])[];
  readonly areas: readonly Area[];
}

/** A thing of which nothing is drawn. */
export const nothingDrawn: Drawn = { points: [], lines: [], areas: [] };

/** Shapes as they are drawn. */
export function drawShapes(shapes: readonly Shape[], isPlane: boolean): Drawn {
  const points: Point[] = [];
  const lines: (readonly Point[])[] = [];
  const areas: Area[] = [];
  for (const shape of shapes)
    switch (shape.kind) {
      case "point":
        points.push(shape.at);
        break;
      case "line":
        lines.push(isPlane ? shape.points : lineOf(shape.points));
        break;
      case "polygon":
        areas.push(isPlane ? { fill: shape.rings, outline: shape.rings } : areaOf(shape.rings, shape.isStrict));
    }
  return { points, lines, areas };
}

/** Several things as one. */
export function together(all: readonly Drawn[]): Drawn {
  return {
    points: all.flatMap(({ points }) => points),
    lines: all.flatMap(({ lines }) => lines),
    areas: all.flatMap(({ areas }) => areas),
  };
}

/** A query's shape. */
export function drawAsked({ isPlane, figure }: Asked): Drawn {
  if (figure.kind === "shapes") return drawShapes(figure.shapes, isPlane);
  const { center, least, most } = figure;
  const around = (radius: number): Area => {
    if (isPlane) {
      const ring = circleInPlane(center, radius);
      return { fill: [ring], outline: [ring] };
    }
    // A circle that reaches to the other side of the earth is all of it.
    if (radius >= Math.PI) return { fill: [worldFrom(-180)], outline: [] };
    return areaOf([circleAround(center, radius)], true);
  };
  const [outer, inner] = [most === null ? null : around(most), least === null || least <= 0 ? null : around(least)];
  const area: Area = {
    // Of a search without an outer limit the inside of the inner one is left out: only its line is drawn.
    fill: outer === null ? [] : [...outer.fill, ...(inner?.fill ?? [])],
    outline: [...(outer?.outline ?? []), ...(inner?.outline ?? [])],
  };
  return { points: [center], lines: [], areas: area.outline.length + area.fill.length === 0 ? [] : [area] };
}

/** All points that a map has to show to show these. */
export function cornersOfDrawn({ points, lines, areas }: Drawn): readonly Point[] {
  return [...points, ...lines.flat(), ...areas.flatMap(({ outline }) => outline.flat())];
}

function isWithin([x, y]: Point, rings: readonly (readonly Point[])[]): boolean {
  let inside = false;
  for (const ring of rings)
    for (let at = 1; at < ring.length; at++) {
      const [[ax, ay], [bx, by]] = [ring[at - 1] as Point, ring[at] as Point];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  return inside;
}

/** How far in pixels a pointer may be from a point, and from a line. */
const nearPoint = 12;
const nearLine = 7;

function fromStep([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** The number of the thing under a place of the screen, points before lines before areas; null where there is none. */
export function hit(all: readonly Drawn[], at: Point, camera: Camera): number | null {
  let best: { readonly index: number; readonly far: number } | null = null;
  const consider = (index: number, far: number): void => {
    if (best === null || far < best.far) best = { index, far };
  };
  for (const [index, { points, lines, areas }] of all.entries()) {
    for (const point of points)
      for (const turn of copies(camera, point[0], point[0])) {
        const [x, y] = toScreen(camera, [point[0] + turn, point[1]]);
        const far = Math.hypot(x - at[0], y - at[1]);
        if (far <= nearPoint) consider(index, far);
      }
    for (const line of lines)
      for (const turn of copies(camera, ...ends(line))) {
        const drawn = line.map(([x, y]) => toScreen(camera, [x + turn, y]));
        for (let step = 1; step < drawn.length; step++) {
          const far = fromStep(at, drawn[step - 1] as Point, drawn[step] as Point);
          if (far <= nearLine) consider(index, nearPoint + far);
        }
      }
    for (const { fill } of areas) {
      const [west, east] = ends(fill.flat());
      for (const turn of copies(camera, west, east)) {
        const rings = fill.map((ring) => ring.map(([x, y]) => toScreen(camera, [x + turn, y])));
        // Of areas in one another the smaller is meant.
        if (isWithin(at, rings)) consider(index, 1000 + east - west);
      }
    }
  }
  return (best as { readonly index: number } | null)?.index ?? null;
}
