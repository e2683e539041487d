/**
 * Whether a result can be drawn as a map.
 *
 * Invariant: pure and small, since it is asked for every result; a map is offered where a field holds GeoJSON, where
 * the command asked for places, and for the pairs of a `2d` index.
 */
import type { IndexSummary } from "../../client/client.ts";
import { typeOf } from "../values.ts";
import { geoFieldsOf } from "./geo-index.ts";
import { fieldsOnMap, valuesAt } from "./places.ts";
import { askedBy } from "./query.ts";

/** The fields of geospatial indexes of which the documents have values. */
export function knownFields(
  values: readonly unknown[],
  indexes: readonly Pick<IndexSummary, "key">[],
): readonly string[] {
  return indexes.flatMap(({ key }) =>
    geoFieldsOf(key).flatMap(({ field }) => (values.some((one) => valuesAt(one, field).length > 0) ? [field] : [])),
  );
}

/**
 * Whether a map is offered for a result.
 *
 * @param known fields of geospatial indexes
 */
export function offersMap(values: readonly unknown[], command: unknown, known: readonly string[]): boolean {
  if (!values.some((one) => typeOf(one) === "Object")) return false;
  return askedBy(command).length > 0 || fieldsOnMap(values, known).length > 0;
}
