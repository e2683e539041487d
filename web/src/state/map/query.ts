/**
 * The shapes that a command asks for: areas, circles, and the point that is the centre of a nearest-first search.
 *
 * Invariant: pure; an operator or a shape by another name is none, whatever it looks like. Manual:
 * reference/operator/query-geospatial.
 */
import { fieldOf, isNested, numberOf, partsOf } from "../values.ts";
import { readGeometry, readPair, type Shape } from "./geometry.ts";
import { boxRing, EARTH, type Point } from "./sphere.ts";

/** A shape of a query. */
export interface Asked {
  /** The field; empty where the command leaves it to its index. */
  readonly field: string;
  /** `$geoWithin`, `$near`, …, and the name of the shape where it has one: `$geoWithin $box`. */
  readonly operator: string;
  /** Coordinates and distances are those of a plane. */
  readonly isPlane: boolean;
  readonly figure: Figure;
}

/** The form of a query's shape: areas and the like, or a circle with its limits. */
export type Figure =
  | { readonly kind: "shapes"; readonly shapes: readonly Shape[] }
  /** Distances are angles on the sphere, and lengths in the plane; null where there is no such limit. */
  | {
      readonly kind: "circle";
      readonly center: Point;
      readonly least: number | null;
      readonly most: number | null;
      /** The nearest come first. */
      readonly isNear: boolean;
    };

type Shaped = Pick<Asked, "isPlane" | "figure">;

const planar = (ring: readonly Point[]): Shaped => ({
  isPlane: true,
  figure: { kind: "shapes", shapes: [{ kind: "polygon", rings: [ring], isStrict: false }] },
});

const circle = (value: unknown, isPlane: boolean): Shaped | null => {
  const center = readPair(Array.isArray(value) ? value[0] : undefined);
  const most = numberOf(Array.isArray(value) ? value[1] : undefined);
  if (center === null || most === null) return null;
  return { isPlane, figure: { kind: "circle", center, least: null, most, isNear: false } };
};

/** The shapes of `$geoWithin` and `$geoIntersects` by name. */
const shapes: Readonly<Record<string, (value: unknown) => Shaped | null>> = {
  $geometry: (value) => {
    const read = readGeometry(value);
    return typeof read === "string" || read.isPair
      ? null
      : { isPlane: false, figure: { kind: "shapes", shapes: read.shapes } };
  },
  $box: (value) => {
    const [one, other] = listed(value).map(readPair);
    return one == null || other == null ? null : planar(boxRing(one, other));
  },
  $polygon: (value) => {
    const points = listed(value)
      .map(readPair)
      .filter((at) => at !== null);
    return points.length < 3 ? null : planar([...points, ...points.slice(0, 1)]);
  },
  $center: (value) => circle(value, true),
  $centerSphere: (value) => circle(value, false),
};

/** The elements of an array, or the values of a document in the place of one. */
function listed(value: unknown): readonly unknown[] {
  return isNested(value) ? partsOf(value).map(([, part]) => part) : [];
}

/** A search for the nearest: its point, and the distances beside it or within it. */
function near(value: unknown, beside: unknown, isSpherical: boolean): Shaped | null {
  const inner = fieldOf(value, "$geometry");
  const read = readGeometry(inner ?? value);
  if (typeof read === "string") return null;
  const [shape] = read.shapes;
  if (shape?.kind !== "point") return null;
  const isPlane = read.isPair && !isSpherical;
  // Of GeoJSON distances are in metres, of a pair in radians or the plane's units.
  const unit = read.isPair ? 1 : EARTH;
  const limit = (name: string): number | null => {
    const found = numberOf(fieldOf(value, name)) ?? numberOf(fieldOf(beside, name));
    return found === null || !Number.isFinite(found) ? null : found / unit;
  };
  return {
    isPlane,
    figure: {
      kind: "circle",
      center: shape.at,
      least: limit("$minDistance") ?? limit("minDistance"),
      most: limit("$maxDistance") ?? limit("maxDistance"),
      isNear: true,
    },
  };
}

function conditionOf(field: string, condition: unknown): readonly Asked[] {
  if (!isNested(condition) || Array.isArray(condition)) return [];
  return partsOf(condition).flatMap(([operator, value]): readonly Asked[] => {
    switch (operator) {
      case "$geoWithin":
      case "$within":
      case "$geoIntersects":
        if (!isNested(value)) return [];
        return partsOf(value).flatMap(([name, body]): readonly Asked[] => {
          const shape = Object.hasOwn(shapes, name) ? shapes[name]?.(body) : null;
          if (shape == null || (operator === "$geoIntersects" && name !== "$geometry")) return [];
          return [{ field, operator: name === "$geometry" ? operator : `${operator} ${name}`, ...shape }];
        });
      case "$near":
      case "$geoNear":
      case "$nearSphere": {
        const shape = near(value, condition, operator === "$nearSphere");
        return shape === null ? [] : [{ field, operator, ...shape }];
      }
      case "$not":
        return conditionOf(field, value);
      case "$elemMatch":
        return askedIn(value, `${field}.`);
      default:
        return [];
    }
  });
}

/** The shapes of a filter. */
export function askedIn(filter: unknown, prefix = ""): readonly Asked[] {
  if (!isNested(filter) || Array.isArray(filter)) return [];
  return partsOf(filter).flatMap(([name, value]): readonly Asked[] => {
    if (!name.startsWith("$")) return conditionOf(`${prefix}${name}`, value);
    return ["$and", "$or", "$nor"].includes(name) ? listed(value).flatMap((branch) => askedIn(branch, prefix)) : [];
  });
}

/** The shapes of a command: of its filter, or of its pipeline's `$geoNear` and `$match` stages. */
export function askedBy(command: unknown): readonly Asked[] {
  const filters = ["filter", "query", "q"].map((name) => fieldOf(command, name));
  const pipeline = fieldOf(command, "pipeline");
  const stages = Array.isArray(pipeline) ? (pipeline as readonly unknown[]) : [];
  // The statements of a write, each with a filter.
  for (const name of ["updates", "deletes"])
    if (isNested(fieldOf(command, name)))
      filters.push(...listed(fieldOf(command, name)).map((one) => fieldOf(one, "q")));
  return [
    ...filters.flatMap((filter) => askedIn(filter)),
    ...stages.flatMap((stage): readonly Asked[] => {
      const found = fieldOf(stage, "$geoNear");
      if (found === undefined) return askedIn(fieldOf(stage, "$match"));
      const shape = near(fieldOf(found, "near"), found, fieldOf(found, "spherical") === true);
      const key = fieldOf(found, "key");
      const asked =
        shape === null ? [] : [{ field: typeof key === "string" ? key : "", operator: "$geoNear", ...shape }];
      return [...asked, ...askedIn(fieldOf(found, "query"))];
    }),
  ];
}
