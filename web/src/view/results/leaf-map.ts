/**
 * The source of the map that a run's result can be drawn as.
 *
 * Invariant: pure; documents that are gone are left out.
 */
import { decodeCommand } from "../../state/decode.ts";
import { mapSourceOf, type MapSource } from "../../state/map/source.ts";
import type { CatalogDatabase, GoneDocument, Leaf } from "../../state/model.ts";
import { partsOfNamespace } from "../../state/plan.ts";

/** The source of a result's map; null where there is nothing to draw. */
export function mapOf(
  { value, insight }: Pick<Leaf, "value" | "insight">,
  values: readonly unknown[],
  gone: readonly GoneDocument[],
  databases: readonly CatalogDatabase[],
): MapSource | null {
  const cursor = value.kind === "cursor" ? value : null;
  const [database, name] = partsOfNamespace(cursor?.batch.namespace ?? null);
  const summary = databases.find((one) => one.summary.name === database)?.collections.find((one) => one.name === name);
  const dropped = new Set<unknown>(gone.map(({ shown }) => shown));
  return mapSourceOf({
    values: dropped.size === 0 ? values : values.filter((one) => !dropped.has(one)),
    command: cursor === null ? null : decodeCommand(cursor.cursor),
    explain: insight.kind === "explained" ? insight.explain : null,
    observed: insight.kind === "explained" ? insight.observed : null,
    fetched: cursor?.fetched ?? null,
    isEnd: cursor === null || cursor.batch.cursorId === 0n,
    indexes: summary?.indexes ?? [],
  });
}
