/**
 * Puts a better text into the place of a wrong one, in a script that may have been changed since it ran.
 *
 * Invariant: pure; nothing is replaced unless the text that ran still stands where it stood.
 */
import type { StatementPlace } from "../shell/rewritten.ts";
import type { SourceOffset } from "./model.ts";

/** A text and the place to put it: `from` and `to` are offsets into the source that ran. */
export interface Mending {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The only place of a name in a script; null where it stands nowhere or more than once. */
export function onlyPlace(source: string, name: string): { readonly from: number; readonly to: number } | null {
  const places: number[] = [];
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
    const isWhole =
      !/[\w$]/.test(source[at - 1] ?? "") && !(/[\w$]/.test(source[at + name.length] ?? "") && /[\w$]$/.test(name));
    if (isWhole) places.push(at);
  }
  const [from, ...more] = places;
  return from === undefined || more.length > 0 ? null : { from, to: from + name.length };
}

/** The only place of a name in a statement of a script. */
export function onlyPlaceIn(
  source: string,
  statement: StatementPlace,
  name: string,
): { readonly from: number; readonly to: number } | null {
  const range = rangeOf(source, statement);
  const place = onlyPlace(source.slice(range.from, range.to), name);
  return place === null ? null : { from: range.from + place.from, to: range.from + place.to };
}

/** The text of a statement, as offsets into its script. */
export function rangeOf(source: string, place: StatementPlace): { readonly from: number; readonly to: number } {
  return {
    from: offsetOf(source, place.line, place.column),
    to: offsetOf(source, place.endLine, place.endColumn),
  };
}

/** The offset of a line and column, both 1-based. */
function offsetOf(source: string, line: number, column: number): number {
  const lines = source.split("\n").slice(0, line - 1);
  return lines.reduce((length, text) => length + text.length + 1, column - 1);
}

/** The place of a name that stands at a line and column, in quotes or not; null where another text stands there. */
export function placeAt(
  source: string,
  line: number | null,
  column: number | null,
  name: string,
): { readonly from: number; readonly to: number } | null {
  if (line === null || column === null) return null;
  const start = offsetOf(source, line, column);
  const from = /["'`]/.test(source[start] ?? "") ? start + 1 : start;
  const to = from + name.length;
  return source.startsWith(name, from) && !/[\w$]/.test(source[to] ?? "") ? { from, to } : null;
}

/** The script with the mending done; null where it is no longer as it ran. */
export function mended(
  script: string,
  source: string,
  offset: SourceOffset,
  { from, to, text }: Mending,
): string | null {
  let start = 0;
  for (let line = 0; line < offset.line; line += 1) {
    start = script.indexOf("\n", start) + 1;
    if (start === 0) return null;
  }
  start += offset.column;
  if (!script.startsWith(source, start)) return null;
  return `${script.slice(0, start + from)}${text}${script.slice(start + to)}`;
}
