/**
 * A split of a tree's page, tried on a fork: the tree just before the insert that splits and just after it, and the
 * steps between them, one by one.
 *
 * Invariants: all of it runs on forks, and so changes nothing; pages of the two states are matched by the separators
 * that lead to them, since a page that is written may get another number; every figure is read from the pages.
 */
import { ObjectId, type Document } from "bson";
import { ask, type Commander } from "../data/ask.ts";
import { fieldOf, numberOf } from "../values.ts";
import { nodesDrawn, treeOf, wordTreeKey, type Tree, type TreeNode, type TreePlace } from "./tree.ts";

/** A page of one of the two states. */
export interface SplitPage {
  readonly page: number;
  readonly level: number;
  /** Its entries; of a branch its separators, which are one fewer than its children. */
  readonly count: number;
  readonly used: number;
}

/** A page that became two. */
export interface PageSplit {
  readonly before: SplitPage;
  readonly left: SplitPage;
  readonly right: SplitPage;
  /** The entries that went to the right page, or the children. */
  readonly moved: number;
  readonly movedFrom: string;
  readonly movedTo: string;
  /** The separator key of the right page in the page above. */
  readonly separator: string;
}

/** A page above that took a separator and had room for it. */
export interface Taken {
  readonly before: SplitPage;
  readonly after: SplitPage;
}

/** The splits that one insert made, from the leaf up. */
export interface SplitStory {
  /** The entry that did not fit, and the bytes that it needs; that of the last leaf where there are several. */
  readonly entry: string;
  readonly entryBytes: number;
  /** The splits of each level: of the leaves, then of the level above, … */
  readonly levels: readonly (readonly PageSplit[])[];
  readonly taken: readonly Taken[];
  /** The new root, where the tree grew. */
  readonly root: SplitPage | null;
}

/** A tree before and after inserts on a fork. */
export interface Split {
  readonly inserted: number;
  /** The tree as it is stored. */
  readonly stored: Tree;
  /** The tree before the last of the inserts, and after it. */
  readonly before: Tree;
  readonly after: Tree;
  /** Null where no page was split, or the tree is too large for its branches to be told. */
  readonly story: SplitStory | null;
}

/** The engine takes no document of these values, or not so many. */
export class Refused extends Error {}

/** How many more documents are tried at most. */
const mostInserted = 20_000;
/** A page leads to each of its cells by a slot of so many bytes (`docs/format.md`). */
const slotBytes = 6;
/** Into how many parts the inserts of a fork are cut. */
const parts = 24;
/** How often the search may begin again. */
const mostForks = 12;

const list = (reply: unknown, name: string): readonly Document[] => (fieldOf(reply, name) ?? []) as readonly Document[];

/** How many entries of a leaf's mean size its room holds, and one more. */
export function untilFull(tree: Tree): number {
  const leaves = tree.nodes.filter((node) => node.level === 0 && node.count > 0);
  const steps = tree.steps.filter((step) => step.kind === "search" && step.level === 0);
  const target = leaves.find((leaf) => leaf.page === steps[0]?.page) ?? leaves.at(-1);
  if (target === undefined) return 1;
  const entry = Math.max(1, target.used / target.count);
  return Math.min(mostInserted, Math.floor((tree.capacity - target.used) / entry) + 1);
}

/** Inserts documents of one kind on forks. */
class Trial {
  readonly #commander: Commander;
  readonly #place: TreePlace;
  readonly #values: Document;
  readonly #documents: Document[] = [];

  constructor(commander: Commander, place: TreePlace, values: Document) {
    this.#commander = commander;
    this.#place = place;
    this.#values = values;
  }

  /** Insert commands for a range of the documents; always the same ones, so that each fork makes the same pages. */
  #insert(from: number, to: number): readonly Document[] {
    while (this.#documents.length < to) this.#documents.push({ _id: new ObjectId(), ...this.#values });
    return from === to ? [] : [{ insert: this.#place.collection, documents: this.#documents.slice(from, to) }];
  }

  #tree(limit: number): Document {
    const { collection, index } = this.#place;
    return { quireTree: collection, ...(index === null ? {} : { index }), limit };
  }

  /** The replies of commands of one fork but for those of inserts, which must have been done. */
  async #fork(commands: readonly Document[]): Promise<readonly Document[]> {
    const fork = { quireFork: 1, commands };
    const replies = list(await ask(this.#commander, this.#place.database, fork), "replies");
    const failed = replies.find((reply) => Number(fieldOf(reply, "ok")) !== 1);
    if (failed !== undefined) throw new Error(String(fieldOf(failed, "errmsg") ?? ""));
    const refused = replies.map((reply) => list(reply, "writeErrors")[0]).find((error) => error !== undefined);
    if (refused !== undefined) throw new Refused(String(fieldOf(refused, "errmsg") ?? ""));
    return replies.filter((_, at) => fieldOf(commands[at], "insert") === undefined);
  }

  /** How many leaves there are once so many documents are in, for each of these numbers, which ascend. */
  async leaves(numbers: readonly number[]): Promise<readonly number[]> {
    const commands = numbers.flatMap((to, at) => [...this.#insert(numbers[at - 1] ?? 0, to), this.#tree(1)]);
    return (await this.#fork(commands)).map((reply) => numberOf(fieldOf(reply, "leafPages")) ?? 0);
  }

  /** The tree before the last of so many documents and after it, and pages of either state. */
  async around(
    inserted: number,
    before: readonly number[] = [],
    after: readonly number[] = [],
  ): Promise<{ before: Tree; after: Tree; pagesBefore: readonly Document[]; pagesAfter: readonly Document[] }> {
    const page = (quirePage: number): Document => ({ quirePage, $db: "admin" });
    const replies = await this.#fork([
      ...this.#insert(0, inserted - 1),
      this.#tree(nodesDrawn),
      ...before.map(page),
      ...this.#insert(inserted - 1, inserted),
      this.#tree(nodesDrawn),
      ...after.map(page),
    ]);
    return {
      before: treeOf(this.#place, replies[0] ?? {}),
      pagesBefore: replies.slice(1, 1 + before.length),
      after: treeOf(this.#place, replies[1 + before.length] ?? {}),
      pagesAfter: replies.slice(2 + before.length),
    };
  }
}

/** The number of the document that is the first to split a leaf; null where so many do not. */
async function firstToSplit(trial: Trial, leaves: number, estimate: number): Promise<number | null> {
  let [low, size] = [0, Math.max(1, Math.ceil((estimate * 1.2) / parts))];
  for (let fork = 0; fork < mostForks; fork += 1) {
    const numbers = Array.from({ length: parts + 1 }, (_, at) => low + at * size).filter((to) => to <= mostInserted);
    const counted = await trial.leaves(numbers);
    const first = counted.findIndex((count) => count > leaves);
    if (first === 0) {
      // Many at once may fill pages in another way than few after few.
      low = Math.floor(low / 2);
    } else if (first > 0 && size === 1) {
      return low + first;
    } else if (first > 0) {
      low += (first - 1) * size;
      size = Math.max(1, Math.ceil(size / parts));
    } else {
      low = numbers.at(-1) ?? 0;
      if (low >= mostInserted) return null;
      size *= 4;
    }
  }
  return null;
}

/** A page and the separator that leads to it; "" for the first of a level. */
interface Placed {
  readonly page: number;
  readonly low: string;
}

/** The pages of each level in order, the leaves first; null where branches were left out. */
function placedIn(tree: Tree): readonly (readonly Placed[])[] | null {
  const nodes = new Map(tree.nodes.map((node) => [node.page, node]));
  let level: readonly Placed[] = [{ page: tree.root, low: "" }];
  const levels = [level];
  for (let height = tree.height - 1; height > 0; height -= 1) {
    const next: Placed[] = [];
    for (const { page, low } of level) {
      const node = nodes.get(page);
      if (node === undefined) return null;
      for (const [at, child] of node.children.entries())
        next.push({ page: child.page, low: at === 0 ? low : child.key });
    }
    levels.unshift((level = next));
  }
  return levels;
}

/** The pages that became two: their place before, and the places of both after. */
function splitPlaces(
  before: readonly Placed[],
  after: readonly Placed[],
): readonly (readonly [Placed, Placed, Placed])[] {
  const found: (readonly [Placed, Placed, Placed])[] = [];
  let at = 0;
  for (const [position, placed] of after.entries()) {
    if (before[at]?.low === placed.low) {
      at += 1;
      continue;
    }
    const [old, left] = [before[at - 1], after[position - 1]];
    if (old !== undefined && left !== undefined) found.push([old, left, placed]);
  }
  return found;
}

const keysOf = (page: Document | undefined): readonly string[] => list(page, "cells").map((cell) => wordTreeKey(cell));

function boxOf(page: number, level: number, opened: Document | undefined): SplitPage {
  return { page, level, count: list(opened, "cells").length, used: numberOf(fieldOf(opened, "used")) ?? 0 };
}

const boxOfNode = ({ page, level, count, used }: TreeNode): SplitPage => ({ page, level, count, used });

/** A page's split, with the keys that moved to the right page. */
function splitOf(
  level: number,
  [before, left, right]: readonly [Placed, Placed, Placed],
  pages: readonly (Document | undefined)[],
): PageSplit {
  const [old, , rightPage] = pages;
  const known = new Set(keysOf(old));
  const moved = keysOf(rightPage).filter((key) => known.has(key));
  const children = (page: Document | undefined): readonly unknown[] =>
    list(page, "cells").map((cell) => fieldOf(cell, "child"));
  return {
    before: boxOf(before.page, level, old),
    left: boxOf(left.page, level, pages[1]),
    right: boxOf(right.page, level, rightPage),
    // The first child of a branch is not among its cells: it is behind the key that went up.
    moved: level === 0 ? moved.length : children(rightPage).length + 1,
    movedFrom: moved[0] ?? "",
    movedTo: moved.at(-1) ?? "",
    separator: right.low,
  };
}

/** The tree before and after the insert of the last document, and the splits between; `story` null without any. */
async function tell(trial: Trial, inserted: number): Promise<Pick<Split, "before" | "after" | "story">> {
  const trees = await trial.around(inserted);
  const [old, now] = [placedIn(trees.before), placedIn(trees.after)];
  const plain = { before: trees.before, after: trees.after, story: null };
  if (old === null || now === null) return plain;
  const places = old.map((level, at) => splitPlaces(level, now[at] ?? []));
  const split = places.flat();
  if (split.length === 0) return plain;
  const leaf = places[0]?.at(-1);
  const opened = await trial.around(
    inserted,
    split.map(([before]) => before.page),
    split.flatMap(([, left, right]) => [left.page, right.page]),
  );
  const isSame = (a: Tree, b: Tree): boolean => JSON.stringify(a.nodes) === JSON.stringify(b.nodes);
  // Another tab may have changed the data between the two.
  if (!isSame(opened.before, trees.before) || !isSame(opened.after, trees.after)) return plain;
  let at = 0;
  const levels = places
    .map((level, height) =>
      level.map((one) => {
        const pages = [opened.pagesBefore[at], opened.pagesAfter[2 * at], opened.pagesAfter[2 * at + 1]];
        at += 1;
        return splitOf(height, one, pages);
      }),
    )
    .filter((level) => level.length > 0);
  const last = leaf === undefined ? -1 : split.indexOf(leaf);
  const known = new Set(keysOf(opened.pagesBefore[last]));
  const cells = [opened.pagesAfter[2 * last], opened.pagesAfter[2 * last + 1]].flatMap((page) => list(page, "cells"));
  const entered = cells.filter((cell) => !known.has(wordTreeKey(cell)));
  const nodeOf = (tree: Tree, page: number): TreeNode | undefined =>
    tree.nodes.find((node) => node.level > 0 && node.children.some((child) => child.page === page));
  // Separators that went into pages which did not split themselves.
  const isSplit = new Set(split.flatMap(([, left, right]) => [left.page, right.page]));
  const taken: Taken[] = [];
  for (const [before, , right] of split) {
    const [was, is] = [nodeOf(trees.before, before.page), nodeOf(trees.after, right.page)];
    if (was === undefined || is === undefined || isSplit.has(is.page)) continue;
    if (!taken.some(({ after }) => after.page === is.page))
      taken.push({ before: boxOfNode(was), after: boxOfNode(is) });
  }
  const root = trees.after.height > trees.before.height ? trees.after.nodes[0] : undefined;
  return {
    ...plain,
    story: {
      entry: entered.map((cell) => wordTreeKey(cell)).join(", "),
      entryBytes: entered.reduce((sum, cell) => sum + (numberOf(fieldOf(cell, "length")) ?? 0) + slotBytes, 0),
      levels,
      taken,
      root: root === undefined ? null : boxOfNode(root),
    },
  };
}

/** Inserts documents of these values on forks, as many as split a page, and tells how the last one did. */
export async function trySplit(commander: Commander, stored: Tree, values: Document): Promise<Split> {
  const trial = new Trial(commander, stored.place, values);
  const inserted = await firstToSplit(trial, stored.leafPages, untilFull(stored));
  if (inserted === null) return { inserted: mostInserted, stored, before: stored, after: stored, story: null };
  return { inserted, stored, ...(await tell(trial, inserted)) };
}

/** One step of a split. */
export type SplitStep =
  /** A page has no room for an entry, or for a separator from below. */
  | { readonly kind: "full"; readonly split: PageSplit; readonly level: number; readonly entering: string }
  /** A page was made beside it, and these went over. */
  | { readonly kind: "parted"; readonly split: PageSplit; readonly level: number }
  /** The first key of the new page goes into the page above, which has room. */
  | { readonly kind: "risen"; readonly separators: readonly string[]; readonly taken: Taken }
  /** There was no page above. */
  | { readonly kind: "grown"; readonly separator: string; readonly root: SplitPage };

/** The steps of a split, from the leaf up. */
export function stepsOf(story: SplitStory): readonly SplitStep[] {
  const steps: SplitStep[] = [];
  for (const [level, splits] of story.levels.entries()) {
    for (const [at, split] of splits.entries()) {
      const below = story.levels[level - 1]?.[at] ?? story.levels[level - 1]?.at(-1);
      steps.push({ kind: "full", split, level, entering: below?.separator ?? story.entry });
      steps.push({ kind: "parted", split, level });
    }
    const here = new Set(splits.map(({ separator }) => separator));
    for (const taken of story.taken.filter(({ after }) => after.level === level + 1))
      steps.push({ kind: "risen", separators: [...here], taken });
  }
  const top = story.levels.at(-1)?.at(-1);
  if (story.root !== null && top !== undefined)
    steps.push({ kind: "grown", separator: top.separator, root: story.root });
  return steps;
}

/** A page as it is drawn at a step. */
export interface DrawnPage extends SplitPage {
  readonly look: "plain" | "full" | "left" | "new";
}

/** A level as it is drawn at a step; `entering` is the entry or separator that waits below it to go in. */
export interface DrawnLevel {
  readonly level: number;
  readonly pages: readonly DrawnPage[];
  readonly entering: string | null;
}

/** The pages that have a part in a split, from the highest level down, as they are after so many of its steps. */
export function drawnAt(story: SplitStory, step: number): readonly DrawnLevel[] {
  const steps = stepsOf(story);
  const [now, done] = [steps[step], steps.slice(0, step + 1)];
  const levels = story.levels.map(
    (splits, level): DrawnLevel => ({
      level,
      pages: splits.flatMap((split): readonly DrawnPage[] => {
        if (done.some((each) => each.kind === "parted" && each.split === split))
          return [
            { ...split.left, look: "left" },
            { ...split.right, look: "new" },
          ];
        return [{ ...split.before, look: now?.kind === "full" && now.split === split ? "full" : "plain" }];
      }),
      entering: now?.kind === "full" && now.level === level ? now.entering : null,
    }),
  );
  const has = (taken: Taken): boolean => done.some((each) => each.kind === "risen" && each.taken === taken);
  for (const taken of story.taken) {
    const level = taken.after.level;
    const isNow = now?.kind === "risen" && now.taken === taken;
    const page: DrawnPage = { ...(has(taken) ? taken.after : taken.before), look: isNow ? "left" : "plain" };
    const entering = isNow ? now.separators.join(", ") : null;
    const at = levels.findIndex((each) => each.level === level);
    const known = levels[at];
    if (known === undefined) levels.push({ level, pages: [page], entering });
    else levels[at] = { ...known, pages: [...known.pages, page], entering: known.entering ?? entering };
  }
  if (now?.kind === "grown")
    levels.push({ level: now.root.level, pages: [{ ...now.root, look: "new" }], entering: now.separator });
  return levels.sort((a, b) => b.level - a.level);
}
