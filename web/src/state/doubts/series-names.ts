/**
 * A field of a time series that was named as the option which names it, or as its buckets call it: `metaField.id` and
 * `meta.id` for `sensor.id`.
 *
 * Invariant: pure; a name that documents have is theirs, and not looked at.
 */
import type { Field } from "../fields.ts";
import { fieldOf } from "../values.ts";
import type { Suspect } from "./filter-suspects.ts";

/** The option that names the field, by the first part of the path. */
const optionOf = new Map([
  ["meta", "metaField"],
  ["metaField", "metaField"],
  ["timeField", "timeField"],
]);

const firstOf = (path: string): string => path.split(".", 1)[0] ?? "";

/** Whether a path that no document has may be such a name. */
export const isOfOption = ({ doubt }: Suspect): boolean =>
  doubt.kind === "unknown-path" && optionOf.has(firstOf(doubt.path));

/** The suspicion with the field that was meant, by the options of the series. */
export function meantBy(suspect: Suspect, options: unknown, fields: readonly Field[]): Suspect {
  const { doubt } = suspect;
  if (doubt.kind !== "unknown-path" || doubt.collection !== undefined) return suspect;
  const first = firstOf(doubt.path);
  const name: unknown = fieldOf(options, optionOf.get(first) ?? "");
  if (typeof name !== "string") return suspect;
  const right = name + doubt.path.slice(first.length);
  const field = fields.find(({ path }) => path === right);
  if (field === undefined) return suspect;
  const change =
    doubt.change === null || doubt.change.at === "key"
      ? ({ at: "key", wrong: doubt.path, right } as const)
      : ({ at: "text", wrong: `$${doubt.path}`, right: `$${right}` } as const);
  return { ...suspect, doubt: { ...doubt, similar: right, types: field.types, change } };
}
