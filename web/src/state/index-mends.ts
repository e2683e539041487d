/**
 * The index that a refused query asks for, made before the statement: for `$near` by the kind of its point, for `$text`
 * of all texts. Where a field has the index for points on a sphere, the point is written as that index wants it.
 *
 * Invariants: pure; an index is advised only on a collection and a field that the statement itself names.
 */
import type { AnyNode, CallExpression, ObjectExpression } from "acorn";
import type { Mending } from "./mending.ts";
import { nameOf, visit } from "./script-tree.ts";
import { fieldOf, wordKey } from "./values.ts";

export interface IndexMend {
  readonly kind: "geo-index" | "geo-json" | "text-index";
  readonly mending: Mending;
}

/** A collection's index, by its key pattern. */
export interface IndexOf {
  readonly collection: string;
  readonly key: object;
}

/** An error says that no index tells distances. */
export const isGeoIndexMissing = (message: string): boolean =>
  /unable to find index for \$geoNear query|^\$geoNear requires a 2d or 2dsphere index/.test(message);

export const isTextIndexMissing = (message: string): boolean => message.includes("text index required for $text query");

/** The mending for an error that asks for an index; null for any other, or where the statement does not tell enough. */
export function indexMend(message: string, text: string, indexes: readonly IndexOf[]): IndexMend | null {
  if (isTextIndexMissing(message)) {
    const target = targetOf(text, onlyNode(text, "$text"));
    return target === null ? null : before("text-index", text, `${target.text}.createIndex({ "$**": "text" })`);
  }
  if (!isGeoIndexMissing(message)) return null;
  const near = nearIn(text);
  const target = near === null ? null : targetOf(text, near.node);
  if (near === null || target === null) return null;
  const { field, point, isPair } = near;
  const has = (kind: string): boolean =>
    indexes.some(({ collection, key }) => collection === target.collection && fieldOf(key, field) === kind);
  if (isPair && has("2dsphere")) {
    const written = `{ $geometry: { type: "Point", coordinates: ${text.slice(point.start, point.end)} } }`;
    const isList = point.type === "ArrayExpression" && near.members === 1;
    return isList ? { kind: "geo-json", mending: { from: point.start, to: point.end, text: written } } : null;
  }
  const kind = isPair ? "2d" : "2dsphere";
  return has(kind) ? null : before("geo-index", text, `${target.text}.createIndex({ ${wordKey(field)}: "${kind}" })`);
}

function before(kind: IndexMend["kind"], text: string, call: string): IndexMend {
  // A line that begins like this would go on with the call.
  const end = /^[([`/+-]/.test(text) ? ";\n" : "\n";
  return { kind, mending: { from: 0, to: 0, text: call + end } };
}

interface Near {
  readonly node: AnyNode;
  readonly field: string;
  readonly point: AnyNode;
  /** The point is a pair of numbers, which the plane's index alone tells distances from. */
  readonly isPair: boolean;
  /** How many members the condition has: a distance beside the point is in other units for another kind of point. */
  readonly members: number;
}

/** The only condition of a statement that asks for the nearest. */
function nearIn(text: string): Near | null {
  const found: Near[] = [];
  visit(text, (node) => {
    if (node.type !== "Property" || node.computed || node.value.type !== "ObjectExpression") return;
    const field = nameOf(node);
    if (field === null) return;
    const condition = node.value;
    if (field === "$geoNear") {
      const [point, key] = [memberOf(condition, "near"), memberOf(condition, "key")];
      const isPair = point === null ? null : isPlanar(point);
      if (point === null || isPair === null || key?.type !== "Literal" || typeof key.value !== "string") return;
      found.push({ node, field: key.value, point, isPair, members: condition.properties.length });
      return;
    }
    for (const name of ["$near", "$nearSphere"]) {
      const point = memberOf(condition, name);
      const isPair = point === null ? null : isPlanar(point);
      if (point === null || isPair === null || field.startsWith("$")) continue;
      // On a sphere distances from a pair are told by either index, and by this one for stored points of either kind.
      found.push({ node, field, point, isPair: isPair && name === "$near", members: condition.properties.length });
    }
  });
  const [only, ...more] = found;
  return only === undefined || more.length > 0 ? null : only;
}

/** Whether a point is written as a pair of numbers, and not as GeoJSON; null where the statement does not show it. */
function isPlanar(point: AnyNode): boolean | null {
  if (point.type === "ArrayExpression") return true;
  if (point.type !== "ObjectExpression") return null;
  return memberOf(point, "$geometry") === null && memberOf(point, "coordinates") === null;
}

export function memberOf({ properties }: ObjectExpression, name: string): AnyNode | null {
  for (const member of properties)
    if (member.type === "Property" && !member.computed && nameOf(member) === name) return member.value;
  return null;
}

function onlyNode(text: string, name: string): AnyNode | null {
  const found: AnyNode[] = [];
  visit(text, (node) => {
    if (node.type === "Property" && !node.computed && nameOf(node) === name) found.push(node);
  });
  const [only, ...more] = found;
  return only === undefined || more.length > 0 ? null : only;
}

interface Target {
  /** As the statement writes it. */
  readonly text: string;
  /** Its name; null where it is in another database. */
  readonly collection: string | null;
}

/** The collection whose method is called with a part of a statement. */
function targetOf(text: string, part: AnyNode | null): Target | null {
  if (part === null) return null;
  let innermost: CallExpression | null = null;
  visit(text, (node) => {
    if (node.type !== "CallExpression" || node.start > part.start || node.end < part.end) return;
    const isGiven = node.arguments.some(({ start, end }) => start <= part.start && part.end <= end);
    if (isGiven && (innermost === null || node.start >= innermost.start)) innermost = node;
  });
  const callee: AnyNode | undefined = (innermost as CallExpression | null)?.callee;
  if (callee?.type !== "MemberExpression") return null;
  const { object } = callee;
  const names = namesOf(object);
  if (names === null || names.collection === "") return null;
  const collection = names.isElsewhere ? null : names.collection;
  return { text: text.slice(object.start, object.end), collection };
}

/** The collection that an expression over `db` names; null where it is of anything else. */
function namesOf(node: AnyNode): { readonly collection: string; readonly isElsewhere: boolean } | null {
  if (node.type === "Identifier") return node.name === "db" ? { collection: "", isElsewhere: false } : null;
  if (node.type === "MemberExpression") {
    const { property, computed } = node;
    const of = namesOf(node.object);
    const name = computed ? (property.type === "Literal" ? property.value : null) : nameOf({ key: property as never });
    if (of === null || typeof name !== "string") return null;
    return { ...of, collection: of.collection === "" ? name : `${of.collection}.${name}` };
  }
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return null;
  const [given] = node.arguments;
  const method = node.callee.property.type === "Identifier" ? node.callee.property.name : "";
  const of = namesOf(node.callee.object);
  if (of === null || of.collection !== "" || given?.type !== "Literal" || typeof given.value !== "string") return null;
  if (method === "getSiblingDB") return { ...of, isElsewhere: true };
  return method === "getCollection" ? { ...of, collection: given.value } : null;
}
