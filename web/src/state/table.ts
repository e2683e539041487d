/**
 * Documents laid out as rows and columns.
 *
 * Invariants: pure; columns keep the order in which fields first appear, with `_id` first; a table has at most
 * `maximalColumns` columns, and says how many fields it left out.
 */
import { familyOf, fieldOf, isNested, partsOf, typeOf, type BsonType } from "./values.ts";

/** More columns than this cannot be read as a table. */
export const maximalColumns = 24;

export interface TableColumn {
  readonly name: string;
  /** Each type that occurs, the commonest first. */
  readonly types: readonly BsonType[];
  /** The number of rows that have the field. */
  readonly present: number;
}

/** The value of a cell whose document has no such field; differs from null and from undefined. */
export const absent: unique symbol = Symbol("absent");

/** Counts the fields of rows as they come; rows which are no documents get one column without a name. */
export class ColumnCounter {
  readonly #counts = new Map<string, { present: number; readonly types: Map<BsonType, number> }>();

  add(rows: readonly unknown[], from = 0): void {
    for (let at = from; at < rows.length; at++) {
      const row = rows[at];
      if (isNested(row) && !Array.isArray(row)) for (const [name, value] of partsOf(row)) this.#count(name, value);
      else this.#count("", row);
    }
  }

  #count(name: string, value: unknown): void {
    let column = this.#counts.get(name);
    if (column === undefined) this.#counts.set(name, (column = { present: 0, types: new Map() }));
    const type = typeOf(value);
    column.present += 1;
    column.types.set(type, (column.types.get(type) ?? 0) + 1);
  }

  /** All columns. */
  columns(): readonly TableColumn[] {
    const names = [...this.#counts.keys()];
    const ordered = names.includes("_id") ? ["_id", ...names.filter((name) => name !== "_id")] : names;
    return ordered.map((name) => {
      const column = this.#counts.get(name);
      const types = [...(column?.types ?? [])].sort((one, other) => other[1] - one[1]).map(([type]) => type);
      return { name, types, present: column?.present ?? 0 };
    });
  }
}

/** The value of a row in a column; `absent` without one. A row that is no document is itself in the column `""`. */
export function cellOf(row: unknown, name: string): unknown {
  if (!isNested(row) || Array.isArray(row)) return name === "" ? row : absent;
  const has = row instanceof Map ? row.has(name) : Object.hasOwn(row, name);
  return has ? fieldOf(row, name) : absent;
}

/** Whether a column's values are read as figures, one below another: there is nothing but numbers, of any type. */
export function isOfNumbers({ types }: Pick<TableColumn, "types">): boolean {
  return types.every((type) => familyOf(type) === "number" || type === "Null");
}

export interface TableModel {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly omittedColumns: number;
}

/** Lays all rows out at once, where they are few. */
export function layOut(rows: readonly unknown[]): TableModel {
  const counter = new ColumnCounter();
  counter.add(rows);
  const all = counter.columns();
  const columns = all.slice(0, maximalColumns);
  return {
    columns,
    rows: rows.map((row) => columns.map(({ name }) => cellOf(row, name))),
    omittedColumns: all.length - columns.length,
  };
}

/** Whether a table would show more than a list: some rows are documents. */
export function isTabular(rows: readonly unknown[]): boolean {
  return rows.length > 0 && rows.some((row) => isNested(row) && !Array.isArray(row));
}
