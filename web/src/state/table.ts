/**
 * Documents laid out as rows and columns.
 *
 * Invariants: pure; columns keep the order in which fields first appear, with `_id` first; a table has at most
 * `maximalColumns` columns, and says how many fields it left out.
 */
import { fieldOf, isNested, partsOf, typeOf, type BsonType } from "./values.ts";

/** More columns than this cannot be read as a table. */
export const maximalColumns = 24;

export interface TableColumn {
  readonly name: string;
  /** Each type that occurs, the commonest first. */
  readonly types: readonly BsonType[];
  /** In how many rows the field is present. */
  readonly present: number;
}

export interface TableModel {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly omittedColumns: number;
}

/** What a cell holds when its document has no such field; differs from null and from undefined. */
export const absent: unique symbol = Symbol("absent");

/** Lays rows out. Rows which are no documents get one column without a name. */
export function layOut(rows: readonly unknown[]): TableModel {
  const counts = new Map<string, { present: number; types: Map<BsonType, number> }>();
  const count = (name: string, value: unknown): void => {
    const column = counts.get(name) ?? { present: 0, types: new Map<BsonType, number>() };
    const type = typeOf(value);
    column.present += 1;
    column.types.set(type, (column.types.get(type) ?? 0) + 1);
    counts.set(name, column);
  };
  for (const row of rows) {
    if (isNested(row) && !Array.isArray(row)) for (const [name, value] of partsOf(row)) count(name, value);
    else count("", row);
  }
  const names = [...counts.keys()];
  const ordered = names.includes("_id") ? ["_id", ...names.filter((name) => name !== "_id")] : names;
  const shown = ordered.slice(0, maximalColumns);
  return {
    columns: shown.map((name) => {
      const column = counts.get(name);
      const types = [...(column?.types ?? [])].sort((one, other) => other[1] - one[1]).map(([type]) => type);
      return { name, types, present: column?.present ?? 0 };
    }),
    rows: rows.map((row) => shown.map((name) => cell(row, name))),
    omittedColumns: ordered.length - shown.length,
  };
}

function cell(row: unknown, name: string): unknown {
  if (!isNested(row) || Array.isArray(row)) return name === "" ? row : absent;
  const has = row instanceof Map ? row.has(name) : Object.hasOwn(row, name);
  return has ? fieldOf(row, name) : absent;
}

/** Whether a table would show more than a list: some rows are documents. */
export function isTabular(rows: readonly unknown[]): boolean {
  return rows.length > 0 && rows.some((row) => isNested(row) && !Array.isArray(row));
}
