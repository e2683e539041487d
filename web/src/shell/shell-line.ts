/**
 * The lines of a script that are the shell's and not JavaScript's: `use shop`, `show dbs`.
 *
 * `readScript` alone decides which lines these are: running, laying out and copying a script all read them here. A line
 * is the shell's only where JavaScript cannot be read any further, so that the same words inside a text stay text.
 */
import { parse, type Program } from "acorn";

const OPTIONS = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
} as const;
const SHELL_LINE = /^([ \t]*)(use|show)[ \t]+([^\s;()=+\-*/.,[\]{}'"`][^\r\n;()'"`=]*?)[ \t]*;?[ \t]*(\/\/.*)?$/;

/** A shell line, as it stands in the script. */
export interface ShellLine {
  readonly word: "use" | "show";
  /** The rest of the line after the word: a database's name, or the name of a list to show. */
  readonly argument: string;
  /** Where the line begins in the script, and its text without the line break. */
  readonly start: number;
  readonly text: string;
}

/** A script that JavaScript's parser read once its shell lines had been replaced. */
export interface ReadScript {
  readonly program: Program;
  /** The script with each shell line replaced. */
  readonly source: string;
}

/** JavaScript's parser stopped here, and the line is none of the shell's. */
export interface ReadFailure {
  /** An offset into `source`. */
  readonly position: number;
  readonly line: number;
  readonly column: number;
  /** The parser's, which ends with the place in parentheses. */
  readonly message: string;
  /** The script as far as its shell lines had been replaced. */
  readonly source: string;
}

interface AcornError {
  readonly pos: number;
  readonly loc: { readonly line: number; readonly column: number };
  readonly message: string;
}

function isAcornError(error: unknown): error is AcornError {
  return error instanceof SyntaxError && "pos" in error && "loc" in error;
}

/** The shell line around an offset; null when that line is none. */
function shellLineAt(source: string, position: number): ShellLine | null {
  const start = source.lastIndexOf("\n", position - 1) + 1;
  const found = source.indexOf("\n", position);
  const end = found < 0 ? source.length : found;
  const text = source.slice(start, source[end - 1] === "\r" ? end - 1 : end);
  const match = SHELL_LINE.exec(text);
  return match === null ? null : { word: match[2] as "use" | "show", argument: (match[3] ?? "").trim(), start, text };
}

/** Parses a script as JavaScript; throws acorn's errors. */
export const parseScript = (source: string): Program => parse(source, OPTIONS);

/**
 * Parses a script whose shell lines are replaced, the first one first. A replacement must have no line break, and
 * JavaScript must be able to read it.
 */
export function readScript(original: string, replacement: (line: ShellLine) => string): ReadScript | ReadFailure {
  let source = original;
  for (;;) {
    try {
      return { program: parseScript(source), source };
    } catch (error) {
      if (!isAcornError(error)) throw error;
      const line = shellLineAt(source, error.pos);
      if (line === null) {
        return {
          position: error.pos,
          line: error.loc.line,
          column: error.loc.column + 1,
          message: error.message,
          source,
        };
      }
      source = `${source.slice(0, line.start)}${replacement(line)}${source.slice(line.start + line.text.length)}`;
    }
  }
}
