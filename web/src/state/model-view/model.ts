/**
 * The model of a database as its data tells it: collections with their fields, and the references between them.
 *
 * Invariants: plain data. Each figure comes with the number of documents looked at, and whether those were all. A
 * figure that was not measured is null and never a guess.
 */
import type { TypeShare } from "../data/schema.ts";

/** The least, the middle and the most of something that was counted. */
export interface Range {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** A field, or the elements of an array, of a collection's documents. */
export interface ModelField {
  /** Names from the document down, `[]` for an array's elements. */
  readonly steps: readonly string[];
  /** The steps as one text: `lines[].product`. */
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  /** How many of the `of` documents, documents inside or elements have the field. */
  readonly present: number;
  readonly of: number;
  /** The commonest first. */
  readonly types: readonly TypeShare[];
  /** How many elements its arrays have; null where it is no array. */
  readonly lengths: Range | null;
}

/** The fields found in a collection's documents, and how many documents were looked at. */
export interface Account {
  readonly documents: number;
  readonly fields: readonly ModelField[];
  /** Fields beyond those that are told apart: names are data there. */
  readonly omitted: number;
}

export interface ModelCollection extends Account {
  readonly name: string;
  readonly kind: "collection" | "capped" | "view" | "timeseries";
  /** The collection or view that a view reads; null for a collection. */
  readonly source: string | null;
  /** The number of documents in the collection; `documents` of them were looked at. */
  readonly count: number;
  /** All of them were looked at. */
  readonly isWhole: boolean;
  /** Paths that only one document has a value of, `_id` first. */
  readonly unique: readonly string[];
  /** The collection has a validator. */
  readonly validated: boolean;
  /** The reason why the collection could not be read, in the engine's words; null where it was read. */
  readonly failure: string | null;
}

/** A field whose values are another collection's keys. */
export interface Reference {
  readonly from: string;
  readonly steps: readonly string[];
  readonly path: string;
  readonly to: string;
  /** The field of the collection `to` whose values these are, as `_id`. */
  readonly key: string;
  /** The values are the `$id`s of DBRefs. */
  readonly byDbRef: boolean;
}

/** The kinds of a reference by the number of a parent's children and of a child's parents. */
export const kinds = ["one-to-one", "one-to-few", "one-to-many", "one-to-very-many", "few-to-many"] as const;
export type CardinalityKind = (typeof kinds)[number];

export interface Cardinality {
  readonly kind: CardinalityKind;
  /** How many documents refer to one document of the target; a target without any counts as 0. */
  readonly children: Range;
  /** How many documents of the target one document refers to. */
  readonly parents: Range;
  /** Documents of the target collection, and how many of them no document refers to. */
  readonly targets: number;
  readonly alone: number;
  /** The number of different values, and the sum over them of the documents that hold each. */
  readonly values: number;
  readonly uses: number;
  /** The same two figures of the values that are no key of the target. */
  readonly dangling: number;
  readonly danglingUses: number;
}

export interface FoundReference extends Reference {
  /** Different values that were looked for, and how many of them were found. */
  readonly looked: number;
  readonly matched: number;
  /** The values, and the names, speak for a reference; otherwise they may be equal by chance. */
  readonly isLikely: boolean;
  /** Null until it was measured, and where it could not be. */
  readonly cardinality: Cardinality | null;
  readonly failure: string | null;
}

export interface Model {
  readonly database: string;
  readonly collections: readonly ModelCollection[];
  readonly references: readonly FoundReference[];
  /** References were looked for; there are none else but weak matches that are untold. */
  readonly isSearched: boolean;
  readonly untold: number;
}

/** The name of a reference among the kept choices; it is the same each time the model is read. */
export function referenceKey({ from, path, to, key }: Reference): string {
  return JSON.stringify([from, path, to, key]);
}

/** Steps as one text. */
export function pathOf(steps: readonly string[]): string {
  return steps.reduce((path, step) => (step === "[]" ? `${path}[]` : path === "" ? step : `${path}.${step}`), "");
}

/** The range of numbers that are given by how often each is there; null where there are none. */
export function rangeOf(counts: ReadonlyMap<number, number>): Range | null {
  const sorted = [...counts].filter(([, times]) => times > 0).sort(([one], [other]) => one - other);
  const all = sorted.reduce((sum, [, times]) => sum + times, 0);
  const first = sorted[0];
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return null;
  // The median of an even number of values is the mean of the two in the middle.
  const at = (place: number): number => {
    let left = place;
    for (const [value, times] of sorted) {
      left -= times;
      if (left < 0) return value;
    }
    return last[0];
  };
  return { least: first[0], median: (at(Math.floor((all - 1) / 2)) + at(Math.floor(all / 2))) / 2, most: last[0] };
}

/** Up to so many are few, and up to so many are many. */
export const mostFew = 20;
export const mostMany = 1000;

/** The kind of a cardinality, by the most children of a parent and the most parents of a child. */
export function kindOf(children: Range, parents: Range): CardinalityKind {
  if (parents.most > 1) return "few-to-many";
  if (children.most <= 1) return "one-to-one";
  return children.most <= mostFew ? "one-to-few" : children.most <= mostMany ? "one-to-many" : "one-to-very-many";
}
