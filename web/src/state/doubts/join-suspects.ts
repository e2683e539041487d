/**
 * Collections that a pipeline takes in and that are not there, and fields of those that are which no document has.
 *
 * Invariant: pure; nothing is suspected of a collection without documents, nor where the catalog is not known.
 */
import type { Document } from "bson";
import type { Field } from "../fields.ts";
import { mostSimilar } from "../similar.ts";
import { fieldOf, isNested, partsOf } from "../values.ts";
import { unknownPath, type Suspect } from "./filter-suspects.ts";
import { KnownFields, plainPath } from "./known-fields.ts";

/** The other collections of a database. */
export interface Others {
  /** The names of all collections and views. */
  readonly names: readonly string[];
  /** The fields of those that the pipeline takes in. */
  readonly fields: ReadonlyMap<string, readonly Field[]>;
}

/** A stage's collection, with the member that names it and those that name fields of it. */
interface Join {
  readonly collection: unknown;
  readonly member: string;
  readonly fields: readonly (readonly [string, unknown])[];
}

/** The joins of a pipeline, with those inside of its stages. */
function joinsOf(stages: unknown): readonly Join[] {
  if (!Array.isArray(stages)) return [];
  return stages.flatMap((stage: unknown): readonly Join[] => {
    const [operator, argument] = isNested(stage) ? (partsOf(stage)[0] ?? ["", null]) : ["", null];
    const fields = (...names: readonly string[]): Join["fields"] =>
      names.map((name) => [name, fieldOf(argument, name)] as const);
    const inner = joinsOf(fieldOf(argument, "pipeline"));
    switch (operator) {
      case "$lookup":
        return [{ collection: fieldOf(argument, "from"), member: "from", fields: fields("foreignField") }, ...inner];
      case "$graphLookup": {
        const own = fields("connectFromField", "connectToField");
        return [{ collection: fieldOf(argument, "from"), member: "from", fields: own }];
      }
      case "$unionWith":
        return typeof argument === "string"
          ? [{ collection: argument, member: "$unionWith", fields: [] }]
          : [{ collection: fieldOf(argument, "coll"), member: "coll", fields: [] }, ...inner];
      case "$facet":
        return isNested(argument) ? partsOf(argument).flatMap(([, one]) => joinsOf(one)) : [];
      default:
        return [];
    }
  });
}

/** The collections that a pipeline takes in. */
export const joinedBy = (stages: unknown): readonly string[] =>
  joinsOf(stages).flatMap(({ collection }) => (typeof collection === "string" ? collection : []));

/** The suspicions in what a pipeline takes in. */
export function suspectsInJoins(stages: unknown, { names, fields }: Others): readonly Suspect[] {
  return joinsOf(stages).flatMap((join): readonly Suspect[] => {
    const { collection, member } = join;
    if (typeof collection !== "string" || collection.startsWith("system.")) return [];
    if (!names.includes(collection)) return [unknownCollection(collection, member, names)];
    const known = new KnownFields(fields.get(collection) ?? []);
    return (fields.get(collection) ?? []).length === 0
      ? []
      : join.fields.flatMap(([name, path]) =>
          typeof path !== "string" || plainPath(path) === "_id" || known.has(path)
            ? []
            : namedPath(path, name, known, collection),
        );
  });
}

function unknownCollection(collection: string, of: string, names: readonly string[]): Suspect {
  const similar = mostSimilar(
    collection,
    names.filter((name) => !name.startsWith("system.")),
  );
  const change = similar === null ? null : ({ at: "text", wrong: collection, right: similar, of } as const);
  return { doubt: { kind: "unknown-collection", collection, similar, change }, proof: null };
}

/** The suspicion of a path that a member names as a text; `collection`: whose path it is, where it is another's. */
export function namedPath(path: string, of: string, known: KnownFields, collection?: string): Suspect {
  const { doubt, proof } = unknownPath(path, path, known);
  const change =
    doubt.change === null ? null : ({ at: "text", wrong: path, right: String(doubt.change.right), of } as const);
  const other: { readonly collection?: string } = collection === undefined ? {} : { collection };
  return { doubt: { ...doubt, ...other, change } as typeof doubt, proof: proof as Document, ...other };
}
