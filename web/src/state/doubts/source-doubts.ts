/**
 * Doubts that a statement's text tells and its command does not: an arrow function in the place of a filter, which is
 * a value of its own, always true, where a `function` would be called.
 *
 * Invariant: pure; asked only where the command's filter is a function.
 */
import type { AnyNode } from "acorn";
import { filterFrom } from "../comparisons.ts";
import { filtering } from "../error-mends.ts";
import { visit } from "../script-tree.ts";
import type { Doubt } from "./doubt.ts";

/** The doubts about a statement's text. */
export function sourceDoubts(text: string): readonly Doubt[] {
  const doubts: Doubt[] = [];
  visit(text, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { property } = node.callee;
    const [filter] = node.arguments;
    if (property.type !== "Identifier" || !filtering.test(property.name) || filter === undefined) return;
    if (filter.type !== "ArrowFunctionExpression") return;
    // An array's own `find` takes a function.
    if (!isOfCollection(node.callee.object)) return;
    const [parameter] = filter.params;
    const name = parameter?.type === "Identifier" ? parameter.name : "";
    const body = bodyOf(filter.body);
    const right = body === null ? null : filterFrom(body, text, name);
    const wrong = text.slice(filter.start, filter.end);
    doubts.push({ kind: "function", change: right === null ? null : { at: "function", wrong, right } });
  });
  return doubts;
}

/** The expression that a function gives; null where it does more. */
function bodyOf(body: AnyNode): AnyNode | null {
  if (body.type !== "BlockStatement") return body;
  const [only, ...more] = body.body;
  return only?.type === "ReturnStatement" && more.length === 0 ? (only.argument ?? null) : null;
}

/** `db.orders`, `db["my orders"]`, `db.getCollection("orders")`. */
function isOfCollection(node: AnyNode): boolean {
  let inner = node;
  for (;;) {
    if (inner.type === "MemberExpression") inner = inner.object;
    else if (inner.type === "CallExpression" && inner.callee.type === "MemberExpression") {
      const { property } = inner.callee;
      if (property.type !== "Identifier" || !/^get(?:Collection|SiblingDB)$/.test(property.name)) return false;
      inner = inner.callee.object;
    } else return inner.type === "Identifier" && inner.name === "db";
  }
}
