/**
 * A comparison of the language (`order.total > 500`) as a condition of a filter (`{ total: { $gt: 500 } }`).
 *
 * Invariant: pure; null for what is not plainly a comparison of a field with a value.
 */
import type { AnyNode } from "acorn";
import { wordKey } from "./values.ts";

const operators = new Map([
  ["==", "$eq"],
  ["===", "$eq"],
  ["!=", "$ne"],
  ["!==", "$ne"],
  [">", "$gt"],
  [">=", "$gte"],
  ["<", "$lt"],
  ["<=", "$lte"],
  // Written by mistake for `>=`.
  ["=>", "$gte"],
  ["=<", "$lte"],
  ["=", "$eq"],
]);
const turned = new Map([
  ["$gt", "$lt"],
  ["$gte", "$lte"],
  ["$lt", "$gt"],
  ["$lte", "$gte"],
]);

/** The member of a filter for a field, an operator of the language and a value's text; null for another operator. */
export function memberOf(path: string, operator: string, value: string): string | null {
  const name = operators.get(operator);
  if (name === undefined) return null;
  return `${wordKey(path)}: ${name === "$eq" ? value : `{ ${name}: ${value} }`}`;
}

/**
 * A filter for an expression over a document.
 *
 * @param text the text that the node's places are in
 * @param document the name of the document in it; null where fields stand alone
 */
export function filterFrom(node: AnyNode, text: string, document: string | null): string | null {
  const members = membersFrom(node, text, document);
  if (members === null) return null;
  const names = members.map((member) => member.split(":", 1)[0]);
  if (new Set(names).size < names.length) return `{ $and: [${members.map((member) => `{ ${member} }`).join(", ")}] }`;
  return `{ ${members.join(", ")} }`;
}

function membersFrom(node: AnyNode, text: string, document: string | null): readonly string[] | null {
  if (node.type === "ParenthesizedExpression") return membersFrom(node.expression, text, document);
  if (node.type === "LogicalExpression") {
    const [left, right] = [node.left, node.right].map((side) => membersFrom(side, text, document));
    if (left == null || right == null || node.operator === "??") return null;
    if (node.operator === "&&") return [...left, ...right];
    return [`$or: [{ ${left.join(", ")} }, { ${right.join(", ")} }]`];
  }
  if (node.type !== "BinaryExpression" && node.type !== "AssignmentExpression") return null;
  const { left, right, operator } = node;
  const name = operators.get(operator);
  if (name === undefined) return null;
  const valueOf = (side: AnyNode): string => text.slice(side.start, side.end);
  const path = pathOf(left, document);
  if (path !== null && isValue(right)) return [memberOf(path, operator, valueOf(right)) ?? ""];
  const other = pathOf(right, document);
  if (other === null || !isValue(left)) return null;
  const back = turned.get(name);
  return [
    back === undefined
      ? (memberOf(other, operator, valueOf(left)) ?? "")
      : `${wordKey(other)}: { ${back}: ${valueOf(left)} }`,
  ];
}

/** The dotted path of a field; null for what is none. */
function pathOf(node: AnyNode, document: string | null): string | null {
  if (node.type === "Identifier") return document === null && node.name !== "undefined" ? node.name : null;
  if (node.type === "ThisExpression") return null;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return null;
  const { object, property } = node;
  if (object.type === "ThisExpression") return property.name;
  if (object.type === "Identifier" && object.name === document) return property.name;
  const before = object.type === "Super" ? null : pathOf(object, document);
  return before === null ? null : `${before}.${property.name}`;
}

/** Whether a node's value is told by its text alone. */
function isValue(node: AnyNode): boolean {
  switch (node.type) {
    case "Literal":
      return true;
    case "UnaryExpression":
      return node.argument.type === "Literal";
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "NewExpression":
    case "CallExpression":
      return node.callee.type === "Identifier" && node.arguments.every(isValue);
    default:
      return false;
  }
}
