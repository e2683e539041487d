/**
 * The places in a result: which fields hold some, what each document has there, and how many documents have none.
 *
 * Invariant: pure; each document is either a place or counted with its reason; nothing is dropped in silence.
 */
import { fieldOf, isNested, partsOf } from "../values.ts";
import { isGeoJson, readGeometry, readPair, type Geometry, type Reason, type Shape } from "./geometry.ts";
import { angleBetween, EARTH, type Point } from "./sphere.ts";

/** A document's place. */
export interface Place {
  /** Its number in the result, from 0. */
  readonly index: number;
  readonly shapes: readonly Shape[];
  /** `Point`, …, `pair`, or `several` where an array has more than one. */
  readonly type: string;
}

/** The places of a result in one field. */
export interface Places {
  readonly places: readonly Place[];
  /** The documents without one, by reason. */
  readonly leftOut: ReadonlyMap<Reason, number>;
  /** Coordinates are those of a plane: there are legacy pairs alone. */
  readonly arePairs: boolean;
}

/** Documents in which fields are looked for, and how deep. */
const sampled = 200;
const deepest = 4;

/** The values at a path, through arrays, as an index sees them. */
export function valuesAt(document: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [document];
  for (const name of path.split("."))
    values = values
      .flatMap((value) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
      .map((value) => fieldOf(value, name))
      .filter((value) => value !== undefined);
  return values;
}

/** The fields of documents that hold GeoJSON, those of most documents first. */
export function geoJsonFields(documents: readonly unknown[]): readonly string[] {
  const counts = new Map<string, number>();
  const look = (value: unknown, path: string, depth: number, found: Set<string>): void => {
    if (!isNested(value) || depth > deepest) return;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, 20) as readonly unknown[])
        if (isNested(element) && !Array.isArray(element)) look(element, path, depth + 1, found);
      return;
    }
    if (path !== "" && isGeoJson(value)) {
      found.add(path);
      return;
    }
    for (const [name, part] of partsOf(value)) look(part, path === "" ? name : `${path}.${name}`, depth + 1, found);
  };
  for (const document of documents.slice(0, sampled)) {
    const found = new Set<string>();
    look(document, "", 0, found);
    for (const path of found) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([path]) => path);
}

/** The fields that a map can show: those that a query or an index names first, and those that hold GeoJSON. */
export function fieldsOnMap(documents: readonly unknown[], named: readonly string[]): readonly string[] {
  return [...new Set([...named, ...geoJsonFields(documents)])].filter((field) => field !== "");
}

/** A value, or the elements of an array that is not itself a legacy pair. */
function members(value: unknown): readonly unknown[] {
  return Array.isArray(value) && readPair(value) === null ? (value as readonly unknown[]) : [value];
}

function placeOf(values: readonly unknown[]): Geometry | Reason {
  const read = values.flatMap(members).map(readGeometry);
  const geometries = read.filter((one): one is Geometry => typeof one !== "string");
  const [first] = geometries;
  if (first === undefined) return (read[0] as Reason | undefined) ?? "missing";
  if (geometries.length === 1) return first;
  return {
    shapes: geometries.flatMap(({ shapes }) => shapes),
    type: "several",
    isPair: geometries.every(({ isPair }) => isPair),
  };
}

/** The places of documents in a field. */
export function placesIn(documents: readonly unknown[], path: string): Places {
  const places: Place[] = [];
  const leftOut = new Map<Reason, number>();
  let arePairs = true;
  for (const [index, document] of documents.entries()) {
    const found = placeOf(valuesAt(document, path));
    if (typeof found === "string") leftOut.set(found, (leftOut.get(found) ?? 0) + 1);
    else {
      places.push({ index, shapes: found.shapes, type: found.type });
      arePairs &&= found.isPair;
    }
  }
  return { places, leftOut, arePairs: arePairs && places.length > 0 };
}

/** All points of a shape, in its order. */
export function pointsOf(shape: Shape): readonly Point[] {
  switch (shape.kind) {
    case "point":
      return [shape.at];
    case "line":
      return shape.points;
    case "polygon":
      return shape.rings.flat();
  }
}

/** A box in degrees, or in units of the plane. */
export interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Degrees without a place that are no gap. */
const NO_GAP = 15;

/**
 * The smallest box around points. On the sphere it may cross the antimeridian: its east is then beyond 180.
 *
 * @param isPlane coordinates are those of a plane
 */
export function extentOf(points: readonly Point[], isPlane: boolean): Extent | null {
  if (points.length === 0) return null;
  let [south, north] = [Infinity, -Infinity];
  for (const [, y] of points) {
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  const xs = points.map(([x]) => (isPlane ? x : ((x % 360) + 360) % 360)).toSorted((one, other) => one - other);
  const [first = 0, last = 0] = [xs[0], xs.at(-1)];
  if (isPlane) return { west: first, south, east: last, north };
  // Behind the widest gap is where it begins.
  let [gap, west, east] = [first + 360 - last, first, last];
  for (let at = 1; at < xs.length; at++) {
    const [before, here] = [xs[at - 1] ?? 0, xs[at] ?? 0];
    if (here - before > gap) [gap, west, east] = [here - before, here, before + 360];
  }
  // All around the earth there is no beginning.
  if (gap < NO_GAP) return { west: -180, south, east: 180, north };
  const turn = west > 180 ? 360 : 0;
  return { west: west - turn, south, east: east - turn, north };
}

/** Metres, or the plane's units, from a point to the nearest and the farthest point that is a place of its own. */
export function distancesFrom(
  center: Point,
  places: readonly Place[],
  isPlane: boolean,
): { readonly nearest: number; readonly farthest: number } | null {
  let [nearest, farthest] = [Infinity, -Infinity];
  for (const { shapes } of places) {
    // To a line or an area the nearest place may be between its points: only the engine tells that.
    if (shapes.some(({ kind }) => kind !== "point")) continue;
    const all = shapes.flatMap(pointsOf).map((at) => distanceBetween(center, at, isPlane));
    const least = Math.min(...all);
    nearest = Math.min(nearest, least);
    farthest = Math.max(farthest, least);
  }
  return nearest === Infinity ? null : { nearest, farthest };
}

/** Metres, or units of a plane. */
export function distanceBetween(one: Point, other: Point, isPlane: boolean): number {
  return isPlane ? Math.hypot(one[0] - other[0], one[1] - other[1]) : EARTH * angleBetween(one, other);
}
