/**
 * A rewritten script as plain data, and the errors' places in it.
 *
 * It is apart from `rewrite.ts` because that one needs a JavaScript parser, which costs a sandbox half a second
 * to load: the worker rewrites outside and hands the result in.
 */

/** Columns of a line from `from` (1-based, in the rewritten code) on are `by` further right than the user's. */
export interface ColumnShift {
  readonly line: number;
  readonly from: number;
  readonly by: number;
}

/** Where a top-level statement stands in the user's text. Lines and columns are 1-based; the end lies behind it. */
export interface StatementPlace {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A script ready to be evaluated inside `with (scope)`. */
export interface Rewritten {
  readonly code: string;
  /** Names to exist in the scope before the script runs. */
  readonly variables: readonly string[];
  /** Names which a function declaration of the script binds. */
  readonly functions: readonly string[];
  /** Names assigned at top level without a declaration. */
  readonly assigned: readonly string[];
  readonly shifts: readonly ColumnShift[];
  /** The statements whose ends the code tells to `__end$`; empty where that was not asked for. */
  readonly statements: readonly StatementPlace[];
  /** Those of them whose value is not shown, by number: a later one of the same line has a value. */
  readonly unshown: readonly number[];
  /** The last of them is a block, a loop or the like: its value is the script's own, and its end the script's. */
  readonly endsInBlock: boolean;
}

/** The result of rewriting, as data: the script, or the syntax error with its place (line and column 1-based). */
export type RewriteOutcome =
  | Rewritten
  | { readonly syntaxError: string; readonly line: number; readonly column: number };

/** A syntax error with the place in the user's text, both 1-based. */
export class ScriptSyntaxError extends SyntaxError {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = "SyntaxError";
    this.line = line;
    this.column = column;
  }
}

/** The user's column of a place in the rewritten code. */
export function originalColumn(shifts: readonly ColumnShift[], line: number, column: number): number {
  let original = column;
  for (const { line: shifted, from, by } of shifts) {
    if (shifted !== line) continue;
    // Inside a text that was put in, the place is the one where it was put.
    if (column >= from) original -= by;
    else if (column > from - by) original -= column - (from - by);
  }
  return Math.max(1, original);
}

/**
 * QuickJS's wording of the commonest mistakes (a method that is not there, a property of null) in V8's words, which
 * mongosh prints. `place`: where in the source it happened, line and column from 1.
 */
export function wordAsV8(
  message: string,
  source: string,
  place: { readonly line: number; readonly column: number } | null,
): string {
  const read = /^cannot read property '(.*)' of (null|undefined)$/.exec(message);
  if (read !== null) return `Cannot read properties of ${read[2]} (reading '${read[1]}')`;
  const write = /^cannot set property '(.*)' of (null|undefined)$/.exec(message);
  if (write !== null) return `Cannot set properties of ${write[2]} (setting '${write[1]}')`;
  if (message === "not a function" && place !== null) {
    const name = calleeAt(source, offsetOf(source, place.line, place.column));
    if (name !== "") return `${name} is not a function`;
  }
  return message;
}

/** The offset of a line and column, both from 1; the text's end where it has not so many. */
export function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = source.indexOf("\n", start);
    if (end < 0) return source.length;
    start = end + 1;
  }
  return Math.min(source.length, start + column - 1);
}

/**
 * The expression that is called at an offset, also where its links stand on lines of their own; calls before it are
 * `(...)`, as V8 has them.
 */
function calleeAt(source: string, at: number): string {
  let callee = /^[\w$.]+/.exec(source.slice(at))?.[0] ?? "";
  const code = withoutTexts(source.slice(0, at));
  for (let end = at; ; ) {
    const before = code.slice(0, end).trimEnd();
    // Lines and comments may part a link from the dot, and from nothing else.
    if (callee.startsWith(".") || before.endsWith(".")) end = before.length;
    let start = end;
    while (start > 0 && /[\w$.[\]'"]/.test(code.charAt(start - 1))) start -= 1;
    const name = code.slice(start, end);
    callee = source.slice(start, end) + callee;
    end = start;
    const open = openingOf(code.slice(0, end));
    if (open !== null) {
      callee = `(...)${callee}`;
      end = open;
    } else if (!/^\.(?!\.)/.test(name)) return callee;
  }
}

/** A script of the same length and lines, its comments spaces and its texts letters alone; in time linear to it. */
export function withoutTexts(source: string): string {
  const parts: string[] = [];
  let done = 0;
  const marks = /\/\/|\/\*|["'`]/g;
  for (let found = marks.exec(source); found !== null; found = marks.exec(source)) {
    const [mark] = found;
    const end = endOf(source, found.index, mark);
    if (end === null) {
      // A quote in a regular expression, say: the rest of its line is read as code.
      const next = source.indexOf("\n", marks.lastIndex);
      if (next < 0) break;
      marks.lastIndex = next;
      continue;
    }
    const text = source.slice(found.index, end);
    const blank = mark.startsWith("/")
      ? text.replace(/[^\n]/g, " ")
      : mark + text.slice(1, -1).replace(/[^\n]/g, "x") + mark;
    parts.push(source.slice(done, found.index), blank);
    done = end;
    marks.lastIndex = end;
  }
  parts.push(source.slice(done));
  return parts.join("");
}

/** Where the comment or text that begins at a place ends; null where it is not closed. */
function endOf(source: string, from: number, mark: string): number | null {
  const past = (sign: string): number | null => {
    const at = source.indexOf(sign, from + mark.length);
    return at < 0 ? null : at + sign.length;
  };
  if (mark === "//") return (past("\n") ?? source.length + 1) - 1;
  if (mark === "/*") return past("*/");
  for (let at = from + 1; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === "\\") at += 1;
    else if (sign === mark) return at + 1;
    else if (sign === "\n" && mark !== "`") return null;
  }
  return null;
}

/** Where the bracket opens that a text ends by closing; null where it does not. */
function openingOf(text: string): number | null {
  if (!text.endsWith(")")) return null;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === ")") depth += 1;
    else if (text[at] === "(" && --depth === 0) return at;
  }
  return null;
}
