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
import { Engine, accountSince } from "../src/pkg/engine.ts";
import type { Commander } from "../src/state/data/ask.ts";
import { hexRows, readPage, readPages, readTouched } from "../src/state/xray/pages.ts";
import { fillOf, levelsOf, readSought, readTree, trySplit } from "../src/state/xray/tree.ts";

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
    expect(touched.read).toHaveLength(cost.pagesRead);
    expect(cost).toMatchObject({ keysExamined: 5, documentsExamined: 5, pagesWritten: 0 });
  });

  test("what is looked up is a document's values, or a record's number", () => {
    expect(readSought({ nature: "records" }, "7")).toBe(7);
    expect(readSought({ nature: "records" }, "{}")).toBeNull();
    expect(readSought({ nature: "plain" }, '{"a": 1}')).toEqual({ a: 1 });
    for (const text of ["7", "[]", "null", "{a"]) expect(readSought({ nature: "plain" }, text)).toBeNull();
  });
});
