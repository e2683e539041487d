/**
 * A B+tree as the engine tells of it: nodes level by level, the way down to a key and along the leaves as steps that
 * can be played.
 *
 * Invariant: every number is one of a reply.
 */
import type { Document } from "bson";
import { ask, type Commander } from "../data/ask.ts";
import { fieldOf, numberOf, wordLine } from "../values.ts";

/** The place of a tree: its database, its collection, and its index where it is one's. */
export interface TreePlace {
  readonly database: string;
  readonly collection: string;
  /** Null for the tree of the documents themselves. */
  readonly index: string | null;
}

/** The kinds of index whose keys are worth a sentence. */
export type KeyNature = "records" | "plain" | "compound" | "hashed" | "wildcard";

export interface TreeNode {
  readonly page: number;
  readonly level: number;
  readonly count: number;
  readonly used: number;
  readonly first: string;
  readonly last: string;
  readonly children: readonly { readonly page: number; readonly key: string }[];
}

/** One step of a look-up: a page that is searched, or an entry that is met on the way along the leaves. */
export type TreeStep =
  | {
      readonly kind: "search";
      readonly page: number;
      readonly level: number;
      readonly compared: readonly { readonly slot: number; readonly key: string }[];
      readonly slot: number;
      readonly child: number | null;
    }
  | { readonly kind: "entry"; readonly page: number; readonly slot: number; readonly key: string };

export interface Tree {
  readonly place: TreePlace;
  readonly nature: KeyNature;
  readonly isMultikey: boolean;
  readonly isPartial: boolean;
  readonly isCollated: boolean;
  readonly entries: number;
  readonly height: number;
  readonly leafPages: number;
  readonly branchPages: number;
  readonly overflowPages: number;
  readonly capacity: number;
  readonly root: number;
  /** The root first, then level by level. */
  readonly nodes: readonly TreeNode[];
  /** The number of pages below the drawn nodes that were left out. */
  readonly waiting: number;
  readonly steps: readonly TreeStep[];
}

/** The most nodes that are drawn. */
export const nodesDrawn = 300;
/** How many entries are walked along. */
const walked = 12;

const count = (reply: unknown, name: string): number => numberOf(fieldOf(reply, name)) ?? 0;
const list = (reply: unknown, name: string): readonly Document[] => (fieldOf(reply, name) ?? []) as readonly Document[];

/** A key in words: its values, and the record it leads to; an ellipsis where a separator is cut off. */
export function wordTreeKey(key: unknown): string {
  const values = fieldOf(key, "key");
  const record = numberOf(fieldOf(key, "recordId"));
  const worded = values === undefined ? "" : wordLine(values);
  const cut = fieldOf(key, "isCut") === true ? "…" : "";
  return [worded + cut, record === null ? "" : `#${record}`].filter((part) => part !== "").join(" ");
}

function natureOf(reply: Document): KeyNature {
  const spec = fieldOf(reply, "spec");
  if (spec === undefined) return "records";
  const pattern = (fieldOf(spec, "key") ?? {}) as Document;
  const fields = Object.entries(pattern);
  if (fields.some(([, kind]) => kind === "hashed")) return "hashed";
  if (fields.some(([name]) => name === "$**" || name.endsWith(".$**"))) return "wildcard";
  return fields.length > 1 ? "compound" : "plain";
}

const nodeOf = (node: Document): TreeNode => ({
  page: count(node, "page"),
  level: count(node, "level"),
  count: count(node, "count"),
  used: count(node, "used"),
  first: wordTreeKey(fieldOf(node, "first")),
  last: wordTreeKey(fieldOf(node, "last")),
  children: list(node, "children").map((child) => ({ page: count(child, "page"), key: wordTreeKey(child) })),
});

/** A reply of `quireTree`. */
export function treeOf(place: TreePlace, reply: Document): Tree {
  const searched = list(reply, "descent").map(
    (step): TreeStep => ({
      kind: "search",
      page: count(step, "page"),
      level: count(step, "level"),
      compared: list(step, "compared").map((each) => ({ slot: count(each, "slot"), key: wordTreeKey(each) })),
      slot: count(step, "slot"),
      child: numberOf(fieldOf(step, "child")),
    }),
  );
  const met = list(reply, "walk").map(
    (entry): TreeStep => ({
      kind: "entry",
      page: count(entry, "page"),
      slot: count(entry, "slot"),
      key: wordTreeKey(entry),
    }),
  );
  const spec = fieldOf(reply, "spec");
  return {
    place,
    nature: natureOf(reply),
    isMultikey: fieldOf(reply, "isMultikey") === true,
    isPartial: fieldOf(spec, "partialFilterExpression") !== undefined,
    isCollated: fieldOf(spec, "collation") !== undefined,
    entries: count(reply, "entries"),
    height: count(reply, "height"),
    leafPages: count(reply, "leafPages"),
    branchPages: count(reply, "branchPages"),
    overflowPages: count(reply, "overflowPages"),
    capacity: count(reply, "capacity"),
    root: count(reply, "root"),
    nodes: list(reply, "nodes").map(nodeOf),
    waiting: count(reply, "waiting"),
    steps: [...searched, ...met],
  };
}

const question = ({ collection, index }: TreePlace): Document => ({
  quireTree: collection,
  ...(index === null ? {} : { index }),
  limit: nodesDrawn,
});

/** Reads a tree; `descend` is the key to look up: a document's values, or a record's number. */
export async function readTree(commander: Commander, place: TreePlace, descend?: Document | number): Promise<Tree> {
  const more = descend === undefined ? {} : { descend, walk: walked };
  return treeOf(place, await ask(commander, place.database, { ...question(place), ...more }));
}

/** How full a node is, from 0 to 1. */
export function fillOf(tree: Pick<Tree, "capacity">, node: TreeNode): number {
  return tree.capacity === 0 ? 0 : node.used / tree.capacity;
}

/** The levels from the root down, each with its nodes. */
export function levelsOf(tree: Tree): readonly (readonly TreeNode[])[] {
  const levels: TreeNode[][] = [];
  for (const node of tree.nodes) (levels[tree.height - 1 - node.level] ??= []).push(node);
  return levels.filter((level) => level !== undefined);
}

/** Reads the reader's text as a key to look up: a record's number or a document of values; null where it is neither. */
export function readSought(tree: Pick<Tree, "nature">, text: string): Document | number | null {
  try {
    const value: unknown = JSON.parse(text);
    if (tree.nature === "records")
      return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Document) : null;
  } catch {
    return null;
  }
}
