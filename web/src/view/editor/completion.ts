/**
 * What could be written at a place in a script, from the editor's syntax tree and the names that exist.
 *
 * Invariants: pure, so it is tested without an editor; a half-written statement is in the tree as the parser mended it;
 * where the place is not sure, nothing is offered rather than noise. Example: at the end of `db.teas.find({ $g` the
 * tree has a property of an object in the arguments of `find`, and so the query operators are offered.
 */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import * as words from "./shell-words.ts";

type Tree = ReturnType<typeof syntaxTree>;
type Node = Tree["topNode"];

/** A script with its syntax tree. */
export interface Script {
  readonly text: string;
  readonly tree: Tree;
}

/** What kind of name is wanted, and on which collection, if one is known. */
export interface Wanted {
  /** Where the half-written name begins. */
  readonly from: number;
  readonly kind: "database" | "collection" | "cursor" | "explain" | "key" | "field-path" | "global" | "none";
  readonly collection: string | null;
  /** For keys: which `$` operators can stand here. */
  readonly operators: readonly string[];
}

const cursorMakers = new Set([
  "find",
  "aggregate",
  "batchSize",
  "collation",
  "comment",
  "hint",
  "limit",
  "maxTimeMS",
  "projection",
  "skip",
  "sort",
  "pretty",
  "tailable",
]);

/** How long a script may be read for one answer, in milliseconds; names after that place are not known. */
const READING_MILLIS = 100;
/** A name after the position is part of the wanted one. */
const LONGEST_NAME = 100;

/** An editor's script, read up to a position at least. */
export function scriptOf(state: EditorState, position: number): Script {
  const end = Math.min(state.doc.length, position + LONGEST_NAME);
  return { text: state.doc.toString(), tree: ensureSyntaxTree(state, end, READING_MILLIS) ?? syntaxTree(state) };
}

/** Nodes in which no name can be completed. */
const PROSE = new Set(["String", "TemplateString", "LineComment", "BlockComment", "RegExp"]);
/** What an object in braces is in the tree; a half-written one may be read as a pattern to take apart. */
const OBJECTS = new Set(["ObjectExpression", "ObjectPattern"]);
const PROPERTIES = new Set(["Property", "PatternProperty"]);
/** What stands in these is no part of a call around them. */
const ENDS_CALL = new Set(["Block", "ClassBody", "ArrowFunction", "FunctionExpression"]);

/** Finds the kind of name that fits at `position`. */
export function wantedAt(script: Script, position: number): Wanted {
  const { text, tree } = script;
  const word = /[\w$]*$/.exec(text.slice(Math.max(0, position - LONGEST_NAME), position))?.[0] ?? "";
  const from = position - word.length;
  const answer = (
    kind: Wanted["kind"],
    collection: string | null = null,
    operators: readonly string[] = [],
  ): Wanted => ({
    from,
    kind,
    collection,
    operators,
  });
  const inside = tree.resolveInner(position, -1);
  const prose = inside.name === "Escape" ? (inside.parent ?? inside) : inside;
  if (PROSE.has(prose.name) && !isClosedAt(text, prose, position)) {
    const path = prose.name === "String" ? /^\$([\w.]*)$/.exec(text.slice(prose.from + 1, position)) : null;
    if (path === null) return answer("none");
    const collection = collectionAround(script, prose) ?? collectionBefore(script, position);
    return { ...answer("field-path", collection), from: position - (path[1] ?? "").length };
  }
  if (text[from - 1] === ".") {
    const dot = tree.resolveInner(from, -1);
    const object = dot.parent?.name === "MemberExpression" ? dot.parent.firstChild : null;
    const { kind, collection } = object === null ? NOTHING : membersOf(script, object);
    return answer(kind, collection);
  }
  const object = objectOfKeyAt(text, tree, from, inside, word);
  const call = object === null ? null : callAround(script, object);
  if (call !== null) return answer("key", call.collection, operatorsFor(call));
  return word === "" ? answer("none") : answer("global");
}

/** Whether a literal or a comment has come to its end where it ends at the position. */
function isClosedAt(text: string, { name, from, to }: Node, position: number): boolean {
  if (position < to || name === "LineComment") return false;
  const end = name === "BlockComment" ? "*/" : (text[from] ?? "");
  return to - from >= 2 * end.length && text.slice(from, to).endsWith(end) && name !== "RegExp";
}

/** The methods of an expression: methods of a database, a collection, a cursor. */
type Members = Pick<Wanted, "kind" | "collection">;
const NOTHING: Members = { kind: "none", collection: null };

export function membersOf(script: Script, object: Node): Members {
  if (isDatabase(script, object)) return { kind: "database", collection: null };
  const collection = collectionOf(script, object);
  if (collection !== null) return { kind: "collection", collection };
  if (object.name !== "CallExpression") return NOTHING;
  const method = nameOf(script, object.firstChild) ?? "";
  if (method === "explain") return { kind: "explain", collection: null };
  if (method === "getSiblingDB") return { kind: "database", collection: null };
  return cursorMakers.has(method) ? { kind: "cursor", collection: null } : NOTHING;
}

const textOf = ({ text }: Script, { from, to }: Node): string => text.slice(from, to);

/** The name at the end of an expression (`x`, `a.x`), a key, or the text of a literal; null for anything else. */
function nameOf(script: Script, node: Node | null): string | null {
  switch (node?.name) {
    case "VariableName":
    case "PropertyName":
    case "PropertyDefinition":
      return textOf(script, node);
    case "String":
      return textOf(script, node).slice(1, -1);
    case "MemberExpression":
      return nameOf(script, node.getChild("PropertyName") ?? node.getChild("String"));
    default:
      return null;
  }
}

const isDatabase = (script: Script, node: Node | null): boolean =>
  node?.name === "VariableName" && textOf(script, node) === "db";

/** The collection that an expression is: `db.a.b`, `db["a"]`, `db.getCollection("a")`; null where it is none. */
function collectionOf(script: Script, node: Node | null): string | null {
  const object = node?.firstChild ?? null;
  if (node?.name === "CallExpression") {
    const isGetter = isDatabase(script, object?.firstChild ?? null) && nameOf(script, object) === "getCollection";
    return isGetter ? nameOf(script, node.getChild("ArgList")?.getChild("String") ?? null) : null;
  }
  if (node?.name !== "MemberExpression") return null;
  const name = nameOf(script, node);
  if (isDatabase(script, object) || name === null) return name;
  const outer = collectionOf(script, object);
  return outer === null ? null : `${outer}.${name}`;
}

/** The collection that a call is about: `db.a.find().sort()` is about `a`. */
function collectionOfCall(script: Script, call: Node): string | null {
  for (let callee = call.firstChild; callee?.name === "MemberExpression"; ) {
    const object: Node | null = callee.firstChild;
    const collection = collectionOf(script, object);
    if (collection !== null) return collection;
    callee = object?.name === "CallExpression" ? object.firstChild : object;
  }
  return null;
}

/** The collection that the calls around a node are about, the innermost that tells. */
function collectionAround(script: Script, node: Node): string | null {
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    const collection = outer.name === "CallExpression" ? collectionOfCall(script, outer) : null;
    if (collection !== null) return collection;
  }
  return null;
}

/** The collection of the last call before a place: a pipeline built there is likely to be for the same. */
function collectionBefore(script: Script, position: number): string | null {
  let last: string | null = null;
  script.tree.iterate({
    to: position,
    enter: ({ name, node, to }) => {
      if (name === "CallExpression" && to <= position) last = collectionOfCall(script, node) ?? last;
    },
  });
  return last;
}

/** The object one of whose keys is being written, or is to be; null where none is. */
function objectOfKeyAt(text: string, tree: Tree, from: number, inside: Node, word: string): Node | null {
  if (word !== "") return objectOfKey(inside);
  let node = inside;
  for (let at = from; ; at = node.from) {
    node = tree.resolveInner(text.slice(0, at).trimEnd().length, -1);
    if (!node.name.endsWith("Comment")) break;
  }
  const { name, parent } = node;
  return parent !== null && (name === "{" || name === ",") && OBJECTS.has(parent.name) ? parent : null;
}

/** The object whose key a node is; null where it is none. */
export function objectOfKey({ from, parent: property }: Node): Node | null {
  const object = property?.parent ?? null;
  const isKey = property !== null && PROPERTIES.has(property.name) && property.from === from;
  return isKey && object !== null && OBJECTS.has(object.name) ? object : null;
}

interface Call {
  readonly method: string;
  readonly collection: string | null;
  /** Counts from 0. */
  readonly argument: number;
  /** How many braces are open between the call and the object, whose own are among them. */
  readonly depth: number;
  /** The keys whose values are being written, innermost first. */
  readonly keys: readonly string[];
}

/** The call in whose arguments an object is. */
function callAround(script: Script, object: Node): Call | null {
  const keys: string[] = [];
  let depth = 0;
  for (let node: Node = object; node.parent !== null; node = node.parent) {
    const { name, parent } = node;
    if (ENDS_CALL.has(name)) return null;
    if (OBJECTS.has(name)) depth += 1;
    if (PROPERTIES.has(name)) keys.push(nameOf(script, node.firstChild) ?? "");
    if (parent.name !== "ArgList") continue;
    const method = nameOf(script, parent.prevSibling);
    if (method === null) return null;
    const argument = parent.getChildren(",").filter(({ to }) => to <= node.from).length;
    const collection = collectionAround(script, parent) ?? collectionBefore(script, object.from);
    return { method, collection, argument, depth, keys };
  }
  return null;
}

/** Which operators can be keys of an object: a table of `shell-words.ts`, or none. */
export function operatorsIn(script: Script, object: Node): readonly string[] {
  const call = callAround(script, object);
  return call === null ? [] : operatorsFor(call);
}

function operatorsFor(call: Call): readonly string[] {
  switch (call.method) {
    case "aggregate":
      if (call.depth === 1) return words.stages;
      return inPipeline(call.keys);
    case "updateOne":
    case "updateMany":
    case "update":
    case "findOneAndUpdate":
      return call.argument === 1 ? words.updateOperators : words.queryOperators;
    case "insertOne":
    case "insertMany":
    case "insert":
    case "createIndex":
    case "sort":
    case "projection":
      return [];
    default:
      return words.queryOperators;
  }
}

/** What can stand in a stage, by the keys around the place, innermost first. */
function inPipeline(keys: readonly string[]): readonly string[] {
  const stage = keys.findIndex((key) => words.stages.includes(key) && key !== "$count");
  const around = stage < 0 ? keys : keys.slice(0, stage);
  const expression = around.some((key) => key.startsWith("$"));
  switch (keys[stage]) {
    case "$match":
      return around.includes("$expr") ? words.expressionOperators : words.queryOperators;
    case "$group":
      return around.length === 1 && around[0] !== "_id" && !expression ? words.accumulators : words.expressionOperators;
    case "$bucket":
    case "$bucketAuto":
      return around.length === 2 && around[1] === "output" ? words.accumulators : words.expressionOperators;
    case "$setWindowFields":
      return around.length === 2 && around[1] === "output" ? words.windowOperators : words.expressionOperators;
    case "$facet":
      return around.length === 1 ? words.stages : words.expressionOperators;
    case "$lookup":
    case "$unionWith":
      return around[0] === "pipeline" ? words.stages : words.expressionOperators;
    default:
      return words.expressionOperators;
  }
}
