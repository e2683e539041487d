/**
 * The fields of a collection as rows of its box: an array and its elements are one row.
 *
 * Pure. Invariants: every described field is in a row; a share is shown where a field is not always there, and never
 * rounded to all or none.
 */
import type { BsonType } from "../values.ts";
import type { ModelCollection, ModelField, Range } from "./model.ts";

export interface FieldRow {
  readonly steps: readonly string[];
  readonly path: string;
  /** The number of fields around the row's field: 0 at a document's top. */
  readonly depth: number;
  readonly name: string;
  /** Types in words: `Int32 | Null`, `[Object] 1–4`. */
  readonly type: string;
  readonly main: BsonType;
  readonly share: string;
  readonly isKey: boolean;
}

interface RowWords {
  number(value: number): string;
}

/** Types named in a row; others are counted. */
const namedTypes = 2;

export function rowsOf({ fields, unique }: ModelCollection, words: RowWords): readonly FieldRow[] {
  const keys = new Set(unique);
  const elements = new Map(
    fields.filter(({ name }) => name === "[]").map((field) => [field.steps.slice(0, -1).join("\0"), field]),
  );
  return fields
    .filter(({ name }) => name !== "[]")
    .map((field) => ({
      steps: field.steps,
      path: field.path,
      depth: field.steps.filter((step) => step !== "[]").length - 1,
      name: field.name === "" ? '""' : field.name,
      type: typeText(field, elements, words),
      main: field.types[0]?.type ?? "Null",
      share: shareText(field.present, field.of, words),
      isKey: keys.has(field.path),
    }));
}

function typeText(field: ModelField, elements: ReadonlyMap<string, ModelField>, words: RowWords): string {
  const names = field.types.map(({ type }) => {
    if (type !== "Array") return type;
    const inner = elements.get(field.steps.join("\0"));
    const of = inner === undefined ? "" : typeText(inner, elements, words);
    return `[${of}]${field.lengths === null ? "" : ` ${rangeText(field.lengths, words)}`}`;
  });
  const named = names.slice(0, namedTypes).join(" | ");
  return names.length > namedTypes ? `${named} +${names.length - namedTypes}` : named;
}

/** `0–4`, or `4` where it is always so many. */
export function rangeText({ least, most }: Range, words: RowWords): string {
  return least === most ? words.number(most) : `${words.number(least)}–${words.number(most)}`;
}

/** A share in percent where it is not the whole. */
export function shareText(part: number, of: number, words: RowWords): string {
  if (part >= of || of === 0) return "";
  const share = (100 * part) / of;
  return share > 0 && share < 1 ? "<1 %" : `${words.number(Math.min(99, Math.round(share)))} %`;
}
