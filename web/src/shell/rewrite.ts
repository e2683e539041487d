/**
 * Turns a user's script into what the shell evaluates, without moving a line.
 *
 * - `use x`, `show x` lines and the bare words `it` and `help` become calls;
 * - top-level `let`, `const`, `class` and functions become names of the shell's scope, so that they stay for
 *   the next script and may be declared again, as at mongosh's prompt;
 * - `await` outside functions becomes a call that gives a plain value back at once;
 * - a script that is one object literal is that object, not a block;
 * - where it is asked for, each top-level statement tells its end and its value: `a.b()` becomes `__end$(0,(a.b()))`,
 *   and `for (…) f()` becomes `for (…) __inner$((f()));var __ended$=__end$(1)`. A declaration in the place of a
 *   statement leaves the script's own value alone.
 *
 * Invariants: no edit holds or spans a line break, so line numbers are the user's; columns are mapped back by
 * `shifts`. A syntax error carries the user's own line and column.
 */
import type { AnyNode, Pattern } from "acorn";

import {
  ScriptSyntaxError,
  type ColumnShift,
  type RewriteOutcome,
  type Rewritten,
  type StatementPlace,
} from "./rewritten.ts";
import { parseScript, readScript, type ReadScript, type ShellLine } from "./shell-line.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where an insertion stands among others at its place; `Rank.ending` when absent. */
  readonly rank?: Rank;
}

/** The order of insertions at one place: the text before them ends before the text behind them begins. */
enum Rank {
  ending,
  innerEnd,
  statementEnd,
  scriptStart,
  beginning,
  /** A text that takes the place of the script's text behind it. */
  replacing,
}

const rankOf = ({ start, end, rank = Rank.ending }: Edit): Rank => (end > start ? Rank.replacing : rank);

/** The source in parentheses, when it begins with a brace and is an expression that way. */
function asObjectLiteral(source: string): ReadScript | null {
  const open = source.search(/\S/);
  if (open < 0 || source[open] !== "{") return null;
  const close = source.replace(/[\s;]+$/, "").length;
  const text = `${source.slice(0, open)}(${source.slice(open, close)})${source.slice(close)}`;
  try {
    return { program: parseScript(text), source: text };
  } catch {
    return null;
  }
}

/** The call of the function `use` or `show` with a shell line's argument, at the line's place. */
const asCall = ({ word, argument, text }: ShellLine): string =>
  `${text.slice(0, text.indexOf(word))}${word}(${JSON.stringify(argument)});`;

function read(original: string): ReadScript {
  const script = readScript(original, asCall);
  if ("program" in script) return script;
  const literal = asObjectLiteral(script.source);
  if (literal === null)
    throw new ScriptSyntaxError(script.message.replace(/ \(\d+:\d+\)$/, ""), script.line, script.column);
  return literal;
}

function patternNames(pattern: Pattern, into: Set<string>): void {
  switch (pattern.type) {
    case "Identifier":
      into.add(pattern.name);
      break;
    case "ObjectPattern":
      for (const property of pattern.properties)
        patternNames(property.type === "RestElement" ? property.argument : property.value, into);
      break;
    case "ArrayPattern":
      for (const element of pattern.elements) if (element !== null) patternNames(element, into);
      break;
    case "AssignmentPattern":
      patternNames(pattern.left, into);
      break;
    case "RestElement":
      patternNames(pattern.argument, into);
      break;
    default:
  }
}

const isShow = (node: AnyNode): boolean =>
  node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "show";

const isFunction = (node: AnyNode): boolean =>
  node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";

/** Visits every node outside functions and class bodies. */
function visit(node: AnyNode, callback: (node: AnyNode) => void): void {
  callback(node);
  if (isFunction(node) || node.type === "ClassBody") return;
  for (const member of Object.values(node) as unknown[]) {
    if (Array.isArray(member)) {
      for (const item of member as unknown[]) if (isNode(item)) visit(item, callback);
    } else if (isNode(member)) {
      visit(member, callback);
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function apply(source: string, edits: readonly Edit[]): string {
  let code = "";
  let at = 0;
  for (const edit of edits) {
    code += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return code + source.slice(at);
}

/** The statements that give a value only by those inside them. */
const isBlock = (node: AnyNode): boolean =>
  !(
    node.type === "ExpressionStatement" ||
    node.type === "VariableDeclaration" ||
    node.type === "ClassDeclaration" ||
    node.type === "ThrowStatement"
  );

const hasValue = (node: AnyNode): boolean => node.type === "ExpressionStatement" || isBlock(node);

/** The edits by which statements tell their ends. */
class StatementEnds {
  readonly edits: Edit[] = [];
  readonly places: StatementPlace[] = [];
  readonly #nodes: AnyNode[] = [];
  /** On which line each statement ends, without a semicolon that may stand before the next one. */
  readonly #lastLines: number[] = [];
  endsInBlock = false;
  readonly #source: string;
  #line = 1;
  #lineStart = 0;

  constructor(source: string) {
    this.#source = source;
  }

  add(node: AnyNode, isLast: boolean): void {
    const number = this.places.length;
    const [line, column] = this.#place(node.start);
    const [lastLine] = this.#place(node.type === "ExpressionStatement" ? node.expression.end : node.end);
    const [endLine, endColumn] = this.#place(node.end);
    this.places.push({ line, column, endLine, endColumn });
    this.#nodes.push(node);
    this.#lastLines.push(lastLine);
    if (node.type === "ExpressionStatement") {
      const { start, end } = node.expression;
      this.edits.push(
        { start, end: start, text: `__end$(${number},(`, rank: Rank.beginning },
        { start: end, end, text: "))", rank: Rank.statementEnd },
      );
      return;
    }
    if (isBlock(node)) {
      this.endsInBlock = isLast;
      if (isLast) return;
      visit(node, (inner) => {
        if (inner.type !== "ExpressionStatement") return;
        const { start, end } = inner.expression;
        this.edits.push(
          { start, end: start, text: "__inner$((", rank: Rank.beginning },
          { start: end, end, text: "))", rank: Rank.innerEnd },
        );
      });
    }
    const text = `;var __ended$=__end$(${number});`;
    this.edits.push({ start: node.end, end: node.end, text, rank: Rank.statementEnd });
  }

  /** A line shows its last value, as at a prompt: the statements before that one on it show none. */
  get unshown(): readonly number[] {
    const unshown: number[] = [];
    // The line on which the nearest statement with a value behind the one at hand begins.
    let next = 0;
    for (let number = this.places.length - 1; number >= 0; number -= 1) {
      if (this.#lastLines[number] === next) unshown.push(number);
      if (hasValue(this.#nodes[number] as AnyNode)) next = (this.places[number] as StatementPlace).line;
    }
    return unshown;
  }

  /** Line and column of an offset, which is not before that of the last call. */
  #place(offset: number): readonly [number, number] {
    for (
      let next = this.#source.indexOf("\n", this.#lineStart);
      next >= 0 && next < offset;
      next = this.#source.indexOf("\n", this.#lineStart)
    ) {
      this.#lineStart = next + 1;
      this.#line += 1;
    }
    return [this.#line, offset - this.#lineStart + 1];
  }
}

/** Whether a statement does something when it is reached: a function's declaration has had its effect before. */
const isDone = (node: AnyNode): boolean => node.type !== "EmptyStatement" && node.type !== "FunctionDeclaration";

/** Rewrites a script; throws `ScriptSyntaxError`. `withStatements`: its top-level statements tell their ends. */
export function rewrite(original: string, withStatements = false): Rewritten {
  let { program, source } = read(original);
  if (
    program.body.length > 0 &&
    program.body.every((node) => node.type === "BlockStatement" || node.type === "EmptyStatement")
  ) {
    const literal = asObjectLiteral(source);
    if (literal !== null) ({ program, source } = literal);
  }
  const edits: Edit[] = [];
  const variables = new Set<string>();
  const functions = new Set<string>();
  const assigned = new Set<string>();

  for (const node of program.body) {
    if (node.type === "VariableDeclaration" && node.kind !== "var") {
      edits.push({
        start: node.start,
        end: node.start + node.kind.length,
        text: node.kind === "const" ? "var  " : "var",
      });
      for (const { id, init } of node.declarations) {
        patternNames(id, variables);
        if (init === null || init === undefined) edits.push({ start: id.end, end: id.end, text: "=undefined" });
      }
    } else if (node.type === "ClassDeclaration") {
      variables.add(node.id.name);
      edits.push(
        { start: node.start, end: node.start, text: `var ${node.id.name}=`, rank: Rank.beginning },
        { start: node.end, end: node.end, text: ";" },
      );
    } else if (node.type === "FunctionDeclaration") {
      functions.add(node.id.name);
    } else if (node.type === "ExpressionStatement") {
      const { expression } = node;
      if (expression.type === "Identifier" && (expression.name === "it" || expression.name === "help")) {
        edits.push({ start: expression.end, end: expression.end, text: "()" });
      } else if (!withStatements && node !== program.body.at(-1) && isShow(expression)) {
        // The list that `show` gives is a value. Only the last value is handed out, so an earlier one is printed.
        edits.push(
          { start: expression.start, end: expression.start, text: "print(", rank: Rank.beginning },
          { start: expression.end, end: expression.end, text: ")" },
        );
      } else if (expression.type === "AssignmentExpression" && expression.left.type === "Identifier") {
        assigned.add(expression.left.name);
      }
    }
  }
  visit(program, (node) => {
    if (node.type === "AwaitExpression") {
      edits.push(
        { start: node.start, end: node.start + 5, text: "__await$(" },
        { start: node.end, end: node.end, text: ")" },
      );
    } else if (node.type === "ForOfStatement" && node.await) {
      const at = source.indexOf("await", node.start);
      edits.push({ start: at, end: at + 5, text: "     " });
    } else if (node.type === "VariableDeclaration" && node.kind === "var") {
      for (const { id } of node.declarations) patternNames(id, variables);
    }
  });
  for (const name of functions) variables.delete(name);
  const ends = new StatementEnds(source);
  const told = withStatements ? program.body.filter(isDone) : [];
  for (const node of told) ends.add(node, node === program.body.at(-1));
  let prefix = "";
  if (functions.size > 0) prefix = `__declare$({${[...functions].join(",")}});`;
  else if (program.body[0]?.type === "ExpressionStatement" && program.body[0].directive !== undefined) prefix = ";";
  if (prefix !== "") {
    const at = source.startsWith("#!") ? source.indexOf("\n") + 1 : 0;
    edits.push({ start: at, end: at, text: prefix, rank: Rank.scriptStart });
  }
  edits.push(...ends.edits);
  edits.sort((left, right) => left.start - right.start || rankOf(left) - rankOf(right));
  return {
    code: apply(source, edits),
    variables: [...variables],
    functions: [...functions],
    assigned: [...assigned].filter((name) => !variables.has(name) && !functions.has(name)),
    shifts: shiftsOf(source, edits),
    statements: ends.places,
    unshown: ends.unshown,
    endsInBlock: ends.endsInBlock,
  };
}

function shiftsOf(source: string, edits: readonly Edit[]): ColumnShift[] {
  const shifts: ColumnShift[] = [];
  let line = 1;
  let lineStart = 0;
  let shift = 0;
  for (const edit of edits) {
    for (
      let next = source.indexOf("\n", lineStart);
      next >= 0 && next < edit.start;
      next = source.indexOf("\n", lineStart)
    ) {
      lineStart = next + 1;
      line += 1;
      shift = 0;
    }
    const by = edit.text.length - (edit.end - edit.start);
    if (by !== 0) shifts.push({ line, from: edit.start - lineStart + shift + edit.text.length + 1, by });
    shift += by;
  }
  return shifts;
}

/** `rewrite` with a syntax error as data, which crosses into the sandbox as text. */
export function tryRewrite(source: string, withStatements = false): RewriteOutcome {
  try {
    return rewrite(source, withStatements);
  } catch (error) {
    if (error instanceof ScriptSyntaxError)
      return { syntaxError: error.message, line: error.line, column: error.column };
    throw error;
  }
}
