/**
 * The statements of a run: which are shown, the lines that each printed, and its source in one line.
 *
 * Invariants: pure. The open statement's value is the leaf's own (`Leaf.value`), which batches, edits and views change;
 * the entry of that statement in `Leaf.statements` keeps the value that it had when it was opened.
 */
import type { StatementPlace } from "../shell/rewritten.ts";
import type { Written } from "../protocol/run.ts";
import type { Leaf, LeafStatement } from "./model.ts";

/** A statement that has something to show, and which one of the leaf's it is. */
export interface ShownStatement {
  readonly index: number;
  readonly statement: LeafStatement;
  /** Its printed lines among those that the leaf keeps. */
  readonly printed: readonly string[];
}

/** The statements with a value, printed lines or writes, in order. */
export function shownStatements(leaf: Leaf): readonly ShownStatement[] {
  const shown: ShownStatement[] = [];
  let from = 0;
  for (const [index, statement] of leaf.statements.entries()) {
    const printed = linesBetween(leaf, from, statement.printedUntil);
    from = statement.printedUntil;
    if (statement.value.kind !== "none" || printed.length > 0 || statement.written.length > 0)
      shown.push({ index, statement, printed });
  }
  return shown;
}

/** The lines printed after the last statement that came to its end: by the one that failed, or runs still. */
export function printedSince(leaf: Leaf): readonly string[] {
  return linesBetween(leaf, leaf.statements.at(-1)?.printedUntil ?? 0, Infinity);
}

/** Printed lines by their numbers since the run began, of those that are kept. */
function linesBetween({ printed, printedDropped }: Leaf, from: number, to: number): readonly string[] {
  return printed.slice(Math.max(0, from - printedDropped), Math.max(0, to - printedDropped));
}

/** What stayed written of a run that an error ended, and is told by no statement that is shown. */
export function stayedWritten(leaf: Leaf): readonly Written[] {
  const { error, failed, statements } = leaf;
  if (error === null) return [];
  // A statement that is shown alone is shown by its value.
  const untold = isListed(leaf) ? [] : statements.filter(({ value }) => value.kind === "none");
  return [...untold, ...(failed === null ? [] : [failed])].flatMap(({ written }) => written);
}

/** Whether the statements are shown as a list: more than one has something to show. */
export function isListed(leaf: Leaf): boolean {
  return shownStatements(leaf).length > 1;
}

/** A statement's text in the script. */
export function sourceOf(source: string, { line, column, endLine, endColumn }: StatementPlace): string {
  const lines = source.split("\n").slice(line - 1, endLine);
  // A line of the shell (`show dbs`) ends where the line does.
  const last = lines.length - 1;
  if (last >= 0) lines[last] = (lines[last] as string).slice(0, endColumn - 1);
  if (lines.length > 0) lines[0] = (lines[0] as string).slice(column - 1);
  return lines.join("\n");
}

/** How many characters of a statement are looked at for a line of it. */
const MOST_OF_A_SOURCE = 400;

/** A text in one line. */
export function inOneLine(text: string): string {
  return text.slice(0, MOST_OF_A_SOURCE).replace(/\s+/g, " ").trim();
}

/**
 * The source by which a run is known: of the statement that failed, or gave its result; null where there is none, or
 * the script has but one.
 */
export function titleSource({ source, result, statements, failed }: Leaf): string | null {
  if (failed !== null)
    return statements.length > 0 || hasMore(source, failed) ? inOneLine(sourceOf(source, failed)) : null;
  const statement = result === null ? undefined : statements[result];
  return statement === undefined || statements.length < 2 ? null : inOneLine(sourceOf(source, statement));
}

/** Whether another statement follows behind a place. */
function hasMore(source: string, { endLine, endColumn }: StatementPlace): boolean {
  const [first = "", ...rest] = source.split("\n").slice(endLine - 1);
  const behind = [first.slice(endColumn - 1), ...rest].map((line) => line.replace(/\/\/.*/, ""));
  return behind.some((line) => /[^\s;]/.test(line));
}
