/**
 * Rows out of the text of a table that comes in pieces, as RFC 4180 and mongoimport read it.
 *
 * Invariants: a quote stands only around a cell, doubled inside it; a row where one stands otherwise is refused as a
 * whole, with its line and its text, and reading goes on behind the line of the mistake. A text between tabs has no
 * quotes: all its signs are its own. Every row knows the line where it begins.
 */
import { LineError } from "./line-error.ts";

/** A mistake in the quotes of a table; the words for it are in the message tables. */
export type RowFault =
  /** A quote inside a cell that does not begin with one. */
  | "bareQuote"
  /** A quote inside a cell in quotes that is not doubled, and does not end it. */
  | "strayQuote"
  /** The file ends inside a cell in quotes. */
  | "openQuote"
  /** The row is longer than `longestRow`. */
  | "row";

export interface CsvRow {
  readonly cells: readonly string[];
  /** The line at which the row begins, from 1. */
  readonly line: number;
  /** The row as it stands in the file, without the end of its line. */
  readonly text: string;
}

/** No row may be longer: a document ends at 16 MiB. */
const longestRow = 64 * 1024 * 1024;
/** The most characters of a refused row that are kept to be shown. */
const keptLost = 64 * 1024;
const LINE_END = /\r\n|\n|\r/g;
const SPACE = /[^\S\r\n]*/y;
const SPACE_AT_END = /\s+$/;

/** A mistake at a place of the text; a record for the one loop that reads rows. */
interface Mistake {
  readonly fault: RowFault;
  readonly at: number;
}

interface Read {
  readonly cells: readonly string[];
  /** Where the row ends, and where the next begins. */
  readonly end: number;
  readonly next: number;
}

export class RowSplitter {
  readonly #delimiter: string;
  readonly #ends: RegExp;
  #text = "";
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#ends = new RegExp(`[\\r\\n"${delimiter === "\t" ? "\\t" : `\\${delimiter}`}]`, "g");
  }

  /** Takes more text; gives the rows that end in it, and the mistakes between them. */
  push(more: string): readonly (CsvRow | LineError)[] {
    this.#text += more;
    return this.#rows(false);
  }

  /** The rest, which no end of a line follows. */
  end(): readonly (CsvRow | LineError)[] {
    return this.#rows(true);
  }

  #rows(isLast: boolean): readonly (CsvRow | LineError)[] {
    const found: (CsvRow | LineError)[] = [];
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      const read = this.#row(at, isLast);
      if (read === null) {
        if (text.length - at <= longestRow) break;
        found.push(new LineError(this.#line, "row", { final: true }));
        at = text.length;
      } else if ("fault" in read) {
        // A cell that is never closed holds all that follows.
        const isOpen = read.fault === "openQuote";
        const next = isOpen ? { end: text.length, next: text.length } : this.#lineEnd(read.at, isLast);
        // The rest of the line is still to come.
        if (next === null) break;
        found.push(this.#refused(read, at, next.end));
        this.#line += linesIn(text, at, next.next);
        at = next.next;
      } else {
        const { cells, end, next } = read;
        if (end > at) found.push({ cells, line: this.#line, text: text.slice(at, end) });
        this.#line += linesIn(text, at, next);
        at = next;
      }
    }
    this.#text = text.slice(at);
    return found;
  }

  #refused({ fault, at }: Mistake, from: number, end: number): LineError {
    const before = this.#text.slice(from, at);
    const line = this.#line + linesIn(before, 0, before.length);
    const column = at - Math.max(this.#text.lastIndexOf("\n", at - 1), this.#text.lastIndexOf("\r", at - 1), -1);
    const lost = this.#text.slice(from, Math.min(end, from + keptLost));
    return new LineError(line, fault, { column, lost, final: fault === "openQuote" });
  }

  /** The end of the line that a place is in; null where more text may still belong to it. */
  #lineEnd(at: number, isLast: boolean): { readonly end: number; readonly next: number } | null {
    LINE_END.lastIndex = at;
    const found = LINE_END.exec(this.#text);
    if (found === null) return isLast ? { end: this.#text.length, next: this.#text.length } : null;
    // The other half of the line's end may still come.
    if (found[0] === "\r" && LINE_END.lastIndex === this.#text.length && !isLast) return null;
    return { end: found.index, next: LINE_END.lastIndex };
  }

  /** The row at a place; null where the text ends inside it. */
  #row(start: number, isLast: boolean): Read | Mistake | null {
    const text = this.#text;
    const isQuoted = this.#delimiter !== "\t";
    const cells: string[] = [];
    for (let at = start; ; at += 1) {
      if (isQuoted) {
        at = behindSpace(text, at);
        if (text[at] === '"') {
          const cell = this.#quoted(at, isLast);
          if (cell === null || "fault" in cell) return cell;
          cells.push(cell.value);
          at = cell.next;
          if (text[at] === this.#delimiter) continue;
          const line = this.#lineEnd(at, isLast);
          return line === null ? null : { cells, ...line };
        }
      }
      this.#ends.lastIndex = at;
      let found = this.#ends.exec(text);
      while (!isQuoted && found?.[0] === '"') found = this.#ends.exec(text);
      if (found?.[0] === '"') return { fault: "bareQuote", at: found.index };
      if (found === null && !isLast) return null;
      const value = text.slice(at, found?.index ?? text.length);
      cells.push(isQuoted ? value.replace(SPACE_AT_END, "") : value);
      at = found?.index ?? text.length;
      if (found?.[0] === this.#delimiter) continue;
      const line = this.#lineEnd(at, isLast);
      return line === null ? null : { cells, ...line };
    }
  }

  /** A cell in quotes, and the place of the delimiter or the end of the line behind it. */
  #quoted(start: number, isLast: boolean): { readonly value: string; readonly next: number } | Mistake | null {
    const text = this.#text;
    let value = "";
    for (let from = start + 1; ; ) {
      const quote = text.indexOf('"', from);
      if (quote < 0) return isLast ? { fault: "openQuote", at: start } : null;
      value += text.slice(from, quote);
      if (quote + 1 === text.length && !isLast) return null;
      if (text[quote + 1] !== '"') {
        const next = behindSpace(text, quote + 1);
        if (next === text.length && !isLast) return null;
        const sign = text[next];
        if (sign === undefined || sign === this.#delimiter || sign === "\n" || sign === "\r") return { value, next };
        return { fault: "strayQuote", at: quote };
      }
      value += '"';
      from = quote + 2;
    }
  }
}

function behindSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  LINE_END.lastIndex = from;
  for (let found = LINE_END.exec(text); found !== null && found.index < to; found = LINE_END.exec(text)) lines += 1;
  return lines;
}

/** All rows of a text that is at hand. */
export function rowsOf(text: string, delimiter: string, isWhole: boolean): readonly (CsvRow | LineError)[] {
  const splitter = new RowSplitter(delimiter);
  const rows = splitter.push(text);
  return isWhole ? [...rows, ...splitter.end()] : rows;
}
