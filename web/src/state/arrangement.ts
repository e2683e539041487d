/**
 * How a reader arranged the columns of a collection's tables: widths, which are hidden, which are pinned.
 *
 * Invariants: pure; kept for as long as the window is (`word`, `parse`), for the collections arranged last, and checked
 * field by field when it is read. Names of fields that a result lacks stay, for the next one that has them.
 */
import { maximalColumns } from "./table.ts";

export interface Arrangement {
  /** The columns' widths in characters, by field. */
  readonly widths: ReadonlyMap<string, number>;
  readonly hidden: readonly string[];
  /** The fields of the pinned columns: at the left, in this order, and in sight at all times. */
  readonly pinned: readonly string[];
}

export const unarranged: Arrangement = { widths: new Map(), hidden: [], pinned: [] };

export const narrowestColumn = 4;
export const widestColumn = 120;
/** Collections whose arrangement is remembered. */
const keptCollections = 40;

export function resized(arrangement: Arrangement, name: string, width: number): Arrangement {
  const widths = new Map(arrangement.widths);
  widths.set(name, Math.round(Math.min(widestColumn, Math.max(narrowestColumn, width)) * 10) / 10);
  return { ...arrangement, widths };
}

/** Back to the width that its values want. */
export function fitted(arrangement: Arrangement, name: string): Arrangement {
  const widths = new Map(arrangement.widths);
  widths.delete(name);
  return { ...arrangement, widths };
}

export function hid(arrangement: Arrangement, name: string): Arrangement {
  return {
    ...arrangement,
    hidden: [...without(arrangement.hidden, name), name],
    pinned: without(arrangement.pinned, name),
  };
}

export function unhid(arrangement: Arrangement, name: string): Arrangement {
  return { ...arrangement, hidden: without(arrangement.hidden, name) };
}

export function pinned(arrangement: Arrangement, name: string): Arrangement {
  return { ...arrangement, pinned: [...without(arrangement.pinned, name), name] };
}

export function unpinned(arrangement: Arrangement, name: string): Arrangement {
  return { ...arrangement, pinned: without(arrangement.pinned, name) };
}

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((other) => other !== name);
}

export interface Arranged<Column> {
  /** The columns to draw, the pinned ones first. */
  readonly columns: readonly Column[];
  /** The number of pinned columns, which come first in `columns`. */
  readonly pinned: number;
  readonly hidden: readonly Column[];
  /** The number of columns that do not fit. */
  readonly omitted: number;
}

/** The columns of a table as they were arranged. One stays, whatever was hidden. */
export function arrange<Column extends { readonly name: string }>(
  columns: readonly Column[],
  arrangement: Arrangement,
): Arranged<Column> {
  const named = new Map(columns.map((column) => [column.name, column]));
  const atLeft = arrangement.pinned.flatMap((name) => named.get(name) ?? []);
  const isHidden = ({ name }: Column): boolean => arrangement.hidden.includes(name);
  const hidden = columns.filter(isHidden);
  if (hidden.length === columns.length) hidden.shift();
  const rest = columns.filter((column) => !hidden.includes(column) && !atLeft.includes(column));
  const all = [...atLeft, ...rest];
  const shown = all.slice(0, maximalColumns);
  return { columns: shown, pinned: Math.min(atLeft.length, shown.length), hidden, omitted: all.length - shown.length };
}

/** Arrangements by collection, the one changed last at the end. */
export type Arrangements = ReadonlyMap<string, Arrangement>;

export function arrangedAs(all: Arrangements, collection: string, arrangement: Arrangement): Arrangements {
  const next = new Map(all);
  next.delete(collection);
  next.set(collection, arrangement);
  return new Map([...next].slice(-keptCollections));
}

export function wordArrangements(all: Arrangements): string {
  return JSON.stringify(
    [...all].map(([collection, { widths, hidden, pinned: atLeft }]) => [collection, [...widths], hidden, atLeft]),
  );
}

/** Reads kept arrangements; whatever is no arrangement is passed over. */
export function parseArrangements(stored: string | null): Arrangements {
  let raw: unknown;
  try {
    raw = JSON.parse(stored ?? "[]");
  } catch {
    return new Map();
  }
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const names = (value: unknown): readonly string[] =>
    list(value).filter((name): name is string => typeof name === "string");
  const found = new Map<string, Arrangement>();
  for (const entry of list(raw).slice(-keptCollections)) {
    const [collection, widths, hidden, atLeft] = list(entry);
    if (typeof collection !== "string") continue;
    let arrangement: Arrangement = { widths: new Map(), hidden: names(hidden), pinned: names(atLeft) };
    for (const pair of list(widths)) {
      const [name, width] = list(pair);
      if (typeof name === "string" && typeof width === "number" && Number.isFinite(width))
        arrangement = resized(arrangement, name, width);
    }
    found.set(collection, arrangement);
  }
  return found;
}
