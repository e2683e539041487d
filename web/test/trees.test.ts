/**
 * What the tree and the map of pages show is what the engine has: counted, looked up, split on a fork.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine, accountSince, insideOf } from "../src/pkg/engine.ts";
import type { Commander } from "../src/state/data/ask.ts";
import {
  countTouched,
  hexRows,
  nextTouched,
  OF_A_MOMENT,
  readPage,
  readPages,
  readTouched,
  touchedBy,
} from "../src/state/xray/pages.ts";
import { drawnAt, stepsOf, trySplit } from "../src/state/xray/split.ts";
import { fillOf, levelsOf, readSought, readTree } from "../src/state/xray/tree.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

describe.skipIf(!existsSync(wasm))("trees and pages", () => {
  let engine: Engine;
  let run: (command: Document) => Document;
  let commander: Commander;
  const place = { database: "shop", collection: "teas", index: "price_1" };

  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
  });

  beforeEach(async () => {
    engine = await Engine.create();
    run = (command) => decode(engine.command(encode({ ...command, $db: "shop" })));
    commander = { commandBytes: async (command) => engine.command(command) };
    const documents = Array.from({ length: 3000 }, (_, n) => ({ _id: n, price: n % 90, name: "tea ".repeat(n % 40) }));
    run({ insert: "teas", documents });
    run({ createIndexes: "teas", indexes: [{ key: { price: 1 }, name: "price_1" }] });
  });

  test("a tree has the pages it counts, and a look-up goes to the key", async () => {
    const tree = await readTree(commander, place, { price: 17 });
    expect(tree).toMatchObject({ entries: 3000, nature: "plain", height: 2, waiting: 0 });
    expect(levelsOf(tree).map((level) => level.length)).toEqual([1, tree.leafPages]);
    for (const node of tree.nodes) expect(fillOf(tree, node)).toBeLessThanOrEqual(1);
    const leaf = tree.steps.find((step) => step.kind === "entry");
    expect(leaf).toMatchObject({ key: "{ price: 17 } #18" });
    expect(tree.steps[0]).toMatchObject({ kind: "search", page: tree.root, level: 1 });
  });

  test("a split is seen on a fork, and nothing of it stays", async () => {
    const before = await readTree(commander, place, { price: 17 });
    const split = await trySplit(commander, before, { price: 17 });
    expect(split.after.leafPages).toBeGreaterThan(before.leafPages);
    expect(split.after.entries).toBe(3000 + split.inserted);
    expect(await readTree(commander, place)).toMatchObject({ entries: 3000, leafPages: before.leafPages });
    await expect(
      trySplit(commander, await readTree(commander, { ...place, index: "_id_" }), { _id: 5 }),
    ).rejects.toThrow("E11000");
  });

  test("a split is told step by step: what moves, what goes up, and where the root grows", async () => {
    const split = await trySplit(commander, await readTree(commander, place, { price: 17 }), { price: 17 });
    const { before, after, story } = split;
    if (story === null) throw new Error("a page was split");
    // One document less would not do it.
    expect([before.entries, after.entries]).toEqual([2999 + split.inserted, 3000 + split.inserted]);
    expect(after.leafPages).toBe(before.leafPages + 1);
    const [leaf] = story.levels[0] ?? [];
    if (leaf === undefined) throw new Error("it is a leaf");
    expect(leaf.left.count + leaf.right.count).toBe(leaf.before.count + 1);
    expect(before.capacity - leaf.before.used).toBeLessThan(story.entryBytes);
    expect([leaf.right.count, leaf.right.count - 1]).toContain(leaf.moved);
    expect(leaf.moved).toBeGreaterThan(0);
    expect(story.entry).toMatch(/^\{ price: 17 \} #\d+$/);
    expect(after.nodes[0]?.children.map(({ key }) => key)).toContain(leaf.separator);
    const steps = stepsOf(story);
    expect(steps.map(({ kind }) => kind)).toEqual(["full", "parted", "risen"]);
    expect(story.taken[0]?.after.count).toBe((before.nodes[0]?.count ?? 0) + 1);
    const looks = steps.map((_, step) => drawnAt(story, step).map(({ pages }) => pages.map(({ look }) => look)));
    expect(looks).toEqual([
      [["plain"], ["full"]],
      [["plain"], ["left", "new"]],
      [["left"], ["left", "new"]],
    ]);
    expect(drawnAt(story, 0)[1]?.entering).toBe(story.entry);
    expect(drawnAt(story, 2)[0]?.entering).toBe(leaf.separator);
  });

  test("at the right edge nothing moves, and a root that was a leaf grows", async () => {
    const own = { database: "shop", collection: "cups", index: "_id_" };
    run({ insert: "cups", documents: [{ _id: 1 }] });
    const split = await trySplit(commander, await readTree(commander, own, {}), {});
    const { story } = split;
    if (story === null) throw new Error("a page was split");
    expect(split.before).toMatchObject({ height: 1, leafPages: 1 });
    const [leaf] = story.levels[0] ?? [];
    expect(leaf).toMatchObject({ moved: 0, right: { count: 1 } });
    expect(leaf?.left.count).toBe(leaf?.before.count);
    const free = split.before.capacity - (leaf?.before.used ?? 0);
    expect(free).toBeLessThan(story.entryBytes);
    expect(story.root).toMatchObject({ page: split.after.root, level: 1, count: 1 });
    expect(stepsOf(story).map(({ kind }) => kind)).toEqual(["full", "parted", "grown"]);
    expect(drawnAt(story, 2).map(({ level, pages }) => [level, pages.length])).toEqual([
      [1, 1],
      [0, 2],
    ]);
    expect(await readTree(commander, own)).toMatchObject({ entries: 1, height: 1 });
  });

  test("a branch that is full is split too", async () => {
    // Keys that differ at their end alone make long separators, and so branches of few children.
    run({ createIndexes: "mugs", indexes: [{ key: { name: 1 }, name: "name_1" }] });
    const name = (n: number): string => `${"x".repeat(900)}${String(n).padStart(6, "0")}`;
    const long = { database: "shop", collection: "mugs", index: "name_1" };
    let [tree, n] = [await readTree(commander, long), 0];
    // Up to the state in which the root has no room for one more separator.
    while (tree.height < 2 || (tree.nodes[0]?.used ?? 0) + 1000 < tree.capacity) {
      run({ insert: "mugs", documents: Array.from({ length: 5 }, () => ({ name: name((n += 10)) })) });
      tree = await readTree(commander, long);
    }
    const values = { name: name(n - 35) };
    const split = await trySplit(commander, await readTree(commander, long, values), values);
    const { story } = split;
    if (story === null) throw new Error("a page was split");
    const branch = story.levels[1]?.[0];
    expect(stepsOf(story).map(({ kind }) => kind)).toEqual(["full", "parted", "full", "parted", "grown"]);
    expect(split.after.height).toBe(3);
    expect(branch?.before.page).toBe(split.before.root);
    // One separator came, and one went up.
    expect((branch?.left.count ?? 0) + (branch?.right.count ?? 0)).toBe(branch?.before.count);
    expect(branch?.moved).toBe((branch?.right.count ?? 0) + 1);
  });

  test("the map gives every page one owner, and a page opens to its bytes", async () => {
    const map = await readPages(commander);
    expect(map.owners.reduce((sum, owner) => sum + owner.pages, 0)).toBe(map.pages);
    const tree = await readTree(commander, place);
    const owner = map.owners.find(({ index }) => index === "price_1");
    expect(owner?.pages).toBe(tree.leafPages + tree.branchPages);
    const page = await readPage(commander, tree.nodes.at(-1)?.page ?? 0);
    expect(page.owner).toMatchObject({ kind: "index", namespace: "shop.teas", index: "price_1" });
    expect(page.bytes).toHaveLength(16_384);
    expect(page.cells).toHaveLength(tree.nodes.at(-1)?.count ?? 0);
    expect(page.cells.at(-1)?.value).toContain("{ price: 89 }");
    const { rows, left } = hexRows(page.bytes, 24, 2);
    expect([rows[0]?.hex, left]).toEqual(["51 50", 0]);
    expect((await readPage(commander, 0)).fields.map(({ name }) => name)).toContain("freeDelta");
  });

  test("a run's pages are those that the account counts", async () => {
    const before = engine.account();
    const touched = await readTouched(commander, "shop", { find: "teas", filter: { price: 3 }, batchSize: 5 });
    const cost = accountSince(before, engine.account());
    expect(touched.read.size).toBe(cost.pagesRead);
    expect(cost).toMatchObject({ keysExamined: 5, documentsExamined: 5, pagesWritten: 0 });
  });

  test("of a whole run the map counts what its commands read, wrote and share with a moment", async () => {
    run({ quireMoment: 1 });
    insideOf(engine).open.takeTouched(true);
    run({ find: "teas", filter: { price: 3 }, batchSize: 5 });
    run({ update: "teas", updates: [{ q: { _id: 7 }, u: { $set: { price: 91 } } }] });
    expect(run({ insert: "teas", documents: [{ _id: 7 }] })["writeErrors"]).toHaveLength(1);
    const touched = touchedBy(4, insideOf(engine).open.takeTouched(false));
    const [map, tree] = [await readPages(commander), await readTree(commander, place)];
    const { owners, shared } = countTouched(map, touched);
    const of = (name: string) => owners[map.owners.findIndex(({ index }) => index === name)];
    // An entry goes from one leaf to the last one, under the root.
    expect(of("price_1")).toEqual({ read: 3, written: 3 });
    // The entry of a document that is refused is looked for on pages that could be changed: copies.
    expect(of("_id_")).toEqual({ read: 2, written: 2 });
    expect(touched.written.has(tree.root)).toBe(true);
    // What was written lies in pages of its own, apart from the moment's.
    const inMoment = [...touched.read].filter((page) => ((map.flags[page - 1] ?? 0) & OF_A_MOMENT) !== 0);
    expect(shared).toBe(inMoment.length);
    expect(shared).toBeGreaterThan(3);
    const all = [...new Set([...touched.read, ...touched.written])].sort((a, b) => a - b);
    let page = map.pages;
    for (const next of [...all, all[0]]) expect((page = nextTouched(map, touched, page) ?? 0)).toBe(next);
    expect(nextTouched(map, { read: new Set(), written: new Set() }, 1)).toBeNull();
  });

  test("what is looked up is a document's values, or a record's number", () => {
    expect(readSought({ nature: "records" }, "7")).toBe(7);
    expect(readSought({ nature: "records" }, "{}")).toBeNull();
    expect(readSought({ nature: "plain" }, '{"a": 1}')).toEqual({ a: 1 });
    for (const text of ["7", "[]", "null", "{a"]) expect(readSought({ nature: "plain" }, text)).toBeNull();
  });
});
