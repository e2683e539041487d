/**
 * Which part of the world a map shows, and how: equirectangular, with lengths true along the middle latitude of what
 * it shows first; a plane is drawn as it is.
 *
 * Invariants: pure; the world repeats to the sides, and the map ends above and below the poles; a camera is within its
 * limits. Until the reader has moved it, a camera shows all of its extent in every size of the map.
 */
import type { Extent } from "./places.ts";
import { radians, type Point } from "./sphere.ts";

/** A view of the world, in pixels. */
export interface Camera {
  /** The point in the middle. */
  readonly center: Point;
  /** Pixels of a degree of latitude, or of a unit of the plane. */
  readonly scale: number;
  /** The length of a degree of longitude beside one of latitude. */
  readonly squeeze: number;
  readonly isPlane: boolean;
  readonly width: number;
  readonly height: number;
  /** It shows all of its extent: the reader has not moved it. */
  readonly isFitted: boolean;
}

/** Pixels around what the map is fitted to. */
const MARGIN = 28;
/** Degrees of a single place's surroundings. */
const LEAST_SPAN = 0.02;
/** A millimetre on the earth is not drawn larger than this. */
const LARGEST = 2e7;
/** Beyond this latitude longitudes are not squeezed any further, so that the poles stay in sight. */
const STEEPEST = 60;

/** The latitude along which lengths are true: the middle one, unless so much is shown that there is none. */
export function trueLatitude(extent: Extent | null): number {
  if (extent === null || extent.north - extent.south > 90 || extent.east - extent.west > 180) return 0;
  return Math.max(-STEEPEST, Math.min(STEEPEST, (extent.south + extent.north) / 2));
}

/** A camera that shows all of an extent; of the world where there is none. */
export function fitted(extent: Extent | null, isPlane: boolean, width: number, height: number): Camera {
  const { west, south, east, north } = extent ?? { west: -180, south: isPlane ? -180 : -90, east: 180, north: 90 };
  const least = isPlane ? Math.max(1e-9, Math.abs(west), Math.abs(north)) * 1e-3 : LEAST_SPAN;
  const middle = (south + north) / 2;
  const squeeze = isPlane ? 1 : Math.cos(radians(trueLatitude(extent)));
  const across = Math.max(1, width - 2 * MARGIN) / (Math.max(east - west, least) * squeeze);
  const up = Math.max(1, height - 2 * MARGIN) / Math.max(north - south, least);
  return limited({
    center: [(west + east) / 2, middle],
    scale: Math.min(across, up),
    squeeze,
    isPlane,
    width,
    height,
    isFitted: true,
  });
}

function limited(camera: Camera): Camera {
  const { center, isPlane, squeeze, width, height } = camera;
  if (isPlane) return { ...camera, scale: Math.min(1e12, Math.max(1e-9, camera.scale)) };
  const whole = Math.min(width / (360 * squeeze), height / 180);
  const scale = Math.min(LARGEST, Math.max(whole * 0.9, camera.scale));
  const x = center[0] - 360 * Math.round(center[0] / 360);
  const room = Math.max(0, 90 - height / 2 / scale);
  return { ...camera, scale, center: [x, Math.min(room, Math.max(-room, center[1]))] };
}

/** Pixels from the upper left corner. */
export function toScreen({ center, scale, squeeze, width, height }: Camera, [x, y]: Point): Point {
  return [width / 2 + (x - center[0]) * scale * squeeze, height / 2 - (y - center[1]) * scale];
}

/** The point of the world at pixels from the upper left corner. */
export function fromScreen({ center, scale, squeeze, width, height }: Camera, [x, y]: Point): Point {
  return [center[0] + (x - width / 2) / (scale * squeeze), center[1] - (y - height / 2) / scale];
}

/** Nearer or farther; a point of the screen stays where it is. */
export function zoom(camera: Camera, factor: number, at: Point = [camera.width / 2, camera.height / 2]): Camera {
  const before = fromScreen(camera, at);
  const nearer = limited({ ...camera, scale: camera.scale * factor, isFitted: false });
  const after = fromScreen(nearer, at);
  return limited({
    ...nearer,
    center: [nearer.center[0] + before[0] - after[0], nearer.center[1] + before[1] - after[1]],
  });
}

/** Moves what is shown by pixels. */
export function pan(camera: Camera, [right, down]: Point): Camera {
  const { center, scale, squeeze } = camera;
  const to: Point = [center[0] - right / (scale * squeeze), center[1] + down / scale];
  return limited({ ...camera, center: to, isFitted: false });
}

/** A camera for another size of the map: of one that the reader has moved the middle stays. */
export function resized(camera: Camera, extent: Extent | null, width: number, height: number): Camera {
  return camera.isFitted ? fitted(extent, camera.isPlane, width, height) : limited({ ...camera, width, height });
}

/** Goes to a point, without coming nearer. */
export function centered(camera: Camera, center: Point): Camera {
  return limited({ ...camera, center, isFitted: false });
}

/** Pixels of a degree beyond which the coast lines, true to some tenths of one, would tell more than is known. */
const FINEST_COAST = 300;

/** Whether coast lines can be drawn: there are some, and the map is not too near for them. */
export function hasCoast({ isPlane, scale }: Camera): boolean {
  return !isPlane && scale <= FINEST_COAST;
}

/** Whether a point, or a copy of it in another turn of the world, is on the screen. */
export function isInSight(camera: Camera, point: Point): boolean {
  const { width, height } = camera;
  return copies(camera, point[0], point[0]).some((turn) => {
    const [x, y] = toScreen(camera, [point[0] + turn, point[1]]);
    return x >= 0 && x <= width && y >= 0 && y <= height;
  });
}

/** The turns of the world, in degrees, at which something between two longitudes is in sight. */
export function copies(camera: Camera, west: number, east: number): readonly number[] {
  if (camera.isPlane) return [0];
  // A point's mark is wider than the point.
  const [left] = fromScreen(camera, [-16, 0]);
  const [right] = fromScreen(camera, [camera.width + 16, 0]);
  const turns: number[] = [];
  for (let turn = Math.ceil((left - east) / 360); turn <= Math.floor((right - west) / 360); turn++)
    turns.push(360 * turn);
  return turns;
}

/** A step of grid lines that a reader can count by, and the lines in sight. */
export function gridLines(camera: Camera): { readonly xs: readonly number[]; readonly ys: readonly number[] } {
  const { scale, squeeze, isPlane, width, height } = camera;
  const steps = isPlane
    ? null
    : [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 90];
  const stepOf = (wanted: number): number => {
    const found = steps?.find((step) => step >= wanted);
    if (found !== undefined) return found;
    const power = 10 ** Math.floor(Math.log10(wanted));
    return power * ([1, 2, 5].find((digit) => digit * power >= wanted) ?? 10);
  };
  const lines = (from: number, to: number, step: number): readonly number[] => {
    const all: number[] = [];
    for (let at = Math.ceil(from / step); at * step <= to && all.length < 40; at++)
      all.push(Number((at * step).toPrecision(12)));
    return all;
  };
  const [west, north] = fromScreen(camera, [0, 0]);
  const [east, south] = fromScreen(camera, [width, height]);
  return {
    xs: lines(west, east, stepOf(90 / (scale * squeeze))),
    ys: isPlane
      ? lines(south, north, stepOf(70 / scale))
      : lines(Math.max(-90, south), Math.min(90, north), stepOf(70 / scale)),
  };
}
