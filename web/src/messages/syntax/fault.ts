/**
 * Where a script's syntax is wrong, by the very reading that a run begins with, worded for a reader. SQL is said to be
 * that, and written for the shell, wherever the parser stopped in it.
 *
 * Invariants: pure; a script that the shell would run has no fault, one with the shell's own lines (`use x`, `show x`)
 * or with top-level `await` included. A place is never empty unless the script is, so there is something to underline.
 */
import type { ScriptError } from "../../protocol/run.ts";
import { tryRewrite } from "../../shell/rewrite.ts";
import { offsetOf } from "../../shell/rewritten.ts";
import { sqlAt, type SqlStatement } from "../../state/sql/select.ts";
import type { Mending } from "../../state/mending.ts";
import { openBrackets, slipAt, type Slip } from "./slips.ts";
import type { SyntaxMessages } from "./words.ts";

export interface SyntaxFault {
  readonly from: number;
  readonly to: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The whole: of SQL the sentence, and on lines below it the query. */
  readonly message: string;
  /** Null where it is no SQL. */
  readonly sql: SqlFault | null;
  /** The text that the script lacks or should have; null where that is not certain. */
  readonly mending: Mending | null;
}

/** SQL in a script. */
export interface SqlFault {
  readonly statement: SqlStatement;
  readonly sentence: string;
  /** The same query written for the shell; another one as an example where that is not known. */
  readonly query: string;
}

const EXAMPLE = "db.herbs.find({ price: { $gt: 3 } })";

/** The fault of a script, or null when the shell would run it. `above`: lines of the editor before its first one. */
export function syntaxFault(source: string, s: SyntaxMessages, above = 0): SyntaxFault | null {
  const outcome = tryRewrite(source);
  if (!("syntaxError" in outcome)) return null;
  const sql = sqlAt(source, outcome);
  if (sql !== null) return sqlFault(source, sql, s);
  const found = offsetOf(source, outcome.line, outcome.column);
  const written = source.trimEnd().length;
  if (found >= written && outcome.syntaxError === "Unexpected token") {
    const open = openBrackets(source, source.length).at(-1) ?? null;
    if (open !== null)
      return placed(source, open, open + 1, (line) => s["unclosed"](source[open] ?? "", String(line + above)));
    return placed(source, Math.max(0, written - 1), written, () => s["end"]);
  }
  const meant = slipAt(source, found);
  if (meant !== null) {
    const { from, to, mending } = meant;
    return { ...placed(source, from, to, () => wordSlip(source, meant, s, above)), mending };
  }
  // The parser tells of a template where its last piece begins.
  const begun = outcome.syntaxError === "Unterminated template" ? Math.max(0, source.lastIndexOf("`", found)) : found;
  const from = Math.min(begun, Math.max(0, written - 1));
  const to = endOf(source, from);
  return placed(source, from, to, () => worded(outcome.syntaxError, source.slice(from, to), s));
}

/**
 * The fault that an error of a run comes from, where reading the script words it better than the shell; null elsewhere.
 */
export function errorFault(
  { name, line, column }: Pick<ScriptError, "name" | "line" | "column">,
  source: string,
  s: SyntaxMessages,
  above = 0,
): SyntaxFault | null {
  if (name === "SyntaxError") return syntaxFault(source, s, above);
  const sql = line === null ? null : sqlAt(source, { line, column });
  return sql === null ? null : sqlFault(source, sql, s);
}

/** Marked is no more than the first line of the statement. */
function sqlFault(source: string, statement: SqlStatement, s: SyntaxMessages): SyntaxFault {
  const { from, to } = statement;
  const sentence = s[statement.query === null ? "sql.unknown" : "sql.query"];
  const query = statement.query ?? EXAMPLE;
  const line = source.slice(from, to).split("\n", 1)[0] ?? "";
  const fault = placed(source, from, from + line.trimEnd().length, () => `${sentence}\n${query}`);
  return { ...fault, sql: { statement, sentence, query } };
}

function placed(source: string, from: number, to: number, message: (line: number) => string): SyntaxFault {
  const before = source.slice(0, from);
  const line = before.split("\n").length;
  return {
    from,
    to: Math.max(to, Math.min(from + 1, source.length)),
    line,
    column: from - before.lastIndexOf("\n"),
    message: message(line),
    sql: null,
    mending: null,
  };
}

function wordSlip(source: string, { kind, text, open }: Slip, s: SyntaxMessages, above: number): string {
  switch (kind) {
    case "bracket": {
      const line = source.slice(0, open ?? 0).split("\n").length + above;
      return s["bracket"](text, source[open ?? 0] ?? "", String(line));
    }
    case "unopened":
      return s["unopened"](text);
    case "comma":
      return s["comma"](text);
    case "comparison":
      return s["comparison"](text);
    case "dotted":
      return s["dotted"](text);
  }
}

/** The end of the name, number or sign at a place; a text that was begun goes to the end of its line. */
function endOf(source: string, from: number): number {
  const rest = source.slice(from, from + 200);
  const length = (/^(?:["'`/][^\n]*|[\w$]+|[=!<>]=+|=>|&&|\|\||\?\?|\.\.\.|.)/u.exec(rest)?.[0] ?? "").trimEnd().length;
  return from + Math.max(1, length);
}

/** The parser's words in the reader's language. */
function worded(message: string, text: string, s: SyntaxMessages): string {
  const named = (pattern: RegExp): string | undefined => pattern.exec(message)?.[1];
  const declared = named(/^Identifier '(.+)' has already been declared$/);
  if (declared !== undefined) return s["declared"](declared);
  const reserved = named(/^Unexpected (?:reserved word|keyword) '(.+)'$/) ?? named(/^The keyword '(.+)' is reserved$/);
  if (reserved !== undefined && reserved !== "await") return s["reserved"](reserved);
  const character = named(/^Unexpected character '(.+)'$/u);
  if (character !== undefined) return s["token"](character);
  if (/await/.test(message)) return s["await"];
  switch (message) {
    case "Unexpected token":
      return s["token"](text);
    case "Unterminated string constant":
      return s["string"];
    case "Unterminated template":
      return s["template"];
    case "Unterminated regular expression":
      return s["regex"];
    case "Unterminated comment":
      return s["comment"];
    case "Assigning to rvalue":
      return s["assigned"];
    case "'return' outside of function":
      return s["return"];
    case "Missing catch or finally clause":
      return s["catch"];
    case "Illegal newline after throw":
      return s["throw"];
    case "Comma is not permitted after the rest element":
      return s["rest"];
    case "Multiple default clauses":
      return s["default"];
    case "Shorthand property assignments are valid only in destructuring patterns":
      return s["shorthand"];
    case "Complex binding patterns require an initialization value":
      return s["initial"];
    default:
      return wordedByKind(message, s);
  }
}

/** Messages of the parser that are one mistake for a reader, by how they are worded. */
const kinds: readonly (readonly [RegExp, (s: SyntaxMessages, name: string) => string])[] = [
  [/^Invalid regular expression/, (s) => s["pattern"]],
  [/number|radix|Numeric separator|[Oo]ctal literal/, (s) => s["number"]],
  [/^Unsyntactic (break|continue)$/, (s, word) => s["loop"](word)],
  [/[Ee]scape|Code point out of bounds/, (s) => s["escape"]],
  [/import|export/, (s) => s["module"]],
  [/^Private field '(.+)' must be declared/, (s, name) => s["private"](name)],
  [/super/, (s) => s["super"]],
  [/^Label '(.+)' is already declared$/, (s, name) => s["declared"](name)],
  [/^(?:Redefinition of|Duplicate|Argument name clash)/, (s) => s["twice"]],
  [/^(?:Assigning to|Binding|Parenthesized pattern)/, (s) => s["assigned"]],
];

function wordedByKind(message: string, s: SyntaxMessages): string {
  for (const [pattern, word] of kinds) {
    const found = pattern.exec(message);
    if (found !== null) return word(s, found[1] ?? "");
  }
  return s["other"](message);
}
