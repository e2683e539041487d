/**
 * Values as shapes on a map: the seven types of GeoJSON, collections, and legacy pairs; or why a value is none.
 *
 * Invariant: pure; what the engine would refuse as a place is no shape here, as far as that shows without its geometry
 * (rings that cross themselves are drawn).
 */
import { fieldOf, isNested, numberOf, partsOf } from "../values.ts";
import type { Point } from "./sphere.ts";

/** A part of a place that is drawn as one. */
export type Shape =
  | { readonly kind: "point"; readonly at: Point }
  | { readonly kind: "line"; readonly points: readonly Point[] }
  | { readonly kind: "polygon"; readonly rings: readonly (readonly Point[])[]; readonly isStrict: boolean };

/** Why a value is no place. */
export type Reason =
  /** There is no value, or null. */
  | "missing"
  /** A value of another kind, as a text. */
  | "other"
  /** GeoJSON of a type that there is not, as a misspelt one. */
  | "type"
  /** Coordinates that are no numbers, or outside of the world. */
  | "coordinates"
  /** A ring that is not closed or has fewer than four points. */
  | "ring";

/** A value that is a place. */
export interface Geometry {
  readonly shapes: readonly Shape[];
  /** `Point`, …, or `pair` for a legacy pair. */
  readonly type: string;
  /** Coordinates of a plane: it is no GeoJSON. */
  readonly isPair: boolean;
}

type Read = Geometry | Reason;

/** The types of GeoJSON that a field can hold. */
export const geometryTypes = [
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
] as const;

const STRICT = "urn:x-mongodb:crs:strictwinding:EPSG:4326";

function pairOf(value: unknown): Point | null {
  if (!Array.isArray(value) || value.length < 2) return null;
  const [x, y] = [numberOf(value[0]), numberOf(value[1])];
  return x === null || y === null || !Number.isFinite(x) || !Number.isFinite(y) ? null : [x, y];
}

/** A list read element by element; a reason where one of them is none. */
function each<Part>(value: unknown, read: (element: unknown) => Part | Reason): readonly Part[] | Reason {
  if (!Array.isArray(value) || value.length === 0) return "coordinates";
  const parts: Part[] = [];
  for (const element of value as readonly unknown[]) {
    const part = read(element);
    if (typeof part === "string") return part as Reason;
    parts.push(part);
  }
  return parts;
}

const isReason = (read: unknown): read is Reason => typeof read === "string";

const position = (value: unknown): Point | Reason => {
  const point = pairOf(value);
  return point === null || Math.abs(point[0]) > 180 || Math.abs(point[1]) > 90 ? "coordinates" : point;
};

function line(value: unknown): Shape | Reason {
  const points = each(value, position);
  if (isReason(points)) return points;
  return points.length < 2 ? "coordinates" : { kind: "line", points };
}

function ringOf(value: unknown): readonly Point[] | Reason {
  const points = each(value, position);
  if (isReason(points)) return points;
  const [first, last] = [points[0], points.at(-1)];
  return points.length < 4 || first?.[0] !== last?.[0] || first?.[1] !== last?.[1] ? "ring" : points;
}

const polygon =
  (isStrict: boolean) =>
  (value: unknown): Shape | Reason => {
    const rings = each(value, ringOf);
    return isReason(rings) ? rings : { kind: "polygon", rings, isStrict };
  };

const point = (value: unknown): Shape | Reason => {
  const at = position(value);
  return isReason(at) ? at : { kind: "point", at };
};

const one = (shape: Shape | Reason): readonly Shape[] | Reason => (isReason(shape) ? shape : [shape]);

/** GeoJSON's document as shapes. */
function readDocument(value: unknown, type: string): readonly Shape[] | Reason {
  const coordinates = fieldOf(value, "coordinates");
  const isStrict = fieldOf(fieldOf(fieldOf(value, "crs"), "properties"), "name") === STRICT;
  switch (type) {
    case "Point":
      return one(point(coordinates));
    case "LineString":
      return one(line(coordinates));
    case "Polygon":
      return one(polygon(isStrict)(coordinates));
    case "MultiPoint":
      return each(coordinates, point);
    case "MultiLineString":
      return each(coordinates, line);
    case "MultiPolygon":
      return each(coordinates, polygon(isStrict));
    case "GeometryCollection": {
      const members = each(fieldOf(value, "geometries"), (member) =>
        readDocument(member, String(fieldOf(member, "type"))),
      );
      return isReason(members) ? members : members.flat();
    }
    default:
      return "type";
  }
}

/** A legacy pair: an array or a document that begins with two numbers. */
export function readPair(value: unknown): Point | null {
  if (!isNested(value)) return null;
  return pairOf(Array.isArray(value) ? value : partsOf(value).map(([, part]) => part));
}

/** Whether a value says that it is GeoJSON. */
export function isGeoJson(value: unknown): boolean {
  const type = fieldOf(value, "type");
  return (
    typeof type === "string" &&
    (geometryTypes as readonly string[]).includes(type) &&
    Array.isArray(fieldOf(value, type === "GeometryCollection" ? "geometries" : "coordinates"))
  );
}

/** Reads a value as a place, or tells why it is none. */
export function readGeometry(value: unknown): Read {
  if (value === null || value === undefined) return "missing";
  if (!isNested(value)) return "other";
  const type = fieldOf(value, "type");
  if (typeof type === "string" && (fieldOf(value, "coordinates") ?? fieldOf(value, "geometries")) !== undefined) {
    const shapes = readDocument(value, type);
    return isReason(shapes) ? shapes : { shapes, type, isPair: false };
  }
  const at = readPair(value);
  return at === null ? "other" : { shapes: [{ kind: "point", at }], type: "pair", isPair: true };
}
