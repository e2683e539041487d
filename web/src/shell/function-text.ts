/**
 * Turns code that came with a command into the text of a function, as a server does: `$where: "this.a > 1"` is no
 * function yet, and `"var least = 1; this.a > least"` has the value of its last expression.
 *
 * It is apart from `functions.ts` because it needs a JavaScript parser, which the sandbox's prelude leaves outside
 * (`prelude-sandbox.ts`). Invariant: code that nobody can read is given back as it is, so that its syntax error is the
 * realm's own.
 */
import { parse, type AnyNode, type Program } from "acorn";

const OPTIONS = { ecmaVersion: "latest", sourceType: "script" } as const;

function read(code: string, allowReturnOutsideFunction: boolean): Program | null {
  try {
    return parse(code, { ...OPTIONS, allowReturnOutsideFunction });
  } catch {
    return null;
  }
}

/**
 * The text of a function expression that has the code's value. A semicolon after a function is no part of it; an arrow
 * function is a function as it stands.
 */
export function functionText(code: string): string {
  const program = read(code, false);
  if (program === null) {
    // Code with a `return` of its own, an anonymous function, or no JavaScript at all.
    return read(code, true) === null ? code.replace(/[\s;]+$/, "") : `function() { ${code}\n}`;
  }
  const statements = program.body.filter(({ type }) => type !== "EmptyStatement");
  const last: AnyNode | undefined = statements.at(-1);
  if (last === undefined) return code;
  const text = code.slice(0, last.end);
  if (last.type === "FunctionDeclaration") return text;
  if (last.type !== "ExpressionStatement") return `function() { ${text}\n}`;
  const isLone = statements.length === 1;
  if (isLone && last.expression.type === "ArrowFunctionExpression") return text.replace(/[\s;]+$/, "");
  return `function() { ${text.slice(0, last.start)}return ${text.slice(last.start)}\n}`;
}
