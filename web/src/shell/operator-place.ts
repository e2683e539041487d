/**
 * Where in a statement the operator stands that a server's error is about: `db.a.find({ n: { $gtt: 1 } })` fails at
 * `$gtt`, and not at `find`.
 *
 * Invariants: the place is moved only where exactly one name of the statement can be meant, so that it is never wrong;
 * a statement that JavaScript's parser cannot read alone keeps its place.
 */
import type { AnyNode } from "acorn";
import { namesIn } from "./operator-errors.ts";
import type { StatementPlace } from "./rewritten.ts";
import { parseScript } from "./shell-line.ts";

/** An error as far as its place can be found from it. */
interface Failure {
  readonly name: string;
  readonly message: string;
  readonly detail?: string;
}

/** Errors whose words are the server's. */
const SERVER = /^Mongo(?:Server|(?:Client)?BulkWrite)Error$/;

/** Line and column, 1-based, of the operator that the error names in the statement that failed; null where unknown. */
export function operatorPlace(
  source: string,
  statement: StatementPlace,
  error: Failure,
): { readonly line: number; readonly column: number } | null {
  // An error with a detail is about a document, whose fields may be called anything.
  if (!SERVER.test(error.name) || error.detail !== undefined) return null;
  const names = namesIn(error.message);
  if (names.length === 0) return null;
  const text = textOf(source, statement);
  const words = wordsOf(text);
  for (const name of names) {
    const said = words.filter((word) => word.name === name);
    const keys = said.filter(({ isKey }) => isKey);
    // A value can be meant where an index's kind is, or an operator under a computed name.
    const [one, ...more] = keys.length > 0 ? keys : said;
    if (one !== undefined) return more.length === 0 ? placeAt(text, statement, one.at) : null;
  }
  return null;
}

function textOf(source: string, { line, column, endLine, endColumn }: StatementPlace): string {
  const lines = source.split("\n").slice(line - 1, endLine);
  const last = lines.length - 1;
  if (last >= 0) lines[last] = (lines[last] as string).slice(0, endColumn - 1);
  if (last >= 0) lines[0] = (lines[0] as string).slice(column - 1);
  return lines.join("\n");
}

function placeAt(
  text: string,
  { line, column }: StatementPlace,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split("\n");
  const { length } = before.at(-1) ?? "";
  return { line: line + before.length - 1, column: before.length === 1 ? column + length : length + 1 };
}

interface Word {
  readonly name: string;
  readonly at: number;
  readonly isKey: boolean;
}

/** The keys of a statement's objects, and its texts. */
function wordsOf(text: string): readonly Word[] {
  const found: Word[] = [];
  const walk = (node: AnyNode, isKey: boolean): void => {
    if (node.type === "Literal" && typeof node.value === "string")
      found.push({ name: node.value, at: node.start, isKey });
    if (node.type === "TemplateLiteral" && node.expressions.length === 0)
      found.push({ name: node.quasis[0]?.value.cooked ?? "", at: node.start, isKey });
    if (node.type === "Property" && !node.computed && node.key.type === "Identifier") {
      found.push({ name: node.key.name, at: node.key.start, isKey: true });
      if (!node.shorthand) walk(node.value, false);
      return;
    }
    for (const [name, member] of Object.entries(node) as [string, unknown][]) {
      const key = node.type === "Property" && name === "key";
      for (const item of Array.isArray(member) ? (member as unknown[]) : [member]) if (isNode(item)) walk(item, key);
    }
  };
  try {
    walk(parseScript(text), false);
  } catch {
    return [];
  }
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
