/** `console.table`: rows and columns in lines, as Node draws them. */
import { formatTop } from "./format.ts";

type Row = readonly string[];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function line(widths: readonly number[], [left, middle, right]: Row): string {
  return `${left}${widths.map((width) => "─".repeat(width)).join(middle)}${right}`;
}

function rowText(cells: Row, widths: readonly number[]): string {
  const padded = cells.map((cell, at) => ` ${cell.padEnd((widths[at] ?? 0) - 1)}`);
  return `│${padded.join("│")}│`;
}

/** The table of a value, a row an item; undefined for a value that has no rows. */
export function tableOf(data: unknown, wanted?: readonly string[]): string | undefined {
  if (!isObject(data)) return undefined;
  const rows = Array.isArray(data) ? [...data.entries()] : Object.entries(data);
  const columns = wanted === undefined ? [] : [...wanted];
  let hasValues = false;
  for (const [, row] of rows) {
    if (!isObject(row)) hasValues = true;
    else if (wanted === undefined) for (const name of Object.keys(row)) if (!columns.includes(name)) columns.push(name);
  }
  const head = ["(index)", ...columns, ...(hasValues ? ["Values"] : [])];
  const cell = (value: unknown): string =>
    value === undefined ? "" : typeof value === "string" ? `'${value}'` : formatTop(value).replace(/\s*\n\s*/g, " ");
  const body = rows.map(([index, row]): Row => {
    const cells = columns.map((name) => (isObject(row) ? cell(row[name]) : ""));
    return [String(index), ...cells, ...(hasValues ? [isObject(row) ? "" : cell(row)] : [])];
  });
  const widths = head.map((name, at) => Math.max(name.length, ...body.map((row) => (row[at] ?? "").length)) + 2);
  return [
    line(widths, ["┌", "┬", "┐"]),
    rowText(head, widths),
    line(widths, ["├", "┼", "┤"]),
    ...body.map((row) => rowText(row, widths)),
    line(widths, ["└", "┴", "┘"]),
  ].join("\n");
}
