/**
 * Whether a result can be drawn as a map, and what the map needs to know: the command, its plan, the fields.
 *
 * Invariant: a map is offered where a field holds GeoJSON, or where the command asked for places; the map's own code
 * and the coast lines are fetched when it is chosen.
 */
import type { IndexSummary } from "../../client/client.ts";
import { decodeCommand } from "../../state/decode.ts";
import { countedIn } from "../../state/insight.ts";
import { fieldsOnMap, valuesAt } from "../../state/map/places.ts";
import { askedBy } from "../../state/map/query.ts";
import type { GoneDocument, Leaf } from "../../state/model.ts";
import { readPlan, type Plan } from "../../state/plan.ts";
import { readSoFar } from "../../state/so-far.ts";
import { fieldOf, partsOf, typeOf } from "../../state/values.ts";

export interface MapSource {
  /** The documents that are left. */
  readonly values: readonly unknown[];
  readonly command: unknown;
  readonly plan: Plan | null;
  readonly isFirstOnly: boolean;
  /** The fields of geospatial indexes. */
  readonly known: readonly string[];
  readonly more: boolean;
}

/** The parts of a result that a map is made of; null where there is nothing to draw. */
export function mapOf(
  { value, insight }: Pick<Leaf, "value" | "insight">,
  values: readonly unknown[],
  gone: readonly GoneDocument[],
  indexes: readonly Pick<IndexSummary, "key">[],
): MapSource | null {
  if (!values.some((one) => typeOf(one) === "Object")) return null;
  const explain = insight.kind === "explained" ? insight.explain : null;
  const command = value.kind === "cursor" ? decodeCommand(value.cursor) : fieldOf(explain, "command");
  const known = indexes.flatMap(({ key }) =>
    partsOf(key).flatMap(([field, kind]) =>
      (kind === "2d" || kind === "2dsphere") && values.some((one) => valuesAt(one, field).length > 0) ? [field] : [],
    ),
  );
  if (askedBy(command).length === 0 && fieldsOnMap(values, known).length === 0) return null;
  const found = explain === null ? null : readPlan(explain);
  const first = insight.kind === "explained" ? countedIn(insight.observed) : null;
  const fetched = value.kind === "cursor" ? (value.fetched ?? null) : null;
  const isEnd = value.kind !== "cursor" || value.batch.cursorId === 0n;
  const soFar = found === null ? null : readSoFar(found, first, fetched, isEnd);
  const dropped = new Set<unknown>(gone.map(({ shown }) => shown));
  return {
    values: dropped.size === 0 ? values : values.filter((one) => !dropped.has(one)),
    command,
    plan: soFar?.plan ?? null,
    isFirstOnly: soFar?.isFirstOnly ?? false,
    known,
    more: !isEnd,
  };
}
