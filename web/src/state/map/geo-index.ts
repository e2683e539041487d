/**
 * Which fields of an index hold places, and whether a plan looks some up in one.
 *
 * Invariant: pure and small, since it is asked beside every result.
 */
import { stagesOf, type Plan } from "../plan.ts";
import { isNested, partsOf } from "../values.ts";

/** A geospatial field of an index. */
export interface GeoField {
  readonly field: string;
  /** It is of the plane (`2d`), and not of the sphere (`2dsphere`). */
  readonly isPlane: boolean;
}

/** The geospatial fields of a key pattern. */
export function geoFieldsOf(pattern: unknown): readonly GeoField[] {
  if (!isNested(pattern)) return [];
  return partsOf(pattern).flatMap(([field, kind]) =>
    kind === "2d" || kind === "2dsphere" ? [{ field, isPlane: kind === "2d" }] : [],
  );
}

/** Whether a plan read cells of a geospatial index. */
export function hasLookup(plan: Plan): boolean {
  return stagesOf(plan.root).some(({ keyPattern, bounds }) => bounds.length > 0 && geoFieldsOf(keyPattern).length > 0);
}
