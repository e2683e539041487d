/**
 * The points, lines and areas of a map as the paths of an SVG, in pixels of the screen.
 *
 * Invariant: pure; nothing reaches farther out of sight than a line is wide, so that no number is too large to draw
 * exactly; points that fall on one pixel are drawn once.
 */
import type { Area } from "./area.ts";
import { copies, toScreen, type Camera } from "./camera.ts";
import type { Point } from "./sphere.ts";

/** Pixels beyond the edge at which lines are cut. */
const BEYOND = 24;

const short = (value: number): string => String(Math.round(value * 10) / 10);

const word = (points: readonly Point[], close: boolean): string =>
  points.length === 0 ? "" : `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}${close ? "z" : ""}`;

/** The least and the greatest `x`. */
export function ends(ring: readonly Point[]): readonly [number, number] {
  let [west, east] = [Infinity, -Infinity];
  for (const [x] of ring) {
    if (x < west) west = x;
    if (x > east) east = x;
  }
  return [west, east];
}

/** Each copy of a ring or line that is in sight, in pixels. */
function drawnCopies(points: readonly Point[], camera: Camera): readonly (readonly Point[])[] {
  const [west, east] = ends(points);
  return copies(camera, west, east).map((turn) => points.map(([x, y]) => toScreen(camera, [x + turn, y])));
}

/** A closed ring cut at the edges (Sutherland and Hodgman). */
function clipRing(ring: readonly Point[], { width, height }: Camera): readonly Point[] {
  const edges: readonly (readonly [0 | 1, number, 1 | -1])[] = [
    [0, -BEYOND, 1],
    [0, width + BEYOND, -1],
    [1, -BEYOND, 1],
    [1, height + BEYOND, -1],
  ];
  let points = ring;
  for (const [axis, edge, sign] of edges) {
    const isInside = (point: Point): boolean => (point[axis] - edge) * sign >= 0;
    const next: Point[] = [];
    for (const [at, point] of points.entries()) {
      const before = points[(at + points.length - 1) % points.length] as Point;
      if (isInside(point) !== isInside(before)) {
        const share = (edge - before[axis]) / (point[axis] - before[axis]);
        next.push([before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])]);
      }
      if (isInside(point)) next.push(point);
    }
    points = next;
  }
  return points;
}

/** The part of a step that is in sight; null where there is none (Liang and Barsky). */
function clipStep(from: Point, to: Point, { width, height }: Camera): readonly [Point, Point] | null {
  let [start, end] = [0, 1];
  for (const [axis, low, high] of [
    [0, -BEYOND, width + BEYOND],
    [1, -BEYOND, height + BEYOND],
  ] as const) {
    const by = to[axis] - from[axis];
    if (by === 0) {
      if (from[axis] < low || from[axis] > high) return null;
      continue;
    }
    const [one, other] = [(low - from[axis]) / by, (high - from[axis]) / by];
    start = Math.max(start, Math.min(one, other));
    end = Math.min(end, Math.max(one, other));
  }
  if (start > end) return null;
  const at = (share: number): Point => [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
  return [at(start), at(end)];
}

function clipLine(points: readonly Point[], camera: Camera): readonly (readonly Point[])[] {
  const lines: Point[][] = [];
  let last: Point | null = null;
  for (let at = 1; at < points.length; at++) {
    const part = clipStep(points[at - 1] as Point, points[at] as Point, camera);
    if (part === null) {
      last = null;
      continue;
    }
    const [from, to] = part;
    if (last !== null && last[0] === from[0] && last[1] === from[1]) lines.at(-1)?.push(to);
    else lines.push([from, to]);
    last = to;
  }
  return lines;
}

/** The inside of areas, by the even-odd rule. */
export function fillPath(rings: readonly (readonly Point[])[], camera: Camera): string {
  return rings
    .flatMap((ring) => drawnCopies(ring, camera))
    .map((ring) => word(clipRing(ring, camera), true))
    .join("");
}

/** Lines, open or closed. */
export function linePath(lines: readonly (readonly Point[])[], camera: Camera): string {
  return lines
    .flatMap((line) => drawnCopies(line, camera))
    .flatMap((line) => clipLine(line, camera))
    .map((line) => word(line, false))
    .join("");
}

/** Where points are on the screen, each pixel once. */
export function pixelsOf(points: readonly Point[], camera: Camera): readonly Point[] {
  const seen = new Set<number>();
  const all: Point[] = [];
  const { center, scale, squeeze, isPlane, width, height } = camera;
  const across = scale * squeeze;
  // A turn of the world in pixels; a plane has none.
  const turn = isPlane ? Infinity : 360 * across;
  for (const point of points) {
    const y = height / 2 - (point[1] - center[1]) * scale;
    if (y < -BEYOND || y > height + BEYOND) continue;
    const own = width / 2 + (point[0] - center[0]) * across;
    const first = isPlane ? own : own - turn * Math.floor((own + BEYOND) / turn);
    for (let x = first; x <= width + BEYOND; x += turn) {
      if (x < -BEYOND) break;
      const key = Math.round(x + BEYOND) * 65_536 + Math.round(y + BEYOND);
      if (seen.has(key)) continue;
      seen.add(key);
      all.push([x, y]);
    }
  }
  return all;
}

/** Points as steps of no length: the stroke's round or square ends are the mark. */
export function pointPath(points: readonly Point[], camera: Camera): string {
  return stepsAt(pixelsOf(points, camera));
}

const stepsAt = (pixels: readonly Point[]): string => pixels.map(([x, y]) => `M${short(x)} ${short(y)}h0`).join("");

/** Pixels that a dot may be wide. */
const DOTS = [9, 5, 3, 2] as const;
/** From so many points in sight on none is of the widest. */
const CROWD = 400;
/** How much of a map dots may cover, as a share of it, so that land and lines are seen between them. */
const COVERED = 0.2;

/** The returned points in sight. */
export interface Dots {
  readonly path: string;
  readonly size: number;
  /** They are so many that they have no halo, and let what is below shine through. */
  readonly isCrowd: boolean;
}

/** Points as dots: the more are in sight, the smaller. */
export function dotsOf(points: readonly Point[], camera: Camera): Dots {
  const pixels = pixelsOf(points, camera);
  const room = COVERED * camera.width * camera.height;
  const [widest, ...others] = DOTS;
  const sizes = pixels.length > CROWD ? others : [widest, ...others];
  const size = sizes.find((width) => width * width * pixels.length <= room) ?? 2;
  return { path: stepsAt(pixels), size, isCrowd: size < 5 };
}

/** Points as diamonds. */
export function diamondPath(points: readonly Point[], camera: Camera, radius: number): string {
  const r = short(radius);
  return pixelsOf(points, camera)
    .map(([x, y]) => `M${short(x)} ${short(y - radius)}l${r} ${r}l-${r} ${r}l-${r} -${r}z`)
    .join("");
}

/** An area in one path each for its inside and its lines. */
export function areaPaths(areas: readonly Area[], camera: Camera): { readonly fill: string; readonly line: string } {
  return {
    fill: areas.map(({ fill }) => fillPath(fill, camera)).join(""),
    line: linePath(
      areas.flatMap(({ outline }) => outline),
      camera,
    ),
  };
}
