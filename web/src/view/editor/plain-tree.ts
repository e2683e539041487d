/**
 * A literal of a script as plain data, read from the editor's syntax tree, half-written ones as far as they go.
 *
 * Invariants: pure, nothing is run; an expression that is no literal is `undefined`.
 */
import type { syntaxTree } from "@codemirror/language";
import type { Plain } from "../../state/pipeline/shape.ts";

type Node = ReturnType<typeof syntaxTree>["topNode"];

const isSign = (name: string): boolean => /^[[\]{}(),:]$/.test(name) || name.endsWith("Comment");

/** A node's value. */
export function plainOf(text: string, node: Node | null): Plain {
  if (node === null) return undefined;
  const written = text.slice(node.from, node.to);
  switch (node.name) {
    case "String":
      return written.slice(1, written.length > 1 && written.endsWith(written[0] ?? "") ? -1 : undefined);
    case "Number":
      return Number(written);
    case "UnaryExpression": {
      const value = /^-\s*[\d.]+$/.test(written) ? Number(written.replace(/\s/g, "")) : NaN;
      return Number.isNaN(value) ? undefined : value;
    }
    case "BooleanLiteral":
      return written === "true";
    case "null":
      return null;
    case "ArrayExpression":
    case "ArrayPattern":
      return children(node).map((item) => plainOf(text, item));
    case "AssignmentExpression":
      return plainOf(text, node.firstChild);
    case "ObjectExpression":
    case "ObjectPattern":
      return Object.fromEntries(
        children(node)
          .filter(({ name }) => name === "Property" || name === "PatternProperty")
          .map((property) => {
            const key = property.firstChild;
            const named = key?.name === "String" ? plainOf(text, key) : text.slice(key?.from ?? 0, key?.to ?? 0);
            const value = property.getChild(":")?.nextSibling ?? null;
            return [String(named), plainOf(text, value)];
          }),
      );
    default:
      return undefined;
  }
}

function children(node: Node): readonly Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (!isSign(child.name) && !child.type.isError) found.push(child);
  return found;
}
