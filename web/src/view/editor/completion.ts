/**
 * The kinds of names that could be written at a place in a script, from the editor's syntax tree.
 *
 * Invariants: pure, so it is tested without an editor; a half-written statement is in the tree as the parser mended it;
 * where the place is not sure, nothing is offered rather than noise. Example: at the end of `db.teas.find({ $g` the
 * tree has a property of an object in the arguments of `find`, and so the query operators are offered.
 */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import {
  argumentOf,
  hasFields,
  itemOf,
  operatorsOf,
  optionsOf,
  stepInto,
  takesPaths,
  type PlaceKind,
} from "./places.ts";
import type { Plain } from "../../state/pipeline/shape.ts";
import { plainOf } from "./plain-tree.ts";
import * as words from "./shell-words.ts";

type Tree = ReturnType<typeof syntaxTree>;
type Node = Tree["topNode"];

/** A script with its syntax tree. */
export interface Script {
  readonly text: string;
  readonly tree: Tree;
}

/** The kind of name that fits a place, and the collection it is about; null where that is not known. */
export interface Wanted {
  /** The offset at which the half-written name begins. */
  readonly from: number;
  readonly kind:
    | "database"
    | "collection"
    | "cursor"
    | "explain"
    | "quire"
    | "key"
    | "field-path"
    | "field"
    | "stage"
    | "collection-name"
    | "database-name"
    /** A name behind `show`, as `collections`. */
    | "shown"
    | "global"
    | "none";
  readonly collection: string | null;
  /** For keys: which `$` operators can stand here. */
  readonly operators: readonly string[];
  /** For keys: whether fields can stand here, and which fixed names. */
  readonly fields: boolean;
  readonly options: readonly string[];
  /** The field that the keys are parts of; empty for the document's own. */
  readonly path: string;
  /** The stages that the documents went through; none outside of a pipeline. */
  readonly stages: readonly Plain[];
  /** A quotation mark stands before the name already, or brackets and not a dot. */
  readonly quoted: boolean;
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
/** The tree's nodes for an object in braces; a half-written one may be read as a pattern to take apart. */
const OBJECTS = new Set(["ObjectExpression", "ObjectPattern"]);
const PROPERTIES = new Set(["Property", "PatternProperty"]);
/** A name inside one of these is no argument of a call around it. */
const ENDS_CALL = new Set(["Block", "ClassBody", "ArrowFunction", "FunctionExpression"]);

const nothing: Omit<Wanted, "from"> = {
  kind: "none",
  collection: null,
  operators: [],
  fields: false,
  options: [],
  path: "",
  stages: [],
  quoted: false,
};

/** Finds the kind of name that fits at `position`. */
export function wantedAt(script: Script, position: number): Wanted {
  const { text, tree } = script;
  const word = /[\w$]*$/.exec(text.slice(Math.max(0, position - LONGEST_NAME), position))?.[0] ?? "";
  const from = position - word.length;
  const answer = (kind: Wanted["kind"], collection: string | null = null): Wanted => ({
    ...nothing,
    from,
    kind,
    collection,
  });
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  const used = /^[ \t]*use[ \t]+(\S*)$/.exec(line);
  if (/^[ \t]*show[ \t]+\w*$/.test(line)) return answer("shown");
  if (used !== null) return { ...answer("database-name"), from: position - (used[1] ?? "").length };
  const inside = tree.resolveInner(position, -1);
  const prose = inside.name === "Escape" ? (inside.parent ?? inside) : inside;
  if (PROSE.has(prose.name) && !isClosedAt(text, prose, position))
    return prose.name === "String" ? inText(script, prose, position) : answer("none");
  if (text[from - 1] === ".") {
    const dot = tree.resolveInner(from, -1);
    const object = dot.parent?.name === "MemberExpression" ? dot.parent.firstChild : null;
    const { kind, collection } = object === null ? NOTHING : membersOf(script, object);
    return answer(kind, collection);
  }
  const object = objectOfKeyAt(text, tree, from, inside, word);
  const key = object === null ? null : keyIn(script, object, from);
  if (key !== null) return key;
  const array = arrayAt(text, tree, from, inside, word);
  const place = array === null ? null : placeOf(script, array);
  if (place !== null && (place.kind === "stage" || place.kind === "updateStage"))
    return { ...answer("stage", place.collection), operators: operatorsOf(place.kind), stages: place.stages };
  return word === "" ? answer("none") : answer("global");
}

/** The names that can be a key of an object; null where the object's place is not known. */
function keyIn(script: Script, object: Node, from: number): Wanted | null {
  const place = placeOf(script, object);
  if (place === null) return null;
  const { kind, collection, path, stages } = place;
  const operators = operatorsOf(kind);
  return {
    ...{ ...nothing, from, kind: "key", collection, operators, path, stages },
    ...{ fields: hasFields(kind), options: optionsOf(kind) },
  };
}

/** The names that can stand in quotes: a quoted key, the path of a value, or a name by its place. */
function inText(script: Script, node: Node, position: number): Wanted {
  const start = node.from + 1;
  const written = script.text.slice(start, position);
  const answer = (kind: Wanted["kind"], collection: string | null = null, from = start): Wanted => ({
    ...{ ...nothing, from, kind, collection, quoted: true },
  });
  const object = objectOfKey(node);
  if (object !== null && (node.parent?.getChild(":") ?? null) === null) {
    const key = keyIn(script, object, start);
    if (key !== null) return { ...key, quoted: true };
  }
  const parent = node.parent;
  if (parent?.name === "MemberExpression" && isDatabase(script, parent.firstChild)) return answer("collection-name");
  if (parent?.name === "ArgList" && nameOf(script, parent.prevSibling) === "getSiblingDB")
    return answer("database-name");
  const place = placeOf(script, node);
  if (/^\$[\w.]*$/.test(written) && (place === null || takesPaths(place.kind))) {
    const collection = place?.collection ?? collectionAround(script, node) ?? collectionBefore(script, position);
    return { ...answer("field-path", collection, start + 1), stages: place?.stages ?? [] };
  }
  if (place?.kind === "collection") return answer("collection-name");
  if (place?.kind === "field" || place?.kind === "foreignField")
    return { ...answer("field", place.collection), stages: place.stages };
  return answer("none");
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
  if (object.name === "VariableName" && textOf(script, object) === "quire") return { kind: "quire", collection: null };
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

/** A place in the arguments of a call. */
interface Place {
  readonly kind: PlaceKind;
  readonly collection: string | null;
  /** The field around; empty at the top of a document. */
  readonly path: string;
  readonly stages: readonly Plain[];
}

/** One step from a call's argument to the place: a key's value in an object, or an item of an array. */
type Step = KeyStep | { readonly items: readonly Node[] };
interface KeyStep {
  readonly key: string;
  readonly object: Node;
}

const ARRAYS = new Set(["ArrayExpression", "ArrayPattern"]);
const SIGNS = new Set(["[", "]", ","]);
/** The items of an array, in their order. */
function itemsOf(array: Node): readonly Node[] {
  const items: Node[] = [];
  for (let child = array.firstChild; child !== null; child = child.nextSibling)
    if (!SIGNS.has(child.name) && !child.name.endsWith("Comment") && !child.type.isError) items.push(child);
  return items;
}

/** The place of an object's keys, of an array's items that are to come, or of a text. */
function placeOf(script: Script, inner: Node): Place | null {
  const steps: Step[] = ARRAYS.has(inner.name) ? [{ items: itemsOf(inner).filter(({ to }) => to < inner.to) }] : [];
  let node = inner;
  for (; node.parent !== null; node = node.parent) {
    const { name, parent } = node;
    if (ENDS_CALL.has(name)) return null;
    if (PROPERTIES.has(parent.name) && parent.parent !== null && parent.firstChild?.from !== node.from)
      steps.unshift({ key: nameOf(script, parent.firstChild) ?? "", object: parent.parent });
    else if (PROPERTIES.has(parent.name) && node.from === parent.from) return null;
    if (ARRAYS.has(parent.name)) steps.unshift({ items: itemsOf(parent).filter(({ to }) => to <= node.from) });
    if (parent.name === "ArgList") break;
    if (parent.name === "VariableDeclaration" || parent.name === "Script") return alone(script, inner, steps);
  }
  const list = node.parent;
  const method = list === null ? null : nameOf(script, list.prevSibling);
  if (list === null || method === null) return null;
  const kind = argumentOf(method, list.getChildren(",").filter(({ to }) => to <= node.from).length);
  if (kind === null) return null;
  const isView = method === "createView";
  const source = isView ? nameOf(script, list.getChildren("String")[1] ?? null) : null;
  const collection = source ?? collectionAround(script, list) ?? collectionBefore(script, inner.from);
  // In the aggregation of a database there is no collection to speak of.
  const isOfDatabase = method === "aggregate" && isDatabase(script, list.prevSibling?.firstChild ?? null);
  return walked(script, { kind, collection: isOfDatabase ? null : collection, path: "", stages: [] }, steps);
}

/** The place in an array outside of any call, which is a pipeline if one of its items is a stage. */
function alone(script: Script, inner: Node, steps: readonly Step[]): Place | null {
  const [first, second] = steps;
  if (first === undefined || !("items" in first)) return null;
  const isStage = (key: string): boolean => words.stages.includes(key);
  const known = first.items.some((item) => Object.keys(plainOf(script.text, item) ?? {}).some(isStage));
  if (!known && !(second !== undefined && "key" in second && isStage(second.key))) return null;
  const collection = collectionBefore(script, inner.from);
  return walked(script, { kind: "pipeline", collection, path: "", stages: [] }, steps);
}

function walked(script: Script, start: Place, steps: readonly Step[]): Place | null {
  let place = start;
  for (const step of steps) {
    if ("items" in step) {
      const kind = itemOf(place.kind);
      const isPipeline = kind !== place.kind;
      const before = isPipeline ? step.items.map((item) => plainOf(script.text, item)) : [];
      place = { ...place, kind, stages: [...place.stages, ...before] };
      continue;
    }
    const kind = stepInto(place.kind, step.key);
    if (kind === null) return null;
    place = into(script, place, kind, step);
  }
  return place;
}

/** The place of a key's value, with the documents and the field that it is about. */
function into(script: Script, place: Place, kind: PlaceKind, { key, object }: KeyStep): Place {
  const other = plainOf(script.text, object);
  const named = (name: string): string | null => {
    const value = typeof other === "object" && other !== null ? (other as Readonly<Record<string, Plain>>)[name] : null;
    return typeof value === "string" ? value : null;
  };
  if (kind === "foreignField" || (kind === "pipeline" && place.kind === "lookup"))
    return { kind, collection: named("from"), path: "", stages: [] };
  if (kind === "pipeline" && place.kind === "unionWith")
    return { kind, collection: named("coll"), path: "", stages: [] };
  if (kind === "filter" && place.kind === "graphLookup")
    return { kind, collection: named("from"), path: "", stages: [] };
  const isField = hasFields(place.kind) && !key.startsWith("$");
  if (isField) return { ...place, kind, path: place.path === "" ? key : `${place.path}.${key}` };
  const keepsPath = kind === "element" || kind === "condition" || (kind === "paths" && place.kind === "modifiers");
  const isInField = keepsPath || (kind === "document" && place.kind !== "bulkInsert");
  return { ...place, kind, path: isInField && place.kind !== "stage" ? place.path : "" };
}

/** The array in which an item is being written, or is to be; null where none is. */
function arrayAt(text: string, tree: Tree, from: number, inside: Node, word: string): Node | null {
  if (word !== "") return inside.parent !== null && ARRAYS.has(inside.parent.name) ? inside.parent : null;
  const node = tree.resolveInner(text.slice(0, from).trimEnd().length, -1);
  const { name, parent } = node;
  return parent !== null && (name === "[" || name === ",") && ARRAYS.has(parent.name) ? parent : null;
}

/** Which operators can be keys of an object: a table of `shell-words.ts`, or none. */
export function operatorsIn(script: Script, object: Node): readonly string[] {
  const place = placeOf(script, object);
  return place === null ? [] : operatorsOf(place.kind);
}
