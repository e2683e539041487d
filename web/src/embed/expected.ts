/**
 * Compares the output that a page's author wrote with the output of a run, line by line.
 *
 * In the author's text `…` stands for any text within its line, and a line of `…` (or `...`) alone for any number of
 * lines: so may values be left open that differ from run to run, as in `_id: ObjectId("…")`. Spaces at the ends of
 * lines and empty lines at both ends do not count. Invariant: pure; the lines of the difference that are `same` or
 * `extra` are together the real output, those that are `same` or `missing` the author's.
 */

/** One line of a difference. */
export interface DifferenceLine {
  /** `missing`: the author's, and not in the real output; `extra`: in the real output alone. */
  readonly kind: "same" | "missing" | "extra";
  readonly text: string;
}

/** How many pairs of lines are compared at most; longer outputs are paired from their beginnings. */
const MOST_PAIRS = 4_000_000;

const ANY_LINES = /^\s*(?:…|\.\.\.)\s*$/;

/** The lines of a text that are compared: without spaces at their ends, and without empty lines at both ends. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd());
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from] === "") from += 1;
  while (to > from && lines[to - 1] === "") to -= 1;
  return lines.slice(from, to);
}

/** Whether a line is as the author wrote it. Each part is looked for from the end of the one before, so in one pass. */
function isLine(expected: string, real: string): boolean {
  const parts = expected.split("…");
  const first = parts[0] as string;
  if (parts.length === 1) return first === real;
  const last = parts.at(-1) as string;
  if (!real.startsWith(first) || !real.endsWith(last)) return false;
  const end = real.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = real.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

/** The difference of two outputs, or null where the real one is as expected. */
export function differenceOf(expected: string, real: string): readonly DifferenceLine[] | null {
  const wanted = linesOf(expected);
  const given = linesOf(real);
  const difference = wanted.length * given.length > MOST_PAIRS ? pairFromStart(wanted, given) : pairBest(wanted, given);
  return difference.every(({ kind }) => kind === "same") ? null : difference;
}

function pairFromStart(wanted: readonly string[], given: readonly string[]): readonly DifferenceLine[] {
  let same = 0;
  const most = Math.min(wanted.length, given.length);
  while (same < most && isLine(wanted[same] as string, given[same] as string)) same += 1;
  return [
    ...given.slice(0, same).map((text) => ({ kind: "same" as const, text })),
    ...wanted.slice(same).map((text) => ({ kind: "missing" as const, text })),
    ...given.slice(same).map((text) => ({ kind: "extra" as const, text })),
  ];
}

/** The pairing with the fewest lines that differ. */
function pairBest(wanted: readonly string[], given: readonly string[]): readonly DifferenceLine[] {
  const width = given.length + 1;
  // How many lines differ from here to both ends, for each pair of places.
  const cost = new Uint32Array((wanted.length + 1) * width);
  const costAt = (row: number, column: number): number => cost[row * width + column] as number;
  for (let row = wanted.length; row >= 0; row--) {
    for (let column = given.length; column >= 0; column--) {
      if (row === wanted.length) {
        cost[row * width + column] = given.length - column;
        continue;
      }
      const line = wanted[row] as string;
      let best: number;
      if (ANY_LINES.test(line)) {
        best = costAt(row + 1, column);
        if (column < given.length) best = Math.min(best, costAt(row, column + 1));
      } else {
        best = costAt(row + 1, column) + 1;
        if (column < given.length) {
          best = Math.min(best, costAt(row, column + 1) + 1);
          if (isLine(line, given[column] as string)) best = Math.min(best, costAt(row + 1, column + 1));
        }
      }
      cost[row * width + column] = best;
    }
  }
  const difference: DifferenceLine[] = [];
  let row = 0;
  let column = 0;
  while (row < wanted.length || column < given.length) {
    const line = wanted[row];
    const real = given[column];
    const left = costAt(row, column);
    if (line !== undefined && ANY_LINES.test(line)) {
      if (costAt(row + 1, column) === left) row += 1;
      else {
        difference.push({ kind: "same", text: real as string });
        column += 1;
      }
    } else if (line !== undefined && real !== undefined && isLine(line, real) && costAt(row + 1, column + 1) === left) {
      difference.push({ kind: "same", text: real });
      row += 1;
      column += 1;
    } else if (line !== undefined && costAt(row + 1, column) + 1 === left) {
      difference.push({ kind: "missing", text: line });
      row += 1;
    } else {
      difference.push({ kind: "extra", text: real as string });
      column += 1;
    }
  }
  return difference;
}
